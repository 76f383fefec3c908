import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** Eclipse's compiler, several at once, each with a thread of its own for the later phases. */
public class Main {
    private static String source(int number) {
        StringBuilder text = new StringBuilder("import java.util.*;\nimport java.util.function.*;\npublic class C" + number + " {\n");
        for (int method = 0; method < 40; method++) {
            text.append("  static <T extends Comparable<T>> Map<T, List<T>> m").append(method).append("(Collection<T> in, int n) {\n")
                    .append("    Map<T, List<T>> out = new TreeMap<>();\n    for (T t : in) {\n")
                    .append("      out.computeIfAbsent(t, k -> new ArrayList<>()).add(t);\n      switch (n % 3) {\n")
                    .append("        case 0 -> n++;\n        case 1 -> n += ").append(method).append(";\n        default -> n--;\n      }\n    }\n")
                    .append("    Supplier<String> s = () -> \"x\" + out;\n    return s.get().isEmpty() ? null : out;\n  }\n");
        }
        return text.append("  record R(int a, String b) {}\n  enum E { A, B }\n}\n").toString();
    }

    private static String compile(int rank) throws Exception {
        Path place = Files.createTempDirectory("ecj");
        for (int number = 0; number < 3; number++) {
            Files.writeString(place.resolve("C" + number + ".java"), source(number));
        }
        StringWriter told = new StringWriter();
        PrintWriter out = new PrintWriter(told);
        boolean fine = BatchCompiler.compile("--release 17 -nowarn -d " + place + "/out " + place, out, out, null);
        StringBuilder made = new StringBuilder(fine + told.toString());
        List<Path> files;
        try (Stream<Path> all = Files.walk(place)) {
            files = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            if (file.toString().endsWith(".class")) {
                made.append(' ').append(file.getFileName()).append('=').append(Crew.digest(Files.readAllBytes(file)));
            }
            Files.delete(file);
        }
        return made.toString();
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(Crew.work(3, Main::compile));
    }
}
