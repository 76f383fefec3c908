//! Hunting: carries out a plan. Threads are held back at points in front of whatever detects (`crates/schedule`).
//!
//! The gate decides; here it learns what threads do, and threads wait. A held thread waits in native code on a condition variable,
//! with no lock of the JVM or of ours; meanwhile it looks after the gate itself, every few milliseconds: whose time is over, who
//! is blocked, whether the program thrashes. So while nobody is held nothing is asked of the JVM, and no thread of ours runs.
//!
//! Who is blocked is asked of the JVM (`GetThreadState`), whatever blocks: a monitor, `wait`, `park`, `join`. That needs no hooks.
//! A sleeping thread counts as running, because time wakes it.
//!
//! Not held: virtual threads, which would keep their carriers; threads that execute nothing but the JDK's code.

mod candidates;
mod catches;
mod deadlocks;
mod kinds;
mod points;
mod settled;

use std::any::Any;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use model::{Grade, LockId, SiteId, ThreadId};
use report::Jvm;
use runtime::layout::EngineFlags;
use schedule::{CatchRecord, DeadlockRecord, Gate, LockAt, Outcome, Plan, Symbol, Symbols, ThreadPath};
use weave::{Annotations, Choices, Passes};

use super::{ClassKind, Engine, Wish};
use crate::agent::{Agent, lock};
use crate::ffi::Object;
use crate::output::message;
use crate::races::frame;
use candidates::Candidates;
use kinds::Kind;
pub(crate) use points::{Access, How};
use settled::Settled;

/// How often a held thread looks after the gate.
const BETWEEN_LOOKS: Duration = Duration::from_millis(4);

/// Frames of a stack that are shown at most.
const SHOWN_FRAMES: usize = 64;

pub(crate) struct Hunt {
    plan: Plan,
    outcome: Option<PathBuf>,
    began: Instant,
    candidates: Candidates,
    /// Sites of accesses that nobody is held at any more.
    settled: Settled,
    state: Mutex<State>,
    /// Somebody is held no longer.
    woken: Condvar,
}

struct State {
    gate: Gate,
    symbols: Symbols,
    /// By number of a method, its name; none of the JDK's.
    methods: HashMap<u32, Option<Symbol>>,
    threads: HashMap<ThreadId, Known>,
    /// How many threads nobody known has started.
    roots: u32,
    kinds: HashMap<LockId, Kind>,
    /// Does the place say what a lock's type does not?
    kinds_by_place: bool,
    /// By calling context and site inside the JDK: where a lock of java.util.concurrent is taken, and within which class.
    callers: HashMap<(u32, SiteId), Option<(SiteId, String)>>,
    /// What the relation has already, by calling context, site and lock.
    collected: HashSet<(u32, SiteId, Symbol)>,
    /// Variables by object, name and index.
    variables: HashMap<(u64, Symbol, i32), u64>,
    catches: Vec<CatchRecord>,
    deadlocks: BTreeSet<DeadlockRecord>,
    /// The program is at its end, and nobody is held any more.
    is_over: bool,
}

/// What is known of a thread.
struct Known {
    path: ThreadPath,
    children: u32,
    is_virtual: bool,
    has_begun: bool,
    /// The lock that it requested last.
    requested: Option<LockAt>,
    /// The monitor that it will have again when its wait is over.
    waits: Option<LockAt>,
}

/// Reads a plan.
pub(crate) fn read(plan: &std::path::Path) -> io::Result<Plan> {
    let wrong = |why: String| io::Error::other(format!("{}: {why}", plan.display()));
    let bytes = fs::read(plan).map_err(|error| wrong(error.to_string()))?;
    Plan::parse(&bytes).map_err(|error| wrong(error.to_string()))
}

impl Hunt {
    /// Carries out a plan.
    pub(crate) fn new(plan_read: Plan, outcome: Option<PathBuf>) -> Hunt {
        let mut symbols = Symbols::default();
        let gate = plan_read.gate(&mut symbols);
        let state = State {
            gate,
            symbols,
            methods: HashMap::new(),
            threads: HashMap::new(),
            roots: 0,
            kinds: HashMap::new(),
            kinds_by_place: plan_read.settings.kinds_by_place,
            callers: HashMap::new(),
            collected: HashSet::new(),
            variables: HashMap::new(),
            catches: Vec::new(),
            deadlocks: BTreeSet::new(),
            is_over: false,
        };
        Hunt {
            candidates: Candidates::new(&plan_read),
            settled: Settled::default(),
            plan: plan_read,
            outcome,
            began: Instant::now(),
            state: Mutex::new(state),
            woken: Condvar::new(),
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn depth(&self) -> usize {
        usize::try_from(self.plan.settings.depth).unwrap_or(1)
    }

    /// Writes what the schedule was, as far as it has come.
    fn write_outcome(&self, agent: &Agent, state: &State) {
        let Some(file) = &self.outcome else { return };
        let place = |site| agent.place_of(site);
        let mut outcome = Outcome::of(&state.gate, &state.symbols, place);
        outcome.deadlocks.clone_from(&state.deadlocks);
        outcome.catches.clone_from(&state.catches);
        // Whole or not at all: the command may look at any time.
        let part = file.with_extension("part");
        let written = fs::write(&part, outcome.to_json()).and_then(|()| fs::rename(&part, file));
        if let Err(error) = written {
            message(&format!("autodrome: cannot write {}: {error}", report::plain(&file.to_string_lossy())));
        }
    }

    /// The program is at its end: all go, and the outcome is written.
    fn close(&self, agent: &Agent) {
        let mut state = lock(&self.state);
        if !state.is_over {
            state.is_over = true;
            state.gate.open();
            self.write_outcome(agent, &state);
        }
        self.woken.notify_all();
    }
}

impl Engine for Hunt {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn passes(&self, _kind: ClassKind, _usual: Passes) -> Wish {
        Wish { with: Passes::POINTS, ..Wish::default() }
    }

    fn choices<'a>(&'a self, _declared: &'a Annotations, kind: ClassKind) -> Option<Box<dyn Choices + 'a>> {
        (kind != ClassKind::Jdk).then(|| Box::new(&self.candidates) as Box<dyn Choices + 'a>)
    }

    fn grade(&self) -> Option<Grade> {
        None
    }

    fn flags(&self) -> EngineFlags {
        EngineFlags::ON | EngineFlags::HUNTS
    }

    fn finish(&self) {
        if let Some(agent) = Agent::get() {
            self.close(agent);
        }
    }

    fn describe(&self, _jvm: &mut Jvm) {}
}

impl Agent {
    /// The hunt, if there is one.
    pub(crate) fn hunt(&self) -> Option<&Hunt> {
        self.engines.get()
    }

    /// The stack of a thread, innermost frame first, as reports write it; what lambdas became has other names in each JVM.
    fn shown_stack(&self, thread: Object<'_>) -> Vec<String> {
        let frames = self.methods.innermost_of(self.jvmti, thread, SHOWN_FRAMES);
        let shown = frames.into_iter().filter_map(|frame| self.methods.shown(frame));
        shown.filter(|frame| !frame.class.contains("$$Lambda")).map(|frame| frame.to_string()).collect()
    }

    /// Where a site is, as reports write it.
    pub(crate) fn place_of(&self, site: SiteId) -> String {
        self.sites.get(site).map_or_else(String::new, |site| frame(&site).to_string())
    }
}
