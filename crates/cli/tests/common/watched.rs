//! Watched runs for tests.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use crate::host::{AUTODROME, agent, run, text};

/// How often more the environment asks for: 1 in an ordinary run.
pub(crate) fn factor() -> usize {
    testkit::factor() as usize
}

/// What a watched run left.
pub(crate) struct Watched {
    pub(crate) output: Output,
    pub(crate) report: Value,
}

impl Watched {
    pub(crate) fn races(&self) -> &[Value] {
        self.report["races"].as_array().map_or(&[], Vec::as_slice)
    }

    pub(crate) fn stderr(&self) -> String {
        text(&self.output.stderr)
    }
}

/// The command that watches another.
pub(crate) fn autodrome(options: &[&str], command: &Command) -> Command {
    agent();
    let mut autodrome = Command::new(AUTODROME);
    autodrome.arg("run").args(options).arg("--").arg(command.get_program()).args(command.get_args());
    autodrome
}

/// `autodrome run` with options on a command; the report is there also if the program failed.
pub(crate) fn watch(options: &[&str], command: &Command) -> Watched {
    let place = tempfile::tempdir().unwrap();
    let json = place.path().join("report.json");
    let with_report = [&["--out", json.to_str().unwrap()], options].concat();
    let output = run(&mut autodrome(&with_report, command));
    let report = fs::read_to_string(&json).unwrap_or_else(|_| panic!("no report:\n{}", text(&output.stderr)));
    Watched { report: serde_json::from_str(&report).unwrap(), output }
}
