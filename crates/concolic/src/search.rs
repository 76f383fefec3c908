//! The search: a tree of the decisions of all runs, and which of them to take otherwise next.
//!
//! Generational search (Godefroid, Levin and Molnar 2008, section 3) over an execution tree: each step of a run that no run before
//! has come to is a place where another outcome may be tried. Places are taken by how often their instruction was tried already,
//! then by depth, so that a loop does not keep the rest of the program waiting.
//!
//! Its answer "exhausted" rests on the program doing the same each time for the same inputs; a run that does not come where its
//! inputs should have led is counted, and then nothing is claimed.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::inputs::Inputs;
use crate::smt::Question;
use crate::solver::{Answer, Solver, SolverError};
use crate::trace::{Outcome, Trace};

/// A place in the tree: the decisions that lead there, hashed.
type Prefix = u64;

/// A place where other outcomes may be tried.
struct Place {
    trace: Rc<Trace>,
    at: usize,
    site: String,
}

/// How much of the tree is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Different paths that were run.
    pub paths: u64,
    /// Questions asked.
    pub asked: u64,
    /// Those without an answer.
    pub unknown: u64,
    /// Runs that did not come where their inputs should have led.
    pub diverged: u64,
    /// Runs in which not all that depended on inputs was followed.
    pub incomplete: u64,
    /// The most threads that any run had.
    pub threads: u32,
    /// The longest path.
    pub longest: u64,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Run these inputs.
    Run(Inputs),
    /// All places were tried.
    Done,
}

/// The tree.
#[derive(Default)]
pub struct Search {
    /// By place, what came of the decision there.
    seen: HashMap<Prefix, BTreeSet<Outcome>>,
    /// Places to try, by prefix.
    open: BTreeMap<Prefix, Place>,
    /// How often an instruction's other outcome was asked for.
    tried: HashMap<String, u64>,
    /// Where the run that was proposed last should come to, and what is new there.
    expected: Option<(Prefix, BTreeSet<Outcome>)>,
    ends: BTreeSet<Prefix>,
    proposed: BTreeSet<Inputs>,
    coverage: Coverage,
}

impl Search {
    /// What is known of the tree.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// Were all paths run, as far as anybody can tell?
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        let Coverage { unknown, diverged, incomplete, threads, .. } = self.coverage;
        self.open.is_empty() && unknown == 0 && diverged == 0 && incomplete == 0 && threads <= 1
    }

    /// Why [`Search::is_exhausted`] does not hold though nothing is left to try.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        let Coverage { unknown, diverged, incomplete, threads, .. } = self.coverage;
        let mut doubts = Vec::new();
        if unknown > 0 {
            doubts.push(format!("the solver gave up on {unknown} of its questions"));
        }
        if diverged > 0 {
            doubts.push(format!("{diverged} runs did not come where their inputs should have led"));
        }
        if incomplete > 0 {
            doubts.push(format!("in {incomplete} runs inputs were not followed everywhere"));
        }
        if threads > 1 {
            doubts.push("several threads used inputs, and other schedules were not tried".to_owned());
        }
        doubts
    }

    /// Takes in a run; `true` if no run before took its path.
    pub fn add(&mut self, trace: Rc<Trace>) -> bool {
        self.coverage.incomplete += u64::from(!trace.gaps.is_empty() || trace.mismatches > 0);
        self.coverage.threads = self.coverage.threads.max(trace.threads);
        self.coverage.longest = self.coverage.longest.max(trace.steps.len() as u64);
        let mut hasher = DefaultHasher::new();
        let mut came = false;
        for (at, step) in trace.steps.iter().enumerate() {
            let place = trace.place(step);
            place.hash(&mut hasher);
            let prefix = hasher.finish();
            let outcome = step.outcome();
            if self.expected.as_ref().is_some_and(|(wanted, seen)| *wanted == prefix && !seen.contains(&outcome)) {
                came = true;
            }
            let seen = self.seen.entry(prefix).or_default();
            let is_new = seen.is_empty();
            seen.insert(outcome);
            let all = matches!(outcome, Outcome::Branch(_)) && seen.len() == 2;
            if all {
                self.open.remove(&prefix);
            } else if is_new {
                self.open.insert(prefix, Place { trace: Rc::clone(&trace), at, site: place });
            }
            outcome.hash(&mut hasher);
        }
        if self.expected.take().is_some() && !came {
            self.coverage.diverged += 1;
        }
        let is_new = self.ends.insert(hasher.finish());
        self.coverage.paths += u64::from(is_new);
        is_new
    }

    /// Which inputs to run next.
    ///
    /// # Errors
    /// If the solver cannot be used any more.
    pub fn next(&mut self, solver: &mut dyn Solver) -> Result<Next, SolverError> {
        loop {
            let rank = |place: &Place| (self.tried.get(&place.site).copied().unwrap_or(0), place.at);
            let Some(prefix) = self.open.iter().min_by_key(|(_, place)| rank(place)).map(|(&prefix, _)| prefix) else {
                return Ok(Next::Done);
            };
            let Some(place) = self.open.get(&prefix) else { return Ok(Next::Done) };
            let seen = self.seen.get(&prefix).cloned().unwrap_or_default();
            *self.tried.entry(place.site.clone()).or_insert(0) += 1;
            self.coverage.asked += 1;
            let question = Question { trace: &place.trace, at: place.at, seen: &seen };
            let answer = solver.solve(&question)?;
            let inputs = |values: &BTreeMap<u32, i64>| -> Inputs {
                let variables = place.trace.variables.iter().enumerate();
                let pairs = variables.map(|(number, variable)| {
                    let value = values.get(&(number as u32)).copied().unwrap_or(variable.value);
                    (variable.key.clone(), value)
                });
                Inputs(pairs.collect())
            };
            match answer {
                Answer::Inputs(values) => {
                    let inputs = inputs(&values);
                    if self.proposed.insert(inputs.clone()) {
                        self.expected = Some((prefix, seen));
                        return Ok(Next::Run(inputs));
                    }
                    // The run was made, and came out otherwise: once more would be the same.
                    self.coverage.unknown += 1;
                    self.open.remove(&prefix);
                }
                Answer::None => {
                    self.open.remove(&prefix);
                }
                Answer::Unknown(guess) => {
                    self.coverage.unknown += 1;
                    let guess = guess.as_ref().map(inputs);
                    self.open.remove(&prefix);
                    if let Some(guess) = guess.filter(|guess| self.proposed.insert(guess.clone())) {
                        return Ok(Next::Run(guess));
                    }
                }
            }
        }
    }
}
