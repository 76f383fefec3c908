import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** A program that comes to every kind of hook in the JDK, on a woven JDK; the property `hooks.on` switches them on. */
public class Booted {
    static volatile boolean finalized;

    /** An object is made without a constructor of its class. */
    static class Streamed implements java.io.Serializable {
        private static final long serialVersionUID = 1;
    }

    static void deserialization() throws Exception {
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        try (java.io.ObjectOutputStream out = new java.io.ObjectOutputStream(bytes)) {
            out.writeObject(new Streamed());
        }
        java.io.InputStream in = new java.io.ByteArrayInputStream(bytes.toByteArray());
        try (java.io.ObjectInputStream objects = new java.io.ObjectInputStream(in)) {
            objects.readObject();
        }
    }

    public static void main(String[] arguments) throws Throwable {
        boolean hooked = Boolean.getBoolean("hooks.on");
        if (hooked) {
            Thread.class.getField("autodrome$on").setBoolean(null, true);
        }
        threads();
        locks();
        stamps();
        queues();
        garbage();
        io();
        callSites();
        initializers();
        deserialization();
        try {
            ClassLoader.getSystemClassLoader().loadClass("no.such.Class");
            throw new AssertionError("found");
        } catch (ClassNotFoundException expected) {
            System.out.println("no such class");
        }
        if (hooked) {
            Thread.class.getField("autodrome$on").setBoolean(null, false);
            Class.forName("java.lang.AutodromeShim").getMethod("report").invoke(null);
        }
        System.out.println("done");
    }

    private static void threads() throws Exception {
        Thread thread = new Thread(() -> new Random().nextInt());
        thread.start();
        thread.join();
        System.out.println(thread.getState() + " " + thread.isAlive());
        try {
            var start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            Runnable task = () -> {
                // So long that it is waited for.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                ThreadLocalRandom.current().nextInt();
            };
            Thread virtual = (Thread) start.invoke(null, task);
            virtual.join();
        } catch (NoSuchMethodException before21) {
            ThreadLocalRandom.current().nextInt();
        }
        var pool = Executors.newFixedThreadPool(2);
        Future<Double> future = pool.submit(Math::random);
        System.out.println(future.get() < 1);
        pool.shutdown();
    }

    private static void locks() throws Exception {
        var lock = new ReentrantLock();
        lock.lock();
        lock.lockInterruptibly();
        System.out.println(lock.tryLock() + " " + lock.tryLock(1, TimeUnit.SECONDS));
        for (int i = 0; i < 4; i++) {
            lock.unlock();
        }
        var pair = new ReentrantReadWriteLock();
        pair.writeLock().lock();
        pair.readLock().lock();
        pair.readLock().lockInterruptibly();
        System.out.println(pair.readLock().tryLock() + " " + pair.writeLock().tryLock(1, TimeUnit.SECONDS));
        for (int i = 0; i < 3; i++) {
            pair.readLock().unlock();
        }
        pair.writeLock().unlock();
        pair.writeLock().unlock();
        try {
            pair.writeLock().unlock();
        } catch (IllegalMonitorStateException expected) {
            System.out.println("not held");
        }
    }

    private static void stamps() throws Exception {
        var lock = new StampedLock();
        long stamp = lock.writeLock();
        System.out.println(lock.tryReadLock() + " " + lock.tryOptimisticRead());
        lock.unlock(stamp);
        stamp = lock.tryOptimisticRead();
        System.out.println(lock.validate(stamp));
        stamp = lock.tryConvertToReadLock(stamp);
        stamp = lock.tryConvertToWriteLock(stamp);
        stamp = lock.tryConvertToOptimisticRead(stamp);
        System.out.println(lock.validate(stamp) + " " + lock.isWriteLocked());
        lock.asReadLock().lock();
        lock.asReadLock().unlock();
        lock.asWriteLock().lock();
        System.out.println(lock.tryUnlockWrite() + " " + lock.tryUnlockRead());
    }

    private static void queues() throws Exception {
        var map = new ConcurrentHashMap<Integer, Integer>();
        for (int i = 0; i < 100; i++) {
            map.merge(i % 10, 1, Integer::sum);
        }
        var queue = new LinkedTransferQueue<Integer>();
        queue.put(1);
        var array = new AtomicReferenceArray<String>(2);
        array.set(1, "set");
        System.out.println(map.get(3) + " " + queue.take() + " " + array.get(1) + new AtomicInteger().incrementAndGet());
    }

    @SuppressWarnings({"deprecation", "removal"})
    static class Finalized {
        @Override
        protected void finalize() {
            finalized = true;
        }
    }

    private static void garbage() throws Exception {
        var cleaned = new AtomicInteger();
        Object object = new Object();
        Cleaner.create().register(object, cleaned::incrementAndGet);
        Reference.reachabilityFence(object);
        object = null;
        new Finalized();
        for (int i = 0; i < 200 && (cleaned.get() == 0 || !finalized); i++) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println(cleaned + " " + finalized);
        references();
    }

    private static void io() throws Exception {
        var here = new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0);
        var path = java.nio.file.Files.createTempFile("booted", "");
        java.nio.file.Files.delete(path);
        for (var address : new java.net.SocketAddress[] {here, java.net.UnixDomainSocketAddress.of(path)}) {
            boolean isInet = address == here;
            var pair = new java.nio.ByteBuffer[] {java.nio.ByteBuffer.allocate(1), java.nio.ByteBuffer.allocate(1)};
            var family = isInet ? java.net.StandardProtocolFamily.INET : java.net.StandardProtocolFamily.UNIX;
            try (var server = java.nio.channels.ServerSocketChannel.open(family).bind(address);
                    var client = java.nio.channels.SocketChannel.open(server.getLocalAddress());
                    var accepted = server.accept()) {
                client.write(java.nio.ByteBuffer.allocate(2));
                System.out.println(accepted.read(pair) > 0);
            }
        }
        java.nio.file.Files.delete(path);
        try (var receiver = new java.net.DatagramSocket(here); var sender = new java.net.DatagramSocket(here);
                var selector = java.nio.channels.Selector.open()) {
            sender.send(new java.net.DatagramPacket(new byte[1], 1, receiver.getLocalSocketAddress()));
            receiver.receive(new java.net.DatagramPacket(new byte[1], 1));
            selector.wakeup();
            System.out.println(selector.select());
        }
    }

    static class Fails {
        static int used;

        static {
            if (used == 0) {
                throw new IllegalStateException("meant");
            }
        }
    }

    private static void initializers() {
        for (int i = 0; i < 2; i++) {
            try {
                Fails.used++;
                throw new AssertionError("initialized");
            } catch (ExceptionInInitializerError | NoClassDefFoundError expected) {
                System.out.println(expected.getClass());
            }
        }
    }

    private static void callSites() throws Throwable {
        var site = new java.lang.invoke.VolatileCallSite(java.lang.invoke.MethodHandles.constant(int.class, 1));
        site.setTarget(java.lang.invoke.MethodHandles.constant(int.class, 2));
        System.out.println((int) site.getTarget().invokeExact());
    }

    private static void references() throws Exception {
        var queue = new ReferenceQueue<Object>();
        Object object = new Object();
        Reference<Object> weak = new WeakReference<>(object, queue);
        Reference<Object> soft = new SoftReference<>(object);
        System.out.println((weak.get() == object) + " " + weak.refersTo(object) + " " + (soft.get() == object));
        soft.clear();
        Reference.reachabilityFence(object);
        object = null;
        while (weak.get() != null) {
            System.gc();
        }
        System.out.println(weak.refersTo(null) + " " + (queue.remove() == weak) + " " + queue.poll());
    }
}
