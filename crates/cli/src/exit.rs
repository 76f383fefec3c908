//! Exit codes, the same for all commands: 0 clean, 66 races, 2 usage. Clap exits with 2 too.

use std::process::ExitCode;

const RACES: u8 = 66;
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
}

/// The exit code; an error goes to stderr, in one line.
pub(crate) fn code(outcome: anyhow::Result<Outcome>) -> ExitCode {
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Races) => ExitCode::from(RACES),
        Ok(Outcome::RacesAs(code)) => ExitCode::from(code),
        Err(error) => {
            eprintln!("autodrome: {error:#}");
            ExitCode::from(USAGE)
        }
    }
}
