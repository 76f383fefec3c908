//! What can be wrong with options: each error names the part that is wrong and what is valid there.

use std::path::PathBuf;

/// Why a list of options cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// A part of the list has no `=`.
    #[error("`{part}` is not key=value; the keys are {keys}")]
    NoValue {
        /// The part.
        part: String,
        /// All keys.
        keys: String,
    },
    /// No option has this key.
    #[error("`{part}`: there is no option `{key}`; the keys are {keys}")]
    UnknownKey {
        /// The part of the list.
        part: String,
        /// Its key.
        key: String,
        /// All keys.
        keys: String,
    },
    /// The option does not take this value.
    #[error("`{part}`: `{key}` takes {valid}")]
    InvalidValue {
        /// The part of the list.
        part: String,
        /// Its key.
        key: String,
        /// The valid values.
        valid: String,
    },
    /// A file of options cannot be read.
    #[error("cannot read {}: {why}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        why: String,
    },
}

/// A path that cannot be part of a list of options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: such a path cannot be passed to a JVM; it must be valid UTF-8, without commas and double quotes", path.display())]
pub struct Unpassable {
    /// The path.
    pub path: PathBuf,
}
