/** The parent writes before start, the child in between, the parent reads after join. */
public class Main {
    static int shared;
    int field;

    public static void main(String[] arguments) throws InterruptedException {
        Main main = new Main();
        for (int i = 0; i < 100; i++) {
            shared = i;
            main.field = i;
            Thread child = new Thread(() -> {
                shared++;
                main.field += shared;
            });
            child.start();
            if (i % 2 == 0) {
                child.join();
            } else {
                child.join(60_000);
            }
            shared += main.field;
        }
        System.out.println(shared);
    }
}
