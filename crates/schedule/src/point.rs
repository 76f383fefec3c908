//! Points: where a thread may be held, and what the gate must know of it.

use model::{AccessKind, LockId, SiteId, ThreadId};

use crate::symbols::Symbol;

/// What a thread is about to do, or has just done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The thread will start another one.
    Start(ThreadId),
    /// The thread begins to run.
    Begin,
    /// The thread ends.
    End,
    /// The thread will take a lock, and waits for as long as another one has it.
    Request(LockAt),
    /// The thread will try to take a lock, and goes on without it if another one has it.
    Try(LockAt),
    /// The thread took a lock.
    Acquired(LockAt),
    /// The thread will give a lock back, or gave it back.
    Released(LockId),
    /// The thread waits for something other than a lock of these points.
    Blocked,
    /// It waits no longer.
    Unblocked,
    /// The thread will access a variable.
    Access(AccessAt),
}

/// A lock at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockAt {
    /// The lock.
    pub lock: LockId,
    /// What is known of a lock before it is seen: its type, or a better name where the type says nothing.
    pub kind: Symbol,
    /// Where it is taken.
    pub site: SiteId,
}

/// An access at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessAt {
    /// The variable, by a number of this run.
    pub variable: u64,
    /// Read or write.
    pub kind: AccessKind,
    /// Where.
    pub site: SiteId,
}
