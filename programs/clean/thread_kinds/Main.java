/** Threads made in every way: subclass, Runnable, lambda, with name and group; run() called without a thread. */
public class Main {
    static class Worker extends Thread {
        int result;

        Worker(String name) {
            super(name);
        }

        @Override
        public void run() {
            result += getName().length();
        }
    }

    static class Task implements Runnable {
        private int result;

        @Override
        public void run() {
            result++;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Worker worker = new Worker("worker");
        worker.result = 1;
        worker.run();
        worker.start();
        Task task = new Task();
        task.run();
        Thread grouped = new Thread(new ThreadGroup("group"), task, "grouped", 1 << 16);
        grouped.setPriority(Thread.MIN_PRIORITY);
        grouped.start();
        worker.join();
        grouped.join();
        Worker never = new Worker("never");
        never.join();
        System.out.println(worker.result + " " + task.result + " " + never.isAlive() + " " + never.result);
    }
}
