import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * No race: of each case one thread writes x and raises a flag under a lock, the other writes x once it has seen the flag under the
 * lock. The flag is accessed in ways that a recording does not see. With arguments only these cases run.
 */
public class Main {
    static final MethodHandle GETTER, SETTER;
    static final VarHandle VALUE, ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            GETTER = MethodHandles.lookup().findGetter(Box.class, "value", int.class);
            SETTER = MethodHandles.lookup().findSetter(Box.class, "value", int.class);
            VALUE = MethodHandles.lookup().findVarHandle(Box.class, "value", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Two threads and what they share. */
    abstract static class Case {
        final Object lock = new Object();
        final String name;

        Case(String name) {
            this.name = name;
        }

        abstract void first() throws Throwable;

        /** Gives whether the flag was up. */
        abstract boolean second() throws Throwable;
    }

    static class Box implements Cloneable {
        int value;

        Box copy() throws CloneNotSupportedException {
            return (Box) clone();
        }
    }

    static java.lang.reflect.Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    static Case[] cases() {
        return new Case[] {
        new Case("clone") {
            int x;
            Box box = new Box();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { box.value = 1; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = box.copy().value == 1; } return up && (x = 2) > 0; }
        },
        new Case("reflection") {
            int x;
            Box box = new Box(); java.lang.reflect.Field field = field(Box.class, "value");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { field.setInt(box, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = field.getInt(box) == 1; } return up && (x = 2) > 0; }
        },
        new Case("readByReflection") {
            int x;
            Box box = new Box(); java.lang.reflect.Field field = field(Box.class, "value");
            @Override void first() throws Throwable { x = 1; synchronized (lock) { box.value = 1; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = field.getInt(box) == 1; } return up && (x = 2) > 0; }
        },
        new Case("reflectedArray") {
            int x;
            int[] array = new int[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { java.lang.reflect.Array.setInt(array, 0, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = java.lang.reflect.Array.getInt(array, 0) == 1; } return up && (x = 2) > 0; }
        },
        new Case("methodHandle") {
            int x;
            Box box = new Box();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { SETTER.invokeExact(box, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = (int) GETTER.invokeExact(box) == 1; } return up && (x = 2) > 0; }
        },
        new Case("plainVarHandle") {
            int x;
            Box box = new Box();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { VALUE.set(box, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = (int) VALUE.get(box) == 1; } return up && (x = 2) > 0; }
        },
        new Case("opaqueVarHandle") {
            int x;
            Box box = new Box();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { VALUE.setOpaque(box, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = (int) VALUE.getOpaque(box) == 1; } return up && (x = 2) > 0; }
        },
        new Case("elementHandle") {
            int x;
            int[] array = new int[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { ELEMENT.set(array, 0, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = (int) ELEMENT.get(array, 0) == 1; } return up && (x = 2) > 0; }
        },
        new Case("heapBuffer") {
            int x;
            ByteBuffer buffer = ByteBuffer.allocate(8);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { buffer.putInt(0, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = buffer.getInt(0) == 1; } return up && (x = 2) > 0; }
        },
        new Case("directBuffer") {
            int x;
            ByteBuffer buffer = ByteBuffer.allocateDirect(8);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { buffer.putInt(0, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = buffer.getInt(0) == 1; } return up && (x = 2) > 0; }
        },
        new Case("position") {
            int x;
            ByteBuffer buffer = ByteBuffer.allocate(8);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { buffer.position(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = buffer.position() == 1; } return up && (x = 2) > 0; }
        },
        new Case("charBuffer") {
            int x;
            java.nio.CharBuffer buffer = java.nio.CharBuffer.allocate(8);
            @Override void first() throws Throwable { x = 1; synchronized (lock) { buffer.put(0, 'a'); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = buffer.get(0) == 'a'; } return up && (x = 2) > 0; }
        },
        new Case("streamOfArray") {
            int x;
            int[] array = new int[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { array[0] = 1; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = Arrays.stream(array).sum() == 1; } return up && (x = 2) > 0; }
        },
        new Case("copiedArray") {
            int x;
            int[] array = new int[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { array[0] = 1; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = array.clone()[0] == 1; } return up && (x = 2) > 0; }
        },
        new Case("copyOf") {
            int x;
            int[] array = new int[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { array[0] = 1; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = Arrays.copyOf(array, 1)[0] == 1; } return up && (x = 2) > 0; }
        },
        new Case("hashOfArray") {
            int x;
            int[] array = new int[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { array[0] = 1; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = Arrays.hashCode(array) == Arrays.hashCode(new int[] {1}); } return up && (x = 2) > 0; }
        },
        new Case("filledArray") {
            int x;
            int[] array = new int[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { Arrays.fill(array, 1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = array[0] == 1; } return up && (x = 2) > 0; }
        },
        new Case("sortedArray") {
            int x;
            int[] array = {2, 1};
            @Override void first() throws Throwable { x = 1; synchronized (lock) { Arrays.sort(array); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = array[0] == 1; } return up && (x = 2) > 0; }
        },
        new Case("textOfArray") {
            int x;
            char[] array = new char[1];
            @Override void first() throws Throwable { x = 1; synchronized (lock) { array[0] = 'a'; } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = String.valueOf(array).equals("a"); } return up && (x = 2) > 0; }
        },
        new Case("plainAtomic") {
            int x;
            AtomicInteger atomic = new AtomicInteger();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { atomic.setPlain(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = atomic.getPlain() == 1; } return up && (x = 2) > 0; }
        },
        new Case("lazyAtomic") {
            int x;
            AtomicInteger atomic = new AtomicInteger();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { atomic.lazySet(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = atomic.get() == 1; } return up && (x = 2) > 0; }
        },
        new Case("opaqueAtomic") {
            int x;
            AtomicInteger atomic = new AtomicInteger();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { atomic.setOpaque(1); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = atomic.getOpaque() == 1; } return up && (x = 2) > 0; }
        },
        new Case("adder") {
            int x;
            LongAdder adder = new LongAdder();
            @Override void first() throws Throwable { x = 1; synchronized (lock) { adder.increment(); } }
            @Override boolean second() throws Throwable { boolean up; synchronized (lock) { up = adder.sum() == 1; } return up && (x = 2) > 0; }
        },
        };
    }

    static void check(Case what) throws InterruptedException {
        Thread first = new Thread(() -> {
            try {
                what.first();
            } catch (Throwable thrown) {
                thrown.printStackTrace();
            }
        });
        Thread second = new Thread(() -> {
            try {
                while (!what.second()) {
                    Thread.yield();
                }
            } catch (Throwable thrown) {
                thrown.printStackTrace();
            }
        });
        first.start();
        second.start();
        first.join();
        second.join();
    }

    public static void main(String[] names) throws InterruptedException {
        for (Case what : cases()) {
            if (names.length == 0 || Arrays.asList(names).contains(what.name)) {
                check(what);
            }
        }
        System.out.println("done");
    }
}
