//! Speed of prediction: questions per second of the solver on windows that are hard to predict from, and whole traces of
//! the workload generator.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use testkit::Contended;

use crate::bench::{self, Extent};
use crate::repo;

/// A window of a length, every so many-th pair of it, and how many questions per second we want.
const WINDOWS: [(usize, usize, f64); 3] = [(1000, 8, 500.0), (5000, 25, 100.0), (10_000, 38, 40.0)];
/// Random programs of each length.
const SEEDS: u32 = 3;
/// The share of questions that may stay open.
const UNDECIDED: f64 = 0.01;

/// A trace of a length, windows of a length, and what we want: seconds, races.
const WHOLE: [(u64, usize, f64, u64); 3] =
    [(1_000_000, 1000, 60.0, 78), (1_000_000, 10_000, 600.0, 78), (100_000, 10_000, 600.0, 38)];
/// Kilobytes that no run may pass.
const MEMORY: u64 = 1024 * 1024;

struct Row {
    job: String,
    events: u64,
    queries: u64,
    undecided: u64,
    races: u64,
    seconds: f64,
    cpu_seconds: f64,
    peak_kilobytes: u64,
    missed: bool,
}

pub(crate) fn run(extent: Extent) -> Result<()> {
    let autodrome = repo::build_autodrome()?;
    let mut rows = Vec::new();
    for (length, step, wanted) in WINDOWS {
        rows.push(questions(&autodrome, length, step, wanted)?);
    }
    for (length, window, seconds, races) in WHOLE {
        if extent == Extent::Kept || length < 1_000_000 {
            rows.push(whole(&autodrome, length, window, seconds, races)?);
        }
    }
    eprint!("{}", table(&rows));
    if extent == Extent::Kept {
        keep(&rows)?;
    }
    Ok(())
}

fn questions(autodrome: &Path, length: usize, step: usize, wanted: f64) -> Result<Row> {
    let mut sum: Option<Row> = None;
    for seed in 1..=SEEDS {
        let trace = contended(length, seed)?;
        let job = format!("questions, window {length}");
        let row = predict(autodrome, &trace, &job, &["--window", "0", "--jobs", "1", "--every", &step.to_string()])?;
        match &mut sum {
            None => sum = Some(row),
            Some(sum) => {
                sum.events += row.events;
                sum.queries += row.queries;
                sum.undecided += row.undecided;
                sum.races += row.races;
                sum.seconds += row.seconds;
                sum.cpu_seconds += row.cpu_seconds;
                sum.peak_kilobytes = sum.peak_kilobytes.max(row.peak_kilobytes);
            }
        }
    }
    let mut row = sum.context("there is a seed")?;
    row.missed = rate(&row) < wanted || row.undecided as f64 > UNDECIDED * row.queries as f64;
    Ok(row)
}

fn whole(autodrome: &Path, length: u64, window: usize, seconds: f64, races: u64) -> Result<Row> {
    let (_, trace) = bench::traces(autodrome, length)?;
    let job = format!("whole trace, windows of {window}");
    let mut row = predict(autodrome, &trace, &job, &["--window", &window.to_string(), "--jobs", "2"])?;
    row.missed = row.seconds > seconds || row.races < races || row.peak_kilobytes > MEMORY || row.undecided > 0;
    Ok(row)
}

fn contended(length: usize, seed: u32) -> Result<PathBuf> {
    let folder = repo::root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("contended-{length}-{seed}.trace"));
    let mut out = BufWriter::new(File::create(&path)?);
    Contended { seed, ..Contended::of_length(length) }.write(&mut out)?;
    out.flush()?;
    Ok(path)
}

fn predict(autodrome: &Path, trace: &Path, job: &str, arguments: &[&str]) -> Result<Row> {
    let mut command = Command::new(autodrome);
    command.arg("predict").arg(trace).args(arguments).args(["--model", "mc", "--format", "json", "--exit-code", "0"]);
    let json = bench::json_of(command)?;
    let number = |field: &str| json[field].as_f64().with_context(|| format!("no {field} in the result of {job}"));
    Ok(Row {
        job: job.to_owned(),
        events: number("events")? as u64,
        queries: number("queries")? as u64,
        undecided: number("undecided")? as u64,
        races: json["races"].as_array().map_or(0, Vec::len) as u64,
        seconds: number("seconds")?,
        cpu_seconds: number("cpu_seconds")?,
        peak_kilobytes: number("peak_kilobytes")? as u64,
        missed: false,
    })
}

fn rate(row: &Row) -> f64 {
    row.queries as f64 / row.cpu_seconds.max(0.01)
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<30} {:>8} {:>7} {:>9} {:>6} {:>8} {:>8} {:>9} {:>7}\n",
        "job", "events", "queries", "undecided", "races", "seconds", "CPU s", "queries/s", "peak MB"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<30} {:>8} {:>7} {:>9} {:>6} {:>8.2} {:>8.2} {:>9.0} {:>7} {}",
            row.job,
            row.events,
            row.queries,
            row.undecided,
            row.races,
            row.seconds,
            row.cpu_seconds,
            rate(row),
            row.peak_kilobytes.div_ceil(1024),
            if row.missed { "MISSED" } else { "" }
        );
    }
    text
}

/// Replaces the results of this benchmark, with machine and commit in each row.
fn keep(rows: &[Row]) -> Result<()> {
    let commit = repo::output("git", ["describe", "--always", "--dirty"])?.trim().to_owned();
    let machine = bench::machine();
    let mut csv = "commit,machine,job,events,queries,undecided,races,seconds,cpu_seconds,peak_megabytes\n".to_owned();
    for row in rows {
        let _ = writeln!(
            csv,
            "{commit},{machine},{},{},{},{},{},{:.2},{:.2},{}",
            row.job.replace(',', ""),
            row.events,
            row.queries,
            row.undecided,
            row.races,
            row.seconds,
            row.cpu_seconds,
            row.peak_kilobytes.div_ceil(1024)
        );
    }
    fs::write(repo::root().join("bench/results/predict.csv"), csv)?;
    eprintln!("xtask: wrote bench/results/predict.csv");
    Ok(())
}
