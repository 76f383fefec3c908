//! TREE, Rajagopalan's thesis, chapter 3: drop accesses from which the detector behind would learn nothing.
//!
//! [`Published`] is the thesis, and loses races. [`Tree`] keeps the idea and is sound for the detector that it is told
//! stands [`Behind`] it; that decides what makes an access redundant. In all forms synchronization is kept.
//!
//! **[`Behind::Messages`]** ([`Hybrid`](crate::hybrid::Hybrid)): an access `n` is dropped after an access `i` by the
//! same thread, at the same site, of the same kind and variable, under weaker locks, with no order that left the
//! thread between them (send, fork, write of a flag). Whatever `k` races with `n` then races with `i`, so every pair
//! (variable, site and site) survives. Orders that leave: `i → k` needs one between `i` and `k`; it is not before
//! `n`, so it gives `n → k`. Orders that come in (receive, join) do not matter: `k → i` gives `k → n` whatever came
//! between, so they can only order `n` after more than `i` is after; what `n` races with shrinks. The thread is in
//! the key because of later joins and receives, which tell threads apart that look alike now.
//!
//! **[`Behind::Locks`]** ([`Eraser`](crate::eraser::Eraser), `Hybrid` without messages): nothing but threads and
//! locks counts, so two threads with equal site, kind, variable and lockset stand for all: whatever `k` races with a
//! third is of another thread than one of the two. For Eraser: a lockset met before changes no intersection, and two
//! threads make a location shared.
//!
//! **[`Behind::HappensBefore`]** (FastTrack, DJIT+): the span redundancy of §3.6, with kinds. Of each thread and
//! variable the first access and the first write since an order left the thread (release, send, fork) are kept.
//! Whatever `k` races with a dropped `n` races with the kept access `i` that covers its kind, for the reason given
//! above. Every racy variable survives, with its first race; pairs of sites do not.
//!
//! Never in front of a [thread-locality check](crate::locality), which counts on seeing every thread. State is owned
//! by the filter; forgetting any of it only loses filtering. Invariant: a kept access stands for each dropped one.

mod history;
mod published;
mod weakest;

use model::{AccessKind, Event, EventIndex, Op, SiteId, ThreadId, VarId};

use crate::hybrid::Flags;
use crate::lockset::{LocksetId, Locksets, ThreadLocksets};
use crate::table::Table;
use crate::{Filter, FilterStatistics, FilterVerdict};
pub use history::Locations;
use history::{Histories, History};
pub use published::{Element, Published};
use weakest::{Weakest, WeakestId};

/// What the detector behind the filter compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Threads and locks only.
    Locks,
    /// Locks, and the order of messages.
    Messages,
    /// Happens-before; one race per variable is enough.
    HappensBefore,
}

/// TREE, sound, on a trace.
#[derive(Clone, Debug)]
pub struct Tree {
    flags: Flags,
    threads: Table<Moment>,
    locksets: ThreadLocksets,
    kept: Kept,
    events: u64,
    skipped: u64,
}

/// What the hot path asks of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Another number after each order that has left the thread; never 0.
    pub time: u32,
    /// The locks that it holds.
    pub lockset: LocksetId,
}

impl Default for Moment {
    fn default() -> Self {
        Moment { time: 1, lockset: LocksetId::EMPTY }
    }
}

/// The accesses that were kept, and the rules that drop others because of them. Times and locksets are the caller's.
#[derive(Clone, Debug)]
pub struct Kept {
    behind: Behind,
    weakest: Weakest,
    histories: Histories,
    /// By variable instead of by site: a span does not ask where an access is made.
    spans: History,
}

impl Kept {
    /// Nothing was kept yet. The number of `locations` does not bound the spans of [`Behind::HappensBefore`], which are
    /// kept by variable.
    #[must_use]
    pub fn new(behind: Behind, locations: Locations) -> Self {
        Kept { behind, weakest: Weakest::default(), histories: Histories::new(locations), spans: History::default() }
    }

    /// Must the detector behind see an access of this kind, made by a thread at a moment?
    #[inline]
    pub fn judge(
        &mut self,
        (thread, site): (ThreadId, SiteId),
        var: VarId,
        kind: AccessKind,
        at: Moment,
        sets: &Locksets,
    ) -> FilterVerdict {
        match self.behind {
            Behind::Messages => self.behind_messages((thread, site), var, kind, at, sets),
            Behind::Locks => {
                let history = self.histories.at(location(site, kind));
                published::share(history.at([var.0, at.lockset.0]), thread)
            }
            Behind::HappensBefore => self.behind_happens_before(thread, var, kind, at.time),
        }
    }

    #[inline]
    fn behind_messages(
        &mut self,
        (thread, site): (ThreadId, SiteId),
        var: VarId,
        kind: AccessKind,
        at: Moment,
        sets: &Locksets,
    ) -> FilterVerdict {
        let only = WeakestId::only(at.lockset);
        let history = self.histories.at(location(site, kind));
        let [then, seen] = history.at([var.0, thread.0]);
        if *then != at.time {
            [*then, *seen] = [at.time, only.0];
            return FilterVerdict::Keep;
        }
        if *seen == only.0 {
            return FilterVerdict::Skip;
        }
        match self.weakest.add(sets, WeakestId(*seen), at.lockset) {
            None => FilterVerdict::Skip,
            Some(more) => {
                *seen = more.0;
                FilterVerdict::Keep
            }
        }
    }

    #[inline]
    fn behind_happens_before(&mut self, thread: ThreadId, var: VarId, kind: AccessKind, time: u32) -> FilterVerdict {
        let write = u32::from(kind == AccessKind::Write);
        let [then, written] = self.spans.at([var.0, thread.0]);
        if *then == time && *written >= write {
            return FilterVerdict::Skip;
        }
        [*then, *written] = [time, write];
        FilterVerdict::Keep
    }

    /// Forgets all, which only loses filtering.
    fn clear(&mut self) {
        self.histories.clear();
        self.spans = History::default();
    }

    /// Bytes taken.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.weakest.bytes() + self.histories.bytes() + self.spans.bytes()
    }
}

impl Tree {
    /// A filter that has seen nothing.
    #[must_use]
    pub fn new(behind: Behind, locations: Locations) -> Self {
        Tree {
            flags: Flags::default(),
            threads: Table::default(),
            locksets: ThreadLocksets::default(),
            kept: Kept::new(behind, locations),
            events: 0,
            skipped: 0,
        }
    }

    /// The same filter in front of a detector to which these fields are messages: none of their accesses is dropped.
    #[must_use]
    pub fn with_flags(self, flags: Flags) -> Self {
        Tree { flags, ..self }
    }

    #[inline]
    fn access(&mut self, event: &Event, var: VarId, kind: AccessKind) -> FilterVerdict {
        if self.kept.behind == Behind::Messages && self.flags.message(var).is_some() {
            if kind == AccessKind::Write {
                self.tick(event.thread);
            }
            return FilterVerdict::Keep;
        }
        let at = *self.threads.at(event.thread.index());
        self.kept.judge((event.thread, event.site), var, kind, at, &self.locksets.sets)
    }

    fn synchronize(&mut self, thread: ThreadId, op: Op) {
        match op {
            Op::Send(_) | Op::Fork(_) => self.tick(thread),
            Op::Release(..) if self.kept.behind == Behind::HappensBefore => self.tick(thread),
            Op::Acquire(..) | Op::Release(..) if self.kept.behind != Behind::HappensBefore => {
                if let Some(lockset) = self.locksets.synchronize(thread, op) {
                    self.threads.at(thread.index()).lockset = lockset;
                }
            }
            _ => {}
        }
    }

    /// An order leaves the thread. When its count has come round, what was remembered under old counts is forgotten.
    fn tick(&mut self, thread: ThreadId) {
        let row = self.threads.at(thread.index());
        row.time = row.time.checked_add(1).unwrap_or_else(|| {
            self.kept.clear();
            1
        });
    }
}

/// A program location is a site with what is done there.
#[inline]
fn location(site: SiteId, kind: AccessKind) -> usize {
    site.index() * 2 + usize::from(kind == AccessKind::Write)
}

impl Filter for Tree {
    #[inline]
    fn judge(&mut self, _: EventIndex, event: &Event) -> FilterVerdict {
        self.events += 1;
        let Some((var, kind)) = event.op.access() else {
            self.synchronize(event.thread, event.op);
            return FilterVerdict::Keep;
        };
        let verdict = self.access(event, var, kind);
        self.skipped += u64::from(verdict == FilterVerdict::Skip);
        verdict
    }

    fn statistics(&self) -> FilterStatistics {
        let bytes = self.threads.bytes() + self.locksets.bytes() + self.kept.bytes();
        FilterStatistics { events: self.events, skipped: self.skipped, bytes: bytes as u64 }
    }
}
