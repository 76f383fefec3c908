//! A simulated program under control: the machine does what the agent would do, and believes the baton nothing that it can
//! check.

use std::collections::{BTreeMap, BTreeSet};

use detect::Detector;
use detect::fasttrack::FastTrack;
use model::{AccessKind, Event, EventIndex, LockId, MessageId, Mode, SiteId, ThreadId, VarId};
use schedule::Random;
use schedule::control::{
    Baton, Conduct, Deadlock, Divergence, Header, How, Noted, Op, Pending, Pick, Policy, Schedule, SiteName, State,
    Tid, Turn,
};

/// One step of a thread. Each thread has a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Do {
    /// Reads a variable into the register.
    Read(u32),
    /// Writes a constant.
    Write(u32, i64),
    /// Writes the register plus one.
    WriteNext(u32),
    /// Reads a volatile variable into the register.
    ReadVolatile(u32),
    WriteVolatile(u32, i64),
    /// If the register is not this, leaves out so many steps.
    If(i64, usize),
    Lock(u32),
    Unlock(u32),
    Wait(u32, Option<u64>),
    Notify(u32),
    NotifyAll(u32),
    Park(Option<u64>),
    Unpark(usize),
    Start(usize),
    /// Starts a daemon.
    StartDaemon(usize),
    Join(usize),
    Interrupt(usize),
    Sleep(u64),
    Yield,
    /// Reads a variable until it is this, with a yield after each look or without.
    Spin(u32, i64, bool),
    /// Does something that nobody controls.
    Outside,
    /// Looks at the clock, in microseconds.
    Time,
    /// A random number below 3.
    Random,
    /// Depends on what differs in each run, and the agent notes it.
    Noted(Noted),
}

/// For each thread, what it does. The first one runs at the start; each thread is started once at most.
pub(crate) type Program = Vec<Vec<Do>>;

/// What a wait leaves in the register.
pub(crate) fn code(how: How) -> i64 {
    match how {
        How::Done => 100,
        How::Interrupted => 101,
        How::TimedOut => 102,
    }
}

/// The end of a run: what can be compared with exhaustive search.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Final {
    pub(crate) memory: BTreeMap<u32, i64>,
    pub(crate) registers: Vec<i64>,
    /// Threads that were started and have not ended.
    pub(crate) stuck: BTreeSet<usize>,
}

/// What differs from run to run, and nobody controls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct World {
    /// Decides when threads come back from outside, and what [`Do::Noted`] reads.
    pub(crate) seed: u64,
    /// Are plain points passed without asking?
    pub(crate) passes: bool,
    pub(crate) conduct: Conduct,
}

/// What a run has shown.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) turn: Turn,
    pub(crate) end: Final,
    pub(crate) events: Vec<Event>,
    pub(crate) schedule: Schedule,
    pub(crate) contested: u64,
    pub(crate) deadlock: Option<Deadlock>,
    pub(crate) divergence: Option<Divergence>,
    pub(crate) left_out: u64,
}

impl Ran {
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

/// A site is the thread and the step.
pub(crate) fn site(thread: usize, step: usize) -> SiteId {
    SiteId((thread * 1000 + step) as u32)
}

pub(crate) fn name(site: SiteId) -> SiteName {
    let (thread, step) = (site.0 / 1000, site.0 % 1000);
    SiteName { method: format!("Program.thread{thread}"), nth: step, place: format!("Program.java:{}", step + 1) }
}

#[derive(Default)]
struct Thread {
    tid: Option<Tid>,
    next: usize,
    register: i64,
    has_begun: bool,
    /// A spinning thread that has looked in vain stands at its yield.
    yields: bool,
    holds: BTreeMap<u32, u32>,
    /// What it held when it began to wait.
    saved: u32,
}

struct Machine<'a> {
    program: &'a Program,
    baton: Baton,
    world: World,
    random: Random,
    threads: Vec<Thread>,
    memory: BTreeMap<u32, i64>,
    events: Vec<Event>,
    outside: Vec<usize>,
}

/// Steps after which a run is given up.
const LONGEST: u64 = 200_000;

/// Runs a program under a policy.
pub(crate) fn run(program: &Program, policy: Box<dyn Policy>, world: World) -> Ran {
    let mut machine = Machine {
        program,
        baton: Baton::new(policy, world.conduct, site(0, 999)),
        world,
        random: Random::new(world.seed),
        threads: program.iter().map(|_| Thread::default()).collect(),
        memory: BTreeMap::new(),
        events: Vec::new(),
        outside: Vec::new(),
    };
    machine.threads[0].tid = Some(Tid(0));
    let turn = machine.go();
    let started =
        |(number, thread): (usize, &Thread)| thread.tid.filter(|&tid| !machine.baton.has_ended(tid)).map(|_| number);
    let end = Final {
        memory: machine.memory.clone(),
        registers: machine.threads.iter().map(|thread| thread.register).collect(),
        stuck: machine.threads.iter().enumerate().filter_map(started).collect(),
    };
    let header = Header { policy: "test".to_owned(), seed: world.seed, ..Header::default() };
    Ran {
        turn,
        end,
        schedule: Schedule::of(&machine.baton, header, &name, |path| format!("thread {path}")),
        contested: machine.baton.contested(),
        deadlock: machine.baton.deadlock(),
        divergence: machine.baton.divergence().cloned(),
        left_out: machine.baton.left_out(),
        events: machine.events,
    }
}

impl Machine<'_> {
    fn go(&mut self) -> Turn {
        let mut turn = self.baton.begin();
        while self.baton.steps() < LONGEST {
            turn = match turn {
                Turn::Run { thread, how, .. } => {
                    let me = self.number(thread);
                    self.make(me, how);
                    self.check(thread);
                    if !self.outside.is_empty() && self.random.below(4) == 0 {
                        self.come_back();
                    }
                    self.until_next_point(me)
                }
                Turn::Nobody if self.outside.is_empty() => self.baton.lose_patience(),
                Turn::Nobody => self.come_back(),
                Turn::Deadlock | Turn::Over | Turn::Everybody => return turn,
            };
        }
        panic!("the program does not end: {turn:?}");
    }

    fn number(&self, tid: Tid) -> usize {
        self.threads.iter().position(|thread| thread.tid == Some(tid)).expect("a thread of the program")
    }

    fn tid(&self, number: usize) -> Tid {
        self.threads[number].tid.expect("started")
    }

    /// One thread runs, and it is the one that has the baton; nobody owns what another one holds.
    fn check(&self, holder: Tid) {
        let running: Vec<Tid> = self
            .threads
            .iter()
            .filter_map(|thread| thread.tid)
            .filter(|&tid| self.baton.state(tid) == State::Running)
            .collect();
        assert_eq!(running, [holder]);
        assert_eq!(self.baton.holder(), Some(holder));
        for thread in &self.threads {
            for (&lock, &count) in thread.holds.iter().filter(|(_, count)| **count > 0) {
                assert_eq!(self.baton.owner(LockId(lock)), thread.tid.map(|tid| (tid, count)), "monitor {lock}");
            }
        }
    }

    fn come_back(&mut self) -> Turn {
        let which = self.random.below(self.outside.len() as u64) as usize;
        let back = self.outside.remove(which);
        let at = site(back, self.threads[back].next);
        self.baton.come_back(self.tid(back), at)
    }

    fn emit(&mut self, me: usize, op: model::Op) {
        self.events.push(Event { thread: ThreadId(me as u32), site: site(me, self.threads[me].next), op });
    }

    fn acquire(&mut self, me: usize, lock: u32, count: u32) {
        let others = self.threads.iter().enumerate().filter(|&(number, _)| number != me);
        for (_, other) in others {
            assert_eq!(other.holds.get(&lock).copied().unwrap_or(0), 0, "two own monitor {lock}");
        }
        let holds = self.threads[me].holds.entry(lock).or_default();
        let was_free = *holds == 0;
        *holds += count;
        if was_free {
            self.emit(me, model::Op::Acquire(LockId(lock), Mode::Write));
        }
    }

    fn access(&mut self, me: usize, op: Do) {
        let value = |machine: &Machine<'_>, variable| machine.memory.get(&variable).copied().unwrap_or(0);
        match op {
            Do::Read(variable) | Do::Spin(variable, ..) => {
                self.threads[me].register = value(self, variable);
                self.emit(me, model::Op::Read(VarId(variable)));
            }
            Do::Write(variable, constant) => {
                self.memory.insert(variable, constant);
                self.emit(me, model::Op::Write(VarId(variable)));
            }
            Do::WriteNext(variable) => {
                self.memory.insert(variable, self.threads[me].register + 1);
                self.emit(me, model::Op::Write(VarId(variable)));
            }
            Do::ReadVolatile(variable) => {
                self.threads[me].register = value(self, variable);
                self.emit(me, model::Op::Receive(MessageId(variable)));
            }
            Do::WriteVolatile(variable, constant) => {
                self.emit(me, model::Op::Send(MessageId(variable)));
                self.memory.insert(variable, constant);
            }
            _ => unreachable!("no access"),
        }
    }

    /// The thread makes the operation that it stands in front of.
    fn make(&mut self, me: usize, how: How) {
        if !self.threads[me].has_begun {
            self.threads[me].has_begun = true;
            return;
        }
        let Some(&op) = self.program[me].get(self.threads[me].next) else {
            // At its end.
            self.threads[me].next += 1;
            return;
        };
        match op {
            Do::Spin(_, value, yields) => {
                if self.threads[me].yields {
                    self.threads[me].yields = false;
                    return;
                }
                self.access(me, op);
                if self.threads[me].register != value {
                    self.threads[me].yields = yields;
                    return;
                }
            }
            Do::Lock(lock) => self.acquire(me, lock, 1),
            Do::Wait(lock, _) => {
                let saved = std::mem::take(&mut self.threads[me].saved);
                self.acquire(me, lock, saved);
                self.threads[me].register = code(how);
            }
            Do::Park(_) => {
                self.threads[me].register = code(how);
                self.emit(me, model::Op::Receive(MessageId(1000 + me as u32)));
            }
            Do::Join(other) => {
                self.threads[me].register = code(how);
                if how == How::Done {
                    self.emit(me, model::Op::Join(ThreadId(other as u32)));
                }
            }
            Do::Sleep(_) => self.threads[me].register = code(how),
            Do::Unpark(other) => {
                self.emit(me, model::Op::Send(MessageId(1000 + other as u32)));
                self.baton.unpark(self.tid(other));
            }
            Do::Interrupt(other) => {
                self.baton.interrupt(self.tid(other));
            }
            Do::Start(other) | Do::StartDaemon(other) => {
                self.emit(me, model::Op::Fork(ThreadId(other as u32)));
                let is_daemon = matches!(op, Do::StartDaemon(_));
                self.threads[other].tid = Some(self.baton.start(self.tid(me), site(other, 999), is_daemon));
            }
            Do::Yield | Do::Outside => {}
            _ => self.access(me, op),
        }
        self.threads[me].next += 1;
    }

    /// What needs no point is done; then the thread stands in front of its next operation.
    fn until_next_point(&mut self, me: usize) -> Turn {
        let tid = self.tid(me);
        loop {
            let next = self.threads[me].next;
            let Some(&op) = self.program[me].get(next) else {
                if next > self.program[me].len() {
                    return self.baton.end(tid, site(me, next));
                }
                return self.baton.arrive(tid, Pending { op: Op::End, site: site(me, next) });
            };
            match op {
                Do::Unlock(lock) => self.unlock(me, lock),
                Do::Notify(lock) => drop(self.baton.notify(LockId(lock))),
                Do::NotifyAll(lock) => self.baton.notify_all(LockId(lock)),
                Do::If(value, steps) => {
                    self.threads[me].next += if self.threads[me].register == value { 0 } else { steps }
                }
                Do::Time => self.threads[me].register = (self.baton.time() / 1000) as i64,
                Do::Random => self.threads[me].register = self.baton.pick(Pick::Random, 3).into(),
                Do::Noted(noted) => {
                    self.baton.note(noted);
                    self.threads[me].register = (self.world.seed % 2) as i64;
                }
                Do::Outside => {
                    self.outside.push(me);
                    return self.baton.leave(tid, site(me, next));
                }
                _ => {
                    let pending = Pending { op: self.operation(me, op), site: site(me, next) };
                    if self.world.passes && pending.op.is_plain() && self.baton.left() > 0 {
                        self.baton.pass(tid, 1);
                        self.make(me, How::Done);
                        continue;
                    }
                    self.begin_to_wait(me, op);
                    return self.baton.arrive(tid, pending);
                }
            }
            self.threads[me].next += 1;
        }
    }

    fn unlock(&mut self, me: usize, lock: u32) {
        let holds = self.threads[me].holds.entry(lock).or_default();
        *holds -= 1;
        if *holds == 0 {
            self.emit(me, model::Op::Release(LockId(lock), Mode::Write));
        }
        self.baton.exit(self.tid(me), LockId(lock));
    }

    fn begin_to_wait(&mut self, me: usize, op: Do) {
        if let Do::Wait(lock, _) = op {
            // One that is interrupted throws at once, and keeps the monitor.
            if !self.baton.is_interrupted(self.tid(me), false) {
                self.emit(me, model::Op::Release(LockId(lock), Mode::Write));
                self.threads[me].saved = self.threads[me].holds.insert(lock, 0).unwrap_or(0);
            }
        }
    }

    fn operation(&self, me: usize, op: Do) -> Op {
        let access = |variable: u32, kind| Op::Access { variable: variable.into(), kind };
        match op {
            Do::Spin(..) if self.threads[me].yields => Op::Yield,
            Do::Read(variable) | Do::ReadVolatile(variable) | Do::Spin(variable, ..) => {
                access(variable, AccessKind::Read)
            }
            Do::Write(variable, _) | Do::WriteNext(variable) | Do::WriteVolatile(variable, _) => {
                access(variable, AccessKind::Write)
            }
            Do::Lock(lock) => Op::Enter(LockId(lock)),
            Do::Wait(lock, timeout) => Op::Wait { lock: LockId(lock), timeout },
            Do::Park(timeout) => Op::Park { timeout },
            Do::Unpark(other) => Op::Unpark(self.tid(other)),
            Do::Start(_) | Do::StartDaemon(_) => Op::Start,
            Do::Join(other) => Op::Join { thread: self.tid(other), timeout: None },
            Do::Interrupt(other) => Op::Interrupt(self.tid(other)),
            Do::Sleep(nanos) => Op::Sleep(nanos),
            Do::Yield => Op::Yield,
            _ => unreachable!("{op:?} is no point"),
        }
    }
}
