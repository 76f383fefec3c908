//! SHB: schedulable happens-before (Mathur, Kini, Viswanathan, "What Happens-After the First Race?", OOPSLA 2018).
//!
//! Happens-before plus an order from each write to the reads that see it. A pair that it leaves unordered can be
//! scheduled so that both come next, also after the first race of the trace: the value that every needed read
//! saw is kept. Locks for reading and messages follow `crate::clocks`, which the paper has not.
//! Reports no pair that cannot be scheduled. Misses races that the observed order of locks or values hides, and pairs
//! with an access that is not its thread's last one.
//! State: two histories per variable and the clock of its last write, owned here. Invariant: a thread's time ticks
//! after each write, because an order leaves there.

use model::{Access, AccessKind, Event, EventIndex, Race, VectorClock};

use crate::Detector;
use crate::clocks::Clocks;
use crate::history::Accesses;
use crate::table::Table;

#[derive(Default)]
struct Variable {
    accesses: Accesses,
    /// The past of the last write: every read that sees it comes after.
    last_write: VectorClock,
}

/// The detector.
#[derive(Default)]
pub struct Shb {
    clocks: Clocks,
    variables: Table<Variable>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    reads: u64,
    writes: u64,
    values_passed_on: u64,
}

impl Detector for Shb {
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        let Some((var, kind)) = event.op.access() else {
            self.clocks.synchronize(event.thread, event.op);
            return;
        };
        let threads = &mut self.clocks.threads;
        let now = threads.now(event.thread);
        let variable = self.variables.at(var.index());
        let access = Access { thread: event.thread, kind, site: event.site, at };
        variable.accesses.observe(var, access, now, races);
        let (clock, _) = now;
        match kind {
            AccessKind::Read => {
                self.counts.reads += 1;
                if !variable.last_write.is_seen_by(clock) {
                    self.counts.values_passed_on += 1;
                    threads.receive(event.thread, &variable.last_write);
                }
            }
            AccessKind::Write => {
                self.counts.writes += 1;
                variable.last_write.assign(clock);
                threads.tick(event.thread);
            }
        }
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("read", self.counts.reads),
            ("write", self.counts.writes),
            ("value passed on", self.counts.values_passed_on),
        ]
    }
}
