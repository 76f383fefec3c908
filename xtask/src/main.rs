//! `cargo xtask`: everything that is done to the project, as opposed to with it.

mod bench;
mod corpus;
mod demo;
mod operations;
mod plot;
mod prediction;
mod repo;
mod setup;
mod test;
mod tidy;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};

/// The project's own tasks.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Installs what the project needs and the machine lacks, or names it.
    Setup,
    /// Builds everything and shows what the tool does.
    Demo,
    /// Formatting, lints, tidiness, all tests.
    Test {
        /// Adds what takes longer: many more random traces, long traces, the benchmark's checks.
        #[arg(long)]
        full: bool,
    },
    /// Measures speed and memory; writes bench/results.
    Bench {
        /// Only the shorter traces, results not kept.
        #[arg(long)]
        quick: bool,
        /// Only this part.
        #[arg(long)]
        only: Option<Part>,
    },
    /// Weaves java.base and many libraries, and lets real JVMs verify the result.
    VerifyCorpus,
    /// Checks what the compiler does not: crate edges, file lengths, forbidden words, documents.
    Tidy,
}

/// A part of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The offline detectors.
    Detectors,
    /// Races of other schedules.
    Prediction,
    /// The agent's operations.
    Operations,
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Setup => setup::run(),
        Task::Demo => demo::run(),
        Task::Test { full } => test::run(if full { test::Extent::Full } else { test::Extent::Ordinary }),
        Task::Bench { quick, only } => {
            let extent = if quick { bench::Extent::Quick } else { bench::Extent::Kept };
            let wanted = |part| only.is_none_or(|only| only == part);
            if wanted(Part::Detectors) {
                bench::run(extent)?;
            }
            if wanted(Part::Prediction) {
                prediction::run(extent)?;
            }
            if wanted(Part::Operations) {
                operations::run(extent)?;
            }
            Ok(())
        }
        Task::VerifyCorpus => corpus::run(),
        Task::Tidy => tidy::run(),
    }
}
