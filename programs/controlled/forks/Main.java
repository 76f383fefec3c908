import java.util.concurrent.*;
public class Main {
    static class Sum extends RecursiveTask<Integer> { int lo, hi; Sum(int l, int h) { lo = l; hi = h; } protected Integer compute() { if (hi - lo < 4) { int s = 0; for (int i = lo; i < hi; i++) s += i; return s; } int mid = (lo + hi) / 2; Sum l = new Sum(lo, mid), r = new Sum(mid, hi); l.fork(); return r.compute() + l.join(); } }
    public static void main(String[] a) throws Exception {
        ForkJoinPool p = new ForkJoinPool(3); System.out.println(p.invoke(new Sum(0, 20)));
        StringBuffer out = new StringBuffer();
        CompletableFuture<Integer> f = CompletableFuture.supplyAsync(() -> { out.append("a"); return 1; }), g = CompletableFuture.supplyAsync(() -> { out.append("b"); return 2; });
        System.out.println(f.thenCombineAsync(g, Integer::sum).get() + " " + out); p.shutdown(); while (!p.awaitTermination(5, TimeUnit.SECONDS)) { } System.out.println("over");
    }
}
