/** A lock is left out in one case of a switch, for which two inputs must fit. */
public class Main {
    static final Object LOCK = new Object();
    static int total;
    static int mode;

    static final class Adder extends Thread {
        final int by;

        Adder(int by) {
            this.by = by;
        }

        @Override
        public void run() {
            switch (by) {
                case 1:
                case 2:
                    synchronized (LOCK) {
                        total += by;
                    }
                    break;
                case 40:
                    if (mode == 3) {
                        total += by;
                    }
                    break;
                default:
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int by = Integer.parseInt(args[0]);
        mode = Integer.parseInt(args[1]);
        Thread one = new Adder(by);
        Thread two = new Adder(by);
        one.start();
        two.start();
        one.join();
        two.join();
    }
}
