//! The lockset detectors and TREE on the kernels and on real programs: tables 2 and 3 of the hybrid paper, and what TREE saves.
//!
//! Each program runs plain, in Simple mode, in Detailed mode on the fields that Simple mode found, then with a part of it left
//! out (NoHB, NoOversized, NoOpts), in Detailed mode on all fields; and with and without TREE. The names of the variables
//! found are kept too: which of them are true is for docs/evaluation/hybrid.md to say. A kernel has no race.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bars::Bars;
use crate::bench::{Extent, machine};
use crate::kernels::{self, Choice, Job, LONGEST, Stage};
use crate::real;
use crate::repo;
use crate::setup::Jdk;
use crate::usage::{self, End, Usage};

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
    /// The variables found, or why they are not known.
    found: Result<Vec<String>, String>,
    decided: u64,
    locations: u64,
    tree_events: u64,
    tree_skipped: u64,
    tree_bytes: u64,
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
    let wrong: Vec<String> = results.iter().filter_map(|result| result.found.as_ref().err().cloned()).collect();
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
    let failed = if ran.end == End::TimedOut {
        Some("took too long".to_owned())
    } else if !matches!(ran.code(), Some(0 | 66)) {
        Some(format!("ended with {:?}", ran.end))
    } else if plain.stdout != ran.stdout {
        Some("printed something else".to_owned())
    } else {
        None
    };
    let report = if failed.is_some() { Value::Null } else { read(&out)? };
    let found = match failed {
        Some(why) => Err(format!("{} {mode} {why}\n{}", job.name, ran.stderr)),
        None => Ok(variables(report["races"].as_array().map_or(&[], Vec::as_slice))),
    };
    let jvm = &report["jvms"][0];
    let tree = |count: &str| jvm["tree"][count].as_u64().unwrap_or(0);
    Ok(Evaluation {
        program: job.name.clone(),
        mode,
        native: plain.usage,
        watched: ran.usage,
        load: usage::load(),
        found,
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
    let fields = result.found.as_ref().map_or_else(|_| "-".to_owned(), |found| found.len().to_string());
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

/// The geometric mean of the ratios in one mode.
fn mean(results: &[Evaluation], mode: &str) -> f64 {
    let logarithms: Vec<f64> =
        results.iter().filter(|result| result.mode == mode).map(|one| one.ratio().ln()).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp()
}

fn csv(results: &[Evaluation], jdk: u32, size: u32) -> Result<String> {
    let commit = repo::output("git", ["describe", "--always", "--dirty"])?.trim().to_owned();
    let (machine, profile) = (machine(), repo::profile());
    let mut csv = String::new();
    for result in results {
        let names = result.found.as_ref().map_or_else(|_| "failed".to_owned(), |found| found.join(" "));
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
            result.found.as_ref().map_or(0, Vec::len)
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
        row.get(RATIO)?.parse().ok()
    };
    let group = |program: &str| shown.iter().map(|(mode, _)| of(program, mode)).collect();
    Bars {
        title: "Lockset detection: how many times the CPU time of the plain run".to_owned(),
        kinds: shown.iter().map(|(mode, _)| (*mode).to_owned()).collect(),
        groups: programs.into_iter().map(|program| (program.to_owned(), group(program))).collect(),
        marks: vec![(SIMPLE_TARGET, "simple wanted".to_owned()), (SELECTED_TARGET, "selected wanted".to_owned())],
    }
}
