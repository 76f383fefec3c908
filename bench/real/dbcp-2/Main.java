import java.sql.Connection;
import java.sql.ResultSet;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.commons.dbcp2.cpdsadapter.DriverAdapterCPDS;
import org.apache.commons.dbcp2.datasources.SharedPoolDataSource;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/** Pools of connections, and a pool of things that are changed by whoever has them. */
public class Main {
    static class Thing {
        int uses;
    }

    public static void main(String[] arguments) throws Exception {
        BasicDataSource basic = new BasicDataSource();
        basic.setDriverClassName("org.hsqldb.jdbc.JDBCDriver");
        basic.setUrl("jdbc:hsqldb:mem:pool");
        basic.setUsername("sa");
        basic.setMaxTotal(2);
        basic.setPoolPreparedStatements(true);
        basic.setDurationBetweenEvictionRuns(java.time.Duration.ofMillis(20));
        Database.load(basic::getConnection, 4, 20);
        DriverAdapterCPDS driver = new DriverAdapterCPDS();
        driver.setDriver("org.hsqldb.jdbc.JDBCDriver");
        driver.setUrl("jdbc:hsqldb:mem:pool");
        driver.setUser("sa");
        driver.setPassword("");
        SharedPoolDataSource shared = new SharedPoolDataSource();
        shared.setConnectionPoolDataSource(driver);
        GenericObjectPool<Thing> things = new GenericObjectPool<>(new BasePooledObjectFactory<>() {
            @Override
            public Thing create() {
                return new Thing();
            }

            @Override
            public PooledObject<Thing> wrap(Thing thing) {
                return new DefaultPooledObject<>(thing);
            }
        });
        things.setMaxTotal(3);
        System.out.println(Crew.work(4, rank -> {
            int sum = 0;
            for (int number = 0; number < Crew.part(60); number++) {
                Thing thing = things.borrowObject();
                thing.uses++;
                things.returnObject(thing);
                if (number % 4 == 0) {
                    try (Connection connection = shared.getConnection();
                            ResultSet row = connection.createStatement().executeQuery("values (7)")) {
                        row.next();
                        sum += row.getInt(1);
                    }
                }
            }
            return sum;
        }));
        things.close();
        shared.close();
        basic.close();
    }
}
