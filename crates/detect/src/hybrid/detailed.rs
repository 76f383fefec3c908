//! Detailed mode: what is recorded of each location, and the rules of O'Callahan and Choi 2003, sections 4.2 and 5 that decide
//! with it.
//!
//! Clocks and locksets are the caller's: those of a trace, or those of a running program. The argument why accesses may
//! be left out is in the [module above](super), and so is the invariant.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use model::{Access, AccessKind, Epoch, Evidence, Race, SiteId, VarId, VectorClock};

use super::trie::{Root, Tries, Tuple};
use super::{Redundancy, Report, Settings, Switch};
use crate::lockset::{FoldHasher, LocksetId, Locksets};
use crate::table::Table;

/// When an access is made, and under which locks.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The moment of the access in its thread's own time.
    pub moment: Epoch,
    /// What the thread has seen.
    pub past: &'a VectorClock,
    /// The locks that it holds.
    pub held: LocksetId,
    /// What the numbers of locksets stand for.
    pub sets: &'a Locksets,
}

/// What is known of one location, with its last access inline: a repeated access needs nothing else.
#[derive(Clone, Copy, Debug)]
struct Location {
    moment: Epoch,
    lockset: LocksetId,
    site: SiteId,
    root: Root,
    /// How many accesses the trie holds.
    recorded: u32,
    /// How many it may hold before it is searched for useless ones.
    limit: u32,
    kind: AccessKind,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Watched,
    Racy,
}

/// A trie of so many accesses is not worth searching for useless ones.
const SMALL_TRIE: u32 = 8;

impl Default for Location {
    fn default() -> Self {
        Location {
            moment: Epoch::NONE,
            lockset: LocksetId::EMPTY,
            site: SiteId(0),
            root: Root::default(),
            recorded: 0,
            limit: SMALL_TRIE,
            kind: AccessKind::Read,
            stage: Stage::Watched,
        }
    }
}

/// A place and what is done there: what a reader of reports tells apart.
type Place = (SiteId, AccessKind);

/// What is recorded of all locations.
#[derive(Clone, Debug, Default)]
pub struct Detailed {
    settings: Settings,
    locations: Table<Location>,
    tries: Tries,
    reported: HashSet<(VarId, Place, Place), BuildHasherDefault<FoldHasher>>,
    rules: Rules,
}

#[derive(Clone, Copy, Debug, Default)]
struct Rules {
    repeated: u64,
    subset: u64,
    oversized: u64,
    recorded: u64,
    forgotten: u64,
    race: u64,
    racy: u64,
}

impl Detailed {
    /// Nothing is recorded yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Detailed { settings, ..Detailed::default() }
    }

    /// What it does.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How often each rule fired.
    #[must_use]
    pub fn rules(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("repeated", self.rules.repeated),
            ("lockset-subset", self.rules.subset),
            ("oversized-lockset", self.rules.oversized),
            ("recorded", self.rules.recorded),
            ("forgotten", self.rules.forgotten),
            ("race", self.rules.race),
            ("reported before", self.rules.racy),
        ]
    }

    /// Records an access without locks at a location that has none recorded, or only one that was ordered before it. Whether
    /// it races with that one the caller knows.
    pub fn adopt(&mut self, var: VarId, access: Access, moment: Epoch) {
        let location = self.locations.at(var.index());
        self.rules.recorded += 1;
        location.recorded += 1;
        self.tries.insert(&mut location.root, &[], Tuple { access, moment });
    }

    /// Was a race of the location reported, and is one enough? Then nothing more is to be learned of it.
    #[must_use]
    pub fn is_racy(&self, var: VarId) -> bool {
        self.locations.get(var.index()).is_some_and(|location| location.stage == Stage::Racy)
    }

    /// The location is gone, and its number will be another's.
    pub fn forget(&mut self, var: VarId) {
        let location = self.locations.at(var.index());
        self.tries.clear(&mut location.root);
        *location = Location::default();
    }

    /// Takes an access; calls `races` for each race of which it is the later one.
    #[inline]
    pub fn access(&mut self, var: VarId, access: Access, at: Circumstances<'_>, races: &mut dyn FnMut(Race)) {
        let location = self.locations.at(var.index());
        let repeated = location.moment == at.moment
            && location.lockset == at.held
            && match self.settings.report {
                Report::OnePerLocation => location.kind.covers(access.kind),
                Report::AllPairs => (location.site, location.kind) == (access.site, access.kind),
            };
        if location.stage == Stage::Racy {
            self.rules.racy += 1;
        } else if repeated {
            self.rules.repeated += 1;
        } else {
            location.moment = at.moment;
            location.lockset = at.held;
            location.site = access.site;
            location.kind = access.kind;
            self.compare(var, Tuple { access, moment: at.moment }, at, races);
        }
    }

    /// The rules of §5 for an access that the location's last one does not answer.
    fn compare(&mut self, var: VarId, new: Tuple, at: Circumstances<'_>, races: &mut dyn FnMut(Race)) {
        let location = self.locations.at(var.index());
        let (holds, past) = (at.sets.holds(at.held), at.past);
        let Redundancy { subset, oversized } = self.settings.redundancy;
        let report = self.settings.report;
        // May an access stand for another, as far as kinds and sites are concerned?
        let stands_for = |one: &Access, other: &Access| match report {
            Report::OnePerLocation => one.kind.covers(other.kind),
            Report::AllPairs => one.site == other.site && one.kind == other.kind,
        };
        let stands_for_new = |old: &Tuple| old.moment == new.moment && stands_for(&old.access, &new.access);
        let redundant = match subset {
            Switch::On => self.tries.any_weaker(location.root, holds, stands_for_new),
            Switch::Off => self.tries.any_equal(location.root, holds, stands_for_new),
        };
        if redundant {
            self.rules.subset += 1;
            return;
        }
        let bound = self.settings.max_locks;
        if oversized == Switch::On
            && location.recorded as usize > bound
            && self.tries.has_disjoint(location.root, holds, bound, stands_for_new)
        {
            self.rules.oversized += 1;
            return;
        }

        let races_with_new =
            |old: &Tuple| old.access.kind.conflicts_with(new.access.kind) && !past.has_seen(old.moment);
        match report {
            Report::OnePerLocation => {
                let mut latest: Option<Access> = None;
                self.tries.unprotected(location.root, holds, |old| {
                    if races_with_new(old) && latest.is_none_or(|access| access.at < old.access.at) {
                        latest = Some(old.access);
                    }
                });
                if let Some(earlier) = latest {
                    self.rules.race += 1;
                    location.stage = Stage::Racy;
                    self.tries.clear(&mut location.root);
                    races(Race { var, earlier, later: new.access, evidence: Evidence::NoCommonLock });
                    return;
                }
            }
            Report::AllPairs => self.tries.unprotected(location.root, holds, |old| {
                if races_with_new(old) && self.reported.insert(pair(var, &old.access, &new.access)) {
                    self.rules.race += 1;
                    races(Race { var, earlier: old.access, later: new.access, evidence: Evidence::NoCommonLock });
                }
            }),
        }

        self.rules.recorded += 1;
        location.recorded += 1;
        if subset == Switch::On {
            let forgotten = self.tries.remove_stronger(location.root, holds, |old| {
                past.has_seen(old.moment) && stands_for(&new.access, &old.access)
            });
            self.rules.forgotten += u64::from(forgotten);
            location.recorded -= forgotten;
        }
        self.tries.insert(&mut location.root, holds, new);
        if oversized == Switch::On && location.recorded >= location.limit {
            let forgotten = self.tries.remove_oversized(location.root, bound, |later, earlier| {
                later.access.thread == earlier.access.thread && stands_for(&later.access, &earlier.access)
            });
            self.rules.forgotten += u64::from(forgotten);
            location.recorded -= forgotten;
            // Twice what is left: so the searches cost no more than the insertions between them.
            location.limit = location.recorded.saturating_mul(2).max(SMALL_TRIE);
        }
    }
}

/// The name of an unordered pair of places.
fn pair(var: VarId, one: &Access, other: &Access) -> (VarId, Place, Place) {
    let (one, other) = ((one.site, one.kind), (other.site, other.kind));
    (var, one.min(other), one.max(other))
}
