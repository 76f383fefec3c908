package java.lang;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * Copies of objects. Object.clone copies the shadows of fields too, but nobody has accessed a new object yet: what they say
 * happened to the original.
 *
 * <p>The accesses that a clone makes, reads of the original and writes of the copy, are not seen.
 */
final class AutodromeClones {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** What a shadow is, in the lowest bits beside its offset. */
    private static final int WORD = 0, CELL = 1, NAME = 2, KIND = 3, KIND_BITS = 2;

    private AutodromeClones() {}

    static void link() {
        shadowsOf(null);
    }

    /** All shadows that an object of a class has. */
    private static native Field[] shadowsOf(Class<?> type);

    /** An object was made as a copy of another; the current thread alone knows it. */
    static void clear(Object copy) {
        if (copy == null || copy.getClass().isArray()) {
            return;
        }
        long[] shadows = copy.getClass().autodrome$shadows;
        if (shadows == null) {
            shadows = find(copy.getClass());
        }
        for (int i = 0; i < shadows.length; i++) {
            long offset = shadows[i] >>> KIND_BITS;
            int kind = (int) shadows[i] & KIND;
            if (kind == WORD) {
                U.putLong(copy, offset, 0);
            } else if (kind == CELL) {
                U.putReference(copy, offset, null);
            } else {
                U.putInt(copy, offset, 0);
            }
        }
    }

    @DontInline
    private static long[] find(Class<?> type) {
        Thread t = Thread.currentThread();
        t.autodrome$quiet++;
        Field[] fields = shadowsOf(type);
        long[] shadows = new long[fields == null ? 0 : fields.length];
        for (int i = 0; i < shadows.length; i++) {
            Class<?> of = fields[i].getType();
            int kind = of == long.class ? WORD : of == int.class ? NAME : CELL;
            shadows[i] = U.objectFieldOffset(fields[i]) << KIND_BITS | kind;
        }
        // Others may find it without order.
        U.storeFence();
        type.autodrome$shadows = shadows;
        t.autodrome$quiet--;
        return shadows;
    }
}
