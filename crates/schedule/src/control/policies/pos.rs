//! POS: Yuan, Yang and Gu, CAV 2018 (Partial order aware concurrency sampling): POS, not BasicPOS.
//!
//! Each operation that a thread stands in front of has a random priority, and the highest that can be made is. Then those that
//! conflict with it get new priorities: the order of independent operations is not sampled, and that of conflicting ones again
//! and again.
//!
//! What differs: operations that touch nothing (a yield) conflict with nothing; a thread that yields or spins gets a priority
//! below all others, for that one operation. What it may miss: what lies inside an operation, such as a call into
//! `java.util.concurrent`.

use crate::control::{Choice, Decision, Pending, Pick, Policy, Tid, Why};
use crate::random::Random;

/// POS.
#[derive(Clone, Debug)]
pub struct Pos {
    random: Random,
    priorities: Vec<u64>,
    /// The operation that was made last.
    last: Option<(Tid, Pending)>,
}

impl Pos {
    /// POS with random numbers of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Pos {
        Pos { random: Random::new(seed), priorities: Vec::new(), last: None }
    }

    /// The priority of what a thread stands in front of.
    fn priority(&mut self, thread: Tid) -> u64 {
        while self.priorities.len() <= thread.index() {
            let priority = self.random.bits() | 1;
            self.priorities.push(priority);
        }
        self.priorities[thread.index()]
    }

    fn renew(&mut self, thread: Tid) {
        self.priority(thread);
        self.priorities[thread.index()] = self.random.bits() | 1;
    }

    /// The last operation is made: its thread stands in front of a new one, and those that conflict with the old one start
    /// again.
    fn settle(&mut self, at: &Decision<'_>) {
        let Some((thread, made)) = self.last.take() else { return };
        self.renew(thread);
        for other in (0..self.priorities.len() as u32).map(Tid).filter(|&other| other != thread) {
            let conflicts = at.pending(other).is_some_and(|pending| made.conflicts_with(thread, &pending, other));
            if conflicts {
                self.renew(other);
            }
        }
        if matches!(at.why, Why::Yields | Why::Spins) {
            self.priorities[thread.index()] = 0;
        }
    }
}

impl Policy for Pos {
    fn next(&mut self, at: &Decision<'_>) -> Choice {
        self.settle(at);
        let Some(&thread) = at.candidates.iter().max_by_key(|&&thread| self.priority(thread)) else {
            return Choice::Await;
        };
        self.last = at.pending(thread).map(|pending| (thread, pending));
        Choice::Run { thread, points: 1 }
    }

    fn pick(&mut self, _: Pick, of: u32) -> u32 {
        self.random.below(of.into()) as u32
    }
}
