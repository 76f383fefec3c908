//! Controlled runs: one thread of the program runs at a time, and a policy decides at each point which one
//! (`schedule::control`). Here threads wait, and the model learns what they do.
//!
//! A thread that has not the baton waits in native code on a condition variable, with no lock of the JVM, none of ours and no
//! address of an object. A detector learns nothing from that: its order comes from the hooks alone.
//!
//! What threads wait for is the model's: `monitorenter` comes after the grant and finds the monitor free, `park` returns
//! without having parked, `wait` gives the monitor back and takes it again itself, `sleep` does not sleep. The clock that the
//! program reads is the model's too. What still blocks, such as reading from a socket or a monitor inside the JDK, is *outside*:
//! the JVM says so (contended monitors), or a waiting thread finds out ([`watch`]), and the baton goes on.
//!
//! Not controlled: threads that no controlled one has started, virtual threads and their carriers, the JDK's own cleaners. They
//! run freely, may wake controlled threads, and are counted. If nothing happens for long while such threads run, control is
//! given up: everybody goes on, and the report says so.
//!
//! What may be missed: schedules in which a thread is interrupted inside a class of the JDK, or inside a static initializer.

mod names;
mod natives;
mod watch;

use std::any::Any;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use model::{Grade, SiteId, ThreadId};
use report::Jvm;
use runtime::layout::EngineFlags;
use schedule::control::{Baton, Controlled, How, Op, Pending, Points, Schedule, State as ThreadState, Tid, Turn};
use schedule::{Plan, ThreadPath};
use weave::{Annotations, Choices, Passes, Site};

use super::{ClassKind, Engine, Wish};
use crate::agent::{Agent, lock};
use crate::entry::is_off;
use crate::ffi::{Jni, Object};
use crate::output::message;
use names::Names;
pub(crate) use natives::Kind;
use watch::Watch;

/// How often a thread that waits looks whether the run goes on.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Where a thread stands of which nothing is known.
pub(super) const NOWHERE: SiteId = SiteId(0);

/// With this the JVM ends that is in a deadlock.
const EXIT: i32 = 66;

/// A controlled run.
pub(crate) struct Control {
    plan: Plan,
    /// The folder and the start of the names of what it writes.
    file: Option<PathBuf>,
    /// The thread that loaded the agent will be the main thread.
    main: PathBuf,
    state: Mutex<State>,
    /// Nobody waits any more.
    is_free: AtomicBool,
}

struct State {
    baton: Baton,
    threads: Vec<Gated>,
    tids: HashMap<ThreadId, Tid>,
    /// Threads that are not controlled.
    free: HashSet<ThreadId>,
    uncontrolled: BTreeMap<String, u64>,
    outside: u64,
    given_up: Option<String>,
    watch: Watch,
    is_over: bool,
    variables: HashMap<(u64, String, i32), u64>,
}

/// A controlled thread.
struct Gated {
    id: Option<ThreadId>,
    bell: Arc<Condvar>,
    /// Its folder in /proc, when it has arrived.
    folder: Option<PathBuf>,
    name: String,
    has_begun: bool,
}

impl Gated {
    fn new(id: Option<ThreadId>) -> Gated {
        Gated { id, bell: Arc::default(), folder: None, name: String::new(), has_begun: false }
    }
}

/// What a thread gets to know when it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gave {
    /// It has the baton, and may pass so many points.
    Go { left: u32, how: How },
    /// It is not controlled.
    Free,
}

type Guard<'s> = MutexGuard<'s, State>;

fn this_folder() -> PathBuf {
    // Without it no thread is the main thread, and the run says that it was not controlled.
    fs::read_link("/proc/thread-self").map_or_else(|_| PathBuf::new(), |folder| Path::new("/proc").join(folder))
}

impl Control {
    /// Begins a run; the plan is a controlled one.
    pub(crate) fn new(plan: Plan, outcome: Option<PathBuf>) -> io::Result<Control> {
        let names = Box::new(Names::default());
        let baton = plan
            .control
            .baton(plan.scheduler, plan.seed, names, NOWHERE)
            .map_err(|error| io::Error::other(error.to_string()))?;
        let state = State {
            baton,
            threads: vec![Gated::new(None)],
            tids: HashMap::new(),
            free: HashSet::new(),
            uncontrolled: BTreeMap::new(),
            outside: 0,
            given_up: None,
            watch: Watch::new(Duration::from_millis(plan.control.patience_ms)),
            is_over: false,
            variables: HashMap::new(),
        };
        Ok(Control {
            plan,
            file: outcome,
            main: this_folder(),
            state: Mutex::new(state),
            is_free: AtomicBool::new(false),
        })
    }

    /// What the virtual clock begins with, in milliseconds.
    pub(crate) fn clock(&self) -> u64 {
        self.plan.control.clock
    }

    fn is_free(&self) -> bool {
        self.is_free.load(Ordering::Relaxed) || is_off()
    }

    /// A thread stands in front of an operation, and waits until it may make it.
    fn stand<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        (me, passed): (ThreadId, u32),
        site: SiteId,
        op: impl FnOnce(&mut State, Tid) -> Op,
    ) -> Gave {
        let Some((mut state, tid)) = self.of(agent, jni, me, passed) else { return Gave::Free };
        let op = op(&mut state, tid);
        state.baton.arrive(tid, Pending { op, site });
        self.wait(agent, jni, state, tid)
    }

    /// A thread that has the baton does what makes nobody wait.
    fn act<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        (me, passed): (ThreadId, u32),
        work: impl FnOnce(&mut State, Tid),
    ) -> Gave {
        let Some((mut state, tid)) = self.of(agent, jni, me, passed) else { return Gave::Free };
        work(&mut state, tid);
        self.ring(&state);
        Gave::Go { left: state.baton.left(), how: How::Done }
    }

    /// The state, if the thread is controlled: it has the baton then, also if it was outside.
    fn of<'s, 'a>(
        &'s self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: ThreadId,
        passed: u32,
    ) -> Option<(Guard<'s>, Tid)> {
        if self.is_free() {
            return None;
        }
        let mut state = lock(&self.state);
        let tid = state.tids.get(&me).copied()?;
        if !state.threads.get(tid.0 as usize)?.has_begun || state.baton.state(tid) == ThreadState::Ended {
            return None;
        }
        if state.baton.holder() == Some(tid) {
            state.baton.pass(tid, passed);
            return Some((state, tid));
        }
        // It was outside.
        state.baton.come_back(tid, NOWHERE);
        self.wait_with(agent, jni, state, tid).map(|state| (state, tid))
    }

    fn wait<'a>(&self, agent: &'static Agent, jni: Jni<'a>, state: Guard<'_>, tid: Tid) -> Gave {
        let Some(state) = self.wait_with(agent, jni, state, tid) else { return Gave::Free };
        match state.baton.turn() {
            Turn::Run { how, .. } => Gave::Go { left: state.baton.left(), how },
            _ => Gave::Free,
        }
    }

    /// Waits until the thread has the baton; `None` if nobody controls the run any longer.
    fn wait_with<'s, 'a>(
        &'s self,
        agent: &'static Agent,
        jni: Jni<'a>,
        mut state: Guard<'s>,
        tid: Tid,
    ) -> Option<Guard<'s>> {
        self.ring(&state);
        loop {
            match state.baton.turn() {
                Turn::Run { thread, .. } if thread == tid => return Some(state),
                Turn::Everybody | Turn::Over => {
                    self.let_all_go(&mut state);
                    return None;
                }
                Turn::Deadlock => {
                    self.meet_deadlock(agent, jni, state);
                    return None;
                }
                _ if self.is_free() => return None,
                _ => {}
            }
            let bell = Arc::clone(&state.threads.get(tid.0 as usize)?.bell);
            let (guard, waited) = bell.wait_timeout(state, BETWEEN_LOOKS).unwrap_or_else(PoisonError::into_inner);
            state = guard;
            if waited.timed_out() && !self.is_free() {
                self.look(agent, jni, &mut state);
            }
        }
    }

    /// Wakes the thread that has the baton, or everybody.
    fn ring(&self, state: &State) {
        match state.baton.turn() {
            Turn::Run { thread, .. } => {
                if let Some(gated) = state.threads.get(thread.0 as usize) {
                    gated.bell.notify_one();
                }
            }
            Turn::Nobody => {}
            Turn::Everybody | Turn::Over | Turn::Deadlock => {
                state.threads.iter().for_each(|gated| gated.bell.notify_all())
            }
        }
    }

    /// Nobody is controlled any longer.
    fn let_all_go(&self, state: &mut State) {
        if !self.is_free.swap(true, Ordering::Relaxed) {
            if state.baton.turn() == Turn::Everybody && state.given_up.is_none() {
                state.given_up = Some(match state.baton.divergence() {
                    Some(_) => "the run left the schedule".to_owned(),
                    None => "the schedule is over".to_owned(),
                });
            }
            state.threads.iter().for_each(|gated| gated.bell.notify_all());
        }
    }

    /// Control ends before the program does.
    fn give_up(&self, state: &mut State, why: String) {
        if !self.is_free.swap(true, Ordering::Relaxed) {
            state.given_up = Some(why);
            state.threads.iter().for_each(|gated| gated.bell.notify_all());
        }
    }

    /// Nobody can go on: the run ends here, with what is known of it.
    fn meet_deadlock<'a>(&self, agent: &'static Agent, jni: Jni<'a>, mut state: Guard<'_>) {
        if state.is_over {
            return;
        }
        let Some(deadlock) = state.baton.deadlock() else { return };
        let line = |stuck: &schedule::control::Stuck| {
            let place = agent.place_of(stuck.site);
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            let name = state.threads.get(stuck.thread.0 as usize).map_or("", |gated| &*gated.name);
            format!("thread {} \"{name}\" {}{at}", stuck.path, stuck.state)
        };
        let lines: Vec<String> = deadlock.stuck.iter().map(line).collect();
        self.write(agent, &mut state, lines);
        drop(state);
        message("autodrome: no thread of the program can go on, and the run ends here");
        jni.halt(EXIT);
    }

    /// Writes what became of the run, and its schedule.
    fn write(&self, agent: &Agent, state: &mut State, deadlock: Vec<String>) {
        if std::mem::replace(&mut state.is_over, true) {
            return;
        }
        let Some(file) = &self.file else { return };
        let jdk = agent.jvmti.system_property("java.vm.version").unwrap_or_default();
        let header = self.plan.control.header(self.plan.scheduler, self.plan.seed, jdk);
        let name = |path: &ThreadPath| state.name_of(path);
        let schedule = Schedule::of(&state.baton, header, &Names::default(), name);
        let result = Controlled {
            steps: state.baton.steps(),
            contested: state.baton.contested(),
            switches: schedule.switches() as u64,
            threads: state.tids.len() as u64,
            outside: state.outside,
            uncontrolled: state.uncontrolled.clone(),
            given_up: state.given_up.clone(),
            divergence: state.explained(&self.plan),
            left_out: state.baton.left_out(),
            deadlock,
            ..Controlled::default()
        };
        for (extension, bytes) in [("schedule", schedule.to_bytes()), ("controlled", result.to_json().into_bytes())] {
            let whole = file.with_extension(extension);
            let part = file.with_extension("part");
            let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, &whole));
            if let Err(error) = written {
                message(&format!("autodrome: cannot write {}: {error}", report::plain(&whole.to_string_lossy())));
            }
        }
    }
}

impl State {
    fn name_of(&self, path: &ThreadPath) -> String {
        let is_meant = |&(tid, _): &(usize, &Gated)| {
            self.baton.path(Tid(u32::try_from(tid).unwrap_or(u32::MAX))).is_some_and(|mine| mine == path)
        };
        self.threads.iter().enumerate().find(is_meant).map_or_else(String::new, |(_, gated)| gated.name.clone())
    }

    /// Where the run left its schedule, with the last stretches that agreed.
    fn explained(&self, plan: &Plan) -> Option<String> {
        let divergence = self.baton.divergence()?;
        let schedule = plan.control.schedule.as_deref().and_then(|file| schedule::control::read(file).ok());
        Some(match schedule {
            Some(schedule) => schedule::control::Explained(divergence, &schedule).to_string(),
            None => divergence.to_string(),
        })
    }

    fn count(&mut self, what: &str) {
        *self.uncontrolled.entry(what.to_owned()).or_insert(0) += 1;
    }
}

impl Choices for &Control {
    fn stops_before(&self, _access: &Site<'_>) -> bool {
        self.plan.control.points == Points::All
    }
}

impl Engine for Control {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn passes(&self, _kind: ClassKind, _usual: Passes) -> Wish {
        Wish { with: Passes::POINTS | Passes::CONTROL, ..Wish::default() }
    }

    fn choices<'a>(&'a self, _declared: &'a Annotations, kind: ClassKind) -> Option<Box<dyn Choices + 'a>> {
        (kind != ClassKind::Jdk).then(|| Box::new(self) as Box<dyn Choices + 'a>)
    }

    fn grade(&self) -> Option<Grade> {
        None
    }

    fn flags(&self) -> EngineFlags {
        EngineFlags::ON | EngineFlags::CONTROLS
    }

    fn finish(&self) {
        if let Some(agent) = Agent::get() {
            let mut state = lock(&self.state);
            self.write(agent, &mut state, Vec::new());
            self.give_up(&mut state, String::new());
        }
    }

    fn describe(&self, _jvm: &mut Jvm) {}
}

impl Agent {
    /// The controlled run, if this is one.
    pub(crate) fn control(&self) -> Option<&Control> {
        self.engines.get()
    }

    /// What is known of a thread when it is started: whether it is one that is never controlled.
    fn is_never_controlled<'a>(&self, jni: Jni<'a>, thread: Object<'a>) -> Option<&'static str> {
        let class = jni.class_of(thread).and_then(|class| self.jvmti.class_name(class)).unwrap_or_default();
        let name = self.jvmti.thread_name(thread).unwrap_or_default();
        match &*class {
            "jdk/internal/misc/CarrierThread" => Some("carriers of virtual threads"),
            "jdk/internal/misc/InnocuousThread" => Some("threads of the JDK itself"),
            _ if name == "process reaper" || name.starts_with("process reaper (") => Some("threads of the JDK itself"),
            _ if class.starts_with("java/lang/") && class.contains("Virtual") => Some("virtual threads"),
            _ => None,
        }
    }
}
