//! SURW: Zhao, Wolff, Mathur and Roychoudhury, ASPLOS 2025 (Selectively uniform concurrency testing).
//!
//! A walk that picks each thread with a probability in proportion to the operations that it has left meets all interleavings
//! equally often. Selectively: only the interleavings of *interesting* operations. Which thread makes the next interesting one
//! is chosen by that weight; until it does, the others make uninteresting operations at random, and wait in front of
//! interesting ones.
//!
//! The weights are those of an earlier run, by the threads' paths; a thread's weight includes those of the threads that it has
//! not started yet. What it may miss: if the schedule changes how many operations a thread makes, the interleavings are not
//! equally likely; a thread without a weight has that of one operation, so none is left out.

use std::collections::BTreeMap;

use crate::control::{Choice, Decision, Pending, Pick, Policy, Tid, Why};
use crate::path::ThreadPath;
use crate::random::Random;

/// How many interesting operations each thread makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights(pub BTreeMap<ThreadPath, u64>);

impl Weights {
    /// The operations that each thread made in a run, all of them.
    #[must_use]
    pub fn of(schedule: &crate::control::Schedule) -> Weights {
        let mut weights = BTreeMap::new();
        for run in &schedule.runs {
            if let Some(thread) = schedule.thread_of(run) {
                *weights.entry(thread.path.clone()).or_insert(0) += run.points;
            }
        }
        Weights(weights)
    }
}

/// Which operations are interesting.
type IsInteresting = Box<dyn Fn(&Pending) -> bool + Send>;

/// SURW.
pub struct Surw {
    random: Random,
    /// What is left of each thread, also of those that have not been started.
    left: BTreeMap<ThreadPath, u64>,
    /// Whom a thread starts, and whom those start.
    descendants: BTreeMap<ThreadPath, Vec<ThreadPath>>,
    is_interesting: IsInteresting,
    /// Who makes the next interesting operation, or one of the threads that it will start.
    intended: Option<Tid>,
    /// Those of them that were not there when it was chosen.
    unborn: Vec<ThreadPath>,
    /// Who was let go on last, if to make an interesting operation.
    made: Option<Tid>,
}

impl Surw {
    /// All operations are interesting.
    #[must_use]
    pub fn new(seed: u64, weights: Weights) -> Surw {
        Surw::selective(seed, weights, Box::new(|_| true))
    }

    /// Some operations are interesting, and the weights count those.
    #[must_use]
    pub fn selective(seed: u64, weights: Weights, is_interesting: IsInteresting) -> Surw {
        let descendants = weights.0.keys().map(|path| {
            let prefix = format!("{path}.");
            let is_below = |other: &&ThreadPath| other.to_string().starts_with(&prefix);
            (path.clone(), weights.0.keys().filter(is_below).cloned().collect())
        });
        let descendants = descendants.collect();
        Surw {
            random: Random::new(seed),
            left: weights.0,
            descendants,
            is_interesting,
            intended: None,
            unborn: Vec::new(),
            made: None,
        }
    }

    /// What a thread has left, with those of its children that are not there yet.
    fn weight(&self, at: &Decision<'_>, thread: Tid) -> u64 {
        let Some(path) = at.path(thread) else { return 0 };
        let own = self.left.get(path).copied().unwrap_or(1);
        let descendants = self.descendants.get(path).into_iter().flatten();
        let new = descendants.filter(|other| at.find(other).is_none()).filter_map(|other| self.left.get(other));
        new.fold(own, |sum, &left| sum.saturating_add(left))
    }

    fn weighted(&mut self, at: &Decision<'_>, among: &[Tid]) -> Option<Tid> {
        let weights: Vec<u64> = among.iter().map(|&thread| self.weight(at, thread)).collect();
        let sum = weights.iter().fold(0, |sum: u64, &weight| sum.saturating_add(weight));
        if sum == 0 {
            return self.random.pick(among);
        }
        let mut drawn = self.random.below(sum);
        for (&thread, weight) in among.iter().zip(weights) {
            if drawn < weight {
                return Some(thread);
            }
            drawn -= weight;
        }
        among.last().copied()
    }

    fn poised(&self, at: &Decision<'_>, thread: Tid) -> bool {
        at.pending(thread).is_some_and(|pending| (self.is_interesting)(&pending))
    }

    /// Chooses who makes the next interesting operation, if that is open. Whoever was chosen has stood for the threads that it
    /// starts, too: when it has started one, it is one of the two.
    fn intend(&mut self, at: &Decision<'_>) {
        let unborn = std::mem::take(&mut self.unborn);
        let (born, unborn): (Vec<_>, Vec<_>) = unborn.into_iter().partition(|path| at.find(path).is_some());
        let intended = match self.intended.filter(|intended| at.candidates.contains(intended)) {
            Some(intended) if born.is_empty() => {
                self.unborn = unborn;
                Some(intended)
            }
            Some(intended) => {
                let family: Vec<Tid> = born.iter().filter_map(|path| at.find(path)).chain([intended]).collect();
                self.weighted(at, &family)
            }
            None => self.weighted(at, at.candidates),
        };
        if self.intended != intended || !born.is_empty() {
            let below = intended.and_then(|intended| self.descendants.get(at.path(intended)?));
            let is_unborn = |path: &&ThreadPath| at.find(path).is_none();
            self.unborn = below.into_iter().flatten().filter(is_unborn).cloned().collect();
        }
        self.intended = intended;
    }

    fn settle(&mut self, at: &Decision<'_>) {
        if let Some(path) = self.made.take().and_then(|made| at.path(made)) {
            if let Some(left) = self.left.get_mut(path) {
                *left = left.saturating_sub(1);
            }
            self.intended = None;
        }
        // One that waits in a loop is not waited for.
        if matches!(at.why, Why::Yields | Why::Spins) {
            self.intended = None;
        }
    }
}

impl Policy for Surw {
    fn next(&mut self, at: &Decision<'_>) -> Choice {
        self.settle(at);
        self.intend(at);
        let open: Vec<Tid> = at
            .candidates
            .iter()
            .copied()
            .filter(|&thread| self.intended == Some(thread) || !self.poised(at, thread))
            .collect();
        let Some(thread) = self.random.pick(&open) else { return Choice::Await };
        self.made = self.poised(at, thread).then_some(thread);
        Choice::Run { thread, points: 1 }
    }

    fn pick(&mut self, _: Pick, of: u32) -> u32 {
        self.random.below(of.into()) as u32
    }
}
