import java.util.concurrent.*;
public class Main {
    public static void main(String[] a) throws Exception {
        BlockingQueue<Integer> q = new ArrayBlockingQueue<>(2); SynchronousQueue<Integer> s = new SynchronousQueue<>(); StringBuffer out = new StringBuffer();
        Thread p = new Thread(() -> { try { for (int i = 0; i < 4; i++) q.put(i); s.put(9); } catch (InterruptedException e) {} });
        Thread c = new Thread(() -> { try { for (int i = 0; i < 4; i++) out.append(q.take()); out.append(s.take()); } catch (InterruptedException e) {} });
        p.start(); c.start(); p.join(); c.join(); System.out.println(out);
    }
}
