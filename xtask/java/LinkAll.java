import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Links every class of some directories, without initializing any, and counts what goes wrong by kind of error.
 *
 * Usage: LinkAll boot DIRECTORY | LinkAll jars DIRECTORY..., the first for the classes of java.base as the JVM has them.
 */
public final class LinkAll {
    public static void main(String[] arguments) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        List<String> examples = new ArrayList<>();
        for (int i = 1; i < arguments.length; i++) {
            Path root = Path.of(arguments[i]);
            ClassLoader loader = arguments[0].equals("boot") ? null : loaderOf(arguments);
            link(root, loader, counts, examples);
        }
        examples.forEach(System.err::println);
        counts.forEach((kind, count) -> System.out.println(kind + " " + count));
    }

    private static ClassLoader loader;

    private static ClassLoader loaderOf(String[] arguments) throws IOException {
        if (loader == null) {
            URL[] roots = new URL[arguments.length - 1];
            for (int i = 1; i < arguments.length; i++) {
                roots[i - 1] = Path.of(arguments[i]).toUri().toURL();
            }
            loader = new URLClassLoader(roots, LinkAll.class.getClassLoader());
        }
        return loader;
    }

    private static void link(Path root, ClassLoader loader, Map<String, Integer> counts, List<String> examples)
            throws IOException {
        List<Path> files;
        try (var walk = Files.walk(root)) {
            files = walk.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            String name = root.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
            if (name.endsWith("module-info") || name.endsWith("package-info") || name.startsWith("META-INF")) {
                continue;
            }
            String kind = link(name, loader, examples);
            counts.merge(kind, 1, Integer::sum);
        }
    }

    /** HotSpot links a class before it answers questions about its members. */
    private static String link(String name, ClassLoader loader, List<String> examples) {
        try {
            Class.forName(name, false, loader).getDeclaredConstructors();
            return "linked";
        } catch (NoClassDefFoundError | ClassNotFoundException | TypeNotPresentException missing) {
            return "missing";
        } catch (VerifyError | ClassFormatError broken) {
            examples.add(name + ": " + broken);
            return "broken";
        } catch (Throwable other) {
            return other.getClass().getSimpleName();
        }
    }
}
