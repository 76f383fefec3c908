/** A constant of an enum with a body keeps state that nothing guards. */
public class Main {
    enum Mode {
        FAST {
            @Override
            void use() {
                uses = uses + 1; // race: reads writes uses
            }
        },
        SAFE;

        int uses;

        void use() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Mode.FAST::use);
        Thread two = new Thread(Mode.FAST::use);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
