//! Exhaustive search: all ends that a program can have, by a small interpreter of its own that shares no rule with the model.
//!
//! It is finer than the model: leaving a monitor and `notify` are steps of their own, after which any other thread may go on.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use schedule::control::How;

use crate::machine::{Do, Final, Program, code};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Is {
    Unstarted,
    /// Started, but has not begun.
    New,
    /// At its next step.
    Able,
    /// Wants a monitor.
    Enters(u32),
    /// In `wait`, with what it held; `Some` once it only wants the monitor back.
    Waits(u32, u32, Option<How>),
    Parked,
    Joins(usize),
    Sleeps,
    /// Has made its last step.
    Ends,
    Ended,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    is: Is,
    next: usize,
    register: i64,
    permit: bool,
    interrupted: bool,
    due: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    memory: BTreeMap<u32, i64>,
    owners: BTreeMap<u32, (usize, u32)>,
    clock: u64,
}

/// All ends of a program.
pub(crate) fn ends(program: &Program) -> BTreeSet<Final> {
    let thread = Thread { is: Is::Unstarted, next: 0, register: 0, permit: false, interrupted: false, due: None };
    let mut first =
        State { threads: vec![thread; program.len()], memory: BTreeMap::new(), owners: BTreeMap::new(), clock: 0 };
    first.threads[0].is = Is::Able;
    first.stand(program, 0);
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut ends = BTreeSet::new();
    while let Some(state) = open.pop() {
        let able: Vec<usize> = (0..program.len()).filter(|&thread| state.can_go_on(thread, false)).collect();
        let after: Vec<State> = if able.is_empty() {
            let timed = (0..program.len()).filter(|&thread| state.can_go_on(thread, true));
            let first = timed.min_by_key(|&thread| (state.threads[thread].due, thread));
            first.map(|thread| state.steps(program, thread)).unwrap_or_default()
        } else {
            able.into_iter().flat_map(|thread| state.steps(program, thread)).collect()
        };
        if after.is_empty() {
            ends.insert(state.end());
        }
        open.extend(after.into_iter().filter(|state| seen.insert(state.clone())));
    }
    ends
}

impl State {
    fn end(&self) -> Final {
        let is_stuck = |&thread: &usize| !matches!(self.threads[thread].is, Is::Unstarted | Is::Ended);
        Final {
            memory: self.memory.clone(),
            registers: self.threads.iter().map(|thread| thread.register).collect(),
            stuck: (0..self.threads.len()).filter(is_stuck).collect(),
        }
    }

    fn is_free(&self, lock: u32, me: usize) -> bool {
        self.owners.get(&lock).is_none_or(|&(owner, _)| owner == me)
    }

    fn can_go_on(&self, me: usize, by_time: bool) -> bool {
        let thread = &self.threads[me];
        let is_late = thread.due.is_some_and(|due| by_time || due < self.clock);
        match thread.is {
            Is::Unstarted | Is::Ended => false,
            Is::New | Is::Able | Is::Ends => true,
            Is::Enters(lock) => self.is_free(lock, me),
            Is::Waits(lock, _, woken) => self.is_free(lock, me) && (woken.is_some() || is_late),
            Is::Parked => thread.permit || thread.interrupted || is_late,
            Is::Joins(other) => self.threads[other].is == Is::Ended || thread.interrupted || is_late,
            Is::Sleeps => true,
        }
    }

    /// A thread whose next step waits begins to.
    fn stand(&mut self, program: &Program, me: usize) {
        let Some(&op) = program[me].get(self.threads[me].next) else {
            self.threads[me].is = Is::Ends;
            return;
        };
        let due = |nanos: Option<u64>| nanos.map(|nanos| self.clock + nanos);
        let (is, due) = match op {
            Do::Wait(lock, nanos) => {
                let due = due(nanos);
                let thread = &mut self.threads[me];
                if std::mem::take(&mut thread.interrupted) {
                    (Is::Waits(lock, 0, Some(How::Interrupted)), due)
                } else {
                    let (_, count) = self.owners.remove(&lock).expect("waits for what it owns");
                    (Is::Waits(lock, count, None), due)
                }
            }
            Do::Park(nanos) => (Is::Parked, due(nanos)),
            Do::Join(other) => (Is::Joins(other), None),
            Do::Sleep(nanos) => (Is::Sleeps, due(Some(nanos))),
            Do::Lock(lock) => (Is::Enters(lock), None),
            _ => (Is::Able, None),
        };
        (self.threads[me].is, self.threads[me].due) = (is, due);
    }

    /// What one step of a thread can lead to.
    fn steps(&self, program: &Program, me: usize) -> Vec<State> {
        let mut after = self.clone();
        let is_late = self.threads[me].due.is_some_and(|due| due < self.clock);
        if self.threads[me].is == Is::New {
            after.stand(program, me);
            return vec![after];
        }
        if self.threads[me].is == Is::Ends {
            after.threads[me].is = Is::Ended;
            return vec![after];
        }
        let op = program[me][self.threads[me].next];
        if !is_late && !self.can_go_on(me, false) {
            after.clock = after.clock.max(self.threads[me].due.expect("a time-out") + 1);
        }
        let thread = &mut after.threads[me];
        match (self.threads[me].is.clone(), op) {
            (Is::Waits(lock, count, woken), _) => {
                thread.register = code(woken.unwrap_or(How::TimedOut));
                let owned = after.owners.entry(lock).or_insert((me, 0));
                owned.1 += count;
            }
            (Is::Parked, _) => {
                let how = if std::mem::take(&mut thread.permit) {
                    How::Done
                } else if thread.interrupted {
                    How::Interrupted
                } else {
                    How::TimedOut
                };
                thread.register = code(how);
            }
            (Is::Joins(other), _) => {
                let how = if self.threads[other].is == Is::Ended { How::Done } else { How::Interrupted };
                thread.interrupted &= how == How::Done;
                thread.register = code(how);
            }
            (Is::Sleeps, _) => {
                let was_interrupted = std::mem::take(&mut thread.interrupted);
                thread.register = code(if was_interrupted { How::Interrupted } else { How::Done });
                if !was_interrupted {
                    after.clock = after.clock.max(thread.due.expect("a time-out") + 1);
                }
            }
            (Is::Enters(lock), _) => after.owners.entry(lock).or_insert((me, 0)).1 += 1,
            (_, Do::Notify(lock)) => return self.notified(program, me, lock),
            (_, op) => after.plain(me, op),
        }
        vec![after.moved(program, me)]
    }

    fn moved(mut self, program: &Program, me: usize) -> State {
        self.threads[me].next += 1;
        self.stand(program, me);
        self
    }

    fn waiters(&self, lock: u32) -> Vec<usize> {
        let waits = |&thread: &usize| matches!(self.threads[thread].is, Is::Waits(other, _, None) if other == lock);
        (0..self.threads.len()).filter(waits).collect()
    }

    fn wake(&mut self, waiter: usize, how: How) {
        if let Is::Waits(_, _, woken) = &mut self.threads[waiter].is {
            *woken = Some(how);
        }
    }

    fn notified(&self, program: &Program, me: usize, lock: u32) -> Vec<State> {
        let waiters = self.waiters(lock);
        if waiters.is_empty() {
            return vec![self.clone().moved(program, me)];
        }
        let one = |waiter: usize| {
            let mut after = self.clone();
            after.wake(waiter, How::Done);
            after.moved(program, me)
        };
        waiters.into_iter().map(one).collect()
    }

    fn plain(&mut self, me: usize, op: Do) {
        let register = self.threads[me].register;
        match op {
            Do::Read(variable) | Do::ReadVolatile(variable) => {
                self.threads[me].register = self.memory.get(&variable).copied().unwrap_or(0);
            }
            Do::Write(variable, value) | Do::WriteVolatile(variable, value) => {
                self.memory.insert(variable, value);
            }
            Do::WriteNext(variable) => {
                self.memory.insert(variable, register + 1);
            }
            Do::If(value, steps) => self.threads[me].next += if register == value { 0 } else { steps },
            Do::Unlock(lock) => {
                let owned = self.owners.get_mut(&lock).expect("leaves what it owns");
                owned.1 -= 1;
                if owned.1 == 0 {
                    self.owners.remove(&lock);
                }
            }
            Do::NotifyAll(lock) => {
                for waiter in self.waiters(lock) {
                    self.wake(waiter, How::Done);
                }
            }
            Do::Unpark(other) => self.threads[other].permit = true,
            Do::Interrupt(other) => match self.threads[other].is {
                Is::Waits(_, _, None) => self.wake(other, How::Interrupted),
                Is::Unstarted | Is::Ended => {}
                _ => self.threads[other].interrupted = true,
            },
            Do::Start(other) => {
                self.threads[other].is = Is::New;
            }
            Do::Yield => {}
            _ => unreachable!("{op:?} is beyond exhaustive search"),
        }
    }
}
