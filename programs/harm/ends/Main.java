import java.util.concurrent.CountDownLatch;

/** Every way for a JVM to end. */
public class Main {
    static int value;

    static void hook() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook " + value)));
    }

    static Thread start(boolean daemon, Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(daemon);
        thread.start();
        return thread;
    }

    public static void main(String[] arguments) throws InterruptedException {
        value = 7;
        switch (arguments[0]) {
            case "exit" -> {
                hook();
                System.exit(3);
            }
            case "exit-from-thread" -> {
                hook();
                start(false, () -> System.exit(4)).join();
            }
            case "exit-from-handler" -> {
                Thread.setDefaultUncaughtExceptionHandler((which, thrown) -> System.exit(5));
                start(false, () -> {
                    throw new IllegalStateException("to be handled");
                }).join();
            }
            case "halt" -> Runtime.getRuntime().halt(6);
            case "halt-from-thread" -> {
                hook();
                start(true, () -> Runtime.getRuntime().halt(7)).join();
            }
            case "halt-from-hook" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    System.out.println("halting");
                    Runtime.getRuntime().halt(8);
                }));
            }
            case "uncaught-in-main" -> {
                hook();
                throw new IllegalStateException("uncaught");
            }
            case "uncaught-in-thread" -> start(false, () -> {
                throw new IllegalStateException("uncaught");
            }).join();
            case "daemons" -> {
                CountDownLatch running = new CountDownLatch(2);
                for (int i = 0; i < 2; i++) {
                    start(true, () -> {
                        running.countDown();
                        Object mine = new Object();
                        while (true) {
                            synchronized (mine) {
                                mine.hashCode();
                            }
                        }
                    });
                }
                running.await();
            }
            case "exit-while-working" -> {
                start(true, () -> {
                    int[] own = new int[10];
                    while (true) {
                        own[own[1]++ & 7]++;
                    }
                });
                Thread.sleep(50);
                System.exit(9);
            }
            case "threads-outlive-main" -> {
                Thread main = Thread.currentThread();
                start(false, () -> {
                    try {
                        main.join();
                    } catch (InterruptedException impossible) {
                        throw new AssertionError(impossible);
                    }
                    System.out.println("after main");
                });
            }
            case "error-in-initializer" -> System.out.println(Broken.VALUE);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.out.println("end of main");
    }

    static class Broken {
        static final int VALUE = Integer.parseInt("broken");
    }
}
