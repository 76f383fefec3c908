//! What an operation of java.util.concurrent costs when it is watched: the ratio to the same loop unwatched, each JDK for
//! itself, runs interleaved, the best of each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::bench::Extent;
use crate::{repo, setup};

const SOURCE: &str = "xtask/java/Operations.java";

/// No operation should cost more than so many times what it costs unwatched.
const MOST: f64 = 10.0;

/// Nanoseconds by operation.
type Times = BTreeMap<String, f64>;

pub(crate) fn run(extent: Extent) -> Result<()> {
    let autodrome = repo::build_autodrome()?;
    let rounds = if extent == Extent::Quick { 1 } else { 3 };
    let mut csv = "jdk,operation,native_ns,watched_ns,ratio,target\n".to_owned();
    for jdk in setup::installed_jdks() {
        let classes = repo::target().join("operations");
        fs::create_dir_all(&classes)?;
        let compiled = Command::new(jdk.home.join("bin/javac"))
            .arg("-d")
            .arg(&classes)
            .arg(repo::root().join(SOURCE))
            .status()
            .context("cannot start javac")?;
        if !compiled.success() {
            bail!("javac failed on {SOURCE}: {compiled}");
        }
        let (mut native, mut watched) = (Times::new(), Times::new());
        for round in 1..=rounds {
            eprintln!("xtask: {} operations, round {round} of {rounds}", jdk.home.display());
            measure(Command::new(jdk.home.join("bin/java")), &classes, &mut native)?;
            let mut command = Command::new(&autodrome);
            command.args(["run", "--"]).arg(jdk.home.join("bin/java"));
            measure(command, &classes, &mut watched)?;
        }
        let name = jdk.home.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (operation, native) in &native {
            let watched = watched.get(operation).copied().context("an operation was not measured twice")?;
            let ratio = watched / native;
            // Writing to a string cannot fail.
            let _ = writeln!(csv, "{name},{operation},{native:.2},{watched:.2},{ratio:.1},{MOST}");
            let missed = if ratio > MOST { "   above the target" } else { "" };
            eprintln!("{name:30} {operation:38} {native:8.1} ns {watched:8.1} ns {ratio:6.1}x{missed}");
        }
    }
    if extent == Extent::Kept {
        fs::write(repo::root().join("bench/results/operations.csv"), csv)?;
    }
    Ok(())
}

/// Runs the operations once and keeps the best times.
fn measure(mut command: Command, classes: &Path, best: &mut Times) -> Result<()> {
    let output = command.arg("-cp").arg(classes).arg("Operations").output().context("cannot start the JVM")?;
    if !output.status.success() {
        bail!("the operations failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let (operation, time) = line.rsplit_once(',').context("a line without a time")?;
        let time: f64 = time.parse().with_context(|| format!("no time: {line}"))?;
        let known = best.entry(operation.to_owned()).or_insert(f64::MAX);
        *known = known.min(time);
    }
    Ok(())
}
