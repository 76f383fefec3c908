/** A class file of Java 8: accessors of inner classes, a synchronized bridge, class literals. */
public class Main {
    private static int total;
    private int value;

    interface Sink<T> {
        void put(T value);
    }

    class Inner implements Sink<String> {
        private String last = "";

        @Override
        public synchronized void put(String text) {
            last += text;
            synchronized (Main.this) {
                value += last.length();
            }
            synchronized (Main.class) {
                total++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Sink<String> sink = new Main().new Inner();
        Thread one = new Thread(() -> sink.put("a"));
        Thread two = new Thread(() -> sink.put("b"));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(total + " " + ((Inner) sink).last.length());
    }
}
