//! The words of an array's elements, kept once for all elements that have the same: a few bytes per element.
//!
//! Elements of an array are mostly accessed in runs, by one thread in one epoch at one place in the code, and then have
//! equal words. A pool holds the different words of one array; an element has the index of its word. When the pool is
//! full, an element gets a word of its own. A clock of reads in the pool is that of many elements: it does not change.
//! Precise: an element's word is the one that was recorded for that element, by whatever way it is found. Nothing is
//! said of elements that were not accessed, and nothing is forgotten when an element gets a word of its own.
//! Invariant: a word in the pool never changes, so equal indices mean equal words, and one swap of an index is one swap of a
//! word. A word of an element's own counts once its index says so; who says so holds the lock and has copied the word
//! before.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::shared::Keeper;
use crate::variable::Place;
use crate::word::{State, Word};
use crate::{Runtime, lock};

/// The different words of one array: the empty one, then up to `length - 2` others in the order in which they came.
/// The last place is that of words of an element's own; the shim finds there how many the pool has.
#[derive(Clone, Copy, Debug)]
pub struct Pool<'a>(&'a [AtomicU64]);

impl<'a> Pool<'a> {
    /// A pool of 2 to 256 words, all 0 at first.
    #[must_use]
    pub fn new(words: &'a [AtomicU64]) -> Option<Pool<'a>> {
        (2..=256).contains(&words.len()).then_some(Pool(words))
    }

    /// The index that stands for a word of an element's own.
    fn own(self) -> u8 {
        (self.0.len() - 1) as u8
    }

    fn get(self, index: u8) -> Word {
        self.0.get(usize::from(index)).map_or(Word::EMPTY, Place::word)
    }

    fn others(self) -> impl Iterator<Item = (u8, &'a AtomicU64)> {
        (1..self.own()).zip(self.0.iter().skip(1))
    }

    /// The index of a word that is in the pool.
    fn find(self, word: Word) -> Option<u8> {
        if word == Word::EMPTY {
            return Some(0);
        }
        self.others().find(|(_, place)| place.word() == word).map(|(index, _)| index)
    }

    /// The index of a word, which joins the pool if there is room. Everybody takes the first empty place, so no word
    /// joins twice.
    fn add(self, word: Word) -> Option<u8> {
        let known = self.0.last()?;
        for (index, place) in self.others() {
            let there = place.word();
            if there == word || (there == Word::EMPTY && (place.exchange(there, word) || place.word() == word)) {
                known.fetch_max(u64::from(index), Ordering::SeqCst);
                return Some(index);
            }
        }
        None
    }

    /// The word of a clock of reads that is in the pool and has the same reads.
    fn like(self, word: Word, runtime: &Runtime) -> Option<Word> {
        self.others().map(|(_, place)| place.word()).find(|&known| runtime.is_like(word, known))
    }
}

/// Where the word of an element lies: in a pool, or in a place of its own.
#[derive(Clone, Copy, Debug)]
pub struct Pooled<'a, F> {
    /// The array's pool.
    pub pool: Pool<'a>,
    /// Which word of the pool, or that it has its own.
    pub index: &'a AtomicU8,
    /// The place of its own, made when it is first asked for. `None`: there is no memory; then accesses that need it
    /// are not recorded.
    pub own: F,
    /// Held while an element gets a word of its own.
    pub moving: &'a Mutex<()>,
}

impl<'a, F: Fn() -> Option<&'a AtomicU64>> Pooled<'a, F> {
    /// The element gets a word of its own, the same as it had.
    fn leave_pool(&self) -> Option<&'a AtomicU64> {
        let own = (self.own)()?;
        let _one_at_a_time = lock(self.moving);
        let mut index = self.index.load(Ordering::SeqCst);
        while index != self.pool.own() {
            own.store(self.pool.get(index).0, Ordering::SeqCst);
            match self.index.compare_exchange(index, self.pool.own(), Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => break,
                Err(other) => index = other,
            }
        }
        Some(own)
    }
}

impl<'a, F: Fn() -> Option<&'a AtomicU64>> Place for Pooled<'a, F> {
    fn word(&self) -> Word {
        match self.index.load(Ordering::SeqCst) {
            index if index == self.pool.own() => (self.own)().map_or(Word::EMPTY, Place::word),
            index => self.pool.get(index),
        }
    }

    fn exchange(&self, old: Word, new: Word) -> bool {
        let index = self.index.load(Ordering::SeqCst);
        if index == self.pool.own() {
            return (self.own)().is_none_or(|own| own.exchange(old, new));
        }
        if self.pool.get(index) != old {
            return false;
        }
        // A clock of reads is in the pool already, or belongs to one element.
        let found = match new.state() {
            State::Last(..) if new != Word::EMPTY => self.pool.add(new),
            _ => self.pool.find(new),
        };
        match found {
            Some(next) => self.index.compare_exchange(index, next, Ordering::SeqCst, Ordering::SeqCst).is_ok(),
            None => self.leave_pool().is_none_or(|own| own.exchange(old, new)),
        }
    }

    fn common(&self, new: Word, runtime: &Runtime) -> Word {
        if matches!(new.state(), State::Last(..)) || self.index.load(Ordering::SeqCst) == self.pool.own() {
            return new;
        }
        if let Some(known) = self.pool.like(new, runtime) {
            runtime.discard(new);
            return known;
        }
        runtime.keep_for(new, Keeper::Many);
        if self.pool.add(new).is_none() {
            runtime.keep_for(new, Keeper::One);
        }
        new
    }
}
