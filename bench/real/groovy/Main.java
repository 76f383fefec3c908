import groovy.lang.Binding;
import groovy.lang.GroovyClassLoader;
import groovy.lang.GroovyShell;
import groovy.lang.Script;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A script that uses threads of its own; one script class that many threads run, each with a binding of its own; and scripts
 * that threads compile at once. */
public class Main {
    private static String read(String name) throws Exception {
        try (InputStream in = Main.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public static void main(String[] arguments) throws Exception {
        new GroovyShell().evaluate(read("shared.groovy"), "shared.groovy");
        try (GroovyClassLoader loader = new GroovyClassLoader()) {
            Class<?> each = loader.parseClass(read("each.groovy"), "each.groovy");
            System.out.println(Crew.work(4, rank -> {
                Object last = null;
                for (int round = 0; round < 6; round++) {
                    Script script = (Script) each.getDeclaredConstructor().newInstance();
                    script.setBinding(new Binding());
                    script.setProperty("rank", rank);
                    script.setProperty("round", round);
                    last = script.run();
                }
                return last;
            }));
        }
        System.out.println(Crew.work(3, rank -> {
            GroovyShell shell = new GroovyShell();
            long sum = 0;
            for (int round = 0; round < 5; round++) {
                sum += ((Number) shell.evaluate("def f = { x -> x * " + round + " }; (1..5).collect(f).sum() + " + rank)).longValue();
            }
            return sum;
        }));
    }
}
