import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A load for any SQL database: each thread moves money between accounts and writes and reads rows of its own. What is left is
 * the same in every order. */
public final class Database {
    /** Where connections come from. */
    public interface Source {
        Connection connect() throws SQLException;
    }

    private static final int ACCOUNTS = 40;

    private Database() {}

    public static void load(Source source, int threads, int transactions) throws Exception {
        try (Connection connection = source.connect(); Statement statement = connection.createStatement()) {
            statement.execute("create table account (id int primary key, balance int not null)");
            statement.execute("create table entry (id int primary key, owner int not null, note varchar(40))");
            statement.execute("create index entry_owner on entry (owner)");
            for (int account = 0; account < ACCOUNTS; account++) {
                statement.executeUpdate("insert into account values (" + account + ", 100)");
            }
        }
        System.out.println(Crew.work(threads, rank -> work(source, rank, Crew.part(transactions))));
        try (Connection connection = source.connect(); Statement statement = connection.createStatement()) {
            System.out.println(number(statement, "select sum(balance) from account"));
            System.out.println(number(statement, "select count(*) from entry"));
            for (int account = 0; account < ACCOUNTS; account += 9) {
                System.out.println(number(statement, "select balance from account where id = " + account));
            }
        }
    }

    private static long work(Source source, int rank, int transactions) throws SQLException {
        long seen = 0;
        try (Connection connection = source.connect()) {
            connection.setAutoCommit(false);
            for (int number = 0; number < transactions; number++) {
                int from = (rank * 7 + number) % ACCOUNTS;
                int to = (rank * 11 + number * 3 + 1) % ACCOUNTS;
                seen += retry(connection, rank, number, Math.min(from, to), Math.max(from, to));
            }
        }
        return seen;
    }

    /** A transaction, again and again until the database takes it: it may refuse one of two that are in each other's way. */
    private static long retry(Connection connection, int rank, int number, int from, int to) throws SQLException {
        for (int attempt = 0; ; attempt++) {
            try {
                long seen = transaction(connection, rank, number, from, to);
                connection.commit();
                return seen;
            } catch (SQLException refused) {
                connection.rollback();
                if (attempt > 200) {
                    throw refused;
                }
            }
        }
    }

    private static long transaction(Connection connection, int rank, int number, int from, int to) throws SQLException {
        update(connection, "update account set balance = balance - ? where id = ?", 1, from);
        update(connection, "update account set balance = balance + ? where id = ?", 1, to);
        int key = rank * 1_000_000 + number;
        try (PreparedStatement insert = connection.prepareStatement("insert into entry values (?, ?, ?)")) {
            insert.setInt(1, key);
            insert.setInt(2, rank);
            insert.setString(3, "note " + number);
            insert.executeUpdate();
        }
        try (PreparedStatement select =
                connection.prepareStatement("select count(*), max(upper(note)) from entry where owner = ?")) {
            select.setInt(1, rank);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                return rows.getLong(1) + rows.getString(2).length();
            }
        }
    }

    private static void update(Connection connection, String text, int amount, int id) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(text)) {
            update.setInt(1, amount);
            update.setInt(2, id);
            update.executeUpdate();
        }
    }

    private static long number(Statement statement, String text) throws SQLException {
        try (ResultSet rows = statement.executeQuery(text)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
