//! Methods of the JDK where a thread may be held back: those that take a lock, where they start.

use super::Hook;
use super::methods::{READ, REENTRANT, STAMPED, SYNC, Subject, WRITE};

/// A method that takes a lock.
#[derive(Clone, Copy, Debug)]
pub struct PointRule {
    /// The internal name of the class that declares it.
    pub class: &'static str,
    /// The method's name, whatever its descriptor.
    pub name: &'static str,
    /// The hook where it starts.
    pub hook: Hook,
    /// What the hook gets.
    pub(crate) subject: Subject,
}

const fn of(class: &'static str, name: &'static str, hook: Hook) -> PointRule {
    PointRule { class, name, hook, subject: Subject::Receiver }
}

const fn of_view(class: &'static str, name: &'static str, hook: Hook) -> PointRule {
    PointRule { class, name, hook, subject: SYNC }
}

/// The methods. Who takes a lock for reading waits for writers only, so nobody knows whom it waits for: it tries.
pub const POINTS: &[PointRule] = &[
    of(REENTRANT, "lock", Hook::RequestLock),
    of(REENTRANT, "lockInterruptibly", Hook::TryLock),
    of(REENTRANT, "tryLock", Hook::TryLock),
    of_view(WRITE, "lock", Hook::RequestLock),
    of_view(WRITE, "lockInterruptibly", Hook::TryLock),
    of_view(WRITE, "tryLock", Hook::TryLock),
    of_view(READ, "lock", Hook::TryLock),
    of_view(READ, "lockInterruptibly", Hook::TryLock),
    of_view(READ, "tryLock", Hook::TryLock),
    of(STAMPED, "writeLock", Hook::TryLock),
    of(STAMPED, "writeLockInterruptibly", Hook::TryLock),
    of(STAMPED, "tryWriteLock", Hook::TryLock),
    of(STAMPED, "readLock", Hook::TryLock),
    of(STAMPED, "readLockInterruptibly", Hook::TryLock),
    of(STAMPED, "tryReadLock", Hook::TryLock),
];

/// The rule for a method.
pub(crate) fn point_rule(class: &[u8], name: &[u8]) -> Option<&'static PointRule> {
    POINTS.iter().find(|rule| rule.class.as_bytes() == class && rule.name.as_bytes() == name)
}
