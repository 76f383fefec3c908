/** Double-checked locking as it should be. */
public class Main {
    private static volatile Main instance;
    private int value;
    private String text;

    static Main get() {
        Main seen = instance;
        if (seen == null) {
            synchronized (Main.class) {
                seen = instance;
                if (seen == null) {
                    seen = new Main();
                    seen.value = 6;
                    seen.text = "text";
                    instance = seen;
                }
            }
        }
        return seen;
    }

    static void use() {
        if (get().value + get().text.length() != 10) {
            throw new AssertionError();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] users = new Thread[4];
        for (int i = 0; i < users.length; i++) {
            users[i] = new Thread(Main::use);
        }
        for (Thread user : users) {
            user.start();
        }
        for (Thread user : users) {
            user.join();
        }
        use();
        System.out.println("used");
    }
}
