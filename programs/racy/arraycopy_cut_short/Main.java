/** System.arraycopy ends at an element of another type: it has read up to there, and has written what came before. */
public class Main {
    private static final Object[] FROM = {"a", "b", 3, "d"};
    private static final CharSequence[] INTO = new CharSequence[8];
    private static final Integer[] SPARED = new Integer[8];

    static void copyFrom() {
        try {
            System.arraycopy(FROM, 0, new String[4], 0, 4); // race: reads []
        } catch (ArrayStoreException expected) {
            System.out.println("cut short");
        }
    }

    static void copyInto() {
        try {
            System.arraycopy(new Object[] {"a", "b", 3, "d"}, 0, INTO, 2, 4); // race: writes []
        } catch (ArrayStoreException expected) {
            System.out.println(INTO[1] + " " + INTO[2]);
        }
    }

    /** Nothing is written before the first element, nor if the range does not lie in the array. */
    static void copyNothing() {
        try {
            System.arraycopy(new Object[] {"a", 1}, 0, SPARED, 0, 2);
        } catch (ArrayStoreException expected) {
            System.out.println("nothing fits");
        }
        try {
            System.arraycopy(new Object[] {1, "a"}, 0, SPARED, 7, 2);
        } catch (IndexOutOfBoundsException expected) {
            System.out.println("nothing inside");
        }
    }

    static void write() {
        FROM[2] = 4; // race: writes []
    }

    static CharSequence read() {
        return INTO[3]; // race: reads []
    }

    /** What lies behind is not accessed by the copies. */
    static void accessRest() {
        FROM[3] = "e";
        INTO[4] = "f";
        INTO[5] = "g";
        SPARED[0] = 5;
        SPARED[7] = 6;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(() -> {
            copyFrom();
            copyInto();
            copyNothing();
        });
        other.start();
        write();
        read();
        accessRest();
        other.join();
    }
}
