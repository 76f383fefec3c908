//! PCT: Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010 (A randomized scheduler with probabilistic guarantees of
//! finding bugs): the scheduler, and the theorem on its probability.
//!
//! Each thread has a random priority, and the highest that can go on does. At `d - 1` random steps of the `k` that a run has,
//! the running thread's priority drops below all others. A bug of depth `d` (`d` ordering constraints suffice for it) among `n`
//! threads is found with a probability of at least `1 / (n k^(d-1))`.
//!
//! What differs: `k` is the number of operations of an earlier run during which there was a choice at all. A thread that yields
//! or spins drops below all others, so that it starves nobody. What it may miss: bugs deeper than `d`; and if the run is
//! longer than `k`, those that need a change behind it.

use crate::control::{Choice, Decision, Pick, Policy, Tid, Why};
use crate::random::Random;

/// Priorities of threads that have not been changed are above this.
const INITIAL: i64 = 1 << 62;

/// PCT.
#[derive(Clone, Debug)]
pub struct Pct {
    random: Random,
    /// The steps at which a priority changes, the next one last, each with the new priority.
    changes: Vec<(u64, i64)>,
    priorities: Vec<i64>,
    step: u64,
    /// Who was let go on last.
    last: Option<Tid>,
    /// The priority of the next thread that yields.
    lowest: i64,
}

impl Pct {
    /// Looks for bugs of a depth, in runs of about so many contested operations
    /// ([`Baton::contested`](crate::control::Baton::contested)).
    #[must_use]
    pub fn new(seed: u64, depth: u32, length: u64) -> Pct {
        let mut random = Random::new(seed);
        let mut changes: Vec<(u64, i64)> =
            (1..i64::from(depth.max(1))).map(|priority| (1 + random.below(length.max(1)), priority)).collect();
        changes.sort_unstable_by(|one, two| two.cmp(one));
        Pct { random, changes, priorities: Vec::new(), step: 0, last: None, lowest: 0 }
    }

    fn priority(&mut self, thread: Tid) -> i64 {
        while self.priorities.len() <= thread.index() {
            self.priorities.push(INITIAL | (self.random.bits() >> 2) as i64);
        }
        self.priorities[thread.index()]
    }

    fn change(&mut self, thread: Tid, priority: i64) {
        self.priority(thread);
        self.priorities[thread.index()] = priority;
    }
}

impl Policy for Pct {
    fn next(&mut self, at: &Decision<'_>) -> Choice {
        self.step += u64::from(at.contested);
        while let Some(&(_, priority)) = self.changes.last().filter(|(step, _)| *step <= self.step) {
            self.changes.pop();
            if let Some(last) = self.last {
                self.change(last, priority);
            }
        }
        if let (Why::Yields | Why::Spins, Some(current)) = (at.why, at.current) {
            self.lowest -= 1;
            self.change(current, self.lowest);
        }
        let Some(&thread) = at.candidates.iter().max_by_key(|&&thread| self.priority(thread)) else {
            return Choice::Await;
        };
        self.last = Some(thread);
        let until = self.changes.last().map_or(u64::MAX, |(step, _)| step - self.step);
        Choice::Run { thread, points: u32::try_from(until).unwrap_or(u32::MAX) }
    }

    fn pick(&mut self, _: Pick, of: u32) -> u32 {
        self.random.below(of.into()) as u32
    }
}
