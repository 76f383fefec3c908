//! What can go wrong with a trace.

use std::io;
use std::path::{Path, PathBuf};

use model::EventIndex;

/// What can go wrong with a trace. Every error names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },

    /// The trace is of a version that this program does not know.
    #[error("{}: the trace is of version {found}, newer than version {known} that this program reads", path.display())]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The newest version that we know.
        known: u16,
    },

    /// A part of a binary trace cannot be right.
    #[error("{}: damaged at byte {offset}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged part starts.
        offset: u64,
        /// What is wrong with it.
        reason: String,
    },

    /// A line of a text trace cannot be right.
    #[error("{}:{line}: expected {expected}, found {found}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What would have been right.
        expected: String,
        /// What is there.
        found: String,
    },

    /// An event has no form in the format to be written.
    #[error("{}: {format} cannot express event {}: {what}", path.display(), event.0)]
    Inexpressible {
        /// The file.
        path: PathBuf,
        /// The format.
        format: &'static str,
        /// The first such event.
        event: EventIndex,
        /// What it does.
        what: &'static str,
    },

    /// Events that were handed over for writing contradict themselves or the header.
    #[error("{}: cannot write event {}: {problem}", path.display(), event.0)]
    Unfit {
        /// The file.
        path: PathBuf,
        /// The event.
        event: EventIndex,
        /// What is wrong.
        problem: &'static str,
    },

    /// A name that was handed over for writing is too long.
    #[error("{}: a name of {length} bytes is longer than {limit} bytes: {start}…", path.display())]
    LongName {
        /// The file.
        path: PathBuf,
        /// How long it is.
        length: usize,
        /// How long it may be.
        limit: usize,
        /// How it starts.
        start: String,
    },
}

impl Error {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Error::Io { path: path.to_path_buf(), source }
    }
}
