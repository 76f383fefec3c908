import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** After the last use of the object the collector may be faster than the thread. */
public class Main {
    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    private static volatile Reference<Object> reference;
    private static int data;

    static void make() {
        Object resource = new Object();
        reference = new PhantomReference<>(resource, QUEUE);
        Reference.reachabilityFence(resource);
    }

    static void use() {
        make();
        data = 5; // race: writes data
    }

    static int collect() throws InterruptedException {
        while (QUEUE.remove(10) == null) {
            System.gc();
        }
        return data; // race: reads data
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread user = new Thread(Main::use);
        user.start();
        int seen = collect();
        user.join();
        System.out.println(seen < 6);
    }
}
