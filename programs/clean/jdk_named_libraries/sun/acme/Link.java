package sun.acme;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Publishes by an updater of a volatile field. */
public final class Link<T> {
    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Link, Object> NEXT =
            AtomicReferenceFieldUpdater.newUpdater(Link.class, Object.class, "next");

    private volatile Object next;

    public boolean connect(T next) {
        return NEXT.compareAndSet(this, null, next);
    }

    public Object next() {
        return next;
    }
}
