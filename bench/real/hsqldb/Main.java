import java.sql.DriverManager;

/** An in-memory database with several connections, with locks and with versions of rows. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        for (String model : new String[] {"locks", "mvcc"}) {
            String url = "jdbc:hsqldb:mem:" + model + ";hsqldb.tx=" + model;
            Database.load(() -> DriverManager.getConnection(url, "sa", ""), 4, 60);
        }
    }
}
