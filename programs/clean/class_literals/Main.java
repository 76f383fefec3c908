/** Compilers before Java 5 wrote `String.class` so: a static field that whoever comes first fills, always with the same class. */
public class Main {
    static Class<?> class$java$lang$String;

    static Class<?> string() throws ClassNotFoundException {
        if (class$java$lang$String == null) {
            class$java$lang$String = Class.forName("java.lang.String");
        }
        return class$java$lang$String;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try {
                    string().getName();
                } catch (ClassNotFoundException impossible) {
                    throw new AssertionError(impossible);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(class$java$lang$String);
    }
}
