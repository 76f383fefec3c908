package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * The cells of memory off the heap, by address: what Unsafe without an object, direct buffers and native segments synchronize on.
 *
 * <p>Eight bytes share a cell, so that accesses of different widths meet. Cells go with their memory, if that was allocated
 * and is freed through Unsafe. Of other memory (mapped files, native code) they stay, and whoever gets the same address
 * later may see too much order. There are at most {@link #MOST} chunks of cells; beyond, addresses share cells, which makes
 * too much order as well.
 */
final class AutodromeMemory {
    private static final Unsafe U = Unsafe.getUnsafe();

    private static final int PLACE_BITS = 3, CHUNK_BITS = 4, CHUNK = 1 << CHUNK_BITS, KEY_BITS = PLACE_BITS + CHUNK_BITS;

    private static final int MOST = 1 << 16;

    /** The cells of neighbouring places. Chunks of a bucket are linked; those links never change. */
    private static final class Chunk {
        final long key;
        final Object[] cells;
        final Chunk next;

        Chunk(long key, Object[] cells, Chunk next) {
            this.key = key;
            this.cells = cells;
            this.next = next;
        }
    }

    /** Held by whoever changes what follows. */
    private static final Object LOCK = new Object();

    /** Buckets of chunks, by hash of their keys. Whoever reads it finds all that was released before. */
    private static volatile Chunk[] chunks = new Chunk[64];

    private static volatile int count;

    /** For addresses beyond {@link #MOST} chunks. */
    private static final Object[] LOST = new Object[CHUNK];
    private static volatile boolean lost;

    /** The blocks of memory that were allocated, as pairs of address and size; address 0 is none. Probed linearly. */
    private static long[] blocks = new long[2 * 64];
    private static int blockCount;

    private AutodromeMemory() {}

    static void acquire(long address) {
        Object held = get(address);
        if (held != null) {
            AutodromePasts.acquire(held);
        }
    }

    /** What the cell of an address holds. */
    static Object get(long address) {
        if (count == 0) {
            return null;
        }
        Object[] cells = find(chunks, address >>> KEY_BITS);
        if (cells == null && lost) {
            cells = LOST;
        }
        return cells == null ? null : U.getReferenceAcquire(cells, at(address));
    }

    static void release(long address) {
        AutodromePasts.release(cells(address), at(address), null);
    }

    /** The chunk that has the cell of an address. */
    static Object[] cells(long address) {
        Object[] cells = find(chunks, address >>> KEY_BITS);
        return cells != null ? cells : add(address >>> KEY_BITS);
    }

    /** Where in its chunk the cell of an address lies. */
    static long at(long address) {
        return AutodromeCells.offset((int) (address >>> PLACE_BITS) & CHUNK - 1);
    }

    private static int hash(long value, int length) {
        return (int) (value * 0x9E3779B97F4A7C15L >>> 32) & length - 1;
    }

    private static Object[] find(Chunk[] in, long key) {
        long bucket = AutodromeCells.offset(hash(key, in.length));
        for (Chunk chunk = (Chunk) U.getReferenceAcquire(in, bucket); chunk != null; chunk = chunk.next) {
            if (chunk.key == key) {
                return chunk.cells;
            }
        }
        return null;
    }

    @DontInline
    private static Object[] add(long key) {
        synchronized (LOCK) {
            Object[] cells = find(chunks, key);
            if (cells != null) {
                return cells;
            }
            if (count == MOST) {
                lost = true;
                return LOST;
            }
            if (count == chunks.length) {
                grow();
            }
            cells = new Object[CHUNK];
            put(chunks, key, cells);
            count++;
            return cells;
        }
    }

    private static void put(Chunk[] into, long key, Object[] cells) {
        int bucket = hash(key, into.length);
        U.putReferenceRelease(into, AutodromeCells.offset(bucket), new Chunk(key, cells, into[bucket]));
    }

    private static void grow() {
        Chunk[] more = new Chunk[2 * chunks.length];
        for (Chunk first : chunks) {
            for (Chunk chunk = first; chunk != null; chunk = chunk.next) {
                put(more, chunk.key, chunk.cells);
            }
        }
        chunks = more;
    }

    /** Memory was allocated. */
    static void allocated(long address, long size) {
        if (address != 0) {
            synchronized (LOCK) {
                if (4 * ++blockCount > blocks.length) {
                    long[] before = blocks;
                    blocks = new long[2 * before.length];
                    for (int i = 0; i < before.length; i += 2) {
                        if (before[i] != 0) {
                            note(before[i], before[i + 1]);
                        }
                    }
                }
                note(address, size);
            }
        }
    }

    /** Where the block of an address is, or would be. */
    private static int placeOf(long address) {
        int place = 2 * hash(address, blocks.length / 2);
        while (blocks[place] != 0 && blocks[place] != address) {
            place = place + 2 & blocks.length - 1;
        }
        return place;
    }

    private static void note(long address, long size) {
        int place = placeOf(address);
        blocks[place] = address;
        blocks[place + 1] = size;
    }

    /** Memory will be freed. */
    static void freed(long address) {
        if (address != 0) {
            synchronized (LOCK) {
                int place = placeOf(address);
                if (blocks[place] != 0) {
                    forget(address, blocks[place + 1]);
                    remove(place);
                }
            }
        }
    }

    /** Takes a block out; those behind it that would not be found any more move up. */
    private static void remove(int place) {
        blockCount--;
        blocks[place] = 0;
        for (int next = place + 2 & blocks.length - 1; blocks[next] != 0; next = next + 2 & blocks.length - 1) {
            long address = blocks[next], size = blocks[next + 1];
            blocks[next] = 0;
            note(address, size);
        }
    }

    private static void forget(long address, long size) {
        long first = address >>> KEY_BITS, last = address + size - 1 >>> KEY_BITS;
        if (count == 0) {
            return;
        }
        // The first and the last chunk may have cells of neighbours, which others may be about to use: these chunks stay.
        clear(address, Math.min(address + size, first + 1 << KEY_BITS));
        clear(Math.max(address, last << KEY_BITS), address + size);
        if (last - first < chunks.length) {
            for (long key = first + 1; key < last; key++) {
                removeFrom(hash(key, chunks.length), key, key);
            }
        } else {
            for (int bucket = 0; bucket < chunks.length; bucket++) {
                removeFrom(bucket, first + 1, last - 1);
            }
        }
    }

    /** Clears the cells between two addresses of one chunk. */
    private static void clear(long from, long to) {
        Object[] cells = find(chunks, from >>> KEY_BITS);
        for (long address = from; cells != null && address < to; address += 1 << PLACE_BITS) {
            U.putReferenceVolatile(cells, at(address), null);
        }
    }

    /** Takes the chunks with these keys out of a bucket. */
    private static void removeFrom(int bucket, long first, long last) {
        Chunk kept = null;
        int gone = 0;
        for (Chunk chunk = chunks[bucket]; chunk != null; chunk = chunk.next) {
            if (chunk.key >= first && chunk.key <= last) {
                gone++;
            } else {
                kept = new Chunk(chunk.key, chunk.cells, kept);
            }
        }
        if (gone != 0) {
            U.putReferenceRelease(chunks, AutodromeCells.offset(bucket), kept);
            count -= gone;
        }
    }
}
