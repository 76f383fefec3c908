//! A simulated program: threads that run at once, each with its own pace, as on as many processors.
//!
//! Time is simulated. Each step of a thread takes some time; the thread that is ready first takes the next step. The gate is
//! driven as the agent drives it: at every point, at every deadline, and once in a millisecond.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use detect::Detector;
use detect::fasttrack::FastTrack;
use model::{AccessKind, Event, EventIndex, LockId, Mode, Op, SiteId, ThreadId, VarId};
use schedule::{AccessAt, Catch, Deadlock, Gate, LockAt, Passage, Point, Random, Stacks, Symbol, Symbols};

/// How often the gate is asked to look.
const POLL: Duration = Duration::from_millis(1);

/// One step of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Do {
    /// Calls a method.
    Enter(&'static str),
    Leave,
    /// Takes a lock of a type.
    Lock(u32, &'static str),
    Unlock(u32),
    Read(u32),
    Write(u32),
    Start(usize),
    Join(usize),
    /// Computes for so many microseconds.
    Work(u64),
}

/// The program: for each thread, what it does. The first one runs at the start.
pub(crate) type Program = Vec<Vec<Do>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Not started.
    New,
    /// Takes its next step then.
    Ready(Duration),
    /// The gate holds it since then.
    Held(Duration),
    /// It waits for a lock.
    Locked(u32),
    Joining(usize),
    Ended,
}

struct Thread {
    state: State,
    next: usize,
    began: bool,
    /// Did it pass the point in front of its next step?
    passed: bool,
    stack: Vec<&'static str>,
    holds: BTreeMap<u32, u32>,
}

/// What a run has shown.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    /// Threads that did not end.
    pub(crate) stuck: BTreeSet<usize>,
    pub(crate) longest_hold: Duration,
    pub(crate) deadlocks: Vec<Deadlock>,
    pub(crate) catches: Vec<Catch>,
    /// Each thread that was held, and the step it stood before; each that was let go.
    pub(crate) held: Vec<(usize, Do)>,
    pub(crate) took: Duration,
}

impl Run {
    /// The variables that race.
    pub(crate) fn racy(&self) -> BTreeSet<u32> {
        let mut racy = BTreeSet::new();
        let mut detector = FastTrack::default();
        for (at, event) in self.events.iter().enumerate() {
            detector.observe(EventIndex(at as u64), event, &mut |race| {
                racy.insert(race.var.0);
            });
        }
        racy
    }
}

struct Machine<'a> {
    program: &'a Program,
    threads: Vec<Thread>,
    owners: BTreeMap<u32, usize>,
    queues: BTreeMap<u32, VecDeque<usize>>,
    gate: &'a mut Gate,
    symbols: &'a mut Symbols,
    pace: Random,
    run: Run,
}

struct Calls<'a>(&'a [Thread], &'a mut Symbols);

impl Stacks for Calls<'_> {
    fn innermost(&mut self, thread: ThreadId, depth: usize) -> Vec<Symbol> {
        let stack = &self.0[thread.index()].stack;
        stack.iter().rev().take(depth).map(|method| self.1.of(method)).collect()
    }
}

fn id(thread: usize) -> ThreadId {
    ThreadId(thread as u32)
}

/// A site is the thread and the step.
pub(crate) fn site(thread: usize, step: usize) -> SiteId {
    SiteId((thread * 1000 + step) as u32)
}

/// Runs a program under a gate; the seed decides the pace of its threads.
pub(crate) fn run(program: &Program, gate: &mut Gate, symbols: &mut Symbols, seed: u64, depth: usize) -> Run {
    let thread = |number: usize| Thread {
        state: if number == 0 { State::Ready(Duration::ZERO) } else { State::New },
        next: 0,
        began: false,
        passed: false,
        stack: vec!["run"],
        holds: BTreeMap::new(),
    };
    let mut machine = Machine {
        program,
        threads: (0..program.len()).map(thread).collect(),
        owners: BTreeMap::new(),
        queues: BTreeMap::new(),
        gate,
        symbols,
        pace: Random::new(seed),
        run: Run::default(),
    };
    machine.go(depth);
    machine.run
}

impl Machine<'_> {
    fn go(&mut self, depth: usize) {
        let mut next_poll = POLL;
        loop {
            let ready = self.threads.iter().enumerate().filter_map(|(number, thread)| match thread.state {
                State::Ready(at) => Some((at, number)),
                _ => None,
            });
            let ready = ready.min();
            let is_held = self.threads.iter().any(|thread| matches!(thread.state, State::Held(_)));
            let look =
                self.gate.next_deadline().map_or(next_poll, |deadline| deadline.min(next_poll)).max(self.run.took);
            match ready {
                Some((at, number)) if !is_held || at <= look => {
                    self.run.took = self.run.took.max(at);
                    self.step(number, at, depth);
                    self.wake(at);
                }
                _ if is_held => {
                    self.gate.look(&mut Calls(&self.threads, self.symbols), look);
                    self.run.took = self.run.took.max(look);
                    self.wake(look);
                    next_poll = look + POLL;
                }
                _ => break,
            }
            while let Some(catch) = self.gate.take_catch() {
                self.run.catches.push(catch);
            }
        }
        while let Some(deadlock) = self.gate.take_deadlock() {
            self.run.deadlocks.push(deadlock);
        }
        let is_left = |(_, thread): &(usize, &Thread)| !matches!(thread.state, State::Ended | State::New);
        self.run.stuck = self.threads.iter().enumerate().filter(is_left).map(|(number, _)| number).collect();
    }

    /// Whoever the gate let go runs again: nobody else may, and nobody twice.
    fn wake(&mut self, now: Duration) {
        for woken in self.gate.take_woken() {
            let thread = &mut self.threads[woken.index()];
            let State::Held(since) = thread.state else { panic!("{woken:?} is woken but not held") };
            assert!(!self.gate.is_held(woken));
            self.run.longest_hold = self.run.longest_hold.max(now - since);
            thread.state = State::Ready(now);
        }
        for (number, thread) in self.threads.iter().enumerate() {
            assert_eq!(self.gate.is_held(id(number)), matches!(thread.state, State::Held(_)), "no wake-up is lost");
        }
    }

    /// A thread arrives at a point; false if it is held there.
    fn passes(&mut self, number: usize, point: &Point, now: Duration) -> bool {
        let passage = self.gate.arrive(id(number), point, &mut Calls(&self.threads, self.symbols), now);
        if passage == Passage::Held {
            self.threads[number].state = State::Held(now);
        }
        passage == Passage::Open
    }

    fn emit(&mut self, number: usize, op: Op) {
        let site = site(number, self.threads[number].next);
        self.run.events.push(Event { thread: id(number), site, op });
    }

    fn step(&mut self, number: usize, now: Duration, depth: usize) {
        if !self.threads[number].began {
            self.threads[number].began = true;
            if !self.passes(number, &Point::Begin, now) {
                return;
            }
        }
        let next = self.threads[number].next;
        let Some(&step) = self.program[number].get(next) else {
            self.threads[number].state = State::Ended;
            self.passes(number, &Point::End, now);
            for waiting in &mut self.threads {
                if waiting.state == State::Joining(number) {
                    waiting.state = State::Ready(now);
                }
            }
            return;
        };
        let place = site(number, next);
        if !self.threads[number].passed {
            self.threads[number].passed = true;
            let access = |variable: u32, kind| Point::Access(AccessAt { variable: variable.into(), kind, site: place });
            let point = match step {
                Do::Lock(lock, kind) => {
                    Some(Point::Request(LockAt { lock: LockId(lock), kind: self.symbols.of(kind), site: place }))
                }
                Do::Read(variable) => Some(access(variable, AccessKind::Read)),
                Do::Write(variable) => Some(access(variable, AccessKind::Write)),
                Do::Start(child) => Some(Point::Start(id(child))),
                _ => None,
            };
            if point.is_some_and(|point| !self.passes(number, &point, now)) {
                self.run.held.push((number, step));
                return;
            }
        }
        let mut time = 50 + self.pace.below(100);
        match step {
            Do::Enter(method) => self.threads[number].stack.push(method),
            Do::Leave => {
                self.threads[number].stack.pop();
            }
            Do::Work(micros) => time = micros,
            Do::Read(variable) => self.emit(number, Op::Read(VarId(variable))),
            Do::Write(variable) => self.emit(number, Op::Write(VarId(variable))),
            Do::Start(child) => {
                self.emit(number, Op::Fork(id(child)));
                self.threads[child].state = State::Ready(now);
            }
            Do::Join(child) => {
                if self.threads[child].state != State::Ended {
                    self.threads[number].state = State::Joining(child);
                    self.passes(number, &Point::Blocked, now);
                    return;
                }
                self.passes(number, &Point::Unblocked, now);
                self.emit(number, Op::Join(id(child)));
            }
            Do::Lock(lock, kind) => {
                let owner = self.owners.get(&lock).copied();
                if owner.is_some_and(|owner| owner != number) {
                    self.threads[number].state = State::Locked(lock);
                    self.queues.entry(lock).or_default().push_back(number);
                    return;
                }
                self.owners.insert(lock, number);
                *self.threads[number].holds.entry(lock).or_default() += 1;
                self.emit(number, Op::Acquire(LockId(lock), Mode::Write));
                let at = LockAt { lock: LockId(lock), kind: self.symbols.of(kind), site: place };
                let innermost = Calls(&self.threads, self.symbols).innermost(id(number), depth);
                self.gate.collect(&innermost, at.kind);
                assert!(self.passes(number, &Point::Acquired(at), now));
            }
            Do::Unlock(lock) => {
                self.emit(number, Op::Release(LockId(lock), Mode::Write));
                assert!(self.passes(number, &Point::Released(LockId(lock)), now));
                let held = self.threads[number].holds.get_mut(&lock).expect("the program is well-formed");
                *held -= 1;
                if *held == 0 {
                    self.threads[number].holds.remove(&lock);
                    self.owners.remove(&lock);
                    if let Some(next) = self.queues.entry(lock).or_default().pop_front() {
                        self.threads[next].state = State::Ready(now);
                    }
                }
            }
        }
        let thread = &mut self.threads[number];
        thread.next += 1;
        thread.passed = false;
        thread.state = State::Ready(now + Duration::from_micros(time));
    }
}
