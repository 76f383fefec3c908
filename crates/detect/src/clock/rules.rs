//! Definition 1 of crsampler.txt §4.1 over plain values: what the offline detector and the sampler of the agent decide by.
//!
//! A clock is how often a thread has synchronized. It is advanced before a synchronization takes effect, so whoever learns
//! something by it finds the clock moved on. A clock that is advanced too often only hides races; one that is not advanced
//! would report accesses that are ordered.

use model::{AccessKind, ThreadId};

/// An access that a later one is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    /// Who made it.
    pub thread: ThreadId,
    /// Read or write.
    pub kind: AccessKind,
    /// The clock of its thread when it made the access.
    pub clock: u64,
}

/// The access that comes second, and the clocks at that moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Second {
    /// Who made it.
    pub thread: ThreadId,
    /// Read or write.
    pub kind: AccessKind,
    /// The clock of the first access's thread now.
    pub first_clock: u64,
    /// Of the extension: how the clock of this thread has changed since the first access.
    pub own_clock: OwnClock,
}

/// What is known of the second thread's own clock (section 4.1, discussion): if it too stood still since the first access, the
/// two race even if the first thread has moved on, since the second thread has learned nothing since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnClock {
    /// It is not asked for: definition 1 alone.
    NotAsked,
    /// The clock when the first access was made, and now.
    Asked {
        /// When the first access was made.
        then: u64,
        /// When the second is.
        now: u64,
    },
}

impl OwnClock {
    fn stood_still(self) -> bool {
        matches!(self, OwnClock::Asked { then, now } if then == now)
    }
}

/// What a second access to the same location is to a first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockVerdict {
    /// The same thread made both, or both are reads.
    NoConflict,
    /// The first thread has synchronized in between: nothing is known, now or later.
    MovedOn,
    /// A clock race.
    Race,
    /// The first thread has synchronized in between, the second has not.
    SymmetricRace,
}

impl ClockVerdict {
    /// Is it a race?
    #[must_use]
    pub fn is_race(self) -> bool {
        matches!(self, ClockVerdict::Race | ClockVerdict::SymmetricRace)
    }
}

/// Can the first access still race with a later one, by definition 1?
#[must_use]
pub fn is_pending(first: &First, first_clock: u64) -> bool {
    first.clock == first_clock
}

/// Do the two form a clock race?
#[must_use]
pub fn judge(first: &First, second: &Second) -> ClockVerdict {
    if first.thread == second.thread || !first.kind.conflicts_with(second.kind) {
        ClockVerdict::NoConflict
    } else if is_pending(first, second.first_clock) {
        ClockVerdict::Race
    } else if second.own_clock.stood_still() {
        ClockVerdict::SymmetricRace
    } else {
        ClockVerdict::MovedOn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITE: First = First { thread: ThreadId(1), kind: AccessKind::Write, clock: 7 };
    const READ: Second =
        Second { thread: ThreadId(2), kind: AccessKind::Read, first_clock: 7, own_clock: OwnClock::NotAsked };

    #[test]
    fn the_first_thread_must_not_have_moved() {
        assert_eq!(judge(&WRITE, &READ), ClockVerdict::Race);
        assert_eq!(judge(&WRITE, &Second { first_clock: 8, ..READ }), ClockVerdict::MovedOn);
        assert_eq!(judge(&WRITE, &Second { thread: ThreadId(1), ..READ }), ClockVerdict::NoConflict);
        assert_eq!(judge(&First { kind: AccessKind::Read, ..WRITE }, &READ), ClockVerdict::NoConflict);
    }

    #[test]
    fn the_extension_asks_for_the_second_thread_too() {
        let asked = |then, now| Second { first_clock: 8, own_clock: OwnClock::Asked { then, now }, ..READ };
        assert_eq!(judge(&WRITE, &asked(3, 3)), ClockVerdict::SymmetricRace);
        assert_eq!(judge(&WRITE, &asked(3, 4)), ClockVerdict::MovedOn);
    }
}
