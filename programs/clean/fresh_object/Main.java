import java.util.ArrayList;
import java.util.List;

/** Objects that one thread makes and another uses after a join, or that a loop in a constructor fills again and again. */
public class Main {
    private static final class Item {
        private int number;
        private double weight;
        private Item next;
        private final List<Item> seen = new ArrayList<>();

        Item(int number, Item next) {
            this.number = number;
            weight = number * 0.5 + Math.sqrt(number);
            this.next = next;
            do {
                this.number++;
                seen.add(this);
            } while (this.number < 3);
        }
    }

    private static Item last;

    static void make() {
        for (int i = 0; i < 20_000; i++) {
            last = new Item(i, last == null || i % 100 == 0 ? null : last);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread one = new Thread(Main::make);
        one.start();
        one.join();
        double sum = 0;
        for (Item item = last; item != null; item = item.next) {
            sum += item.number + item.weight + item.seen.size();
            item.number = 0;
        }
        Thread two = new Thread(Main::make);
        two.start();
        two.join();
        System.out.println(sum > 0 && last.number == 20_000);
    }
}
