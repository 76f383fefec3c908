//! What prediction remembers of one variable.

use model::{AccessKind, Epoch, EventIndex, LockId, SiteId, Slot, VectorClock};

use super::history::Holds;

/// An access that a later one may race with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) time: u32,
    pub(super) holds: Holds,
    pub(super) site: SiteId,
    pub(super) at: EventIndex,
}

/// The accesses of one slot, by kind, in order.
#[derive(Clone, Debug)]
pub(super) struct Accesses {
    pub(super) slot: Slot,
    reads: Vec<Candidate>,
    writes: Vec<Candidate>,
}

impl Accesses {
    pub(super) fn of(&self, kind: AccessKind) -> &[Candidate] {
        match kind {
            AccessKind::Read => &self.reads,
            AccessKind::Write => &self.writes,
        }
    }

    fn of_mut(&mut self, kind: AccessKind) -> &mut Vec<Candidate> {
        match kind {
            AccessKind::Read => &mut self.reads,
            AccessKind::Write => &mut self.writes,
        }
    }
}

/// Which pairs a [`Stream`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pairs {
    pub(super) earlier: Slot,
    pub(super) later: Slot,
    /// The kind of the earlier access.
    pub(super) kind: AccessKind,
}

/// How far the search has come for pairs of one kind between two slots.
///
/// Invariant: the candidates before `next` are in the ideal of every pair still to come, and so is `ideal`. For the
/// ideal of a pair only grows when either access is replaced by a later one of its slot.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pairs: Pairs,
    pub(super) next: usize,
    pub(super) ideal: VectorClock,
}

/// The state of one variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) last_write: Epoch,
    /// The locks held for writing at all accesses so far; `None` before the first.
    common: Option<Vec<LockId>>,
    accesses: Vec<Accesses>,
    /// By their pairs.
    streams: Vec<Stream>,
}

impl Default for Variable {
    fn default() -> Self {
        Variable { last_write: Epoch::NONE, common: None, accesses: Vec::new(), streams: Vec::new() }
    }
}

/// What the history of a variable says about one more access, before any pair is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suspicion {
    /// One lock was held for writing at every access so far: no two can race.
    Guarded,
    /// Some pairs may race.
    Open,
}

impl Variable {
    /// Takes the locks held for writing at one more access into account.
    pub(super) fn guard(&mut self, locks: impl Iterator<Item = LockId> + Clone) -> Suspicion {
        let common = match &mut self.common {
            Some(common) => {
                common.retain(|&lock| locks.clone().any(|other| other == lock));
                common
            }
            None => self.common.insert(locks.collect()),
        };
        if common.is_empty() { Suspicion::Open } else { Suspicion::Guarded }
    }

    /// How many slots have accessed the variable.
    pub(super) fn slots(&self) -> usize {
        self.accesses.len()
    }

    /// The accesses of the `place`-th of them, with the search for races with later ones of slot `later`; `None` if
    /// it is that slot itself or has no access of the kind.
    pub(super) fn stream(
        &mut self,
        place: usize,
        later: Slot,
        kind: AccessKind,
    ) -> Option<(Slot, &[Candidate], &mut Stream)> {
        let accesses = self.accesses.get(place)?;
        let earlier = accesses.slot;
        let candidates = accesses.of(kind);
        if earlier == later || candidates.is_empty() {
            return None;
        }
        let pairs = Pairs { earlier, later, kind };
        let found = self.streams.binary_search_by_key(&pairs, |stream| stream.pairs).unwrap_or_else(|place| {
            self.streams.insert(place, Stream { pairs, next: 0, ideal: VectorClock::new() });
            place
        });
        Some((earlier, candidates, &mut self.streams[found]))
    }

    /// The latest access of a kind by a slot.
    pub(super) fn latest(&self, slot: Slot, kind: AccessKind) -> Option<&Candidate> {
        self.accesses.iter().find(|accesses| accesses.slot == slot)?.of(kind).last()
    }

    pub(super) fn add(&mut self, slot: Slot, kind: AccessKind, candidate: Candidate) {
        let place = self.accesses.iter().position(|accesses| accesses.slot == slot).unwrap_or_else(|| {
            self.accesses.push(Accesses { slot, reads: Vec::new(), writes: Vec::new() });
            self.accesses.len() - 1
        });
        self.accesses[place].of_mut(kind).push(candidate);
    }
}
