//! `autodrome`: finds data races in Java programs.
//!
//! Each command is a module; this file joins them and turns what happened into an exit code. Results go to stdout or
//! `--out`, everything else to stderr.

#![allow(clippy::print_stdout, reason = "the command line tool is what prints")]

/// Shadows the standard `eprintln!` in all modules below: ignores a closed stderr, and writes a line in one piece.
macro_rules! eprintln {
    ($($arguments:tt)*) => { crate::out::say(&format!($($arguments)*)) };
}

mod analyze;
mod collect;
mod compare;
mod convert;
mod detected;
mod detector;
mod doctor;
mod exit;
mod explain;
mod gate;
mod guards;
mod hunt;
mod hybrid;
mod info;
mod names;
mod out;
mod predict;
mod progress;
mod prove;
mod record;
mod replay;
mod resources;
mod run;
mod sample;
mod schedule;
mod shell;
mod show;
mod signals;
mod suppress;

use std::env;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use exit::Outcome;

/// What it is and what it was tested with.
pub(crate) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("AUTODROME_COMMIT"), "; tested with JDK 17, 21 and 25)");

/// Finds data races in Java programs.
#[derive(Parser)]
#[command(name = "autodrome", version = VERSION, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(Box<run::Run>),
    Hunt(Box<hunt::Hunt>),
    Prove(Box<prove::Prove>),
    Replay(Box<replay::Replay>),
    Report(show::Show),
    Merge(show::Merge),
    Explain(explain::Explain),
    Suppress(suppress::Suppress),
    Suppressions(suppress::Suppressions),
    Doctor(doctor::Doctor),
    Record(record::Record),
    Sample(Box<sample::Sample>),
    Analyze(analyze::Analyze),
    Predict(predict::Predict),
    Compare(compare::Compare),
    Convert(convert::Convert),
    Info(info::Info),
    Completions(shell::Completions),
    Man(shell::Man),
}

fn main() -> ExitCode {
    let command = Arguments::try_parse().unwrap_or_else(|error| wrong(error)).command;
    // The panic's own message is on stderr already.
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| run(command))).unwrap_or(Ok(Outcome::Fault));
    exit::code(outcome)
}

/// Ends with what clap says, and with what to type if the two dashes before a command, or `run`, were forgotten.
fn wrong(mut error: clap::Error) -> ! {
    let words: Vec<String> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let watching = matches!(words.first().map(String::as_str), Some("run" | "record" | "hunt" | "prove" | "sample"));
    if error.kind() == ErrorKind::UnknownArgument {
        // That an option which there is not can be an argument too: it would be the command.
        error.remove(ContextKind::Suggested);
    }
    let unexpected = match error.get(ContextKind::InvalidArg).or_else(|| error.get(ContextKind::InvalidSubcommand)) {
        Some(ContextValue::String(word)) => words.iter().position(|other| other == word),
        _ => None,
    };
    if let Some(command) = unexpected.and_then(|at| words.get(at..)) {
        let program = command.first().is_some_and(|word| is_program(word));
        let forgotten = program && matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand);
        if forgotten {
            let before = if watching { words[..words.len() - command.len()].join(" ") } else { "run".to_owned() };
            let tip = format!("to watch a command: autodrome {before} -- {}", command.join(" "));
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
    }
    error.exit()
}

/// Could a shell start this?
fn is_program(word: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&path);
    if word.contains('/') { Path::new(word).is_file() } else { folders.any(|folder| folder.join(word).is_file()) }
}

fn run(command: Command) -> Result {
    match command {
        Command::Run(run) => run.run(),
        Command::Hunt(hunt) => hunt.run(),
        Command::Prove(prove) => prove.run(),
        Command::Replay(replay) => replay.run(),
        Command::Report(show) => show.run(),
        Command::Merge(merge) => merge.run(),
        Command::Explain(explain) => explain.run(),
        Command::Suppress(suppress) => suppress.run(),
        Command::Suppressions(suppressions) => suppressions.run(),
        Command::Doctor(doctor) => doctor.run(),
        Command::Record(record) => record.run(),
        Command::Sample(sample) => sample.run(),
        Command::Analyze(analyze) => analyze.run(),
        Command::Predict(predict) => predict.run(),
        Command::Compare(compare) => compare.run(),
        Command::Convert(convert) => convert.run(),
        Command::Info(info) => info.run(),
        Command::Completions(completions) => completions.run(Arguments::command()),
        Command::Man(man) => man.run(Arguments::command()),
    }
}

/// What a command returns: an outcome, or an error that is the user's to mend.
type Result<T = Outcome> = anyhow::Result<T>;
