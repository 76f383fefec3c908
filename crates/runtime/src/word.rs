//! A shadow word: what is known of the reads or of the writes of one variable, in 64 bits.
//!
//! The upper half is 0 (no access), or a stamp, which names an epoch (bit 31 clear, 11 bits of era, 20 bits of time in it: see
//! `eras.rs`), or the index of a clock of reads (bit 31 set). The lower half is the context of that access, or the
//! generation of that clock. One swap of the word changes both, so a stamp never stands beside the context of another access.
//!
//! The upper half of all ones is never used: the shim compares with the complement of a field that is 0 in a thread
//! that no hook has seen yet.

use crate::depot::ContextId;
use crate::layout::{ERA_COUNT, TIME_BITS};

const SHARED: u32 = 1 << 31;

/// How many eras there are, and how long they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Eras: beyond, threads are not watched.
    pub eras: u32,
    /// The last time of an era: then its thread begins another.
    pub time: u32,
    /// As soon as there are so many eras, a thread whose era is over gets none: it is not watched any more. The others
    /// are for threads that begin.
    pub renewable: u32,
    /// As soon as there are so many slots, those of ended threads are used again though nobody has seen their ends.
    pub ample: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { eras: ERA_COUNT, time: (1 << TIME_BITS) - 1, renewable: ERA_COUNT - 256, ample: 128 }
    }
}

/// A moment as words have it: an era and a time in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Stamp(pub u32);

impl Stamp {
    /// No moment. The first time of an era is 1.
    pub const NONE: Stamp = Stamp(0);

    /// The moment of this era and time.
    #[inline]
    #[must_use]
    pub fn new(era: u32, time: u32) -> Stamp {
        debug_assert!(era < ERA_COUNT && time < 1 << TIME_BITS, "time {time} of era {era} does not fit");
        Stamp(era << TIME_BITS | time)
    }

    /// Which era.
    #[inline]
    #[must_use]
    pub fn era(self) -> u32 {
        self.0 >> TIME_BITS
    }

    /// The time in it.
    #[inline]
    #[must_use]
    pub fn time(self) -> u32 {
        self.0 & ((1 << TIME_BITS) - 1)
    }
}

/// The reads or the writes of one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Word(pub u64);

/// A clock of reads, by index; the generation distinguishes its owners in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedId {
    /// Where it lies.
    pub index: u32,
    /// Which of its owners is meant.
    pub generation: u32,
}

/// What a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The last access, or none at all ([`Stamp::NONE`]).
    Last(Stamp, ContextId),
    /// Reads that are not all ordered.
    Shared(SharedId),
}

impl Word {
    /// No access yet.
    pub const EMPTY: Word = Word(0);

    /// The word of one access.
    #[must_use]
    pub fn last(stamp: Stamp, context: ContextId) -> Word {
        Word(u64::from(stamp.0) << 32 | u64::from(context.0))
    }

    /// The word of a clock of reads.
    #[must_use]
    pub fn shared(id: SharedId) -> Word {
        Word(u64::from(id.index | SHARED) << 32 | u64::from(id.generation))
    }

    /// What the word says.
    #[inline]
    #[must_use]
    pub fn state(self) -> State {
        let (high, low) = ((self.0 >> 32) as u32, self.0 as u32);
        if high & SHARED == 0 {
            State::Last(Stamp(high), ContextId(low))
        } else {
            State::Shared(SharedId { index: high & !SHARED, generation: low })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_keeps_what_it_was_made_of() {
        let limits = Limits::default();
        let last = Stamp::new(limits.eras - 1, limits.time);
        for stamp in [Stamp::NONE, last, Stamp::new(0, 1), Stamp::new(7, 1)] {
            let word = Word::last(stamp, ContextId(u32::MAX));
            assert_eq!(word.state(), State::Last(stamp, ContextId(u32::MAX)));
            assert_eq!(Stamp::new(stamp.era(), stamp.time()), stamp);
        }
        let id = SharedId { index: 5, generation: 9 };
        assert_eq!(Word::shared(id).state(), State::Shared(id));
        assert_eq!(Word::EMPTY.state(), State::Last(Stamp::NONE, ContextId(0)));
    }
}
