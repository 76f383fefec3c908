package script;

/** A task of a pool. */
public final class Task implements Runnable {
    private final Program program;
    private final int number;

    public Task(Program program, int number) {
        this.program = program;
        this.number = number;
    }

    @Override
    public void run() {
        try {
            program.task(number);
        } catch (Throwable unforeseen) {
            Driver.fail(unforeseen);
        }
    }
}
