//! All options of the agent, and the list that they are as text.

use std::fmt::{self, Display};
use std::fs;
use std::str::FromStr;

use crate::choice::choices;
use crate::concolic::ConcolicOptions;
use crate::endpoint::Endpoint;
use crate::error::OptionError;
use crate::files::FileName;
use crate::group::{Group, options};
use crate::hunting::HuntOptions;
use crate::locksets::LocksetOptions;
use crate::name::Name;
use crate::recording::RecordingOptions;
use crate::sampling::SamplingOptions;

choices! {
    /// What the agent does.
    #[derive(Default)]
    pub enum Mode {
        /// FastTrack.
        #[default]
        Detect = "detect",
        /// It records, and decides nothing.
        Record = "record",
        /// It instruments and counts classes, to measure what instrumentation alone costs.
        Count = "count",
        /// Eraser, the first phase of hybrid detection.
        Simple = "simple",
        /// The second phase of hybrid detection.
        Detailed = "detailed",
        /// Sampling of clock races.
        Sample = "sample",
        /// Concolic execution: it records which decisions depended on inputs, and how.
        Concolic = "concolic",
    }
}

choices! {
    /// Where races are shown as text.
    #[derive(Default)]
    pub enum Text {
        /// As they are found, on stderr.
        #[default]
        Stderr = "stderr",
        /// Nowhere.
        None = "none",
    }
}

choices! {
    /// Where the shim finds the id of an array.
    #[derive(Default)]
    pub enum ArrayIds {
        /// In the array's header, if this JVM's headers have room.
        #[default]
        Header = "header",
        /// By the array's tag: slow, right on every JVM.
        Tags = "tags",
    }
}

choices! {
    /// What becomes of races on fields of the JDK that are filled lazily on purpose.
    #[derive(Default)]
    pub enum LazyFields {
        /// They are not reported.
        #[default]
        Ignored = "ignore",
        /// They are reported.
        Reported = "report",
    }
}

choices! {
    /// What becomes of writes of the value that is there already (O'Callahan and Choi 2003, section 7.5).
    #[derive(Default)]
    pub enum Constants {
        /// They are writes.
        #[default]
        Watched = "watch",
        /// They are ignored.
        Ignored = "ignore",
    }
}

choices! {
    /// Whether data that passes through sockets, pipes and files orders threads.
    #[derive(Default)]
    pub enum IoOrder {
        /// It does.
        #[default]
        On = "on",
        /// It does not.
        Off = "off",
    }
}

choices! {
    /// What a thread does that has made the second access of a race.
    #[derive(Default)]
    pub enum AtRace {
        /// It goes on.
        #[default]
        GoOn = "go-on",
        /// It waits, for a debugger.
        Wait = "wait",
    }
}

choices! {
    /// What drops accesses before the detector sees them.
    pub enum Filter {
        /// TREE: accesses from which the detector would learn nothing.
        Tree = "tree",
    }
}

options! {
    /// What one agent does.
    pub struct AgentOptions {
        /// What the agent does.
        "mode" => mode: Mode,
        /// Where races are shown as text.
        "text" => text: Text,
        /// The size in bytes that the launcher was asked to give to all stacks.
        "stack" => stack: Option<u64>,
        /// Where the agent's lines go.
        "out" => out: Option<FileName>,
        /// Where races go as OpenTelemetry log records.
        "otlp" => otlp: Option<Endpoint>,
        /// Where to log what is done and left alone.
        "debug" => debug: Option<FileName>,
        /// Classes and packages that are watched; empty: all.
        "include" => include: Vec<Name>,
        /// Classes and packages that are not watched.
        "exclude" => exclude: Vec<Name>,
        /// What stands in front of the detector.
        "filter" => filter: Option<Filter>,
        /// What becomes of writes of the value that is there already.
        "constants" => constants: Constants,
        /// What becomes of races on fields of the JDK that are filled lazily on purpose.
        "lazy" => lazy: LazyFields,
        /// Whether I/O orders threads.
        "io" => io_order: IoOrder,
        /// Where the id of an array is kept.
        "arrays" => arrays: ArrayIds,
        /// What a thread does that has made the second access of a race.
        "race" => at_race: AtRace,
        /// The call of the JVM in which the agent is to panic, for tests; 0 is none.
        "panic" => panic: u64,
        ..
        /// What is recorded.
        recording: RecordingOptions,
        /// What the lockset detectors do.
        locksets: LocksetOptions,
        /// Who is held back where.
        hunt: HuntOptions,
        /// What is sampled.
        sampling: SamplingOptions,
        /// Which inputs the program has.
        concolic: ConcolicOptions,
    }
}

impl AgentOptions {
    /// Reads a list in which `config=FILE` stands for what a file has: an option on each line, `#` starts a comment.
    ///
    /// # Errors
    ///
    /// If the list is wrong, or a file of it cannot be read.
    pub fn read(text: &str) -> Result<AgentOptions, OptionError> {
        let parts = text.split(',').map(|part| match part.strip_prefix("config=") {
            None => Ok(part.to_owned()),
            Some(file) => {
                let text = fs::read_to_string(file)
                    .map_err(|error| OptionError::Unreadable { file: file.into(), why: error.to_string() })?;
                let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
                Ok(lines.collect::<Vec<_>>().join(","))
            }
        });
        parts.collect::<Result<Vec<_>, OptionError>>()?.join(",").parse()
    }
}

fn keys() -> String {
    let mut keys = AgentOptions::keys();
    keys.sort_unstable();
    keys.join(", ")
}

impl FromStr for AgentOptions {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<AgentOptions, OptionError> {
        let mut options = AgentOptions::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let part = part.to_owned();
            let Some((key, value)) = part.split_once('=') else {
                return Err(OptionError::NoValue { part, keys: keys() });
            };
            let key = key.to_owned();
            match options.take(&key, value) {
                Some(Ok(())) => {}
                Some(Err(valid)) => return Err(OptionError::InvalidValue { part, key, valid: valid.to_string() }),
                None => return Err(OptionError::UnknownKey { part, key, keys: keys() }),
            }
        }
        Ok(options)
    }
}

impl Display for AgentOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given: Vec<String> = self.given().into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        f.write_str(&given.join(","))
    }
}
