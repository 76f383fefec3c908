package hooks;

import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

public final class Shim {
    private static final Map<String, Long> COUNTS = new TreeMap<>();
    private static final List<String> WRONG = Collections.synchronizedList(new ArrayList<>());
    private static final List<String> LOG = Boolean.getBoolean("hooks.log") ? new ArrayList<>() : null;
    private static final Set<String> TOUCHED = Collections.synchronizedSet(new TreeSet<>());
    private static final Set<Object> CONFINED =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    private static final int FIRST = Integer.getInteger("hooks.first", 0);
    private static final int SITES = Integer.getInteger("hooks.sites", 0);
    private static final ThreadLocal<ArrayDeque<Object>> HELD = ThreadLocal.withInitial(ArrayDeque::new);
    private static final ThreadLocal<Integer> OPEN = ThreadLocal.withInitial(() -> -1);
    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);
    private static final ThreadLocal<Integer> VALUE = ThreadLocal.withInitial(() -> 0);

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Shim::report));
    }

    private static synchronized void report() {
        List<String> lines = new ArrayList<>();
        COUNTS.forEach((name, count) -> lines.add("count\t" + name + "\t" + count));
        WRONG.forEach(what -> lines.add("wrong\t" + what));
        if (LOG != null) {
            lines.addAll(LOG);
            TOUCHED.forEach(what -> lines.add("touched\t" + what));
        }
        try {
            Files.write(Paths.get(System.getProperty("hooks.out")), lines, StandardCharsets.UTF_8);
        } catch (java.io.IOException e) {
            System.err.println(e);
        }
    }

    private static synchronized void count(String name, int site) {
        COUNTS.merge(name, 1L, Long::sum);
        if (site < FIRST || site >= FIRST + SITES) {
            WRONG.add(name + " at site " + site);
        }
        if (LOG != null) {
            LOG.add("log\t" + name + "\t" + site);
        }
    }

    /** A method ends that started at this depth; a constructor that threw inside has not said so. */
    private static void leave(int depth) {
        if (DEPTH.get() <= depth) {
            WRONG.add("a method ends at depth " + DEPTH.get() + " that started at " + depth);
        }
        DEPTH.set(depth);
    }

    private static void there(Object object) {
        if (object == null) {
            WRONG.add("null after an access");
        }
    }

    private static void element(String access, Object array, int index) {
        if (array == null || index < 0 || index >= Array.getLength(array)) {
            WRONG.add("index " + index);
        } else if (LOG != null && !CONFINED.contains(array)) {
            TOUCHED.add(access + " " + array.getClass().getName() + " " + Array.getLength(array) + " " + index);
        }
    }

    /** All that a loop accessed which began with a token. */
    private static void loop(String access, Object array, int from, int next, int step, int token) {
        if (token == 7 && step == 0) {
            if (from != next) {
                element(access, array, from);
            }
            return;
        }
        if (token != 7 || (next - from) % step != 0 || (next - from) / step < 0) {
            WRONG.add("a loop from " + from + " to " + next + " by " + step + " with " + token);
            return;
        }
        for (int i = from; i != next; i += step) {
            element(access, array, i);
        }
    }

    /** An access that threw leaves its bracket open: only the next one must not close it. */
    private static void open(int site) {
        OPEN.set(site);
    }

    private static void close(int site) {
        if (OPEN.get() != site) {
            WRONG.add("closed at site " + site + " but opened at " + OPEN.get());
        }
        OPEN.set(-1);
    }

    private static void take(Object monitor) {
        if (!Thread.holdsLock(monitor)) {
            WRONG.add("taken but not held");
        }
        HELD.get().push(monitor);
    }

    private static void give(Object monitor) {
        if (!Thread.holdsLock(monitor)) {
            WRONG.add("given back but not held");
        }
        if (HELD.get().isEmpty() || HELD.get().pop() != monitor) {
            WRONG.add("given back out of order");
        }
    }

