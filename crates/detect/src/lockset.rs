//! Locksets as small numbers: equal sets have equal ids, so that a detector stores and compares one word.
//!
//! A lockset here is a set of (lock, mode), sorted by lock. `a` is *weaker* than `b` if each lock of `a` is in `b` at
//! the same or a stronger mode. Fact that every lockset algorithm here rests on: whoever is kept out by `a` is kept
//! out by `b`. For let `c` hold a lock of `a` such that one of the two modes is for writing. `b` holds that lock
//! at least as strongly, and [`Mode::excludes`] only becomes truer with a stronger mode.
//!
//! Sets are never given back: their number is bounded by what threads really held.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use model::{Event, LockId, Mode, Op, ThreadId};

use crate::held::{Change, Held};
use crate::table::Table;

/// A lock and how it is held.
pub type Hold = (LockId, Mode);

/// The name of a lockset in its [`Locksets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LocksetId(pub(crate) u32);

impl LocksetId {
    /// No lock at all: weaker than every other set.
    pub const EMPTY: LocksetId = LocksetId(0);

    /// The set's number, as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The set's number.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Is the lock held by `holds`, at the same or a stronger mode?
#[inline]
#[must_use]
pub fn is_covered((lock, mode): Hold, holds: &[Hold]) -> bool {
    holds.iter().any(|&(held, strength)| held == lock && strength >= mode)
}

/// Does `holds` keep out a thread that holds the lock?
#[inline]
#[must_use]
pub fn is_excluded((lock, mode): Hold, holds: &[Hold]) -> bool {
    holds.iter().any(|&(held, strength)| held == lock && strength.excludes(mode))
}

/// All locksets seen so far.
#[derive(Clone, Debug)]
pub struct Locksets {
    sets: Interner<Hold>,
    scratch: Vec<Hold>,
}

impl Default for Locksets {
    fn default() -> Self {
        let mut sets = Interner::default();
        sets.intern(&[]);
        Locksets { sets, scratch: Vec::new() }
    }
}

impl Locksets {
    /// The id of a set, given by ascending lock.
    pub fn intern(&mut self, holds: impl Iterator<Item = Hold>) -> LocksetId {
        self.scratch.clear();
        self.scratch.extend(holds);
        LocksetId(self.sets.intern(&self.scratch))
    }

    /// The set of a number that was given out; the empty one for any other number.
    #[must_use]
    pub fn get(&self, number: u32) -> LocksetId {
        if (number as usize) < self.sets.ends.len() { LocksetId(number) } else { LocksetId::EMPTY }
    }

    /// The set with one more lock; a lock that is in it already has the stronger of the two modes.
    pub fn with(&mut self, set: LocksetId, (lock, mode): Hold) -> LocksetId {
        let mut holds = self.holds(set).to_vec();
        match holds.binary_search_by_key(&lock, |&(lock, _)| lock) {
            Ok(held) => holds[held].1 = holds[held].1.max(mode),
            Err(place) => holds.insert(place, (lock, mode)),
        }
        LocksetId(self.sets.intern(&holds))
    }

    /// The locks of a set, ascending.
    #[inline]
    #[must_use]
    pub fn holds(&self, set: LocksetId) -> &[Hold] {
        self.sets.get(set.0)
    }

    /// Is each lock of `one` in `other`, at the same or a stronger mode?
    #[must_use]
    pub fn is_weaker(&self, one: LocksetId, other: LocksetId) -> bool {
        one == other || self.holds(one).iter().all(|&hold| is_covered(hold, self.holds(other)))
    }

    /// The locks that are in both sets; modes are those of `one`.
    pub fn intersect(&mut self, one: LocksetId, other: LocksetId) -> LocksetId {
        let mut common = std::mem::take(&mut self.scratch);
        common.clear();
        let theirs = self.holds(other);
        common.extend(
            self.holds(one).iter().filter(|(lock, _)| theirs.binary_search_by_key(lock, |&(lock, _)| lock).is_ok()),
        );
        let id = LocksetId(self.sets.intern(&common));
        self.scratch = common;
        id
    }

    /// Bytes taken.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.sets.bytes() + self.scratch.capacity() * size_of::<Hold>()
    }
}

/// The current lockset of each thread, by id.
#[derive(Clone, Debug, Default)]
pub struct ThreadLocksets {
    held: Held,
    now: Table<LocksetId>,
    largest: usize,
    /// What the ids stand for.
    pub sets: Locksets,
}

impl ThreadLocksets {
    /// Takes an acquire or release; says the thread's new lockset if it changed.
    pub fn synchronize(&mut self, thread: ThreadId, op: Op) -> Option<LocksetId> {
        let held = self.held.of(thread);
        let change = match op {
            Op::Acquire(lock, mode) => held.acquire(lock, mode),
            Op::Release(lock, mode) => held.release(lock, mode),
            _ => Change::Inner,
        };
        if change == Change::Inner {
            return None;
        }
        self.largest = self.largest.max(held.len());
        let set = self.sets.intern(held.iter());
        *self.now.at(thread.index()) = set;
        Some(set)
    }

    /// The thread's lockset.
    #[inline]
    pub fn of(&mut self, thread: ThreadId) -> LocksetId {
        *self.now.at(thread.index())
    }

    /// The locks that a thread holds.
    pub fn holds(&mut self, thread: ThreadId) -> impl ExactSizeIterator<Item = Hold> + '_ {
        self.held.of(thread).iter()
    }

    /// Bytes taken, but for the few that each thread's own list takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.sets.bytes() + self.now.bytes()
    }

    /// The size of the largest lockset so far.
    #[must_use]
    pub fn largest(&self) -> usize {
        self.largest
    }
}

/// The size of the largest lockset that any thread had: the `N` of O'Callahan and Choi 2003, section 5.4, found by a first pass.
#[derive(Clone, Debug, Default)]
pub struct LargestLockset {
    held: Held,
    size: usize,
}

impl LargestLockset {
    /// Takes one event.
    pub fn observe(&mut self, event: &Event) {
        let held = self.held.of(event.thread);
        match event.op {
            Op::Acquire(lock, mode) => held.acquire(lock, mode),
            Op::Release(lock, mode) => held.release(lock, mode),
            _ => return,
        };
        self.size = self.size.max(held.len());
    }

    /// The size so far.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

/// Slices as numbers: equal slices have equal numbers, counted from 0. All elements lie in one vector.
#[derive(Clone, Debug)]
pub(crate) struct Interner<T> {
    elements: Vec<T>,
    /// Where each slice ends; it begins where the one before it ends.
    ends: Vec<u32>,
    /// Each number at the place of its slice's hash, or at the next free one; at most half full.
    places: Vec<u32>,
}

/// A place that no number has.
const FREE: u32 = u32::MAX;

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { elements: Vec::new(), ends: Vec::new(), places: Vec::new() }
    }
}

impl<T: Copy + Eq + Hash> Interner<T> {
    pub(crate) fn intern(&mut self, slice: &[T]) -> u32 {
        if self.ends.len() * 2 >= self.places.len() {
            self.grow();
        }
        let place = self.find(slice);
        if self.places[place] == FREE {
            self.elements.extend_from_slice(slice);
            self.places[place] = number(self.ends.len());
            self.ends.push(number(self.elements.len()));
        }
        self.places[place]
    }

    /// The slice of a number that [`Self::intern`] gave out.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[T] {
        let number = number as usize;
        let begin = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.elements[begin..self.ends[number] as usize]
    }

    /// Bytes taken.
    pub(crate) fn bytes(&self) -> usize {
        self.elements.capacity() * size_of::<T>() + (self.ends.capacity() + self.places.capacity()) * size_of::<u32>()
    }

    fn find(&self, slice: &[T]) -> usize {
        let mut hasher = FoldHasher::default();
        slice.hash(&mut hasher);
        let mask = self.places.len() - 1;
        let mut place = hasher.finish() as usize & mask;
        while self.places[place] != FREE && self.get(self.places[place]) != slice {
            place = (place + 1) & mask;
        }
        place
    }

    #[cold]
    fn grow(&mut self) {
        self.places = vec![FREE; (self.places.len() * 2).max(16)];
        for known in 0..number(self.ends.len()) {
            let place = self.find(self.get(known));
            self.places[place] = known;
        }
    }
}

/// Four thousand million locks would not fit into memory.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A map for small keys that we make ourselves.
pub type FoldMap<K, V> = HashMap<K, V, BuildHasherDefault<FoldHasher>>;

/// Multiply and fold: a few cycles for a small key. Ids in a trace are dense counters, nobody picks them to collide.
#[derive(Clone, Copy, Debug, Default)]
pub struct FoldHasher(u64);

/// An odd number with no pattern in its bits: the golden ratio's.
pub(crate) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for FoldHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ SPREAD) * u128::from(SPREAD);
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: LockId = LockId(1);
    const B: LockId = LockId(2);

    #[test]
    fn a_set_is_weaker_if_its_locks_are_held_as_strongly() {
        let mut sets = Locksets::default();
        let mut set = |holds: &[Hold]| sets.intern(holds.iter().copied());
        let (none, read, write) = (set(&[]), set(&[(A, Mode::Read)]), set(&[(A, Mode::Write)]));
        let both = set(&[(A, Mode::Read), (B, Mode::Write)]);
        assert_eq!(none, LocksetId::EMPTY);
        assert_eq!(set(&[(A, Mode::Write)]), write);
        assert!(sets.is_weaker(none, read) && sets.is_weaker(read, write) && sets.is_weaker(read, both));
        assert!(!sets.is_weaker(write, read) && !sets.is_weaker(write, both) && !sets.is_weaker(both, write));
    }

    #[test]
    fn reentrant_steps_leave_the_set_as_it_is() {
        let mut threads = ThreadLocksets::default();
        let me = ThreadId(0);
        let outer = threads.synchronize(me, Op::Acquire(A, Mode::Write));
        assert_eq!(threads.synchronize(me, Op::Acquire(A, Mode::Read)), None);
        assert_eq!(threads.synchronize(me, Op::Release(A, Mode::Read)), None);
        assert_eq!(Some(threads.of(me)), outer);
        assert_eq!(threads.synchronize(me, Op::Release(A, Mode::Write)), Some(LocksetId::EMPTY));
        assert_eq!(threads.largest(), 1);
    }

    #[test]
    fn a_lock_taken_again_for_writing_is_held_for_writing() {
        let mut threads = ThreadLocksets::default();
        let me = ThreadId(0);
        let read = threads.synchronize(me, Op::Acquire(A, Mode::Read));
        let write = threads.synchronize(me, Op::Acquire(A, Mode::Write));
        assert_ne!(read, write);
        assert_eq!(threads.sets.holds(threads.now.at(0).to_owned()), [(A, Mode::Write)]);
    }
}
