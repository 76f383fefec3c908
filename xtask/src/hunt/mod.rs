//! Hunting, measured as section 6 of the DrFinder paper does (Cai and Cao 2015): FastTrack alone (FT), ConTest (CT) and
//! DrFinder (DR) on real programs. Each run is a row of `bench/results/hunt.csv`; the tables and the figures come from the
//! rows, so programs can be measured one after the other, and again.

mod figures;
pub(crate) mod hidden;
mod rows;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bench::Extent;
use crate::kernels::Choice;
use crate::real::{self, Stage};
use crate::repo;
use crate::setup::Jdk;
use crate::usage;
use rows::{Row, Rows};

/// A program of bench/real, and how much of its work it does in one run.
struct Subject {
    name: &'static str,
    percent: u32,
}

const SUBJECTS: &[Subject] = &[
    Subject { name: "xalan", percent: 30 },
    Subject { name: "pmd", percent: 10 },
    Subject { name: "sunflow", percent: 10 },
    Subject { name: "lucene", percent: 10 },
    Subject { name: "ecj", percent: 100 },
    Subject { name: "h2", percent: 10 },
    Subject { name: "derby", percent: 10 },
    Subject { name: "tomcat", percent: 10 },
];

/// Runs by each technique, as in the paper; `--size 30` makes 3 of them.
const RUNS: u64 = 10;
/// Depths of table 4, beside that of the main experiment.
const DEPTHS: [u64; 3] = [2, 6, 20];
/// The depth of the main experiment.
const DEPTH: u64 = 12;
/// For figure 8, so many times more runs of FT and of CT, of the program with the most races that DR alone has found; the paper
/// makes ten times as many.
const MORE: u64 = 3;

/// A run that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(120);

pub(crate) fn run(extent: Extent, choice: &Choice) -> Result<()> {
    let runs = match extent {
        Extent::Quick => 1,
        Extent::Kept => (RUNS * u64::from(choice.size.unwrap_or(100)) / 100).max(1),
    };
    let bench = Bench { stage: Stage::build()?, file: repo::root().join("bench/results/hunt.csv"), extent, runs };
    let is_wanted = |subject: &&Subject| choice.only.is_empty() || choice.only.iter().any(|name| name == subject.name);
    let subjects: Vec<&Subject> = SUBJECTS.iter().filter(is_wanted).collect();
    let subjects = if extent == Extent::Quick { &subjects[..subjects.len().min(1)] } else { &subjects[..] };
    let mut rows = Rows::read(&bench.file)?;
    let mut built = Vec::new();
    for &subject in subjects {
        if bench.stage.program(subject.name).is_none() {
            eprintln!("xtask: {} was not built and is left out", subject.name);
            continue;
        }
        rows.replace(subject.name, bench.main_experiment(subject)?);
        bench.keep(&rows)?;
        built.push(subject);
    }
    // What takes longest comes last: whoever has no patience has the rest.
    for subject in built.iter().filter(|_| extent == Extent::Kept) {
        rows.add(bench.depths(subject)?);
        bench.keep(&rows)?;
    }
    if extent == Extent::Kept {
        if let Some(name) = figures::most_of_drfinder_alone(&rows) {
            let subject = SUBJECTS.iter().find(|subject| subject.name == name);
            if let Some(subject) = subject.filter(|subject| subjects.iter().any(|one| one.name == subject.name)) {
                let more = bench.further_runs(subject)?;
                rows.add(more);
                bench.keep(&rows)?;
            }
        }
    }
    eprint!("{}", tables::all(&rows));
    Ok(())
}

struct Bench {
    stage: Stage,
    file: PathBuf,
    extent: Extent,
    runs: u64,
}

/// What `autodrome hunt` is asked to do.
struct Hunting<'a> {
    technique: &'a str,
    options: &'a [&'a str],
    depth: u64,
    runs: u64,
    /// Its first run only collects.
    collects: bool,
}

impl Hunting<'_> {
    fn by_drfinder(technique: &'static str, depth: u64, runs: u64) -> Hunting<'static> {
        Hunting { technique, options: &["--scheduler", "drfinder"], depth, runs, collects: true }
    }
}

impl Bench {
    fn keep(&self, rows: &Rows) -> Result<()> {
        if self.extent == Extent::Kept {
            fs::write(&self.file, rows.csv())?;
            for (name, svg) in figures::all(rows) {
                fs::write(self.file.with_file_name(name), svg)?;
            }
        }
        Ok(())
    }

    /// Native runs, FT, CT and DR.
    fn main_experiment(&self, subject: &Subject) -> Result<Vec<Row>> {
        let runs = self.runs;
        let mut rows = Vec::new();
        for run in 1..=runs {
            rows.push(self.native(subject, run)?);
            rows.push(self.plainly_watched(subject, "ft", run)?);
        }
        rows.extend(self.hunt(
            subject,
            &Hunting { technique: "ct", options: &["--scheduler", "contest"], depth: DEPTH, runs, collects: false },
        )?);
        rows.extend(self.hunt(subject, &Hunting::by_drfinder("dr", DEPTH, runs))?);
        Ok(rows)
    }

    /// For table 4.
    fn depths(&self, subject: &Subject) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for depth in DEPTHS {
            rows.extend(self.hunt(subject, &Hunting::by_drfinder("dr-depth", depth, self.runs))?);
        }
        Ok(rows)
    }

    /// For figure 8.
    fn further_runs(&self, subject: &Subject) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for run in 1..=self.runs * MORE {
            rows.push(self.plainly_watched(subject, "ft-more", run)?);
        }
        let hunting = Hunting {
            technique: "ct-more",
            options: &["--scheduler", "contest"],
            depth: DEPTH,
            runs: self.runs * MORE,
            collects: false,
        };
        rows.extend(self.hunt(subject, &hunting)?);
        Ok(rows)
    }

    fn jdk(&self) -> Result<&Jdk> {
        self.stage.newest()
    }

    /// The program's own command line.
    fn java(&self, subject: &Subject) -> Result<Vec<std::ffi::OsString>> {
        let program = self.stage.program(subject.name).with_context(|| format!("{} was not built", subject.name))?;
        let mut java = vec![self.jdk()?.home.join("bin/java").into_os_string()];
        java.push(format!("-Dcrew.percent={}", subject.percent).into());
        java.extend(self.stage.arguments(program)?);
        Ok(java)
    }

    fn row(&self, subject: &Subject, technique: &str, depth: u64, run: u64, seconds: f64) -> Result<Row> {
        Ok(Row {
            jdk: self.jdk()?.version,
            load: usage::load(),
            program: subject.name.to_owned(),
            technique: technique.to_owned(),
            depth,
            run,
            seconds,
            ..Row::default()
        })
    }

    fn native(&self, subject: &Subject, run: u64) -> Result<Row> {
        let java = self.java(subject)?;
        let ran = usage::run(Command::new(&java[0]).args(&java[1..]), LONGEST)?;
        if ran.code() != Some(0) {
            bail!("{} fails by itself: {:?}\n{}", subject.name, ran.end, ran.stderr);
        }
        self.row(subject, "native", 0, run, ran.usage.wall_seconds)
    }

    fn plainly_watched(&self, subject: &Subject, technique: &str, run: u64) -> Result<Row> {
        let out = self.stage.folder().join("hunt-run.json");
        let mut autodrome = Command::new(self.stage.autodrome());
        autodrome.arg("run").arg("--out").arg(&out).arg("--").args(self.java(subject)?);
        let ran = usage::run(&mut autodrome, LONGEST)?;
        if !matches!(ran.code(), Some(0 | 66)) {
            bail!("{} {technique} ended with {:?}\n{}", subject.name, ran.end, ran.stderr);
        }
        let report = read(&out)?;
        let mut row = self.row(subject, technique, 0, run, ran.usage.wall_seconds)?;
        (row.races, row.variables) = races(&report, None);
        row.threads = report["jvms"][0]["threads"].as_u64().unwrap_or(0);
        row.classes = report["jvms"][0]["classes_woven"].as_u64().unwrap_or(0);
        self.show(&row);
        Ok(row)
    }

    /// A hunt; a row for each of its runs.
    fn hunt(&self, subject: &Subject, hunting: &Hunting<'_>) -> Result<Vec<Row>> {
        let out = self.stage.folder().join("hunt.json");
        let made = (hunting.runs + u64::from(hunting.collects)).to_string();
        let depth = hunting.depth.to_string();
        let mut autodrome = Command::new(self.stage.autodrome());
        autodrome.arg("hunt").args(hunting.options).args(["--runs", &made, "--until-dry", &made, "--depth", &depth]);
        autodrome.args(["--seed", "1", "--budget", "2h", "--out"]).arg(&out).arg("--").args(self.java(subject)?);
        let most = LONGEST * u32::try_from(hunting.runs + 1).unwrap_or(1);
        let ran = usage::run(&mut autodrome, most)?;
        if !matches!(ran.code(), Some(0 | 66)) {
            bail!("{} {} ended with {:?}\n{}", subject.name, hunting.technique, ran.end, ran.stderr);
        }
        let hunt = read(&out)?;
        let mut rows = Vec::new();
        for run in hunt["runs"].as_array().context("no runs")? {
            let number = run["run"].as_u64().unwrap_or(0);
            let collects = hunting.collects && number == 1;
            let technique = match (collects, hunting.technique) {
                (true, "dr") => "dr-1",
                // The relation of each depth is collected anew; what that costs is known from the main experiment.
                (true, _) => continue,
                (false, technique) => technique,
            };
            let number = number - u64::from(hunting.collects && !collects);
            let mut row = self.row(
                subject,
                technique,
                hunting.depth,
                number,
                run["milliseconds"].as_f64().unwrap_or(0.0) / 1000.0,
            )?;
            let ids: BTreeSet<&str> = run["races"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            (row.races, row.variables) = races(&hunt["report"], Some(&ids));
            let count = |name: &str| run["counts"][name].as_u64().unwrap_or(0);
            (row.holds, row.delays) = (count("holds"), count("delays"));
            (row.thrashings, row.timeouts) = (count("thrashings"), count("timeouts"));
            row.deadlocks = run["deadlocks"].as_u64().unwrap_or(0);
            row.failed = run["exit_code"].as_i64() != Some(0);
            self.show(&row);
            rows.push(row);
        }
        Ok(rows)
    }

    fn show(&self, row: &Row) {
        eprintln!(
            "{:<8} {:<9} {:>2} run {:>2} {:>6.1} s {:>4} races of {:>3} variables, {:>5} holds, {:>3} thrashings, {:>3} timeouts{}",
            row.program,
            row.technique,
            row.depth,
            row.run,
            row.seconds,
            row.races.len(),
            row.variables.len(),
            row.holds,
            row.thrashings,
            row.timeouts,
            if row.failed { ", FAILED" } else { "" }
        );
    }
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(serde_json::from_slice(&text)?)
}

/// The races of a report that count, or those of them with these ids: their ids and their variables.
fn races(report: &Value, wanted: Option<&BTreeSet<&str>>) -> (BTreeSet<String>, BTreeSet<String>) {
    let all = report["races"].as_array().into_iter().flatten();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for race in all.filter(|race| race["status"] == "new") {
        let id = race["id"].as_str().unwrap_or_default();
        if wanted.is_none_or(|wanted| wanted.contains(id)) {
            found.insert(id.to_owned(), real::variable(race).replace([' ', ','], ""));
        }
    }
    (found.keys().cloned().collect(), found.into_values().collect())
}
