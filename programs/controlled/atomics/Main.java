import java.util.concurrent.*; import java.util.concurrent.atomic.*;
public class Main {
    public static void main(String[] a) throws Exception {
        ConcurrentHashMap<String,Integer> m = new ConcurrentHashMap<>(); AtomicInteger n = new AtomicInteger(); LongAdder ad = new LongAdder(); StringBuffer out = new StringBuffer();
        Thread[] ts = new Thread[3];
        for (int i = 0; i < 3; i++) { int me = i; ts[i] = new Thread(() -> { for (int k = 0; k < 3; k++) { m.merge("k" + k, 1, Integer::sum); m.computeIfAbsent("x", x -> { out.append(me); return me; }); out.append(n.incrementAndGet()); ad.increment(); } }); ts[i].start(); }
        for (Thread t : ts) t.join(); System.out.println(out + " " + m + " " + ad);
    }
}
