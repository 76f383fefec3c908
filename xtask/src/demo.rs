//! One command that shows what the tool does: a racy Java program, and its report.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{repo, setup};

/// The exit code for races found.
const RACES: i32 = 66;
const PROGRAM: &str = "programs/racy/double_checked/Main.java";

pub(crate) fn run() -> Result<()> {
    let jdk = setup::a_jdk()?;
    let autodrome = repo::build_autodrome()?;
    let classes = repo::target().join("demo");
    fs::create_dir_all(&classes)?;
    let compiled = Command::new(jdk.home.join("bin/javac"))
        .args(["-g", "-d"])
        .arg(&classes)
        .arg(repo::root().join(PROGRAM))
        .status()
        .context("cannot start javac")?;
    if !compiled.success() {
        bail!("javac failed on {PROGRAM}: {compiled}");
    }
    eprintln!("xtask: autodrome run -- java -cp {} Main    # {PROGRAM}", classes.display());
    let status = Command::new(autodrome)
        .args(["run", "--"])
        .arg(jdk.home.join("bin/java"))
        .arg("-cp")
        .arg(&classes)
        .arg("Main")
        .status()
        .context("cannot start autodrome")?;
    if status.code() != Some(RACES) {
        bail!("the demonstration should find a race and exit with {RACES}, but it ended with {status}");
    }
    Ok(())
}
