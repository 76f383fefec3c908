//! The words of an array's elements, kept once for all elements that have the same: a few bytes per element.
//!
//! Elements of an array are mostly accessed in runs, by one thread in one epoch at one place in the code, and then have
//! equal words. A pool holds the different words of one array; an element has the index of its word. When the pool is
//! full, an element gets a word of its own. A clock of reads in the pool is that of many elements: it does not change.
//! Precise: an element's word is the one that was recorded for that element, by whatever way it is found. Nothing is
//! said of elements that were not accessed, and nothing is forgotten when an element gets a word of its own.
//! Invariant: equal indices mean equal words, and one swap of an index is one swap of a word. A word in the pool does not change
//! while an element has it, but for one that is renewed because all elements that have it are accessed at once
//! (AutodromeRenewal.java). A word of an element's own counts once its index says so; who says so holds the lock and has
//! copied the word before.
//!
//! A full pool gives up words of past epochs that no element has, or few. Nobody makes such a word again, so no element can
//! come to have it while its place is found to be unused. What it may miss: who has looked at an index and is held up until its
//! place has another word, and the same element has that, takes the place of an access that it did not look at.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::shared::Keeper;
use crate::variable::Place;
use crate::word::{Stamp, State, Word};
use crate::{Runtime, lock};

/// How many words a pool has; above it is for how many words that do not fit no room is made.
const COUNT: u64 = 0xffff_ffff;

/// For one word that finds no room, so many elements may be looked at.
const LOOKED_AT: usize = 1024;

/// Of so many words, those that lie last, one may be of the same reads as another.
const LATELY: usize = 32;

/// Of so many elements one is few.
const FEW: usize = 256;

/// The index that stands for a word of an element's own.
const OWN: u8 = 254;

/// The different words of one array: the empty one, then up to 253 others. The shim reads them.
#[derive(Clone, Copy, Debug)]
pub struct Pool<'a> {
    /// From the last one to the first, which is the empty one.
    words: &'a [AtomicU64],
    /// In its lower half, how many words the pool has.
    count: &'a AtomicU64,
}

impl<'a> Pool<'a> {
    /// A pool with room for so many words, those beyond 253 unused; all 0 at first.
    #[must_use]
    pub fn new(words: &'a [AtomicU64], count: &'a AtomicU64) -> Pool<'a> {
        Pool { words: words.get(words.len().saturating_sub(OWN.into())..).unwrap_or_default(), count }
    }

    fn place(self, index: u8) -> Option<&'a AtomicU64> {
        self.words.iter().rev().nth(index.into())
    }

    fn get(self, index: u8) -> Word {
        self.place(index).map_or(Word::EMPTY, Place::word)
    }

    fn others(self) -> impl Iterator<Item = (u8, &'a AtomicU64)> {
        (1..OWN).zip(self.words.iter().rev().skip(1))
    }

    /// The index of a word that is in the pool.
    fn find(self, word: Word) -> Option<u8> {
        if word == Word::EMPTY {
            return Some(0);
        }
        self.others().find(|(_, place)| place.word() == word).map(|(index, _)| index)
    }

    /// The index of a word, which joins the pool if there is room. No word joins twice: that of an epoch comes from the
    /// epoch's thread alone, that of a clock from whoever made the clock.
    fn add(self, word: Word) -> Option<u8> {
        // A look before each swap: most places of a pool that is nearly full are taken.
        let add = |(_, place): &(u8, &AtomicU64)| place.word() == Word::EMPTY && place.exchange(Word::EMPTY, word);
        let index = self.find(word).or_else(|| self.others().find(add).map(|(index, _)| index))?;
        let more = |known: u64| (known & COUNT < u64::from(index)).then_some(known & !COUNT | u64::from(index));
        // There is nothing to do if the pool has so many already.
        let _ = self.count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        Some(index)
    }

    /// The places of words of past epochs: those of which a later one of the same era is here, or this one.
    fn of_the_past(self, new: Word) -> Vec<(u8, Word)> {
        let words: Vec<(u8, Word)> = self.others().map(|(index, place)| (index, place.word())).collect();
        let is_later = |other: Word, stamp: Stamp| match other.state() {
            State::Last(later, _) => later.era() == stamp.era() && later.time() > stamp.time(),
            State::Shared(_) => false,
        };
        let is_past = |&&(_, word): &&(u8, Word)| match word.state() {
            State::Last(stamp, _) if word != Word::EMPTY => {
                is_later(new, stamp) || words.iter().any(|&(_, other)| is_later(other, stamp))
            }
            _ => false,
        };
        words.iter().filter(is_past).copied().collect()
    }

    /// Empties a place, if it still has this word.
    fn give_up(self, index: u8, word: Word) -> bool {
        self.place(index).is_some_and(|place| place.exchange(word, Word::EMPTY))
    }

    /// The word of a clock of reads that is in the pool and has the same reads. Such words came lately, and mostly lie last.
    fn like(self, word: Word, runtime: &Runtime) -> Option<Word> {
        let count = (self.count.load(Ordering::Relaxed) & COUNT) as usize;
        let lately = self.words.iter().rev().take(count + 1).skip(1).rev().take(LATELY);
        runtime.like(word, lately.map(Place::word))
    }
}

/// The elements of an array with a pool.
pub trait Elements<'a>: Copy {
    /// The array's pool, if it has one.
    fn pool(&self) -> Option<Pool<'a>>;

    /// By element, which word of the pool it has for its reads and its write, or that it has its own.
    fn indices(&self) -> &'a [[AtomicU8; 2]];

    /// The place of a word of an element's own, made when it is first asked for. `None`: there is no memory; then accesses
    /// that need it are not recorded.
    fn own(&self, element: usize, of: usize) -> Option<&'a AtomicU64>;

    /// Held while an element gets a word of its own.
    fn moving(&self, element: usize) -> &Mutex<()>;
}

/// Where one word of an element lies: in the pool, or in a place of its own.
#[derive(Clone, Copy, Debug)]
pub struct Pooled<'a, E> {
    elements: E,
    pool: Pool<'a>,
    index: &'a AtomicU8,
    element: usize,
    of: usize,
}

impl<'a, E: Elements<'a>> Pooled<'a, E> {
    /// The word of an element's reads (0) or of its write (1), if there is such an element.
    pub fn new(elements: E, element: usize, of: usize) -> Option<Pooled<'a, E>> {
        let index = elements.indices().get(element)?.get(of)?;
        Some(Pooled { elements, pool: elements.pool()?, index, element, of })
    }

    fn own(&self) -> Option<&'a AtomicU64> {
        self.elements.own(self.element, self.of)
    }

    /// The element gets a word of its own, the same as it had.
    fn leave_pool(&self) -> Option<&'a AtomicU64> {
        let own = self.own()?;
        let _one_at_a_time = lock(self.elements.moving(self.element));
        let mut index = self.index.load(Ordering::SeqCst);
        while index != OWN {
            own.store(self.pool.get(index).0, Ordering::SeqCst);
            match self.index.compare_exchange(index, OWN, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => break,
                Err(other) => index = other,
            }
        }
        Some(own)
    }

    /// The element gets a word of its own before it needs one. Says if there was memory.
    pub fn leave(&self) -> bool {
        self.leave_pool().is_some()
    }

    /// The index of a word in the pool, with room made for it if there is none.
    fn add(&self, word: Word) -> Option<u8> {
        self.pool.add(word).or_else(|| self.make_room(word).then(|| self.pool.add(word))?)
    }

    /// Makes room in a full pool: words of past epochs go that no element has any more, or else those that few have, which
    /// get them as their own. Says if there may be room now.
    fn make_room(&self, new: Word) -> bool {
        let (count, indices) = (self.pool.count, self.elements.indices());
        if count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |rest| rest.checked_sub(COUNT + 1)).is_ok() {
            return false;
        }
        // Whoever gave an element its index did so before the later epoch that is seen here.
        let past = self.pool.of_the_past(new);
        let counts = counts(indices);
        // Room for a few words only would be asked for again at once.
        let unused = past.iter().filter(|&&(index, _)| counts[usize::from(index)] == 0).count();
        let few = if unused > self.pool.words.len() / 4 { 0 } else { indices.len() / FEW + 1 };
        let mut goes = [false; 256];
        past.iter().for_each(|&(index, _)| goes[usize::from(index)] = counts[usize::from(index)] <= few);
        if few > 0 {
            for (element, pair) in indices.iter().enumerate() {
                for (of, index) in pair.iter().enumerate() {
                    let index = usize::from(index.load(Ordering::Acquire));
                    let pooled = goes[index].then(|| Pooled::new(self.elements, element, of)).flatten();
                    if pooled.is_some_and(|pooled| pooled.leave_pool().is_none()) {
                        goes[index] = false;
                    }
                }
            }
        }
        let gone = past.iter().filter(|&&(index, word)| goes[usize::from(index)] && self.pool.give_up(index, word));
        let has_room = gone.count() > 0;
        // To look at all elements must pay off.
        let rest = if has_room { indices.len() / LOOKED_AT } else { indices.len() };
        count.fetch_add((COUNT + 1).saturating_mul(rest as u64), Ordering::Relaxed);
        has_room
    }
}

/// By index, how often elements have it. Neighbours are mostly alike, so they are counted together.
fn counts(indices: &[[AtomicU8; 2]]) -> [usize; 256] {
    let mut counts = [0; 256];
    let mut count = |pair: [u8; 2], alike: usize| pair.iter().for_each(|&index| counts[usize::from(index)] += alike);
    let (mut last, mut alike) = ([0; 2], 0);
    for pair in indices {
        let pair = [pair[0].load(Ordering::Acquire), pair[1].load(Ordering::Acquire)];
        if pair != last {
            count(last, alike);
            (last, alike) = (pair, 0);
        }
        alike += 1;
    }
    count(last, alike);
    counts
}

impl<'a, E: Elements<'a>> Place for Pooled<'a, E> {
    fn word(&self) -> Word {
        match self.index.load(Ordering::SeqCst) {
            OWN => self.own().map_or(Word::EMPTY, Place::word),
            index => self.pool.get(index),
        }
    }

    fn exchange(&self, old: Word, new: Word) -> bool {
        let index = self.index.load(Ordering::SeqCst);
        if index == OWN {
            return self.own().is_none_or(|own| own.exchange(old, new));
        }
        if self.pool.get(index) != old {
            return false;
        }
        // A clock of reads is in the pool already, or belongs to one element.
        let found = match new.state() {
            State::Last(..) if new != Word::EMPTY => self.add(new),
            _ => self.pool.find(new),
        };
        match found {
            Some(next) => self.index.compare_exchange(index, next, Ordering::SeqCst, Ordering::SeqCst).is_ok(),
            None => self.leave_pool().is_none_or(|own| own.exchange(old, new)),
        }
    }

    fn common(&self, new: Word, runtime: &Runtime) -> Word {
        if matches!(new.state(), State::Last(..)) || self.index.load(Ordering::SeqCst) == OWN {
            return new;
        }
        if let Some(known) = self.pool.like(new, runtime) {
            runtime.discard(new);
            return known;
        }
        runtime.keep_for(new, Keeper::Many);
        if self.add(new).is_none() {
            runtime.keep_for(new, Keeper::One);
        }
        new
    }
}
