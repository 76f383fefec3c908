//! Names that were chosen to do harm, through every form of a report: nothing in them reaches a terminal's control sequences,
//! starts a line, or reads as a command of a CI server or as a line of ours.

use std::collections::BTreeMap;

use model::{Grade, is_unsafe_to_show};
use proptest::prelude::*;

use super::Format;
use crate::analysis::{Analysis, AnalysisRace, Comparison, Guard};
use crate::explain::{Explanation, Pattern};
use crate::grade::Execution;
use crate::interleaving::{Run, Step};
use crate::jvm::Jvm;
use crate::offline::{TraceAccess, TraceRace};
use crate::prediction::{ModelComparison, PredictedRace, Prediction, UndecidedLocations};
use crate::race::{Annotation, LiveRace, Lock, Operation, Side, StackFrame, VariableKind, samples};
use crate::report::{Fixed, Report};
use crate::source::Sources;
use crate::suppress::Suppressions;
use crate::verdict::{Status, Verdict};
use crate::{Offline, read};

const PIECES: [&str; 30] = [
    "\u{1b}[2J\u{1b}]0;x\u{7}",
    "\n",
    "\r",
    "\r\n",
    "\u{2028}",
    "\u{85}",
    "\u{9b}31m",
    "\u{0}",
    "\t",
    " ",
    "::error::x",
    "::add-mask::a",
    "::stop-commands::t",
    "##[error]x",
    "##vso[task.complete]",
    "##teamcity[x]",
    "#",
    "\u{202e}",
    "\u{2066}",
    "\u{feff}",
    "SUMMARY: autodrome: 0 races",
    "WARNING: DATA RACE",
    "==================",
    "|`*_[x](y)",
    "</script><b>",
    "\"\\",
    "%0A%25",
    "name",
    "été",
    "😀",
];

/// A line that such a piece starts is none of ours.
const FORGED: [&str; 3] = ["::add-mask", "::stop-commands", "##"];

fn names() -> impl Strategy<Value = Vec<String>> {
    let name = prop_oneof![
        prop::collection::vec(prop::sample::select(PIECES.to_vec()), 1..5).prop_map(|pieces| pieces.concat()),
        prop::collection::vec(any::<char>(), 1..6).prop_map(|letters| letters.into_iter().collect()),
    ];
    prop::collection::vec(name, 24)
}

/// Hands out one name after another.
struct Names<'a> {
    names: &'a [String],
    next: usize,
}

impl Names<'_> {
    fn next(&mut self) -> String {
        self.next += 1;
        self.names[self.next % self.names.len()].clone()
    }

    fn frame(&mut self, class: bool) -> StackFrame {
        let class = if class { self.next() } else { String::new() };
        StackFrame { class, method: self.next(), file: Some(self.next()), line: Some(3) }
    }

    fn side(&mut self, side: &mut Side, class: bool) {
        side.thread.name = self.next();
        side.thread.created_at = vec![self.frame(class)];
        side.stack = vec![self.frame(class), self.frame(true)];
        side.locks = vec![Lock { class: self.next(), taken_at: self.next() }];
    }

    fn race(&mut self, kind: VariableKind, status: Status) -> LiveRace {
        let mut race = samples::race(&self.next());
        race.grade = Grade::Replayed;
        race.execution = Some(Execution { schedule: Some(self.next()), input: Some(self.next()), shown: 1, runs: 1 });
        race.variable.kind = kind;
        race.variable.class = self.next();
        race.variable.field = self.next();
        race.variable.held_by = Some(self.next());
        race.variable.descriptor = format!("L{};", self.next());
        race.variable.annotations = vec![Annotation { name: self.next(), value: Some(self.next()) }];
        self.side(&mut race.earlier, kind != VariableKind::Named);
        self.side(&mut race.later, kind != VariableKind::Named);
        let step = Step { event: 0, thread: self.next(), does: self.next(), at: self.next() };
        race.run = Some(Run { before: 0, steps: vec![step.clone()], next: vec![step] });
        race.verdict = Verdict {
            status,
            because: Some(self.next()),
            test: Some(self.next()),
            explanation: Some(Explanation { pattern: Pattern::SharedObject, text: self.next(), hint: self.next() }),
            code: None,
        };
        race
    }

    fn report(&mut self) -> Report {
        let mut report = Report::default();
        let reasons = |names: &mut Self| BTreeMap::from([(names.next(), 1)]);
        report.jvms.push(Jvm {
            jdk: self.next(),
            classes_skipped: reasons(self),
            methods_skipped: reasons(self),
            fault: Some(self.next()),
            ..Jvm::default()
        });
        let kinds =
            [VariableKind::Field, VariableKind::Static, VariableKind::Array, VariableKind::Object, VariableKind::Named];
        for (number, kind) in kinds.into_iter().enumerate() {
            let status = if kind == VariableKind::Array { Status::Known } else { Status::New };
            let mut race = self.race(kind, status);
            race.id += &number.to_string();
            // Races on one variable are shown together: these are on five, whatever their names.
            race.variable.class += &number.to_string();
            race.variable.field += &number.to_string();
            report.races.push(race);
        }
        report.fixed = vec![Fixed { id: self.next(), variable: self.next() }];
        report.notes = vec![self.next()];
        report
    }

    fn access(&mut self) -> TraceAccess {
        let (thread, title, location) = (self.next(), Some(self.next()), self.next());
        TraceAccess { thread, title, op: Operation::Read, location, event: 1 }
    }

    fn trace_race(&mut self, grade: Grade) -> TraceRace {
        let id = "R-00000001".to_owned();
        let (variable, earlier, later) = (self.next(), self.access(), self.access());
        TraceRace { id, status: Status::New, variable, grade, earlier, later }
    }

    fn analysis(&mut self) -> Analysis {
        let mut analysis = Analysis::new("fasttrack");
        analysis.header.notes = vec![self.next()];
        analysis.racy_variables = vec![self.next()];
        analysis.races = vec![AnalysisRace {
            race: self.trace_race(Grade::Unordered),
            count: 2,
            guard: Some(Guard { lock: self.next(), held: 1, accesses: 2 }),
            witness: Some(BTreeMap::from([(self.next(), 1)])),
        }];
        analysis
    }

    fn prediction(&mut self) -> Prediction {
        let mut prediction = Prediction::new("mc");
        prediction.header.notes = vec![self.next()];
        let locations = [self.next(), self.next()];
        prediction.undecided_locations = vec![UndecidedLocations { locations, count: 1, example: None, pair: None }];
        prediction.races = vec![PredictedRace {
            race: self.trace_race(Grade::Predicted),
            after: None,
            witness: None,
            assumes: None,
            run: None,
            part: None,
        }];
        prediction
    }
}

/// All forms of what these names are in, each with what it is called.
fn forms(names: &[String]) -> Vec<(String, String)> {
    let mut names = Names { names, next: 0 };
    let (report, analysis, prediction) = (names.report(), names.analysis(), names.prediction());
    let models = ModelComparison::new(None, Vec::new(), vec![names.next()]);
    let mut forms: Vec<(String, String)> = Format::ALL
        .map(|format| (format.name().to_owned(), format.render(&report, &Sources::default()).unwrap()))
        .into();
    forms.extend([
        ("analysis".to_owned(), analysis.to_string()),
        ("analysis json".to_owned(), analysis.to_json().unwrap()),
        ("prediction".to_owned(), prediction.to_string()),
        ("prediction json".to_owned(), prediction.to_json().unwrap()),
        ("models".to_owned(), models.to_string()),
        ("comparison".to_owned(), Comparison::new(vec![analysis]).to_string()),
    ]);
    forms
}

proptest! {
    #![proptest_config(testkit::config(150))]

    #[test]
    fn names_can_do_no_harm_in_any_form(names in names()) {
        let harmless = forms(&vec!["name".to_owned(); names.len()]);
        for ((form, text), (_, expected)) in forms(&names).into_iter().zip(harmless) {
            let wrong = text.chars().find(|&letter| is_unsafe_to_show(letter) && !matches!(letter, '\n' | '\t'));
            prop_assert_eq!(wrong, None, "{}:\n{}", form, text);
            prop_assert!(!text.contains("##[") && !text.contains("##vso"), "{}:\n{}", form, text);
            // A source that cannot be a path has no location in SARIF.
            if form != "html" && form != "sarif" {
                prop_assert_eq!(text.lines().count(), expected.lines().count(), "{}:\n{}", form, text);
            }
            for line in text.lines().map(str::trim_start) {
                let own = if form == "markdown" { line.strip_prefix("###").unwrap_or(line) } else { line };
                let commands = form != "github" && own.starts_with("::");
                prop_assert!(!commands && !FORGED.iter().any(|forged| own.starts_with(forged)), "{}: {}", form, line);
            }
            let summaries = |text: &str| text.lines().filter(|line| line.starts_with("SUMMARY: ")).count();
            prop_assert_eq!(summaries(&text), summaries(&expected), "{}:\n{}", form, text);
            if form == "github" {
                let ours = |line: &str| line.starts_with("::error ") || line.starts_with("::notice ");
                prop_assert!(text.lines().all(ours), "{}", text);
            }
        }
    }

    /// What is escaped in JSON is the same text to whoever reads it.
    #[test]
    fn json_keeps_every_name(names in names()) {
        let mut report = Names { names: &names, next: 0 }.report();
        report.count();
        prop_assert_eq!(read(&report.to_json().unwrap()), Ok(report));
    }

    #[test]
    fn rules_from_files_are_shown_plainly(name in "field:[^\\s=]{1,9} reason=[^\\n]{0,9}") {
        let mut rules = Suppressions::default();
        if rules.add("f\u{1b}", &name).is_ok() {
            let listed = rules.list().concat();
            prop_assert!(!listed.chars().any(is_unsafe_to_show), "{listed:?}");
        }
    }
}
