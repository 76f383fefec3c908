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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a bootstrap method did is seen by whoever uses the call site or the constant that it made. */
public class Main {
    /** What a bootstrap method makes for its call site. */
    static final class Hand {
        int data;
    }

    static int linked;
    static Hand last;
    static final Map<String, Hand> MADE = new ConcurrentHashMap<>();
    static VolatileCallSite changing;

    /** Its own synchronization counts, and that of the JDK which it uses. */
    static Hand hand(String name) {
        synchronized (Main.class) {
            linked++;
            last = new Hand();
            last.data = linked;
        }
        Hand shared = MADE.computeIfAbsent("shared", key -> {
            Hand first = new Hand();
            first.data = 1;
            return first;
        });
        Hand hand = new Hand();
        hand.data = shared.data;
        return hand;
    }

    static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type) throws ReflectiveOperationException {
        Hand hand = hand(name);
        MethodType using = MethodType.methodType(int.class, Hand.class);
        MethodHandle target = MethodHandles.lookup().findStatic(Main.class, "use", using).bindTo(hand);
        if (lookup.lookupClass().getName().equals("Changing")) {
            hand.data = 0;
            return changing = new VolatileCallSite(target);
        }
        return new ConstantCallSite(target);
    }

    static Object make(MethodHandles.Lookup lookup, String name, Class<?> type) {
        return hand(name);
    }

    static int use(Hand hand) {
        return hand.data;
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

    static void together(Step step) throws Throwable {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = start(step);
        }
        step.run();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void check(int found) {
        if (found != 1) {
            throw new AssertionError(found);
        }
    }

    public static void main(String[] arguments) throws Throwable {
        for (int i = 0; i < 30; i++) {
            MethodHandle call = call(Maker.make("Called" + i));
            together(() -> {
                for (int round = 0; round < 20; round++) {
                    check((int) call.invokeExact());
                }
            });
            MethodHandle constant = constant(Maker.make("Loaded" + i));
            together(() -> {
                for (int round = 0; round < 20; round++) {
                    check(((Hand) (Object) constant.invokeExact()).data);
                }
            });
        }
        MethodHandle call = call(Maker.make("Changing"));
        int none = (int) call.invokeExact();
        Thread setter = start(() -> {
            Hand hand = new Hand();
            hand.data = 1;
            MethodType using = MethodType.methodType(int.class, Hand.class);
            changing.setTarget(MethodHandles.lookup().findStatic(Main.class, "use", using).bindTo(hand));
        });
        int found = none;
        while (found == none) {
            found = (int) call.invokeExact();
        }
        setter.join();
        System.out.println(found);
    }
}
