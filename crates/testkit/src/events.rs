//! Events by hand, for examples: short names, one site for all.

use model::{Event, LockId, MessageId, Mode, Op, SiteId, ThreadId, VarId};

/// Any operation of a thread.
#[must_use]
pub fn step(thread: u32, op: Op) -> Event {
    Event { thread: ThreadId(thread), site: SiteId(0), op }
}

/// Takes a lock for writing.
#[must_use]
pub fn acquire(thread: u32, lock: LockId) -> Event {
    step(thread, Op::Acquire(lock, Mode::Write))
}

/// Gives back a lock held for writing.
#[must_use]
pub fn release(thread: u32, lock: LockId) -> Event {
    step(thread, Op::Release(lock, Mode::Write))
}

/// Reads a location.
#[must_use]
pub fn read(thread: u32, var: VarId) -> Event {
    step(thread, Op::Read(var))
}

/// Writes a location.
#[must_use]
pub fn write(thread: u32, var: VarId) -> Event {
    step(thread, Op::Write(var))
}

/// Starts a thread.
#[must_use]
pub fn fork(thread: u32, child: u32) -> Event {
    step(thread, Op::Fork(ThreadId(child)))
}

/// Waits for the end of a thread.
#[must_use]
pub fn join(thread: u32, ended: u32) -> Event {
    step(thread, Op::Join(ThreadId(ended)))
}

/// Sends a message.
#[must_use]
pub fn send(thread: u32, message: MessageId) -> Event {
    step(thread, Op::Send(message))
}

/// Receives a message.
#[must_use]
pub fn receive(thread: u32, message: MessageId) -> Event {
    step(thread, Op::Receive(message))
}
