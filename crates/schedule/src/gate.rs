//! The gate: which threads run, are held or are blocked.
//!
//! The driver (the agent, or the simulated program of the tests) calls [`Gate::arrive`] at every point, lets a thread wait
//! while [`Gate::is_held`] says so, wakes the threads of [`Gate::take_woken`], and calls [`Gate::look`] from time to time and
//! at [`Gate::next_deadline`].
//!
//! Invariants: a thread is held only at a point of its own; no longer than the limit, if `look` is called in time; and it is in
//! `take_woken` exactly once after it was held. If every thread that is left is held or waits for another one, that is
//! *thrashing*, and `look` lets one of those held go, at random (Cai and Cao 2015, section 5.4).

use std::collections::BTreeMap;
use std::time::Duration;

use model::{LockId, SiteId, ThreadId};

use crate::locks::{Deadlock, Locks};
use crate::nudge::{Answer, Nudge, Stacks, View, Why};
use crate::orders::LockOrders;
use crate::outcome::{Counts, Tried};
use crate::plan::First;
use crate::point::{LockAt, Point};
use crate::racefuzzer::Catch;
use crate::random::Random;
use crate::relations::MayTrigger;
use crate::symbols::Symbol;

/// Whether a thread passes a point at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It goes on.
    Open,
    /// It waits until the gate says that it is held no longer.
    Held,
}

/// What a thread does, as far as the gate knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    Blocked,
    Held { since: Duration, until: Duration, is_delay: bool, request: Option<LockAt> },
}

/// Holds threads as a [`Nudge`] decides.
pub struct Gate {
    nudge: Box<dyn Nudge>,
    limit: Duration,
    threads: BTreeMap<ThreadId, State>,
    locks: Locks,
    orders: LockOrders,
    collected: MayTrigger,
    woken: Vec<ThreadId>,
    deadlocks: Vec<Deadlock>,
    /// How many deadlocks the driver has taken.
    taken: usize,
    counts: Counts,
    random: Random,
}

impl Gate {
    /// A gate that holds no thread longer than `limit`; the seed decides who goes when the program thrashes.
    #[must_use]
    pub fn new(nudge: Box<dyn Nudge>, limit: Duration, seed: u64) -> Gate {
        Gate {
            nudge,
            limit,
            threads: BTreeMap::new(),
            locks: Locks::default(),
            orders: LockOrders::default(),
            collected: MayTrigger::default(),
            woken: Vec::new(),
            deadlocks: Vec::new(),
            taken: 0,
            counts: Counts::default(),
            random: Random::new(seed),
        }
    }

    /// A thread arrives at a point.
    pub fn arrive(&mut self, thread: ThreadId, point: &Point, stacks: &mut dyn Stacks, now: Duration) -> Passage {
        if !self.note(thread, point) {
            return Passage::Open;
        }
        let request = match *point {
            Point::Request(lock) => Some(lock),
            _ => None,
        };
        let answer = self.nudge.arrive(thread, point, &mut View { stacks, threads: &self.threads, locks: &self.locks });
        let (at_most, is_delay) = match answer {
            Answer::Go => {
                self.pass(thread, request);
                self.free();
                return Passage::Open;
            }
            Answer::Hold => (self.limit, false),
            Answer::HoldAtMost(time) => (time.min(self.limit), false),
            Answer::Delay(time) => (time.min(self.limit), true),
        };
        *(if is_delay { &mut self.counts.delays } else { &mut self.counts.holds }) += 1;
        let until = now.saturating_add(at_most);
        self.threads.insert(thread, State::Held { since: now, until, is_delay, request });
        self.free();
        Passage::Held
    }

    /// Takes in what a point says of the program; false if it is none for the nudge.
    fn note(&mut self, thread: ThreadId, point: &Point) -> bool {
        match *point {
            Point::End => {
                self.threads.remove(&thread);
                self.locks.forget(thread);
                return true;
            }
            Point::Blocked => {
                self.threads.insert(thread, State::Blocked);
                return true;
            }
            Point::Start(child) => {
                self.threads.insert(child, State::Running);
            }
            _ => {}
        }
        self.threads.insert(thread, State::Running);
        if matches!(point, Point::Unblocked) {
            return true;
        }
        // Whatever it wanted, it has it or goes on without it.
        self.locks.give_up(thread);
        match *point {
            Point::Request(lock) | Point::Try(lock) => !self.locks.owns(thread, lock.lock),
            Point::Acquired(lock) => {
                let is_outermost = self.locks.acquire(thread, lock.lock, lock.site);
                if is_outermost {
                    self.orders.acquired(thread, lock.lock, lock.site);
                }
                is_outermost
            }
            Point::Released(lock) => {
                self.locks.release(thread, lock);
                true
            }
            _ => true,
        }
    }

    /// A thread goes on, perhaps to wait for a lock.
    fn pass(&mut self, thread: ThreadId, request: Option<LockAt>) {
        let Some(lock) = request else { return };
        self.locks.want(thread, lock.lock, lock.site);
        if let Some(deadlock) = self.locks.circle(thread) {
            if !self.deadlocks.contains(&deadlock) {
                self.deadlocks.push(deadlock);
            }
        }
    }

    /// Lets go whoever the nudge need not hold any longer.
    fn free(&mut self) {
        for thread in self.nudge.take_freed() {
            self.wake(thread);
        }
    }

    fn wake(&mut self, thread: ThreadId) {
        if let Some(&State::Held { request, .. }) = self.threads.get(&thread) {
            self.threads.insert(thread, State::Running);
            self.woken.push(thread);
            self.pass(thread, request);
        }
    }

    /// Is a thread held?
    #[must_use]
    pub fn is_held(&self, thread: ThreadId) -> bool {
        matches!(self.threads.get(&thread), Some(State::Held { .. }))
    }

    /// Was a thread reported as blocked?
    #[must_use]
    pub fn is_blocked(&self, thread: ThreadId) -> bool {
        matches!(self.threads.get(&thread), Some(State::Blocked))
    }

    /// Does a thread own a lock?
    #[must_use]
    pub fn owns(&self, thread: ThreadId, lock: LockId) -> bool {
        self.locks.owns(thread, lock)
    }

    /// The locks that a thread owns, and where it took each.
    #[must_use]
    pub fn owned(&self, thread: ThreadId) -> Vec<(LockId, SiteId)> {
        self.locks.of(thread)
    }

    /// Does a thread wait for a lock that another one owns?
    #[must_use]
    pub fn waits(&self, thread: ThreadId, lock: LockId) -> bool {
        self.locks.waits_for(thread, lock)
    }

    /// The threads that the gate believes to run, for a driver that knows better which of them wait.
    pub fn running(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.threads.iter().filter(|(_, state)| !matches!(state, State::Held { .. })).map(|(&thread, _)| thread)
    }

    /// When the next thread has been held long enough.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Duration> {
        let ends = self.threads.values().filter_map(|state| match state {
            State::Held { until, .. } => Some(*until),
            _ => None,
        });
        ends.min()
    }

    /// Lets go whoever was held long enough, and somebody if the program thrashes.
    pub fn look(&mut self, stacks: &mut dyn Stacks, now: Duration) {
        let held = |gate: &Gate, wanted: &dyn Fn(Duration, bool) -> bool| -> Vec<ThreadId> {
            let is_wanted = |state: &State| match *state {
                State::Held { until, is_delay, .. } => wanted(until, is_delay),
                _ => false,
            };
            gate.threads.iter().filter(|(_, state)| is_wanted(state)).map(|(&thread, _)| thread).collect()
        };
        for thread in held(self, &|until, _| until <= now) {
            self.let_go(thread, Why::Time, stacks, now);
        }
        let runs = |(&thread, state): (&ThreadId, &State)| match state {
            State::Running => !self.locks.waits(thread),
            State::Held { is_delay, .. } => *is_delay,
            State::Blocked => false,
        };
        if !self.threads.iter().any(runs) {
            let waiting = held(self, &|_, _| true);
            if let Some(thread) = self.random.pick(&waiting) {
                self.counts.thrashings += 1;
                self.let_go(thread, Why::Thrashing, stacks, now);
            }
        }
    }

    /// Lets a thread go that is perhaps held, with what follows from it for the others.
    fn let_go(&mut self, thread: ThreadId, why: Why, stacks: &mut dyn Stacks, now: Duration) {
        let Some(&State::Held { since, is_delay, .. }) = self.threads.get(&thread) else { return };
        self.counts.longest_hold_us =
            self.counts.longest_hold_us.max(u64::try_from((now.saturating_sub(since)).as_micros()).unwrap_or(u64::MAX));
        if why == Why::Time && !is_delay {
            self.counts.timeouts += 1;
        }
        self.wake(thread);
        self.nudge.gave_up(thread, why, &mut View { stacks, threads: &self.threads, locks: &self.locks });
        self.free();
    }

    /// Lets all threads go; the program ends, or the agent is switched off.
    pub fn open(&mut self) {
        let all: Vec<ThreadId> = self.threads.keys().copied().collect();
        all.into_iter().for_each(|thread| self.wake(thread));
    }

    /// The threads that are held no longer, since the last call.
    pub fn take_woken(&mut self) -> Vec<ThreadId> {
        std::mem::take(&mut self.woken)
    }

    /// A deadlock, each once. It is certain if [`Point::Request`] is used for locks only that a thread cannot stop to wait for, if
    /// a lock is reported as released before it is, and as acquired after it was.
    pub fn take_deadlock(&mut self) -> Option<Deadlock> {
        let next = self.deadlocks.get(self.taken).cloned();
        self.taken += usize::from(next.is_some());
        next
    }

    /// Two threads that stood in front of conflicting accesses, since the last call.
    pub fn take_catch(&mut self) -> Option<Catch> {
        self.nudge.take_catch()
    }

    /// A thread takes a lock of this kind while it executes these methods.
    pub fn collect(&mut self, innermost: &[Symbol], kind: Symbol) {
        self.collected.collect(innermost, kind);
    }

    /// May anything come of an access at this site?
    #[must_use]
    pub fn wants(&self, site: SiteId) -> bool {
        self.nudge.wants(site)
    }

    /// An access of the program was found to be a side of a candidate.
    pub fn place(&mut self, site: SiteId, candidate: usize, side: First) {
        self.nudge.place(site, candidate, side);
    }

    /// What this run has collected for the next one.
    #[must_use]
    pub fn collected(&self) -> &MayTrigger {
        &self.collected
    }

    /// The orders of critical sections that this run has shown, by site.
    pub fn orders(&self) -> impl Iterator<Item = (SiteId, SiteId)> + '_ {
        self.orders.seen()
    }

    /// What the gate has done.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let (escorts, arrived) = self.nudge.escorts();
        Counts { escorts, arrived, ..self.counts }
    }

    /// How often each candidate was tried.
    #[must_use]
    pub fn tried(&self) -> Vec<Tried> {
        self.nudge.tried()
    }
}
