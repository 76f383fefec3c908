//! One step of one thread, after O'Callahan and Choi 2003, section 2.1: memory accesses, locks, messages; plus what prediction
//! needs.

use crate::{LockId, MessageId, MethodId, SiteId, ThreadId, VarId};

/// One step of one thread. Acquiring operations are emitted after they take effect, releasing operations before,
/// so an order that the JVM made is never missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The thread that takes the step.
    pub thread: ThreadId,
    /// Where in the program it does.
    pub site: SiteId,
    /// What it does.
    pub op: Op,
}

/// What a step does. Synchronization of every kind is one of acquire/release, send/receive, fork/join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Reads a location that can race.
    Read(VarId),
    /// Writes a location that can race.
    Write(VarId),
    /// Takes a lock. Locks are reentrant: only the outermost acquire changes what the thread holds.
    Acquire(LockId, Mode),
    /// Gives a lock back.
    Release(LockId, Mode),
    /// Offers everything done so far to whoever receives the message later. Sends of one message add up.
    Send(MessageId),
    /// Takes what all earlier sends of the message offered.
    Receive(MessageId),
    /// Starts a thread: all that the forking thread did comes before all that the new one does.
    Fork(ThreadId),
    /// Waits for the end of a thread: all that it did comes before what the joining thread does next.
    Join(ThreadId),
    /// The thread's path depends here on the values that it has read so far.
    Branch,
    /// Enters a method; with reachable objects recorded beside it, the begin of a barrier pair (Rajagopalan's thesis, section 4.2).
    MethodBegin(MethodId),
    /// Leaves that method, normally or by an exception.
    MethodEnd(MethodId),
}

/// How a lock is held. Two sides that hold one lock exclude each other only if one of them holds it for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Shared with other readers.
    Read,
    /// Exclusive: monitors and ordinary locks are always held so.
    Write,
}

impl Mode {
    /// Do two holders of one lock, one in each mode, keep each other out?
    #[inline]
    #[must_use]
    pub fn excludes(self, other: Mode) -> bool {
        self == Mode::Write || other == Mode::Write
    }
}

/// Whether an access reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// The location keeps its value.
    Read,
    /// The location gets a new value, which may equal the old one.
    Write,
}

impl AccessKind {
    /// Two accesses of one location conflict if at least one of them writes.
    #[inline]
    #[must_use]
    pub fn conflicts_with(self, other: AccessKind) -> bool {
        self == AccessKind::Write || other == AccessKind::Write
    }

    /// Everything that conflicts with `other` conflicts with `self` too.
    #[inline]
    #[must_use]
    pub fn covers(self, other: AccessKind) -> bool {
        self == AccessKind::Write || other == AccessKind::Read
    }
}

impl Op {
    /// The location and kind of a memory access; `None` for everything else.
    #[inline]
    #[must_use]
    pub fn access(self) -> Option<(VarId, AccessKind)> {
        match self {
            Op::Read(var) => Some((var, AccessKind::Read)),
            Op::Write(var) => Some((var, AccessKind::Write)),
            _ => None,
        }
    }

    /// Does the operation order threads: acquire, release, send, receive, fork or join?
    #[inline]
    #[must_use]
    pub fn is_synchronization(self) -> bool {
        !matches!(self, Op::Read(_) | Op::Write(_) | Op::Branch | Op::MethodBegin(_) | Op::MethodEnd(_))
    }
}

/// What a read saw or a write stored: a primitive's bits, sign-extended, or the identity of an object (0: null).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(pub u64);
