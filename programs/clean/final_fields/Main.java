/** Objects with final fields only, read by many threads. */
public class Main {
    static final class Point {
        final int x;
        final int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }
    }

    record Pair(Point one, Point two) {}

    static final Pair PAIR = new Pair(new Point(1, 2), new Point(3, 4));

    static int sum() {
        return PAIR.one().x + PAIR.one().y + PAIR.two().x + PAIR.two().y;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::sum);
        Thread two = new Thread(Main::sum);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(sum());
    }
}
