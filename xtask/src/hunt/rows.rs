//! The runs that were measured, as a table in a file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::bench::machine;
use crate::repo;

/// One run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) commit: String,
    pub(super) machine: String,
    pub(super) load: f64,
    pub(super) jdk: u32,
    pub(super) program: String,
    /// `native`, `ft`, `ct`, `dr-1` (DrFinder's phase I), `dr`, `dr-depth` (table 4), `ft-more`, `ct-more` (figure 8).
    pub(super) technique: String,
    pub(super) depth: u64,
    pub(super) run: u64,
    pub(super) seconds: f64,
    pub(super) threads: u64,
    pub(super) classes: u64,
    pub(super) holds: u64,
    pub(super) delays: u64,
    pub(super) thrashings: u64,
    pub(super) timeouts: u64,
    pub(super) deadlocks: u64,
    pub(super) failed: bool,
    /// The ids of its races.
    pub(super) races: BTreeSet<String>,
    /// The variables that raced.
    pub(super) variables: BTreeSet<String>,
}

const HEAD: &str = "commit,machine,load,jdk,program,technique,depth,run,seconds,threads,classes,holds,delays,thrashings,\
                    timeouts,deadlocks,failed,races,variables";

impl Row {
    fn line(&self) -> String {
        let joined = |names: &BTreeSet<String>| names.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        format!(
            "{},{},{:.1},{},{},{},{},{},{:.3},{},{},{},{},{},{},{},{},{},{}",
            self.commit,
            self.machine,
            self.load,
            self.jdk,
            self.program,
            self.technique,
            self.depth,
            self.run,
            self.seconds,
            self.threads,
            self.classes,
            self.holds,
            self.delays,
            self.thrashings,
            self.timeouts,
            self.deadlocks,
            u8::from(self.failed),
            joined(&self.races),
            joined(&self.variables)
        )
    }

    fn of_line(line: &str) -> Option<Row> {
        let cells: Vec<&str> = line.split(',').collect();
        let [commit, machine, load, jdk, program, technique, depth, run, seconds, rest @ ..] = &cells[..] else {
            return None;
        };
        let [threads, classes, holds, delays, thrashings, timeouts, deadlocks, failed, races, variables] = rest else {
            return None;
        };
        let names = |cell: &str| cell.split_whitespace().map(str::to_owned).collect();
        Some(Row {
            commit: (*commit).to_owned(),
            machine: (*machine).to_owned(),
            load: load.parse().ok()?,
            jdk: jdk.parse().ok()?,
            program: (*program).to_owned(),
            technique: (*technique).to_owned(),
            depth: depth.parse().ok()?,
            run: run.parse().ok()?,
            seconds: seconds.parse().ok()?,
            threads: threads.parse().ok()?,
            classes: classes.parse().ok()?,
            holds: holds.parse().ok()?,
            delays: delays.parse().ok()?,
            thrashings: thrashings.parse().ok()?,
            timeouts: timeouts.parse().ok()?,
            deadlocks: deadlocks.parse().ok()?,
            failed: *failed == "1",
            races: names(races),
            variables: names(variables),
        })
    }
}

/// All runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows(Vec<Row>);

impl Rows {
    /// What a file has; nothing if there is none.
    pub(super) fn read(file: &Path) -> Result<Rows> {
        if !file.exists() {
            return Ok(Rows::default());
        }
        Rows::parse(&fs::read_to_string(file)?).with_context(|| file.display().to_string())
    }

    pub(super) fn parse(text: &str) -> Result<Rows> {
        let row = |line: &str| Row::of_line(line).with_context(|| format!("this is no row: {line}"));
        Ok(Rows(text.lines().skip(1).map(row).collect::<Result<_>>()?))
    }

    pub(super) fn csv(&self) -> String {
        let mut csv = format!("{HEAD}\n");
        for row in &self.0 {
            let _ = writeln!(csv, "{}", row.line());
        }
        csv
    }

    /// New rows of a program, in place of all that it had.
    pub(super) fn replace(&mut self, program: &str, rows: Vec<Row>) {
        self.0.retain(|row| row.program != program);
        self.add(rows);
    }

    /// More rows, stamped with what they were measured on.
    pub(super) fn add(&mut self, rows: Vec<Row>) {
        let commit = repo::output("git", ["describe", "--always", "--dirty"]).unwrap_or_default().trim().to_owned();
        let machine = machine().replace(',', " ");
        let stamped = rows.into_iter().map(|row| Row { commit: commit.clone(), machine: machine.clone(), ..row });
        self.0.extend(stamped);
    }

    /// The programs, in the order of the rows.
    pub(super) fn programs(&self) -> Vec<&str> {
        let mut programs = Vec::new();
        for row in &self.0 {
            if !programs.contains(&row.program.as_str()) {
                programs.push(row.program.as_str());
            }
        }
        programs
    }

    /// The runs of a program by a technique, in their order.
    pub(super) fn of<'a>(&'a self, program: &'a str, technique: &'a str) -> impl Iterator<Item = &'a Row> + 'a {
        self.0.iter().filter(move |row| row.program == program && row.technique == technique)
    }

    /// The variables that the runs of a program by a technique have shown, all together.
    pub(super) fn variables<'a>(&'a self, program: &'a str, technique: &'a str) -> BTreeSet<&'a str> {
        self.of(program, technique).flat_map(|row| &row.variables).map(String::as_str).collect()
    }

    /// The same of races: pairs of accesses.
    pub(super) fn races<'a>(&'a self, program: &'a str, technique: &'a str) -> BTreeSet<&'a str> {
        self.of(program, technique).flat_map(|row| &row.races).map(String::as_str).collect()
    }

    /// The mean time of a program's runs by a technique.
    pub(super) fn seconds(&self, program: &str, technique: &str) -> f64 {
        mean(self.of(program, technique).map(|row| row.seconds))
    }
}

/// The mean of some numbers; 0 of none.
pub(super) fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let numbers: Vec<f64> = numbers.collect();
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let names = |text: &str| text.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
        let row = Row {
            program: "xalan".into(),
            technique: "dr".into(),
            seconds: 1.25,
            failed: true,
            races: names("R-1 R-2"),
            variables: names("a.B.c"),
            ..Row::default()
        };
        let rows = Rows(vec![row.clone(), Row { program: "h2".into(), technique: "ft".into(), ..Row::default() }]);
        let read = Rows::parse(&rows.csv()).unwrap();
        assert_eq!(read.0, rows.0);
        assert_eq!(read.programs(), ["xalan", "h2"]);
        assert_eq!(read.races("xalan", "dr").len(), 2);
        assert!(Rows::parse("head\na,b\n").is_err());
    }
}
