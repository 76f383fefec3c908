//! Feedback: keeps the random numbers of runs that showed something new, and changes some of them.
//!
//! A run is a function of the random numbers that its policy draws, so a kept run can be varied as a fuzzer varies an input
//! (Padhye and others, ISSTA 2019, Semantic fuzzing with Zest: parametric generators; Fray's feedback policy applies
//! it to schedules). New is an order that no run had: an operation at one site, then one at another site by another thread, on
//! one object, with nothing between them on that object.
//!
//! What it may miss: it climbs towards orders that were not seen; where a bug needs orders that are each common it is a random
//! walk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use model::SiteId;

use crate::control::{Choice, Decision, Object, Pending, Pick, Policy, Tid};
use crate::random::Random;

/// What a run has drawn and shown.
#[derive(Debug, Default)]
struct Trial {
    drawn: Vec<u64>,
    orders: BTreeSet<(SiteId, SiteId)>,
}

/// The runs that were kept.
#[derive(Debug)]
pub struct Feedback {
    random: Random,
    kept: Vec<Vec<u64>>,
    seen: BTreeSet<(u64, u64)>,
    trial: Arc<Mutex<Trial>>,
}

impl Feedback {
    /// No run was made.
    #[must_use]
    pub fn new(seed: u64) -> Feedback {
        Feedback { random: Random::new(seed), kept: Vec::new(), seen: BTreeSet::new(), trial: Arc::default() }
    }

    /// The policy of the next run: a variation of a run that was kept, or a new random walk.
    pub fn next_run(&mut self) -> Mutant {
        self.trial = Arc::default();
        // Half of the runs are new as long as few are kept, and some always.
        let is_new = self.random.below(self.kept.len().min(8) as u64 + 2) < 2;
        let prefix = if is_new { Vec::new() } else { self.mutate() };
        Mutant {
            prefix,
            random: Random::new(self.random.bits()),
            trial: self.trial.clone(),
            last: None,
            touched: BTreeMap::new(),
        }
    }

    fn mutate(&mut self) -> Vec<u64> {
        let which = self.random.below(self.kept.len() as u64) as usize;
        let Some(mut draws) = self.kept.get(which).cloned() else { return Vec::new() };
        let length = draws.len() as u64;
        if self.random.below(4) == 0 {
            // The rest is new.
            draws.truncate(self.random.below(length + 1) as usize);
        } else {
            while let Some(draw) = draws.get_mut(self.random.below(length) as usize) {
                *draw = self.random.bits();
                if self.random.below(3) == 0 {
                    break;
                }
            }
        }
        draws
    }

    /// The run is over: it is kept if it showed an order that no run before it did. `key` says what a site is called in all
    /// runs.
    pub fn finish(&mut self, key: impl Fn(SiteId) -> u64) -> bool {
        let trial = std::mem::take(&mut *lock(&self.trial));
        let before = self.seen.len();
        self.seen.extend(trial.orders.iter().map(|&(first, second)| (key(first), key(second))));
        let is_new = self.seen.len() > before;
        if is_new {
            self.kept.push(trial.drawn);
        }
        is_new
    }

    /// How many orders were seen.
    #[must_use]
    pub fn coverage(&self) -> usize {
        self.seen.len()
    }
}

fn lock(trial: &Mutex<Trial>) -> MutexGuard<'_, Trial> {
    trial.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The policy of one run.
#[derive(Debug)]
pub struct Mutant {
    prefix: Vec<u64>,
    random: Random,
    trial: Arc<Mutex<Trial>>,
    /// The operation that was made last.
    last: Option<(Tid, Pending)>,
    /// Who touched an object last, and where.
    touched: BTreeMap<Object, (Tid, SiteId)>,
}

impl Mutant {
    fn draw(&mut self, of: u64) -> u64 {
        let mut trial = lock(&self.trial);
        let draw = self.prefix.get(trial.drawn.len()).copied().unwrap_or_else(|| self.random.bits());
        trial.drawn.push(draw);
        ((u128::from(draw) * u128::from(of)) >> 64) as u64
    }

    /// Notes which orders the last operation has made.
    fn settle(&mut self) {
        let Some((thread, made)) = self.last.take() else { return };
        for touch in made.op.touches(thread).into_iter().flatten() {
            let before = self.touched.insert(touch.object, (thread, made.site));
            if let Some((_, site)) = before.filter(|(other, _)| *other != thread) {
                lock(&self.trial).orders.insert((site, made.site));
            }
        }
    }
}

impl Policy for Mutant {
    fn next(&mut self, at: &Decision<'_>) -> Choice {
        self.settle();
        let place = if at.candidates.len() > 1 { self.draw(at.candidates.len() as u64) } else { 0 };
        let Some(&thread) = at.candidates.get(place as usize) else { return Choice::Await };
        self.last = at.pending(thread).map(|pending| (thread, pending));
        Choice::Run { thread, points: 1 }
    }

    fn pick(&mut self, _: Pick, of: u32) -> u32 {
        self.draw(of.into()) as u32
    }
}
