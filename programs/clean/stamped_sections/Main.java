import java.util.concurrent.locks.StampedLock;

/**
 * Optimistic reads that take the stamps of two locks before they validate, that validate one stamp more than once, and
 * stamps that are converted to optimistic ones and back.
 */
public class Main {
    private static final int TIMES = 400;

    static class Account {
        final StampedLock lock = new StampedLock();
        final int[] history = new int[4];
        int balance;
        int changes;

        void set(int value) {
            long stamp = lock.writeLock();
            try {
                balance = value;
                history[value & 3] = value;
                changes++;
            } finally {
                lock.unlockWrite(stamp);
            }
        }
    }

    interface Step {
        void run(int i);
    }

    /** One thread changes the accounts, another reads as `reader` says. */
    static void both(Step writer, Step reader) throws InterruptedException {
        Thread one = new Thread(() -> {
            for (int i = 0; i < TIMES; i++) {
                writer.run(i);
                Thread.yield();
            }
        });
        Thread two = new Thread(() -> {
            for (int i = 0; i < TIMES; i++) {
                reader.run(i);
            }
        });
        two.start();
        one.start();
        one.join();
        two.join();
    }

    static void twoLocks() throws InterruptedException {
        Account from = new Account();
        Account to = new Account();
        int[] sum = new int[1];
        both(i -> {
            from.set(-i);
            to.set(i);
        }, i -> {
            long fromStamp = from.lock.tryOptimisticRead();
            int first = from.balance + from.history[1];
            long toStamp = to.lock.tryOptimisticRead();
            int second = to.balance + to.history[1] + from.changes;
            if (from.lock.validate(fromStamp) && to.lock.validate(toStamp)) {
                sum[0] += first + second;
            }
        });
    }

    /** Each step of the reader uses only what the step before it has validated. */
    static void validatedTwice() throws InterruptedException {
        Account account = new Account();
        int[] sum = new int[1];
        both(account::set, i -> {
            long stamp = account.lock.tryOptimisticRead();
            int place = account.balance & 3;
            if (!account.lock.validate(stamp)) {
                return;
            }
            int value = account.history[place];
            if (!account.lock.validate(stamp)) {
                return;
            }
            int changes = account.changes;
            if (account.lock.validate(stamp)) {
                sum[0] += value + changes;
            }
        });
    }

    /** A lock that is held becomes an optimistic stamp, and that another one. */
    static void toOptimistic() throws InterruptedException {
        Account account = new Account();
        int[] sum = new int[1];
        both(account::set, i -> {
            boolean writes = i % 2 == 0;
            long stamp = writes ? account.lock.writeLock() : account.lock.readLock();
            if (writes) {
                account.balance = i;
            }
            long optimistic = account.lock.tryConvertToOptimisticRead(stamp);
            int value = account.balance + account.history[1];
            long again = account.lock.tryConvertToOptimisticRead(optimistic);
            if (again != 0) {
                value += account.changes;
                if (account.lock.validate(again)) {
                    sum[0] += value;
                }
            }
        });
    }

    static void fromOptimistic() throws InterruptedException {
        Account account = new Account();
        int[] sum = new int[1];
        both(i -> {
            long stamp = account.lock.tryOptimisticRead();
            int value = account.balance;
            long writing = account.lock.tryConvertToWriteLock(stamp);
            if (writing == 0) {
                writing = account.lock.writeLock();
                value = account.balance;
            }
            try {
                account.balance = value + 1;
            } finally {
                account.lock.unlockWrite(writing);
            }
        }, i -> {
            long stamp = account.lock.tryOptimisticRead();
            int value = account.balance;
            long reading = account.lock.tryConvertToReadLock(stamp);
            if (reading == 0) {
                reading = account.lock.readLock();
                value = account.balance;
            }
            sum[0] += value + account.changes;
            account.lock.unlockRead(reading);
        });
    }

    public static void main(String[] arguments) throws InterruptedException {
        twoLocks();
        validatedTwice();
        toOptimistic();
        fromOptimistic();
        System.out.println("read");
    }
}
