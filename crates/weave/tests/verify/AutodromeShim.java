package java.lang;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;

public final class AutodromeShim {
    private static final String[] ALL = {NAMES};
    private static final long[] COUNTS = new long[ALL.length];
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    static void count(int hook) {
        UNSAFE.getAndAddLong(COUNTS, Unsafe.ARRAY_LONG_BASE_OFFSET + 8L * hook, 1);
    }

    public static void report() throws java.io.IOException {
        List<String> lines = new ArrayList<>();
        for (int hook = 0; hook < ALL.length; hook++) {
            lines.add("count\t" + ALL[hook] + "\t" + COUNTS[hook]);
        }
        Files.write(Paths.get(System.getProperty("hooks.out")), lines, StandardCharsets.UTF_8);
    }

