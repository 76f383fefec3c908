//! What a JVM reports while it runs, one JSON value a line, so that a killed JVM loses nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::race::{LiveRace, Operation};

/// One line of what a JVM writes while it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The JVM started.
    Jvm(Jvm),
    /// A race was seen for the first time.
    Race(Box<LiveRace>),
    /// The agent has failed: from here on the JVM is not watched.
    Fault {
        /// The JVM's process.
        pid: u32,
        /// What is known of it.
        what: String,
    },
    /// A pair of places that may race on a variable.
    Candidate(Candidate),
    /// The JVM ended: its counts, and how often each race was seen.
    End {
        /// The final counts.
        jvm: Jvm,
        /// By race id.
        counts: BTreeMap<String, u64>,
    },
}

/// Two places that may race on a variable, for those who look further.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Candidate {
    /// The field, the type of an array, or the class of an object of the JDK.
    pub variable: String,
    /// Where it was accessed first.
    pub earlier: Place,
    /// Where it was accessed then.
    pub later: Place,
}

/// An instruction and what it does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Read or write.
    pub op: Operation,
    /// Where it is, as a frame.
    pub at: String,
}

/// One JVM that was watched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Jvm {
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub jdk: String,
    /// Classes that were woven.
    pub classes_woven: u64,
    /// Classes that were left as they were, by reason.
    pub classes_skipped: BTreeMap<String, u64>,
    /// Methods of woven classes that were left as they were, by reason.
    pub methods_skipped: BTreeMap<String, u64>,
    /// Classes, but for the JDK's, in which no races were looked for: only their synchronization was seen.
    #[serde(default)]
    pub classes_out_of_scope: u64,
    /// Threads seen.
    pub threads: u64,
    /// Accesses by the path that they took.
    pub accesses: Accesses,
    /// Arrays whose elements were accessed.
    #[serde(default)]
    pub arrays: Arrays,
    /// The stacks of races.
    #[serde(default)]
    pub stacks: Stacks,
    /// Was it killed, or did it crash, before it could say what it watched? Its counts are missing then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub died: bool,
    /// Names given as options that nothing in it has, such as `--include com.acme`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// Why the agent has stopped watching, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The trace that was recorded, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceFile>,
    /// What the lockset detectors saw.
    #[serde(default, skip_serializing_if = "Locksets::is_empty")]
    pub locksets: Locksets,
    /// What TREE did in front of the detector, if it was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeUse>,
    /// What was sampled, if that is how it was watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sampling: Option<Sampling>,
    /// Races, by their pair of places, that were not reported because final fields order them.
    #[serde(default)]
    pub withheld_by_final_fields: u64,
}

/// What the lockset detectors saw.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locksets {
    /// The size of the largest lockset.
    pub largest: u64,
    /// Variables that were decided: in Simple mode those that more than one thread accessed.
    pub locations: u64,
    /// Those of them whose objects are gone.
    #[serde(default)]
    pub forgotten: u64,
    /// Variables that were not watched for want of room.
    pub unwatched: u64,
    /// How often each rule fired.
    pub rules: BTreeMap<String, u64>,
    /// By class of an object of the JDK that raced, what of it did: fields as `CLASS.NAME`, arrays as `TYPE[]`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub insides: BTreeMap<String, BTreeSet<String>>,
}

/// What TREE did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeUse {
    /// Accesses judged.
    pub events: u64,
    /// Accesses that the detector did not need to see.
    pub skipped: u64,
    /// Bytes that the filter took at the end.
    pub bytes: u64,
}

/// What was sampled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sampling {
    /// What noticed second accesses.
    pub watched_by: String,
    /// Why the processor's watchpoints did not, if they were asked for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What chose the places: the same seed chooses the same ones.
    pub seed: u64,
    /// Places that were sampled.
    pub places: u64,
    /// Accesses that were sampled.
    pub accesses: u64,
    /// Accesses that could not be watched.
    pub refused: u64,
    /// Watches that a collection ended.
    pub ended_by_collections: u64,
    /// Second accesses that are no race: the first thread had synchronized.
    pub moved_on: u64,
    /// Threads that were not sampled because there were too many.
    pub threads_left_out: u64,
    /// Second accesses of which it is not known where they were made: by native code, or by the JVM itself.
    pub unattributed: u64,
    /// The processor time that sampling took, in microseconds: choosing, watching and reporting, not the clocks.
    pub cost_us: u64,
    /// How often nothing was sampled for a while because it had cost too much.
    pub pauses: u64,
}

impl Locksets {
    fn is_empty(&self) -> bool {
        *self == Locksets::default()
    }
}

/// A trace that a JVM has recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceFile {
    /// Where it is.
    pub file: String,
    /// What became of it.
    pub state: TraceState,
    /// Events in it, as far as the JVM has said.
    pub events: u64,
    /// Events that are missing at its end.
    pub lost: u64,
}

/// What became of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceState {
    /// It goes on, or the JVM was killed: it can be read up to its last whole block.
    #[default]
    Open,
    /// It could not be written any further, and can be read up to there.
    Stopped,
    /// It is complete.
    Closed,
}

/// How many accesses needed more than the same-epoch test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accesses {
    /// Decided by the ordered-epoch rule outside the detector.
    pub medium: u64,
    /// Decided by the detector.
    pub slow: u64,
    /// Made by threads that could not be watched.
    pub unwatched: u64,
}

/// The stacks that races are shown with, of either access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stacks {
    /// Whole stacks.
    pub whole: u64,
    /// Accesses whose stack is not known: the site alone is shown.
    pub site_alone: u64,
}

/// The arrays whose elements were accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrays {
    /// Arrays that were watched, dead ones too.
    pub watched: u64,
    /// Accesses to arrays that were not watched for want of memory.
    pub unwatched: u64,
    /// Bytes that their shadows take now.
    pub shadow_bytes: u64,
}
