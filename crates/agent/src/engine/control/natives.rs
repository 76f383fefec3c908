//! What threads do, as woven code says it, and as the model takes it.

use model::{AccessKind, LockId, SiteId, ThreadId};
use schedule::Scheduler;
use schedule::control::{How, Op, Pending, Tid};

use super::{Control, Gated, Gave, NOWHERE, State, this_folder};
use crate::agent::{Agent, lock};
use crate::ffi::{Jni, Object};

/// Points that have no object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A call of an object that threads share.
    Call,
    /// A look whether a thread is alive.
    Look,
    /// `Thread.yield`.
    Yield,
    /// Nothing is done but what was passed before.
    Passed,
}

/// A timed `join` is over when nothing else can go on; how long it would take does not matter to anybody.
const TIMED_JOIN: u64 = 1_000_000_000;

/// The JVM's own threads, which never run the program's code for long.
const OF_JVM: [&str; 7] = [
    "Reference Handler",
    "Finalizer",
    "Signal Dispatcher",
    "Common-Cleaner",
    "Notification Thread",
    "Attach Listener",
    "DestroyJavaVM",
];

/// A number of nanoseconds, of which 0 is for ever.
fn timeout(nanos: i64) -> Option<u64> {
    u64::try_from(nanos).ok().filter(|&nanos| nanos > 0)
}

/// The lock that an object is.
fn monitor(agent: &Agent, object: Object<'_>) -> Option<LockId> {
    u32::try_from(agent.identity(object)?).ok().map(LockId)
}

impl Control {
    /// A thread does its first step.
    pub(crate) fn begins<'a>(&self, agent: &'static Agent, jni: Jni<'a>, me: ThreadId, thread: Object<'a>) {
        if self.is_free() {
            return;
        }
        let folder = this_folder();
        let mut state = lock(&self.state);
        if state.free.contains(&me) {
            return;
        }
        let tid = match state.tids.get(&me) {
            Some(&tid) => tid,
            None if folder == self.main && state.tids.is_empty() => {
                state.tids.insert(me, Tid(0));
                Tid(0)
            }
            None => {
                state.free.insert(me);
                let name = agent.jvmti.thread_name(thread).unwrap_or_default();
                // The main thread's end is not the end of what it is to the system: the JVM ends in it.
                if OF_JVM.contains(&&*name) || folder == self.main {
                    state.free.remove(&me);
                } else {
                    state.count(&format!("thread {name:?}, which nobody was seen to start"));
                }
                return;
            }
        };
        let name = agent.jvmti.thread_name(thread).unwrap_or_default();
        let Some(gated) = state.threads.get_mut(tid.0 as usize) else { return };
        if std::mem::replace(&mut gated.has_begun, true) {
            return;
        }
        (gated.id, gated.folder, gated.name) = (Some(me), Some(folder), name);
        if tid == Tid(0) {
            state.baton.begin();
        }
        drop(self.wait_with(agent, jni, state, tid));
    }

    /// A thread will start another one.
    pub(crate) fn starts<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: ThreadId,
        child: ThreadId,
        thread: Object<'a>,
    ) {
        if self.is_free() {
            return;
        }
        let never = agent.is_never_controlled(jni, thread);
        let is_daemon = agent.jvmti.is_daemon(thread).unwrap_or(false);
        let mut state = lock(&self.state);
        let parent = state.tids.get(&me).copied();
        match (parent, never) {
            (Some(parent), None) => {
                let tid = state.baton.start(parent, NOWHERE, is_daemon);
                state.threads.push(Gated::new(Some(child)));
                state.tids.insert(child, tid);
            }
            (_, Some("threads of the JDK itself")) => {}
            (_, Some(what)) => {
                state.free.insert(child);
                state.count(what);
            }
            (None, None) => {
                state.free.insert(child);
                state.count("threads started by threads that are not controlled");
            }
        }
    }

    /// A thread ends.
    pub(crate) fn ended<'a>(&self, agent: &'static Agent, jni: Jni<'a>, me: ThreadId, thread: Object<'a>) {
        self.begins(agent, jni, me, thread);
        lock(&self.state).free.remove(&me);
        let passed = agent.take_budget(jni, thread);
        self.stand(agent, jni, (me, passed), NOWHERE, |_, _| Op::End);
        if self.is_free() {
            return;
        }
        let mut state = lock(&self.state);
        let Some(tid) = state.tids.get(&me).copied() else { return };
        state.baton.end(tid, NOWHERE);
        if let Some(gated) = state.threads.get_mut(tid.0 as usize) {
            gated.folder = None;
        }
        match state.baton.turn() {
            schedule::control::Turn::Over | schedule::control::Turn::Everybody => self.let_all_go(&mut state),
            schedule::control::Turn::Deadlock => self.meet_deadlock(agent, jni, state),
            _ => self.ring(&state),
        }
    }

    /// A field or an element will be accessed.
    pub(crate) fn access<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: (ThreadId, u32),
        (object, index): (Option<Object<'a>>, i32),
        site: SiteId,
    ) -> Gave {
        let plain = (0, AccessKind::Write);
        // Only POS asks which variable it is.
        let of_variable = self.plan.scheduler == Scheduler::Pos;
        let identity = object.filter(|_| of_variable).and_then(|object| agent.identity(object)).unwrap_or(0);
        self.stand(agent, jni, me, site, |state, _| {
            let (variable, kind) = if of_variable { state.variable(agent, identity, index, site) } else { plain };
            Op::Access { variable, kind }
        })
    }

    /// A point that has no object.
    pub(crate) fn point<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: (ThreadId, u32),
        kind: Kind,
        site: SiteId,
    ) -> Gave {
        match kind {
            Kind::Passed => self.act(agent, jni, me, |_, _| {}),
            // Any two calls may touch the same: which object a call is made on lies below its arguments.
            Kind::Call => self.stand(agent, jni, me, site, |_, _| Op::Call(0)),
            // `join` looks until the JVM has seen the end of a thread, which the run has waited for already.
            Kind::Look if agent.sites.get(site).is_none_or(|site| site.is_of_jdk()) => {
                self.act(agent, jni, me, |_, _| {})
            }
            Kind::Look | Kind::Yield => self.stand(agent, jni, me, site, |_, _| Op::Yield),
        }
    }

    /// A monitor will be taken that the thread does not hold.
    pub(crate) fn enter<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: (ThreadId, u32),
        object: Object<'a>,
        is_quiet: bool,
        site: SiteId,
    ) -> Gave {
        let Some(lock) = monitor(agent, object) else { return Gave::Free };
        let mut me = me;
        if is_quiet {
            let Some((mut state, tid)) = self.of(agent, jni, me.0, me.1) else { return Gave::Free };
            if state.baton.take(tid, lock) {
                return Gave::Go { left: state.baton.left(), how: How::Done };
            }
            // What was passed before.
            me.1 = 0;
        }
        self.stand(agent, jni, me, site, |_, _| Op::Enter(lock))
    }

    /// A monitor will be given back, and is not held then.
    pub(crate) fn exit<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: (ThreadId, u32),
        object: Object<'a>,
    ) -> Gave {
        let lock = agent.known_identity(object).and_then(|id| u32::try_from(id).ok()).map(LockId);
        self.act(agent, jni, me, |state, tid| {
            if let Some(lock) = lock {
                state.baton.exit(tid, lock);
            }
        })
    }

    /// `Object.wait`: the monitor was given back, and is taken again afterwards.
    pub(crate) fn awaits<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: (ThreadId, u32),
        object: Object<'a>,
        (nanos, is_interrupted): (i64, bool),
        site: SiteId,
    ) -> Gave {
        let Some(lock) = monitor(agent, object) else { return Gave::Free };
        // Whoever is not controlled waits as ever.
        let Some((mut state, tid)) = self.of(agent, jni, me.0, me.1) else { return Gave::Free };
        let was_known = state.baton.owner(lock).is_some_and(|(owner, _)| owner == tid);
        state.baton.set_interrupted(tid, is_interrupted);
        drop(state);
        let gave = self.stand(agent, jni, (me.0, 0), site, |_, _| Op::Wait { lock, timeout: timeout(nanos) });
        if !was_known {
            // The JDK took it, and says nothing when it gives it back.
            return match self.act(agent, jni, (me.0, 0), |state, tid| state.baton.exit(tid, lock)) {
                Gave::Go { left, .. } => gave.with_left(left),
                Gave::Free => gave,
            };
        }
        match gave {
            // The monitor was given back, and nobody controls the run any more: the wait ends as it may at any time.
            Gave::Free => Gave::Go { left: u32::MAX, how: How::Done },
            gave => gave,
        }
    }

    /// `notify` or `notifyAll`.
    pub(crate) fn notifies<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: (ThreadId, u32),
        object: Object<'a>,
        is_all: bool,
    ) -> Gave {
        let Some(lock) = agent.known_identity(object).and_then(|id| u32::try_from(id).ok()).map(LockId) else {
            return self.act(agent, jni, me, |_, _| {});
        };
        self.act(agent, jni, me, |state, _| {
            if is_all {
                state.baton.notify_all(lock);
            } else {
                state.baton.notify(lock);
            }
        })
    }

    /// `LockSupport.park`.
    pub(crate) fn park<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: (ThreadId, u32),
        (nanos, is_interrupted): (i64, bool),
        site: SiteId,
    ) -> Gave {
        self.stand(agent, jni, me, site, |state, tid| {
            state.baton.set_interrupted(tid, is_interrupted);
            Op::Park { timeout: timeout(nanos) }
        })
        .uninterrupted()
    }

    /// `LockSupport.unpark`, perhaps by a thread that is not controlled.
    pub(crate) fn unpark<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: Option<(ThreadId, u32)>,
        target: ThreadId,
    ) -> Gave {
        self.reach(agent, jni, me, target, |state, target| {
            state.baton.unpark(target);
        })
    }

    /// `Thread.interrupt`, perhaps by a thread that is not controlled.
    pub(crate) fn interrupts<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: Option<(ThreadId, u32)>,
        target: ThreadId,
    ) -> Gave {
        self.reach(agent, jni, me, target, |state, target| {
            state.baton.interrupt(target);
        })
    }

    fn reach<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: Option<(ThreadId, u32)>,
        target: ThreadId,
        work: impl FnOnce(&mut State, Tid),
    ) -> Gave {
        if self.is_free() {
            return Gave::Free;
        }
        let is_mine = |me: &(ThreadId, u32)| lock(&self.state).tids.contains_key(&me.0);
        if let Some(me) = me.filter(is_mine) {
            return self.act(agent, jni, me, |state, _| {
                if let Some(&target) = state.tids.get(&target) {
                    work(state, target);
                }
            });
        }
        let mut state = lock(&self.state);
        if let Some(&target) = state.tids.get(&target) {
            work(&mut state, target);
            state.count("wake-ups by threads that are not controlled");
            self.ring(&state);
        }
        Gave::Free
    }

    /// `Thread.sleep`.
    pub(crate) fn sleep<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: (ThreadId, u32),
        (nanos, is_interrupted): (i64, bool),
        site: SiteId,
    ) -> Gave {
        self.stand(agent, jni, me, site, |state, tid| {
            state.baton.set_interrupted(tid, is_interrupted);
            Op::Sleep(u64::try_from(nanos).unwrap_or(0))
        })
    }

    /// `Thread.join`, which follows.
    pub(crate) fn join<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: (ThreadId, u32),
        (other, is_timed, is_interrupted): (ThreadId, bool, bool),
        site: SiteId,
    ) -> Gave {
        let other = lock(&self.state).tids.get(&other).copied();
        let Some(other) = other else { return self.act(agent, jni, me, |_, _| {}) };
        self.stand(agent, jni, me, site, |state, tid| {
            state.baton.set_interrupted(tid, is_interrupted);
            Op::Join { thread: other, timeout: is_timed.then_some(TIMED_JOIN) }
        })
        .uninterrupted()
    }

    /// What the clock says, in nanoseconds since the run began; `None` for a thread that is not controlled.
    pub(crate) fn time<'a>(&self, agent: &'static Agent, jni: Jni<'a>, me: (ThreadId, u32)) -> Option<u64> {
        let (mut state, _) = self.of(agent, jni, me.0, me.1)?;
        Some(state.baton.time())
    }

    /// A thread will be blocked by a monitor that somebody has.
    pub(crate) fn contended<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        me: ThreadId,
        thread: Object<'a>,
        object: Object<'a>,
    ) {
        if self.is_free() || !lock(&self.state).tids.contains_key(&me) {
            return;
        }
        let id = agent.known_identity(object).and_then(|id| u32::try_from(id).ok()).map(LockId);
        let passed = agent.take_budget(jni, thread);
        let Some((mut state, tid)) = self.of(agent, jni, me, passed) else { return };
        let owner = id.and_then(|id| state.baton.owner(id)).map(|(owner, _)| owner);
        // Who else has it is a thread of the JVM, which gives it back soon, or one that is inside the JDK: the net finds that out.
        let (Some(id), Some(owner)) = (id, owner) else { return };
        if owner != tid {
            // A class of the JDK wants what the program has.
            state.baton.arrive(tid, Pending { op: Op::Enter(id), site: NOWHERE });
            if let Some(mut state) = self.wait_with(agent, jni, state, tid) {
                state.baton.exit(tid, id);
            }
        }
    }
}

impl Gave {
    /// What `park` and `join` do about interrupts is their own business.
    fn uninterrupted(self) -> Gave {
        match self {
            Gave::Go { left, .. } => Gave::Go { left, how: How::Done },
            Gave::Free => Gave::Free,
        }
    }

    fn with_left(self, left: u32) -> Gave {
        match self {
            Gave::Go { how, .. } => Gave::Go { left, how },
            Gave::Free => Gave::Go { left: u32::MAX, how: How::Done },
        }
    }
}

impl State {
    /// A variable's number in this run, and what is done to it.
    fn variable(&mut self, agent: &Agent, identity: u64, index: i32, site: SiteId) -> (u64, AccessKind) {
        let info = agent.sites.get(site);
        let name = info.as_ref().and_then(|info| info.field.as_ref()).map_or_else(String::new, |field| {
            // Of a static field the class says which it is.
            if identity == 0 { format!("{}.{}", field.owner, field.name) } else { field.name.clone() }
        });
        let kind = if info.is_some_and(|info| info.writes) { AccessKind::Write } else { AccessKind::Read };
        let next = self.variables.len() as u64;
        (*self.variables.entry((identity, name, index)).or_insert(next), kind)
    }
}
