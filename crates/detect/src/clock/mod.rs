//! Clock races (crsampler.txt §4.1, definition 1): two conflicting accesses of different threads, and between them the
//! first thread's own clock stood still.
//!
//! Every synchronization ticks the clock of its thread; joining a thread ticks the joined one's too, because its end
//! is a synchronization that leaves no other event. Differs from the paper: all accesses are watched here, where
//! CRSampler samples them; this is what the sampler's results are held against.
//! Reports only happens-before races (theorem 1). Misses most of them: one synchronization of the first thread in
//! between is enough, however unrelated.
//! State: per variable the last read and write of each thread that can still race, owned here. Invariant: an entry
//! whose thread's clock has moved on is dead and is dropped when it is met.

use model::{Access, Event, EventIndex, Evidence, Op, Race, VarId};

use crate::Detector;
use crate::table::Table;

/// An access that races with every conflicting one as long as its thread's clock stands still.
#[derive(Clone, Copy)]
struct Pending {
    access: Access,
    clock: u64,
}

/// The detector.
#[derive(Default)]
pub struct Clock {
    /// How often each thread has synchronized.
    clocks: Table<u64>,
    variables: Table<Vec<Pending>>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    ticks: u64,
    same_clock: u64,
    clock_moved: u64,
}

impl Clock {
    fn access(&mut self, var: VarId, access: Access, races: &mut dyn FnMut(Race)) {
        let clock = *self.clocks.at(access.thread.index());
        let pending = self.variables.at(var.index());
        let (clocks, counts) = (&mut self.clocks, &mut self.counts);
        pending.retain(|earlier| {
            let alive = *clocks.at(earlier.access.thread.index()) == earlier.clock;
            if !alive {
                counts.clock_moved += 1;
            }
            alive
        });
        for earlier in pending.iter() {
            if earlier.access.thread != access.thread && earlier.access.kind.conflicts_with(access.kind) {
                self.counts.same_clock += 1;
                races(Race { var, earlier: earlier.access, later: access, evidence: Evidence::Unordered });
            }
        }
        let same =
            |earlier: &&mut Pending| earlier.access.thread == access.thread && earlier.access.kind == access.kind;
        match pending.iter_mut().find(same) {
            Some(earlier) => earlier.access = access,
            None => pending.push(Pending { access, clock }),
        }
    }
}

impl Detector for Clock {
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        if let Some((var, kind)) = event.op.access() {
            let access = Access { thread: event.thread, kind, site: event.site, at };
            self.access(var, access, races);
        } else if event.op.is_synchronization() {
            self.counts.ticks += 1;
            *self.clocks.at(event.thread.index()) += 1;
            if let Op::Join(ended) = event.op {
                *self.clocks.at(ended.index()) += 1;
            }
        }
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("tick", self.counts.ticks),
            ("clock race", self.counts.same_clock),
            ("clock moved on", self.counts.clock_moved),
        ]
    }
}
