//! `cargo xtask`: everything that is done to the project, as opposed to with it.

mod bars;
mod bench;
mod corpus;
mod demo;
mod dist;
mod evaluate;
mod grid;
mod hidden;
mod hunt;
mod kernels;
mod micro;
mod operations;
mod panels;
mod plot;
mod prediction;
mod real;
mod repo;
mod sampling;
mod setup;
mod soak;
mod test;
mod tidy;
mod usage;

use anyhow::Result;
use clap::{Args, Parser, Subcommand, ValueEnum};

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
    /// Builds a release: an archive, a Debian package, symbols, checksums.
    Dist(dist::Dist),
    /// Formatting, lints, tidiness, all tests.
    Test {
        /// For the inner loop, in minutes: unit tests, a tenth of the random traces, a few Java programs.
        #[arg(long, conflicts_with = "full")]
        quick: bool,

        /// Adds what takes longer: many more random traces, long traces, the benchmark's checks.
        #[arg(long)]
        full: bool,
    },
    /// Measures speed and memory; writes bench/results.
    Bench(Bench),
    /// Runs programs that nobody here wrote, plain and watched.
    Real {
        /// Which ones [default: all].
        names: Vec<String>,

        /// On this JDK only, such as 17.
        #[arg(long, value_name = "VERSION")]
        jdk: Option<u32>,
    },
    /// Watches a program for long; writes bench/results.
    Soak(soak::Soak),
    /// Weaves java.base and many libraries, and lets real JVMs verify the result.
    VerifyCorpus,
    /// Checks what the compiler does not: crate edges, file lengths, forbidden words, documents.
    Tidy,
}

#[derive(Args)]
struct Bench {
    /// What to measure [default: all].
    parts: Vec<Part>,

    /// Short traces and small sizes, once; results are not kept.
    #[arg(long)]
    quick: bool,

    /// Only these kernels; results are not kept. Can be given many times.
    #[arg(long, value_name = "KERNEL")]
    only: Vec<String>,

    /// Kernels on this JDK only, such as 17.
    #[arg(long, value_name = "VERSION")]
    jdk: Option<u32>,

    /// Percent of a kernel's full size.
    #[arg(long, value_name = "PERCENT")]
    size: Option<u32>,

    /// Threads of each kernel.
    #[arg(long, value_name = "NUMBER", default_value_t = kernels::DEFAULT_THREADS, value_parser = clap::value_parser!(u32).range(2..))]
    threads: u32,
}

/// A part of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The detectors on long traces.
    Offline,
    /// Races of other schedules.
    Prediction,
    /// RDIT on real programs of which a part is hidden.
    Hidden,
    /// Operations of java.util.concurrent.
    Operations,
    /// Whole programs, plain and watched.
    Kernels,
    /// Six of the real programs, plain and watched.
    Real,
    /// The kernels by the number of threads.
    Threads,
    /// Eraser, hybrid detection and TREE on the same programs.
    Evaluate,
    /// TREE on the micro-benchmarks of its thesis.
    Tree,
    /// The kernels and six real programs, plain and sampled at several rates.
    Sample,
    /// Real programs under FastTrack alone, ConTest and DrFinder.
    Hunt,
    /// How many runs each scheduler takes to find the races of programs/hidden; `--size 25` makes a quarter of the hunts.
    HuntHidden,
}

impl Bench {
    fn run(self) -> Result<()> {
        let extent = if self.quick { bench::Extent::Quick } else { bench::Extent::Kept };
        let choice = kernels::Choice { only: self.only, jdk: self.jdk, size: self.size, threads: self.threads };
        let parts = if self.parts.is_empty() { Part::value_variants() } else { &self.parts };
        for part in parts {
            match part {
                Part::Offline => bench::run(extent)?,
                Part::Prediction => prediction::run(extent)?,
                Part::Hidden => hidden::run(extent)?,
                Part::Operations => operations::run(extent)?,
                Part::Kernels => kernels::run(extent, &choice)?,
                Part::Real => kernels::run_real(extent, &choice)?,
                Part::Threads => kernels::run_threads(extent, &choice)?,
                Part::Evaluate => evaluate::run(extent, &choice)?,
                Part::Tree => micro::run(extent, &choice)?,
                Part::Sample => sampling::run(extent, &choice)?,
                Part::Hunt => hunt::run(extent, &choice)?,
                Part::HuntHidden => hunt::hidden::run(extent, &choice)?,
            }
        }
        Ok(())
    }
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Setup => setup::run(),
        Task::Demo => demo::run(),
        Task::Dist(dist) => dist.run(),
        Task::Test { quick: true, .. } => test::run(test::Extent::Quick),
        Task::Test { full, .. } => test::run(if full { test::Extent::Full } else { test::Extent::Ordinary }),
        Task::Bench(bench) => bench.run(),
        Task::Real { names, jdk } => real::run(&names, jdk),
        Task::Soak(soak) => soak.run(),
        Task::VerifyCorpus => corpus::run(),
        Task::Tidy => tidy::run(),
    }
}
