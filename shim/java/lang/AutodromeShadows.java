package java.lang;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * The shadows of fields and elements, by object and number: few, so one table with one lock has them all. Objects are compared as
 * such, since different ones may have one hash code.
 */
final class AutodromeShadows {
    /** The owner of all static fields. */
    static final Object STATICS = new Object();

    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
    private static Entry[] table = new Entry[256];
    private static int count;
    private static boolean contents;

    private AutodromeShadows() {}

    private static final class Entry extends WeakReference<Object> {
        final int hash;
        final int number;
        int shadow;
        Entry next;

        Entry(Object owner, int hash, int number, int shadow, Entry next) {
            super(owner, GONE);
            this.hash = hash;
            this.number = number;
            this.shadow = shadow;
            this.next = next;
        }
    }

    private static int hash(Object owner, int number) {
        int hash = System.identityHashCode(owner) * 31 + number;
        return hash ^ hash >>> 15;
    }

    /** Has an object or an array ever had a shadow in it? The arguments of the program do not count. */
    static boolean hasContents() {
        return contents;
    }

    static synchronized int get(Object owner, int number) {
        Entry entry = find(owner, number, hash(owner, number));
        return entry == null ? 0 : entry.shadow;
    }

    private static Entry find(Object owner, int number, int hash) {
        for (Entry entry = table[hash & table.length - 1]; entry != null; entry = entry.next) {
            if (entry.hash == hash && entry.number == number && entry.refersTo(owner)) {
                return entry;
            }
        }
        return null;
    }

    static synchronized void put(Object owner, int number, int shadow) {
        int hash = hash(owner, number);
        Entry entry = find(owner, number, hash);
        if (entry != null) {
            entry.shadow = shadow;
        } else if (shadow != 0) {
            contents |= owner != STATICS && !(owner instanceof String[]);
            clean();
            if (count > table.length / 2) {
                grow();
            }
            int place = hash & table.length - 1;
            table[place] = new Entry(owner, hash, number, shadow, table[place]);
            count++;
        }
    }

    /** Objects that are gone leave the table. */
    private static void clean() {
        for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
            int place = ((Entry) gone).hash & table.length - 1;
            Entry before = null;
            for (Entry entry = table[place]; entry != null; before = entry, entry = entry.next) {
                if (entry == gone) {
                    if (before == null) {
                        table[place] = entry.next;
                    } else {
                        before.next = entry.next;
                    }
                    count--;
                    break;
                }
            }
        }
    }

    private static void grow() {
        Entry[] old = table;
        table = new Entry[2 * old.length];
        for (Entry first : old) {
            for (Entry entry = first; entry != null; ) {
                Entry next = entry.next;
                int place = entry.hash & table.length - 1;
                entry.next = table[place];
                table[place] = entry;
                entry = next;
            }
        }
    }
}
