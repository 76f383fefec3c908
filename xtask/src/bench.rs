//! Speed and memory of the offline detectors: `autodrome analyze` on traces of the workload generator, at three
//! lengths, so that the growth shows. Runs are interleaved and the best CPU time of each counts: the machine may be
//! shared.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use testkit::Workload;

use crate::plot::{Plot, Series};
use crate::repo;

/// How much to measure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Short traces, once; nothing is kept. Shows that the benchmark works.
    Quick,
    /// Everything, and the results go to bench/results.
    Kept,
}

/// One way of analysing a trace.
struct Job {
    name: &'static str,
    arguments: &'static [&'static str],
    /// The longest trace that it is asked to do.
    longest: u64,
    /// Million events per second that we want of it.
    target: Option<f64>,
}

const MILLION: u64 = 1_000_000;

const JOBS: &[Job] = &[
    Job { name: "fasttrack", arguments: &["--detector", "fasttrack"], longest: 10 * MILLION, target: Some(20.0) },
    Job {
        name: "tree+fasttrack",
        arguments: &["--detector", "fasttrack", "--filter", "tree"],
        longest: 10 * MILLION,
        target: None,
    },
    Job { name: "djit", arguments: &["--detector", "djit"], longest: 10 * MILLION, target: None },
    Job { name: "shb", arguments: &["--detector", "shb"], longest: 10 * MILLION, target: None },
    Job { name: "wcp", arguments: &["--detector", "wcp"], longest: 10 * MILLION, target: Some(2.0) },
    // A minute for a million events.
    Job { name: "syncp", arguments: &["--detector", "syncp"], longest: 10 * MILLION, target: Some(1.0 / 60.0) },
    Job { name: "eraser", arguments: &["--detector", "eraser"], longest: 10 * MILLION, target: None },
    Job { name: "hybrid", arguments: &["--detector", "hybrid"], longest: 10 * MILLION, target: None },
    Job {
        name: "tree+hybrid",
        arguments: &["--detector", "hybrid", "--filter", "tree"],
        longest: 10 * MILLION,
        target: Some(8.0),
    },
    Job { name: "nohb", arguments: &["--detector", "nohb"], longest: 10 * MILLION, target: None },
    Job { name: "clock", arguments: &["--detector", "clock"], longest: 10 * MILLION, target: None },
];

/// Reading text is measured by `autodrome info`, which does nothing else.
const STD_IMPORT: &str = "std import";
const STD_TARGET: f64 = 5.0;
/// Kilobytes that no job may pass.
const MEMORY_TARGET: u64 = 1024 * 1024;

#[derive(Clone, Debug)]
struct Measurement {
    name: &'static str,
    events: u64,
    cpu_seconds: f64,
    peak_kilobytes: u64,
    racy_variables: Option<usize>,
    target: Option<f64>,
}

impl Measurement {
    fn rate(&self) -> f64 {
        self.events as f64 / self.cpu_seconds.max(1e-6) / 1e6
    }

    /// Whether a target is missed; targets are for the longest trace, a short run is mostly first sights.
    fn verdict(&self) -> &'static str {
        let slow = self.events > 5 * MILLION && self.target.is_some_and(|target| self.rate() < target);
        if slow || self.peak_kilobytes > MEMORY_TARGET { "MISSED" } else { "" }
    }
}

pub(crate) fn run(extent: Extent) -> Result<()> {
    let autodrome = repo::build_autodrome()?;
    let (lengths, repetitions): (&[u64], usize) = match extent {
        Extent::Quick => (&[MILLION / 100, MILLION / 10], 1),
        Extent::Kept => (&[MILLION / 10, MILLION, 10 * MILLION], 3),
    };
    let mut results = Vec::new();
    for &length in lengths {
        results.extend(measure(&autodrome, length, repetitions)?);
    }
    eprint!("{}", table(&results));
    if extent == Extent::Kept {
        keep(&results)?;
    }
    Ok(())
}

fn measure(autodrome: &Path, length: u64, repetitions: usize) -> Result<Vec<Measurement>> {
    let (text, binary) = traces(autodrome, length)?;
    let mut best: Vec<Measurement> = Vec::new();
    for round in 1..=repetitions {
        eprintln!("xtask: {length} events, round {round} of {repetitions}");
        let jobs = JOBS.iter().filter(|job| job.longest >= length);
        let analysed = jobs.map(|job| analyse(autodrome, job, &binary));
        for measured in std::iter::once(import(autodrome, &text)).chain(analysed) {
            let measured = measured?;
            match best.iter_mut().find(|earlier| earlier.name == measured.name) {
                Some(earlier) if earlier.cpu_seconds <= measured.cpu_seconds => {}
                Some(earlier) => *earlier = measured,
                None => best.push(measured),
            }
        }
    }
    Ok(best)
}

/// The trace of a length, as text and binary, made once.
pub(crate) fn traces(autodrome: &Path, length: u64) -> Result<(PathBuf, PathBuf)> {
    let folder = repo::root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let text = folder.join(format!("{length}.std"));
    let binary = folder.join(format!("{length}.adt"));
    if !text.exists() {
        let unfinished = text.with_extension("part");
        let mut out = BufWriter::new(File::create(&unfinished)?);
        Workload::of_length(length).write(&mut out)?;
        out.flush()?;
        fs::rename(unfinished, &text)?;
    }
    let status = Command::new(autodrome).arg("convert").args([&text, &binary]).status()?;
    if !status.success() {
        bail!("autodrome convert failed: {status}");
    }
    Ok((text, binary))
}

fn analyse(autodrome: &Path, job: &Job, trace: &Path) -> Result<Measurement> {
    let mut command = Command::new(autodrome);
    command.arg("analyze").arg(trace).args(job.arguments).args(["--format", "json", "--exit-code", "0"]);
    let json = json_of(command)?;
    let racy = json["racy_variables"].as_array().map(Vec::len);
    measurement(job.name, &json, racy, job.target)
}

fn import(autodrome: &Path, text: &Path) -> Result<Measurement> {
    let mut command = Command::new(autodrome);
    command.arg("info").arg(text).args(["--format", "json"]);
    measurement(STD_IMPORT, &json_of(command)?, None, Some(STD_TARGET))
}

/// What a command prints, as JSON.
pub(crate) fn json_of(mut command: Command) -> Result<Value> {
    let output = command.output().context("cannot start autodrome")?;
    if !output.status.success() {
        bail!("{command:?} failed: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("{command:?} did not print JSON"))
}

fn measurement(
    name: &'static str,
    json: &Value,
    racy_variables: Option<usize>,
    target: Option<f64>,
) -> Result<Measurement> {
    let number = |field: &str| json[field].as_f64().with_context(|| format!("no {field} in the result of {name}"));
    Ok(Measurement {
        name,
        events: number("events")? as u64,
        cpu_seconds: number("cpu_seconds")?,
        peak_kilobytes: number("peak_kilobytes")? as u64,
        racy_variables,
        target,
    })
}

fn table(results: &[Measurement]) -> String {
    let mut text = format!(
        "{:<15} {:>9} {:>9} {:>10} {:>8} {:>6} {:>7}\n",
        "job", "events", "CPU s", "Mevents/s", "peak MB", "racy", "target"
    );
    for result in results {
        let racy = result.racy_variables.map_or_else(|| "-".to_owned(), |count| count.to_string());
        let target = result.target.map_or_else(|| "-".to_owned(), |target| format!("{target:.2}"));
        let _ = writeln!(
            text,
            "{:<15} {:>9} {:>9.4} {:>10.2} {:>8} {:>6} {:>7} {}",
            result.name,
            result.events,
            result.cpu_seconds,
            result.rate(),
            result.peak_kilobytes.div_ceil(1024),
            racy,
            target,
            result.verdict()
        );
    }
    text
}

/// Replaces the results of this benchmark, with machine and commit in each row.
fn keep(results: &[Measurement]) -> Result<()> {
    let commit = repo::output("git", ["describe", "--always", "--dirty"])?.trim().to_owned();
    let machine = machine();
    let mut csv =
        "commit,machine,job,events,cpu_seconds,million_events_per_second,peak_megabytes,racy_variables\n".to_owned();
    for result in results {
        let racy = result.racy_variables.map_or_else(String::new, |count| count.to_string());
        let _ = writeln!(
            csv,
            "{commit},{machine},{},{},{:.4},{:.2},{},{racy}",
            result.name,
            result.events,
            result.cpu_seconds,
            result.rate(),
            result.peak_kilobytes.div_ceil(1024)
        );
    }
    let folder = repo::root().join("bench/results");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("offline.csv"), csv)?;
    fs::write(folder.join("offline.svg"), plot(results).svg())?;
    eprintln!("xtask: wrote bench/results/offline.csv and offline.svg");
    Ok(())
}

fn plot(results: &[Measurement]) -> Plot {
    let mut series: Vec<Series> = Vec::new();
    for result in results {
        let point = (result.events as f64, result.cpu_seconds.max(1e-6));
        match series.iter_mut().find(|series| series.name == result.name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name: result.name.to_owned(), points: vec![point] }),
        }
    }
    Plot {
        title: "CPU time against the length of the trace".to_owned(),
        horizontal: "events".to_owned(),
        vertical: "CPU seconds".to_owned(),
        series,
    }
}

/// The processor and how many of it, as far as the system says.
pub(crate) fn machine() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        cpuinfo.lines().find_map(|line| line.strip_prefix("model name")).and_then(|rest| rest.split(':').nth(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} x{cores}", model.unwrap_or("unknown processor").trim().replace(',', " "))
}
