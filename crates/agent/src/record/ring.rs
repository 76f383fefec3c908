//! The buffer of one thread: a ring in memory that Java writes too (AutodromeRecord.java), read by the writer alone.
//!
//! The thread puts an event into the slot at the tail and then moves the tail; the writer reads a run of them and moves the
//! head once. So neither waits for the other unless the ring is full, and the writer sees all that a thread has logged, however
//! long the thread sleeps afterwards.
//! Invariant: one thread at a time moves the tail, one the head; events of a ring have rising sequence numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::ffi::Memory;

/// Events in a ring.
pub(crate) const CAPACITY: u64 = 8192;

/// Where the ends are kept; behind the tail the shim keeps what it knows of the head.
const TAIL: usize = 0;
const HEAD: usize = 64;
const SLOTS: usize = 128;
const SLOT: usize = 32;

/// An event as it lies in a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Raw {
    pub(crate) sequence: u64,
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
        Memory::map(SLOTS + SLOT * CAPACITY as usize).map(|memory| Ring { memory })
    }

    pub(crate) fn address(self) -> usize {
        self.memory.address()
    }

    fn tail(self) -> u64 {
        self.memory.word(TAIL).map_or(0, |word| word.load(Ordering::Acquire))
    }

    fn head(self) -> u64 {
        self.memory.word(HEAD).map_or(0, |word| word.load(Ordering::Acquire))
    }

    /// How many more events fit.
    pub(crate) fn room(self) -> u64 {
        CAPACITY.saturating_sub(self.tail().wrapping_sub(self.head()))
    }

    /// Puts an event in; there must be room.
    pub(crate) fn put(self, raw: &Raw) {
        let tail = self.tail();
        let words = [
            raw.sequence << 8 | u64::from(raw.step),
            u64::from(raw.site) << 32 | u64::from(raw.operand),
            raw.value,
            u64::from(raw.thread) << 32 | u64::from(raw.index),
        ];
        if let Some(slot) = self.memory.words(slot(tail), words.len()) {
            slot.iter().zip(words).for_each(|(place, word)| place.store(word, Ordering::Relaxed));
        }
        if let Some(word) = self.memory.word(TAIL) {
            word.store(tail + 1, Ordering::Release);
        }
    }

    /// What is in it by now.
    pub(crate) fn filled(self) -> Filled {
        let slots = self.memory.words(SLOTS, SLOT / 8 * CAPACITY as usize).unwrap_or_default();
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
    /// The number of the oldest event.
    #[inline]
    pub(crate) fn sequence(&self) -> Option<u64> {
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
            sequence: first >> 8,
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
        if let Some(word) = self.ring.memory.word(HEAD) {
            word.store(self.head, Ordering::Release);
        }
    }

    #[inline]
    fn oldest(&self) -> Option<&'static [AtomicU64]> {
        let place = (self.head % CAPACITY) as usize * (SLOT / 8);
        if self.head == self.tail { None } else { self.slots.get(place..place + SLOT / 8) }
    }
}

fn slot(position: u64) -> usize {
    SLOTS + SLOT * (position % CAPACITY) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_as_they_went_in() {
        let ring = Ring::new().unwrap();
        for round in 0..3 {
            for event in 0..CAPACITY {
                let sequence = round * CAPACITY + event;
                let (site, operand) = (u32::MAX - event as u32, event as u32);
                let raw = Raw { sequence, step: 200, site, operand, value: u64::MAX, thread: 7, index: 9 };
                assert_eq!(ring.room(), CAPACITY - event);
                ring.put(&raw);
            }
            assert_eq!(ring.room(), 0);
            let mut filled = ring.filled();
            for event in 0..CAPACITY {
                let sequence = round * CAPACITY + event;
                assert_eq!(filled.sequence(), Some(sequence));
                let raw = filled.take().unwrap();
                assert_eq!((raw.sequence, raw.step, raw.operand), (sequence, 200, event as u32));
                assert_eq!((raw.site, raw.value, raw.thread, raw.index), (u32::MAX - raw.operand, u64::MAX, 7, 9));
            }
            assert_eq!((filled.sequence(), filled.take()), (None, None));
            assert_eq!(ring.room(), 0, "what was taken is not free yet");
            filled.free();
        }
    }
}
