import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Classes without a name, or made while the program runs: lambdas, hidden classes, proxies; records, enums, sealed classes,
 * annotations, nest mates; what they show of themselves. */
public class Main {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {
        String value() default "default";

        int[] numbers() default {1, 2};
    }

    /** Is made hidden: it may have fields and calls them its own. */
    public static class Template implements Supplier<String> {
        private int calls;
        static int all;

        @Override
        public String get() {
            calls++;
            all += calls;
            return "called " + calls + " of " + all + " " + getClass().isHidden();
        }
    }

    sealed interface Shape permits Circle, Square {}

    @Marked(numbers = 3)
    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("negative");
            }
        }
    }

    record Square(double side, String... names) implements Shape {}

    enum Planet {
        EARTH {
            @Override
            int moons() {
                return 1;
            }
        },
        MARS;

        private int visits;

        int moons() {
            return 2 + visits++;
        }
    }

    interface Greeter {
        String greet(String name) throws IOException;

        default String twice(String name) throws IOException {
            return greet(name) + greet(name);
        }
    }

    static class Nest {
        private int inner = 5;

        class Mate {
            int peek() {
                return inner++ + Nest.this.inner;
            }
        }
    }

    static int area(Shape shape) {
        if (shape instanceof Circle circle) {
            return (int) (3 * circle.radius());
        }
        return (int) ((Square) shape).side();
    }

    interface Job extends Supplier<String>, Serializable {}

    public static void main(String[] arguments) throws Throwable {
        byte[] bytes;
        try (InputStream in = Main.class.getResourceAsStream("Main$Template.class")) {
            bytes = in.readAllBytes();
        }
        for (int i = 0; i < 2; i++) {
            Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass();
            Supplier<?> made = (Supplier<?>) hidden.getDeclaredConstructor().newInstance();
            System.out.println(made.get() + " " + made.get() + " " + hidden.getDeclaredFields().length);
        }
        InvocationHandler handler = (proxy, method, values) -> {
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, values);
            }
            if (values != null && "fail".equals(values[0])) {
                throw new IOException("failed");
            }
            return method.getName() + Arrays.toString(values);
        };
        Class<?>[] types = {Greeter.class, Runnable.class};
        Greeter greeter = (Greeter) Proxy.newProxyInstance(Main.class.getClassLoader(), types, handler);
        System.out.println(greeter.greet("you") + greeter.twice("me"));
        try {
            greeter.greet("fail");
        } catch (IOException expected) {
            System.out.println(expected.getMessage());
        }
        int captured = arguments.length;
        String word = "word";
        Job job = () -> word + captured;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ObjectOutputStream(out).writeObject(job);
        Job back = (Job) new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
        System.out.println(back.get() + job.getClass().isHidden() + job.getClass().getDeclaredFields().length);
        System.out.println(Arrays.toString(Circle.class.getRecordComponents()) + new Circle(2).equals(new Circle(2)));
        System.out.println(Circle.class.getAnnotation(Marked.class) + " " + new Square(1, "a").names()[0]);
        System.out.println(Arrays.toString(Shape.class.getPermittedSubclasses()) + area(new Circle(4)) + area(new Square(3)));
        System.out.println(Planet.EARTH.moons() + Planet.MARS.moons() + Planet.valueOf("MARS").moons() + ""
                + Planet.EARTH.getClass() + Planet.MARS.getDeclaringClass() + new java.util.TreeSet<>(Arrays.asList(Planet.values())));
        System.out.println(new Nest().new Mate().peek() + " " + Nest.Mate.class.getNestHost());
        Method method = Main.class.getDeclaredMethod("area", Shape.class);
        try {
            method.invoke(null, new Object[] {null});
        } catch (InvocationTargetException expected) {
            System.out.println(expected.getCause());
        }
        List<String> names = StackWalker.getInstance().walk(
                frames -> frames.map(StackWalker.StackFrame::getMethodName).collect(Collectors.toList()));
        System.out.println(names);
        Object anonymous = new Object() {
            int uses;

            @Override
            public String toString() {
                return getClass() + " " + uses++;
            }
        };
        System.out.println(anonymous + " " + anonymous + " " + anonymous.getClass().getEnclosingMethod());
    }
}
