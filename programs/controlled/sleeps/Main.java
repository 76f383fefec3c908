public class Main {
    static int plain; static volatile boolean done;
    public static void main(String[] a) throws Exception {
        StringBuffer out = new StringBuffer(); Object lock = new Object();
        Thread t = new Thread(() -> { try { Thread.sleep(100); out.append("slept "); synchronized (lock) { lock.wait(50); } out.append("waited "); Thread.sleep(100000); } catch (InterruptedException e) { out.append("interrupted "); } plain++; done = true; });
        t.start(); Thread.sleep(200); t.interrupt(); plain++; 
        while (!done) Thread.yield();
        t.join(1000); System.out.println(out + " " + Thread.interrupted());
    }
}
