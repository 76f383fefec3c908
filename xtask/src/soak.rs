//! `cargo xtask soak`: a program watched for long. Its memory must stay level, its speed must not fade, and it must end well.
//!
//! The program prints a line for each round of its work. Its speed is rounds by processor time, so that whoever else uses
//! the machine does not count; one that hangs makes no rounds.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::bench::machine;
use crate::panels::{Panel, Panels};
use crate::setup::{self, Jdk};
use crate::usage::{self, End};
use crate::{real, repo};

/// Watches a program for long.
#[derive(Args)]
pub(crate) struct Soak {
    /// Which one.
    #[arg(value_enum, default_value_t = Subject::Churn)]
    program: Subject,

    /// For how long.
    #[arg(long, value_name = "NUMBER", default_value_t = 60.0)]
    minutes: f64,

    /// On this JDK, such as 17 [default: the oldest].
    #[arg(long, value_name = "VERSION")]
    jdk: Option<u32>,
}

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// Threads, classes, arrays and locks that come and go.
    Churn,
    /// Tomcat under load.
    Tomcat,
}

const SOURCE: &str = "programs/stress/soak/Main.java";
/// The heap is there from the start, so that growth is not the heap's.
const HEAP: [&str; 3] = ["-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"];
/// How many looks are kept at most.
const LOOKS: f64 = 600.0;
/// How long after its time a program may take to end.
const GRACE: Duration = Duration::from_secs(120);
/// The last quarter's memory may be so many times the second's, and its speed so small a part.
const MOST_GROWTH: f64 = 1.1;
const LEAST_SPEED: f64 = 0.7;

/// What was seen at one time.
#[derive(Clone, Copy, Debug)]
struct Look {
    seconds: f64,
    /// Since the start.
    cpu_seconds: f64,
    megabytes: f64,
    /// Since the start.
    rounds: u64,
}

impl Soak {
    pub(crate) fn run(&self) -> Result<()> {
        let autodrome = repo::build_autodrome()?;
        let jdks = setup::installed_jdks();
        let chosen = jdks.iter().find(|jdk| self.jdk.is_none_or(|version| jdk.version == version));
        let jdk = chosen.context("no such JDK: run cargo xtask setup")?;
        let seconds = (self.minutes * 60.0).max(10.0);
        let folder = repo::target().join("soak");
        fs::create_dir_all(&folder)?;
        let (report, errors) = (folder.join("report.json"), folder.join("stderr"));
        let mut command = Command::new(autodrome);
        command.arg("run").arg("--out").arg(&report).arg("--").arg(jdk.home.join("bin/java")).args(HEAP);
        match self.program {
            Subject::Churn => command.arg("-cp").arg(compiled(jdk)?).arg("Main"),
            Subject::Tomcat => {
                let stage = real::Stage::build()?;
                command.args(stage.arguments(stage.program("tomcat").context("tomcat was not built")?)?)
            }
        };
        command.arg(format!("{seconds:.0}")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(File::create(&errors)?);
        let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        let (looks, end) = watch(&mut child, seconds)?;
        self.keep(jdk, &looks)?;
        let mut wrong = judge(&looks);
        let End::Exited(status) = end else { bail!("it does not end; {}; see {}", wrong.join("; "), errors.display()) };
        let report: Value = serde_json::from_slice(&fs::read(&report).context("there is no report")?)?;
        let expected = if report["summary"]["new"].as_u64() == Some(0) { 0 } else { 66 };
        if status.code() != Some(expected) {
            wrong.push(format!("it ended with {status}"));
        }
        if report["jvms"][0]["fault"].is_string() {
            wrong.push("the agent failed".to_owned());
        }
        eprintln!("{}", self.summary(jdk, &looks, &report));
        if !wrong.is_empty() {
            bail!("{}; see {}", wrong.join("; "), errors.display());
        }
        Ok(())
    }

    fn name(&self) -> &'static str {
        match self.program {
            Subject::Churn => "soak-churn",
            Subject::Tomcat => "soak-tomcat",
        }
    }

    fn summary(&self, jdk: &Jdk, looks: &[Look], report: &Value) -> String {
        let [_, second, _, last] = quarters(looks).map(means);
        format!(
            "xtask: {} on JDK {}, {} minutes: {:.0} MB in the second quarter, {:.0} MB in the last; {:.2} and {:.2} rounds \
             a processor second; {} threads, {} classes, {} races",
            self.name(),
            jdk.version,
            self.minutes,
            second.0,
            last.0,
            second.1,
            last.1,
            report["jvms"][0]["threads"],
            report["jvms"][0]["classes_woven"],
            report["summary"]["races"]
        )
    }

    /// Replaces the results, with machine and commit in each row.
    fn keep(&self, jdk: &Jdk, looks: &[Look]) -> Result<()> {
        let commit = repo::output("git", ["describe", "--always", "--dirty"])?.trim().to_owned();
        let mut csv = "commit,machine,jdk,seconds,cpu_seconds,resident_megabytes,rounds\n".to_owned();
        for look in looks {
            let (version, Look { seconds, cpu_seconds, megabytes, rounds }) = (jdk.version, look);
            let row = format!("{version},{seconds:.1},{cpu_seconds:.1},{megabytes:.1},{rounds}");
            // Writing to a string cannot fail.
            let _ = writeln!(csv, "{commit},{},{row}", machine());
        }
        let name = self.name();
        let folder = repo::root().join("bench/results");
        fs::write(folder.join(format!("{name}.csv")), csv)?;
        let memory = looks.iter().map(|look| (look.seconds / 60.0, look.megabytes)).collect();
        let panels = Panels {
            title: format!("{name}: watched for {} minutes on JDK {}", self.minutes, jdk.version),
            horizontal: "minutes".to_owned(),
            panels: vec![
                Panel { name: "resident memory, MB".to_owned(), points: memory },
                Panel { name: "rounds a processor second".to_owned(), points: speeds(looks) },
            ],
        };
        fs::write(folder.join(format!("{name}.svg")), panels.svg())?;
        eprintln!("xtask: wrote bench/results/{name}.csv and {name}.svg");
        Ok(())
    }
}

fn compiled(jdk: &Jdk) -> Result<PathBuf> {
    let classes = repo::target().join("soak/classes");
    let mut javac = Command::new(jdk.home.join("bin/javac"));
    javac.arg("-g").arg("-d").arg(&classes).arg(repo::root().join(SOURCE));
    let status = javac.status().context("cannot start javac")?;
    if !status.success() {
        bail!("javac failed on {SOURCE}: {status}");
    }
    Ok(classes)
}

/// Looks at the program again and again until it ends.
fn watch(child: &mut Child, seconds: f64) -> Result<(Vec<Look>, End)> {
    let lines = BufReader::new(child.stdout.take().context("its output goes elsewhere")?).lines();
    let rounds = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&rounds);
    let counter = thread::spawn(move || {
        for _ in lines.map_while(Result::ok) {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    });
    let start = Instant::now();
    let between = Duration::from_secs_f64((seconds / LOOKS).max(0.5));
    let mut looks = Vec::new();
    let end = loop {
        if let Some(status) = child.try_wait()? {
            break End::Exited(status);
        }
        thread::sleep(between);
        if start.elapsed() > Duration::from_secs_f64(seconds) + GRACE {
            usage::kill(child)?;
            break End::TimedOut;
        }
        // What it does when it ends is not of interest.
        if start.elapsed().as_secs_f64() < seconds {
            let megabytes = usage::resident_kilobytes(child.id()) as f64 / 1024.0;
            looks.push(Look {
                seconds: start.elapsed().as_secs_f64(),
                cpu_seconds: usage::cpu_seconds(child.id()),
                megabytes,
                rounds: rounds.load(Ordering::Relaxed),
            });
        }
    };
    if counter.join().is_err() {
        bail!("its output could not be read");
    }
    Ok((looks, end))
}

/// Rounds a processor second, by minutes; a look may come between two rounds, so several are taken together.
fn speeds(looks: &[Look]) -> Vec<(f64, f64)> {
    let together = (looks.len() / 60).max(1);
    let ends: Vec<&Look> = looks.iter().step_by(together).collect();
    ends.windows(2).map(|pair| (pair[1].seconds / 60.0, speed(pair[0], pair[1]))).collect()
}

/// Rounds a processor second between two looks.
fn speed(first: &Look, last: &Look) -> f64 {
    (last.rounds - first.rounds) as f64 / (last.cpu_seconds - first.cpu_seconds).max(1e-3)
}

fn quarters(looks: &[Look]) -> [&[Look]; 4] {
    let at = |quarter: usize| looks.len() * quarter / 4;
    std::array::from_fn(|quarter| &looks[at(quarter)..at(quarter + 1)])
}

/// Mean memory, and rounds a processor second.
fn means(looks: &[Look]) -> (f64, f64) {
    let memory = looks.iter().map(|look| look.megabytes).sum::<f64>() / looks.len().max(1) as f64;
    (memory, looks.first().zip(looks.last()).map_or(0.0, |(first, last)| speed(first, last)))
}

/// What is wrong with the second half: in the first quarter, classes are loaded and compiled.
fn judge(looks: &[Look]) -> Vec<String> {
    let [_, second, _, last] = quarters(looks).map(means);
    let mut wrong = Vec::new();
    if looks.len() < 8 {
        wrong.push("it ended too early".to_owned());
    }
    if last.0 > MOST_GROWTH * second.0 {
        wrong.push(format!("its memory grows: {:.0} MB, then {:.0} MB", second.0, last.0));
    }
    if last.1 < LEAST_SPEED * second.1 {
        wrong.push(format!("it gets slower: {:.2} rounds a processor second, then {:.2}", second.1, last.1));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(megabytes: impl Fn(f64) -> f64, rounds: impl Fn(f64) -> f64) -> Vec<Look> {
        let look = |second: u32| {
            let seconds = f64::from(second);
            Look { seconds, cpu_seconds: seconds, megabytes: megabytes(seconds), rounds: rounds(seconds) as u64 }
        };
        (1..=100).map(look).collect()
    }

    #[test]
    fn growth_and_fading_are_noticed() {
        let steady = looks(|seconds| 200.0 + seconds.min(20.0), |seconds| seconds * 10.0);
        assert_eq!(judge(&steady), [""; 0]);
        assert!(judge(&looks(|seconds| 200.0 + seconds, |seconds| seconds * 10.0))[0].contains("grows"));
        assert!(judge(&looks(|_| 200.0, |seconds| seconds.sqrt() * 100.0))[0].contains("slower"));
        assert!(judge(&steady[..5])[0].contains("early"));
        assert!(speeds(&steady).iter().all(|&(_, speed)| (speed - 10.0).abs() < 1e-6));
    }
}
