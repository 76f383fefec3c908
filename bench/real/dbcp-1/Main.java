import java.sql.Connection;
import java.sql.ResultSet;
import org.apache.commons.dbcp.BasicDataSource;
import org.apache.commons.dbcp.cpdsadapter.DriverAdapterCPDS;
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
            for (int number = 0; number < 15; number++) {
                DriverAdapterCPDS driver = new DriverAdapterCPDS();
                driver.setDriver("org.hsqldb.jdbc.JDBCDriver");
                driver.setUrl("jdbc:hsqldb:mem:pool");
                driver.setUser("sa");
                driver.setPassword("");
                SharedPoolDataSource shared = new SharedPoolDataSource();
                shared.setConnectionPoolDataSource(driver);
                sum += read(shared.getConnection());
                shared.close();
                PerUserPoolDataSource each = new PerUserPoolDataSource();
                each.setConnectionPoolDataSource(driver);
                sum += read(each.getConnection());
                each.close();
            }
            return sum;
        }));
        basic.close();
    }
}
