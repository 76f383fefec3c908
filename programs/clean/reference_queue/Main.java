import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** What came before the last reachabilityFence() of an object comes before its reference leaves the queue. */
public class Main {
    private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
    private static volatile Reference<Object> reference;
    private static int data;

    static void use() {
        Object resource = new Object();
        reference = new PhantomReference<>(resource, QUEUE);
        data = 5;
        Reference.reachabilityFence(resource);
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Thread(Main::use).start();
        while (QUEUE.remove(10) == null) {
            System.gc();
        }
        System.out.println(data);
    }
}
