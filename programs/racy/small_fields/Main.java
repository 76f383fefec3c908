/** Fields of every type that is narrower than an int, and a float. */
public class Main {
    boolean flag;
    byte octet;
    short half;
    char letter;
    float real;
    static boolean first;

    void write() {
        flag = true; // race: writes flag
        octet = 1; // race: writes octet
        half += 2; // race: reads writes half
        letter = 'c'; // race: writes letter
        real = 1.5f; // race: writes real
        first ^= true; // race: reads writes first
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        Thread one = new Thread(main::write);
        Thread two = new Thread(main::write);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(main.flag + " " + main.octet + " " + main.letter + " " + main.real);
        System.out.println("done");
    }
}
