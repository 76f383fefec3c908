public class Main {
    static int plain; static int guarded; static final Object lock = new Object();
    public static void main(String[] a) throws Exception {
        StringBuffer out = new StringBuffer();
        Thread[] ts = new Thread[3];
        for (int i = 0; i < 3; i++) { int me = i; ts[i] = new Thread(() -> {
            for (int k = 0; k < 3; k++) { synchronized (lock) { guarded++; out.append(me); } plain++; }
        }); }
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(out + " " + guarded + " " + (plain > 0));
    }
}
