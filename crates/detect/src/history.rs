//! Who last did what to a variable: what a detector needs to name the earlier access of a race.

use model::{Access, AccessKind, Epoch, Event, EventIndex, Evidence, Race, SiteId, Slot, ThreadId, VarId, VectorClock};

/// An access without its kind, which the place that keeps it implies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    thread: ThreadId,
    site: SiteId,
    at: EventIndex,
}

impl Mark {
    pub(crate) fn of(at: EventIndex, event: &Event) -> Self {
        Mark { thread: event.thread, site: event.site, at }
    }

    pub(crate) fn access(self, kind: AccessKind) -> Access {
        Access { thread: self.thread, kind, site: self.site, at: self.at }
    }
}

/// The last reads and writes of one variable, by slot: what a detector with full vector clocks keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accesses {
    reads: History,
    writes: History,
}

impl Accesses {
    /// Takes an access of `var` by a thread whose past is `clock`: reports each conflicting one that is not in that past, and
    /// remembers this one at the moment `now`.
    pub(crate) fn observe(
        &mut self,
        var: VarId,
        access: Access,
        (clock, now): (&VectorClock, Epoch),
        races: &mut dyn FnMut(Race),
    ) {
        let mut race = |earlier: Mark, kind| {
            let evidence = Evidence::Unordered;
            races(Race { var, earlier: earlier.access(kind), later: access, evidence });
        };
        self.writes.unseen_by(clock).for_each(|earlier| race(earlier, AccessKind::Write));
        let mark = Mark { thread: access.thread, site: access.site, at: access.at };
        match access.kind {
            AccessKind::Read => self.reads.record(now, mark),
            AccessKind::Write => {
                self.reads.unseen_by(clock).for_each(|earlier| race(earlier, AccessKind::Read));
                self.writes.record(now, mark);
            }
        }
    }
}

/// The last access of one kind in each slot: the full vector clock of the accesses, and who made them.
///
/// Invariant: `marks` is as long as the clock or longer; a mark counts only where the clock's time is not 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    clock: VectorClock,
    marks: Vec<Mark>,
}

impl History {
    /// The slot's last access is now this one.
    pub(crate) fn record(&mut self, now: Epoch, mark: Mark) {
        let index = now.slot.index();
        if index >= self.marks.len() {
            self.marks.resize(index + 1, Mark::default());
        }
        self.marks[index] = mark;
        self.clock.set(now);
    }

    /// The accesses that a thread with this clock has not seen: none of them happens before its next step.
    pub(crate) fn unseen_by<'a>(&'a self, clock: &'a VectorClock) -> impl Iterator<Item = Mark> + 'a {
        self.clock.unseen_by(clock).map(|epoch| self.mark(epoch.slot))
    }

    /// The slot's last access.
    pub(crate) fn mark(&self, slot: Slot) -> Mark {
        self.marks.get(slot.index()).copied().unwrap_or_default()
    }

    /// The moments of the slots' last accesses.
    pub(crate) fn clock(&self) -> &VectorClock {
        &self.clock
    }
}
