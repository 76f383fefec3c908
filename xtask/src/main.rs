//! `cargo xtask`: everything that is done to the project, as opposed to with it.

mod bench;
mod corpus;
mod demo;
mod operations;
mod plot;
mod repo;
mod setup;
mod test;
mod tidy;

use anyhow::Result;
use clap::{Parser, Subcommand};

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
    },
    /// Weaves java.base and many libraries, and lets real JVMs verify the result.
    VerifyCorpus,
    /// Checks what the compiler does not: crate edges, file lengths, forbidden words, documents.
    Tidy,
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Setup => setup::run(),
        Task::Demo => demo::run(),
        Task::Test { full } => test::run(if full { test::Extent::Full } else { test::Extent::Ordinary }),
        Task::Bench { quick } => {
            let extent = if quick { bench::Extent::Quick } else { bench::Extent::Kept };
            bench::run(extent)?;
            operations::run(extent)
        }
        Task::VerifyCorpus => corpus::run(),
        Task::Tidy => tidy::run(),
    }
}
