//! DrFinder (Cai and Cao, "Effective and Precise Dynamic Detection of Hidden Races for Java Programs", ESEC/FSE 2015):
//! reverses the order in which two threads take a lock.
//!
//! A thread that requests a lock waits if another one may take a lock of the same type: if its method may trigger that, by
//! the relation of the run before. That other thread is *escorted*: until it takes such a lock, every other thread that
//! requests a lock waits. Then the first one goes.
//!
//! This is Algorithm 3 as section 5.3 describes it. As printed it differs in three lines, and does not work
//! (`tests/simulated/printed.rs` executes it): line 33 draws the thread from all threads instead of from those that request a
//! lock, line 43 takes the lock that the escorted thread requests instead of the one that the waiting thread does, and line 53
//! removes the escorted thread from those that wait instead of the one that is let go.
//!
//! Where we differ: the algorithm's loop runs one thread at a time, here all run at once, so
//! - a thread that is let go without an escort is waited for only if its lock is free: if not, it would wait for a thread that
//!   waits for us;
//! - an escort ends without success if the escorted thread blocks or ends, or if the limit of a hold is over;
//! - threads that are blocked are not escorted;
//! - who waited for an escorted thread that took the very same lock waits until that gives it back, since it could not take it
//!   before: a lock of java.util.concurrent has a queue of those that wait, by which it would hand on what it did;
//! - the holds at one site are limited.
//!
//! Two extensions, each with a switch: a thread matches if *any* of its innermost methods may trigger the lock, not only the
//! current one; and every thread is delayed for a random time when it begins, so that others that are started later may exist
//! when it requests its first lock.

use std::collections::BTreeMap;
use std::time::Duration;

use model::ThreadId;

use crate::nudge::{Answer, Budgets, Nudge, View, Why};
use crate::point::{LockAt, Point};
use crate::random::Random;
use crate::relations::MayTrigger;
use crate::symbols::Symbol;

/// Threads are delayed when they begin until their delays add up to this: a program may start ten thousand, one after the other.
const MOST_START_DELAYS: Duration = Duration::from_secs(2);

/// The scheduler of DrFinder.
#[derive(Clone, Debug)]
pub struct DrFinder {
    relation: MayTrigger,
    /// How many of a thread's innermost methods are looked at.
    frames: usize,
    start_delay: Option<Duration>,
    /// How long threads were delayed when they began.
    started: Duration,
    /// RTHs: threads that wait in front of a lock.
    requests: BTreeMap<ThreadId, LockAt>,
    allowed: Option<Allowed>,
    /// Threads that go when another one gives a lock back: by that one.
    next: BTreeMap<ThreadId, (ThreadId, LockAt)>,
    freed: Vec<ThreadId>,
    budgets: Budgets,
    escorts: u64,
    arrived: u64,
    random: Random,
}

/// `allowedTH` and `allowedLK`: a thread that everybody waits for who requests a lock.
#[derive(Clone, Copy, Debug)]
struct Allowed {
    thread: ThreadId,
    kind: Symbol,
    /// The thread that waits for this one, if it is escorted.
    waits: Option<ThreadId>,
}

impl DrFinder {
    /// A scheduler with the relation of the run before; looks at one method of a thread as the paper does, or at several.
    pub(crate) fn new(
        relation: MayTrigger,
        frames: usize,
        start_delay: Option<Duration>,
        budgets: Budgets,
        seed: u64,
    ) -> DrFinder {
        DrFinder {
            relation,
            frames,
            start_delay,
            started: Duration::ZERO,
            requests: BTreeMap::new(),
            allowed: None,
            next: BTreeMap::new(),
            freed: Vec::new(),
            budgets,
            escorts: 0,
            arrived: 0,
            random: Random::new(seed),
        }
    }

    /// May a thread take a lock of this kind soon?
    fn may_trigger(&self, thread: ThreadId, kind: Symbol, view: &mut View<'_>) -> bool {
        let methods = view.stacks.innermost(thread, self.frames);
        methods.into_iter().any(|method| self.relation.has(method, kind))
    }

    /// Chooses among the threads that wait until one is allowed or none waits.
    fn schedule(&mut self, view: &mut View<'_>) {
        while self.allowed.is_none() {
            let waiting: Vec<ThreadId> = self.requests.keys().copied().collect();
            let Some(thread) = self.random.pick(&waiting) else { return };
            let Some(&lock) = self.requests.get(&thread) else { return };
            let others = view.able().into_iter().filter(|&other| other != thread);
            let others: Vec<ThreadId> = others.collect();
            let candidates: Vec<ThreadId> =
                others.into_iter().filter(|&other| self.may_trigger(other, lock.kind, view)).collect();
            match self.random.pick(&candidates) {
                Some(escorted) => {
                    self.escorts += 1;
                    self.allowed = Some(Allowed { thread: escorted, kind: lock.kind, waits: Some(thread) });
                    let is_held = self.requests.remove(&escorted).is_some() || self.forget_next(escorted).is_some();
                    if is_held {
                        self.freed.push(escorted);
                    }
                }
                None => self.allow(thread, view),
            }
        }
    }

    /// Lets a thread go that waits.
    fn allow(&mut self, thread: ThreadId, view: &View<'_>) {
        let Some(lock) = self.requests.remove(&thread) else { return };
        self.freed.push(thread);
        if !view.locks.is_taken(thread, lock.lock) {
            self.allowed = Some(Allowed { thread, kind: lock.kind, waits: None });
        }
    }

    /// The thread goes no longer after another one; the lock that it waits for.
    fn forget_next(&mut self, thread: ThreadId) -> Option<LockAt> {
        let before = self.next.iter().find(|(_, (next, _))| *next == thread).map(|(&before, _)| before)?;
        self.next.remove(&before).map(|(_, lock)| lock)
    }

    /// The escorted thread took a lock of the kind that was waited for.
    fn has_arrived(&mut self, thread: ThreadId, lock: LockAt, view: &mut View<'_>) {
        let Some(waits) = self.allowed.and_then(|allowed| allowed.waits) else { return self.end_escort(view) };
        self.arrived += 1;
        match self.requests.get(&waits) {
            Some(&wanted) if wanted.lock == lock.lock && !self.next.contains_key(&thread) => {
                self.requests.remove(&waits);
                self.next.insert(thread, (waits, wanted));
                self.allowed = None;
                self.schedule(view);
            }
            _ => self.end_escort(view),
        }
    }

    /// A thread gave a lock back, or comes to no release any more: who waited for that goes.
    fn let_next_go(&mut self, thread: ThreadId) {
        if let Some((next, _)) = self.next.remove(&thread) {
            self.freed.push(next);
        }
    }

    /// The thread that everybody waits for is waited for no longer; who waited for it in particular goes next.
    fn end_escort(&mut self, view: &mut View<'_>) {
        let waits = self.allowed.take().and_then(|allowed| allowed.waits);
        match waits {
            Some(thread) if self.requests.contains_key(&thread) => self.allow(thread, view),
            _ => self.schedule(view),
        }
    }
}

impl Nudge for DrFinder {
    fn arrive(&mut self, thread: ThreadId, point: &Point, view: &mut View<'_>) -> Answer {
        let is_allowed = self.allowed.is_some_and(|allowed| allowed.thread == thread);
        match *point {
            Point::Begin => match self.start_delay {
                Some(longest) if self.started < MOST_START_DELAYS => {
                    let longest = u64::try_from(longest.as_micros()).unwrap_or(u64::MAX);
                    let delay = Duration::from_micros(self.random.below(longest));
                    self.started += delay;
                    Answer::Delay(delay)
                }
                _ => Answer::Go,
            },
            Point::Request(_) | Point::Try(_) if is_allowed => Answer::Go,
            Point::Request(lock) | Point::Try(lock) => {
                if !self.budgets.take(lock.site) {
                    return Answer::Go;
                }
                self.requests.insert(thread, lock);
                self.schedule(view);
                let at_once = self.freed.iter().position(|&freed| freed == thread);
                match at_once {
                    Some(place) => {
                        self.freed.swap_remove(place);
                        Answer::Go
                    }
                    None => Answer::Hold,
                }
            }
            Point::Acquired(lock) if is_allowed && self.allowed.is_some_and(|allowed| allowed.kind == lock.kind) => {
                self.has_arrived(thread, lock, view);
                Answer::Go
            }
            Point::Released(lock) => {
                let is_meant = self.next.get(&thread).is_some_and(|(_, wanted)| wanted.lock == lock);
                if is_meant && !view.locks.owns(thread, lock) {
                    self.let_next_go(thread);
                }
                Answer::Go
            }
            Point::Blocked | Point::End => {
                self.let_next_go(thread);
                if is_allowed {
                    self.end_escort(view);
                }
                Answer::Go
            }
            _ => Answer::Go,
        }
    }

    fn gave_up(&mut self, thread: ThreadId, why: Why, view: &mut View<'_>) {
        if self.forget_next(thread).is_some() {
            return;
        }
        let Some(lock) = self.requests.remove(&thread) else { return };
        self.budgets.was_in_vain(lock.site, why);
        // Whoever was escorted for it need not be, or has not come for as long as a hold may take.
        if why == Why::Time || self.allowed.is_some_and(|allowed| allowed.waits == Some(thread)) {
            self.allowed = None;
        }
        self.schedule(view);
    }

    fn take_freed(&mut self) -> Vec<ThreadId> {
        std::mem::take(&mut self.freed)
    }

    fn escorts(&self) -> (u64, u64) {
        (self.escorts, self.arrived)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use model::{LockId, SiteId, ThreadId};

    use crate::{LockAt, Passage, Plan, Point, Relation, Scheduler, Settings, Stacks, Symbol, Symbols};

    /// Every thread executes one method.
    struct Executes(Symbol);

    impl Stacks for Executes {
        fn innermost(&mut self, _thread: ThreadId, _depth: usize) -> Vec<Symbol> {
            vec![self.0]
        }
    }

    /// A thread that only blocks when it is let go learns nothing by that; one that enters a lock's queue does.
    #[test]
    fn who_waited_goes_when_the_very_lock_is_given_back() {
        let settings = Settings { start_delay_ms: 0, ..Settings::default() };
        let mut plan = Plan::new(Scheduler::DrFinder, 1, settings);
        plan.relation.insert(Relation { method: "f".to_owned(), lock: "L".to_owned() });
        let (one, two) = (ThreadId(1), ThreadId(2));
        for same in [true, false] {
            let mut symbols = Symbols::default();
            let mut gate = plan.gate(&mut symbols);
            let (kind, mut stacks) = (symbols.of("L"), Executes(symbols.of("f")));
            let lock = |number| LockAt { lock: LockId(number), kind, site: SiteId(number) };
            let (wanted, taken) = (lock(1), lock(if same { 1 } else { 2 }));
            let mut arrive = |thread, point| gate.arrive(thread, &point, &mut stacks, Duration::ZERO);
            arrive(one, Point::Begin);
            arrive(two, Point::Begin);
            assert_eq!(arrive(one, Point::Request(wanted)), Passage::Held);
            assert_eq!(arrive(two, Point::Request(taken)), Passage::Open, "it is escorted");
            arrive(two, Point::Acquired(taken));
            assert_eq!(gate.is_held(one), same, "another lock of the type is no reason to wait on");
            gate.arrive(two, &Point::Released(taken.lock), &mut stacks, Duration::ZERO);
            assert!(!gate.is_held(one));
            assert_eq!(gate.take_woken(), [one]);
            assert_eq!(gate.counts().arrived, 1);
        }
    }

    /// Each gives way to the other, which never comes: a program with many such places would take an hour.
    #[test]
    fn delays_and_holds_in_vain_come_to_an_end() {
        let mut plan = Plan::new(Scheduler::DrFinder, 1, Settings::default());
        plan.relation.insert(Relation { method: "f".to_owned(), lock: "L".to_owned() });
        let mut symbols = Symbols::default();
        let mut gate = plan.gate(&mut symbols);
        let (kind, mut stacks) = (symbols.of("L"), Executes(symbols.of("f")));
        let (me, mut now) = (ThreadId(1), Duration::ZERO);
        gate.arrive(ThreadId(0), &Point::Start(me), &mut stacks, now);
        for site in 0..10_000 {
            let lock = LockAt { lock: LockId(site), kind, site: SiteId(site) };
            if gate.arrive(me, &Point::Request(lock), &mut stacks, now) == Passage::Held {
                now = gate.next_deadline().unwrap();
                gate.look(&mut stacks, now);
            }
            gate.arrive(me, &Point::Acquired(lock), &mut stacks, now);
            gate.arrive(me, &Point::Released(lock.lock), &mut stacks, now);
        }
        assert_eq!((gate.counts().timeouts, now), (100, Duration::from_secs(40)));
        for thread in 2..10_000 {
            if gate.arrive(ThreadId(thread), &Point::Begin, &mut stacks, now) == Passage::Held {
                now = gate.next_deadline().unwrap();
                gate.look(&mut stacks, now);
            }
            gate.arrive(ThreadId(thread), &Point::End, &mut stacks, now);
        }
        assert!(now < Duration::from_millis(42_100), "{now:?}");
    }
}
