/** Volatile fields of every kind hand over: static, inherited, wide, reference, in an interface's implementor. */
public class Main {
    static class Base {
        volatile long wide;
        volatile double real;
        static volatile boolean flag;
        volatile Object reference;
        protected volatile byte small;
    }

    static class Derived extends Base {}

    private static int data;

    static void await(Derived derived, int step) {
        for (;;) {
            boolean seen = switch (step) {
                case 1 -> derived.wide == 1;
                case 2 -> derived.real == 1.0;
                case 3 -> Derived.flag;
                case 4 -> derived.reference != null;
                default -> derived.small == 1;
            };
            if (seen) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    static void signal(Derived derived, int step) {
        switch (step) {
            case 1 -> derived.wide++;
            case 2 -> derived.real = 1.0;
            case 3 -> Base.flag = true;
            case 4 -> derived.reference = "there";
            default -> derived.small = 1;
        }
    }

    static void work(Derived derived, int from) {
        for (int step = from; step <= 5; step += 2) {
            if (step > 1) {
                await(derived, step - 1);
            }
            data += step;
            signal(derived, step);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Derived derived = new Derived();
        Thread odd = new Thread(() -> work(derived, 1));
        Thread even = new Thread(() -> work(derived, 2));
        odd.start();
        even.start();
        odd.join();
        even.join();
        System.out.println(data);
    }
}
