//! The model of the program that is controlled: threads, monitors, permits, interrupts and the virtual clock.
//!
//! It knows which threads *can* go on and what happens when one does; it never decides which one does. Whether a thread can go
//! on is a predicate over the state, evaluated when somebody asks, so no event can be missed: there are no queues of woken
//! threads.

use std::collections::{BTreeMap, HashMap};

use model::{LockId, SiteId};

use super::op::{How, Object, Op, Pending, State, Tid, Touch};
use crate::path::ThreadPath;

/// A thread of the model.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) path: ThreadPath,
    pub(crate) state: State,
    /// What it does when it goes on.
    pub(crate) pending: Pending,
    /// When it stops to wait.
    deadline: Option<u64>,
    /// In `wait`: how it ended, once it did; from then on the thread only wants the monitor back.
    woken: Option<How>,
    /// In `wait`: how often it will have entered the monitor again.
    saved: u32,
    permit: bool,
    interrupted: bool,
    pub(crate) is_daemon: bool,
    children: u32,
}

/// A monitor that somebody owns or waits in.
#[derive(Clone, Debug, Default)]
struct Monitor {
    owner: Option<Tid>,
    count: u32,
    /// Who waits to be notified, longest first.
    waiters: Vec<Tid>,
}

/// The state of the controlled program.
#[derive(Clone, Debug)]
pub(crate) struct World {
    threads: Vec<Thread>,
    /// Those that have not ended, in ascending order.
    live: Vec<Tid>,
    by_path: HashMap<ThreadPath, Tid>,
    /// How many threads no controlled thread started.
    roots: u32,
    /// Only those that are owned or waited in.
    monitors: BTreeMap<LockId, Monitor>,
    pub(crate) clock: u64,
    short_sleep: u64,
    /// What was touched since [`World::take_footprint`].
    footprint: Vec<Touch>,
    keeps_footprint: bool,
}

impl World {
    pub(crate) fn new(short_sleep: u64, keeps_footprint: bool) -> World {
        World {
            threads: Vec::new(),
            live: Vec::new(),
            by_path: HashMap::new(),
            roots: 0,
            monitors: BTreeMap::new(),
            clock: 0,
            short_sleep,
            footprint: Vec::new(),
            keeps_footprint,
        }
    }

    pub(crate) fn thread(&self, thread: Tid) -> Option<&Thread> {
        self.threads.get(thread.index())
    }

    /// All threads, in the order in which they were started.
    pub(crate) fn threads(&self) -> impl Iterator<Item = (Tid, &Thread)> {
        (0..).map(Tid).zip(&self.threads)
    }

    /// Those that have not ended.
    pub(crate) fn live(&self) -> impl Iterator<Item = (Tid, &Thread)> {
        self.live.iter().filter_map(|&tid| Some((tid, self.thread(tid)?)))
    }

    pub(crate) fn find(&self, path: &ThreadPath) -> Option<Tid> {
        self.by_path.get(path).copied()
    }

    fn get(&mut self, thread: Tid) -> Option<&mut Thread> {
        self.threads.get_mut(thread.index())
    }

    /// Notes what the running thread touches.
    pub(crate) fn touch(&mut self, object: Object, writes: bool) {
        let touch = Touch { object, writes };
        if self.keeps_footprint && !self.footprint.contains(&touch) {
            self.footprint.push(touch);
        }
    }

    pub(crate) fn take_footprint(&mut self) -> Vec<Touch> {
        std::mem::take(&mut self.footprint)
    }

    // Threads.

    /// Adds a thread, which has not begun.
    pub(crate) fn add(&mut self, parent: Option<Tid>, begins: Pending, is_daemon: bool) -> Tid {
        let tid = Tid(u32::try_from(self.threads.len()).unwrap_or(u32::MAX));
        let path = match parent.and_then(|parent| self.get(parent)) {
            Some(parent) => {
                parent.children += 1;
                parent.path.child(parent.children - 1)
            }
            None => {
                self.roots += 1;
                ThreadPath::root(self.roots - 1)
            }
        };
        self.live.push(tid);
        self.by_path.insert(path.clone(), tid);
        self.threads.push(Thread {
            path,
            state: State::New,
            pending: begins,
            deadline: None,
            woken: None,
            saved: 0,
            permit: false,
            interrupted: false,
            is_daemon,
            children: 0,
        });
        self.touch(Object::Thread(tid), true);
        tid
    }

    /// The thread stands in front of an operation. `wait` gives the monitor back by that.
    pub(crate) fn stand(&mut self, tid: Tid, pending: Pending) {
        let clock = self.clock;
        let deadline = |timeout: Option<u64>| timeout.map(|timeout| clock.saturating_add(timeout));
        let (state, until) = match pending.op {
            Op::Enter(lock) => (State::Entering(lock), None),
            Op::Wait { lock, timeout } => (State::Waiting(lock), deadline(timeout)),
            Op::Park { timeout } => (State::Parked, deadline(timeout)),
            Op::Join { thread, timeout } => (State::Joining(thread), deadline(timeout)),
            Op::Sleep(nanos) => (State::Sleeping, deadline(Some(nanos))),
            _ => (State::Ready, None),
        };
        if until.is_some() {
            self.touch(Object::Clock, true);
        }
        let Some(thread) = self.get(tid) else { return };
        (thread.state, thread.pending, thread.deadline, thread.woken, thread.saved) = (state, pending, until, None, 0);
        if let Op::Wait { lock, .. } = pending.op {
            self.begin_to_wait(tid, lock);
        }
    }

    fn begin_to_wait(&mut self, tid: Tid, lock: LockId) {
        self.touch(Object::Monitor(lock), true);
        self.touch(Object::Thread(tid), true);
        let Some(thread) = self.threads.get_mut(tid.index()) else { return };
        if std::mem::take(&mut thread.interrupted) {
            // `wait` throws at once, and keeps the monitor.
            thread.woken = Some(How::Interrupted);
            return;
        }
        let monitor = self.monitors.entry(lock).or_default();
        if monitor.owner == Some(tid) {
            thread.saved = std::mem::take(&mut monitor.count);
            monitor.owner = None;
        }
        monitor.waiters.push(tid);
    }

    /// The thread ended, and no longer owns anything.
    pub(crate) fn end(&mut self, tid: Tid, site: SiteId) {
        self.touch(Object::Thread(tid), true);
        self.live.retain(|&other| other != tid);
        if let Some(thread) = self.get(tid) {
            (thread.state, thread.deadline, thread.pending.site) = (State::Ended, None, site);
        }
        let owned: Vec<LockId> =
            self.monitors.iter().filter(|(_, monitor)| monitor.owner == Some(tid)).map(|(&lock, _)| lock).collect();
        for lock in owned {
            self.touch(Object::Monitor(lock), true);
            if let Some(monitor) = self.monitors.get_mut(&lock) {
                (monitor.owner, monitor.count) = (None, 0);
            }
            self.forget_if_unused(lock);
        }
    }

    /// The thread is beyond control.
    pub(crate) fn leave(&mut self, tid: Tid, site: SiteId) {
        if let Some(thread) = self.get(tid) {
            (thread.state, thread.deadline, thread.pending.site) = (State::Outside, None, site);
        }
    }

    // Who can go on.

    /// Can the thread go on now?
    pub(crate) fn is_enabled(&self, tid: Tid) -> bool {
        self.thread(tid).is_some_and(|thread| {
            let is_expired = thread.deadline.is_some_and(|deadline| deadline < self.clock);
            self.can_complete(tid, thread, is_expired)
        })
    }

    /// Can it go on if its time-out fires now, but not otherwise?
    pub(crate) fn is_timed(&self, tid: Tid) -> bool {
        !self.is_enabled(tid)
            && self.thread(tid).is_some_and(|thread| thread.deadline.is_some() && self.can_complete(tid, thread, true))
    }

    fn can_complete(&self, tid: Tid, thread: &Thread, is_expired: bool) -> bool {
        match thread.state {
            State::New | State::Ready => true,
            State::Entering(lock) => self.is_free_for(lock, tid),
            State::Waiting(lock) => (thread.woken.is_some() || is_expired) && self.is_free_for(lock, tid),
            State::Parked => thread.permit || thread.interrupted || is_expired,
            State::Joining(other) => self.has_ended(other) || thread.interrupted || is_expired,
            State::Sleeping => self.is_short(thread.pending.op) || thread.interrupted || is_expired,
            State::Running | State::Outside | State::Ended => false,
        }
    }

    fn is_short(&self, op: Op) -> bool {
        matches!(op, Op::Sleep(nanos) if nanos < self.short_sleep)
    }

    pub(crate) fn has_ended(&self, tid: Tid) -> bool {
        self.thread(tid).is_none_or(|thread| thread.state == State::Ended)
    }

    pub(crate) fn is_free_for(&self, lock: LockId, tid: Tid) -> bool {
        self.owner(lock).is_none_or(|owner| owner == tid)
    }

    pub(crate) fn owner(&self, lock: LockId) -> Option<Tid> {
        self.monitors.get(&lock)?.owner
    }

    /// How often the owner has entered a monitor.
    pub(crate) fn depth(&self, lock: LockId) -> u32 {
        self.monitors.get(&lock).map_or(0, |monitor| monitor.count)
    }

    /// The thread whose time-out is due first, of those that one could let go on.
    pub(crate) fn first_timer(&self) -> Option<Tid> {
        let timed = self.live().filter(|&(tid, _)| self.is_timed(tid));
        timed.min_by_key(|&(tid, thread)| (thread.deadline, tid)).map(|(tid, _)| tid)
    }

    /// Whom a blocked thread waits for, if it waits for a certain one.
    pub(crate) fn waits_for(&self, tid: Tid) -> Option<Tid> {
        let thread = self.thread(tid)?;
        match thread.state {
            State::Entering(lock) => self.owner(lock),
            State::Waiting(lock) if thread.woken.is_some() => self.owner(lock),
            State::Joining(other) => Some(other),
            _ => None,
        }
    }

    // What happens when it does.

    /// Completes the operation that the thread stands in front of. It must be able to.
    pub(crate) fn complete(&mut self, tid: Tid) -> How {
        let Some(thread) = self.thread(tid) else { return How::Done };
        let (state, op) = (thread.state, thread.pending.op);
        if !self.is_enabled(tid) {
            // Only its time-out lets it go on: time passes until then.
            self.clock = self.clock.max(thread.deadline.unwrap_or(0).saturating_add(1));
            self.touch(Object::Clock, true);
        }
        for touch in op.touches(tid).into_iter().flatten() {
            self.touch(touch.object, touch.writes);
        }
        let how = match state {
            State::Entering(lock) => {
                self.acquire(tid, lock, 1);
                How::Done
            }
            State::Waiting(lock) => self.complete_wait(tid, lock),
            State::Parked => self.complete_park(tid),
            State::Joining(other) if self.has_ended(other) => How::Done,
            State::Joining(_) => self.interrupted_or_late(tid),
            State::Sleeping => self.complete_sleep(tid),
            _ => How::Done,
        };
        if let Some(thread) = self.get(tid) {
            (thread.state, thread.deadline, thread.woken) = (State::Running, None, None);
        }
        how
    }

    pub(crate) fn acquire(&mut self, tid: Tid, lock: LockId, count: u32) {
        let monitor = self.monitors.entry(lock).or_default();
        monitor.owner = Some(tid);
        monitor.count = monitor.count.saturating_add(count);
    }

    fn complete_wait(&mut self, tid: Tid, lock: LockId) -> How {
        let Some(thread) = self.get(tid) else { return How::Done };
        let (woken, saved) = (thread.woken.unwrap_or(How::TimedOut), thread.saved);
        if let Some(monitor) = self.monitors.get_mut(&lock) {
            monitor.waiters.retain(|&waiter| waiter != tid);
        }
        self.acquire(tid, lock, saved);
        woken
    }

    fn complete_park(&mut self, tid: Tid) -> How {
        let Some(thread) = self.get(tid) else { return How::Done };
        if std::mem::take(&mut thread.permit) {
            How::Done
        } else if thread.interrupted {
            How::Interrupted
        } else {
            How::TimedOut
        }
    }

    fn complete_sleep(&mut self, tid: Tid) -> How {
        let Some(thread) = self.get(tid) else { return How::Done };
        if std::mem::take(&mut thread.interrupted) {
            return How::Interrupted;
        }
        let woken_at = thread.deadline.unwrap_or(0).saturating_add(1);
        self.clock = self.clock.max(woken_at);
        How::Done
    }

    fn interrupted_or_late(&mut self, tid: Tid) -> How {
        self.touch(Object::Thread(tid), true);
        let was_interrupted = self.get(tid).is_some_and(|thread| std::mem::take(&mut thread.interrupted));
        if was_interrupted { How::Interrupted } else { How::TimedOut }
    }

    // What the running thread does to others. Each says whether somebody may go on by it who could not before.

    /// Leaves a monitor once.
    pub(crate) fn exit(&mut self, tid: Tid, lock: LockId) -> bool {
        self.touch(Object::Monitor(lock), true);
        let Some(monitor) = self.monitors.get_mut(&lock).filter(|monitor| monitor.owner == Some(tid)) else {
            return false;
        };
        monitor.count = monitor.count.saturating_sub(1);
        if monitor.count > 0 {
            return false;
        }
        monitor.owner = None;
        self.forget_if_unused(lock);
        self.live().any(|(_, thread)| matches!(thread.state, State::Entering(l) | State::Waiting(l) if l == lock))
    }

    fn forget_if_unused(&mut self, lock: LockId) {
        let is_unused = |monitor: &Monitor| monitor.owner.is_none() && monitor.waiters.is_empty();
        if self.monitors.get(&lock).is_some_and(is_unused) {
            self.monitors.remove(&lock);
        }
    }

    /// Who waits to be notified, longest first.
    pub(crate) fn waiters(&self, lock: LockId) -> &[Tid] {
        self.monitors.get(&lock).map_or(&[], |monitor| &monitor.waiters)
    }

    /// One waiter is notified: it only wants the monitor back from now on.
    pub(crate) fn notify(&mut self, lock: LockId, waiter: Tid) -> bool {
        self.touch(Object::Monitor(lock), true);
        self.wake(lock, waiter, How::Done)
    }

    fn wake(&mut self, lock: LockId, waiter: Tid, how: How) -> bool {
        let Some(monitor) = self.monitors.get_mut(&lock) else { return false };
        let Some(place) = monitor.waiters.iter().position(|&other| other == waiter) else { return false };
        monitor.waiters.remove(place);
        if let Some(thread) = self.get(waiter) {
            thread.woken = Some(how);
        }
        self.forget_if_unused(lock);
        true
    }

    /// Gives a thread its permit.
    pub(crate) fn unpark(&mut self, target: Tid) -> bool {
        self.touch(Object::Thread(target), true);
        self.get(target).is_some_and(|thread| {
            thread.permit = true;
            thread.state == State::Parked
        })
    }

    /// Interrupts a thread. One that waits to be notified no longer does: a later `notify` is for another one.
    pub(crate) fn interrupt(&mut self, target: Tid) -> bool {
        self.touch(Object::Thread(target), true);
        let Some(thread) = self.get(target) else { return false };
        match thread.state {
            State::Ended => false,
            State::Waiting(lock) if thread.woken.is_none() => {
                self.touch(Object::Monitor(lock), true);
                self.wake(lock, target, How::Interrupted)
            }
            state => {
                thread.interrupted = true;
                matches!(state, State::Parked | State::Joining(_) | State::Sleeping)
            }
        }
    }

    /// Is a thread interrupted?
    pub(crate) fn is_interrupted(&mut self, tid: Tid, clears: bool) -> bool {
        self.touch(Object::Thread(tid), clears);
        self.get(tid).is_some_and(|thread| {
            let was = thread.interrupted;
            thread.interrupted &= !clears;
            was
        })
    }
}
