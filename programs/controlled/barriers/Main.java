import java.util.concurrent.*;
public class Main {
    public static void main(String[] a) throws Exception {
        CountDownLatch latch = new CountDownLatch(1); CyclicBarrier bar = new CyclicBarrier(3); Semaphore sem = new Semaphore(2); StringBuffer out = new StringBuffer();
        Thread[] ts = new Thread[3];
        for (int i = 0; i < 3; i++) { int me = i; ts[i] = new Thread(() -> { try { latch.await(); sem.acquire(); out.append(me); sem.release(); bar.await(); out.append((char) ('a' + me)); } catch (Exception e) { out.append(e); } }); ts[i].start(); }
        latch.countDown(); for (Thread t : ts) t.join(); System.out.println(out);
    }
}
