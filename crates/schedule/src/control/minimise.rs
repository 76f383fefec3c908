//! Minimisation: the fewest switches with which a schedule still shows what it showed.
//!
//! Delta debugging (Zeller and Hildebrandt 2002, algorithm `ddmin`) over the ends of stretches at which a thread was
//! preempted. Without one of them the thread goes on: it makes what it made in its next stretch too. Then single stretches are
//! joined with the next or the one before of the same thread. Each attempt is an execution, because what a run does after a
//! change nobody knows without one; what counts is the schedule that was recorded then. Only one with fewer switches that shows
//! it is taken.
//!
//! What it may miss: a schedule with fewer switches that no step of this kind leads to; and whatever is beyond the budget.

use super::policies::Leg;
use super::schedule::{End, Schedule};

/// What an attempt has shown.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// What was recorded.
    pub schedule: Schedule,
    /// Did it show what is looked for?
    pub shows: bool,
}

/// The result of a minimisation.
#[derive(Clone, Debug)]
pub struct Minimised {
    /// The schedule with the fewest switches that was found. It is one that was recorded, and can be replayed exactly.
    pub schedule: Schedule,
    /// How many executions it took.
    pub executions: u32,
    /// Was the search over before its budget was?
    pub is_complete: bool,
}

struct Search<'a> {
    best: Schedule,
    budget: u32,
    executions: u32,
    execute: &'a mut dyn FnMut(Vec<Leg>) -> Attempt,
}

/// Looks for a schedule with fewer switches, with so many executions at most. `execute` runs the program once, by a
/// [`Guide`](super::Guide) along these legs.
pub fn minimise(schedule: &Schedule, budget: u32, execute: &mut dyn FnMut(Vec<Leg>) -> Attempt) -> Minimised {
    let mut search = Search { best: schedule.clone(), budget, executions: 0, execute };
    loop {
        let before = search.best.switches();
        search.without_preemptions();
        search.joined();
        if search.best.switches() == before || search.is_spent() {
            break;
        }
    }
    let is_complete = !search.is_spent();
    Minimised { schedule: search.best, executions: search.executions, is_complete }
}

impl Search<'_> {
    fn is_spent(&self) -> bool {
        self.executions >= self.budget
    }

    /// Tries legs: better ones are taken.
    fn attempt(&mut self, legs: Vec<Leg>) -> bool {
        if self.is_spent() {
            return false;
        }
        self.executions += 1;
        let attempt = (self.execute)(legs);
        let is_better = attempt.shows && attempt.schedule.switches() < self.best.switches();
        if is_better {
            self.best = attempt.schedule;
        }
        is_better
    }

    /// Leaves out sets of preemptions, half of them at first, then smaller ones.
    fn without_preemptions(&mut self) {
        let mut parts = 1;
        while !self.is_spent() {
            let runs = &self.best.runs;
            let preempted: Vec<usize> = (0..runs.len()).filter(|&run| runs[run].end == End::Choice).collect();
            if preempted.is_empty() || parts > preempted.len() {
                return;
            }
            let size = preempted.len().div_ceil(parts);
            let is_better = preempted.chunks(size).any(|part| {
                let legs = without(&self.best, part);
                self.attempt(legs)
            });
            parts = if is_better { (parts / 2).max(1) } else { parts * 2 };
        }
    }

    /// Joins one stretch after the other with another one of its thread: with the next, which comes earlier by that, or with
    /// the one before, so that it comes later.
    fn joined(&mut self) {
        let mut at = 0;
        while at < self.best.runs.len() && !self.is_spent() {
            let is_better = [true, false].into_iter().any(|earlier| {
                let legs = joined(&self.best, at, earlier);
                legs.is_some_and(|legs| self.attempt(legs))
            });
            at = if is_better { 0 } else { at + 1 };
        }
    }
}

/// The legs of a schedule in which threads are not preempted at these ends.
fn without(schedule: &Schedule, ends: &[usize]) -> Vec<Leg> {
    let mut legs: Vec<Option<Leg>> = Leg::all(schedule, false).into_iter().map(Some).collect();
    // From the last to the first, so that what is joined is joined with all that follows.
    for &end in ends.iter().rev() {
        join(&mut legs, end, true);
    }
    legs.into_iter().flatten().collect()
}

fn joined(schedule: &Schedule, at: usize, earlier: bool) -> Option<Vec<Leg>> {
    let mut legs: Vec<Option<Leg>> = Leg::all(schedule, false).into_iter().map(Some).collect();
    join(&mut legs, at, earlier).then(|| legs.into_iter().flatten().collect())
}

/// Joins a leg with the next one of its thread, at the place of the first of them or of the second.
fn join(legs: &mut [Option<Leg>], at: usize, earlier: bool) -> bool {
    let Some(Some(first)) = legs.get(at).cloned() else { return false };
    let is_next = |leg: &Option<Leg>| leg.as_ref().is_some_and(|leg| leg.thread == first.thread);
    let Some(next) = (at + 1..legs.len()).find(|&other| is_next(&legs[other])) else { return false };
    let Some(second) = legs[next].take() else { return false };
    let picks = first.picks.iter().chain(&second.picks).copied().collect();
    let points = first.points.saturating_add(second.points);
    legs[at] = None;
    legs[if earlier { at } else { next }] = Some(Leg { points, picks, ..first });
    true
}
