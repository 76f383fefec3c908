//! Sampling of clock races (CRSampler): what decides lies in `runtime::Sampler`.
//!
//! A class gets a tick at each synchronization that hands something on, and a hook at the places that are sampled; where woven
//! code is the watchpoint, at all others too. No class gets a field. A thread comes here when a place is sampled that has
//! rested while a slot is free; all else is flags that the shim looks at.

mod chosen;
mod clocks;
mod places;
mod timer;
mod watching;

use std::any::Any;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use control::{AgentOptions, WatchedBy};
use model::{Grade, SiteId, ThreadId};
use report::{Jvm, Sampling};
use runtime::{Rate, Sampler};
use weave::{Annotations, Choices, Passes, Sampled, SiteSink};

use super::{ClassKind, Engine, Wish};
use crate::agent::Agent;
use crate::output::message;
use chosen::{Choosing, Chosen};
use clocks::Clocks;
use places::Software;
pub(crate) use places::{Noting, Places};
use timer::Timer;
pub(crate) use watching::Accessed;

pub(crate) struct Sample {
    chosen: Chosen,
    seed: u64,
    places: Places,
    clocks: Clocks,
    sampler: Sampler<Software, Places>,
    timer: Timer,
    limit: Duration,
    began: Instant,
    /// By place, whether the field that it accesses can race at all: neither volatile nor final.
    can_race: Mutex<HashMap<SiteId, bool>>,
}

impl Sample {
    /// `sites` is the list of places, if there is one.
    pub(crate) fn new(options: &AgentOptions, sites: Option<PathBuf>) -> io::Result<Sample> {
        let asked = &options.sampling;
        if asked.watched_by == WatchedBy::Hardware {
            return Err(io::Error::other("watchpoints=hardware: this version has watchpoints of woven code only"));
        }
        let seed = asked.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        let chosen = match sites {
            Some(file) => Chosen::read(&file)?,
            None => Chosen::Part(Rate::millionths(asked.rate.millionths()), seed),
        };
        let no_memory = || io::Error::other("there is no memory for sampling");
        let places = Places::new().ok_or_else(no_memory)?;
        let limit = asked.limit.duration();
        Ok(Sample {
            chosen,
            seed,
            places,
            clocks: Clocks::new().ok_or_else(no_memory)?,
            sampler: Sampler::new(Software(places), places, limit),
            timer: Timer::default(),
            limit,
            began: Instant::now(),
            can_race: Mutex::default(),
        })
    }

    /// Where the flags are.
    pub(crate) fn places(&self) -> Places {
        self.places
    }

    /// The address of the clock of a thread; `None` if there are too many.
    pub(crate) fn clock(&self, thread: ThreadId) -> Option<usize> {
        self.clocks.address(thread)
    }

    /// Notes what the sites of a class access.
    pub(crate) fn noting<'a>(&self, sites: &'a mut dyn SiteSink) -> Noting<'a> {
        Noting { places: self.places, sites }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}

impl Engine for Sample {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn passes(&self, kind: ClassKind, usual: Passes) -> Wish {
        let with = match kind {
            ClassKind::Program => Passes::SAMPLE | Passes::VOLATILES | Passes::LATE | Passes::FREEZE,
            ClassKind::OutOfScope | ClassKind::Jdk => Passes::SAMPLE,
        };
        // What synchronizes, wherever it is usual; nothing of what a detector of all accesses needs.
        let kept = Passes::MONITORS
            | Passes::SYNCHRONIZED
            | Passes::VOLATILES
            | Passes::CALLS
            | Passes::LATE
            | Passes::INITIALIZERS
            | Passes::INTERRUPTS
            | Passes::UNSAFE
            | Passes::UNSAFE_PLAIN
            | Passes::METHOD_RULES
            | Passes::SYNC_ELEMENTS
            | Passes::HANDLES
            | Passes::FREEZE;
        Wish { with, without: (usual | with).difference(kept | Passes::SAMPLE) }
    }

    fn choices<'a>(&'a self, _declared: &'a Annotations, kind: ClassKind) -> Option<Box<dyn Choices + 'a>> {
        // Where nothing is ever sampled there is nothing to look for.
        let others = if self.chosen.is_nothing() { Sampled::Nothing } else { Sampled::Looks };
        (kind == ClassKind::Program)
            .then(|| Box::new(Choosing { chosen: &self.chosen, others }) as Box<dyn Choices + 'a>)
    }

    fn grade(&self) -> Option<Grade> {
        Some(Grade::Caught)
    }

    fn knows_locks(&self) -> bool {
        false
    }

    fn start(&'static self, _agent: &'static Agent) {
        let run = || self.timer.run(|| self.now(), |now| self.sampler.expire(now));
        if let Err(error) = std::thread::Builder::new().name("autodrome-sampler".to_owned()).spawn(run) {
            // Nothing would ever end a watch.
            self.sampler.use_slots(0);
            message(&format!("autodrome: nothing is sampled: no thread can be made: {error}"));
        }
    }

    fn collected(&self) {
        self.sampler.end_collection();
    }

    fn thread_ended(&self, thread: ThreadId) {
        self.clocks.end(thread);
    }

    fn describe(&self, jvm: &mut Jvm) {
        let counts = self.sampler.counts();
        jvm.sampling = Some(Sampling {
            watched_by: "woven code".to_owned(),
            seed: self.seed,
            places: counts.places,
            accesses: counts.watched,
            refused: counts.refused,
            ended_by_collections: counts.collected,
            moved_on: counts.moved_on,
            threads_left_out: self.clocks.refused(),
        });
    }
}
