//! Eras: stretches of a slot's time that a word has room for.
//!
//! A word has 20 bits of time, and a thread that synchronizes much uses them up in seconds. So a slot's time, which clocks have
//! whole, is cut into eras: a word names the era and the time in it. When an era is over its thread begins another in the same
//! slot, and clocks stay as narrow as there are slots. Eras are never used again: words of old ones may lie anywhere.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use model::{Epoch, Slot};

use crate::layout::ERA_COUNT;
use crate::word::Stamp;

/// A stretch of a slot's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Era {
    number: u32,
    pub(crate) slot: Slot,
    /// The time before its first one.
    origin: u32,
}

impl Era {
    /// How many times of the era have come with this one.
    pub(crate) fn used(self, time: u32) -> u32 {
        time - self.origin
    }

    /// A time of the era, as words have it.
    pub(crate) fn stamp(self, time: u32) -> Stamp {
        Stamp::new(self.number, self.used(time))
    }
}

/// All eras: of each, its slot (upper half) and its origin (lower half). The shim reads them too (AutodromePasts.java).
pub(crate) struct Eras {
    table: Box<[AtomicU64]>,
    count: AtomicU32,
}

impl Default for Eras {
    fn default() -> Self {
        Eras { table: (0..ERA_COUNT).map(|_| AtomicU64::new(0)).collect(), count: AtomicU32::new(0) }
    }
}

impl Eras {
    /// An era whose first moment is this one, if there are fewer than so many yet. Whoever calls this holds the lock of the slots.
    pub(crate) fn begin(&self, first: Epoch, most: u32) -> Option<Era> {
        let number = self.count();
        let row = self.table.get(number as usize).filter(|_| number < most)?;
        let (slot, origin) = (first.slot, first.time - 1);
        // Before any word names the era: whoever finds one there finds the era here.
        row.store(u64::from(slot.0) << 32 | u64::from(origin), Ordering::SeqCst);
        self.count.store(number + 1, Ordering::SeqCst);
        Some(Era { number, slot, origin })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }

    /// The moment that a word names.
    #[inline]
    pub(crate) fn epoch(&self, stamp: Stamp) -> Epoch {
        if stamp == Stamp::NONE {
            return Epoch::NONE;
        }
        let row = self.table[stamp.era() as usize].load(Ordering::Acquire);
        Epoch { slot: Slot((row >> 32) as u32), time: row as u32 + stamp.time() }
    }

    /// Where the shim finds the table. It never moves.
    pub(crate) fn address(&self) -> usize {
        self.table.as_ptr().expose_provenance()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slots_time_goes_on_from_era_to_era() {
        let eras = Eras::default();
        let slot = Slot(3);
        let one = eras.begin(Epoch { slot, time: 1 }, 2).expect("there is room");
        let two = eras.begin(Epoch { slot, time: 1 << 20 }, 2).expect("there is room");
        assert_eq!(eras.begin(Epoch { slot, time: 2 << 20 }, 2), None);
        assert_eq!(eras.epoch(one.stamp(7)), Epoch { slot, time: 7 });
        assert_eq!(eras.epoch(one.stamp((1 << 20) - 1)), Epoch { slot, time: (1 << 20) - 1 });
        assert_eq!((two.stamp(1 << 20).era(), two.stamp(1 << 20).time()), (1, 1));
        assert_eq!(eras.epoch(two.stamp(1 << 20)), Epoch { slot, time: 1 << 20 });
        assert_eq!(eras.epoch(Stamp::NONE), Epoch::NONE);
    }
}
