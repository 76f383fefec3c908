import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** Threads that work at once. Nothing orders them between their start and their end, so what they do to each other is the
 * library's. */
public final class Crew {
    /** The part of one thread. */
    public interface Work {
        Object run(int rank) throws Exception;
    }

    private Crew() {}

    /** As many rounds of these as are wanted: `-Dcrew.percent=5` asks for a twentieth. */
    public static int part(int rounds) {
        return Math.max(1, rounds * Integer.getInteger("crew.percent", 100) / 100);
    }

    /** Every thread does its part; what they made, in the order of the threads. The first failure ends the program. */
    public static List<Object> work(int threads, Work work) throws InterruptedException {
        Object[] made = new Object[threads];
        Thread[] members = new Thread[threads];
        for (int rank = 0; rank < threads; rank++) {
            int mine = rank;
            members[rank] = new Thread(() -> {
                try {
                    made[mine] = work.run(mine);
                } catch (Throwable thrown) {
                    thrown.printStackTrace();
                    Runtime.getRuntime().halt(1);
                }
            }, "crew-" + rank);
            members[rank].start();
        }
        for (Thread member : members) {
            member.join();
        }
        return new ArrayList<>(List.of(made));
    }

    /** A short name for much output. */
    public static String digest(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return bytes.length + ":" + Long.toHexString(crc.getValue());
    }
}
