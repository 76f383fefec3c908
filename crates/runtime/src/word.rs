//! A shadow word: what is known of the reads or of the writes of one variable, in 64 bits.
//!
//! The upper half is 0 (no access), or an epoch (bit 31 clear, 11 bits of slot, 20 bits of time), or the index
//! of a clock of reads (bit 31 set). The lower half is the context of that access, or the generation of that clock.
//! One swap of the word changes both, so an epoch never stands beside the context of another access.
//!
//! The upper half of all ones is never used: the shim compares with the complement of a field that is 0 in a thread
//! that no hook has seen yet.

use model::{Epoch, Slot};

use crate::depot::ContextId;

const SLOT_BITS: u32 = 11;
const TIME_BITS: u32 = 20;
const SHARED: u32 = 1 << 31;

/// How many slots there are and how far a slot's time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Slots: beyond, threads are not watched.
    pub slots: u32,
    /// The last time of a slot: then its thread moves to a fresh one.
    pub time: u32,
    /// As soon as there are so many slots, a thread whose time is over gets none: it is not watched any more.
    pub movable: u32,
    /// As soon as there are so many slots, those of ended threads are used again though nobody has seen their ends.
    pub ample: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { slots: 1 << SLOT_BITS, time: (1 << TIME_BITS) - 1, movable: 512, ample: 128 }
    }
}

/// The reads or the writes of one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Word(pub u64);

/// A clock of reads, by index; the generation tells its owners in turn apart.
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
    /// The last access, or none at all ([`Epoch::NONE`]).
    Last(Epoch, ContextId),
    /// Reads that are not all ordered.
    Shared(SharedId),
}

impl Word {
    /// No access yet.
    pub const EMPTY: Word = Word(0);

    /// The word of one access.
    #[must_use]
    pub fn last(epoch: Epoch, context: ContextId) -> Word {
        Word(u64::from(pack(epoch)) << 32 | u64::from(context.0))
    }

    /// An epoch as the upper half of a word has it.
    #[must_use]
    pub fn epoch_bits(epoch: Epoch) -> u32 {
        pack(epoch)
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
            State::Last(unpack(high), ContextId(low))
        } else {
            State::Shared(SharedId { index: high & !SHARED, generation: low })
        }
    }
}

/// An epoch as the upper half of a word.
#[inline]
pub(crate) fn pack(epoch: Epoch) -> u32 {
    debug_assert!(epoch.slot.0 < 1 << SLOT_BITS && epoch.time < 1 << TIME_BITS, "{epoch:?} does not fit");
    epoch.slot.0 << TIME_BITS | epoch.time
}

fn unpack(half: u32) -> Epoch {
    if half == 0 {
        return Epoch::NONE;
    }
    Epoch { slot: Slot(half >> TIME_BITS), time: half & ((1 << TIME_BITS) - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_keeps_what_it_was_made_of() {
        let limits = Limits::default();
        let last = Epoch { slot: Slot(limits.slots - 1), time: limits.time };
        for epoch in [Epoch::NONE, last, Epoch { slot: Slot(0), time: 1 }, Epoch { slot: Slot(7), time: 1 }] {
            let word = Word::last(epoch, ContextId(u32::MAX));
            assert_eq!(word.state(), State::Last(epoch, ContextId(u32::MAX)));
        }
        let id = SharedId { index: 5, generation: 9 };
        assert_eq!(Word::shared(id).state(), State::Shared(id));
        assert_eq!(Word::EMPTY.state(), State::Last(Epoch::NONE, ContextId(0)));
    }
}
