import java.sql.DriverManager;

/** An in-memory database with several connections. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        Database.load(() -> DriverManager.getConnection("jdbc:h2:mem:test;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000"), 4, 60);
    }
}
