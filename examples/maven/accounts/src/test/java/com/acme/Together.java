package com.acme;

/** Two threads that do the same at once. */
final class Together {
    private Together() {
    }

    static void run(Runnable work) throws InterruptedException {
        Thread other = new Thread(work, "other");
        other.start();
        work.run();
        other.join();
    }
}
