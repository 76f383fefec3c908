//! Options of the lockset detectors.

use crate::choice::choices;
use crate::files::FileName;
use crate::group::options;
use crate::name::Name;

/// A thread is not expected to hold more locks at once, unless a first run has counted them. This is N of O'Callahan and
/// Choi 2003, section 5.4.
const MAX_LOCKS: u64 = 16;

choices! {
    /// What of an array is a variable.
    #[derive(Default)]
    pub enum Elements {
        /// The array as a whole.
        #[default]
        Whole = "whole",
        /// Each element.
        Each = "each",
    }
}

choices! {
    /// Whether a static field has an owner in Simple mode, until a second thread accesses it.
    #[derive(Default)]
    pub enum Statics {
        /// It has.
        #[default]
        Owned = "owned",
        /// Each access counts, but for those before there is a second thread.
        Shared = "shared",
    }
}

choices! {
    /// Which races of a variable are reported.
    #[derive(Default)]
    pub enum Pairs {
        /// The first: the variable is not watched after it.
        #[default]
        First = "first",
        /// One for each pair of places.
        All = "all",
    }
}

choices! {
    /// A part of hybrid detection that the paper measures.
    pub enum Part {
        /// The order of messages; a thread-locality check stands in for it.
        Hb = "hb",
        /// The oversized-lockset rule.
        Oversized = "oversized",
        /// Both rules about redundant accesses.
        Opts = "opts",
    }
}

options! {
    /// What the lockset detectors do.
    pub struct LocksetOptions {
        /// The race-prone fields; without, all are watched.
        "fields" => fields: Option<FileName>,
        /// No thread is expected to hold more locks at once.
        "locks" => max_locks: u64 = MAX_LOCKS,
        /// What of an array is a variable.
        "elements" => elements: Elements,
        /// Whether a static field has an owner.
        "statics" => statics: Statics,
        /// Which races of a variable are reported.
        "pairs" => pairs: Pairs,
        /// Parts that are left out, to be measured.
        "without" => without: Vec<Part>,
        /// Methods that send messages.
        "send" => sends: Vec<Name>,
        /// Methods that receive messages.
        "receive" => receives: Vec<Name>,
        /// Fields that are messages.
        "flag" => flags: Vec<Name>,
    }
}
