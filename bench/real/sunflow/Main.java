import java.io.File;
import java.nio.file.Files;
import org.sunflow.SunflowAPI;
import org.sunflow.core.display.FileDisplay;
import org.sunflow.math.Matrix4;
import org.sunflow.math.Point3;
import org.sunflow.math.Vector3;
import org.sunflow.system.UI;
import org.sunflow.system.ui.SilentInterface;

/** A scene of instanced triangles rendered by four threads: what each thread builds when it first meets an object is shared. */
public class Main extends SunflowAPI {
    @Override
    public void build() {
        parameter("threads", 4);
        parameter("resolutionX", 96);
        parameter("resolutionY", 96);
        parameter("aa.min", 0);
        parameter("aa.max", 0);
        options(DEFAULT_OPTIONS);
        parameter("transform", Matrix4.lookAt(new Point3(0, 0, -20), new Point3(0, 0, 0), new Vector3(0, 1, 0)));
        parameter("fov", 45f);
        camera("camera", "pinhole");
        parameter("camera", "camera");
        options(DEFAULT_OPTIONS);
        shader("plain", "constant");
        shader("normals", "show_normals");
        for (int number = 0; number < 12; number++) {
            String name = "shape" + number;
            parameter("subdivs", 2);
            if (number % 2 == 0) {
                parameter("triangles", new int[] {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 2, 3});
                parameter("points", "point", "vertex", new float[] {0, 1, 0, -1, -1, 0, 1, -1, 0, 0, 0, 1});
                geometry(name, "triangle_mesh");
            } else if (number == 5) {
                geometry(name, "gumbo");
            } else {
                geometry(name, "sphere");
            }
            parameter("transform", Matrix4.translation(number % 4 * 3 - 4.5f, number / 4 * 3 - 3, number % 3));
            parameter("shaders", number % 3 == 0 ? "plain" : "normals");
            instance(name + ".instance", name);
        }
    }

    public static void main(String[] arguments) throws Exception {
        UI.set(new SilentInterface());
        for (int round = 0; round < 2; round++) {
            File picture = File.createTempFile("sunflow", ".png");
            Main scene = new Main();
            scene.build();
            scene.render(DEFAULT_OPTIONS, new FileDisplay(picture.getPath()));
            System.out.println(Crew.digest(Files.readAllBytes(picture.toPath())));
            picture.delete();
        }
    }
}
