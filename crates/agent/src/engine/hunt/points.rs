//! Points: what woven code says, as the gate takes it, and threads that wait there.

use std::collections::HashMap;
use std::sync::MutexGuard;

use model::{AccessKind, LockId, SiteId, ThreadId};
use schedule::{AccessAt, LockAt, Passage, Point, Scheduler, Stacks, Symbol, Symbols, ThreadPath};

use super::{BETWEEN_LOOKS, Hunt, Known, State};
use crate::agent::{Agent, lock};
use crate::entry::is_off;
use crate::ffi::{Jni, Object};
use crate::scope;
use crate::sites::dotted;

/// How a lock is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// A lock of java.util.concurrent, for as long as it takes.
    Waits,
    /// It may be left without it.
    Tries,
    /// A monitor.
    Monitor,
}

/// An access that will be made.
#[derive(Clone, Copy)]
pub(crate) struct Access<'a> {
    pub(crate) object: Option<Object<'a>>,
    /// Of an element; negative for a field.
    pub(crate) index: i32,
    pub(crate) site: SiteId,
}

/// JVMTI's bits of a thread's state: it waits for a monitor, waits for ever, or is asleep.
const BLOCKED_ON_MONITOR: i32 = 0x400;
const WAITING: i32 = 0x80;
const SLEEPING: i32 = 0x40;
const ALIVE: i32 = 1;

/// The stacks of the JVM's threads, during one call.
struct JvmStacks<'h, 'a> {
    agent: &'static Agent,
    jni: Jni<'a>,
    symbols: &'h mut Symbols,
    methods: &'h mut HashMap<u32, Option<Symbol>>,
    threads: Option<HashMap<ThreadId, Object<'a>>>,
}

impl Stacks for JvmStacks<'_, '_> {
    fn innermost(&mut self, thread: ThreadId, depth: usize) -> Vec<Symbol> {
        let (agent, jni) = (self.agent, self.jni);
        let threads = self.threads.get_or_insert_with(|| agent.threads_by_id(jni));
        let Some(&object) = threads.get(&thread) else { return Vec::new() };
        let frames = agent.methods.innermost_of(agent.jvmti, object, depth);
        frames.iter().filter_map(|frame| named(agent, frame.method, self.symbols, self.methods)).collect()
    }
}

/// Nobody's stack: where it does not matter.
struct NoStacks;

impl Stacks for NoStacks {
    fn innermost(&mut self, _thread: ThreadId, _depth: usize) -> Vec<Symbol> {
        Vec::new()
    }
}

/// The name of a method, unless it is the JDK's, or what a lambda became in this JVM.
fn named(
    agent: &Agent,
    method: u32,
    symbols: &mut Symbols,
    methods: &mut HashMap<u32, Option<Symbol>>,
) -> Option<Symbol> {
    if let Some(&known) = methods.get(&method) {
        return known;
    }
    let found = agent.methods.name(method).filter(|(class, _)| !scope::is_jdk(class) && !class.contains("$$Lambda"));
    let symbol = found.map(|(class, method)| symbols.of(&format!("{}.{method}", dotted(&class))));
    methods.insert(method, symbol);
    symbol
}

impl Agent {
    /// The threads that run and have an id.
    pub(crate) fn threads_by_id<'a>(&self, jni: Jni<'a>) -> HashMap<ThreadId, Object<'a>> {
        let live = self.jvmti.live_threads();
        jni.expect_references(live.len());
        live.into_iter().filter_map(|thread| Some((self.id_of(jni, thread)?, thread))).collect()
    }
}

impl State {
    /// What is known of a thread; one that nobody was seen to start is a root.
    fn known(&mut self, thread: ThreadId) -> &mut Known {
        let roots = &mut self.roots;
        self.threads.entry(thread).or_insert_with(|| {
            *roots += 1;
            Known::new(ThreadPath::root(*roots - 1))
        })
    }

    fn arrive_alone(&mut self, thread: ThreadId, point: &Point, now: std::time::Duration) {
        self.gate.arrive(thread, point, &mut NoStacks, now);
    }
}

impl Known {
    fn new(path: ThreadPath) -> Known {
        Known { path, children: 0, is_virtual: false, has_begun: false, requested: None, waits: None }
    }
}

impl Hunt {
    /// A thread will start another one.
    pub(crate) fn starts(&self, me: ThreadId, child: ThreadId) {
        let mut state = lock(&self.state);
        let mine = state.known(me);
        let path = mine.path.child(mine.children);
        mine.children += 1;
        state.threads.entry(child).or_insert_with(|| Known::new(path));
        state.arrive_alone(me, &Point::Start(child), self.now());
        self.wake(&mut state);
    }

    /// A thread has ended.
    pub(crate) fn ended(&self, agent: &'static Agent, jni: Jni<'_>, me: ThreadId) {
        let mut state = lock(&self.state);
        state.threads.remove(&me);
        let now = self.now();
        jni.in_frame(|jni| state.with_stacks(agent, jni, |gate, stacks| gate.arrive(me, &Point::End, stacks, now)));
        self.wake(&mut state);
    }

    /// A thread does its first step, or goes on after a wait.
    pub(crate) fn begins<'a>(&self, agent: &'static Agent, jni: Jni<'a>, me: ThreadId, thread: Object<'a>) {
        let mut state = lock(&self.state);
        let known = state.known(me);
        if known.has_begun {
            return;
        }
        known.has_begun = true;
        let class = jni.class_of(thread).and_then(|class| agent.jvmti.class_name(class));
        known.is_virtual = class.is_some_and(|class| class.starts_with("java/lang/") && class.contains("Virtual"));
        if !known.is_virtual {
            self.arrive(agent, jni, state, me, &Point::Begin);
        }
    }

    /// A thread will take a lock, or try to.
    pub(crate) fn request<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: ThreadId,
        object: Object<'a>,
        how: How,
        (site, context): (SiteId, u32),
    ) {
        let Some(id) = agent.identity(object).and_then(|id| u32::try_from(id).ok()).map(LockId) else { return };
        let mut state = lock(&self.state);
        if state.known(me).is_virtual || state.is_over {
            return;
        }
        let (site, within) = match how {
            How::Monitor => (site, agent.sites.get(site).map(|site| dotted(&site.class)).unwrap_or_default()),
            How::Waits | How::Tries => match state.caller(agent, site, context) {
                Some(caller) => caller,
                None => return,
            },
        };
        let kind = state.kind(agent, jni, id, object, &within, site);
        state.collect(agent, self.depth(), (context, site, kind));
        let lock = LockAt { lock: id, kind, site };
        state.known(me).requested = Some(lock);
        let point = if how == How::Tries { Point::Try(lock) } else { Point::Request(lock) };
        self.arrive(agent, jni, state, me, &point);
    }

    /// A thread took a lock that it did not have.
    pub(crate) fn acquired<'a>(&self, agent: &'static Agent, jni: Jni<'a>, me: ThreadId, id: LockId, site: SiteId) {
        let mut state = lock(&self.state);
        let requested = state.known(me).requested.take().filter(|requested| requested.lock == id);
        let at = requested.unwrap_or_else(|| LockAt { lock: id, kind: state.symbols.of(""), site });
        self.pass(agent, jni, state, me, &Point::Acquired(at));
    }

    /// A thread will give a lock back, or gave it back.
    pub(crate) fn released<'a>(&self, agent: &'static Agent, jni: Jni<'a>, me: ThreadId, id: LockId) {
        let state = lock(&self.state);
        self.pass(agent, jni, state, me, &Point::Released(id));
    }

    /// A thread will wait at a monitor, which it gives back meanwhile.
    pub(crate) fn waits<'a>(&self, agent: &'static Agent, jni: Jni<'a>, me: ThreadId, id: LockId) {
        let mut state = lock(&self.state);
        if state.gate.owns(me, id) {
            let at = LockAt { lock: id, kind: state.symbols.of(""), site: SiteId(0) };
            state = self.passed(agent, jni, state, me, &Point::Released(id));
            state.known(me).waits = Some(at);
        }
        self.pass(agent, jni, state, me, &Point::Blocked);
    }

    /// A thread will make an access at a site that was chosen.
    pub(crate) fn access<'a>(&self, agent: &'static Agent, jni: Jni<'a>, me: ThreadId, access: Access<'a>) {
        if self.settled.has(access.site) {
            return;
        }
        let Some(placed) = self.placed(agent, access.site) else { return };
        if placed.sides.is_empty() && self.plan.scheduler != Scheduler::ConTest {
            return;
        }
        if !lock(&self.state).gate.wants(access.site) {
            // RaceFuzzer may want it again, while somebody waits.
            if self.plan.scheduler == Scheduler::ConTest {
                self.settled.add(access.site);
            }
            return;
        }
        let identity = match access.object {
            // Delays do not ask which variable it is.
            _ if self.plan.scheduler == Scheduler::ConTest => 0,
            Some(object) => agent.identity(object).unwrap_or(0),
            // Of an array that is null.
            None if access.index >= 0 => return,
            None => 0,
        };
        let mut state = lock(&self.state);
        if state.known(me).is_virtual || state.is_over {
            return;
        }
        let name = state.symbols.of(&placed.variable);
        let next = state.variables.len() as u64;
        let variable = *state.variables.entry((identity, name, access.index)).or_insert(next);
        let kind = if placed.is_write { AccessKind::Write } else { AccessKind::Read };
        self.arrive(agent, jni, state, me, &Point::Access(AccessAt { variable, kind, site: access.site }));
    }

    /// A point at which no thread is held.
    fn pass<'a>(&self, agent: &'static Agent, jni: Jni<'a>, state: MutexGuard<'_, State>, me: ThreadId, point: &Point) {
        drop(self.passed(agent, jni, state, me, point));
    }

    fn passed<'s, 'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        mut state: MutexGuard<'s, State>,
        me: ThreadId,
        point: &Point,
    ) -> MutexGuard<'s, State> {
        let now = self.now();
        state.has_waited(me, now);
        if self.plan.scheduler == Scheduler::DrFinder {
            jni.in_frame(|jni| state.with_stacks(agent, jni, |gate, stacks| gate.arrive(me, point, stacks, now)));
        } else {
            state.arrive_alone(me, point, now);
        }
        self.wake(&mut state);
        state
    }

    /// A point at which the thread waits, if it is held.
    fn arrive<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        mut state: MutexGuard<'_, State>,
        me: ThreadId,
        point: &Point,
    ) {
        let now = self.now();
        state.has_waited(me, now);
        let passage =
            jni.in_frame(|jni| state.with_stacks(agent, jni, |gate, stacks| gate.arrive(me, point, stacks, now)));
        if let Some(catch) = state.gate.take_catch() {
            state.note_catch(agent, jni, &catch);
        }
        self.wake(&mut state);
        if passage == Some(Passage::Held) {
            while state.gate.is_held(me) && !is_off() {
                let most = state.gate.next_deadline().map_or(BETWEEN_LOOKS, |at| at.saturating_sub(self.now()));
                let wait = most.min(BETWEEN_LOOKS);
                let (guard, _) =
                    self.woken.wait_timeout(state, wait).unwrap_or_else(std::sync::PoisonError::into_inner);
                state = guard;
                if state.gate.is_held(me) && !is_off() {
                    self.look(agent, jni, &mut state);
                }
            }
        }
        self.meet_deadlock(agent, jni, state, me);
    }

    /// Looks after the gate: who is blocked, whose time is over.
    fn look<'a>(&self, agent: &'static Agent, jni: Jni<'a>, state: &mut State) {
        let now = self.now();
        jni.in_frame(|jni| {
            let threads = agent.threads_by_id(jni);
            let running: Vec<ThreadId> = state.gate.running().collect();
            for thread in running {
                let bits = threads.get(&thread).and_then(|&object| agent.jvmti.thread_state(object)).unwrap_or(0);
                let waits = bits & WAITING != 0 && bits & SLEEPING == 0;
                let is_blocked = bits & ALIVE == 0 || bits & BLOCKED_ON_MONITOR != 0 || waits;
                let point = match (is_blocked, state.gate.is_blocked(thread)) {
                    (true, false) => Point::Blocked,
                    (false, true) => Point::Unblocked,
                    _ => continue,
                };
                state.with_stacks(agent, jni, |gate, stacks| gate.arrive(thread, &point, stacks, now));
            }
            state.with_stacks(agent, jni, |gate, stacks| gate.look(stacks, now));
        });
        self.wake(state);
    }

    /// Wakes who is held no longer.
    fn wake(&self, state: &mut State) {
        if !state.gate.take_woken().is_empty() {
            self.woken.notify_all();
        }
    }
}

impl State {
    fn with_stacks<'a, T>(
        &mut self,
        agent: &'static Agent,
        jni: Jni<'a>,
        work: impl FnOnce(&mut schedule::Gate, &mut dyn Stacks) -> T,
    ) -> T {
        let State { gate, symbols, methods, .. } = self;
        work(gate, &mut JvmStacks { agent, jni, symbols, methods, threads: None })
    }

    /// A thread that waited at a monitor goes on, and has it again.
    fn has_waited(&mut self, me: ThreadId, now: std::time::Duration) {
        if let Some(at) = self.threads.get_mut(&me).and_then(|known| known.waits.take()) {
            self.arrive_alone(me, &Point::Acquired(at), now);
        }
    }

    /// Where a lock of java.util.concurrent is taken, and within which class; `None` if only the JDK is on the stack.
    fn caller(&mut self, agent: &Agent, site: SiteId, context: u32) -> Option<(SiteId, String)> {
        if let Some(known) = self.callers.get(&(context, site)) {
            return known.clone();
        }
        let frames = agent.methods.innermost(agent.jvmti, CALLER_FRAMES);
        let frames: Vec<_> = frames.into_iter().filter_map(|frame| agent.methods.shown(frame)).collect();
        let taken = agent.sites.get(site).map(|site| dotted(&site.class)).unwrap_or_default();
        let within = frames.iter().find(|frame| frame.class != taken).map(|frame| frame.class.clone());
        let user = frames.iter().find(|frame| !scope::is_jdk(&frame.class.replace('.', "/")));
        let found = user.map(|frame| (agent.sites.add_frame(frame), within.unwrap_or_default()));
        self.callers.insert((context, site), found.clone());
        found
    }

    /// Takes a lock's kind into the relation, for the methods that the thread executes.
    fn collect(&mut self, agent: &Agent, depth: usize, key: (u32, SiteId, Symbol)) {
        if !self.collected.insert(key) {
            return;
        }
        let frames = agent.methods.innermost(agent.jvmti, depth);
        let State { symbols, methods, gate, .. } = self;
        let names = frames.iter().filter_map(|frame| named(agent, frame.method, symbols, methods));
        let innermost: Vec<Symbol> = names.collect();
        gate.collect(&innermost, key.2);
    }
}

/// The program's call of the JDK is no further out than this.
const CALLER_FRAMES: usize = 64;
