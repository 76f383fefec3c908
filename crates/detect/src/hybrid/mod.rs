//! The hybrid detector of O'Callahan and Choi 2003, sections 4 and 5: two accesses race if no lock protects both and no message
//! orders them.
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

mod detailed;
mod trie;

use model::{Access, AccessKind, Event, EventIndex, MessageId, Op, Race, VarId};

use crate::clocks::{MessageClocks, ThreadClocks};
use crate::lockset::ThreadLocksets;
use crate::{Detector, Incomplete};
pub use detailed::{Circumstances, Detailed};

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

/// Flag fields, O'Callahan and Choi 2003, section 7.6: after the access, a read or write receives what the writers before it
/// sent, and a write sends.
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

/// Reports accesses that no lock protects and no message orders.
#[derive(Clone, Debug, Default)]
pub struct Hybrid {
    threads: ThreadClocks,
    messages: MessageClocks,
    flags: MessageClocks,
    locksets: ThreadLocksets,
    detailed: Detailed,
    rules: Rules,
}

#[derive(Clone, Copy, Debug, Default)]
struct Rules {
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
                if self.detailed.settings().messages == Messages::Followed {
                    self.rules.messages += 1;
                    self.messages.synchronize(&mut self.threads, event.thread, event.op);
                }
            }
            Op::Branch | Op::MethodBegin(_) | Op::MethodEnd(_) => {}
        }
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        let mut rules = self.detailed.rules();
        rules.extend([("message", self.rules.messages), ("flag message", self.rules.flags)]);
        rules
    }

    fn incomplete(&self) -> Option<Incomplete> {
        self.exceeded().map(Incomplete::TooManyLocks)
    }
}

impl Hybrid {
    /// A detector that has seen nothing.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Hybrid { detailed: Detailed::new(settings), ..Hybrid::default() }
    }

    /// The size of the largest lockset, if it passed `max_locks`: races may have been missed, so run again with it.
    #[must_use]
    pub fn exceeded(&self) -> Option<usize> {
        Some(self.locksets.largest()).filter(|&largest| largest > self.detailed.settings().max_locks)
    }

    #[inline]
    fn access(&mut self, at: EventIndex, event: &Event, var: VarId, kind: AccessKind, races: &mut dyn FnMut(Race)) {
        let thread = event.thread;
        let (_, moment) = self.threads.now(thread);
        let held = self.locksets.of(thread);
        let access = Access { thread, kind, site: event.site, at };
        let at = Circumstances { moment, past: self.threads.clock(thread), held, sets: &self.locksets.sets };
        self.detailed.access(var, access, at, races);
        if let Some(message) = self.detailed.settings().flags.message(var) {
            self.pass_flag(event, message, kind);
        }
    }

    fn pass_flag(&mut self, event: &Event, message: MessageId, kind: AccessKind) {
        if self.detailed.settings().messages == Messages::Ignored {
            return;
        }
        self.rules.flags += 1;
        self.flags.synchronize(&mut self.threads, event.thread, Op::Receive(message));
        if kind == AccessKind::Write {
            self.flags.synchronize(&mut self.threads, event.thread, Op::Send(message));
        }
    }
}
