//! The stage: programs become classes, a JVM runs many of them watched, and the report is compared with the oracle.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::host::{run, text};
use crate::machine::Executed;
use crate::program::{Expected, Program};
use crate::watched::{Watched, watch};

/// Programs compiled together.
pub(crate) struct Troupe {
    folder: TempDir,
    /// The programs that warm a JVM up.
    tours: usize,
    programs: Vec<(Program, Expected)>,
}

/// A program about which the detector was wrong, or that did not come to its end.
#[derive(Clone)]
pub(crate) struct Failure {
    pub(crate) program: Program,
    pub(crate) what: Wrong,
}

#[derive(Clone)]
pub(crate) enum Wrong {
    FalseAlarm(String),
    Miss(String),
    Broken(String),
}

impl Failure {
    /// Whose failure it is, and what.
    pub(crate) fn title(&self) -> String {
        let origin = &self.program.origin;
        match &self.what {
            Wrong::FalseAlarm(variable) => format!("{origin}: false alarm on {variable}"),
            Wrong::Miss(variable) => format!("{origin}: race on {variable} missed"),
            Wrong::Broken(out) => format!("{origin}: did not end well: {out}"),
        }
    }
}

/// All that is needed to see what is wrong: the steps, as `regressions.txt` has them, and the source.
impl fmt::Display for Failure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}\n{}\n{}", self.title(), self.program, self.program.execute("P").java)
    }
}

impl Troupe {
    /// Compiles programs with the first JDK, for all.
    pub(crate) fn compile(programs: Vec<Program>, jdk: &Path) -> Troupe {
        let folder = tempfile::tempdir().unwrap();
        let mut sources: Vec<PathBuf> = SCRIPT.iter().map(|name| script(name)).collect();
        for (number, tour) in Program::tours().iter().enumerate() {
            sources.push(write(folder.path(), &tour_class(number), &tour.execute(&tour_class(number))));
        }
        let tours = sources.len() - SCRIPT.len();
        let mut judged = Vec::new();
        for (number, program) in programs.into_iter().enumerate() {
            let executed = program.execute(&class(number));
            sources.push(write(folder.path(), &class(number), &executed));
            let expected = Expected::of(&executed);
            judged.push((program, expected));
        }
        let mut javac = Command::new(jdk.join("bin/javac"));
        javac.args(["--release", "17", "-g", "-nowarn", "-proc:none", "-d"]).arg(folder.path().join("classes"));
        let output = run(javac.args(sources));
        assert!(output.status.success(), "{}", text(&output.stderr));
        Troupe { folder, tours, programs: judged }
    }

    pub(crate) fn programs(&self) -> &[(Program, Expected)] {
        &self.programs
    }

    /// Runs some of the programs in one JVM, watched.
    pub(crate) fn perform(&self, jdk: &Path, numbers: &[usize]) -> Vec<Failure> {
        let watched = watch(&["--exclude", "script"], &self.java(jdk, numbers));
        if let Some(failure) = self.broken(&watched, numbers) {
            return vec![failure];
        }
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for race in watched.races() {
            let (class, variable) = raced(race);
            found.entry(class).or_default().insert(variable);
        }
        numbers
            .iter()
            .flat_map(|&number| self.judge(number, found.remove(&class(number)).unwrap_or_default()))
            .collect()
    }

    fn java(&self, jdk: &Path, numbers: &[usize]) -> Command {
        let mut java = Command::new(jdk.join("bin/java"));
        // A JVM that crashes leaves its files with ours.
        for (option, file) in [("ErrorFile", "hs_err.log"), ("ReplayDataFile", "replay.log")] {
            java.arg(format!("-XX:{option}={}", self.folder.path().join(file).display()));
        }
        java.arg("-cp").arg(self.folder.path().join("classes")).arg("script.Driver");
        java.args((0..self.tours).map(tour_class)).args(numbers.iter().map(|&number| class(number)));
        java
    }

    /// The program at which the JVM stopped.
    fn broken(&self, watched: &Watched, numbers: &[usize]) -> Option<Failure> {
        let out = text(&watched.output.stdout);
        if out.trim_end().ends_with(&format!("{} programs", self.tours + numbers.len())) {
            return None;
        }
        let at = out.lines().find_map(|line| line.strip_prefix("failed: P")?.parse::<usize>().ok());
        let program = at.unwrap_or(numbers[0]);
        let complaints = watched.stderr();
        let last: Vec<&str> = complaints.lines().rev().take(20).collect();
        let last = last.into_iter().rev().collect::<Vec<_>>().join("\n");
        let what = Wrong::Broken(format!("{}\n{out}\n{last}", watched.output.status));
        Some(Failure { program: self.programs[program].0.clone(), what })
    }

    fn judge(&self, number: usize, found: BTreeSet<String>) -> Vec<Failure> {
        let (program, expected) = &self.programs[number];
        let misses = expected.racy.difference(&found).filter(|_| !program.has_unseen()).cloned().map(Wrong::Miss);
        let possible = |variable: &&String| expected.racy.contains(*variable) || expected.either.contains(*variable);
        let false_alarms = found.iter().filter(|variable| !possible(variable)).cloned().map(Wrong::FalseAlarm);
        misses.chain(false_alarms).map(|what| Failure { program: program.clone(), what }).collect()
    }
}

/// The classes that programs share.
const SCRIPT: [&str; 4] = ["Turn", "Program", "Task", "Driver"];

fn write(folder: &Path, class: &str, executed: &Executed) -> PathBuf {
    let source = folder.join(class.to_owned() + ".java");
    fs::write(&source, &executed.java).unwrap();
    source
}

fn tour_class(number: usize) -> String {
    format!("Tour{number}")
}

fn class(number: usize) -> String {
    format!("P{number}")
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/random/script").join(name.to_owned() + ".java")
}

/// The program and the variable of a race: every access is in a method with the variable's name.
fn raced(race: &Value) -> (String, String) {
    let places: BTreeSet<(String, String)> =
        ["earlier", "later"].iter().filter_map(|side| place(&race[side])).collect();
    let mut places = places.into_iter();
    let (Some(place), None) = (places.next(), places.next()) else { panic!("not one variable: {race:#}") };
    let variable = &race["variable"];
    // Of an array the field is the one that it is in.
    let field = variable["field"].as_str().filter(|_| variable["kind"] != "array").unwrap_or_default();
    assert!(field.is_empty() || field == place.1, "another field than the access's: {race:#}");
    place
}

fn place(side: &Value) -> Option<(String, String)> {
    side["stack"].as_array()?.iter().find_map(|frame| {
        let class = frame["class"].as_str()?.split('$').next()?.to_owned();
        let (_, variable) = frame["method"].as_str()?.rsplit_once('_')?;
        class.starts_with(['P', 'T']).then(|| (class, variable.to_owned()))
    })
}
