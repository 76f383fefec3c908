//! Clock races (Cai, Zhang, Cao and Liu 2016, section 4.1, definition 1): two conflicting accesses of different threads, and
//! between them the first thread's own clock stood still.
//!
//! Every synchronization ticks the clock of its thread; joining a thread ticks the joined one's too, because its end
//! is a synchronization that leaves no other event. Differs from the paper: all accesses are watched here, where
//! CRSampler samples them; this is what the sampler's results are held against. The decision is [`rules`]', as in the agent.
//! Reports only happens-before races (theorem 1), also with the extension: a second thread that has not synchronized since has
//! learned nothing since. Misses most of them: one synchronization of the first thread in between is enough, however unrelated.
//! State: per variable the last read and write of each thread that can still race, owned here. Invariant: without the
//! extension, an entry whose thread's clock has moved on is dead and is dropped when it is met.

pub mod rules;

use model::{Access, Event, EventIndex, Evidence, Op, Race, ThreadId, VarId};

use crate::Detector;
use crate::table::Table;
use rules::{ClockVerdict, First, OwnClock, Second};

/// Which definition of a clock race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Definition {
    /// Definition 1: the first thread's clock stands still.
    #[default]
    First,
    /// With the symmetric extension: the first thread's clock or the second's. Each access then keeps the clocks of all
    /// threads, which the paper found to double the cost.
    Symmetric,
}

/// An access that a later one is held against.
struct Pending {
    access: Access,
    first: First,
    /// The clocks of all threads when it was made; only with the extension.
    clocks: Vec<u64>,
}

/// The detector.
#[derive(Default)]
pub struct Clock {
    definition: Definition,
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
    symmetric: u64,
}

impl Clock {
    /// A detector of clock races by this definition.
    #[must_use]
    pub fn new(definition: Definition) -> Self {
        Clock { definition, ..Clock::default() }
    }

    fn access(&mut self, var: VarId, access: Access, races: &mut dyn FnMut(Race)) {
        let own = *self.clocks.at(access.thread.index());
        let pending = self.variables.at(var.index());
        let (clocks, counts) = (&mut self.clocks, &mut self.counts);
        if self.definition == Definition::First {
            pending.retain(|earlier| {
                let is_pending = rules::is_pending(&earlier.first, *clocks.at(earlier.first.thread.index()));
                counts.clock_moved += u64::from(!is_pending);
                is_pending
            });
        }
        for earlier in pending.iter() {
            let own_clock = match self.definition {
                Definition::First => OwnClock::NotAsked,
                Definition::Symmetric => {
                    // A thread that was not known then had the clock that all begin with.
                    let then = earlier.clocks.get(access.thread.index()).copied().unwrap_or_default();
                    OwnClock::Asked { then, now: own }
                }
            };
            let first_clock = *self.clocks.at(earlier.first.thread.index());
            let second = Second { thread: access.thread, kind: access.kind, first_clock, own_clock };
            let verdict = rules::judge(&earlier.first, &second);
            match verdict {
                ClockVerdict::Race => self.counts.same_clock += 1,
                ClockVerdict::SymmetricRace => self.counts.symmetric += 1,
                ClockVerdict::MovedOn => self.counts.clock_moved += 1,
                ClockVerdict::NoConflict => {}
            }
            if verdict.is_race() {
                races(Race { var, earlier: earlier.access, later: access, evidence: Evidence::Unordered });
            }
        }
        let first = First { thread: access.thread, kind: access.kind, clock: own };
        let clocks = match self.definition {
            Definition::First => Vec::new(),
            Definition::Symmetric => self.clocks.iter().copied().collect(),
        };
        // The last of a thread's accesses of a kind races with whatever the ones before it race with.
        let same = |earlier: &&mut Pending| earlier.first.thread == access.thread && earlier.first.kind == access.kind;
        match pending.iter_mut().find(same) {
            Some(earlier) => *earlier = Pending { access, first, clocks },
            None => pending.push(Pending { access, first, clocks }),
        }
    }

    fn tick(&mut self, thread: ThreadId) {
        *self.clocks.at(thread.index()) += 1;
    }
}

impl Detector for Clock {
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        if let Some((var, kind)) = event.op.access() {
            let access = Access { thread: event.thread, kind, site: event.site, at };
            self.access(var, access, races);
        } else if event.op.is_synchronization() {
            self.counts.ticks += 1;
            self.tick(event.thread);
            match event.op {
                Op::Join(ended) => self.tick(ended),
                // That a thread begins is a synchronization of its own, which leaves no other event.
                Op::Fork(begun) => self.tick(begun),
                _ => {}
            }
        }
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        let mut rules = vec![
            ("tick", self.counts.ticks),
            ("clock race", self.counts.same_clock),
            ("clock moved on", self.counts.clock_moved),
        ];
        if self.definition == Definition::Symmetric {
            rules.push(("symmetric race", self.counts.symmetric));
        }
        rules
    }
}
