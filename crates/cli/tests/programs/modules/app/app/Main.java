package app;

import app.internal.Inside;
import java.lang.module.ModuleDescriptor;
import java.util.ServiceLoader;
import java.util.TreeSet;
import lib.api.Greeter;

public class Main {
    private int greeted;

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Main main = new Main();
        for (Greeter greeter : ServiceLoader.load(Greeter.class)) {
            main.greeted++;
            System.out.println(greeter.greet("modules"));
            try {
                greeter.getClass().getDeclaredField("count").setAccessible(true);
            } catch (RuntimeException expected) {
                System.out.println(expected.getClass().getName());
            }
        }
        System.out.println(main.greeted + " " + Inside.class.getDeclaredField("value").get(new Inside()));
        Module module = Main.class.getModule();
        System.out.println(module + " " + new TreeSet<>(module.getDescriptor().packages()));
        for (ModuleDescriptor.Requires required : new TreeSet<>(module.getDescriptor().requires())) {
            System.out.println(required.name() + " " + module.canRead(ModuleLayer.boot().findModule(required.name()).get()));
        }
    }
}
