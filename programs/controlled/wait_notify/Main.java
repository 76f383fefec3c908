public class Main {
    static final Object lock = new Object(); static int turn; static StringBuilder out = new StringBuilder(); static int plain;
    static synchronized void bump() { plain++; }
    public static void main(String[] a) throws Exception {
        Thread[] ts = new Thread[3];
        for (int i = 0; i < 3; i++) { int me = i; ts[i] = new Thread(() -> {
            for (int k = 0; k < 3; k++) { bump(); synchronized (lock) {
                synchronized (lock) { try { while (turn % 3 != me) lock.wait(k == 1 ? 50 : 0); } catch (InterruptedException e) { return; }
                out.append(me); turn++; lock.notifyAll(); } } }
        }); }
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(out + " " + plain);
    }
}
