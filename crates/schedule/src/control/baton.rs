//! The baton: of all threads of a controlled run, the one that has it goes on, and no other.

use model::{LockId, SiteId};

use super::deadlock::Deadlock;
use super::fairness::Fairness;
use super::log::RunLog;
use super::op::{Object, Op, Pending, State, Tid};
use super::policy::{Choice, Decision, Pick, Policy, Turn, Why};
use super::schedule::End;
use super::world::World;
use super::{Divergence, Noted};
use crate::path::ThreadPath;
use crate::random::Random;

/// A thread that makes so many points without a switch, while others could go on, may be waiting for them in a loop.
const SPIN_POINTS: u32 = 2000;

/// How time and loops are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conduct {
    /// A thread that sleeps for less than so many nanoseconds can go on at any time, as one that yields. Another one sleeps
    /// until nothing else can go on.
    pub short_sleep: u64,
    /// At one of so many decisions, threads whose time-out is not due are candidates too; 0 for never.
    pub early_timeouts: u32,
    /// What that is decided from.
    pub seed: u64,
    /// Threads that are not controlled may unpark or interrupt one that is: that nobody can go on is a deadlock only when the
    /// driver loses patience.
    pub has_free_threads: bool,
    /// By how many nanoseconds a look at the clock moves it, so that no loop waits for it in vain.
    pub tick: u64,
}

impl Default for Conduct {
    fn default() -> Conduct {
        Conduct { short_sleep: 10_000_000_000, early_timeouts: 0, seed: 0, has_free_threads: false, tick: 1000 }
    }
}

/// Who goes on in a controlled run. See the [module](super) for how it is driven.
pub struct Baton {
    world: World,
    policy: Box<dyn Policy>,
    conduct: Conduct,
    random: Random,
    fairness: Fairness,
    log: RunLog,
    noted: Vec<Noted>,
    turn: Turn,
    /// How many more operations the holder may make without a decision.
    left: u32,
    /// Operations since the last decision.
    passed: u32,
    /// Operations since the last switch.
    unswitched: u32,
    /// Could another thread go on at the last decision?
    is_contested: bool,
    step: u64,
    contested: u64,
}

impl Baton {
    /// A run with one thread, which stands at its begin and gets the baton by [`Baton::begin`].
    #[must_use]
    pub fn new(policy: Box<dyn Policy>, conduct: Conduct, site: SiteId) -> Baton {
        let mut world = World::new(conduct.short_sleep, policy.wants_footprint());
        world.add(None, Pending { op: Op::Begin, site }, false);
        Baton {
            world,
            policy,
            conduct,
            random: Random::new(conduct.seed),
            fairness: Fairness::default(),
            log: RunLog::default(),
            noted: Vec::new(),
            turn: Turn::Nobody,
            left: 0,
            passed: 0,
            unswitched: 0,
            is_contested: false,
            step: 0,
            contested: 0,
        }
    }

    // What threads do. Each call but `begin` and `come_back` is made by the thread that has the baton.

    /// The run begins.
    pub fn begin(&mut self) -> Turn {
        self.decide(Why::First)
    }

    /// The thread that has the baton stands in front of an operation. It makes it when it is its turn again.
    pub fn arrive(&mut self, thread: Tid, pending: Pending) -> Turn {
        if self.holder() != Some(thread) {
            return self.turn;
        }
        self.world.stand(thread, pending);
        let can_go_on = self.world.is_enabled(thread);
        let why = match pending.op {
            op if op.yields() => Why::Yields,
            _ if !can_go_on => Why::Blocked,
            _ if self.unswitched >= SPIN_POINTS && self.is_contested => Why::Spins,
            _ => Why::Point,
        };
        if why == Why::Point && self.left > 0 {
            return self.go_on(thread);
        }
        self.decide(why)
    }

    /// The thread that has the baton has passed so many plain points ([`Op::is_plain`]) without asking. It may, for as many as
    /// its [`Turn::Run`] says, and must say how many they were before it does anything else here.
    pub fn pass(&mut self, thread: Tid, points: u32) {
        if self.holder() == Some(thread) {
            let points = points.min(self.left);
            self.left -= points;
            self.count(points);
        }
    }

    /// The thread that has the baton starts another one, which stands at its begin from now on, whether it has arrived or not.
    pub fn start(&mut self, parent: Tid, site: SiteId, is_daemon: bool) -> Tid {
        self.left = 0;
        self.world.add(Some(parent), Pending { op: Op::Begin, site }, is_daemon)
    }

    /// A thread that no controlled one started takes part from now on.
    pub fn attach(&mut self, site: SiteId, is_daemon: bool) -> (Tid, Turn) {
        let thread = self.world.add(None, Pending { op: Op::Begin, site }, is_daemon);
        (thread, self.let_go_on(true))
    }

    /// The thread that has the baton takes a monitor without a point, if it is free: where others must not run meanwhile. Says
    /// whether it did.
    pub fn take(&mut self, thread: Tid, lock: LockId) -> bool {
        let is_free = self.holder() == Some(thread) && self.world.is_free_for(lock, thread);
        if is_free {
            self.world.touch(Object::Monitor(lock), true);
            self.world.acquire(thread, lock, 1);
        }
        is_free
    }

    /// The thread that has the baton leaves a monitor once.
    pub fn exit(&mut self, thread: Tid, lock: LockId) {
        let lets = self.world.exit(thread, lock);
        self.ask_soon(lets);
    }

    /// The thread that has the baton notifies one of those that wait in a monitor. Says which, if there is one.
    pub fn notify(&mut self, lock: LockId) -> Option<Tid> {
        let waiters = self.world.waiters(lock).len();
        let picked = self.pick(Pick::Notify, u32::try_from(waiters).unwrap_or(u32::MAX));
        let waiter = self.world.waiters(lock).get(picked as usize).copied();
        if let Some(waiter) = waiter {
            let lets = self.world.notify(lock, waiter);
            self.ask_soon(lets);
        }
        waiter
    }

    /// The thread that has the baton notifies all that wait in a monitor.
    pub fn notify_all(&mut self, lock: LockId) {
        for waiter in self.world.waiters(lock).to_vec() {
            let lets = self.world.notify(lock, waiter);
            self.ask_soon(lets);
        }
    }

    /// A thread gets its permit, from the thread that has the baton or from one that is not controlled.
    pub fn unpark(&mut self, target: Tid) -> Turn {
        let lets = self.world.unpark(target);
        self.let_go_on(lets)
    }

    /// A thread is interrupted, by the thread that has the baton or by one that is not controlled.
    pub fn interrupt(&mut self, target: Tid) -> Turn {
        let lets = self.world.interrupt(target);
        self.let_go_on(lets)
    }

    /// Is a thread interrupted? `clears` for `Thread.interrupted`.
    pub fn is_interrupted(&mut self, thread: Tid, clears: bool) -> bool {
        self.world.is_interrupted(thread, clears)
    }

    /// A thread is, or is not, interrupted as it comes to an operation that an interrupt ends: what it did to its flag
    /// meanwhile nobody was told.
    pub fn set_interrupted(&mut self, thread: Tid, is_interrupted: bool) {
        if is_interrupted {
            self.world.interrupt(thread);
        } else {
            self.world.is_interrupted(thread, true);
        }
    }

    /// Has a thread ended, as far as the program may know? Its real thread may still be about to.
    #[must_use]
    pub fn has_ended(&self, thread: Tid) -> bool {
        self.world.has_ended(thread)
    }

    /// The thread that has the baton looks at the clock: nanoseconds since the run began.
    pub fn time(&mut self) -> u64 {
        self.world.touch(Object::Clock, true);
        self.world.clock = self.world.clock.saturating_add(self.conduct.tick);
        self.world.clock
    }

    /// One of `of` possibilities: recorded, and the same in a replay.
    pub fn pick(&mut self, what: Pick, of: u32) -> u32 {
        if of < 2 {
            return 0;
        }
        let picked = self.policy.pick(what, of).min(of - 1);
        self.log.pick(what, of, picked);
        picked
    }

    /// The thread that has the baton will do what nobody controls, such as read from a socket. It hands the baton on.
    pub fn leave(&mut self, thread: Tid, site: SiteId) -> Turn {
        if self.holder() != Some(thread) {
            return self.turn;
        }
        self.world.leave(thread, site);
        self.decide(Why::Outside)
    }

    /// A thread is back from outside, and queues for the baton.
    pub fn come_back(&mut self, thread: Tid, site: SiteId) -> Turn {
        if self.world.thread(thread).is_none_or(|thread| thread.state != State::Outside) {
            return self.turn;
        }
        self.world.stand(thread, Pending { op: Op::Return, site });
        self.let_go_on(true)
    }

    /// Nobody has the baton, and nobody has come back for long: time-outs fire, and a replay gives up.
    pub fn lose_patience(&mut self) -> Turn {
        if self.turn == Turn::Nobody { self.decide(Why::Impatient) } else { self.turn }
    }

    /// The thread that has the baton ends, after an [`Op::End`] or by surprise. It owns nothing any longer.
    pub fn end(&mut self, thread: Tid, site: SiteId) -> Turn {
        if self.holder() != Some(thread) {
            return self.turn;
        }
        self.world.end(thread, site);
        self.decide(Why::Ended)
    }

    /// The running thread touches an object by other means than its operations, such as inside a [`Op::Call`].
    pub fn touch(&mut self, object: Object, writes: bool) {
        self.world.touch(object, writes);
    }

    /// Something happened that may be different in another run.
    pub fn note(&mut self, noted: Noted) {
        if !self.noted.contains(&noted) {
            self.noted.push(noted);
        }
    }

    // What a driver may ask.

    /// Who has the baton.
    #[must_use]
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// The thread that has the baton.
    #[must_use]
    pub fn holder(&self) -> Option<Tid> {
        match self.turn {
            Turn::Run { thread, .. } => Some(thread),
            _ => None,
        }
    }

    /// How many plain points the holder may pass without asking. Fewer than its turn said once it has let another thread go on.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.left
    }

    /// What a thread does or waits for.
    #[must_use]
    pub fn state(&self, thread: Tid) -> State {
        self.world.thread(thread).map_or(State::Ended, |thread| thread.state)
    }

    /// The name of a thread in all runs.
    #[must_use]
    pub fn path(&self, thread: Tid) -> Option<&ThreadPath> {
        self.world.thread(thread).map(|thread| &thread.path)
    }

    /// Who owns a monitor, and how often it has entered it.
    #[must_use]
    pub fn owner(&self, lock: LockId) -> Option<(Tid, u32)> {
        self.world.owner(lock).map(|owner| (owner, self.world.depth(lock)))
    }

    /// Why nobody can go on, if nobody can.
    #[must_use]
    pub fn deadlock(&self) -> Option<Deadlock> {
        (self.turn == Turn::Deadlock).then(|| Deadlock::of(&self.world))
    }

    /// Where the run left the schedule that it was to follow.
    #[must_use]
    pub fn divergence(&self) -> Option<&Divergence> {
        self.policy.divergence()
    }

    /// How many stretches of a schedule could not be followed, if one was followed loosely.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.policy.left_out()
    }

    /// How many operations were made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// How many of them while another thread could have gone on: PCT's `k` for the next run.
    #[must_use]
    pub fn contested(&self) -> u64 {
        self.contested
    }

    /// What was decided so far; a run that is not over ends in `Stopped`.
    pub(crate) fn log(&self) -> RunLog {
        let mut log = self.log.clone();
        log.close(|thread| self.site(thread), End::Stopped);
        log
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &ThreadPath> {
        self.world.threads().map(|(_, thread)| &thread.path)
    }

    // How it is decided.

    /// Somebody may go on who could not before: if nobody has the baton that one gets it, otherwise the holder is asked soon.
    fn let_go_on(&mut self, lets: bool) -> Turn {
        self.ask_soon(lets);
        let is_waited_for = matches!(self.turn, Turn::Nobody | Turn::Deadlock);
        if lets && is_waited_for { self.decide(Why::Returned) } else { self.turn }
    }

    fn ask_soon(&mut self, lets: bool) {
        if lets {
            self.left = 0;
        }
    }

    fn decide(&mut self, why: Why) -> Turn {
        if self.turn == Turn::Everybody {
            return self.turn;
        }
        let current = self.log.current();
        if why == Why::Ended && !self.lives() {
            return self.stop(Turn::Over, End::Ended);
        }
        let (candidates, is_contested) = self.candidates(why, current);
        let can_wait = self.is_outside() || (self.conduct.has_free_threads && why != Why::Impatient);
        if candidates.is_empty() && !can_wait {
            let has_ended = current.is_some_and(|current| self.world.has_ended(current));
            return self.stop(Turn::Deadlock, if has_ended { End::Ended } else { End::Blocked });
        }
        let footprint = self.world.take_footprint();
        let decision = Decision {
            world: &self.world,
            step: self.step,
            why,
            current,
            passed: self.passed,
            contested: if self.is_contested { self.passed } else { 0 },
            candidates: &candidates,
            can_wait,
            footprint: &footprint,
            noted: &self.noted,
        };
        let choice = self.policy.next(&decision);
        self.noted.clear();
        self.passed = 0;
        self.is_contested = is_contested;
        match choice {
            Choice::Run { thread, points } if self.can_run(thread) => self.grant(thread, points.max(1), why),
            Choice::Await if can_wait => {
                self.hand_on(why);
                self.turn = Turn::Nobody;
                self.turn
            }
            // A policy that chooses what cannot be is not followed any longer.
            Choice::Run { .. } | Choice::Await | Choice::Stop => {
                self.turn = Turn::Everybody;
                self.turn
            }
        }
    }

    fn is_outside(&self) -> bool {
        self.world.live().any(|(_, thread)| thread.state == State::Outside)
    }

    fn can_run(&self, thread: Tid) -> bool {
        self.world.is_enabled(thread) || self.world.is_timed(thread)
    }

    /// Among whom to choose, and whether it is a choice.
    fn candidates(&mut self, why: Why, current: Option<Tid>) -> (Vec<Tid>, bool) {
        let with = |wanted: &dyn Fn(Tid) -> bool| -> Vec<Tid> {
            self.world.live().map(|(tid, _)| tid).filter(|&tid| wanted(tid)).collect()
        };
        let enabled = with(&|tid| self.world.is_enabled(tid));
        if enabled.is_empty() && (!self.is_outside() || why == Why::Impatient) {
            return (self.world.first_timer().into_iter().collect(), false);
        }
        if let (Why::Yields | Why::Spins, Some(current)) = (why, current) {
            let others = enabled.iter().copied().filter(|&other| other != current).collect();
            self.fairness.yields(current, self.step, others);
            self.unswitched = 0;
        }
        let mut candidates = self.fairness.first(&enabled);
        let every = u64::from(self.conduct.early_timeouts);
        if every > 0 && !enabled.is_empty() {
            let timed = with(&|tid| self.world.is_timed(tid));
            if !timed.is_empty() && self.random.below(every) == 0 {
                candidates.extend(timed);
                candidates.sort_unstable();
            }
        }
        (candidates, enabled.len() > 1)
    }

    /// Has the program anything left to do? Daemons do not count.
    fn lives(&self) -> bool {
        self.world.live().any(|(_, thread)| !thread.is_daemon)
    }

    fn stop(&mut self, turn: Turn, end: End) -> Turn {
        self.log.close(|thread| site(&self.world, thread), end);
        self.turn = turn;
        turn
    }

    fn grant(&mut self, thread: Tid, points: u32, why: Why) -> Turn {
        // A thread that waited until its time-out fired begins a new stretch, even if nobody else had the baton meanwhile.
        let is_timed = self.world.is_timed(thread);
        if self.log.current() != Some(thread) || is_timed {
            self.hand_on(why);
            self.log.open(thread, is_timed);
            self.fairness.run(thread, self.step);
            self.unswitched = 0;
        }
        self.left = points.min(SPIN_POINTS);
        self.go_on(thread)
    }

    /// The current thread loses the baton: its run is over.
    fn hand_on(&mut self, why: Why) {
        let end = match why {
            Why::First | Why::Point | Why::Yields | Why::Spins => End::Choice,
            Why::Blocked => End::Blocked,
            Why::Outside | Why::Returned | Why::Impatient => End::Outside,
            Why::Ended => End::Ended,
        };
        self.log.close(|thread| site(&self.world, thread), end);
    }

    /// The thread makes the operation that it stands in front of.
    fn go_on(&mut self, thread: Tid) -> Turn {
        let how = self.world.complete(thread);
        self.left = self.left.saturating_sub(1);
        self.count(1);
        self.turn = Turn::Run { thread, how, points: self.left };
        self.turn
    }

    fn count(&mut self, points: u32) {
        self.passed = self.passed.saturating_add(points);
        self.unswitched = self.unswitched.saturating_add(points);
        self.step += u64::from(points);
        self.contested += if self.is_contested { u64::from(points) } else { 0 };
        self.log.count(points);
    }

    fn site(&self, thread: Tid) -> SiteId {
        site(&self.world, thread)
    }
}

fn site(world: &World, thread: Tid) -> SiteId {
    world.thread(thread).map_or(SiteId(0), |thread| thread.pending.site)
}
