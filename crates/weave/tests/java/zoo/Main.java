package zoo;

/** Runs every animal and prints what it does; a woven run must print the same. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Fields.run();
        Elements.run();
        Locks.run();
        Flow.run();
        Constructors.run();
        Threads.run();
        Serial.run();
        Annotated.run();
        System.out.println("done");
    }

    /** Prints an exception as a program would see it: class, message, and where each frame stands. */
    static void show(Throwable thrown) {
        System.out.println(thrown);
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getClassName().startsWith("zoo.")) {
                System.out.println("    " + frame);
            }
        }
    }

    interface Body {
        void run() throws Throwable;
    }

    static void fails(Body body) {
        try {
            body.run();
            System.out.println("no exception");
        } catch (Throwable thrown) {
            show(thrown);
        }
    }
}
