package java.lang;

import static java.lang.AutodromeLayout.*;
import static java.lang.AutodromeThread.*;

import java.io.FileDescriptor;
import java.net.InetSocketAddress;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * I/O as order: what a thread did before it wrote to a socket, a pipe or a file comes before what a thread does that has read
 * from the other end, if both ends are in this JVM. The memory model promises none of that; programs rely on it.
 *
 * <p>Each direction of a connection, each pipe, each file has a cell. The agent knows which descriptors share one
 * (crates/agent, io.rs); the descriptor remembers its own until it is closed. A write releases before the data is sent and a
 * read acquires after it returned, so a reader may learn of more than the bytes that it got: of what comes next in the same
 * direction, for a listening port of other connections, for a datagram's port of other senders. That hides a race at most.
 *
 * <p>Not seen: memory-mapped files, the connection that breaks (an exception instead of an end), out-of-band data, what a process
 * outside passes on, and that a file exists.
 */
public final class AutodromeIo {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Whether I/O orders: constant, so that the compiler removes the hooks if not. */
    private static final boolean ORDERS = ON && AutodromeEngine.ORDERS_IO;

    private static final long NUMBER = U.objectFieldOffset(FileDescriptor.class, "fd");
    private static final long END = U.objectFieldOffset(FileDescriptor.class, "autodrome$end");
    private static final long PAST = U.objectFieldOffset(Cell.class, "past");

    /** Standard input, output and error are below: nobody hands data to a thread of the same program through them. */
    private static final int FIRST_OWN = 3;

    /** What a reader returns that has seen the end; less means that there was nothing to read. */
    private static final int AT_END = -1;

    private static final End NO_END = new End(IO_NOTHING);

    private AutodromeIo() {}

    /** By number, the cells. Guarded by the lock, as is every name that the agent gives. */
    private static Cell[] cells = new Cell[16];
    private static final Object LOCK = new Object();

    /** What is passed on in one direction. */
    static final class Cell {
        /** Its number and, above, which of the number's owners is meant. */
        final long name;

        int[] past;

        Cell(long name) {
            this.name = name;
        }
    }

    /** What a descriptor is one end of. */
    static final class End {
        final int kind;

        /** Null until it is used: most files are only read, or only written. Written with the lock. */
        Cell out, in;

        End(int kind) {
            this.kind = kind;
        }
    }

    /** Calls each native method once, as AutodromeStart says. */
    static void link() {
        kind(-1);
        cell(CELL_IN, -1, null);
        close(0);
    }

    /** What a descriptor is, by its number. */
    private static native int kind(int descriptor);

    /** The name of a cell; 0 if there is none. The number is a descriptor or a port. */
    private static native long cell(int which, int number, String path);

    /** An end that had the cell is closed. */
    private static native void close(long name);

    @ForceInline
    public static void ioWrite(Object descriptor, int site) {
        if (ORDERS && descriptor != null) {
            write(descriptor);
        }
    }

    @ForceInline
    public static void ioRead(Object descriptor, int count, int site) {
        if (ORDERS && count >= AT_END && descriptor != null) {
            read(descriptor);
        }
    }

    @ForceInline
    public static void ioRead(Object descriptor, long count, int site) {
        if (ORDERS && count >= AT_END && descriptor != null) {
            read(descriptor);
        }
    }

    private static void write(Object descriptor) {
        End end = end(descriptor);
        if (end == null || end.kind == IO_NOTHING) {
            return;
        }
        // A socket for datagrams may be connected to another port each time.
        release(end.kind == IO_DATAGRAM ? find(CELL_PEER, number(descriptor), null)
                : end.out != null ? end.out : cellOf(end, CELL_OUT, descriptor));
    }

    private static void read(Object descriptor) {
        End end = end(descriptor);
        if (end != null && end.kind != IO_NOTHING) {
            acquire(end.in != null ? end.in : cellOf(end, CELL_IN, descriptor));
        }
    }

    /** Whoever reads a file does not learn that it was closed. */
    public static void ioClose(Object descriptor, int site) {
        if (ORDERS && descriptor != null) {
            End end = end(descriptor);
            if (end != null && end.kind != IO_FILE && end.kind != IO_DATAGRAM) {
                write(descriptor);
            }
            close(descriptor);
        }
    }

    private static void close(Object descriptor) {
        End end;
        synchronized (LOCK) {
            end = (End) U.getAndSetReference(descriptor, END, null);
        }
        if (end != null && end.out != null) {
            close(end.out.name);
        }
        if (end != null && end.in != null) {
            close(end.in.name);
        }
    }

    public static void ioConnect(int port, int site) {
        if (ORDERS && isSeen()) {
            release(find(CELL_CONNECT, port, null));
        }
    }

    public static void ioConnectPath(Object path, int site) {
        if (ORDERS && path != null && isSeen()) {
            release(find(CELL_CONNECT, 0, path.toString()));
        }
    }

    public static void ioConnected(Object descriptor, int site) {
        if (ORDERS && descriptor != null) {
            End end = end(descriptor);
            if (end != null && end.kind == IO_STREAM) {
                acquire(find(CELL_LISTENER, number(descriptor), null));
            } else if (end != null && end.kind == IO_LISTENING) {
                read(descriptor);
            }
        }
    }

    public static void ioBound(Object descriptor, int site) {
        if (ORDERS && descriptor != null && isSeen()) {
            release(find(CELL_BOUND, number(descriptor), null));
        }
    }

    public static void ioSend(Object to, int site) {
        if (ORDERS && to instanceof InetSocketAddress && isSeen()) {
            release(find(CELL_PORT, ((InetSocketAddress) to).getPort(), null));
        }
    }

    public static void ioWakeUp(Object selector, int site) {
        if (ORDERS) {
            AutodromeCells.release(selector, 0);
        }
    }

    public static void ioSelected(Object selector, int site) {
        if (ORDERS) {
            AutodromeCells.acquire(selector, 0);
        }
    }

    /** Does the thread's synchronization count where it is now? */
    @ForceInline
    private static boolean isSeen() {
        return Thread.currentThread().autodrome$quiet == 0;
    }

    @ForceInline
    private static void release(Cell cell) {
        if (cell != null) {
            AutodromePasts.release(cell, PAST, null);
        }
    }

    @ForceInline
    private static void acquire(Cell cell) {
        if (cell != null) {
            AutodromePasts.acquire(U.getReferenceAcquire(cell, PAST));
        }
    }

    @ForceInline
    private static int number(Object descriptor) {
        return U.getInt(descriptor, NUMBER);
    }

    /** What the descriptor is an end of; null if that is not known yet, or does not matter here. */
    @ForceInline
    private static End end(Object descriptor) {
        Object end = U.getReferenceAcquire(descriptor, END);
        return !isSeen() ? null : end != null ? (End) end : open(descriptor);
    }

    @DontInline
    private static End open(Object descriptor) {
        synchronized (LOCK) {
            End end = (End) U.getReferenceAcquire(descriptor, END);
            int number = number(descriptor);
            if (end != null || number < 0) {
                return end;
            }
            int kind = number < FIRST_OWN ? IO_NOTHING : kind(number);
            if (kind == IO_UNDECIDED) {
                return null;
            }
            end = kind == IO_NOTHING ? NO_END : new End(kind);
            if (kind == IO_STREAM) {
                // Now: a connection that has ended at both sides has no addresses any more.
                end.out = find(CELL_OUT, number, null);
                end.in = find(CELL_IN, number, null);
            }
            U.putReferenceRelease(descriptor, END, end);
            return end;
        }
    }

    /** The cell of an end that uses it for the first time; null if the descriptor was closed meanwhile. */
    @DontInline
    private static Cell cellOf(End end, int which, Object descriptor) {
        synchronized (LOCK) {
            if (U.getReferenceAcquire(descriptor, END) != end) {
                return null;
            }
            if (which == CELL_OUT) {
                return end.out != null ? end.out : (end.out = find(CELL_OUT, number(descriptor), null));
            }
            return end.in != null ? end.in : (end.in = find(CELL_IN, number(descriptor), null));
        }
    }

    /** The cell that is asked for, if there is one. A name means its cell as long as the lock is held. */
    private static Cell find(int which, int asked, String path) {
        synchronized (LOCK) {
            long name = cell(which, asked, path);
            if (name == 0) {
                return null;
            }
            int number = (int) name - 1;
            if (number >= cells.length) {
                Cell[] longer = new Cell[Math.max(number + 1, 2 * cells.length)];
                for (int i = 0; i < cells.length; i++) {
                    longer[i] = cells[i];
                }
                cells = longer;
            }
            Cell cell = cells[number];
            if (cell == null || cell.name != name) {
                cells[number] = cell = new Cell(name);
            }
            return cell;
        }
    }
}
