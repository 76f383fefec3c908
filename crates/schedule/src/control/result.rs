//! What became of a controlled run: `autodrome.controlled/1`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::FileError;

/// The schema of a result.
const SCHEMA: &str = "autodrome.controlled/1";

/// What became of a controlled run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Controlled {
    /// Which file it is.
    pub schema: String,
    /// Operations.
    pub steps: u64,
    /// Those of them during which another thread could have gone on.
    pub contested: u64,
    /// How often the baton changed hands.
    pub switches: u64,
    /// Threads that were controlled.
    pub threads: u64,
    /// How often a thread was found blocked outside the model.
    pub outside: u64,
    /// What was not controlled, with how often it was met.
    #[serde(default)]
    pub uncontrolled: BTreeMap<String, u64>,
    /// Why control was given up before the end, if it was.
    #[serde(default)]
    pub given_up: Option<String>,
    /// Where the run left the schedule that it was to follow.
    #[serde(default)]
    pub divergence: Option<String>,
    /// How many stretches of a schedule could not be followed, if it was followed loosely.
    #[serde(default)]
    pub left_out: u64,
    /// The threads of a deadlock, one line each.
    #[serde(default)]
    pub deadlock: Vec<String>,
}

impl Default for Controlled {
    fn default() -> Controlled {
        Controlled {
            schema: SCHEMA.to_owned(),
            steps: 0,
            contested: 0,
            switches: 0,
            threads: 0,
            outside: 0,
            uncontrolled: BTreeMap::new(),
            given_up: None,
            divergence: None,
            left_out: 0,
            deadlock: Vec::new(),
        }
    }
}

impl Controlled {
    /// Reads a result.
    ///
    /// # Errors
    ///
    /// If the bytes are none.
    pub fn parse(bytes: &[u8]) -> Result<Controlled, FileError> {
        crate::outcome::parse(bytes, SCHEMA)
    }

    /// The result as a file.
    #[must_use]
    pub fn to_json(&self) -> String {
        crate::outcome::to_json(self)
    }
}
