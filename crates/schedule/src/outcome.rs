//! What the schedule of a run was: `autodrome.outcome/1`.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::FileError;
use crate::gate::Gate;
use crate::orders::{Coverage, Order};
use crate::path::ThreadPath;
use crate::relations::Relation;
use crate::symbols::Symbols;

/// The schema of an outcome.
const SCHEMA: &str = "autodrome.outcome/1";

/// What the gate has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Counts {
    /// Threads that were held until an event.
    pub holds: u64,
    /// Threads that were delayed.
    pub delays: u64,
    /// Holds that ended because their time was over.
    pub timeouts: u64,
    /// Holds that ended because nothing but held threads could run.
    pub thrashings: u64,
    /// Threads that were escorted by DrFinder.
    pub escorts: u64,
    /// Those that took the lock that was expected of them.
    pub arrived: u64,
    /// The longest hold that ended by its time or by thrashing, in microseconds.
    pub longest_hold_us: u64,
}

/// How often a candidate was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// Which candidate of the plan.
    pub candidate: usize,
    /// How often a thread was held in front of one of its accesses.
    pub holds: u64,
    /// How often two threads met there.
    pub catches: u64,
}

/// A thread that stood before an access of a candidate when it was caught, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Poised {
    /// The thread.
    pub thread: ThreadPath,
    /// Its access: `read` or `write`, a blank, the place.
    pub access: String,
    /// The types of the locks that it held, and where it took each.
    #[serde(default)]
    pub locks: Vec<Held>,
    /// Its stack, innermost frame first.
    #[serde(default)]
    pub stack: Vec<String>,
}

/// A lock that a thread held, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// The type of the lock.
    pub lock: String,
    /// Where it was taken.
    pub taken_at: String,
}

/// Two threads that stood before conflicting accesses to one variable, as they stood there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatchRecord {
    /// Which candidate of the plan.
    pub candidate: usize,
    /// The thread that was let go first.
    pub first: Poised,
    /// The thread that was let go then.
    pub second: Poised,
}

/// A thread of a deadlock, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// The thread.
    pub thread: ThreadPath,
    /// The type of the lock that it waits for.
    pub lock: String,
    /// Where it wants to take it.
    pub at: String,
    /// Where the owner took it.
    pub taken_at: String,
    /// Its stack, innermost frame first.
    #[serde(default)]
    pub stack: Vec<String>,
}

/// A deadlock of the program, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeadlockRecord {
    /// Each thread waits for a lock of the next one, the last for a lock of the first.
    pub circle: Vec<Stop>,
}

/// What the schedule of a run was. Several JVMs of a run have one each, which [`Outcome::merge`] joins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    schema: String,
    /// What the gate has done.
    #[serde(default)]
    pub counts: Counts,
    /// The relation that was collected.
    #[serde(default)]
    pub relation: BTreeSet<Relation>,
    /// The orders of critical sections that were seen.
    #[serde(default)]
    pub orders: BTreeSet<Order>,
    /// Candidates that were tried.
    #[serde(default)]
    pub tried: Vec<Tried>,
    /// What was caught.
    #[serde(default)]
    pub catches: Vec<CatchRecord>,
    /// Deadlocks.
    #[serde(default)]
    pub deadlocks: BTreeSet<DeadlockRecord>,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome {
            schema: SCHEMA.to_owned(),
            counts: Counts::default(),
            relation: BTreeSet::new(),
            orders: BTreeSet::new(),
            tried: Vec::new(),
            catches: Vec::new(),
            deadlocks: BTreeSet::new(),
        }
    }
}

impl Outcome {
    /// What a gate has done and seen; `place` names a site.
    #[must_use]
    pub fn of(gate: &Gate, symbols: &Symbols, place: impl Fn(model::SiteId) -> String) -> Outcome {
        Outcome {
            counts: gate.counts(),
            relation: gate.collected().named(symbols),
            orders: gate.orders().map(|(first, second)| Order { first: place(first), second: place(second) }).collect(),
            tried: gate.tried(),
            ..Outcome::default()
        }
    }

    /// Reads an outcome.
    pub fn parse(bytes: &[u8]) -> Result<Outcome, FileError> {
        parse(bytes, SCHEMA)
    }

    /// The outcome as a file.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// Adds what another JVM of the same run did.
    pub fn merge(&mut self, other: Outcome) {
        let (mine, theirs) = (&mut self.counts, other.counts);
        for (sum, more) in [
            (&mut mine.holds, theirs.holds),
            (&mut mine.delays, theirs.delays),
            (&mut mine.timeouts, theirs.timeouts),
            (&mut mine.thrashings, theirs.thrashings),
            (&mut mine.escorts, theirs.escorts),
            (&mut mine.arrived, theirs.arrived),
        ] {
            *sum = sum.saturating_add(more);
        }
        mine.longest_hold_us = mine.longest_hold_us.max(theirs.longest_hold_us);
        self.relation.extend(other.relation);
        self.orders.extend(other.orders);
        self.deadlocks.extend(other.deadlocks);
        self.catches.extend(other.catches);
        let mut tried: BTreeMap<usize, Tried> = self.tried.iter().map(|tried| (tried.candidate, *tried)).collect();
        for more in other.tried {
            let sum = tried.entry(more.candidate).or_insert(Tried { holds: 0, catches: 0, ..more });
            sum.holds = sum.holds.saturating_add(more.holds);
            sum.catches = sum.catches.saturating_add(more.catches);
        }
        self.tried = tried.into_values().collect();
    }

    /// How many of the lock orders were seen both ways.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        Coverage::of(&self.orders)
    }
}

/// What every file of this crate begins with.
#[derive(Deserialize)]
struct Head {
    schema: String,
}

/// Reads a file of a schema.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], schema: &'static str) -> Result<T, FileError> {
    let malformed = |error: serde_json::Error| FileError::Malformed { schema, why: error.to_string() };
    let head: Head = serde_json::from_slice(bytes).map_err(malformed)?;
    if head.schema != schema {
        return Err(FileError::OtherSchema { expected: schema, found: head.schema });
    }
    serde_json::from_slice(bytes).map_err(malformed)
}

/// A file of this crate: its keys are names and its values finite, so JSON has a form for each.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
