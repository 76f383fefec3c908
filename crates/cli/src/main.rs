//! `autodrome`: finds data races in Java programs.
//!
//! Each command is a module; this file joins them and turns what happened into an exit code. Results go to stdout or
//! `--out`, everything else to stderr.

#![allow(clippy::print_stdout, reason = "the command line tool is what prints")]

mod analyze;
mod compare;
mod convert;
mod doctor;
mod exit;
mod info;
mod names;
mod out;
mod predict;
mod progress;
mod record;
mod resources;
mod run;
mod schedule;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::Outcome;

/// Finds data races in Java programs.
#[derive(Parser)]
#[command(name = "autodrome", version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Analyze(analyze::Analyze),
    Predict(predict::Predict),
    Compare(compare::Compare),
    Convert(convert::Convert),
    Info(info::Info),
    Run(run::Run),
    Record(record::Record),
    Doctor(doctor::Doctor),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Analyze(analyze) => analyze.run(),
        Command::Predict(predict) => predict.run(),
        Command::Compare(compare) => compare.run(),
        Command::Convert(convert) => convert.run(),
        Command::Info(info) => info.run(),
        Command::Run(run) => run.run(),
        Command::Record(record) => record.run(),
        Command::Doctor(doctor) => doctor.run(),
    };
    exit::code(outcome)
}

/// What a command returns: an outcome, or an error that is the user's to mend.
type Result<T = Outcome> = anyhow::Result<T>;
