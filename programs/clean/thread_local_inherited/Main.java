/** A child gets a copy of its parent's object when it is made; afterwards each changes its own. */
public class Main {
    static final class Box {
        int value;
    }

    private static final InheritableThreadLocal<Box> BOX = new InheritableThreadLocal<>() {
        @Override
        protected Box childValue(Box parent) {
            Box child = new Box();
            child.value = parent.value;
            return child;
        }
    };

    static void work() {
        for (int i = 0; i < 100; i++) {
            BOX.get().value++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        BOX.set(new Box());
        BOX.get().value = 5;
        int[] seen = new int[1];
        Thread child = new Thread(() -> {
            work();
            seen[0] = BOX.get().value;
            BOX.remove();
        });
        child.start();
        work();
        child.join();
        System.out.println(BOX.get().value + " " + seen[0]);
    }
}
