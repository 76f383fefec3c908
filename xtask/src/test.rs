//! The test command: what CI runs, and what a developer runs before a commit.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::Result;

use crate::{bench, demo, real, repo, setup, tidy};

/// How much to test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// For the inner loop: what does not need a JVM, and one look at each live detector.
    Quick,
    Ordinary,
    Full,
}

/// How often the long run repeats what chance may decide.
const FULL_FACTOR: &str = "20";

/// How often a quick run does: a tenth (crates/testkit).
const QUICK_FACTOR: &str = "0";

/// The crates whose integration tests need no JVM.
const WITHOUT_JVM: [&str; 5] =
    ["autodrome-detect", "autodrome-predict", "autodrome-runtime", "autodrome-smt", "autodrome-trace"];

/// The variable with the seed of random tests (crates/testkit).
const SEED: &str = "AUTODROME_SEED";

/// What a developer runs after each small change. Left out are the tests that run many JVMs: Java programs, random programs,
/// reports of builds, the JVM's verifier on woven classes, the comparison of the shim with the rules.
fn quick() -> Result<()> {
    let begun = Instant::now();
    setup::a_jdk()?;
    repo::run("cargo", ["fmt", "--all", "--check"])?;
    tidy::run()?;
    let test = |arguments: &mut dyn Iterator<Item = &'static str>| {
        repo::run_with("cargo", ["test", "--quiet"].into_iter().chain(arguments), &[("AUTODROME_CASES", QUICK_FACTOR)])
    };
    test(&mut ["--workspace", "--lib", "--bins"].into_iter())?;
    test(&mut WITHOUT_JVM.into_iter().flat_map(|name| ["--package", name]).chain(["--test", "*"]))?;
    test(&mut ["--package", "autodrome", "--test", "analyze", "--test", "figures", "--test", "predict"].into_iter())?;
    // Each live detector on each JDK.
    let live = ["happens_before_is_another_question", "hybrid_finds_what_no_message_orders_either"];
    test(&mut ["--package", "autodrome", "--test", "hybrid", "--"].into_iter().chain(live))?;
    eprintln!("xtask: the quick tests passed in {} s; `cargo xtask test` runs all", begun.elapsed().as_secs());
    Ok(())
}

/// The seed for the random tests of a full run: the environment's, or a new one.
fn fresh_seed() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as u64;
    std::env::var(SEED).unwrap_or_else(|_| now.to_string())
}

pub(crate) fn run(extent: Extent) -> Result<()> {
    if extent == Extent::Quick {
        return quick();
    }
    setup::run()?;
    repo::run("cargo", ["fmt", "--all", "--check"])?;
    repo::run("cargo", ["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?;
    tidy::run()?;
    let mut variables = vec![("AUTODROME_CASES", "1")];
    let seed = fresh_seed();
    if extent == Extent::Full {
        eprintln!("xtask: random tests with {SEED}={seed}");
        variables = vec![("AUTODROME_CASES", FULL_FACTOR), (SEED, &seed)];
    }
    // A long run lists all that is wrong.
    let go_on = (extent == Extent::Full).then_some("--no-fail-fast");
    let words = ["test", "--workspace"].into_iter().chain(go_on);
    repo::run_with("cargo", words, &variables)?;
    demo::run()?;
    if extent == Extent::Full {
        real::run(&[], None)?;
        bench::run(bench::Extent::Quick)?;
    }
    eprintln!("xtask: all tests passed");
    Ok(())
}
