//! The hybrid detector of hybrid.txt §4 and §5: two accesses race if no lock protects both and no message orders them.
//!
//! Messages are fork/join, send/receive and, where asked for, flag fields (§7.6); releases and acquires order
//! nothing. What differs from the paper: locks have modes; recorded accesses that a newer one makes useless are
//! forgotten (below), so the state of a location does not grow with the number of messages; [`Report::AllPairs`] goes
//! on after the first race. Reports pairs that something it does not see keeps apart (hence a candidate,
//! [`Evidence::NoCommonLock`]); misses no pair of the definition as long as [`Hybrid::exceeded`] says nothing.
//!
//! # Why redundant accesses can be left out
//!
//! Let `i` be recorded, `n` be new, by the same thread at the same time, with `i`'s lockset weaker than `n`'s and
//! `i`'s kind covering `n`'s. Whatever `k` races with `n` races with `i`:
//! - it conflicts with `i`, and is not protected from it, because [weaker locksets](crate::lockset) keep fewer out;
//! - `k → i` would give `k → n` by program order;
//! - `i → k` needs an order that left the thread after `i`. Time ticks with each, and has not ticked before `n`, so
//!   that order left after `n`, and `n → k`.
//!
//! (Lockset-subset, theorem 2.) If instead there are accesses `i` whose differences `L_i - L_n` hold more than N
//! pairwise disjoint sets, then a `k` that races with `n` and with no `i` would hold a lock out of each: more locks
//! than anyone holds. (Oversized-lockset, theorem 3.)
//!
//! The mirror image, with [`Switch::On`] for subset: let `n` be new, `i` recorded with `i → n`, `n`'s lockset weaker
//! and its kind covering. Whatever `k` races with `i` after `n` races with `n`: it is not of `n`'s thread, which is
//! after `i`; and `n → k` would give `i → k`. So `i` is forgotten, whatever its time.
//!
//! Together the two say more: let the accesses `j` be of one thread, later than `i`, with kinds covering; if the
//! differences `L_j - L_i` hold more than N pairwise disjoint sets, a later `k` that races with `i` races with a
//! `j`. That keeps a location small that a thread accesses under ever new locks, with messages between.
//!
//! When all pairs are wanted, all of this holds between accesses of one site and kind only.
//!
//! State is owned by the detector. Invariant: no recorded access of a location makes another one redundant by subset.

mod trie;

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use model::{Access, AccessKind, Epoch, Event, EventIndex, Evidence, MessageId, Op, Race, SiteId, VarId};

use crate::clocks::{MessageClocks, ThreadClocks};
use crate::lockset::{FoldHasher, LocksetId, ThreadLocksets};
use crate::table::Table;
use crate::{Detector, Incomplete};
use trie::{Root, Tries, Tuple};

/// What a [`Hybrid`] detector does.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Do messages order accesses?
    pub messages: Messages,
    /// Which accesses are left out.
    pub redundancy: Redundancy,
    /// How many races of a location are reported.
    pub report: Report,
    /// N of §5.4: no thread holds more locks at once. [`LargestLockset`](crate::lockset::LargestLockset) finds it.
    pub max_locks: usize,
    /// Fields whose accesses are messages.
    pub flags: Flags,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            messages: Messages::Followed,
            redundancy: Redundancy::default(),
            report: Report::OnePerLocation,
            max_locks: 16,
            flags: Flags::default(),
        }
    }
}

/// Do messages order accesses?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Messages {
    /// They do: hybrid detection.
    Followed,
    /// They do not: pure lockset detection, the paper's `NoHB` once a thread-locality check is in front.
    Ignored,
}

/// Which accesses are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Redundancy {
    /// Those that an access with a weaker lockset makes useless. Off, only one with the same lockset does.
    pub subset: Switch,
    /// Those that many accesses with different locksets together make useless.
    pub oversized: Switch,
}

/// An optimisation of the paper, to be measured with and without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Switch {
    /// As in the paper.
    #[default]
    On,
    /// Left out.
    Off,
}

/// How many races of a location are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// The first: the location is not watched after it.
    OnePerLocation,
    /// One for each unordered pair of (site, kind).
    AllPairs,
}

/// Flag fields, hybrid.txt §7.6: after the access, a read or write receives what the writers before it sent, and a
/// write sends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags(Box<[VarId]>);

impl FromIterator<VarId> for Flags {
    fn from_iter<I: IntoIterator<Item = VarId>>(vars: I) -> Self {
        let mut vars: Vec<VarId> = vars.into_iter().collect();
        vars.sort_unstable();
        vars.dedup();
        Flags(vars.into())
    }
}

impl Flags {
    /// The message that stands for a flag, if the location is one.
    #[inline]
    #[must_use]
    pub fn message(&self, var: VarId) -> Option<MessageId> {
        if self.0.is_empty() {
            return None;
        }
        self.0.binary_search(&var).ok().and_then(|place| u32::try_from(place).ok()).map(MessageId)
    }
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

/// Reports accesses that no lock protects and no message orders.
#[derive(Clone, Debug, Default)]
pub struct Hybrid {
    settings: Settings,
    threads: ThreadClocks,
    messages: MessageClocks,
    flags: MessageClocks,
    locksets: ThreadLocksets,
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
    messages: u64,
    flags: u64,
}

impl Detector for Hybrid {
    #[inline]
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        match event.op {
            Op::Read(var) => self.access(at, event, var, AccessKind::Read, races),
            Op::Write(var) => self.access(at, event, var, AccessKind::Write, races),
            Op::Acquire(..) | Op::Release(..) => {
                self.locksets.synchronize(event.thread, event.op);
            }
            Op::Send(_) | Op::Receive(_) | Op::Fork(_) | Op::Join(_) => {
                if self.settings.messages == Messages::Followed {
                    self.rules.messages += 1;
                    self.messages.synchronize(&mut self.threads, event.thread, event.op);
                }
            }
            Op::Branch | Op::MethodBegin(_) | Op::MethodEnd(_) => {}
        }
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("repeated", self.rules.repeated),
            ("lockset-subset", self.rules.subset),
            ("oversized-lockset", self.rules.oversized),
            ("recorded", self.rules.recorded),
            ("forgotten", self.rules.forgotten),
            ("race", self.rules.race),
            ("reported before", self.rules.racy),
            ("message", self.rules.messages),
            ("flag message", self.rules.flags),
        ]
    }

    fn incomplete(&self) -> Option<Incomplete> {
        self.exceeded().map(Incomplete::TooManyLocks)
    }
}

impl Hybrid {
    /// A detector that has seen nothing.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Hybrid { settings, ..Hybrid::default() }
    }

    /// The size of the largest lockset, if it passed `max_locks`: races may have been missed, so run again with it.
    #[must_use]
    pub fn exceeded(&self) -> Option<usize> {
        Some(self.locksets.largest()).filter(|&largest| largest > self.settings.max_locks)
    }

    #[inline]
    fn access(&mut self, at: EventIndex, event: &Event, var: VarId, kind: AccessKind, races: &mut dyn FnMut(Race)) {
        let (_, moment) = self.threads.now(event.thread);
        let lockset = self.locksets.of(event.thread);
        let location = self.locations.at(var.index());
        let repeated = location.moment == moment
            && location.lockset == lockset
            && match self.settings.report {
                Report::OnePerLocation => location.kind.covers(kind),
                Report::AllPairs => (location.site, location.kind) == (event.site, kind),
            };
        if location.stage == Stage::Racy {
            self.rules.racy += 1;
        } else if repeated {
            self.rules.repeated += 1;
        } else {
            location.moment = moment;
            location.lockset = lockset;
            location.site = event.site;
            location.kind = kind;
            let access = Access { thread: event.thread, kind, site: event.site, at };
            self.compare(var, Tuple { access, moment }, lockset, races);
        }
        if let Some(message) = self.settings.flags.message(var) {
            self.pass_flag(event, message, kind);
        }
    }

    /// The rules of §5 for an access that the location's last one does not answer.
    fn compare(&mut self, var: VarId, new: Tuple, lockset: LocksetId, races: &mut dyn FnMut(Race)) {
        let location = self.locations.at(var.index());
        let holds = self.locksets.sets.holds(lockset);
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

        let past = self.threads.clock(new.access.thread);
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

    fn pass_flag(&mut self, event: &Event, message: MessageId, kind: AccessKind) {
        if self.settings.messages == Messages::Ignored {
            return;
        }
        self.rules.flags += 1;
        self.flags.synchronize(&mut self.threads, event.thread, Op::Receive(message));
        if kind == AccessKind::Write {
            self.flags.synchronize(&mut self.threads, event.thread, Op::Send(message));
        }
    }
}

/// The name of an unordered pair of places.
fn pair(var: VarId, one: &Access, other: &Access) -> (VarId, Place, Place) {
    let (one, other) = ((one.site, one.kind), (other.site, other.kind));
    (var, one.min(other), one.max(other))
}
