/** Values of two slots: the hooks must find their way past them on the operand stack. */
public class Main {
    long count;
    static double sum;

    void write() {
        count = 1L << 40; // race: writes count
        sum = 0.5; // race: writes sum
    }

    double read() {
        return count + sum; // race: reads count sum
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main::write);
        Thread two = new Thread(main::read);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
