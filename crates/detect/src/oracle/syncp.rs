//! Sync-preserving reorderings, step by step: a checker for witnesses, and the search through all of them.

use std::collections::{BTreeMap, BTreeSet};

use model::{Event, Op, VarId, Witness};

use super::wcp::{Section, sections};
use super::{conflicting, forks_then_joins};

/// Why a step cannot be taken, or a witness proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The thread of the event at this position is forked later.
    NotForked(usize),
    /// The lock is held by somebody else.
    LockHeld(usize),
    /// A later section of the lock has begun already.
    SectionsSwapped(usize),
    /// A read would see another write than it saw.
    OtherWrite(usize),
    /// A receive comes before a send whose message it took.
    NotSent(usize),
    /// A join comes before the end of the thread.
    NotEnded(usize),
    /// A thread has fewer events than the witness says.
    TooLong,
    /// The two are no conflicting accesses of different threads.
    NoConflict,
    /// The access at this position is not next.
    NotNext(usize),
}

/// A reordering that is being made.
#[derive(Clone)]
struct Run<'a> {
    events: &'a [Event],
    sections: &'a [Section],
    done: Vec<bool>,
    last_write: BTreeMap<VarId, usize>,
}

impl<'a> Run<'a> {
    fn new(events: &'a [Event], sections: &'a [Section]) -> Self {
        Run { events, sections, done: vec![false; events.len()], last_write: BTreeMap::new() }
    }

    fn step(&mut self, position: usize) {
        self.done[position] = true;
        if let Op::Write(var) = self.events[position].op {
            self.last_write.insert(var, position);
        }
    }

    /// The next event of each thread.
    fn next(&self) -> Vec<usize> {
        let mut threads = BTreeSet::new();
        (0..self.events.len()).filter(|&i| !self.done[i] && threads.insert(self.events[i].thread)).collect()
    }

    /// Is there an event before `position` that is still to be done and of which `needed` holds?
    fn lacks(&self, position: usize, needed: impl Fn(&Event) -> bool) -> bool {
        (0..position).any(|i| !self.done[i] && needed(&self.events[i]))
    }

    fn is_forked(&self, position: usize) -> bool {
        let thread = self.events[position].thread;
        !self.lacks(position, |earlier| earlier.op == Op::Fork(thread))
    }

    /// Why the event at `position`, the next of its thread, cannot be the next of all.
    fn obstacle(&self, position: usize) -> Option<Flaw> {
        if !self.is_forked(position) {
            return Some(Flaw::NotForked(position));
        }
        match self.events[position].op {
            Op::Read(var) => {
                let saw = (0..position).rev().find(|&i| self.events[i].op == Op::Write(var));
                (saw != self.last_write.get(&var).copied()).then_some(Flaw::OtherWrite(position))
            }
            Op::Acquire(..) => self.lock_obstacle(position),
            Op::Receive(message) => {
                self.lacks(position, |earlier| earlier.op == Op::Send(message)).then_some(Flaw::NotSent(position))
            }
            Op::Join(ended) => self
                .lacks(position, |earlier| {
                    earlier.thread == ended || forks_then_joins(earlier.op, self.events[position].op)
                })
                .then_some(Flaw::NotEnded(position)),
            _ => None,
        }
    }

    fn lock_obstacle(&self, position: usize) -> Option<Flaw> {
        let own = self.sections.iter().find(|section| section.acquire == position)?;
        let excluded = |other: &&Section| {
            other.lock == own.lock
                && other.acquire != position
                && other.mode.excludes(own.mode)
                && self.done[other.acquire]
        };
        self.sections.iter().filter(excluded).find_map(|other| {
            if other.acquire > position {
                Some(Flaw::SectionsSwapped(position))
            } else if other.release.is_none_or(|release| !self.done[release]) {
                Some(Flaw::LockHeld(position))
            } else {
                None
            }
        })
    }
}

/// Replays the witness and checks that it is a sync-preserving correct reordering after which the accesses at both
/// positions are next.
///
/// # Errors
/// The first flaw found.
pub fn check(events: &[Event], (i, j): (usize, usize), witness: &Witness) -> Result<(), Flaw> {
    if !conflicting(events).contains(&(i, j)) {
        return Err(Flaw::NoConflict);
    }
    let sections = sections(events);
    let mut run = Run::new(events, &sections);
    let mut left = witness.prefix.to_vec();
    for (position, event) in events.iter().enumerate() {
        let Some(left) = left.get_mut(event.thread.index()).filter(|left| **left > 0) else { continue };
        *left -= 1;
        if let Some(flaw) = run.obstacle(position) {
            return Err(flaw);
        }
        run.step(position);
    }
    if left.iter().any(|&left| left > 0) {
        return Err(Flaw::TooLong);
    }
    let next = run.next();
    match [i, j].into_iter().find(|position| !next.contains(position) || !run.is_forked(*position)) {
        Some(position) => Err(Flaw::NotNext(position)),
        None => Ok(()),
    }
}

/// All pairs that some sync-preserving correct reordering, in whatever order, makes next: for tiny traces.
#[must_use]
pub fn races(events: &[Event]) -> BTreeSet<(usize, usize)> {
    let sections = sections(events);
    let pairs = conflicting(events);
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut todo = vec![Run::new(events, &sections)];
    while let Some(run) = todo.pop() {
        if !seen.insert((run.done.clone(), run.last_write.clone())) {
            continue;
        }
        let next: Vec<usize> = run.next().into_iter().filter(|&position| run.is_forked(position)).collect();
        found.extend(pairs.iter().filter(|(i, j)| next.contains(i) && next.contains(j)));
        for position in next.into_iter().filter(|&position| run.obstacle(position).is_none()) {
            let mut further = run.clone();
            further.step(position);
            todo.push(further);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{LockId, Mode, SiteId, ThreadId};

    fn step(thread: u32, op: Op) -> Event {
        Event { thread: ThreadId(thread), site: SiteId(0), op }
    }

    fn witness(prefix: &[u64]) -> Witness {
        Witness { prefix: prefix.into() }
    }

    #[test]
    fn each_flaw_is_found() {
        let (x, y, lock) = (VarId(0), VarId(1), LockId(0));
        let events = [
            step(0, Op::Write(y)),
            step(0, Op::Fork(ThreadId(1))),
            step(0, Op::Acquire(lock, Mode::Write)),
            step(0, Op::Write(x)),
            step(0, Op::Release(lock, Mode::Write)),
            step(1, Op::Read(y)),
            step(1, Op::Acquire(lock, Mode::Write)),
            step(1, Op::Release(lock, Mode::Write)),
            step(1, Op::Write(x)),
        ];
        assert_eq!(check(&events, (3, 8), &witness(&[3, 3])), Err(Flaw::LockHeld(6)));
        assert_eq!(check(&events, (3, 8), &witness(&[5, 3])), Err(Flaw::NotNext(3)));
        assert_eq!(check(&events, (3, 8), &witness(&[3, 1])), Err(Flaw::NotNext(8)));
        assert_eq!(check(&events, (3, 8), &witness(&[1, 1])), Err(Flaw::NotForked(5)));
        assert_eq!(check(&events, (3, 8), &witness(&[0, 1])), Err(Flaw::NotForked(5)));
        assert_eq!(check(&events, (3, 8), &witness(&[6, 3])), Err(Flaw::TooLong));
        assert_eq!(check(&events, (3, 5), &witness(&[3, 0])), Err(Flaw::NoConflict));
        assert!(races(&events).is_empty());
    }

    #[test]
    fn reads_see_the_same_write_and_joins_wait() {
        let (x, y, message) = (VarId(0), VarId(1), model::MessageId(0));
        let events = [
            step(0, Op::Write(x)),
            step(0, Op::Write(y)),
            step(0, Op::Send(message)),
            step(1, Op::Read(y)),
            step(1, Op::Read(x)),
            step(2, Op::Receive(message)),
            step(2, Op::Read(x)),
            step(3, Op::Join(ThreadId(0))),
            step(3, Op::Read(x)),
        ];
        assert_eq!(check(&events, (0, 4), &witness(&[0, 1])), Err(Flaw::OtherWrite(3)));
        assert_eq!(check(&events, (0, 6), &witness(&[0, 0, 1])), Err(Flaw::NotSent(5)));
        assert_eq!(check(&events, (0, 8), &witness(&[0, 0, 0, 1])), Err(Flaw::NotEnded(7)));
        assert_eq!(check(&events, (1, 3), &witness(&[1])), Ok(()));
        assert_eq!(races(&events), BTreeSet::from([(1, 3)]));
    }

    #[test]
    fn sections_keep_their_order_even_if_one_is_enough() {
        let (x, lock) = (VarId(0), LockId(0));
        let events = [
            step(0, Op::Acquire(lock, Mode::Write)),
            step(0, Op::Release(lock, Mode::Write)),
            step(0, Op::Write(x)),
            step(1, Op::Acquire(lock, Mode::Write)),
            step(1, Op::Write(x)),
        ];
        assert_eq!(check(&events, (2, 4), &witness(&[2, 1])), Ok(()));
        assert_eq!(races(&events), BTreeSet::from([(2, 4)]));
    }
}
