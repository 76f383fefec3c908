import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;

/** Subtasks that nobody joined, one that another scope joined on the same carrier, and values that were set too early. */
public class Main {
    static int unjoined;
    static int other;
    static int unset;

    static final StableValue<int[]> UNSET = StableValue.of();

    static final StableValue<Main> STABLE = StableValue.of();
    int afterSet;

    /** Long enough for another thread to have made its access, and no order. */
    static void pause() {
        try {
            Thread.sleep(40);
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    static void write() {
        unjoined = 1; // race: writes unjoined
    }

    static int read() {
        return unjoined; // race: reads unjoined
    }

    static void writeOther() {
        other = 1; // race: writes other
    }

    static int readOther() {
        return other; // race: reads other
    }

    static void setTooEarly() {
        Main made = new Main();
        STABLE.setOrThrow(made);
        pause();
        made.afterSet = 1; // race: writes afterSet
    }

    static int useStable() {
        Main found;
        do {
            found = STABLE.orElse(null);
        } while (found == null);
        return found.afterSet; // race: reads afterSet
    }

    static void writeUnset() {
        UNSET.isSet();
        unset = 1; // race: writes unset
    }

    static int readUnset() {
        UNSET.orElse(null);
        return unset; // race: reads unset
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");
        int seen = 0;
        try (var scope = StructuredTaskScope.open(Joiner.awaitAll())) {
            scope.fork(Main::write);
            pause();
            seen += read();
            scope.join();
        }
        // The first has ended on the same carrier as the second, which is joined: there is only one.
        Thread first = Thread.ofVirtual().start(Main::writeOther);
        pause();
        try (var scope = StructuredTaskScope.open(Joiner.awaitAll())) {
            scope.fork(() -> {});
            scope.join();
        }
        seen += readOther();
        first.join();
        Thread setter = new Thread(Main::setTooEarly);
        setter.start();
        seen += useStable();
        setter.join();
        Thread writer = new Thread(Main::writeUnset);
        writer.start();
        pause();
        seen += readUnset();
        writer.join();
        System.out.println(seen >= 0);
    }
}
