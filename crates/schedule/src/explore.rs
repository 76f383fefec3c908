//! Between two runs: what the next one is asked to do, or that there is nothing more to do.

use std::collections::{BTreeMap, BTreeSet};

use crate::outcome::Outcome;
use crate::plan::{Candidate, First, Plan, Scheduler, Settings};
use crate::random::Random;
use crate::relations::Relation;

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Run {
    /// What it was asked to do.
    pub plan: Plan,
    /// What its schedule was.
    pub outcome: Outcome,
    /// How many races it showed that no run before it had shown.
    pub new_races: u64,
}

/// Chooses the next plan.
pub trait Explorer {
    /// The plan of the next run; `None` if there is no more to do before another run ends, or at all. `last` is the run that ended
    /// last, each once: `None` in the beginning, and when several runs are made at once and no other one has ended since.
    /// `candidates` are the races known so far.
    fn next(&mut self, last: Option<&Run>, candidates: &[Candidate]) -> Option<Plan>;
}

/// When a hunt ends at the latest.
#[derive(Clone, Copy, Debug)]
struct Limits {
    runs: u64,
    until_dry: u64,
}

/// The same scheduler in every run; DrFinder after one run that only collects.
#[derive(Clone, Debug)]
pub struct Repeated {
    scheduler: Scheduler,
    settings: Settings,
    limits: Limits,
    seeds: Random,
    made: u64,
    dry: u64,
    relation: BTreeSet<Relation>,
}

impl Repeated {
    /// At most `runs` runs, and no more after `until_dry` runs in a row without a new race.
    #[must_use]
    pub fn new(scheduler: Scheduler, settings: Settings, seed: u64, runs: u64, until_dry: u64) -> Repeated {
        Repeated {
            scheduler,
            settings,
            limits: Limits { runs, until_dry },
            seeds: Random::new(seed),
            made: 0,
            dry: 0,
            relation: BTreeSet::new(),
        }
    }

    /// Takes in a run; the relation that it collected replaces the one before (section 4.4).
    fn take(&mut self, last: &Run) {
        self.dry = if last.new_races == 0 { self.dry + 1 } else { 0 };
        self.relation.clone_from(&last.outcome.relation);
    }
}

impl Explorer for Repeated {
    fn next(&mut self, last: Option<&Run>, candidates: &[Candidate]) -> Option<Plan> {
        if let Some(last) = last {
            self.take(last);
        }
        // The run that only collects says nothing of how dry the hunt is.
        let is_first = self.made == 0;
        if self.made == 1 {
            self.dry = 0;
        }
        if self.made >= self.limits.runs || self.dry >= self.limits.until_dry {
            return None;
        }
        self.made += 1;
        let collects = is_first && self.scheduler == Scheduler::DrFinder;
        let scheduler = if collects { Scheduler::None } else { self.scheduler };
        let mut plan = Plan::new(scheduler, self.seeds.bits(), self.settings);
        match scheduler {
            Scheduler::DrFinder => plan.relation.clone_from(&self.relation),
            Scheduler::RaceFuzzer if candidates.is_empty() => return None,
            Scheduler::RaceFuzzer => {
                plan.candidates = candidates.to_vec();
                plan.first = if self.made % 2 == 1 { First::First } else { First::Second };
            }
            Scheduler::None
            | Scheduler::ConTest
            | Scheduler::Random
            | Scheduler::Pct
            | Scheduler::Pos
            | Scheduler::Replay => {}
        }
        Some(plan)
    }
}

/// One run that only collects, DrFinder until it finds nothing new, then RaceFuzzer on what was found.
#[derive(Clone, Debug)]
pub struct Auto {
    settings: Settings,
    drfinder: Repeated,
    seeds: Random,
    left: u64,
    /// By candidate, with which side first it was caught.
    caught: BTreeMap<Candidate, [bool; 2]>,
    next_first: First,
}

impl Auto {
    /// At most `runs` runs; RaceFuzzer has at least a quarter of them, if there is anything to catch.
    #[must_use]
    pub fn new(settings: Settings, seed: u64, runs: u64, until_dry: u64) -> Auto {
        let searching = runs - runs / 4;
        Auto {
            settings,
            drfinder: Repeated::new(Scheduler::DrFinder, settings, seed, searching, until_dry),
            seeds: Random::new(!seed),
            left: runs,
            caught: BTreeMap::new(),
            next_first: First::First,
        }
    }

    /// Notes which candidates a run has caught.
    fn take(&mut self, last: &Run) {
        for tried in last.outcome.tried.iter().filter(|tried| tried.catches > 0) {
            if let Some(candidate) = last.plan.candidates.get(tried.candidate) {
                self.caught.entry(candidate.clone()).or_default()[last.plan.first as usize] = true;
            }
        }
    }
}

impl Explorer for Auto {
    fn next(&mut self, last: Option<&Run>, candidates: &[Candidate]) -> Option<Plan> {
        if let Some(last) = last {
            self.take(last);
        }
        self.left = self.left.checked_sub(1)?;
        let fuzzes = last.is_some_and(|last| last.plan.scheduler == Scheduler::RaceFuzzer);
        if !fuzzes {
            if let Some(plan) = self.drfinder.next(last, candidates) {
                return Some(plan);
            }
        }
        let first = self.next_first;
        self.next_first = first.other();
        let is_open =
            |candidate: &&Candidate| self.caught.get(*candidate).is_none_or(|caught| !caught.iter().all(|&once| once));
        let open: Vec<Candidate> = candidates.iter().filter(is_open).cloned().collect();
        if open.is_empty() {
            return None;
        }
        let mut plan = Plan::new(Scheduler::RaceFuzzer, self.seeds.bits(), self.settings);
        plan.candidates = open;
        plan.first = first;
        Some(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Tried;

    fn candidate(variable: &str) -> Candidate {
        Candidate {
            race: String::new(),
            variable: variable.to_owned(),
            first: "write A.a(A.java:1)".into(),
            second: "read A.b(A.java:2)".into(),
        }
    }

    fn over(plan: Plan, new_races: u64) -> Run {
        Run { plan, outcome: Outcome::default(), new_races }
    }

    #[test]
    fn drfinder_collects_first_and_uses_the_relation_of_the_run_before() {
        let mut explorer = Repeated::new(Scheduler::DrFinder, Settings::default(), 1, 10, 3);
        let first = explorer.next(None, &[]).unwrap();
        assert_eq!(first.scheduler, Scheduler::None);
        let relation = |method: &str| Relation { method: method.to_owned(), lock: "L".to_owned() };
        let mut run = over(first, 0);
        run.outcome.relation.insert(relation("a"));
        let second = explorer.next(Some(&run), &[]).unwrap();
        assert_eq!((second.scheduler, second.relation.len()), (Scheduler::DrFinder, 1));
        let mut run = over(second, 0);
        run.outcome.relation.insert(relation("b"));
        let third = explorer.next(Some(&run), &[]).unwrap();
        assert_eq!(third.relation.into_iter().collect::<Vec<_>>(), [relation("b")], "replaced, not joined");
    }

    #[test]
    fn a_hunt_ends_after_dry_runs_and_new_races_prolong_it() {
        let lasts = |new: &[u64]| {
            let mut explorer = Repeated::new(Scheduler::ConTest, Settings::default(), 1, 8, 3);
            let mut last = None;
            let mut made = 0;
            while let Some(plan) = explorer.next(last.as_ref(), &[]) {
                last = Some(over(plan, new.get(made).copied().unwrap_or(0)));
                made += 1;
            }
            made
        };
        assert_eq!(lasts(&[]), 4, "one, and three without anything new");
        assert_eq!(lasts(&[0, 0, 0, 0, 1]), 4, "it came too late");
        assert_eq!(lasts(&[0, 0, 0, 1]), 7);
        assert_eq!(lasts(&[0, 0, 1]), 6);
        assert_eq!(lasts(&[1; 20]), 8, "no more than asked for");
    }

    #[test]
    fn auto_catches_each_candidate_in_both_orders() {
        let candidates = [candidate("A.x"), candidate("A.y")];
        let mut explorer = Auto::new(Settings::default(), 1, 10, 2);
        let mut last: Option<Run> = None;
        let mut plans = Vec::new();
        while let Some(plan) = explorer.next(last.as_ref(), &candidates) {
            plans.push((plan.scheduler, plan.first, plan.candidates.len()));
            let mut run = over(plan, 0);
            if run.plan.scheduler == Scheduler::RaceFuzzer {
                // The first candidate that is left is caught.
                run.outcome.tried = vec![Tried { candidate: 0, holds: 1, catches: 1 }];
            }
            last = Some(run);
        }
        let (none, drfinder, racefuzzer) = (Scheduler::None, Scheduler::DrFinder, Scheduler::RaceFuzzer);
        assert_eq!(
            plans,
            [
                (none, First::First, 0),
                (drfinder, First::First, 0),
                (drfinder, First::First, 0),
                (racefuzzer, First::First, 2),
                (racefuzzer, First::Second, 2),
                (racefuzzer, First::First, 1),
                (racefuzzer, First::Second, 1),
            ]
        );
    }

    #[test]
    fn nothing_to_catch_ends_the_hunt() {
        let mut explorer = Auto::new(Settings::default(), 1, 10, 1);
        let first = explorer.next(None, &[]).unwrap();
        let second = explorer.next(Some(&over(first, 0)), &[]).unwrap();
        assert_eq!(explorer.next(Some(&over(second, 0)), &[]).map(|plan| plan.scheduler), None);
    }
}
