/** The accesses are in a default method of an interface; its own field is final and never races. */
public class Main {
    static class Cell {
        int value;
    }

    interface Counted {
        Cell CELL = new Cell();

        default void bump() {
            CELL.value++; // race: reads writes value
        }
    }

    static class Worker implements Counted, Runnable {
        @Override
        public void run() {
            bump();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(new Worker());
        Thread two = new Thread(new Worker());
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
