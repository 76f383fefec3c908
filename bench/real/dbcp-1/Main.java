import java.sql.Connection;
import java.sql.ResultSet;
import java.util.ConcurrentModificationException;
import java.util.function.Supplier;
import org.apache.commons.dbcp.BasicDataSource;
import org.apache.commons.dbcp.cpdsadapter.DriverAdapterCPDS;
import org.apache.commons.dbcp.datasources.InstanceKeyDataSource;
import org.apache.commons.dbcp.datasources.PerUserPoolDataSource;
import org.apache.commons.dbcp.datasources.SharedPoolDataSource;

/** Pools of connections that threads share, and pools that threads make and close for themselves. */
public class Main {
    private static int read(Connection taken) throws Exception {
        try (Connection connection = taken;
                ResultSet row = connection.createStatement().executeQuery("values (7)")) {
            row.next();
            return row.getInt(1);
        }
    }

    /**
     * DBCP-369: the map of all pools may change under whoever adds one. That race is what we want, its outcome is not. A pool
     * whose adding failed has its driver but no key, and cannot be added again: so another one is made.
     */
    private static <P extends InstanceKeyDataSource> P add(Supplier<P> make, DriverAdapterCPDS driver) {
        for (;;) {
            P pool = make.get();
            try {
                pool.setConnectionPoolDataSource(driver);
                return pool;
            } catch (ConcurrentModificationException raced) {
                Thread.yield();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        BasicDataSource basic = new BasicDataSource();
        basic.setDriverClassName("org.hsqldb.jdbc.JDBCDriver");
        basic.setUrl("jdbc:hsqldb:mem:pool");
        basic.setUsername("sa");
        basic.setMaxActive(2);
        basic.setPoolPreparedStatements(true);
        basic.setTimeBetweenEvictionRunsMillis(20);
        Database.load(basic::getConnection, 4, 20);
        System.out.println(Crew.work(4, rank -> {
            int sum = 0;
            for (int number = 0; number < Crew.part(15); number++) {
                DriverAdapterCPDS driver = new DriverAdapterCPDS();
                driver.setDriver("org.hsqldb.jdbc.JDBCDriver");
                driver.setUrl("jdbc:hsqldb:mem:pool");
                driver.setUser("sa");
                driver.setPassword("");
                SharedPoolDataSource shared = add(SharedPoolDataSource::new, driver);
                sum += read(shared.getConnection());
                shared.close();
                PerUserPoolDataSource each = add(PerUserPoolDataSource::new, driver);
                sum += read(each.getConnection());
                each.close();
            }
            return sum;
        }));
        basic.close();
    }
}
