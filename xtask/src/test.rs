//! The test command: what CI runs, and what a developer runs before a commit.

use anyhow::Result;

use crate::{bench, demo, real, repo, setup, tidy};

/// How much to test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Ordinary,
    Full,
}

/// How often the long run repeats what chance may decide.
const FULL_FACTOR: &str = "20";

pub(crate) fn run(extent: Extent) -> Result<()> {
    setup::run()?;
    repo::run("cargo", ["fmt", "--all", "--check"])?;
    repo::run("cargo", ["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?;
    tidy::run()?;
    let factor = if extent == Extent::Full { FULL_FACTOR } else { "1" };
    // A long run tells all that is wrong.
    let go_on = (extent == Extent::Full).then_some("--no-fail-fast");
    let words = ["test", "--workspace"].into_iter().chain(go_on);
    repo::run_with("cargo", words, &[("AUTODROME_CASES", factor)])?;
    demo::run()?;
    if extent == Extent::Full {
        real::run(&[], None)?;
        bench::run(bench::Extent::Quick)?;
    }
    eprintln!("xtask: all tests passed");
    Ok(())
}
