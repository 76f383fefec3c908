//! Options of recordings.

use crate::choice::choices;
use crate::files::FileName;
use crate::group::options;
use crate::name::Name;

choices! {
    /// How the objects are found that a hidden method can reach.
    #[derive(Default)]
    pub enum BarrierData {
        /// Each is walked once, and recorded writes are followed.
        #[default]
        Once = "once",
        /// All are walked at each call.
        Full = "full",
    }
}

choices! {
    /// Whether what hidden methods do is recorded.
    #[derive(Default)]
    pub enum Insides {
        /// It is not.
        #[default]
        Hidden = "hidden",
        /// All of it is, between marks: whoever reads the trace can hide it.
        Revealed = "revealed",
    }
}

choices! {
    /// Whether a recording has what a thread's path depends on.
    #[derive(Default)]
    pub enum Branches {
        /// It does not.
        #[default]
        Unrecorded = "no",
        /// It does.
        Recorded = "yes",
    }
}

options! {
    /// What is recorded.
    pub struct RecordingOptions {
        /// Where to record to.
        "record" => file: Option<FileName>,
        /// The file that the first JVM makes, which may record to the file itself.
        "claim" => claim: Option<FileName>,
        /// Classes and packages whose methods are hidden.
        "hide" => hide: Vec<Name>,
        /// The static fields that hidden methods may synchronize through.
        "global" => globals: Vec<Name>,
        /// How the objects are found that hidden methods reach.
        "barriers" => barriers: BarrierData,
        /// Whether what hidden methods do is recorded.
        "insides" => insides: Insides,
        /// Whether a thread's branches are recorded.
        "branches" => branches: Branches,
    }
}
