//! The buffer of one thread: a ring in memory that Java writes too (AutodromeRecord.java), read by the writer alone.
//!
//! The thread puts an event into the slot at the tail and then moves the tail; the writer reads a run of them and moves the
//! head once. So neither waits for the other unless the ring is full, and the writer sees all that a thread has logged, however
//! long the thread sleeps afterwards.
//! A thread logs accesses in its open block, on and on, until it takes a new one or the writer closes it ([`Ring::close`]).
//! Invariant: one thread at a time moves the tail, one the head; the blocks of a ring's events rise.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use runtime::layout::{
    RING_ACTIVE, RING_ARRAY, RING_BLOCK, RING_CAPACITY, RING_CLOSED, RING_HEAD, RING_SLOTS, SLOT_BITS,
};

use crate::ffi::Memory;

/// The thread's end.
const TAIL: usize = 0;

const SLOT: usize = 1 << SLOT_BITS;

/// An event as it lies in a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Raw {
    pub(crate) block: u64,
    pub(crate) step: u8,
    pub(crate) site: u32,
    pub(crate) operand: u32,
    pub(crate) value: u64,
    pub(crate) thread: u32,
    pub(crate) index: u32,
}

/// A ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring {
    memory: Memory,
}

impl Ring {
    pub(crate) fn new() -> Option<Ring> {
        Memory::map(RING_SLOTS + SLOT * RING_CAPACITY as usize).map(|memory| Ring { memory })
    }

    pub(crate) fn address(self) -> usize {
        self.memory.address()
    }

    fn tail(self) -> u64 {
        self.memory.word(TAIL).map_or(0, |word| word.load(Ordering::Acquire))
    }

    fn head(self) -> u64 {
        self.memory.word(RING_HEAD).map_or(0, |word| word.load(Ordering::Acquire))
    }

    /// How many more events fit.
    pub(crate) fn room(self) -> u64 {
        RING_CAPACITY.saturating_sub(self.tail().wrapping_sub(self.head()))
    }

    /// The thread that is to log here has no block yet, and accesses nothing.
    pub(crate) fn start(self) {
        for word in [RING_BLOCK, RING_ARRAY] {
            if let Some(word) = self.memory.word(word) {
                word.store(0, Ordering::Release);
            }
        }
        if let Some(active) = self.memory.word(RING_ACTIVE) {
            // Even: whoever had the ring before is within no access.
            active.fetch_add(active.load(Ordering::Relaxed) % 2, Ordering::Release);
        }
    }

    /// Does the thread access an array of this number?
    pub(crate) fn accesses(self, number: u32) -> bool {
        self.memory.word(RING_ARRAY).is_some_and(|array| array.load(Ordering::Acquire) == u64::from(number))
    }

    /// Forbids the thread to log more in a block, and says whether it may be at it: then the count of what it began and
    /// ended. Once that has changed, or if it is not at it, all events of the block can be seen.
    ///
    /// The shim counts before it takes the stripe of an access and looks up what is closed after; here it is the other way
    /// round, with a fence between. So either the shim sees that the block is closed, or we see that it is at it. When it has
    /// begun anew since we looked, it sees it all the more.
    pub(crate) fn close(self, block: u64) -> Option<u64> {
        self.memory.word(RING_CLOSED)?.store(block, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        self.activity().filter(|count| count % 2 == 1)
    }

    /// The words that the shim uses around an access: how often it began or ended one, its block, what is closed.
    #[cfg(test)]
    pub(super) fn words_of_shim(self) -> [&'static AtomicU64; 3] {
        [RING_ACTIVE, RING_BLOCK, RING_CLOSED].map(|word| self.memory.word(word).expect("a ring has them"))
    }

    /// How often the thread began or ended an access.
    pub(crate) fn activity(self) -> Option<u64> {
        self.memory.word(RING_ACTIVE).map(|word| word.load(Ordering::SeqCst))
    }

    /// Puts an event in, the first of its block; there must be room.
    pub(crate) fn put(self, raw: &Raw) {
        let tail = self.tail();
        let words = [
            raw.block << 8 | u64::from(raw.step),
            u64::from(raw.site) << 32 | u64::from(raw.operand),
            raw.value,
            u64::from(raw.thread) << 32 | u64::from(raw.index),
        ];
        if let Some(slot) = self.memory.words(slot(tail), words.len()) {
            slot.iter().zip(words).for_each(|(place, word)| place.store(word, Ordering::Relaxed));
        }
        if let Some(word) = self.memory.word(RING_BLOCK) {
            word.store(raw.block, Ordering::Relaxed);
        }
        if let Some(word) = self.memory.word(TAIL) {
            word.store(tail + 1, Ordering::Release);
        }
    }

    /// What is in it by now.
    pub(crate) fn filled(self) -> Filled {
        let slots = self.memory.words(RING_SLOTS, SLOT / 8 * RING_CAPACITY as usize).unwrap_or_default();
        Filled { ring: self, slots, head: self.head(), tail: self.tail() }
    }
}

/// The events of a ring that were there at one moment.
pub(crate) struct Filled {
    ring: Ring,
    slots: &'static [AtomicU64],
    /// The position of the oldest one that was not taken.
    head: u64,
    tail: u64,
}

impl Filled {
    /// The block of the oldest event.
    #[inline]
    pub(crate) fn block(&self) -> Option<u64> {
        Some(self.oldest()?.first()?.load(Ordering::Relaxed) >> 8)
    }

    /// Takes the oldest event; its slot is not free yet.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Raw> {
        let [first, place, value, who] = self.oldest()? else { return None };
        let load = |word: &AtomicU64| word.load(Ordering::Relaxed);
        let (first, place, value, who) = (load(first), load(place), load(value), load(who));
        self.head += 1;
        Some(Raw {
            block: first >> 8,
            step: first as u8,
            site: (place >> 32) as u32,
            operand: place as u32,
            value,
            thread: (who >> 32) as u32,
            index: who as u32,
        })
    }

    /// The slots of what was taken are free from now on.
    pub(crate) fn free(&self) {
        if let Some(word) = self.ring.memory.word(RING_HEAD) {
            word.store(self.head, Ordering::Release);
        }
    }

    #[inline]
    fn oldest(&self) -> Option<&'static [AtomicU64]> {
        let place = (self.head % RING_CAPACITY) as usize * (SLOT / 8);
        if self.head == self.tail { None } else { self.slots.get(place..place + SLOT / 8) }
    }
}

fn slot(position: u64) -> usize {
    RING_SLOTS + SLOT * (position % RING_CAPACITY) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_as_they_went_in() {
        let ring = Ring::new().unwrap();
        for round in 0..3 {
            for event in 0..RING_CAPACITY {
                let block = round * RING_CAPACITY + event;
                let (site, operand) = (u32::MAX - event as u32, event as u32);
                let raw = Raw { block, step: 200, site, operand, value: u64::MAX, thread: 7, index: 9 };
                assert_eq!(ring.room(), RING_CAPACITY - event);
                ring.put(&raw);
            }
            assert_eq!(ring.room(), 0);
            let mut filled = ring.filled();
            for event in 0..RING_CAPACITY {
                let block = round * RING_CAPACITY + event;
                assert_eq!(filled.block(), Some(block));
                let raw = filled.take().unwrap();
                assert_eq!((raw.block, raw.step, raw.operand), (block, 200, event as u32));
                assert_eq!((raw.site, raw.value, raw.thread, raw.index), (u32::MAX - raw.operand, u64::MAX, 7, 9));
            }
            assert_eq!((filled.block(), filled.take()), (None, None));
            assert_eq!(ring.room(), 0, "what was taken is not free yet");
            filled.free();
        }
    }

    #[test]
    fn a_block_is_closed_unless_the_thread_may_be_at_it() {
        let ring = Ring::new().unwrap();
        let active = ring.memory.word(RING_ACTIVE).unwrap();
        assert_eq!(ring.close(7), None);
        assert_eq!(ring.memory.word(RING_CLOSED).unwrap().load(Ordering::Relaxed), 7);
        active.store(3, Ordering::Relaxed);
        assert_eq!((ring.close(8), ring.activity()), (Some(3), Some(3)));
        ring.memory.word(RING_ARRAY).unwrap().store(300, Ordering::Relaxed);
        assert!(ring.accesses(300) && !ring.accesses(301));
        ring.start();
        assert!(ring.close(9).is_none() && !ring.accesses(300), "whoever had the ring before is at nothing");
    }
}
