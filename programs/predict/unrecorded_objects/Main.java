import java.lang.ref.WeakReference;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * No race: of each case one thread writes x and raises a flag under a lock, the other writes x once it has seen the flag under the
 * lock. The flag is in objects of the JDK that a recording does not have, or has in part. With arguments only these cases run.
 */
public class Main {
    /** Two threads and what they share. */
    abstract static class Case {
        final Object lock = new Object();
        final String name;

        Case(String name) {
            this.name = name;
        }

        abstract void first() throws Throwable;

        /** Gives whether the flag was up. */
        abstract boolean second() throws Throwable;
    }

    static class Later extends Date {
        Later() {
            super(0);
        }
    }

    static class Worker extends Thread {}

    record Pair(Date date) {}

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean hasMatched(Matcher matcher) {
        try {
            return matcher.start() == 0;
        } catch (IllegalStateException none) {
            return false;
        }
    }

    static PriorityQueue<Date> queue(Date date) {
        PriorityQueue<Date> queue = new PriorityQueue<>();
        queue.add(date);
        return queue;
    }

    static Case[] cases() {
        return new Case[] {
        new Case("date") {
            int x;
            Date date = new Date(0);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = date.getTime() == 1; } return up && (x = 2) > 0; }
        },
        new Case("subclassOfDate") {
            int x;
            Later date = new Later();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = date.getTime() == 1; } return up && (x = 2) > 0; }
        },
        new Case("random") {
            int x;
            Random random = new Random(1); int first = new Random(7).nextInt();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { random.setSeed(7); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = random.nextInt() == first; } return up && (x = 2) > 0; }
        },
        new Case("matcher") {
            int x;
            Matcher matcher = Pattern.compile("a").matcher("a");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { matcher.matches(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = hasMatched(matcher); } return up && (x = 2) > 0; }
        },
        new Case("digest") {
            int x;
            MessageDigest digest = digest(); byte[] empty = digest().digest();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { digest.update((byte) 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = !MessageDigest.isEqual(digest.digest(), empty); } return up && (x = 2) > 0; }
        },
        new Case("statistics") {
            int x;
            IntSummaryStatistics statistics = new IntSummaryStatistics();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { statistics.accept(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = statistics.getCount() == 1; } return up && (x = 2) > 0; }
        },
        new Case("reference") {
            int x;
            Object held = new Object(); WeakReference<Object> reference = new WeakReference<>(held);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { reference.clear(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = reference.get() == null; } return up && (x = 2) > 0; }
        },
        new Case("priority") {
            int x;
            Thread thread = new Thread();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { thread.setPriority(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = thread.getPriority() == 1; } return up && (x = 2) > 0; }
        },
        new Case("threadName") {
            int x;
            Thread thread = new Thread("a");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { thread.setName("b"); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = thread.getName().equals("b"); } return up && (x = 2) > 0; }
        },
        new Case("ownThread") {
            int x;
            Worker thread = new Worker();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { thread.setDaemon(true); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = thread.isDaemon(); } return up && (x = 2) > 0; }
        },
        new Case("text") {
            int x;
            StringBuilder text = new StringBuilder("a");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { text.setCharAt(0, 'b'); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = text.charAt(0) == 'b'; } return up && (x = 2) > 0; }
        },
        new Case("appended") {
            int x;
            StringBuilder text = new StringBuilder("a");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { text.append('b'); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = text.toString().equals("ab"); } return up && (x = 2) > 0; }
        },
        new Case("synchronizedText") {
            int x;
            StringBuffer text = new StringBuffer("a");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { text.setCharAt(0, 'b'); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = text.charAt(0) == 'b'; } return up && (x = 2) > 0; }
        },
        new Case("bits") {
            int x;
            BitSet bits = new BitSet();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { bits.set(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = bits.get(1); } return up && (x = 2) > 0; }
        },
        new Case("property") {
            int x;
            String name = "unrecorded." + getClass().getName();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { System.setProperty(name, "1"); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = System.getProperty(name) != null; } return up && (x = 2) > 0; }
        },
        new Case("enumMap") {
            int x;
            EnumMap<Thread.State, Integer> map = new EnumMap<>(Thread.State.class);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { map.put(Thread.State.NEW, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = map.containsKey(Thread.State.NEW); } return up && (x = 2) > 0; }
        },
        new Case("enumSet") {
            int x;
            EnumSet<Thread.State> set = EnumSet.noneOf(Thread.State.class);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { set.add(Thread.State.NEW); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = set.contains(Thread.State.NEW); } return up && (x = 2) > 0; }
        },
        new Case("list") {
            int x;
            List<String> list = new ArrayList<>();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { list.add("a"); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = !list.isEmpty(); } return up && (x = 2) > 0; }
        },
        new Case("map") {
            int x;
            Map<String, String> map = new HashMap<>();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { map.put("a", "b"); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = map.containsKey("a"); } return up && (x = 2) > 0; }
        },
        new Case("tree") {
            int x;
            Map<String, String> map = new TreeMap<>();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { map.put("a", "b"); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = map.getOrDefault("a", "c").equals("b"); } return up && (x = 2) > 0; }
        },
        new Case("concurrentMap") {
            int x;
            Map<String, String> map = new ConcurrentHashMap<>();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { map.put("a", "b"); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = map.get("a") != null; } return up && (x = 2) > 0; }
        },
        new Case("copyOnWrite") {
            int x;
            List<String> list = new CopyOnWriteArrayList<>();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { list.add("a"); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = !list.isEmpty(); } return up && (x = 2) > 0; }
        },
        new Case("elementsOfList") {
            int x;
            Date date = new Date(0); List<Date> list = new ArrayList<>(List.of(date));
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = list.hashCode() == 32; } return up && (x = 2) > 0; }
        },
        new Case("elementsOfSet") {
            int x;
            Date date = new Date(0); Set<Date> set = new HashSet<>(Set.of(new Date(1)));
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = set.contains(date); } return up && (x = 2) > 0; }
        },
        new Case("elementsOfQueue") {
            int x;
            Date date = new Date(2); PriorityQueue<Date> queue = queue(date);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(0); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { queue.add(new Date(1)); up = queue.peek().getTime() == 0; queue.clear(); queue.add(date); } return up && (x = 2) > 0; }
        },
        new Case("comparedByOthers") {
            int x;
            Date date = new Date(0); Date other = new Date(1);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = Objects.equals(date, other); } return up && (x = 2) > 0; }
        },
        new Case("calledThroughLambda") {
            int x;
            Date date = new Date(0); java.util.function.LongSupplier time = date::getTime;
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = time.getAsLong() == 1; } return up && (x = 2) > 0; }
        },
        new Case("calledBack") {
            int x;
            Date date = new Date(0); List<Date> list = new ArrayList<>(List.of(date)); long[] seen = new long[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { list.forEach(each -> seen[0] = each.getTime()); up = seen[0] == 1; } return up && (x = 2) > 0; }
        },
        new Case("mapped") {
            int x;
            Date date = new Date(0); Optional<Date> some = Optional.of(date);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = some.map(Date::getTime).get() == 1; } return up && (x = 2) > 0; }
        },
        new Case("concatenated") {
            int x;
            StringBuilder text = new StringBuilder("a"); String before = "" + text;
            @Override void first() throws Throwable { x = 1; synchronized (lock) { text.append('b'); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = !before.equals("" + text); } return up && (x = 2) > 0; }
        },
        new Case("record") {
            int x;
            Date date = new Date(0); Pair pair = new Pair(date); int before = pair.hashCode();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { date.setTime(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = pair.hashCode() != before; } return up && (x = 2) > 0; }
        },
        new Case("checksum") {
            int x;
            java.util.zip.CRC32 sum = new java.util.zip.CRC32();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { sum.update(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = sum.getValue() != 0; } return up && (x = 2) > 0; }
        },
        new Case("bytes") {
            int x;
            java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { bytes.write(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = bytes.size() == 1; } return up && (x = 2) > 0; }
        },
        new Case("reader") {
            int x;
            java.io.StringReader reader = new java.io.StringReader("ab");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { reader.read(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { reader.mark(1); up = reader.read() == 'b'; reader.reset(); } return up && (x = 2) > 0; }
        },
        new Case("tokens") {
            int x;
            StringTokenizer tokens = new StringTokenizer("a");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { tokens.nextToken(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = !tokens.hasMoreTokens(); } return up && (x = 2) > 0; }
        },
        new Case("scanner") {
            int x;
            Scanner scanner = new Scanner("a");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { scanner.next(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = !scanner.hasNext(); } return up && (x = 2) > 0; }
        },
        new Case("suppressed") {
            int x;
            Throwable thrown = new Throwable();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { thrown.addSuppressed(new Exception()); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = thrown.getSuppressed().length == 1; } return up && (x = 2) > 0; }
        },
        new Case("format") {
            int x;
            java.text.DecimalFormat format = new java.text.DecimalFormat();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { format.setMinimumFractionDigits(2); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = format.getMinimumFractionDigits() == 2; } return up && (x = 2) > 0; }
        },
        new Case("iterator") {
            int x;
            Iterator<String> iterator = new ArrayList<>(List.of("a")).iterator();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { iterator.next(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = !iterator.hasNext(); } return up && (x = 2) > 0; }
        },
        new Case("stream") {
            int x;
            Iterator<String> iterator = java.util.stream.Stream.of("a").iterator();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { iterator.next(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = !iterator.hasNext(); } return up && (x = 2) > 0; }
        },
        };
    }

    static void check(Case what) throws InterruptedException {
        Thread first = new Thread(() -> {
            try {
                what.first();
            } catch (Throwable thrown) {
                thrown.printStackTrace();
            }
        });
        Thread second = new Thread(() -> {
            try {
                while (!what.second()) {
                    Thread.yield();
                }
            } catch (Throwable thrown) {
                thrown.printStackTrace();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
    }

    public static void main(String[] names) throws InterruptedException {
        for (Case what : cases()) {
            if (names.length == 0 || Arrays.asList(names).contains(what.name)) {
                check(what);
            }
        }
        System.out.println("done");
    }
}
