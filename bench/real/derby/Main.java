import java.sql.DriverManager;
import java.sql.SQLException;

/** An in-memory database with several connections, and its shutdown. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        System.setProperty("derby.stream.error.file", "/dev/null");
        DriverManager.getConnection("jdbc:derby:memory:test;create=true").close();
        Database.load(() -> DriverManager.getConnection("jdbc:derby:memory:test"), 4, 40);
        try {
            DriverManager.getConnection("jdbc:derby:;shutdown=true");
        } catch (SQLException told) {
            System.out.println(told.getSQLState());
        }
    }
}
