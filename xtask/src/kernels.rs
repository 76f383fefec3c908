//! What watching costs whole programs: the kernels of bench/kernels and six programs of bench/real, plain and watched in turn,
//! the best CPU time of each.
//!
//! A kernel prints a checksum and has no race, so each watched run is also a test: the same output, exit code 0.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bars::Bars;
use crate::bench::{Extent, machine};
use crate::plot::{Plot, Series};
use crate::real;
use crate::repo;
use crate::setup::{self, Jdk};
use crate::usage::{self, Usage};

const SOURCES: &str = "bench/kernels";
/// The class that kernels share.
const COMMON: &str = "Team";
/// The same heap for both: how much a JVM takes of a large machine says nothing.
const HEAP: &str = "-Xmx1g";
pub(crate) const LONGEST: Duration = Duration::from_secs(900);

/// CPU time may grow so many times, for the geometric mean and for each kernel.
const MEAN_TARGET: f64 = 5.0;
const WORST_TARGET: f64 = 12.0;
/// Peak memory may grow so many times, and so many kilobytes more.
const MEMORY_FACTOR: u64 = 3;
const MEMORY_MORE: u64 = 100 * 1024;

/// Programs of bench/real that are measured too.
pub(crate) const REAL: [&str; 6] = ["xalan", "h2", "lucene", "fop", "ecj", "tomcat"];

/// Which kernels to measure, and how.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Their names; all if there is none.
    pub(crate) only: Vec<String>,
    /// The version of the JDK; each that is there if none is given.
    pub(crate) jdk: Option<u32>,
    /// Percent of the full size.
    pub(crate) size: Option<u32>,
    pub(crate) threads: u32,
}

impl Choice {
    /// Whether the results can stand for the project.
    fn is_whole(&self) -> bool {
        self.only.is_empty() && self.jdk.is_none() && self.threads == DEFAULT_THREADS
    }
}

pub(crate) const DEFAULT_THREADS: u32 = 4;

/// One kernel on one JDK with a number of threads.
#[derive(Clone, Debug)]
struct Measurement {
    jdk: u32,
    kernel: String,
    threads: u32,
    /// Percent of its full size.
    size: u32,
    native: Usage,
    watched: Usage,
    medium: u64,
    slow: u64,
}

impl Measurement {
    fn ratio(&self) -> f64 {
        self.watched.cpu_seconds / self.native.cpu_seconds.max(0.01)
    }

    fn memory_ratio(&self) -> f64 {
        self.watched.peak_kilobytes as f64 / self.native.peak_kilobytes.max(1) as f64
    }

    fn verdict(&self) -> &'static str {
        let most = MEMORY_FACTOR * self.native.peak_kilobytes + MEMORY_MORE;
        match (self.ratio() > WORST_TARGET, self.watched.peak_kilobytes > most) {
            (true, true) => "SLOW, MUCH MEMORY",
            (true, false) => "SLOW",
            (false, true) => "MUCH MEMORY",
            (false, false) => "",
        }
    }
}

/// All kernels at one number of threads.
pub(crate) fn run(extent: Extent, choice: &Choice) -> Result<()> {
    let (size, rounds) = match extent {
        Extent::Quick => (choice.size.unwrap_or(5), 1),
        Extent::Kept => (choice.size.unwrap_or(100), 3),
    };
    let stage = Stage::build(choice)?;
    let jobs: Vec<Job> = stage.kernels.iter().map(|kernel| stage.kernel(kernel, choice.threads, size)).collect();
    let results = stage.measure_all(&jobs, rounds)?;
    if extent == Extent::Kept && choice.is_whole() {
        keep("kernels", &results)?;
    }
    Ok(())
}

/// Six of the real programs.
pub(crate) fn run_real(extent: Extent, choice: &Choice) -> Result<()> {
    let stage = Stage::build(choice)?;
    let jobs = real_jobs(if extent == Extent::Quick { &REAL[..1] } else { &REAL })?;
    let results = stage.measure_all(&jobs, if extent == Extent::Quick { 1 } else { 3 })?;
    if extent == Extent::Kept && choice.jdk.is_none() {
        keep("real", &results)?;
    }
    Ok(())
}

/// Real programs, to be measured.
pub(crate) fn real_jobs(names: &[&str]) -> Result<Vec<Job>> {
    let real = real::Stage::build()?;
    let mut jobs = Vec::new();
    for name in names {
        let program = real.program(name).with_context(|| format!("{name} was not built"))?;
        let arguments = real.arguments(program)?;
        jobs.push(Job { name: (*name).to_owned(), threads: 4, size: 100, arguments, races: Races::Perhaps });
    }
    Ok(jobs)
}

fn keep(name: &str, results: &[Measurement]) -> Result<()> {
    let folder = repo::root().join("bench/results");
    fs::write(folder.join(format!("{name}.csv")), csv(results)?)?;
    fs::write(folder.join(format!("{name}.svg")), bars(results).svg())?;
    eprintln!("xtask: wrote bench/results/{name}.csv and {name}.svg");
    Ok(())
}

/// The cost against the number of threads.
pub(crate) fn run_threads(extent: Extent, choice: &Choice) -> Result<()> {
    let counts: &[u32] = if extent == Extent::Quick { &[2, 64] } else { &[2, 4, 8, 16, 32, 64] };
    let size = choice.size.unwrap_or(if extent == Extent::Quick { 2 } else { 20 });
    let stage = Stage::build(choice)?;
    let jdk = stage.jdks.first().context("no JDK")?;
    let mut results = Vec::new();
    for kernel in &stage.kernels {
        for &threads in counts {
            results.push(stage.measure(jdk, &stage.kernel(kernel, threads, size), 1)?);
            eprint!("{}", row(&results[results.len() - 1]));
        }
    }
    if extent == Extent::Kept && choice.only.is_empty() {
        let folder = repo::root().join("bench/results");
        fs::write(folder.join("threads.csv"), csv(&results)?)?;
        fs::write(folder.join("threads.svg"), lines(&results).svg())?;
        eprintln!("xtask: wrote bench/results/threads.csv and threads.svg");
    }
    Ok(())
}

/// A program that is measured.
pub(crate) struct Job {
    pub(crate) name: String,
    threads: u32,
    size: u32,
    /// What follows `java`.
    pub(crate) arguments: Vec<OsString>,
    pub(crate) races: Races,
}

/// Whether a program has races.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Races {
    None,
    Perhaps,
}

/// The exit code for races found.
pub(crate) const RACES_FOUND: i32 = 66;

/// What is needed to run kernels.
pub(crate) struct Stage {
    pub(crate) autodrome: PathBuf,
    pub(crate) classes: PathBuf,
    pub(crate) kernels: Vec<String>,
    pub(crate) jdks: Vec<Jdk>,
}

impl Stage {
    pub(crate) fn build(choice: &Choice) -> Result<Stage> {
        let autodrome = repo::build_autodrome()?;
        let mut jdks = setup::installed_jdks();
        let oldest = jdks.first().context("no JDK: run cargo xtask setup")?.clone();
        jdks.retain(|jdk| choice.jdk.is_none_or(|version| jdk.version == version));
        let sources = fs::read_dir(repo::root().join(SOURCES))?;
        let mut sources: Vec<PathBuf> = sources.flatten().map(|entry| entry.path()).collect();
        sources.retain(|file| file.extension().is_some_and(|extension| extension == "java"));
        sources.sort();
        let classes = repo::target().join("kernels");
        let mut javac = Command::new(oldest.home.join("bin/javac"));
        javac.args(["-g", "-d"]).arg(&classes).args(&sources);
        let compiled = javac.status().context("cannot start javac")?;
        if !compiled.success() {
            bail!("javac failed on {SOURCES}: {compiled}");
        }
        let names = sources.iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()));
        let kernels: Vec<String> = names.filter(|name| name != COMMON).collect();
        if let Some(unknown) = choice.only.iter().find(|name| !kernels.contains(name)) {
            bail!("there is no kernel {unknown}; there are {}", kernels.join(", "));
        }
        let chosen = |name: &String| choice.only.is_empty() || choice.only.contains(name);
        Ok(Stage { autodrome, classes, kernels: kernels.into_iter().filter(chosen).collect(), jdks })
    }

    pub(crate) fn kernel(&self, name: &str, threads: u32, size: u32) -> Job {
        let mut arguments = vec![HEAP.into(), "-cp".into(), self.classes.clone().into(), name.into()];
        arguments.extend([size, threads].map(|number| number.to_string().into()));
        Job { name: name.to_owned(), threads, size, arguments, races: Races::None }
    }

    fn measure_all(&self, jobs: &[Job], rounds: usize) -> Result<Vec<Measurement>> {
        let mut results = Vec::new();
        for jdk in &self.jdks {
            for job in jobs {
                let result = self.measure(jdk, job, rounds)?;
                eprint!("{}", row(&result));
                results.push(result);
            }
        }
        eprint!("{}", table(&results));
        Ok(results)
    }

    /// Runs a program plain and watched in turn; keeps the usage of the best run of each.
    fn measure(&self, jdk: &Jdk, job: &Job, rounds: usize) -> Result<Measurement> {
        let (mut native, mut watched) = (None, None);
        let (mut medium, mut slow) = (0, 0);
        for _ in 0..rounds {
            let java = jdk.home.join("bin/java");
            let plain = usage::run(Command::new(&java).args(&job.arguments), LONGEST)?;
            let out = self.classes.join("report.json");
            let mut autodrome = Command::new(&self.autodrome);
            autodrome.arg("run").arg("--out").arg(&out).arg("--").arg(&java).args(&job.arguments);
            let ran = usage::run(&mut autodrome, LONGEST)?;
            let ended = ran.code() == Some(0) || job.races == Races::Perhaps && ran.code() == Some(RACES_FOUND);
            if plain.code() != Some(0) || !ended || plain.stdout != ran.stdout {
                bail!(
                    "{}: ended with {:?} plain, {:?} watched; {} against {}\n{}",
                    job.name,
                    plain.end,
                    ran.end,
                    String::from_utf8_lossy(&plain.stdout).trim(),
                    String::from_utf8_lossy(&ran.stdout).trim(),
                    ran.stderr
                );
            }
            let report: Value = serde_json::from_slice(&fs::read(&out)?)?;
            let count = |path: &str| report["jvms"][0]["accesses"][path].as_u64().unwrap_or(0);
            (medium, slow) = (count("medium"), count("slow"));
            native = Some(better(native, plain.usage));
            watched = Some(better(watched, ran.usage));
        }
        let (native, watched) = native.zip(watched).context("no round was asked for")?;
        let kernel = job.name.clone();
        Ok(Measurement {
            jdk: jdk.version,
            kernel,
            threads: job.threads,
            size: job.size,
            native,
            watched,
            medium,
            slow,
        })
    }
}

fn better(best: Option<Usage>, usage: Usage) -> Usage {
    match best {
        Some(best) if best.cpu_seconds <= usage.cpu_seconds => best,
        _ => usage,
    }
}

fn row(result: &Measurement) -> String {
    format!(
        "{:>3} {:<18} {:>3} {:>8.2} {:>8.2} {:>6.1} {:>8.2} {:>8.2} {:>6} {:>6} {:>10} {:>10}  {}\n",
        result.jdk,
        result.kernel,
        result.threads,
        result.native.cpu_seconds,
        result.watched.cpu_seconds,
        result.ratio(),
        result.native.wall_seconds,
        result.watched.wall_seconds,
        result.native.peak_kilobytes / 1024,
        result.watched.peak_kilobytes / 1024,
        result.medium,
        result.slow,
        result.verdict()
    )
}

fn table(results: &[Measurement]) -> String {
    let mut text = format!(
        "{:>3} {:<18} {:>3} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6} {:>6} {:>10} {:>10}\n",
        "JDK", "kernel", "thr", "CPU s", "watched", "ratio", "wall s", "watched", "MB", "MB", "medium", "slow"
    );
    results.iter().for_each(|result| text += &row(result));
    for (jdk, mean) in means(results) {
        let missed = if mean > MEAN_TARGET { "  above the target" } else { "" };
        let _ = writeln!(text, "geometric mean on JDK {jdk}: {mean:.2}, wanted at most {MEAN_TARGET}{missed}");
    }
    text
}

/// By JDK, the geometric mean of the ratios of CPU times.
fn means(results: &[Measurement]) -> BTreeMap<u32, f64> {
    let mut logarithms: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for result in results {
        logarithms.entry(result.jdk).or_default().push(result.ratio().ln());
    }
    let mean = |all: Vec<f64>| (all.iter().sum::<f64>() / all.len() as f64).exp();
    logarithms.into_iter().map(|(jdk, all)| (jdk, mean(all))).collect()
}

fn csv(results: &[Measurement]) -> Result<String> {
    let commit = repo::output("git", ["describe", "--always", "--dirty"])?.trim().to_owned();
    let machine = machine();
    let mut csv =
        "commit,machine,jdk,kernel,threads,percent,native_cpu_seconds,watched_cpu_seconds,cpu_ratio,native_wall_seconds,\
                   watched_wall_seconds,native_peak_megabytes,watched_peak_megabytes,medium,slow\n"
            .to_owned();
    for result in results {
        let _ = writeln!(
            csv,
            "{commit},{machine},{},{},{},{},{:.2},{:.2},{:.2},{:.2},{:.2},{},{},{},{}",
            result.jdk,
            result.kernel,
            result.threads,
            result.size,
            result.native.cpu_seconds,
            result.watched.cpu_seconds,
            result.ratio(),
            result.native.wall_seconds,
            result.watched.wall_seconds,
            result.native.peak_kilobytes / 1024,
            result.watched.peak_kilobytes / 1024,
            result.medium,
            result.slow
        );
    }
    Ok(csv)
}

fn bars(results: &[Measurement]) -> Bars {
    let mut jdks: Vec<u32> = results.iter().map(|result| result.jdk).collect();
    jdks.dedup();
    let mut kernels: Vec<&str> = results.iter().map(|result| result.kernel.as_str()).collect();
    kernels.sort_unstable();
    kernels.dedup();
    let of = |kernel: &str, jdk: u32| results.iter().find(|result| result.kernel == kernel && result.jdk == jdk);
    let mut groups = Vec::new();
    for kernel in kernels {
        let cpu = jdks.iter().map(|&jdk| Some(of(kernel, jdk)?.ratio()));
        let memory = jdks.iter().map(|&jdk| Some(of(kernel, jdk)?.memory_ratio()));
        groups.push((kernel.to_owned(), cpu.chain(memory).collect()));
    }
    let kinds = |what: &str| jdks.iter().map(|jdk| format!("{what}, JDK {jdk}")).collect::<Vec<_>>();
    Bars {
        title: "Watched against plain: how many times the CPU time and the peak memory".to_owned(),
        kinds: [kinds("CPU time"), kinds("memory")].concat(),
        groups,
        marks: vec![(MEAN_TARGET, "mean wanted".to_owned()), (WORST_TARGET, "worst wanted".to_owned())],
    }
}

fn lines(results: &[Measurement]) -> Plot {
    let mut series: Vec<Series> = Vec::new();
    for result in results {
        let point = (f64::from(result.threads), result.ratio());
        match series.iter_mut().find(|series| series.name == result.kernel) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name: result.kernel.clone(), points: vec![point] }),
        }
    }
    Plot {
        title: "CPU time, watched against plain, by the number of threads".to_owned(),
        horizontal: "threads".to_owned(),
        vertical: "ratio".to_owned(),
        series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(native: f64, watched: f64) -> Measurement {
        let usage = |cpu_seconds, peak_kilobytes| Usage { cpu_seconds, peak_kilobytes, ..Usage::default() };
        Measurement {
            jdk: 17,
            kernel: "Sor".to_owned(),
            threads: 4,
            size: 100,
            native: usage(native, 1000),
            watched: usage(watched, 90_000),
            medium: 0,
            slow: 0,
        }
    }

    #[test]
    fn means_are_geometric_and_targets_are_kept() {
        let results = [measurement(1.0, 2.0), measurement(1.0, 32.0)];
        assert!((means(&results)[&17] - 8.0).abs() < 1e-9);
        assert!(table(&results).contains("above the target"));
        assert_eq!((results[0].verdict(), results[1].verdict()), ("", "SLOW"));
        let mut large = measurement(1.0, 2.0);
        large.watched.peak_kilobytes = 1_000_000;
        assert_eq!(large.verdict(), "MUCH MEMORY");
    }
}
