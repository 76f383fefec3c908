//! What is made of a race: is it new, known, suppressed or benign, what does it look like, during which test was it seen.
//!
//! [`Judge`] decides, in this order: a suppression of the user's, an annotation in the program, a built-in suppression, the
//! baseline. The first that speaks of a race settles it, so a race that was suppressed is never called fixed or new. What a run
//! has found in its baseline stays known when its report is read again without one; rules are asked anew.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::code::{Code, code_of};
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
    /// What code it is in, if the sources tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
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

/// What makes a race one that the baseline has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaselineBy {
    /// The baseline has a race on the variable: which two of its accesses race is another matter in each run.
    #[default]
    Variable,
    /// The baseline has a race of the same two methods on it.
    Pair,
}

/// The races that are known.
#[derive(Debug)]
struct Baseline {
    by: BaselineBy,
    races: BTreeMap<String, Known>,
}

#[derive(Debug)]
struct Known {
    /// As it is shown.
    variable: String,
    key: Option<String>,
}

impl Baseline {
    /// What says that a race is known, if something does.
    fn knows(&self, race: &LiveRace) -> Option<&'static str> {
        if self.races.contains_key(&race.id) {
            return Some("the baseline has it");
        }
        let key = race.variable.key().filter(|_| self.by == BaselineBy::Variable)?;
        let has_variable = self.races.values().any(|known| known.key.as_ref() == Some(&key));
        has_variable.then_some("the baseline has another race on this variable")
    }
}

/// Decides what is made of races.
#[derive(Debug, Default)]
pub struct Judge {
    suppressions: Suppressions,
    baseline: Option<Baseline>,
    /// The ids and the keys of the variables of all races seen.
    seen: BTreeSet<String>,
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
    pub fn compare_with(&mut self, baseline: &Report, by: BaselineBy) {
        let open = baseline.races.iter().filter(|race| race.verdict.status >= Status::Known);
        let known = |race: &LiveRace| Known { variable: race.variable.to_string(), key: race.variable.key() };
        self.baseline = Some(Baseline { by, races: open.map(|race| (race.id.clone(), known(race))).collect() });
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
        race.verdict.code = code_of(race, &self.sources).or(race.verdict.code);
        self.seen.extend([Some(race.id.clone()), race.variable.key()].into_iter().flatten());
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
            Some(baseline) => match baseline.knows(race) {
                Some(why) => (Status::Known, Some(why.to_owned())),
                None => (Status::New, None),
            },
            // A run that had a baseline has compared already.
            None if race.verdict.status == Status::Known => (Status::Known, race.verdict.because.clone()),
            None => (Status::New, None),
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
            let by_variable = baseline.by == BaselineBy::Variable;
            let is_seen = |id: &String, known: &Known| {
                let key = known.key.as_ref().filter(|_| by_variable);
                self.seen.contains(id) || key.is_some_and(|key| self.seen.contains(key))
            };
            let gone = baseline.races.iter().filter(|(id, known)| !is_seen(id, known));
            let gone = gone.filter(|(id, _)| !self.suppressions.names(id, self.today));
            let fixed = |(id, known): (&String, &Known)| Fixed { id: id.clone(), variable: known.variable.clone() };
            report.fixed = gone.map(fixed).collect();
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
    /// Of these, all but those that are in test code.
    Main,
    /// All but suppressed and benign ones.
    Any,
    /// None.
    None,
}

impl FailOn {
    /// Does a race of which this was made make the command fail?
    #[must_use]
    pub fn fails(self, verdict: &Verdict) -> bool {
        match self {
            FailOn::New => verdict.status == Status::New,
            FailOn::Main => verdict.status == Status::New && verdict.code != Some(Code::Test),
            FailOn::Any => verdict.status >= Status::Known,
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
        judge.compare_with(&baseline, BaselineBy::Pair);
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
        judge.compare_with(&baseline, BaselineBy::Pair);
        let (mut known, mut new) = (race("R-00000001"), race("R-00000009"));
        judge.judge(&mut known);
        judge.judge(&mut new);
        let fails = |race: &LiveRace| [FailOn::New, FailOn::Any, FailOn::None].map(|on| on.fails(&race.verdict));
        assert_eq!((fails(&known), fails(&new)), ([false, true, false], [true, true, false]));
    }

    #[test]
    fn another_pair_on_a_known_variable_is_known_unless_pairs_are_asked_for() {
        let mut baseline = Report::default();
        baseline.push(race("R-00000001"));
        let statuses = [BaselineBy::Variable, BaselineBy::Pair].map(|by| {
            let mut judge = judge("");
            judge.compare_with(&baseline, by);
            let (mut other, mut report) = (race("R-00000009"), Report::default());
            judge.judge(&mut other);
            judge.close(&mut report);
            (other.verdict.status, report.fixed.len())
        });
        assert_eq!(statuses, [(Status::Known, 0), (Status::New, 1)]);
    }

    #[test]
    fn an_object_without_a_field_is_no_variable_that_others_are() {
        let of_map = |id: &str, field: Option<&str>| {
            let mut race = race(id);
            race.variable.kind = VariableKind::Object;
            race.variable.class = "java.util.HashMap".to_owned();
            race.variable.held_by = field.map(str::to_owned);
            race
        };
        let mut baseline = Report::default();
        baseline.push(of_map("R-00000001", None));
        baseline.push(of_map("R-00000002", Some("a.Main.prices")));
        let mut judge = judge("");
        judge.compare_with(&baseline, BaselineBy::Variable);
        let mut status = |field| {
            let mut race = of_map("R-00000009", field);
            judge.judge(&mut race);
            race.verdict.status
        };
        assert_eq!(status(None), Status::New);
        assert_eq!(status(Some("a.Main.others")), Status::New);
        assert_eq!(status(Some("a.Main.prices")), Status::Known);
    }

    #[test]
    fn races_in_test_code_fail_unless_only_main_code_counts() {
        let mut race = race("R-00000001");
        let fails = |race: &LiveRace| [FailOn::New, FailOn::Main].map(|on| on.fails(&race.verdict));
        assert_eq!(fails(&race), [true, true], "what is not known counts");
        race.verdict.code = Some(Code::Test);
        assert_eq!(fails(&race), [true, false]);
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
        other.compare_with(&Report::default(), BaselineBy::Pair);
        other.judge_all(&mut report);
        assert_eq!(report.races[0].verdict.status, Status::New, "another baseline decides");
    }

    #[test]
    fn a_race_that_a_rule_names_is_not_fixed_when_it_stays_away() {
        let mut baseline = Report::default();
        baseline.push(race("R-00000001"));
        let mut judge = judge("id:R-00000001");
        judge.compare_with(&baseline, BaselineBy::Pair);
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
        assert!(!FailOn::Any.fails(&race.verdict));
    }

    #[test]
    fn the_method_that_the_framework_called_is_the_test() {
        let mut race = race("R-00000001");
        race.later.thread.created_at = of_test();
        judge("").judge(&mut race);
        assert_eq!(race.verdict.test.as_deref(), Some("a.CounterTest.counts"));
    }
}
