/** Inner classes and lambdas reach the fields of the object around them. */
public class Main {
    private int shared;
    private int captured;

    class Inner implements Runnable {
        @Override
        public void run() {
            shared = 1; // race: writes shared
            captured = 1; // race: writes captured
        }
    }

    Runnable anonymous() {
        return new Runnable() {
            @Override
            public void run() {
                shared = 2; // race: writes shared
                Runnable lambda = () -> captured = 2; // race: writes captured
                lambda.run();
            }
        };
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main.new Inner());
        Thread two = new Thread(main.anonymous());
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
