//! The test command: what CI runs, and what a developer runs before a commit.

use anyhow::Result;

use crate::{bench, demo, real, repo, setup, tidy};

/// How much to test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Ordinary,
    Full,
}

/// How many times more random cases the long run takes.
const FULL_FACTOR: &str = "20";

pub(crate) fn run(extent: Extent) -> Result<()> {
    setup::run()?;
    repo::run("cargo", ["fmt", "--all", "--check"])?;
    repo::run("cargo", ["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?;
    tidy::run()?;
    repo::run("cargo", ["test", "--workspace"])?;
    demo::run()?;
    if extent == Extent::Full {
        repo::run_with("cargo", ["test", "--workspace"], &[("AUTODROME_CASES", FULL_FACTOR)])?;
        real::run(&[], None)?;
        bench::run(bench::Extent::Quick)?;
    }
    eprintln!("xtask: all tests passed");
    Ok(())
}
