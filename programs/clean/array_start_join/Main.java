/** An array goes from a parent to a child and back, many times, and the collector moves it meanwhile. */
public class Main {
    static void add(char[] text, Object[] things) {
        for (int i = 0; i < text.length; i++) {
            text[i]++;
        }
        for (int i = 0; i < things.length; i++) {
            things[i] = new long[100];
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        char[] text = new char[500];
        Object[] things = new Object[500];
        for (int round = 0; round < 40; round++) {
            Thread child = new Thread(() -> add(text, things));
            child.start();
            child.join();
            if (round % 10 == 0) {
                System.gc();
            }
            add(text, things);
        }
        System.out.println((int) text[499]);
    }
}
