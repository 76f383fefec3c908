import clojure.lang.RT;
import java.io.OutputStreamWriter;

/** Runs the script. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        RT.init();
        RT.loadResourceScript("main.clj");
        ((OutputStreamWriter) RT.OUT.deref()).flush();
    }
}
