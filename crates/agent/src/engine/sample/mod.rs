//! Sampling of clock races (CRSampler): what decides lies in `runtime::Sampler`.
//!
//! A class gets a tick at each synchronization that hands something on, and a hook at the places that are sampled; where woven
//! code is the watchpoint, at all others too. No class gets a field. A thread comes here when a place is sampled that has
//! rested while a slot is free; all else is flags that the shim looks at, and signals of the processor's watchpoints, which a
//! thread of the agent reports (`hits.rs`).

mod chosen;
mod clocks;
mod hits;
mod places;
mod timer;
mod watching;
mod watchpoints;

use std::any::Any;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use control::AgentOptions;
use model::{Grade, SiteId, ThreadId};
use report::{Jvm, Sampling};
use runtime::{CostLimit, Rate, Sampler};
use rustix::time::{ClockId, clock_gettime};
use weave::{Annotations, Choices, Passes, Sampled, SiteSink};

use super::{ClassKind, Engine, Wish};
use crate::agent::Agent;
use crate::ffi::{Hardware, Jni, Vm};
use crate::output::message;
use chosen::{Choosing, Chosen};
use clocks::Clocks;
use hits::WriteSites;
pub(crate) use places::{Noting, Places};
use timer::Timer;
pub(crate) use watching::Accessed;
use watching::{FieldSpot, Layout, layout};
use watchpoints::Watchpoint;

/// While something is watched, hits are looked for so often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// While sampling has cost too much, whether it still has is asked so often.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct Sample {
    chosen: Chosen,
    seed: u64,
    places: Places,
    clocks: Clocks,
    sampler: Sampler<Watchpoint, Places>,
    cost: CostLimit,
    /// Nanoseconds of processor time that choosing, watching and reporting took.
    spent: AtomicU64,
    timer: Timer,
    limit: Duration,
    began: Instant,
    /// By place, where the field that it accesses is; `None` if it cannot race at all, being volatile or final.
    spots: Mutex<HashMap<SiteId, Option<Arc<FieldSpot>>>>,
    write_sites: WriteSites,
    /// Set when the JVM is ready.
    layout: OnceLock<Layout>,
}

impl Sample {
    /// `sites` is the list of places, if there is one.
    pub(crate) fn new(options: &AgentOptions, sites: Option<PathBuf>) -> io::Result<Sample> {
        let asked = &options.sampling;
        let seed = asked.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        let chosen = match sites {
            Some(file) => Chosen::read(&file)?,
            None => Chosen::Part(Rate::millionths(asked.rate.millionths()), seed),
        };
        let no_memory = || io::Error::other("there is no memory for sampling");
        let places = Places::new().ok_or_else(no_memory)?;
        let limit = asked.limit.duration();
        // Last of what may fail: it takes over a signal of the process.
        let watchpoint = Watchpoint::new(asked.watched_by, places)?;
        if let Some(why) = watchpoint.refusal() {
            message(&format!(
                "autodrome: woven code notices second accesses, which costs more: {}",
                report::plain(why)
            ));
        }
        Ok(Sample {
            chosen,
            seed,
            places,
            clocks: Clocks::new().ok_or_else(no_memory)?,
            sampler: Sampler::new(watchpoint, places, limit),
            cost: CostLimit::millionths(asked.overhead.millionths()),
            spent: AtomicU64::new(0),
            timer: Timer::default(),
            limit,
            began: Instant::now(),
            spots: Mutex::default(),
            write_sites: WriteSites::default(),
            layout: OnceLock::new(),
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

    /// The processor's watchpoints, if they are used.
    pub(crate) fn hardware(&self) -> Option<&Hardware> {
        self.sampler.watchpoints().hardware()
    }

    /// Does work that counts as cost.
    fn paid<T>(&self, work: impl FnOnce() -> T) -> T {
        let began = used_by(ClockId::ThreadCPUTime);
        let result = work();
        let took = used_by(ClockId::ThreadCPUTime).saturating_sub(began);
        self.spent.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        result
    }

    /// The processor time that sampling took so far.
    fn cost(&self) -> Duration {
        let hits = self.hardware().map_or(Duration::ZERO, Hardware::spent);
        Duration::from_nanos(self.spent.load(Ordering::Relaxed)) + hits
    }

    /// Samples less if it costs too much. Gives whether it does.
    fn keep_budget(&self) -> bool {
        let is_over = self.cost.is_exceeded(self.cost(), used_by(ClockId::ProcessCPUTime));
        self.sampler.set_over_budget(is_over);
        is_over
    }

    /// Does what the timer wakes up for; says when there is something to do next.
    fn work(&self, agent: &'static Agent, jni: Option<Jni<'_>>, now: Duration) -> Option<Duration> {
        let next = self.paid(|| {
            // Before watches end: what was hit in time is a race all the same, but frees its slot.
            if let Some(jni) = jni {
                agent.report_hits(jni);
            }
            self.sampler.expire(now)
        });
        if self.sampler.watchpoints().is_newly_lost() {
            message("autodrome: the program handles SIGTRAP itself: nothing is watched from here on");
        }
        let pause = self.keep_budget().then_some(now + PAUSE);
        let look = (jni.is_some() && self.sampler.armed_count() > 0).then_some(now + BETWEEN_LOOKS);
        [next, pause, look].into_iter().flatten().min()
    }

    /// The JVM is ready to run the program: what ends watches starts.
    pub(crate) fn begin(&'static self, agent: &'static Agent, jni: Jni<'_>) {
        let spawned = match self.hardware() {
            Some(hardware) => agent.number_all_methods(jni).and_then(|()| {
                hardware.begin();
                self.layout.get_or_init(|| layout(jni));
                let group = agent.jvmti.system_group();
                let vm = group.and_then(|group| Vm::new(jni, group)).ok_or_else(|| io::Error::other("the JVM refuses"));
                vm?.spawn(c"autodrome-sampler", move |jni| {
                    if let Some(hardware) = self.hardware() {
                        // What this thread writes is no access of the program.
                        hardware.remove_thread();
                    }
                    self.timer.run(|| self.now(), |now| self.work(agent, Some(jni), now));
                })
            }),
            None => {
                let run = move || self.timer.run(|| self.now(), |now| self.work(agent, None, now));
                std::thread::Builder::new().name("autodrome-sampler".to_owned()).spawn(run).map(drop)
            }
        };
        if let Err(error) = spawned {
            // Nothing would ever end a watch.
            self.sampler.use_slots(0);
            message(&format!("autodrome: nothing is sampled: no thread can be made: {error}"));
        }
    }
}

/// The processor time that a thread, or the process, has used.
fn used_by(whose: ClockId) -> Duration {
    let time = clock_gettime(whose);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
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
        // Where nothing is ever sampled there is nothing to look for, and the processor looks by itself.
        let looks = !self.chosen.is_nothing() && self.hardware().is_none();
        let others = if looks { Sampled::Looks } else { Sampled::Nothing };
        (kind == ClassKind::Program)
            .then(|| Box::new(Choosing { chosen: &self.chosen, others }) as Box<dyn Choices + 'a>)
    }

    fn grade(&self) -> Option<Grade> {
        Some(Grade::Caught)
    }

    fn knows_locks(&self) -> bool {
        false
    }

    fn collecting(&self) {
        self.paid(|| self.sampler.begin_collection());
    }

    fn collected(&self) {
        self.sampler.end_collection();
    }

    fn thread_ended(&self, thread: ThreadId) {
        self.clocks.end(thread);
    }

    fn describe(&self, jvm: &mut Jvm) {
        let counts = self.sampler.counts();
        let hardware = self.hardware();
        let (lost, unwatched) = hardware.map_or((0, 0), Hardware::left_out);
        jvm.sampling = Some(Sampling {
            watched_by: self.sampler.watchpoints().name().to_owned(),
            why: self.sampler.watchpoints().refusal().unwrap_or_default().to_owned(),
            seed: self.seed,
            places: counts.places,
            accesses: counts.watched,
            refused: counts.refused,
            ended_by_collections: counts.collected,
            moved_on: counts.moved_on,
            threads_left_out: self.clocks.refused() + unwatched,
            unattributed: self.write_sites.unattributed() + lost,
            cost_us: u64::try_from(self.cost().as_micros()).unwrap_or(u64::MAX),
            pauses: counts.pauses,
        });
    }
}
