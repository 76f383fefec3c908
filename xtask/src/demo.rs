//! One command that shows what the tool does.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::repo;

/// The exit code for races found.
const RACES: i32 = 66;

pub(crate) fn run() -> Result<()> {
    let autodrome = repo::build_autodrome()?;
    let trace = "traces/demo/account.trace";
    eprintln!("xtask: autodrome analyze {trace} --detector fasttrack");
    let status = Command::new(autodrome)
        .args(["analyze", trace, "--detector", "fasttrack"])
        .current_dir(repo::root())
        .status()
        .context("cannot start autodrome")?;
    if status.code() != Some(RACES) {
        bail!("the demonstration should find races and exit with {RACES}, but it ended with {status}");
    }
    Ok(())
}
