import java.beans.Introspector;
import java.beans.PropertyChangeSupport;
import java.io.ObjectStreamClass;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.module.ModuleFinder;
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Two threads that use reflection, method handles, resources and references, each for itself, are not ordered by
 * it. Each API was used before by main.
 */
public class Main {
    /** Two threads use an API, each for itself, between a write and a read of a field. */
    abstract static class Between {
        abstract void write();

        abstract int read();

        /** Uses the API with objects of the thread's own. */
        abstract Object use(int who) throws Throwable;

        final void first() {
            write();
            attempt(1);
        }

        final void second() {
            attempt(2);
            read();
        }

        final void attempt(int who) {
            try {
                Objects.requireNonNull(use(who));
            } catch (Throwable failure) {
                failure.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        String value() default "none";
    }

    /** What reflection looks at: each thread at a class of its own. */
    @Mark("zero")
    public static class Zero implements Supplier<String> {
        public int field = 1;
        volatile int counter;

        public String get() {
            return "zero";
        }

        public int getNumber() {
            return 7;
        }
    }

    @Mark("one")
    public static class One extends Zero {
        public int field = 1;
        volatile int counter;

        public String get() {
            return "one";
        }
    }

    @Mark("two")
    public static class Two extends Zero {
        public int field = 1;
        volatile int counter;

        public String get() {
            return "two";
        }
    }

    static final List<Class<? extends Zero>> OWN = List.of(Zero.class, One.class, Two.class);

    record Pair(int one, String two) {}

    interface Unheard {}

    static class ByName extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Class.forName("Main$" + (who == 0 ? "Zero" : who == 1 ? "One" : "Two")).getSimpleName();
        }
    }

    static class Methods extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return OWN.get(who).getDeclaredMethods().length + OWN.get(who).getMethods().length; }
    }

    static class Fields extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return OWN.get(who).getDeclaredFields().length + OWN.get(who).getConstructors().length; }
    }

    static class Invoked extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return OWN.get(who).getMethod("get").invoke(OWN.get(who).getConstructor().newInstance()); }
    }

    static class InvokedSame extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Zero.class.getMethod("getNumber").invoke(new Two()); }
    }

    static class FieldRead extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return OWN.get(who).getField("field").getInt(OWN.get(who).getConstructor().newInstance()); }
    }

    static class Annotations extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return OWN.get(who).getAnnotation(Mark.class).value() + OWN.get(who).getAnnotations().length;
        }
    }

    static class Generics extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return ((ParameterizedType) Zero.class.getGenericInterfaces()[0]).getActualTypeArguments()[0].getTypeName();
        }
    }

    static class Names extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return OWN.get(who).getCanonicalName() + Modifier.toString(OWN.get(who).getModifiers()) + OWN.get(who).toGenericString();
        }
    }

    static class Nests extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return OWN.get(who).getNestHost().getNestMembers().length + OWN.get(who).getEnclosingClass().getName();
        }
    }

    static class Arrays extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Array.newInstance(OWN.get(who), 3); }
    }

    static class Proxied extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Class<?>[] types = {Supplier.class};
            Object proxy = Proxy.newProxyInstance(Main.class.getClassLoader(), types, (self, method, arguments) -> "own" + who);
            return ((Supplier<?>) proxy).get();
        }
    }

    static class Handle extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            MethodHandle handle = MethodHandles.lookup().findVirtual(Zero.class, "get", MethodType.methodType(String.class));
            return handle.invoke(OWN.get(who).getConstructor().newInstance());
        }
    }

    static class BoundHandle extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            MethodType type = MethodType.methodType(String.class, String.class);
            return MethodHandles.lookup().findVirtual(String.class, "concat", type).bindTo("own").invoke("a" + who);
        }
    }

    static class Handles extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            MethodHandle length = MethodHandles.lookup().findVirtual(String.class, "length", MethodType.methodType(int.class));
            return MethodHandles.filterReturnValue(MethodHandles.constant(String.class, "a" + who), length).invoke();
        }
    }

    static class FieldHandle extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            VarHandle handle = MethodHandles.lookup().findVarHandle(OWN.get(who), "counter", int.class);
            return handle.getAndAdd(OWN.get(who).getConstructor().newInstance(), 1);
        }
    }

    static class ArrayHandle extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return MethodHandles.arrayElementVarHandle(int[].class).getAndAdd(new int[2], 1, who); }
    }

    static class Updater extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return AtomicIntegerFieldUpdater.newUpdater(Zero.class, "counter").incrementAndGet(new Zero());
        }
    }

    static class TypeOf extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return MethodType.methodType(OWN.get(who), int.class, String.class).wrap().toMethodDescriptorString();
        }
    }

    static class OwnCallSite extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new MutableCallSite(MethodHandles.constant(int.class, who)).dynamicInvoker().invoke();
        }
    }

    static class HandleProxy extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return MethodHandleProxies.asInterfaceInstance(IntSupplier.class, MethodHandles.constant(int.class, who)).getAsInt();
        }
    }

    static class Lambdas extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Function<Integer, Integer> plus = n -> n + who;
            return plus.andThen(Integer::toBinaryString).apply(7);
        }
    }

    static class Records extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new Pair(who, "two").toString() + new Pair(who, "two").hashCode() + Pair.class.getRecordComponents().length;
        }
    }

    static class Enums extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return TimeUnit.valueOf("DAYS").name() + Enum.valueOf(RetentionPolicy.class, "SOURCE") + TimeUnit.values().length;
        }
    }

    static class Switches extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return switch ("text" + who) {
                case "text0" -> TimeUnit.DAYS;
                case "text1" -> TimeUnit.HOURS;
                default -> TimeUnit.SECONDS;
            };
        }
    }

    static class Resource extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Main.class.getResource("Main.class").getPath(); }
    }

    static class ResourceStream extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            try (var stream = Main.class.getResourceAsStream("Main$Zero.class")) {
                return stream.readAllBytes().length;
            }
        }
    }

    static class NoResource extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return String.valueOf(Main.class.getClassLoader().getResource("none" + who)); }
    }

    static class Resources extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Main.class.getClassLoader().getResources("META-INF/MANIFEST.MF").hasMoreElements(); }
    }

    static class Services extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ServiceLoader.load(Unheard.class).findFirst().isPresent(); }
    }

    static class PlatformServices extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class).stream().count(); }
    }

    static class Modules extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Main.class.getModule().isNamed() + ModuleLayer.boot().findModule("java.base").get().getDescriptor().toNameAndVersion();
        }
    }

    static class SystemModules extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return ModuleFinder.ofSystem().find("java.logging").get().descriptor().exports().size(); }
    }

    static class Packages extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return Main.class.getPackageName() + String.class.getPackage() + Package.getPackages().length;
        }
    }

    static class Assertions extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return OWN.get(who).desiredAssertionStatus(); }
    }

    static class OwnClassValue extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            return new ClassValue<String>() {
                @Override
                protected String computeValue(Class<?> type) {
                    return type.getName() + who;
                }
            }.get(OWN.get(who));
        }
    }

    static class SerialForm extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return String.valueOf(ObjectStreamClass.lookupAny(OWN.get(who))); }
    }

    static class Beans extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable { return Introspector.getBeanInfo(OWN.get(who)).getPropertyDescriptors().length; }
    }

    static class OwnChanges extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            PropertyChangeSupport changes = new PropertyChangeSupport(this);
            changes.addPropertyChangeListener("own", event -> Thread.yield());
            changes.firePropertyChange("own", 1 + who, 0);
            return this;
        }
    }

    static class OwnCleaner extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            Cleaner cleaner = Cleaner.create();
            cleaner.register(new Object(), Thread::yield).clean();
            return this;
        }
    }

    static class OwnReferences extends Between {
        int data;
        void write() { data = 1; } // race: writes data
        int read() { return data; } // race: reads data
        Object use(int who) throws Throwable {
            ReferenceQueue<Object> queue = new ReferenceQueue<>();
            Object object = new Object();
            PhantomReference<Object> phantom = new PhantomReference<>(object, queue);
            WeakReference<Object> weak = new WeakReference<>(object, queue);
            return queue.poll() == null && weak.get() == object && phantom.refersTo(object) && new SoftReference<>(object).get() == object;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Between[] all = {
            new ByName(), new Methods(), new Fields(), new Invoked(), new InvokedSame(), new FieldRead(),
            new Annotations(), new Generics(), new Names(), new Nests(), new Arrays(), new Proxied(),
            new Handle(), new BoundHandle(), new Handles(), new FieldHandle(), new ArrayHandle(),
            new Updater(), new TypeOf(), new OwnCallSite(), new HandleProxy(), new Lambdas(), new Records(),
            new Enums(), new Switches(), new Resource(), new ResourceStream(), new NoResource(),
            new Resources(), new Services(), new PlatformServices(), new Modules(), new SystemModules(),
            new Packages(), new Assertions(), new OwnClassValue(), new SerialForm(), new Beans(),
            new OwnChanges(), new OwnCleaner(), new OwnReferences(),
        };
        List<Thread> firsts = new ArrayList<>();
        List<Thread> seconds = new ArrayList<>();
        for (Between each : all) {
            // What a first use makes exists from here on.
            each.attempt(0);
            firsts.add(new Thread(each::first));
            seconds.add(new Thread(each::second));
        }
        firsts.forEach(Thread::start);
        // Long enough for the first ones to be through. No synchronization: main learns nothing from them.
        Thread.sleep(1500);
        seconds.forEach(Thread::start);
        for (Thread thread : firsts) {
            thread.join();
        }
        for (Thread thread : seconds) {
            thread.join();
        }
        System.out.println("done");
    }
}
