//! The simple mode of hybrid.txt §6.2, close to Eraser: a location is racy once it has been written, more than one
//! thread has accessed it, and no lock was held at all of its accesses.
//!
//! Lock modes are ours: a write counts only locks held for writing, a read counts all that it holds. There is no
//! ownership phase here; put [`Locality`](crate::locality::Locality) in front to have the paper's. Reports much that
//! cannot happen (a start or a hand-over is not seen) and misses nothing that a pairwise lockset check would find.
//! Each location is reported once: the later access is the one that makes the condition true, the earlier one is the
//! last access of another thread. The condition is about all accesses together, so these two need not conflict with
//! each other.
//!
//! Invariant: the candidates of a location only shrink.

use model::{Access, AccessKind, Event, EventIndex, Evidence, Mode, Op, Race, ThreadId};

use crate::Detector;
use crate::lockset::{LocksetId, SPREAD, ThreadLocksets};
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

/// The locks that count for a thread's accesses, all counted as held for writing.
#[derive(Clone, Copy, Debug, Default)]
struct Protection {
    reads: LocksetId,
    writes: LocksetId,
}

/// Reports each location for which no lock was held throughout.
#[derive(Clone, Debug, Default)]
pub struct Eraser {
    locksets: ThreadLocksets,
    protection: Table<Protection>,
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

impl Detector for Eraser {
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        let thread = event.thread;
        let Some((var, kind)) = event.op.access() else {
            self.synchronize(thread, event.op);
            return;
        };
        let protection = self.protection.at(thread.index());
        let held = match kind {
            AccessKind::Read => protection.reads,
            AccessKind::Write => protection.writes,
        };
        let access = Access { thread, kind, site: event.site, at };
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
        *candidates = self.intersections.of(&mut self.locksets, *candidates, held);
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

    fn rules(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("one thread", self.rules.exclusive),
            ("no write", self.rules.unwritten),
            ("common lock", self.rules.protected),
            ("race", self.rules.race),
            ("reported before", self.rules.racy),
        ]
    }
}

impl Eraser {
    fn synchronize(&mut self, thread: ThreadId, op: Op) {
        if self.locksets.synchronize(thread, op).is_none() {
            return;
        }
        let held: Vec<_> = self.locksets.holds(thread).collect();
        let all = held.iter().map(|&(lock, _)| (lock, Mode::Write));
        let exclusive = held.iter().copied().filter(|&(_, mode)| mode == Mode::Write);
        *self.protection.at(thread.index()) =
            Protection { reads: self.locksets.sets.intern(all), writes: self.locksets.sets.intern(exclusive) };
    }
}

/// The last results of intersecting two locksets, so that the usual access costs no search.
#[derive(Clone, Debug)]
struct Intersections(Box<[(LocksetId, LocksetId, LocksetId)]>);

impl Intersections {
    const BITS: u32 = 9;

    fn of(&mut self, locksets: &mut ThreadLocksets, one: LocksetId, other: LocksetId) -> LocksetId {
        if one == other || one == LocksetId::EMPTY {
            return one;
        }
        let key = u64::from(one.0) << 32 | u64::from(other.0);
        let place = key.wrapping_mul(SPREAD) >> (64 - Self::BITS);
        let line = &mut self.0[place as usize];
        if (line.0, line.1) != (one, other) {
            *line = (one, other, locksets.sets.intersect(one, other));
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
