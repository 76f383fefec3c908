import java.lang.reflect.Field;

/** Fields set and got by reflection: plain ones under a lock, a volatile one as a message. */
public class Main {
    private static final Object LOCK = new Object();
    private static int count;
    private volatile boolean ready;
    private int data;

    static void count(Field field) throws IllegalAccessException {
        for (int i = 0; i < 50; i++) {
            synchronized (LOCK) {
                field.setInt(null, field.getInt(null) + 1);
            }
        }
    }

    void send(Field ready) throws IllegalAccessException {
        data = 7;
        ready.setBoolean(this, true);
    }

    int receive(Field ready) throws IllegalAccessException {
        while (!ready.getBoolean(this)) {
            Thread.onSpinWait();
        }
        return data;
    }

    public static void main(String[] arguments) throws Exception {
        Field count = Main.class.getDeclaredField("count");
        Field ready = Main.class.getDeclaredField("ready");
        Main main = new Main();
        Thread other = new Thread(() -> {
            try {
                main.send(ready);
                count(count);
            } catch (IllegalAccessException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        other.start();
        int seen = main.receive(ready);
        count(count);
        other.join();
        System.out.println(seen + Main.count);
    }
}
