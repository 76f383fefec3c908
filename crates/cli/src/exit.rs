//! Exit codes, the same for all commands: 0 clean, 66 races, 69 nothing was watched, not all was recorded, or a
//! self-check failed, 70 an internal error, 2 usage. Clap exits with 2 too. A program that `run` watched keeps its own
//! code if it failed.

use std::fmt;
use std::process::ExitCode;

use report::{Report, plain};

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
    /// No race was found, but what was to be recorded was not recorded to its end.
    NotRecorded,
    /// Nothing was watched, so nothing can be said.
    NotWatched(Silence),
    /// An agent or this program has failed: what was not found means nothing.
    Fault,
    /// The watched program failed with this code.
    Program(u8),
}

/// Why a report without races means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// No JVM was watched.
    NoJvm,
    /// JVMs were watched, but none of their classes.
    NoClass,
    /// All JVMs were killed, or crashed, before they said what they had watched.
    Died,
}

impl Silence {
    /// Of a report of running programs, if it is silent for want of anything to look at.
    pub(crate) fn of(report: &Report) -> Option<Silence> {
        match report.jvms.as_slice() {
            _ if report.has_fault() || !report.analyses.is_empty() || !report.races.is_empty() => None,
            [] => Some(Silence::NoJvm),
            jvms if jvms.iter().all(|jvm| jvm.died) => Some(Silence::Died),
            jvms => jvms.iter().all(|jvm| jvm.classes_woven == 0).then_some(Silence::NoClass),
        }
    }
}

impl fmt::Display for Silence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Silence::NoJvm => {
                "autodrome: no JVM was watched: none was started, all were build tools', or the environment did not \
                 reach them; run --debug FILE lists those left alone"
            }
            Silence::NoClass => "autodrome: no class was woven: see --include and --exclude",
            Silence::Died => {
                "autodrome: no JVM lived to report what it had watched: it was killed or crashed; no race up to then"
            }
        })
    }
}

/// The exit code; an error goes to stderr, in one line.
pub(crate) fn code(outcome: anyhow::Result<Outcome>) -> ExitCode {
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Races) => ExitCode::from(RACES),
        Ok(Outcome::RacesAs(code) | Outcome::Program(code)) => ExitCode::from(code),
        Ok(Outcome::Unfit) => ExitCode::from(NOT_WATCHED),
        Ok(Outcome::NotRecorded) => {
            eprintln!("autodrome: the recording is not complete: make room, or record to another place with -o");
            ExitCode::from(NOT_WATCHED)
        }
        Ok(Outcome::NotWatched(silence)) => {
            eprintln!("{silence}");
            ExitCode::from(NOT_WATCHED)
        }
        Ok(Outcome::Fault) => {
            eprintln!("autodrome: internal error: the result is not complete; please report it, with --debug FILE");
            ExitCode::from(INTERNAL)
        }
        Err(error) => {
            eprintln!("autodrome: {}", plain(&format!("{error:#}")));
            ExitCode::from(USAGE)
        }
    }
}
