/** A call through a generic supertype goes through a bridge: the method with the access is on top of the stack. */
public class Main {
    interface Sink<T> {
        void put(T value);
    }

    static class Last implements Sink<String> {
        String last;

        @Override
        public void put(String value) {
            last = value; // race: writes last
        }
    }

    static <T> void feed(Sink<T> sink, T value) {
        sink.put(value);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Last last = new Last();
        Thread one = new Thread(() -> feed(last, "a"));
        Thread two = new Thread(() -> feed(last, "b"));
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
