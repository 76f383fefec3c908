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
//! come to have it while its place is found to be unused. It also gives up clocks that no element has: who gives one to an
//! element holds the lock of the array's clocks ([`Elements::sharing`]). What it may miss (ABA): a thread that is
//! stalled between reading an index and using it may see a recycled word, and replace an access that it did not compare.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

pub(crate) use crate::layout::POOL_OWN as OWN;
use crate::shared::Keeper;
use crate::variable::Place;
use crate::word::{State, Word};
use crate::{Runtime, lock};

/// The low half of `Pool::count`: words used. The high half: misses left before eviction is retried.
const COUNT: u64 = 0xffff_ffff;

/// How many elements may be inspected for each word that finds no room.
const LOOKED_AT: usize = 1024;

/// Only the 32 newest words are searched for an equal read clock.
const NEWEST: usize = 32;

/// A word that at most 1/256 of the elements have is rare.
const RARE_SHARE: usize = 256;

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

    pub(crate) fn get(self, index: u8) -> Word {
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
        let add = |(_, place): &(u8, &AtomicU64)| place.word() == Word::EMPTY && swap(place, Word::EMPTY, word);
        let index = self.find(word).or_else(|| self.others().find(add).map(|(index, _)| index))?;
        let more = |known: u64| (known & COUNT < u64::from(index)).then_some(known & !COUNT | u64::from(index));
        // There is nothing to do if the pool has so many already.
        let _ = self.count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        Some(index)
    }

    /// The places of words of epochs that are over for their threads.
    fn of_the_past(self, runtime: &Runtime) -> Vec<(u8, Word)> {
        let present = runtime.threads.present();
        let is_past = |&(_, word): &(u8, Word)| match word.state() {
            State::Last(stamp, _) => word != Word::EMPTY && present.is_later_than(runtime.threads.epoch(stamp)),
            State::Shared(_) => false,
        };
        self.others().map(|(index, place)| (index, place.word())).filter(is_past).collect()
    }

    /// The places of clocks of reads.
    fn clocks(self) -> Vec<(u8, Word)> {
        let words = self.others().map(|(index, place)| (index, place.word()));
        words.filter(|(_, word)| matches!(word.state(), State::Shared(_))).collect()
    }

    /// Empties a place, if it still has this word.
    fn give_up(self, index: u8, word: Word) -> bool {
        self.place(index).is_some_and(|place| swap(place, word, Word::EMPTY))
    }

    /// The word of a clock of reads that is in the pool and has the same reads. Such words came lately, and mostly lie last.
    fn like(self, word: Word, runtime: &Runtime) -> Option<Word> {
        let count = (self.count.load(Ordering::Relaxed) & COUNT) as usize;
        let lately = self.words.iter().rev().take(count + 1).skip(1).rev().take(NEWEST);
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
    fn moving(&self, element: usize) -> &'a Mutex<()>;

    /// Held while elements get words of clocks of reads, before [`Elements::moving`].
    fn sharing(&self) -> &'a Mutex<()>;
}

/// Where one word of an element lies: in the pool, or in a place of its own.
#[derive(Clone, Copy, Debug)]
pub struct Pooled<'a, E> {
    elements: E,
    pool: Pool<'a>,
    pub(crate) index: &'a AtomicU8,
    element: usize,
    of: usize,
    /// Does the caller hold the lock of the array's clocks?
    is_held: bool,
}

impl<'a, E: Elements<'a>> Pooled<'a, E> {
    /// The word of an element's reads (0) or of its write (1), if there is such an element.
    pub fn new(elements: E, element: usize, of: usize) -> Option<Pooled<'a, E>> {
        let index = elements.indices().get(element)?.get(of)?;
        Some(Pooled { elements, pool: elements.pool()?, index, element, of, is_held: false })
    }

    /// The same for one who holds the lock of the array's clocks.
    pub(crate) fn held(self) -> Pooled<'a, E> {
        Pooled { is_held: true, ..self }
    }

    /// The index of a word, if the pool has it and the element does not have it as its own.
    pub(crate) fn found(&self, word: Word) -> Option<u8> {
        (self.index.load(Ordering::SeqCst) != OWN).then(|| self.pool.find(word))?
    }

    /// The word of the pool with this index.
    pub(crate) fn in_pool(&self, index: u8) -> Option<Word> {
        (index != OWN).then(|| self.pool.get(index))
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

    /// The index of a word in the pool, with room made for it if there is none. `is_held`: the lock of the array's clocks is.
    fn add(&self, word: Word, runtime: &Runtime, is_held: bool) -> Option<u8> {
        self.pool.add(word).or_else(|| self.make_room(runtime, is_held).then(|| self.pool.add(word))?)
    }

    /// Makes room in a full pool: words of past epochs go that no element has any more, or else those that few have, which
    /// get them as their own; and clocks that none has. Says if there may be room now.
    fn make_room(&self, runtime: &Runtime, is_held: bool) -> bool {
        let (count, indices) = (self.pool.count, self.elements.indices());
        if count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |rest| rest.checked_sub(COUNT + 1)).is_ok() {
            return false;
        }
        let _held = (!is_held).then(|| lock(self.elements.sharing()));
        // Whoever gave an element its index did so before its thread was in the later epoch that is seen here.
        let (past, clocks) = (self.pool.of_the_past(runtime), self.pool.clocks());
        let counts = counts(indices);
        let is_unused = |&&(index, _): &&(u8, Word)| counts[usize::from(index)] == 0;
        // Looked for after they were counted: who leaves the pool meanwhile was counted, or is seen here.
        let own = if clocks.iter().any(|clock| is_unused(&clock)) { own_clocks(self.elements) } else { HashSet::new() };
        let mut gone = 0;
        for &(index, word) in clocks.iter().filter(is_unused).filter(|(_, word)| !own.contains(word)) {
            if self.pool.give_up(index, word) {
                runtime.forget(word);
                gone += 1;
            }
        }
        // Room for a few words only would be asked for again at once.
        let unused = gone + past.iter().filter(is_unused).count();
        let few = if unused > self.pool.words.len() / 4 { 0 } else { indices.len() / RARE_SHARE + 1 };
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
        gone +=
            past.iter().filter(|&&(index, word)| goes[usize::from(index)] && self.pool.give_up(index, word)).count();
        // To look at all elements must pay off.
        let rest = if gone > 0 { indices.len() / LOOKED_AT } else { indices.len() };
        count.fetch_add((COUNT + 1).saturating_mul(rest as u64), Ordering::Relaxed);
        gone > 0
    }
}

/// The words of clocks that elements have as their own: they may have had them in the pool before.
fn own_clocks<'a, E: Elements<'a>>(elements: E) -> HashSet<Word> {
    let has_own = |&(_, pair): &(usize, &[AtomicU8; 2])| pair[0].load(Ordering::SeqCst) == OWN;
    let own = elements.indices().iter().enumerate().filter(has_own);
    let words = own.filter_map(|(element, _)| elements.own(element, 0)).map(Place::word);
    words.filter(|word| matches!(word.state(), State::Shared(_))).collect()
}

/// Puts a new word in the place of an old one; says if the old one was still there.
fn swap(place: &AtomicU64, old: Word, new: Word) -> bool {
    place.compare_exchange(old.0, new.0, Ordering::SeqCst, Ordering::SeqCst).is_ok()
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

    fn exchange(&self, old: Word, new: Word, runtime: &Runtime) -> bool {
        let index = self.index.load(Ordering::SeqCst);
        if index == OWN {
            return self.own().is_none_or(|own| swap(own, old, new));
        }
        if self.pool.get(index) != old {
            return false;
        }
        // A clock of reads is in the pool already, or belongs to one element.
        let found = match new.state() {
            State::Last(..) if new != Word::EMPTY => self.add(new, runtime, self.is_held),
            _ => self.pool.find(new),
        };
        match found {
            Some(next) => self.index.compare_exchange(index, next, Ordering::SeqCst, Ordering::SeqCst).is_ok(),
            None => self.leave_pool().is_none_or(|own| swap(own, old, new)),
        }
    }

    fn sharing(&self) -> Option<MutexGuard<'_, ()>> {
        (!self.is_held).then(|| lock(self.elements.sharing()))
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
        if self.add(new, runtime, true).is_none() {
            runtime.keep_for(new, Keeper::One);
        }
        new
    }
}
