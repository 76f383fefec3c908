//! What a run is asked to do: `autodrome.plan/1`.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::contest::ConTest;
use crate::control::Controls;
use crate::drfinder::DrFinder;
use crate::error::FileError;
use crate::gate::Gate;
use crate::nudge::{Budget, Budgets, Free, Nudge};
use crate::racefuzzer::RaceFuzzer;
use crate::relations::{MayTrigger, Relation};
use crate::symbols::Symbols;

/// The schema of a plan.
const SCHEMA: &str = "autodrome.plan/1";

/// The longest hold that makes sense: an hour.
const LONGEST_HOLD_MS: u64 = 3_600_000;

/// Stacks are never looked at any deeper.
const DEEPEST: u64 = 1024;

/// Who decides who is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheduler {
    /// Nobody is held; the relation is collected (phase I of DrFinder).
    None,
    /// [`DrFinder`].
    DrFinder,
    /// [`ConTest`].
    ConTest,
    /// [`RaceFuzzer`].
    RaceFuzzer,
    /// A controlled run: [`RandomWalk`](crate::control::RandomWalk).
    Random,
    /// A controlled run: [`Pct`](crate::control::Pct).
    Pct,
    /// A controlled run: [`Pos`](crate::control::Pos).
    Pos,
    /// A controlled run that follows a schedule.
    Replay,
}

impl Scheduler {
    /// Its name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scheduler::None => "none",
            Scheduler::DrFinder => "drfinder",
            Scheduler::ConTest => "contest",
            Scheduler::RaceFuzzer => "racefuzzer",
            Scheduler::Random => "random",
            Scheduler::Pct => "pct",
            Scheduler::Pos => "pos",
            Scheduler::Replay => "replay",
        }
    }

    /// Does one thread run at a time under it?
    #[must_use]
    pub fn is_controlled(self) -> bool {
        matches!(self, Scheduler::Random | Scheduler::Pct | Scheduler::Pos | Scheduler::Replay)
    }
}

/// How a run is nudged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The longest time that a thread may be held.
    pub hold_ms: u64,
    /// How many of a thread's innermost methods may trigger what it acquires (`d` in the paper).
    pub depth: u64,
    /// DrFinder: does a thread match by any of its innermost methods, not only by the current one?
    pub any_frame: bool,
    /// DrFinder: is a lock whose type says nothing, such as `Object`, known by the field or the class that it is taken from?
    pub kinds_by_place: bool,
    /// DrFinder: how long each thread is delayed at most when it begins; 0 for not at all.
    pub start_delay_ms: u64,
    /// ConTest: the longest delay.
    pub delay_ms: u64,
    /// How often threads may be held at one site.
    pub holds_per_site: u32,
    /// How often they may be held there in vain.
    pub vain_holds_per_site: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hold_ms: 400,
            depth: 12,
            any_frame: true,
            kinds_by_place: true,
            start_delay_ms: 30,
            delay_ms: 10,
            holds_per_site: 1000,
            vain_holds_per_site: 10,
        }
    }
}

/// Two accesses of the program that may race.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The race's id in reports; empty if it has none.
    #[serde(default)]
    pub race: String,
    /// The field or array, as reports name it.
    pub variable: String,
    /// One access: `read` or `write`, a blank, the place as reports write it.
    pub first: String,
    /// The other one.
    pub second: String,
}

/// Which side of a candidate goes first when it is caught.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum First {
    /// The one that the candidate names first.
    #[default]
    First,
    /// The other one.
    Second,
}

impl First {
    /// The other side.
    #[must_use]
    pub fn other(self) -> First {
        match self {
            First::First => First::Second,
            First::Second => First::First,
        }
    }
}

/// What a run is asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    schema: String,
    /// Who decides.
    pub scheduler: Scheduler,
    /// What random choices are made from.
    pub seed: u64,
    /// How.
    #[serde(default)]
    pub settings: Settings,
    /// DrFinder: the relation of the run before.
    #[serde(default)]
    pub relation: BTreeSet<Relation>,
    /// RaceFuzzer: what is to be caught.
    #[serde(default)]
    pub candidates: Vec<Candidate>,
    /// RaceFuzzer: which side goes first.
    #[serde(default)]
    pub first: First,
    /// Controlled runs: how.
    #[serde(default)]
    pub control: Controls,
}

impl Plan {
    /// A plan without relations or candidates.
    #[must_use]
    pub fn new(scheduler: Scheduler, seed: u64, settings: Settings) -> Plan {
        Plan {
            schema: SCHEMA.to_owned(),
            scheduler,
            seed,
            settings,
            relation: BTreeSet::new(),
            candidates: Vec::new(),
            first: First::First,
            control: Controls::default(),
        }
    }

    /// Reads a plan.
    pub fn parse(bytes: &[u8]) -> Result<Plan, FileError> {
        let plan: Plan = crate::outcome::parse(bytes, SCHEMA)?;
        let ranges = [
            ("settings.hold_ms", plan.settings.hold_ms, 1, LONGEST_HOLD_MS, "a number of milliseconds up to an hour"),
            ("settings.depth", plan.settings.depth, 1, DEEPEST, "a number of methods from 1 to 1024"),
        ];
        for (field, found, least, most, expected) in ranges {
            if !(least..=most).contains(&found) {
                return Err(FileError::OutOfRange { schema: SCHEMA, field, found, expected });
            }
        }
        Ok(plan)
    }

    /// The plan as a file.
    #[must_use]
    pub fn to_json(&self) -> String {
        crate::outcome::to_json(self)
    }

    /// The gate that carries the plan out.
    #[must_use]
    pub fn gate(&self, symbols: &mut Symbols) -> Gate {
        Gate::new(self.nudge(symbols), Duration::from_millis(self.settings.hold_ms), self.seed)
    }

    fn nudge(&self, symbols: &mut Symbols) -> Box<dyn Nudge> {
        let settings = &self.settings;
        let budget = Budget { holds: settings.holds_per_site, in_vain: settings.vain_holds_per_site };
        let budgets = Budgets::new(budget);
        match self.scheduler {
            // A controlled run has no gate.
            Scheduler::None | Scheduler::Random | Scheduler::Pct | Scheduler::Pos | Scheduler::Replay => Box::new(Free),
            Scheduler::DrFinder => {
                let relation = MayTrigger::of(&self.relation, symbols);
                let frames = if settings.any_frame { usize::try_from(settings.depth).unwrap_or(1) } else { 1 };
                let delay = Duration::from_millis(settings.start_delay_ms);
                let delay = (!delay.is_zero()).then_some(delay);
                Box::new(DrFinder::new(relation, frames, delay, budgets, self.seed))
            }
            Scheduler::ConTest => Box::new(ConTest::new(Duration::from_millis(settings.delay_ms), budgets, self.seed)),
            Scheduler::RaceFuzzer => {
                let longest = Duration::from_millis(settings.hold_ms);
                Box::new(RaceFuzzer::new(self.first, self.candidates.len(), longest, budgets, self.seed))
            }
        }
    }
}
