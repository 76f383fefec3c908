//! The simple mode of O'Callahan and Choi 2003, section 6.2, close to Eraser: a location is racy once it has been written, more
//! than one thread has accessed it, and no lock was held at all of its accesses.
//!
//! Lock modes are ours: a write counts only locks held for writing, a read counts all that it holds. There is no
//! ownership phase here; put [`Locality`](crate::locality::Locality) in front to have one. Reports much that
//! cannot happen (a start or a hand-over is not seen) and misses nothing that a pairwise lockset check would find.
//! Each location is reported once: the later access is the one that makes the condition true, the earlier one is the
//! last access of another thread. The condition is about all accesses together, so these two need not conflict with
//! each other.
//!
//! Invariant: the candidates of a location only shrink.

use model::{Access, AccessKind, Event, EventIndex, Evidence, Mode, Race, VarId};

use crate::Detector;
use crate::lockset::{LocksetId, Locksets, SPREAD, ThreadLocksets};
use crate::table::Table;

/// What is known of one location.
#[derive(Clone, Copy, Debug, Default)]
enum Location {
    #[default]
    Untouched,
    Watched {
        /// The locks held at every access so far, all counted as held for writing.
        candidates: LocksetId,
        written: bool,
        last: Access,
        /// The last access by a thread other than that of `last`.
        other: Option<Access>,
    },
    Racy,
}

/// Whose further accesses to a location can tell something new. An access is as strong as another if it is of the same kind,
/// or a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum News {
    /// Everybody's, but for what the same thread did before under the same locks and as strongly.
    #[default]
    Threads,
    /// Those that nobody has made under the same locks and as strongly: more than one thread has come, and from then on the
    /// condition is about locks and kinds only.
    Locks,
    /// Writes: no lock is left, and nothing is written.
    Writes,
    /// None: a race was reported.
    Nothing,
}

/// The locks that count for a thread's accesses, all counted as held for writing.
#[derive(Clone, Copy, Debug, Default)]
struct Protection {
    reads: LocksetId,
    writes: LocksetId,
}

/// Simple mode: what is known of all locations, and the rule that decides. Locksets are the caller's: those of a trace, or
/// those of a running program.
#[derive(Clone, Debug, Default)]
pub struct Simple {
    /// By lockset.
    protection: Table<Option<Protection>>,
    locations: Table<Location>,
    intersections: Intersections,
    rules: Rules,
}

#[derive(Clone, Copy, Debug, Default)]
struct Rules {
    exclusive: u64,
    unwritten: u64,
    protected: u64,
    race: u64,
    racy: u64,
}

impl Simple {
    /// Takes an access under the locks `held`; calls `races` if it makes the location racy.
    pub fn access(
        &mut self,
        var: VarId,
        access: Access,
        held: LocksetId,
        sets: &mut Locksets,
        races: &mut dyn FnMut(Race),
    ) {
        let Access { thread, kind, .. } = access;
        let protection = self.protection(held, sets);
        let held = match kind {
            AccessKind::Read => protection.reads,
            AccessKind::Write => protection.writes,
        };
        let location = self.locations.at(var.index());
        let Location::Watched { candidates, written, last, other } = location else {
            match location {
                Location::Racy => self.rules.racy += 1,
                _ => {
                    self.rules.exclusive += 1;
                    let written = kind == AccessKind::Write;
                    *location = Location::Watched { candidates: held, written, last: access, other: None };
                }
            }
            return;
        };
        *candidates = self.intersections.of(sets, *candidates, held);
        *written |= kind == AccessKind::Write;
        if last.thread != thread {
            *other = Some(*last);
        }
        *last = access;
        match *other {
            None => self.rules.exclusive += 1,
            Some(_) if !*written => self.rules.unwritten += 1,
            Some(_) if *candidates != LocksetId::EMPTY => self.rules.protected += 1,
            Some(earlier) => {
                self.rules.race += 1;
                *location = Location::Racy;
                races(Race { var, earlier, later: access, evidence: Evidence::NoCommonLock });
            }
        }
    }

    /// What can still be learned of the location.
    #[must_use]
    pub fn news(&self, var: VarId) -> News {
        match self.locations.get(var.index()) {
            Some(Location::Racy) => News::Nothing,
            Some(Location::Watched { candidates: LocksetId::EMPTY, written: false, other: Some(_), .. }) => {
                News::Writes
            }
            Some(Location::Watched { other: Some(_), .. }) => News::Locks,
            _ => News::Threads,
        }
    }

    /// The location is gone, and its number will be another's.
    pub fn forget(&mut self, var: VarId) {
        *self.locations.at(var.index()) = Location::Untouched;
    }

    #[inline]
    fn protection(&mut self, held: LocksetId, sets: &mut Locksets) -> Protection {
        *self.protection.at(held.index()).get_or_insert_with(|| {
            let holds = sets.holds(held).to_vec();
            let all = holds.iter().map(|&(lock, _)| (lock, Mode::Write));
            let exclusive = holds.iter().copied().filter(|&(_, mode)| mode == Mode::Write);
            Protection { reads: sets.intern(all), writes: sets.intern(exclusive) }
        })
    }

    /// How often each rule fired.
    #[must_use]
    pub fn rules(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("one thread", self.rules.exclusive),
            ("no write", self.rules.unwritten),
            ("common lock", self.rules.protected),
            ("race", self.rules.race),
            ("reported before", self.rules.racy),
        ]
    }
}

/// Reports each location of a trace for which no lock was held throughout.
#[derive(Clone, Debug, Default)]
pub struct Eraser {
    locksets: ThreadLocksets,
    simple: Simple,
}

impl Detector for Eraser {
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        let thread = event.thread;
        match event.op.access() {
            None => {
                self.locksets.synchronize(thread, event.op);
            }
            Some((var, kind)) => {
                let access = Access { thread, kind, site: event.site, at };
                let held = self.locksets.of(thread);
                self.simple.access(var, access, held, &mut self.locksets.sets, races);
            }
        }
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        self.simple.rules()
    }
}

/// The last results of intersecting two locksets, so that the usual access costs no search.
#[derive(Clone, Debug)]
struct Intersections(Box<[(LocksetId, LocksetId, LocksetId)]>);

impl Intersections {
    const BITS: u32 = 9;

    fn of(&mut self, sets: &mut Locksets, one: LocksetId, other: LocksetId) -> LocksetId {
        if one == other || one == LocksetId::EMPTY {
            return one;
        }
        let key = u64::from(one.0) << 32 | u64::from(other.0);
        let place = key.wrapping_mul(SPREAD) >> (64 - Self::BITS);
        let line = &mut self.0[place as usize];
        if (line.0, line.1) != (one, other) {
            *line = (one, other, sets.intersect(one, other));
        }
        line.2
    }
}

impl Default for Intersections {
    /// Each line starts as the intersection of the empty set with itself.
    fn default() -> Self {
        Intersections(vec![Default::default(); 1 << Self::BITS].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{LockId, SiteId, ThreadId};

    /// One of the accesses that the test below has: by one of three threads, under a lock, two, or none.
    fn access(which: usize, at: usize) -> (Access, usize) {
        let kind = if which % 2 == 0 { AccessKind::Read } else { AccessKind::Write };
        let thread = ThreadId((which / 2 % 3) as u32);
        (Access { thread, kind, site: SiteId(0), at: EventIndex(at as u64) }, which / 6)
    }

    /// Where of these accesses the race is, if those are left out that are said to tell nothing, or if all are seen.
    fn race(accesses: &[usize], leaves_out: bool) -> Option<EventIndex> {
        let (mut simple, mut sets) = (Simple::default(), Locksets::default());
        let holds = [(LockId(1), Mode::Write), (LockId(2), Mode::Write)];
        let held =
            [sets.intern([].into_iter()), sets.intern(holds[..1].iter().copied()), sets.intern(holds.into_iter())];
        let var = VarId(0);
        let mut race = None;
        let mut seen: Vec<(Access, usize)> = Vec::new();
        for (at, &which) in accesses.iter().enumerate() {
            let (access, locks) = access(which, at);
            let strong = |kind| kind == AccessKind::Write || access.kind == AccessKind::Read;
            let mut before = seen.iter().filter(|earlier| earlier.1 == locks && strong(earlier.0.kind));
            let is_told = match simple.news(var) {
                News::Threads => before.any(|earlier| earlier.0.thread == access.thread),
                News::Locks => before.next().is_some(),
                News::Writes => access.kind == AccessKind::Read,
                News::Nothing => true,
            };
            if !(leaves_out && is_told) {
                simple.access(var, access, held[locks], &mut sets, &mut |found| race = Some(found.later.at));
            }
            seen.push((access, locks));
        }
        race
    }

    #[test]
    fn what_is_said_to_tell_nothing_changes_no_verdict() {
        const KINDS: usize = 18;
        let mut races = 0;
        for number in 0..KINDS.pow(4) {
            let accesses: Vec<usize> = (0..4).map(|place| number / KINDS.pow(place) % KINDS).collect();
            let expected = race(&accesses, false);
            assert_eq!(race(&accesses, true), expected, "{accesses:?}");
            races += usize::from(expected.is_some());
        }
        assert!(races > 1000, "{races}");
    }
}
