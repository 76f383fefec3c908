//! A hunt as JSON: `autodrome.hunt/1`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use report::{HuntedRun, Report, plain};
use schedule::{Counts, Coverage, DeadlockRecord, First, Order, Outcome, Plan, Poised};
use serde::Serialize;
use serde_json::Value;

use super::candidates;
use super::harm::Harm;
use super::table::counted;

const SCHEMA: &str = "autodrome.hunt/1";

/// One run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RunRecord {
    /// Its number, from 1.
    pub(super) run: u64,
    /// The run that it makes once more, because a deadlock ended that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) restarts: Option<u64>,
    pub(super) scheduler: String,
    pub(super) seed: u64,
    /// The races that it showed, by id.
    pub(super) races: Vec<String>,
    /// How many of them no run before had shown.
    pub(super) new: u64,
    pub(super) counts: Counts,
    pub(super) deadlocks: u64,
    /// The races that it caught, by id.
    pub(super) caught: Vec<String>,
    /// Which access of a caught race went first.
    pub(super) first: First,
    pub(super) exit_code: i32,
    /// Was it ended by a signal to this command?
    pub(super) interrupted: bool,
    /// The first line by which the program said that it failed.
    pub(super) failure: Option<String>,
    #[serde(skip)]
    pub(super) output: Vec<String>,
    pub(super) milliseconds: u64,
}

impl RunRecord {
    /// As the report shows it.
    fn shown(&self, coverage: &Coverage) -> HuntedRun {
        HuntedRun {
            run: self.run,
            scheduler: self.scheduler.clone(),
            races: self.races.len() as u64,
            new: self.new,
            holds: self.counts.holds + self.counts.delays,
            thrashings: self.counts.thrashings,
            deadlocks: self.deadlocks,
            milliseconds: self.milliseconds,
            pairs: coverage.pairs,
            reversed: coverage.reversed,
        }
    }
}

/// A deadlock and the run that showed it first.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Deadlock {
    pub(super) run: u64,
    #[serde(flatten)]
    pub(super) what: DeadlockRecord,
}

impl Deadlock {
    pub(super) fn of(what: &DeadlockRecord, run: u64) -> Deadlock {
        Deadlock { run, what: what.clone() }
    }

    /// Where its threads stand, which is the same in every run.
    fn places(&self) -> BTreeSet<(&str, &str)> {
        self.what.circle.iter().map(|stop| (stop.at.as_str(), stop.taken_at.as_str())).collect()
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "autodrome: DEADLOCK in run {}: {} wait for each other",
            self.run,
            counted(self.what.circle.len() as u64, "thread")
        )];
        for stop in &self.what.circle {
            lines.push(format!(
                "autodrome:   thread {} waits for {} at {}, which was taken at {}",
                stop.thread,
                plain(&stop.lock),
                plain(&stop.at),
                plain(&stop.taken_at)
            ));
            lines.extend(stop.stack.iter().map(|frame| format!("autodrome:     at {}", plain(frame))));
        }
        lines
    }
}

/// A race as it was caught first, and the run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Caught {
    race: String,
    run: u64,
    first: Poised,
    second: Poised,
}

impl Caught {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("autodrome: [{}] caught in run {}:", self.race, self.run)];
        for (which, side) in [("goes first", &self.first), ("goes second", &self.second)] {
            let locks: Vec<String> =
                side.locks.iter().map(|held| format!("{} (taken at {})", held.lock, held.taken_at)).collect();
            let locks = if locks.is_empty() { "no lock".to_owned() } else { locks.join(", ") };
            lines.push(format!(
                "autodrome:   thread {} {which}; it stands before: {}; it holds {locks}",
                side.thread, side.access
            ));
            lines.extend(side.stack.iter().map(|frame| format!("autodrome:     at {frame}")));
        }
        lines
    }
}

/// How often a candidate was tried.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Known {
    pub(super) runs: u64,
    pub(super) caught: u64,
}

/// The runs that showed a race.
#[derive(Clone, Debug, Serialize)]
struct Shown {
    id: String,
    first: u64,
    runs: Vec<u64>,
}

/// A hunt.
#[derive(Clone, Debug, Serialize)]
pub(super) struct HuntRecord {
    schema: &'static str,
    scheduler: String,
    seed: u64,
    hold_ms: u64,
    depth: u64,
    /// Why it ended.
    pub(super) ended_by: String,
    pub(super) runs: Vec<RunRecord>,
    races: Vec<Shown>,
    pub(super) deadlocks: Vec<Deadlock>,
    /// By race, how often it was tried to catch it.
    pub(super) tried: BTreeMap<String, Known>,
    /// The races that were caught, each as it was caught first.
    caught: Vec<Caught>,
    harm: Vec<Harm>,
    /// In how many pairs of critical sections both orders were seen.
    coverage: Coverage,
    /// The same after each run.
    coverage_by_run: Vec<Coverage>,
    #[serde(skip)]
    orders: BTreeSet<Order>,
}

impl HuntRecord {
    pub(super) fn new(scheduler: String, seed: u64, hold: Duration, depth: u64) -> HuntRecord {
        HuntRecord {
            schema: SCHEMA,
            scheduler,
            seed,
            hold_ms: u64::try_from(hold.as_millis()).unwrap_or(u64::MAX),
            depth,
            ended_by: "done".to_owned(),
            runs: Vec::new(),
            races: Vec::new(),
            deadlocks: Vec::new(),
            tried: BTreeMap::new(),
            caught: Vec::new(),
            harm: Vec::new(),
            coverage: Coverage::default(),
            coverage_by_run: Vec::new(),
            orders: BTreeSet::new(),
        }
    }

    /// Takes in a run.
    pub(super) fn add(&mut self, run: RunRecord, deadlocks: Vec<Deadlock>, outcome: &Outcome) {
        self.runs.push(run);
        for deadlock in deadlocks {
            if self.deadlocks.iter().all(|known| known.places() != deadlock.places()) {
                self.deadlocks.push(deadlock);
            }
        }
        self.orders.extend(outcome.orders.iter().cloned());
        self.coverage = Coverage::of(&self.orders);
        self.coverage_by_run.push(self.coverage);
    }

    /// Takes in how races were caught in a run.
    pub(super) fn take_catches(&mut self, run: u64, plan: &Plan, outcome: &Outcome, report: &Report) {
        for catch in &outcome.catches {
            let Some(candidate) = plan.candidates.get(catch.candidate) else { continue };
            let race = candidates::name_in(report, candidate);
            if self.caught.iter().all(|known| known.race != race) {
                let (first, second) = (catch.first.clone(), catch.second.clone());
                self.caught.push(Caught { race, run, first, second });
            }
        }
    }

    /// No more runs come.
    pub(super) fn close(&mut self, report: &mut Report) {
        report.hunted =
            self.runs.iter().zip(&self.coverage_by_run).map(|(run, coverage)| run.shown(coverage)).collect();
        let shown = |id: &str| {
            let runs: Vec<u64> =
                self.runs.iter().filter(|run| run.races.iter().any(|race| race == id)).map(|run| run.run).collect();
            Shown { id: id.to_owned(), first: runs.first().copied().unwrap_or(0), runs }
        };
        self.races = report.races.iter().map(|race| shown(&race.id)).collect();
        self.harm = report.races.iter().filter_map(|race| Harm::of(&race.id, &self.runs)).collect();
    }

    /// Did a run fail that no plain one did, or end in a deadlock?
    pub(super) fn has_failures(&self) -> bool {
        !self.deadlocks.is_empty() || self.failed().next().is_some()
    }

    fn failed(&self) -> impl Iterator<Item = &RunRecord> {
        let fails_anyway = self.runs.iter().any(|run| run.scheduler == "none" && is_failure(run));
        self.runs.iter().filter(move |run| !fails_anyway && run.deadlocks == 0 && is_failure(run))
    }

    /// What a reader of the report must know.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.failed().map(failure).collect();
        notes.extend(self.deadlocks.iter().map(|deadlock| {
            let places: Vec<&str> = deadlock.what.circle.iter().map(|stop| stop.at.as_str()).collect();
            format!("run {} ended in a deadlock: {}", deadlock.run, places.join(", "))
        }));
        notes.extend(self.harm.iter().map(Harm::line));
        let tried = self.tried.iter().filter(|(_, known)| known.caught == 0);
        notes.extend(tried.map(|(race, known)| format!("[{race}] not caught in {}", counted(known.runs, "run"))));
        notes.push(format!("the report joins {}; {}", counted(self.runs.len() as u64, "run"), self.coverage_line()));
        if self.runs.iter().any(|run| run.counts.timeouts > 0) {
            notes.push(
                "threads were held back: timeouts of the program itself may have passed because of that".to_owned(),
            );
        }
        notes
    }

    fn coverage_line(&self) -> String {
        let after = |coverage: &Coverage| format!("{}/{}", coverage.reversed, coverage.pairs);
        let by_run: Vec<String> = self.coverage_by_run.iter().map(after).collect();
        format!(
            "lock orders: of {} of critical sections both orders were seen in {}; run by run: {}",
            counted(self.coverage.pairs, "pair"),
            self.coverage.reversed,
            by_run.join(" ")
        )
    }

    /// What stands below the table.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let shown = self.races.iter().map(|race| {
            let runs: Vec<String> = race.runs.iter().map(u64::to_string).collect();
            format!("autodrome: [{}] in run{} {}", race.id, if runs.len() == 1 { "" } else { "s" }, runs.join(", "))
        });
        lines.extend(shown);
        lines.extend(self.caught.iter().flat_map(Caught::lines));
        lines.extend(self.deadlocks.iter().flat_map(Deadlock::lines));
        lines
    }

    /// The hunt and the report as JSON text.
    pub(super) fn to_json(&self, report: &Report) -> anyhow::Result<String> {
        let mut value = serde_json::to_value(self)?;
        if let Value::Object(members) = &mut value {
            members.insert("report".to_owned(), serde_json::from_str(&report.to_json()?)?);
        }
        Ok(report::plain_lines(&serde_json::to_string_pretty(&value)?).to_string())
    }
}

fn is_failure(run: &RunRecord) -> bool {
    !run.interrupted && (run.exit_code != 0 || run.failure.is_some())
}

fn failure(run: &RunRecord) -> String {
    match &run.failure {
        Some(line) => format!("run {} ({}) failed: {line}", run.run, run.scheduler),
        None => format!("run {} ({}) ended with {}", run.run, run.scheduler, run.exit_code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_deadlock_start_no_line() {
        let name = "A\u{1b}c\n::error::x".to_owned();
        let stop = schedule::Stop {
            thread: schedule::ThreadPath::root(0),
            lock: name.clone(),
            at: name.clone(),
            taken_at: name.clone(),
            stack: vec![name],
        };
        let deadlock = Deadlock::of(&DeadlockRecord { circle: vec![stop] }, 1);
        for line in deadlock.lines() {
            assert!(!line.contains(['\n', '\u{1b}']), "{line:?}");
        }
    }
}
