import java.util.concurrent.locks.*;
public class Main {
    static final ReentrantLock lock = new ReentrantLock(); static final Condition more = lock.newCondition(); static int n; static StringBuffer out = new StringBuffer();
    public static void main(String[] a) throws Exception {
        Thread c = new Thread(() -> { for (int i = 0; i < 4; i++) { lock.lock(); try { while (n == 0) more.await(); n--; out.append('c'); } catch (InterruptedException e) {} finally { lock.unlock(); } } });
        Thread p = new Thread(() -> { for (int i = 0; i < 2; i++) { lock.lock(); try { n++; out.append('p'); more.signal(); } finally { lock.unlock(); } } });
        Thread q = new Thread(() -> { for (int i = 0; i < 2; i++) { lock.lock(); try { n++; out.append('q'); more.signalAll(); } finally { lock.unlock(); } } });
        c.start(); p.start(); q.start(); c.join(); p.join(); q.join();
        System.out.println(out);
    }
}
