/** Each thread has its own place, but the same object is in all of them. */
public class Main {
    static final class Box {
        int value;
    }

    private static final Box SHARED = new Box();
    private static final ThreadLocal<Box> MINE = ThreadLocal.withInitial(() -> SHARED);

    static void count() {
        MINE.get().value++; // race: reads writes value
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(Main::count);
        other.start();
        count();
        other.join();
        System.out.println(SHARED.value > 0);
    }
}
