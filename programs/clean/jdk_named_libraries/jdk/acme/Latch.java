package jdk.acme;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Opens by a release, is found open by an acquire. */
public final class Latch {
    private static final VarHandle OPEN;

    static {
        try {
            OPEN = MethodHandles.lookup().findVarHandle(Latch.class, "open", boolean.class);
        } catch (ReflectiveOperationException unexpected) {
            throw new ExceptionInInitializerError(unexpected);
        }
    }

    private boolean open;

    public void open() {
        OPEN.setRelease(this, true);
    }

    public boolean isOpen() {
        return (boolean) OPEN.getAcquire(this);
    }
}
