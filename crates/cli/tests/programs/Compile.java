import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles each program into a folder of its own, all in one JVM: a compiler is slow until it is warm. */
class Compile {
    /**
     * The arguments are, for each program: its options, the folder with Main.java, the folder for classes. Classes in packages lie
     * in folders below that of Main.java.
     */
    public static void main(String[] arguments) throws java.io.IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        for (int i = 0; i < arguments.length; i += 3) {
            Path source = Path.of(arguments[i + 1], "Main.java");
            Files.createDirectories(Path.of(arguments[i + 2]));
            List<String> options = new ArrayList<>(List.of(arguments[i].split(" ")));
            options.addAll(List.of("-g", "-Xlint:-options", "-sourcepath", arguments[i + 1]));
            options.addAll(List.of("-d", arguments[i + 2], source.toString()));
            int result = compiler.run(null, null, null, options.toArray(new String[0]));
            if (result != 0) {
                System.exit(result);
            }
        }
    }
}
