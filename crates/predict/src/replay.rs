//! Runs a witness, step by step, as a program would: no race is reported without it.
//!
//! What a step needs is looked up in the trace anew; nothing is shared with the constraints that found the witness.
//! A read that sees another value than it saw leads its thread astray: what the thread stores from then on is unknown, and its
//! next branch (without recorded branches: the read itself) cannot be taken.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::{LockId, MessageId, Mode, Op, ThreadId, Value};
use trace::Recorded;

use crate::recording::{Cell, Touch};
use crate::rules::Rules;
use crate::window::{Hold, Window, release};

/// Why a step cannot be taken, or why a witness shows no race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The event is not the next of its thread.
    NotNext,
    /// Its thread is not started yet.
    NotForked,
    /// The thread that it waits for has not ended.
    NotEnded,
    /// What it receives is not sent.
    NotSent,
    /// Somebody else holds the lock.
    LockHeld,
    /// Its thread has read something else than it did.
    Astray,
    /// A hidden method may make it wait for something.
    Barred,
    /// The two are no conflicting accesses of different threads.
    NoConflict,
}

/// What is stored in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Stored {
    /// The event that wrote it.
    by: usize,
    /// Did its thread know what it did?
    known: bool,
}

/// How far a run has come: equal states go on equally.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct State {
    next: BTreeMap<ThreadId, usize>,
    held: BTreeMap<(LockId, ThreadId), Hold>,
    memory: BTreeMap<Cell, Stored>,
    astray: BTreeSet<ThreadId>,
}

/// What the trace says about each step, looked up once.
pub(crate) struct Script<'a> {
    window: &'a Window<'a>,
    threads: BTreeMap<ThreadId, Vec<usize>>,
    forks: HashMap<ThreadId, Vec<usize>>,
    sends: HashMap<MessageId, Vec<usize>>,
    /// The write that each read saw, within its part of the cell's history.
    saw: HashMap<usize, Option<usize>>,
    /// What each part of a cell's history starts with.
    initial: HashMap<(Cell, u32), Value>,
    /// The last write before each begin of a hidden method of each cell that it can reach.
    found: HashMap<usize, Vec<(Cell, usize)>>,
    rules: Rules,
}

impl<'a> Script<'a> {
    pub(crate) fn new(window: &'a Window<'a>, rules: Rules) -> Self {
        let mut script = Script {
            window,
            threads: BTreeMap::new(),
            forks: HashMap::new(),
            sends: HashMap::new(),
            saw: HashMap::new(),
            initial: window.initial.iter().map(|(&cell, &value)| ((cell, 0), value)).collect(),
            found: HashMap::new(),
            rules,
        };
        let mut written: HashMap<(Cell, u32), usize> = HashMap::new();
        for event in 0..window.len() {
            script.threads.entry(window.thread(event)).or_default().push(event);
            match window.op(event) {
                Op::Fork(child) => script.forks.entry(child).or_default().push(event),
                Op::Send(message) => script.sends.entry(message).or_default().push(event),
                _ => {}
            }
            let found = script.rules.found.get(&event).into_iter().flatten();
            let found = found.filter_map(|&(cell, part)| Some((cell, *written.get(&(cell, part))?))).collect();
            script.found.insert(event, found);
            let part = script.rules.part(event);
            match window.touch(event) {
                Some(Touch::Write(cell)) => {
                    written.insert((cell, part), event);
                }
                Some(Touch::Read(cell)) => {
                    let saw = written.get(&(cell, part)).copied();
                    script.saw.insert(event, saw);
                    if let (None, Some(value)) = (saw, window.value(event)) {
                        script.initial.entry((cell, part)).or_insert(value);
                    }
                }
                None => {}
            }
        }
        script
    }

    pub(crate) fn start(&self) -> State {
        State {
            next: self.threads.keys().map(|&thread| (thread, 0)).collect(),
            held: self.window.held.clone(),
            memory: BTreeMap::new(),
            astray: BTreeSet::new(),
        }
    }

    /// The next event of each thread.
    pub(crate) fn next(&self, state: &State) -> Vec<usize> {
        state.next.iter().filter_map(|(thread, &next)| self.threads[thread].get(next).copied()).collect()
    }

    fn is_done(&self, state: &State, event: usize) -> bool {
        let thread = self.window.thread(event);
        let next = state.next.get(&thread).and_then(|&next| self.threads[&thread].get(next));
        next.is_none_or(|&next| event < next)
    }

    /// Is the thread of an event started?
    fn is_started(&self, state: &State, event: usize) -> Result<(), Flaw> {
        let forks = self.forks.get(&self.window.thread(event)).into_iter().flatten();
        if forks.filter(|&&fork| fork < event).any(|&fork| !self.is_done(state, fork)) {
            return Err(Flaw::NotForked);
        }
        Ok(())
    }

    /// And does no hidden method stand before the event?
    pub(crate) fn is_enabled(&self, state: &State, event: usize) -> Result<(), Flaw> {
        self.is_started(state, event)?;
        let bars = self.rules.before.get(&event).into_iter().flatten();
        if bars.into_iter().any(|&earlier| !self.is_done(state, earlier)) {
            return Err(Flaw::Barred);
        }
        Ok(())
    }

    /// Takes a step.
    pub(crate) fn step(&self, state: &mut State, event: usize) -> Result<(), Flaw> {
        let thread = self.window.thread(event);
        if !self.next(state).contains(&event) {
            return Err(Flaw::NotNext);
        }
        self.is_enabled(state, event)?;
        for (lock, mode) in self.window.locks_taken(event) {
            Self::acquire(state, lock, thread, mode)?;
        }
        match self.window.op(event) {
            Op::Release(lock, mode) => {
                release(&mut state.held, lock, thread, mode);
            }
            Op::Join(ended) => {
                let steps = self.threads.get(&ended).into_iter().flatten();
                let forks = self.forks.get(&ended).into_iter().flatten();
                if steps.chain(forks).any(|&other| other < event && !self.is_done(state, other)) {
                    return Err(Flaw::NotEnded);
                }
            }
            Op::Receive(message) if self.window.touch(event).is_none() => {
                let sends = self.sends.get(&message).into_iter().flatten();
                if sends.filter(|&&send| send < event).any(|&send| !self.is_done(state, send)) {
                    return Err(Flaw::NotSent);
                }
            }
            Op::Branch if state.astray.contains(&thread) => return Err(Flaw::Astray),
            _ => {}
        }
        self.hidden_method(state, event)?;
        match self.window.touch(event) {
            Some(Touch::Write(cell)) => {
                let known = !state.astray.contains(&thread);
                state.memory.insert(cell, Stored { by: event, known });
            }
            Some(Touch::Read(cell)) if !self.sees_the_same(state, cell, event) => {
                if self.window.recording.branches() == Recorded::No {
                    return Err(Flaw::Astray);
                }
                state.astray.insert(thread);
            }
            _ => {}
        }
        *state.next.entry(thread).or_default() += 1;
        Ok(())
    }

    fn acquire(state: &mut State, lock: LockId, thread: ThreadId, mode: Mode) -> Result<(), Flaw> {
        let everybody = (lock, ThreadId(0))..=(lock, ThreadId(u32::MAX));
        let excluded = state.held.range(everybody).any(|(&(_, other), hold)| {
            let others = if hold.for_writing > 0 { Mode::Write } else { Mode::Read };
            other != thread && others.excludes(mode)
        });
        if excluded {
            return Err(Flaw::LockHeld);
        }
        *state.held.entry((lock, thread)).or_default().depth(mode) += 1;
        Ok(())
    }

    /// In a hidden method, which may branch at any time, a thread must have read what it did.
    fn is_expected(&self, state: &State, event: usize) -> Result<(), Flaw> {
        let is_astray = state.astray.contains(&self.window.thread(event));
        if is_astray && self.rules.strict.contains(&event) { Err(Flaw::Astray) } else { Ok(()) }
    }

    /// A hidden method begins with what it found.
    fn hidden_method(&self, state: &State, event: usize) -> Result<(), Flaw> {
        self.is_expected(state, event)?;
        let mut found = self.found.get(&event).into_iter().flatten();
        let same = found.all(|&(cell, write)| {
            let (now, value) = (state.memory.get(&cell), self.window.value(write));
            now.is_some_and(|now| {
                now.known && (now.by == write || value.is_some() && self.window.value(now.by) == value)
            })
        });
        if same { Ok(()) } else { Err(Flaw::Astray) }
    }

    fn sees_the_same(&self, state: &State, cell: Cell, event: usize) -> bool {
        if self.rules.fixed.contains(&event) {
            return true;
        }
        let part = self.rules.part(event);
        let value_of = |write: Option<usize>| match write {
            Some(write) => self.window.value(write),
            None => self.initial.get(&(cell, part)).copied(),
        };
        let saw = self.saw.get(&event).copied().flatten();
        let seen = self.window.value(event);
        // Somebody that we do not see wrote: only the same place in the order will do.
        let is_hidden = value_of(saw).is_some_and(|value| Some(value) != seen);
        let now = state.memory.get(&cell).filter(|now| self.rules.part(now.by) == part);
        let (by, known) = (now.map(|now| now.by), now.is_none_or(|now| now.known));
        known && (by == saw || !is_hidden && seen.is_some() && value_of(by) == seen)
    }

    /// Runs the witness; afterwards both accesses of the pair must be next.
    pub(crate) fn check(&self, witness: &[u32], pair: (u32, u32)) -> Result<(), Flaw> {
        let mut state = self.start();
        for &event in witness {
            self.step(&mut state, event as usize)?;
        }
        self.race(&state, (pair.0 as usize, pair.1 as usize))
    }

    /// Are two conflicting accesses next?
    pub(crate) fn race(&self, state: &State, (one, two): (usize, usize)) -> Result<(), Flaw> {
        let (Some((var, kind)), Some((other, other_kind))) =
            (self.window.op(one).access(), self.window.op(two).access())
        else {
            return Err(Flaw::NoConflict);
        };
        if var != other || !kind.conflicts_with(other_kind) || self.window.thread(one) == self.window.thread(two) {
            return Err(Flaw::NoConflict);
        }
        let next = self.next(state);
        for event in [one, two] {
            if !next.contains(&event) {
                return Err(Flaw::NotNext);
            }
            // What comes before an access in its thread has come after all that hidden methods put before it. Only in a hidden
            // method a thread may have done something since.
            if self.rules.inside.contains(&event) {
                self.is_enabled(state, event)?;
            } else {
                self.is_started(state, event)?;
            }
            self.is_expected(state, event)?;
        }
        Ok(())
    }
}
