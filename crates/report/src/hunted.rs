//! The runs of a hunt, as reports show them: what each of them found, and how much of the lock orders all until then have shown.

use serde::{Deserialize, Serialize};

/// One run of a hunt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HuntedRun {
    /// Its number, from 1.
    pub run: u64,
    /// Who decided which threads were held back.
    pub scheduler: String,
    /// How many races it showed.
    pub races: u64,
    /// How many of them no run before had shown.
    pub new: u64,
    /// How often a thread was held or delayed.
    pub holds: u64,
    /// How often nothing but held threads could run.
    pub thrashings: u64,
    /// Deadlocks that ended it.
    pub deadlocks: u64,
    /// How long it took.
    pub milliseconds: u64,
    /// Pairs of critical sections that followed each other on one lock, in this run or one before.
    pub pairs: u64,
    /// Those of them that were seen in both orders.
    pub reversed: u64,
}
