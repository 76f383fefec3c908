/** The text of a number is compared with another text. */
public class Main {
    public static void main(String[] args) {
        if (args[0].equals("-4711")) {
            assert false;
        }
        System.out.println("not " + args[0]);
    }
}
