//! Exit codes, the same for all commands: 0 clean, 66 races, 69 nothing was watched or a self-check failed, 70 an internal
//! error, 2 usage. Clap exits with 2 too. A program that `run` watched keeps its own code if it failed.

use std::process::ExitCode;

const RACES: u8 = 66;
const NOT_WATCHED: u8 = 69;
const INTERNAL: u8 = 70;
const USAGE: u8 = 2;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing to complain about.
    Clean,
    /// Races were found.
    Races,
    /// Races were found, and the user has chosen the code for that.
    RacesAs(u8),
    /// A self-check failed; it has said which.
    Unfit,
    /// No JVM was watched, so nothing can be said.
    NotWatched,
    /// JVMs were watched, but none of their classes.
    NothingWoven,
    /// An agent or this program has failed: what was not found means nothing.
    Fault,
    /// The watched program failed with this code.
    Program(u8),
}

/// The exit code; an error goes to stderr, in one line.
pub(crate) fn code(outcome: anyhow::Result<Outcome>) -> ExitCode {
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Races) => ExitCode::from(RACES),
        Ok(Outcome::RacesAs(code) | Outcome::Program(code)) => ExitCode::from(code),
        Ok(Outcome::Unfit) => ExitCode::from(NOT_WATCHED),
        Ok(Outcome::NotWatched) => {
            eprintln!("autodrome: no JVM was watched");
            ExitCode::from(NOT_WATCHED)
        }
        Ok(Outcome::NothingWoven) => {
            eprintln!("autodrome: no class was woven: see --include and --exclude");
            ExitCode::from(NOT_WATCHED)
        }
        Ok(Outcome::Fault) => {
            eprintln!("autodrome: internal error: the result is not complete; please report it, with --debug FILE");
            ExitCode::from(INTERNAL)
        }
        Err(error) => {
            eprintln!("autodrome: {error:#}");
            ExitCode::from(USAGE)
        }
    }
}
