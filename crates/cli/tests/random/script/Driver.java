package script;

/** Runs the programs named, one after the other. */
public final class Driver {
    private static final long PATIENCE = 30_000;

    private static volatile String running = "no program";

    private Driver() {}

    public static void main(String[] names) throws Exception {
        Thread watchdog = new Thread(Driver::watch, "watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
        try {
            for (String name : names) {
                running = name;
                run((Program) Class.forName(name).getDeclaredConstructor().newInstance());
            }
        } catch (Throwable unforeseen) {
            fail(unforeseen);
        }
        System.out.println(names.length + " programs");
    }

    private static void run(Program program) throws Exception {
        Turn.restart();
        program.take(0);
        for (Thread worker : new Thread[] {program.w1, program.w2, program.w3, program.w4}) {
            for (int spins = 0; worker.isAlive(); spins++) {
                Turn.pause(spins);
            }
        }
        // The last steps leave no interrupt for the next program.
        Thread.interrupted();
        program.close();
    }

    /** Ends the JVM with what went wrong, and where. */
    static void fail(Throwable unforeseen) {
        System.out.println("failed: " + running);
        unforeseen.printStackTrace(System.out);
        System.out.flush();
        Runtime.getRuntime().halt(3);
    }

    /** A program that makes no step for long hangs. */
    private static void watch() {
        String program = "";
        int step = -1;
        for (;;) {
            try {
                Thread.sleep(PATIENCE);
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
            if (program.equals(running) && step == Turn.now()) {
                Thread.getAllStackTraces().forEach((thread, frames) -> {
                    System.out.println(thread + " " + thread.getState());
                    for (StackTraceElement frame : frames) {
                        System.out.println("    at " + frame);
                    }
                });
                fail(new AssertionError("hangs in step " + step));
            }
            program = running;
            step = Turn.now();
        }
    }
}
