import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles each program into a folder of its own, all in one JVM: a compiler is slow until it is warm. */
class Compile {
    /** The arguments are, for each program: the release, the folder with Main.java, the folder for classes. */
    public static void main(String[] arguments) throws java.io.IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        for (int i = 0; i < arguments.length; i += 3) {
            Path source = Path.of(arguments[i + 1], "Main.java");
            Files.createDirectories(Path.of(arguments[i + 2]));
            int result = compiler.run(
                    null, null, null,
                    "--release", arguments[i], "-g", "-Xlint:-options", "-d", arguments[i + 2], source.toString());
            if (result != 0) {
                System.exit(result);
            }
        }
    }
}
