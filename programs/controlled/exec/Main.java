import java.util.*; import java.util.concurrent.*;
public class Main {
    static int plain;
    public static void main(String[] a) throws Exception {
        ExecutorService e = Executors.newFixedThreadPool(3); List<Future<Integer>> fs = new ArrayList<>(); StringBuffer out = new StringBuffer();
        for (int i = 0; i < 5; i++) { int me = i; fs.add(e.submit(() -> { out.append(me); plain++; return me; })); }
        int sum = 0; for (Future<Integer> f : fs) sum += f.get();
        e.shutdown(); System.out.println(e.awaitTermination(10, TimeUnit.SECONDS) + " " + sum + " " + out);
    }
}
