//! Djit: happens-before with full vector clocks (Pozniansky and Schuster, PPoPP 2003), the reference of the family.
//!
//! Differs from the paper: every access is checked and recorded, not only the first of a time frame, so the pairs
//! are those of the last access of each thread; locks for reading follow `crate::clocks`.
//! Reports no pair that happens-before orders. Misses races that the observed order of locks hides. The first race
//! of a trace can surely be scheduled; later ones may be consequences of it (`crate::shb` tells them apart).
//! State: one history of reads and one of writes per variable, owned here. Invariant: a history holds, per slot, the
//! last access of the threads that owned the slot.

use model::{Access, AccessKind, Event, EventIndex, Race};

use crate::Detector;
use crate::clocks::Clocks;
use crate::history::Accesses;
use crate::table::Table;

/// The detector.
#[derive(Default)]
pub struct Djit {
    clocks: Clocks,
    variables: Table<Accesses>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    reads: u64,
    writes: u64,
    synchronizations: u64,
}

impl Djit {
    /// A detector whose clocks stay at or below `limit`.
    #[must_use]
    pub fn with_clock_limit(limit: u32) -> Self {
        Djit { clocks: Clocks::with_limit(limit), ..Djit::default() }
    }
}

impl Detector for Djit {
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        let Some((var, kind)) = event.op.access() else {
            if event.op.is_synchronization() {
                self.counts.synchronizations += 1;
                self.clocks.synchronize(event.thread, event.op);
            }
            return;
        };
        match kind {
            AccessKind::Read => self.counts.reads += 1,
            AccessKind::Write => self.counts.writes += 1,
        }
        let access = Access { thread: event.thread, kind, site: event.site, at };
        let now = self.clocks.threads.now(event.thread);
        self.variables.at(var.index()).observe(var, access, now, races);
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("read", self.counts.reads),
            ("write", self.counts.writes),
            ("synchronization", self.counts.synchronizations),
        ]
    }
}
