package script;

/** A generated program: what each of its threads does. */
public abstract class Program {
    /** Whose thread this is; the first one is the driver's. */
    public final Thread w0 = Thread.currentThread();

    public final Thread w1 = new Worker(this, 1);
    public final Thread w2 = new Worker(this, 2);
    public final Thread w3 = new Worker(this, 3);
    public final Thread w4 = new Worker(this, 4);

    /** Takes the steps of a thread. */
    public abstract void take(int thread) throws Exception;

    private static final class Worker extends Thread {
        private final Program program;
        private final int number;

        Worker(Program program, int number) {
            super("T" + number);
            this.program = program;
            this.number = number;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                program.take(number);
            } catch (Throwable unforeseen) {
                Driver.fail(unforeseen);
            }
        }
    }
}
