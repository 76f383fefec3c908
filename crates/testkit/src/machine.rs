//! The machine that turns steps into a well-formed trace.

use model::{Event, LockId, MessageId, Mode, Op, SiteId, ThreadId, VarId};

/// What the machine may use. Small numbers make threads meet often.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Steps at most; the trace is about as long.
    pub steps: usize,
    /// Threads at most, the first included.
    pub threads: u32,
    /// Locations.
    pub vars: u32,
    /// Locks; half of them can be held for reading too if `read_locks`.
    pub locks: u32,
    /// Messages.
    pub messages: u32,
    /// Sites per operation kind.
    pub sites: u32,
    /// Are there locks held for reading?
    pub read_locks: bool,
}

impl Shape {
    /// Everything, in small numbers.
    pub const SMALL: Shape =
        Shape { steps: 100, threads: 4, vars: 3, locks: 3, messages: 2, sites: 3, read_locks: true };

    /// Few enough events for enumerating all reorderings.
    pub const TINY: Shape = Shape { steps: 12, threads: 3, vars: 2, locks: 2, messages: 1, sites: 2, read_locks: true };

    /// Many threads that come and go, so that slots are reused.
    pub const CROWD: Shape =
        Shape { steps: 120, threads: 24, vars: 2, locks: 2, messages: 1, sites: 2, read_locks: false };
}

/// One wish: which thread does what to which operand. Each number is taken modulo what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which of the running threads.
    pub thread: u8,
    /// Which operation.
    pub op: u8,
    /// On what.
    pub operand: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Running,
    Joined,
}

struct Machine {
    shape: Shape,
    lives: Vec<Life>,
    /// Per lock, who holds it: thread, mode, depth.
    holders: Vec<Vec<(ThreadId, Mode, u32)>>,
    events: Vec<Event>,
}

/// Executes the steps; releases what is still held at the end.
#[must_use]
pub fn trace(shape: Shape, steps: &[Step]) -> Vec<Event> {
    let mut machine = Machine {
        shape,
        lives: vec![Life::Running],
        holders: vec![Vec::new(); shape.locks as usize],
        events: Vec::new(),
    };
    for &step in steps {
        machine.step(step);
    }
    machine.let_go();
    machine.events
}

impl Machine {
    fn step(&mut self, step: Step) {
        let running: Vec<u32> =
            (0..self.lives.len() as u32).filter(|&t| self.lives[t as usize] == Life::Running).collect();
        let thread = ThreadId(running[step.thread as usize % running.len()]);
        let operand = u32::from(step.operand);
        let var = VarId(operand % self.shape.vars);
        let pick = |count: u32| if count == 0 { None } else { Some(operand % count) };
        match step.op % 32 {
            0..=6 => self.emit(thread, Op::Read(var), operand),
            7..=12 => self.emit(thread, Op::Write(var), operand),
            13..=18 => {
                if let Some(lock) = pick(self.shape.locks) {
                    self.acquire(thread, LockId(lock), operand);
                }
            }
            19..=24 => self.release(thread, operand),
            25 => {
                if let Some(message) = pick(self.shape.messages) {
                    self.emit(thread, Op::Send(MessageId(message)), operand);
                }
            }
            26 => {
                if let Some(message) = pick(self.shape.messages) {
                    self.emit(thread, Op::Receive(MessageId(message)), operand);
                }
            }
            27..=29 => self.fork(thread, operand),
            _ => self.join(thread, operand),
        }
    }

    fn emit(&mut self, thread: ThreadId, op: Op, operand: u32) {
        let kind = match op {
            Op::Read(_) => 0,
            Op::Write(_) => 1,
            _ => 2,
        };
        let site = SiteId(kind * self.shape.sites + (operand / 16) % self.shape.sites);
        self.events.push(Event { thread, site, op });
    }

    fn acquire(&mut self, thread: ThreadId, lock: LockId, operand: u32) {
        let wish = if self.shape.read_locks && operand % 16 >= 8 { Mode::Read } else { Mode::Write };
        let holders = &mut self.holders[lock.index()];
        if let Some(mine) = holders.iter_mut().find(|(holder, ..)| *holder == thread) {
            mine.2 += 1;
            let mode = mine.1;
            self.emit(thread, Op::Acquire(lock, mode), operand);
        } else if holders.iter().all(|&(_, mode, _)| !mode.excludes(wish)) {
            holders.push((thread, wish, 1));
            self.emit(thread, Op::Acquire(lock, wish), operand);
        }
    }

    fn release(&mut self, thread: ThreadId, operand: u32) {
        let held: Vec<LockId> = (0..self.shape.locks)
            .map(LockId)
            .filter(|lock| self.holders[lock.index()].iter().any(|&(holder, ..)| holder == thread))
            .collect();
        if let Some(&lock) = held.get(operand as usize % held.len().max(1)) {
            self.release_once(thread, lock, operand);
        }
    }

    fn release_once(&mut self, thread: ThreadId, lock: LockId, operand: u32) {
        let holders = &mut self.holders[lock.index()];
        if let Some(place) = holders.iter().position(|&(holder, ..)| holder == thread) {
            let mode = holders[place].1;
            holders[place].2 -= 1;
            if holders[place].2 == 0 {
                holders.remove(place);
            }
            self.emit(thread, Op::Release(lock, mode), operand);
        }
    }

    fn fork(&mut self, thread: ThreadId, operand: u32) {
        let child = self.lives.len() as u32;
        if child < self.shape.threads {
            self.lives.push(Life::Running);
            self.emit(thread, Op::Fork(ThreadId(child)), operand);
        }
    }

    /// Joins a thread that holds nothing: it takes no further step.
    fn join(&mut self, thread: ThreadId, operand: u32) {
        let ended: Vec<ThreadId> = (0..self.lives.len() as u32)
            .map(ThreadId)
            .filter(|&t| t != thread && t != ThreadId(0))
            .filter(|&t| self.holders.iter().flatten().all(|&(holder, ..)| holder != t))
            .collect();
        if let Some(&ended) = ended.get(operand as usize % ended.len().max(1)) {
            self.lives[ended.index()] = Life::Joined;
            self.emit(thread, Op::Join(ended), operand);
        }
    }

    fn let_go(&mut self) {
        for lock in (0..self.shape.locks).map(LockId) {
            while let Some(&(thread, ..)) = self.holders[lock.index()].first() {
                self.release_once(thread, lock, 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_cannot_be_taken_are_passed_over() {
        let acquire = |thread| Step { thread, op: 13, operand: 0 };
        let fork = Step { thread: 0, op: 27, operand: 0 };
        let events = trace(Shape::SMALL, &[fork, acquire(0), acquire(1)]);
        let ops: Vec<Op> = events.iter().map(|event| event.op).collect();
        let lock = LockId(0);
        assert_eq!(
            ops,
            [Op::Fork(ThreadId(1)), Op::Acquire(lock, Mode::Write), Op::Release(lock, Mode::Write)],
            "the second acquire finds the lock taken"
        );
    }
}
