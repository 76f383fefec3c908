//! `autodrome`: finds data races in Java programs.
//!
//! Each command is a module; this file joins them and turns what happened into an exit code. Results go to stdout or
//! `--out`, everything else to stderr.

#![allow(clippy::print_stdout, reason = "the command line tool is what prints")]

mod analyze;
mod collect;
mod compare;
mod convert;
mod doctor;
mod exit;
mod gate;
mod guards;
mod hybrid;
mod info;
mod names;
mod out;
mod predict;
mod progress;
mod record;
mod resources;
mod run;
mod schedule;
mod shell;
mod show;
mod signals;
mod suppress;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

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
    Run(Box<run::Run>),
    Record(record::Record),
    Doctor(doctor::Doctor),
    Report(show::Show),
    Merge(show::Merge),
    Suppress(suppress::Suppress),
    Suppressions(suppress::Suppressions),
    Completions(shell::Completions),
    Man(shell::Man),
}

fn main() -> ExitCode {
    let command = Arguments::parse().command;
    // The panic's own message is on stderr already.
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| run(command))).unwrap_or(Ok(Outcome::Fault));
    exit::code(outcome)
}

fn run(command: Command) -> Result {
    match command {
        Command::Analyze(analyze) => analyze.run(),
        Command::Predict(predict) => predict.run(),
        Command::Compare(compare) => compare.run(),
        Command::Convert(convert) => convert.run(),
        Command::Info(info) => info.run(),
        Command::Run(run) => run.run(),
        Command::Record(record) => record.run(),
        Command::Doctor(doctor) => doctor.run(),
        Command::Report(show) => show.run(),
        Command::Merge(merge) => merge.run(),
        Command::Suppress(suppress) => suppress.run(),
        Command::Suppressions(suppressions) => suppressions.run(),
        Command::Completions(completions) => completions.run(Arguments::command()),
        Command::Man(man) => man.run(Arguments::command()),
    }
}

/// What a command returns: an outcome, or an error that is the user's to mend.
type Result<T = Outcome> = anyhow::Result<T>;
