/** Inner and anonymous classes keep what they captured in fields that are written before the superclass's constructor. */
public class Main {
    private int value;

    abstract static class Base {
        Base() {
            prepare();
        }

        abstract void prepare();
    }

    class Inner extends Base {
        int prepared;

        @Override
        void prepare() {
            value++;
            prepared = value;
        }
    }

    Base anonymous(int amount) {
        return new Base() {
            @Override
            void prepare() {
                value += amount;
            }
        };
    }

    synchronized void make() {
        class Local extends Inner {
            final Object[] kept = {anonymous(2)};
        }
        value += new Inner().prepared > 0 ? 1 : 0;
        value += new Local().kept.length;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main::make);
        Thread two = new Thread(main::make);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(main.value);
    }
}
