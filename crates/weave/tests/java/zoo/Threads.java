package zoo;

/** The calls of interest, with every shape of arguments and results. */
class Threads {
    private static final Object MONITOR = new Object();
    private static boolean ready;
    private static volatile boolean stop;

    static class Worker extends Thread {
        int result;

        @Override
        public void run() {
            for (int round = 0; round < 100; round++) {
                result += round;
            }
        }

        @Override
        public synchronized void start() {
            result = 1;
            super.start();
        }
    }

    /** Has a method called start that is no Thread's. */
    static class Engine {
        String start() {
            return "engine";
        }

        boolean isAlive() {
            return false;
        }
    }

    static void waits() throws InterruptedException {
        Thread waker = new Thread(() -> {
            synchronized (MONITOR) {
                ready = true;
                MONITOR.notify();
                MONITOR.notifyAll();
            }
        });
        synchronized (MONITOR) {
            waker.start();
            while (!ready) {
                MONITOR.wait();
            }
            MONITOR.wait(1);
            MONITOR.wait(0, 1);
        }
        waker.join();
    }

    static void run() throws Exception {
        Worker worker = new Worker();
        worker.start();
        worker.join();
        worker.join(10L);
        worker.join(10, 5);
        System.out.println(worker.result + " " + worker.isAlive() + " " + new Engine().start() + new Engine().isAlive());
        waits();
        Thread spinner = new Thread(() -> {
            while (!stop && !Thread.currentThread().isInterrupted()) {
                Thread.yield();
            }
        });
        spinner.start();
        spinner.interrupt();
        stop = true;
        spinner.join();
        System.out.println(ready + " " + spinner.isAlive() + " " + Thread.currentThread().isInterrupted() + Thread.interrupted());
        Thread sleeper = new Thread(() -> {
            synchronized (MONITOR) {
                try {
                    MONITOR.wait();
                } catch (InterruptedException e) {
                    Main.show(e);
                }
            }
        });
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
        Main.fails(() -> MONITOR.notify());
        Main.fails(() -> MONITOR.wait(5));
        Main.fails(() -> {
            Thread none = null;
            none.start();
        });
        Main.fails(() -> {
            Object none = null;
            none.wait(1, 2);
        });
    }
}
