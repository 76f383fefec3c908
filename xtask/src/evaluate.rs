//! The lockset detectors and TREE on the kernels and on real programs: tables 2 and 3 of the hybrid paper, and what TREE saves.
//!
//! Each program runs plain, in Simple mode, in Detailed mode on the fields that Simple mode found, then with a part of it left
//! out (NoHB, NoOversized, NoOpts), in Detailed mode on all fields; and with and without TREE. The names of the variables
//! found are kept too: which of them are true is for docs/evaluation/hybrid.md to say. A kernel has no race. A run that takes
//! too long is cut off, which is a result too: without its optimizations the detector decides each access.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bars::Bars;
use crate::bench::{Extent, machine};
use crate::kernels::{self, Choice, Job, Stage};
use crate::real;
use crate::repo;
use crate::setup::Jdk;
use crate::usage::{self, End, Usage};

/// A run that takes longer is cut off: at 3 % of the kernels' size a plain run takes half a second.
const LONGEST: Duration = Duration::from_secs(120);

/// The ratios of CPU time that are wanted in the mean.
const SIMPLE_TARGET: f64 = 3.0;
const SELECTED_TARGET: f64 = 2.5;

/// A way to run a program, and the options for it; FIELDS stands for the file of race-prone fields.
const MODES: [(&str, &[&str]); 10] = [
    ("simple", &["--detector", "eraser", "--save-fields", "FIELDS"]),
    ("selected", &["--detector", "hybrid", "--fields", "FIELDS"]),
    ("all", &["--detector", "hybrid", "--all-fields"]),
    ("no-hb", &["--detector", "hybrid", "--fields", "FIELDS", "--without", "hb"]),
    ("no-oversized", &["--detector", "hybrid", "--fields", "FIELDS", "--without", "oversized"]),
    ("no-opts", &["--detector", "hybrid", "--fields", "FIELDS", "--without", "opts"]),
    ("simple+tree", &["--detector", "eraser", "--filter", "tree"]),
    ("all+tree", &["--detector", "hybrid", "--all-fields", "--filter", "tree"]),
    ("fasttrack", &[]),
    ("fasttrack+tree", &["--filter", "tree"]),
];

/// Programs of bench/real that take a few seconds.
const REAL: [&str; 6] = ["xalan", "xerces", "h2", "log4j-1", "dbcp-1", "guava"];

/// The modes whose ratios are shown in the chart.
const SHOWN: usize = 3;

/// One program in one mode.
struct Evaluation {
    program: String,
    mode: &'static str,
    native: Usage,
    watched: Usage,
    load: f64,
    outcome: Outcome,
    decided: u64,
    locations: u64,
    tree_events: u64,
    tree_skipped: u64,
    tree_bytes: u64,
}

/// What came of a run.
enum Outcome {
    /// The variables found.
    Found(Vec<String>),
    /// It was cut off.
    CutOff,
    /// It went wrong, and how.
    Wrong(String),
}

impl Outcome {
    /// The variables found, if it came to its end.
    fn found(&self) -> Option<&[String]> {
        match self {
            Outcome::Found(names) => Some(names),
            Outcome::CutOff | Outcome::Wrong(_) => None,
        }
    }
}

impl Evaluation {
    fn ratio(&self) -> f64 {
        self.watched.cpu_seconds / self.native.cpu_seconds.max(0.01)
    }
}

pub(crate) fn run(extent: Extent, choice: &Choice) -> Result<()> {
    let size = choice.size.unwrap_or(if extent == Extent::Quick { 5 } else { 100 });
    let stage = Stage::build(choice)?;
    let jdk = stage.jdks.first().context("no JDK")?;
    let mut jobs = Vec::new();
    if choice.only.is_empty() {
        jobs = kernels::real_jobs(if extent == Extent::Quick { &REAL[..1] } else { &REAL })?;
    }
    jobs.extend(stage.kernels.iter().map(|kernel| stage.kernel(kernel, choice.threads, size)));
    let mut results: Vec<Evaluation> = Vec::new();
    eprintln!(
        "{:<18} {:<14} {:>8} {:>8} {:>6} {:>6} {:>12} {:>8}",
        "program", "mode", "CPU s", "watched", "ratio", "fields", "decided", "skipped"
    );
    for job in &jobs {
        let plain = usage::run(Command::new(jdk.home.join("bin/java")).args(&job.arguments), LONGEST)?;
        if plain.end == End::TimedOut {
            bail!("{} alone takes longer than {} s: give a smaller --size", job.name, LONGEST.as_secs());
        }
        for (mode, options) in MODES {
            let result = measure(&stage, jdk, (mode, options), &plain, job)?;
            eprint!("{}", row(&result));
            results.push(result);
        }
        if extent == Extent::Kept {
            keep(&results, jdk.version, size)?;
        }
    }
    for (mode, _) in MODES {
        eprintln!("geometric mean of {mode}: {:.2}", mean(&results, mode));
    }
    let wrong = results.iter().filter_map(|result| match &result.outcome {
        Outcome::Wrong(how) => Some(how.as_str()),
        Outcome::Found(_) | Outcome::CutOff => None,
    });
    let wrong: Vec<&str> = wrong.collect();
    if !wrong.is_empty() {
        bail!("{} runs went wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
    Ok(())
}

/// Replaces the results of these programs, after each of them, since all together take long; others stay.
fn keep(results: &[Evaluation], jdk: u32, size: u32) -> Result<()> {
    let folder = repo::root().join("bench/results");
    let (table, chart) = (folder.join("locksets.csv"), folder.join("locksets.svg"));
    let kept = fs::read_to_string(&table).unwrap_or_default();
    let is_new = |line: &&str| results.iter().any(|result| line.split(',').nth(PROGRAM) == Some(&result.program));
    let mut text = HEAD.to_owned();
    kept.lines().skip(1).filter(|line| !is_new(line)).for_each(|line| text += &format!("{line}\n"));
    text += &csv(results, jdk, size)?;
    fs::write(chart, bars(&text).svg())?;
    Ok(fs::write(table, text)?)
}

/// The columns of the table, and where in it some of them are.
const HEAD: &str = "commit,profile,machine,load,jdk,size_percent,program,mode,native_cpu_seconds,watched_cpu_seconds,\
                    cpu_ratio,native_peak_megabytes,watched_peak_megabytes,decided,locations,tree_events,tree_skipped,\
                    tree_bytes,fields,names\n";
const PROGRAM: usize = 6;
const MODE: usize = 7;
const RATIO: usize = 10;
const NAMES: usize = 19;

/// In the place of names, of a run that did not come to its end.
const CUT_OFF: &str = "cut off";
const FAILED: &str = "failed";

fn measure(
    stage: &Stage,
    jdk: &Jdk,
    (mode, options): (&'static str, &[&str]),
    plain: &usage::Ran,
    job: &Job,
) -> Result<Evaluation> {
    let file = |name: &str| stage.classes.join(format!("{name}-{}", std::process::id()));
    let (out, fields) = (file("report"), file("fields"));
    let mut autodrome = Command::new(&stage.autodrome);
    autodrome.arg("run").arg("--out").arg(&out);
    for &option in options {
        if option == "FIELDS" {
            autodrome.arg(&fields)
        } else {
            autodrome.arg(option)
        };
    }
    autodrome.arg("--").arg(jdk.home.join("bin/java")).args(&job.arguments);
    let ran = usage::run(&mut autodrome, LONGEST)?;
    let wrong = |how: &str| Outcome::Wrong(format!("{} {mode} {how}\n{}", job.name, ran.stderr));
    let (outcome, report) = if ran.end == End::TimedOut {
        (Outcome::CutOff, Value::Null)
    } else if !matches!(ran.code(), Some(0 | 66)) {
        (wrong(&format!("ended with {:?}", ran.end)), Value::Null)
    } else if plain.stdout != ran.stdout {
        (wrong("printed something else"), Value::Null)
    } else {
        let report = read(&out)?;
        (Outcome::Found(variables(report["races"].as_array().map_or(&[], Vec::as_slice))), report)
    };
    let jvm = &report["jvms"][0];
    let tree = |count: &str| jvm["tree"][count].as_u64().unwrap_or(0);
    Ok(Evaluation {
        program: job.name.clone(),
        mode,
        native: plain.usage,
        watched: ran.usage,
        load: usage::load(),
        outcome,
        decided: jvm["accesses"]["slow"].as_u64().unwrap_or(0),
        locations: jvm["locksets"]["locations"].as_u64().unwrap_or(0),
        tree_events: tree("events"),
        tree_skipped: tree("skipped"),
        tree_bytes: tree("bytes"),
    })
}

fn read(path: &Path) -> Result<Value> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}

/// The different variables that raced.
fn variables(races: &[Value]) -> Vec<String> {
    let mut names: Vec<String> = races.iter().map(real::variable).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn row(result: &Evaluation) -> String {
    let fields = result.outcome.found().map_or_else(|| "-".to_owned(), |found| found.len().to_string());
    format!(
        "{:<18} {:<14} {:>8.2} {:>8.2} {:>6.1} {:>6} {:>12} {:>7.1}%\n",
        result.program,
        result.mode,
        result.native.cpu_seconds,
        result.watched.cpu_seconds,
        result.ratio(),
        fields,
        result.decided,
        100.0 * result.tree_skipped as f64 / result.tree_events.max(1) as f64
    )
}

/// The geometric mean of the ratios in one mode, of the runs that came to their end.
fn mean(results: &[Evaluation], mode: &str) -> f64 {
    let counts = |result: &&Evaluation| result.mode == mode && result.outcome.found().is_some();
    let logarithms: Vec<f64> = results.iter().filter(counts).map(|one| one.ratio().ln()).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp()
}

fn csv(results: &[Evaluation], jdk: u32, size: u32) -> Result<String> {
    let commit = repo::output("git", ["describe", "--always", "--dirty"])?.trim().to_owned();
    let (machine, profile) = (machine(), repo::profile());
    let mut csv = String::new();
    for result in results {
        let names = match &result.outcome {
            Outcome::Found(names) => names.join(" "),
            Outcome::CutOff => CUT_OFF.to_owned(),
            Outcome::Wrong(_) => FAILED.to_owned(),
        };
        let _ = writeln!(
            csv,
            "{commit},{profile},{machine},{:.1},{jdk},{size},{},{},{:.2},{:.2},{:.2},{},{},{},{},{},{},{},{},{names}",
            result.load,
            result.program,
            result.mode,
            result.native.cpu_seconds,
            result.watched.cpu_seconds,
            result.ratio(),
            result.native.peak_kilobytes / 1024,
            result.watched.peak_kilobytes / 1024,
            result.decided,
            result.locations,
            result.tree_events,
            result.tree_skipped,
            result.tree_bytes,
            result.outcome.found().map_or(0, <[String]>::len)
        );
    }
    Ok(csv)
}

fn bars(table: &str) -> Bars {
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let mut programs: Vec<&str> = rows.iter().filter_map(|row| row.get(PROGRAM).copied()).collect();
    programs.dedup();
    let shown = &MODES[..SHOWN];
    let of = |program: &str, mode: &str| {
        let row = rows.iter().find(|row| row.get(PROGRAM) == Some(&program) && row.get(MODE) == Some(&mode))?;
        if matches!(row.get(NAMES), Some(&(CUT_OFF | FAILED))) { None } else { row.get(RATIO)?.parse().ok() }
    };
    let group = |program: &str| shown.iter().map(|(mode, _)| of(program, mode)).collect();
    Bars {
        title: "Lockset detection: how many times the CPU time of the plain run".to_owned(),
        kinds: shown.iter().map(|(mode, _)| (*mode).to_owned()).collect(),
        groups: programs.into_iter().map(|program| (program.to_owned(), group(program))).collect(),
        marks: vec![(SIMPLE_TARGET, "simple wanted".to_owned()), (SELECTED_TARGET, "selected wanted".to_owned())],
    }
}
