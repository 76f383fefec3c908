import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VolatileCallSite;
import java.lang.reflect.Modifier;

/** Linking orders what came before it with the uses of the same class, and nothing else. */
public class Main {
    static int afterLink;
    static int otherClass;
    static int lambda;
    static int counted;
    static int afterTarget;
    static VolatileCallSite changing;

    static int zero() {
        return 0;
    }

    static int one() {
        return 1;
    }

    static MethodHandle target(String name) throws ReflectiveOperationException {
        return MethodHandles.lookup().findStatic(Main.class, name, MethodType.methodType(int.class));
    }

    static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type) throws ReflectiveOperationException {
        String caller = lookup.lookupClass().getName();
        if (caller.startsWith("Counted")) {
            counted++; // race: reads writes counted
        }
        return caller.equals("Changing") ? changing = new VolatileCallSite(target("zero")) : new ConstantCallSite(target("one"));
    }

    static Object make(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return name;
    }

    static void linkThenWrite(MethodHandle call) throws Throwable {
        int one = (int) call.invokeExact();
        afterLink = one; // race: writes afterLink
    }

    static void useThenRead(MethodHandle call) throws Throwable {
        pause();
        int seen = (int) call.invokeExact() + afterLink; // race: reads afterLink
    }

    static void writeThenLink(MethodHandle call, MethodHandle constant) throws Throwable {
        otherClass = 1; // race: writes otherClass
        int one = (int) call.invokeExact();
        Object made = constant.invokeExact();
    }

    static void useOther(MethodHandle call, MethodHandle constant) throws Throwable {
        pause();
        int one = (int) call.invokeExact();
        Object made = constant.invokeExact();
        int seen = otherClass; // race: reads otherClass
    }

    static Runnable empty() {
        return () -> {};
    }

    static void writeThenLambda() {
        lambda = 1; // race: writes lambda
        empty();
    }

    static void lambdaThenRead() {
        pause();
        empty();
        int seen = lambda; // race: reads lambda
    }

    static void setThenWrite() throws Throwable {
        changing.setTarget(target("one"));
        afterTarget = 1; // race: writes afterTarget
    }

    static void callThenRead(MethodHandle call) throws Throwable {
        while ((int) call.invokeExact() == 0) {}
        int seen = afterTarget; // race: reads afterTarget
    }

    /** Long enough for another thread to have linked, and no order. */
    static void pause() {
        try {
            Thread.sleep(30);
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    interface Step {
        void run() throws Throwable;
    }

    static Thread start(Step step) {
        Thread thread = new Thread(() -> {
            try {
                step.run();
            } catch (Throwable unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        thread.start();
        return thread;
    }

    /** Makes a class with a method `call` that is an invokedynamic, and one `constant` that loads a dynamic constant. */
    static final class Maker {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);

        private void text(String text) throws IOException {
            out.writeByte(1);
            out.writeUTF(text);
        }

        private void pair(int tag, int one, int other) throws IOException {
            out.writeByte(tag);
            out.writeShort(one);
            out.writeShort(other);
        }

        private void single(int tag, int of) throws IOException {
            out.writeByte(tag);
            out.writeShort(of);
        }

        private void handle(int method) throws IOException {
            out.writeByte(15);
            out.writeByte(6);
            out.writeShort(method);
        }

        private void method(int name, int type, int... code) throws IOException {
            out.writeShort(Modifier.PUBLIC | Modifier.STATIC);
            out.writeShort(name);
            out.writeShort(type);
            out.writeShort(1);
            out.writeShort(7);
            out.writeInt(12 + code.length);
            out.writeShort(1);
            out.writeShort(0);
            out.writeInt(code.length);
            for (int one : code) {
                out.writeByte(one);
            }
            out.writeInt(0);
        }

        /** The class, initialized; its two methods are `call` and `constant`. */
        static Class<?> make(String name) throws Exception {
            Maker maker = new Maker();
            maker.write(name);
            Class<?> made = MethodHandles.lookup().defineClass(maker.bytes.toByteArray());
            return Class.forName(made.getName(), true, made.getClassLoader());
        }

        private void write(String name) throws IOException {
            String lookup = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/";
            out.writeInt(0xCAFEBABE);
            out.writeInt(55);
            out.writeShort(28);
            text(name);
            single(7, 1);
            text("java/lang/Object");
            single(7, 3);
            text("call");
            text("()I");
            text("Code");
            text("BootstrapMethods");
            text("Main");
            single(7, 9);
            text("link");
            text(lookup + "invoke/MethodType;)Ljava/lang/invoke/CallSite;");
            pair(12, 11, 12);
            pair(10, 10, 13);
            handle(14);
            pair(12, 5, 6);
            pair(18, 0, 16);
            text("constant");
            text("()Ljava/lang/Object;");
            text("make");
            text(lookup + "Class;)Ljava/lang/Object;");
            pair(12, 20, 21);
            pair(10, 10, 22);
            handle(23);
            text("Ljava/lang/Object;");
            pair(12, 18, 25);
            pair(17, 1, 26);
            out.writeShort(Modifier.PUBLIC | 0x20);
            out.writeShort(2);
            out.writeShort(4);
            out.writeInt(0);
            out.writeShort(2);
            method(5, 6, 0xba, 0, 17, 0, 0, 0xac);
            method(18, 19, 0x12, 27, 0xb0);
            out.writeShort(1);
            out.writeShort(8);
            out.writeInt(10);
            out.writeShort(2);
            out.writeShort(15);
            out.writeShort(0);
            out.writeShort(24);
            out.writeShort(0);
        }
    }

    static MethodHandle call(Class<?> of) throws Exception {
        return MethodHandles.lookup().findStatic(of, "call", MethodType.methodType(int.class));
    }

    static MethodHandle constant(Class<?> of) throws Exception {
        return MethodHandles.lookup().findStatic(of, "constant", MethodType.methodType(Object.class));
    }

    static void both(Step one, Step other) throws InterruptedException {
        Thread first = start(one);
        Thread second = start(other);
        first.join();
        second.join();
    }

    public static void main(String[] arguments) throws Throwable {
        MethodHandle called = call(Maker.make("Called"));
        both(() -> linkThenWrite(called), () -> useThenRead(called));
        Class<?> used = Maker.make("Used");
        MethodHandle call = call(used);
        MethodHandle constant = constant(used);
        int one = (int) call.invokeExact();
        Object made = constant.invokeExact();
        Class<?> fresh = Maker.make("Fresh");
        MethodHandle newCall = call(fresh);
        MethodHandle newConstant = constant(fresh);
        both(() -> writeThenLink(newCall, newConstant), () -> useOther(call, constant));
        both(Main::writeThenLambda, Main::lambdaThenRead);
        MethodHandle counts = call(Maker.make("CountedOne"));
        MethodHandle countsToo = call(Maker.make("CountedTwo"));
        both(() -> {
            int ignored = (int) counts.invokeExact();
        }, () -> {
            pause();
            int ignored = (int) countsToo.invokeExact();
        });
        MethodHandle changes = call(Maker.make("Changing"));
        int zero = (int) changes.invokeExact();
        both(Main::setThenWrite, () -> callThenRead(changes));
        System.out.println("done");
    }
}
