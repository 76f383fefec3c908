//! Sets of locksets as small numbers: the weakest locksets under which something was done.
//!
//! A place in the program is reached under few different locksets, and many variables share them, so such sets are
//! interned like locksets are. A set of one, which is the usual, is named by its lockset. Invariant: no member is
//! weaker than another.

use crate::lockset::{Interner, LocksetId, Locksets, SPREAD};

/// The name of a set of locksets: a lockset's own for a set of one, else [`SEVERAL`] and its number in [`Weakest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WeakestId(pub(super) u32);

/// More locksets than this do not fit into memory.
const SEVERAL: u32 = 1 << 31;

impl WeakestId {
    /// Only the empty lockset, which is weaker than all.
    pub(super) const UNLOCKED: WeakestId = WeakestId::only(LocksetId::EMPTY);

    /// The set of one lockset.
    pub(super) const fn only(lockset: LocksetId) -> Self {
        WeakestId(lockset.0)
    }
}

/// A set that would become larger starts again with its newest member: that only loses filtering.
const MOST: usize = 8;

const BITS: u32 = 10;

/// All sets of locksets seen so far.
#[derive(Clone, Debug)]
pub(super) struct Weakest {
    sets: Interner<LocksetId>,
    /// The last answers of [`Weakest::add`].
    answers: Box<[Answer]>,
    scratch: Vec<LocksetId>,
}

#[derive(Clone, Copy, Debug)]
struct Answer {
    set: WeakestId,
    lockset: LocksetId,
    next: Option<WeakestId>,
}

impl Default for Weakest {
    fn default() -> Self {
        let first = Answer { set: WeakestId::UNLOCKED, lockset: LocksetId::EMPTY, next: None };
        Weakest { sets: Interner::default(), answers: vec![first; 1 << BITS].into(), scratch: Vec::new() }
    }
}

impl Weakest {
    /// The set with a lockset added; `None` if a member is weaker.
    #[inline]
    pub(super) fn add(&mut self, locksets: &Locksets, set: WeakestId, lockset: LocksetId) -> Option<WeakestId> {
        if set == WeakestId::UNLOCKED {
            return None;
        }
        let key = u64::from(set.0) << 32 | u64::from(lockset.0);
        let place = (key.wrapping_mul(SPREAD) >> (64 - BITS)) as usize;
        if (self.answers[place].set, self.answers[place].lockset) != (set, lockset) {
            self.answers[place] = Answer { set, lockset, next: self.compute(locksets, set, lockset) };
        }
        self.answers[place].next
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> usize {
        self.sets.bytes() + size_of_val(&*self.answers) + self.scratch.capacity() * size_of::<LocksetId>()
    }

    fn compute(&mut self, locksets: &Locksets, set: WeakestId, lockset: LocksetId) -> Option<WeakestId> {
        let single = [LocksetId(set.0)];
        let members = if set.0 < SEVERAL { &single } else { self.sets.get(set.0 - SEVERAL) };
        if members.iter().any(|&member| locksets.is_weaker(member, lockset)) {
            return None;
        }
        self.scratch.clear();
        self.scratch.extend(members.iter().filter(|&&member| !locksets.is_weaker(lockset, member)));
        if self.scratch.is_empty() || self.scratch.len() == MOST {
            return Some(WeakestId::only(lockset));
        }
        self.scratch.push(lockset);
        self.scratch.sort_unstable();
        Some(WeakestId(SEVERAL + self.sets.intern(&self.scratch)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{LockId, Mode};

    #[test]
    fn only_the_weakest_stay() {
        let mut locksets = Locksets::default();
        let mut set = |locks: &[u32]| locksets.intern(locks.iter().map(|&lock| (LockId(lock), Mode::Write)));
        let (a, b, ab, abc) = (set(&[1]), set(&[2]), set(&[1, 2]), set(&[1, 2, 3]));
        let mut weakest = Weakest::default();
        let only = WeakestId::only(ab);
        assert_eq!(weakest.add(&locksets, only, ab), None);
        assert_eq!(weakest.add(&locksets, only, abc), None);
        let just_a = WeakestId::only(a);
        assert_eq!(weakest.add(&locksets, only, a), Some(just_a));
        let both = weakest.add(&locksets, just_a, b).expect("b is not stronger than a");
        assert_eq!(weakest.sets.get(both.0 - SEVERAL), [a, b]);
        assert_eq!(weakest.add(&locksets, both, ab), None);
        assert_eq!(weakest.add(&locksets, both, LocksetId::EMPTY), Some(WeakestId::UNLOCKED));
        assert_eq!(weakest.add(&locksets, WeakestId::UNLOCKED, a), None);
    }
}
