//! Logical time: epochs and vector clocks.

/// A column of a [`VectorClock`]. Threads that end give their column to later ones, so a clock is as wide as the
/// number of threads that were alive at once, not as the number that ever lived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Slot(pub u32);

impl Slot {
    /// The slot as an index.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A moment of one thread, `c@t` in the FastTrack paper. Time 0 is before everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Epoch {
    /// The thread's column.
    pub slot: Slot,
    /// Its time there.
    pub time: u32,
}

impl Epoch {
    /// Before everything: every clock has seen it.
    pub const NONE: Epoch = Epoch { slot: Slot(0), time: 0 };

    /// Is this the moment before everything?
    #[inline]
    #[must_use]
    pub fn is_none(self) -> bool {
        self.time == 0
    }
}

/// The latest moment of every thread that happens before now.
///
/// Invariant: the last element is not 0, so equal clocks are equal vectors and a clock is no longer than it must be.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct VectorClock(Vec<u32>);

impl VectorClock {
    /// The clock that has seen nothing.
    #[must_use]
    pub const fn new() -> Self {
        VectorClock(Vec::new())
    }

    /// The time seen of one slot.
    #[inline]
    #[must_use]
    pub fn time(&self, slot: Slot) -> u32 {
        self.0.get(slot.index()).copied().unwrap_or(0)
    }

    /// The moment seen of one slot.
    #[inline]
    #[must_use]
    pub fn epoch(&self, slot: Slot) -> Epoch {
        Epoch { slot, time: self.time(slot) }
    }

    /// Does the moment happen before now, or is it now?
    #[inline]
    #[must_use]
    pub fn has_seen(&self, epoch: Epoch) -> bool {
        epoch.time <= self.time(epoch.slot)
    }

    /// Raises one slot to `epoch.time` if it is lower.
    #[inline]
    pub fn see(&mut self, epoch: Epoch) {
        if !self.has_seen(epoch) {
            self.set(epoch);
        }
    }

    /// Puts one slot to `epoch.time`, higher or lower.
    pub fn set(&mut self, epoch: Epoch) {
        let index = epoch.slot.index();
        if index < self.0.len() {
            self.0[index] = epoch.time;
            self.trim();
        } else if epoch.time != 0 {
            self.0.resize(index + 1, 0);
            self.0[index] = epoch.time;
        }
    }

    /// Sees everything that `other` has seen.
    #[inline]
    pub fn join(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
        debug_assert!(self.0.last() != Some(&0), "a clock ends in a time that is not 0");
    }

    /// Becomes equal to `other`, without giving up its allocation.
    #[inline]
    pub fn assign(&mut self, other: &VectorClock) {
        self.0.clone_from(&other.0);
    }

    /// Forgets everything, without giving up its allocation.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Has `later` seen everything that this clock has seen?
    #[inline]
    #[must_use]
    pub fn is_seen_by(&self, later: &VectorClock) -> bool {
        self.0.len() <= later.0.len() && self.0.iter().zip(&later.0).all(|(mine, theirs)| mine <= theirs)
    }

    /// The moments that this clock has seen and `later` has not, by slot.
    pub fn unseen_by<'a>(&'a self, later: &'a VectorClock) -> impl Iterator<Item = Epoch> + 'a {
        self.epochs().filter(|&epoch| !later.has_seen(epoch))
    }

    /// The moments seen, by slot.
    pub fn epochs(&self) -> impl Iterator<Item = Epoch> + '_ {
        self.0
            .iter()
            .enumerate()
            .filter(|&(_, &time)| time != 0)
            .map(|(index, &time)| Epoch { slot: Slot(u32::try_from(index).unwrap_or(u32::MAX)), time })
    }

    /// The times as a slice, by slot.
    #[inline]
    #[must_use]
    pub fn times(&self) -> &[u32] {
        &self.0
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

/// A clock from its times, by slot.
impl FromIterator<u32> for VectorClock {
    fn from_iter<I: IntoIterator<Item = u32>>(times: I) -> Self {
        let mut clock = VectorClock(times.into_iter().collect());
        clock.trim();
        clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(times: &[u32]) -> VectorClock {
        times.iter().copied().collect()
    }

    #[test]
    fn equal_clocks_are_equal_values() {
        assert_eq!(clock(&[1, 0, 0]), clock(&[1]));
        let mut lowered = clock(&[1, 0, 7]);
        lowered.set(Epoch { slot: Slot(2), time: 0 });
        assert_eq!(lowered, clock(&[1]));
    }

    #[test]
    fn join_is_the_least_upper_bound() {
        let mut a = clock(&[3, 1]);
        a.join(&clock(&[2, 5, 1]));
        assert_eq!(a, clock(&[3, 5, 1]));
        assert!(clock(&[3, 1]).is_seen_by(&a));
        assert!(!clock(&[4]).is_seen_by(&a));
        assert!(!a.is_seen_by(&clock(&[3, 5])));
    }

    #[test]
    fn unseen_moments_are_named() {
        let unseen: Vec<_> = clock(&[3, 5, 0, 2]).unseen_by(&clock(&[3, 4])).collect();
        assert_eq!(unseen, [Epoch { slot: Slot(1), time: 5 }, Epoch { slot: Slot(3), time: 2 }]);
    }

    #[test]
    fn time_zero_is_seen_by_all() {
        assert!(VectorClock::new().has_seen(Epoch::NONE));
        assert!(VectorClock::new().has_seen(Epoch { slot: Slot(9), time: 0 }));
    }
}
