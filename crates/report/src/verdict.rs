//! What is made of a race: is it new, known, suppressed or benign, what does it look like, during which test was it seen.
//!
//! [`Judge`] decides, in this order: a suppression of the user's, an annotation in the program, a built-in suppression, the
//! baseline. The first that speaks of a race settles it, so a race that was suppressed is never called fixed or new. What a run
//! has found in its baseline stays known when its report is read again without one; rules are asked anew.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::date::Date;
use crate::explain::{self, Explanation};
use crate::race::{LiveRace, Side, StackFrame};
use crate::report::{Fixed, Report};
use crate::source::Sources;
use crate::stack;
use crate::suppress::{Origin, Suppressions};

/// What was made of a race.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether anyone has to look at it.
    #[serde(default)]
    pub status: Status,
    /// What made it known, suppressed or benign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The test that was running, if a stack shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// What it looks like, if the evidence supports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// Whether anyone has to look at a race. The order is that of weight: of two runs, the graver one counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The program says that it is meant to be so.
    Benign,
    /// A suppression matches it.
    Suppressed,
    /// The baseline has it.
    Known,
    /// Nobody has seen it before.
    #[default]
    New,
}

impl Status {
    /// All of them, the gravest first.
    pub(crate) const BY_WEIGHT: [Status; 4] = [Status::New, Status::Known, Status::Suppressed, Status::Benign];

    /// The status's name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Status::Benign => "benign",
            Status::Suppressed => "suppressed",
            Status::Known => "known",
            Status::New => "new",
        }
    }

    /// Is it the usual one, which reports need not name?
    #[must_use]
    pub fn is_new(&self) -> bool {
        *self == Status::New
    }
}

/// ` (1 new, 2 known)`, or nothing if all are new.
pub(crate) fn by_status(statuses: impl Iterator<Item = Status> + Clone) -> String {
    if statuses.clone().all(|status| status.is_new()) {
        return String::new();
    }
    let of = |status| statuses.clone().filter(|&one| one == status).count();
    let parts = Status::BY_WEIGHT.into_iter().filter(|&status| status.is_new() || of(status) > 0);
    let parts: Vec<String> = parts.map(|status| format!("{} {}", of(status), status.name())).collect();
    format!(" ({})", parts.join(", "))
}

/// Annotations, by simple name, that say that a race on the field is meant to be.
const BENIGN: [&str; 2] = ["LazyInit", "BenignRace"];

/// Decides what is made of races.
#[derive(Debug, Default)]
pub struct Judge {
    suppressions: Suppressions,
    baseline: Option<BTreeMap<String, String>>,
    seen: BTreeMap<String, ()>,
    sources: Sources,
    today: Date,
}

impl Judge {
    /// A judge with suppressions, who finds source lines in `sources`.
    #[must_use]
    pub fn new(suppressions: Suppressions, sources: Sources, today: Date) -> Self {
        Judge { suppressions, sources, today, ..Judge::default() }
    }

    /// From now on, races of this report are known, and those that do not come again are fixed.
    pub fn compare_with(&mut self, baseline: &Report) {
        let open = baseline.races.iter().filter(|race| race.verdict.status >= Status::Known);
        self.baseline = Some(open.map(|race| (race.id.clone(), race.variable.to_string())).collect());
    }

    /// The suppressions, and how often each was used.
    #[must_use]
    pub fn suppressions(&self) -> &Suppressions {
        &self.suppressions
    }

    /// Where source lines are found.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Settles one race.
    pub fn judge(&mut self, race: &mut LiveRace) {
        let (status, because) = self.status(race);
        race.verdict.status = status;
        race.verdict.because = because;
        race.verdict.explanation = explain::explain(race, &self.sources).or_else(|| race.verdict.explanation.take());
        if race.verdict.test.is_none() {
            race.verdict.test = test_of(race);
        }
        self.seen.insert(race.id.clone(), ());
    }

    fn status(&mut self, race: &LiveRace) -> (Status, Option<String>) {
        if let Some(rule) = self.suppressions.match_race(race, Origin::User, self.today) {
            return (Status::Suppressed, Some(rule));
        }
        let mut annotations = race.variable.annotations.iter();
        if let Some(benign) = annotations.find(|annotation| BENIGN.contains(&annotation.name.as_str())) {
            return (Status::Benign, Some(benign.to_string()));
        }
        if let Some(rule) = self.suppressions.match_race(race, Origin::BuiltIn, self.today) {
            return (Status::Suppressed, Some(rule));
        }
        match &self.baseline {
            Some(baseline) if baseline.contains_key(&race.id) => {
                (Status::Known, Some("the baseline has it".to_owned()))
            }
            // A run that had a baseline has compared already.
            None if race.verdict.status == Status::Known => (Status::Known, race.verdict.because.clone()),
            _ => (Status::New, None),
        }
    }

    /// Settles all races of a report, and closes it.
    pub fn judge_all(&mut self, report: &mut Report) {
        report.races.iter_mut().for_each(|race| self.judge(race));
        self.close(report);
    }

    /// Adds to the report what only the end shows: races that did not come again, suppressions of no use.
    pub fn close(&self, report: &mut Report) {
        if let Some(baseline) = &self.baseline {
            let is_gone = |id: &str| !self.seen.contains_key(id) && !self.suppressions.names(id, self.today);
            let gone = baseline.iter().filter(|(id, _)| is_gone(id));
            report.fixed = gone.map(|(id, variable)| Fixed { id: id.clone(), variable: variable.clone() }).collect();
        }
        for complaint in self.suppressions.complaints(self.today) {
            // The run may have said so already.
            if !report.notes.contains(&complaint) {
                report.notes.push(complaint);
            }
        }
        report.count();
    }
}

/// Which races make a command fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailOn {
    /// Those that no baseline has.
    #[default]
    New,
    /// All but suppressed and benign ones.
    Any,
    /// None.
    None,
}

impl FailOn {
    /// Does a race of this status make the command fail?
    #[must_use]
    pub fn fails(self, status: Status) -> bool {
        match self {
            FailOn::New => status == Status::New,
            FailOn::Any => status >= Status::Known,
            FailOn::None => false,
        }
    }
}

/// The test that was running: the method that a test framework called on a thread of the race, or on the thread that
/// started one. A pool that an earlier test made says the name of that test.
fn test_of(race: &LiveRace) -> Option<String> {
    let sides: [&Side; 2] = [&race.later, &race.earlier];
    let accesses = sides.iter().map(|side| &side.stack);
    let starts = sides.iter().map(|side| &side.thread.created_at);
    accesses.chain(starts).find_map(|stack| test_in(stack))
}

fn test_in(stack: &[StackFrame]) -> Option<String> {
    stack.get(stack::test(stack)?).map(|test| format!("{}.{}", test.class, test.method))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::samples::race;
    use crate::race::{Annotation, VariableKind};
    use crate::stack::samples::of_test;

    fn judge(text: &str) -> Judge {
        let mut suppressions = Suppressions::default();
        suppressions.add("s", text).unwrap();
        Judge::new(suppressions, Sources::default(), Date { year: 2026, month: 11, day: 16 })
    }

    #[test]
    fn the_first_that_speaks_of_a_race_settles_it() {
        let mut baseline = Report::default();
        baseline.push(race("R-00000001"));
        baseline.push(race("R-00000002"));
        let mut judge = judge("field:a.Main.n");
        judge.compare_with(&baseline);
        let mut one = race("R-00000001");
        judge.judge(&mut one);
        assert_eq!(one.verdict.status, Status::Suppressed);
        assert_eq!(one.verdict.because.as_deref(), Some("s:1: field:a.Main.n"));
        let mut report = Report::default();
        judge.close(&mut report);
        assert_eq!(report.fixed.iter().map(|fixed| &*fixed.id).collect::<Vec<_>>(), ["R-00000002"]);
    }

    #[test]
    fn known_races_fail_only_if_asked() {
        let mut baseline = Report::default();
        baseline.push(race("R-00000001"));
        let mut judge = judge("");
        judge.compare_with(&baseline);
        let (mut known, mut new) = (race("R-00000001"), race("R-00000009"));
        judge.judge(&mut known);
        judge.judge(&mut new);
        let fails = |race: &LiveRace| [FailOn::New, FailOn::Any, FailOn::None].map(|on| on.fails(race.verdict.status));
        assert_eq!((fails(&known), fails(&new)), ([false, true, false], [true, true, false]));
    }

    #[test]
    fn what_a_run_knew_stays_known_and_its_notes_are_said_once() {
        let mut known = race("R-00000001");
        (known.verdict.status, known.verdict.because) = (Status::Known, Some("the baseline has it".to_owned()));
        let mut report = Report::default();
        report.push(known);
        for _ in 0..2 {
            judge("thread:nobody").judge_all(&mut report);
        }
        assert_eq!(report.races[0].verdict.status, Status::Known);
        assert_eq!(report.notes, ["s:1: thread:nobody matched no race"]);
        let mut other = judge("");
        other.compare_with(&Report::default());
        other.judge_all(&mut report);
        assert_eq!(report.races[0].verdict.status, Status::New, "another baseline decides");
    }

    #[test]
    fn a_race_that_a_rule_names_is_not_fixed_when_it_stays_away() {
        let mut baseline = Report::default();
        baseline.push(race("R-00000001"));
        let mut judge = judge("id:R-00000001");
        judge.compare_with(&baseline);
        let mut report = Report::default();
        judge.close(&mut report);
        assert_eq!(report.fixed, []);
    }

    #[test]
    fn an_annotation_makes_a_race_benign() {
        let mut race = race("R-00000001");
        race.variable.kind = VariableKind::Field;
        race.variable.annotations = vec![Annotation { name: "LazyInit".to_owned(), value: None }];
        judge("").judge(&mut race);
        assert_eq!(race.verdict.status, Status::Benign);
        assert!(!FailOn::Any.fails(race.verdict.status));
    }

    #[test]
    fn the_method_that_the_framework_called_is_the_test() {
        let mut race = race("R-00000001");
        race.later.thread.created_at = of_test();
        judge("").judge(&mut race);
        assert_eq!(race.verdict.test.as_deref(), Some("a.CounterTest.counts"));
    }
}
