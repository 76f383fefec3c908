//! Patterns of locking: which locks the two sides hold, and which they share.
//!
//! Two accesses under one lock are ordered. So if both sides of a race hold a lock, taken at the same place or in the variable's
//! class, then these are two objects, or both hold it for reading.

use super::{Explanation, Pattern, explanation};
use crate::analysis::Guard;
use crate::locks::FOR_READING;
use crate::race::{LiveRace, Lock, Operation, Side};

/// The class that a class is nested in, outermost.
fn outermost(class: &str) -> &str {
    class.split_once('$').map_or(class, |(outer, _)| outer)
}

/// Was a lock taken by the class of the variable, or by one nested with it?
fn is_of_class(race: &LiveRace, lock: &Lock) -> bool {
    let frame = lock.taken_at.split('(').next().unwrap_or_default();
    let class = frame.rsplit_once('.').map_or("", |(class, _)| class);
    !race.variable.class.is_empty() && outermost(class) == outermost(&race.variable.class)
}

/// Locks of the writer and of the other side that seem to be meant for the variable.
fn own_locks(race: &LiveRace) -> Option<(&Lock, &Lock)> {
    let others = &race.other().locks;
    let same_place = |lock: &&Lock| {
        !lock.taken_at.is_empty()
            && others.iter().any(|other| other.taken_at == lock.taken_at && other.class == lock.class)
    };
    if let Some(lock) = race.writer().locks.iter().find(same_place) {
        return Some((lock, lock));
    }
    let own = |locks: &'_ [Lock]| locks.iter().position(|lock| is_of_class(race, lock));
    Some((&race.writer().locks[own(&race.writer().locks)?], &others[own(others)?]))
}

/// The lock lets several threads in, and one of them writes.
pub(super) fn write_under_read_lock(race: &LiveRace) -> Option<Explanation> {
    let (writing, other) = own_locks(race)?;
    let lock = writing.class.strip_suffix(FOR_READING)?;
    if other.class != writing.class {
        return None;
    }
    explanation(
        Pattern::WriteUnderReadLock,
        format!("Looks like a write under a read lock: several threads may hold {lock} for reading at once."),
        "take the write lock around every write.",
    )
}

/// Each side has a lock of its own, so neither waits for the other.
pub(super) fn different_locks(race: &LiveRace) -> Option<Explanation> {
    let (one, other) = own_locks(race)?;
    if one.class.ends_with(FOR_READING) && other.class.ends_with(FOR_READING) {
        return None;
    }
    let which = if one.class == other.class {
        format!("both threads hold a lock of {}, but of two different objects", one.class)
    } else {
        let (writer, reader) = (race.writer().op.name(), race.other().op.name());
        let second = if race.other().op == Operation::Write { "other write" } else { reader };
        format!("the {writer} holds a lock of {}, the {second} one of {}", one.class, other.class)
    };
    explanation(
        Pattern::DifferentLocks,
        format!("Looks like different locks: {which}, so neither waits for the other."),
        "guard the variable with one lock that all its users share; a static field with a static one.",
    )
}

/// What a side holds, in words.
fn holds(side: &Side) -> String {
    let classes: Vec<&str> = side.locks.iter().map(|lock| lock.class.as_str()).collect();
    let held = if classes.is_empty() { "no lock".to_owned() } else { format!("a lock of {}", classes.join(", ")) };
    format!("the {} holds {held}", side.op.name())
}

/// A lock that most accesses of a trace hold.
pub(crate) fn inconsistently_guarded(guard: &Guard) -> Explanation {
    Explanation {
        pattern: Pattern::InconsistentLocking,
        text: format!("Looks like inconsistent locking: {guard}."),
        hint: format!("take {} around every access.", guard.lock),
    }
}

/// The program says which lock it means.
pub(super) fn guarded_by(race: &LiveRace) -> Option<Explanation> {
    let guard = race.variable.annotations.iter().find(|annotation| annotation.name == "GuardedBy")?;
    let value = guard.value.as_deref().unwrap_or("its lock");
    explanation(
        Pattern::InconsistentLocking,
        format!("The field is declared {guard}, but {}, and {}.", holds(race.writer()), holds(race.other())),
        format!("take {value} around every access."),
    )
}

/// One side holds a lock that the variable's class took; what others hold may have nothing to do with it.
pub(super) fn inconsistent_locking(race: &LiveRace) -> Option<Explanation> {
    let sides = [race.writer(), race.other()];
    if !sides.iter().any(|side| side.locks.iter().any(|lock| is_of_class(race, lock))) {
        return None;
    }
    let both = sides.iter().all(|side| !side.locks.is_empty());
    explanation(
        Pattern::InconsistentLocking,
        format!("Looks like inconsistent locking: {}, {}.", holds(race.writer()), holds(race.other())),
        if both { "guard the field with one lock, the same everywhere." } else { "take the lock around every access." },
    )
}
