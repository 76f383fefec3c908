//! What a controlled run is asked to do, as a part of its plan.

use std::fs;

use model::SiteId;
use serde::{Deserialize, Serialize};

use super::baton::{Baton, Conduct};
use super::policies::{Guide, Leg, Pct, Pos, RandomWalk, Replay};
use super::policy::Policy;
use super::schedule::{Header, Schedule, SiteNames};
use crate::error::FileError;
use crate::plan::Scheduler;

/// Which operations of the program are points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Points {
    /// Synchronization, and all accesses of the program.
    #[default]
    All,
    /// Synchronization only: monitors, threads, calls into `java.util.concurrent`.
    Sync,
}

impl Points {
    /// Its name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Points::All => "all",
            Points::Sync => "sync",
        }
    }

    /// The name back.
    #[must_use]
    pub fn named(name: &str) -> Option<Points> {
        [Points::All, Points::Sync].into_iter().find(|points| points.name() == name)
    }
}

/// How a schedule is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Follow {
    /// As it is: the first difference ends control.
    #[default]
    Exactly,
    /// By methods and their n-th points, as far as it goes.
    Loosely,
    /// By the lengths of its stretches, as far as it goes: what minimisation tries.
    ByLength,
}

/// What a controlled run is asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Controls {
    /// PCT: how many ordering constraints the bugs have that it looks for.
    pub depth: u32,
    /// PCT: how many contested operations the run is expected to have.
    pub length: u64,
    /// Random walk: one of so many points is a choice.
    pub stretch: u32,
    /// At one of so many decisions time-outs may fire early; 0 for never.
    pub early_timeouts: u32,
    /// Which operations are points.
    pub points: Points,
    /// The file of the schedule to follow.
    pub schedule: Option<String>,
    /// How it is followed.
    pub follow: Follow,
    /// What the virtual clock begins with, in milliseconds since 1970.
    pub clock: u64,
    /// So long nothing may happen, in milliseconds, until control is given up.
    pub patience_ms: u64,
    /// The command, for the schedule's header.
    pub command: Vec<String>,
}

impl Default for Controls {
    fn default() -> Controls {
        Controls {
            depth: 3,
            length: 1000,
            stretch: 1,
            early_timeouts: 8,
            points: Points::All,
            schedule: None,
            follow: Follow::Exactly,
            clock: 0,
            patience_ms: 10_000,
            command: Vec::new(),
        }
    }
}

impl Controls {
    /// The baton of a run, whose first thread stands at a site.
    ///
    /// # Errors
    ///
    /// If the schedule to follow cannot be read.
    pub fn baton(
        &self,
        scheduler: Scheduler,
        seed: u64,
        names: Box<dyn SiteNames>,
        site: SiteId,
    ) -> Result<Baton, FileError> {
        let follows = self.schedule.is_some();
        let policy: Box<dyn Policy> = match (&self.schedule, scheduler) {
            (Some(file), _) => self.following(&read(file)?, names),
            (None, Scheduler::Pct) => Box::new(Pct::new(seed, self.depth, self.length)),
            (None, Scheduler::Pos) => Box::new(Pos::new(seed)),
            (None, _) => Box::new(RandomWalk::new(seed, self.stretch)),
        };
        let early_timeouts = if follows { 0 } else { self.early_timeouts };
        let conduct = Conduct { early_timeouts, seed: !seed, has_free_threads: true, ..Conduct::default() };
        Ok(Baton::new(policy, conduct, site))
    }

    fn following(&self, schedule: &Schedule, names: Box<dyn SiteNames>) -> Box<dyn Policy> {
        match self.follow {
            Follow::Exactly => Box::new(Replay::new(schedule.clone(), names)),
            Follow::Loosely => Box::new(Guide::loosely(schedule, names)),
            Follow::ByLength => Box::new(Guide::new(Leg::all(schedule, false))),
        }
    }

    /// What the schedule of the run says of it.
    #[must_use]
    pub fn header(&self, scheduler: Scheduler, seed: u64, jdk: String) -> Header {
        let mut points = vec![self.points.name().to_owned()];
        points.extend(["monitors", "threads", "java.util.concurrent"].map(str::to_owned));
        Header {
            command: self.command.clone(),
            jdk,
            points,
            clock: Some(self.clock),
            policy: scheduler.name().to_owned(),
            seed,
            ..Header::default()
        }
    }
}

/// Reads a schedule.
///
/// # Errors
///
/// If it cannot be read.
pub fn read(file: &str) -> Result<Schedule, FileError> {
    let unreadable = |error: std::io::Error| FileError::Malformed {
        schema: "autodrome.schedule/2",
        why: format!("{file}: {error}"),
    };
    Schedule::parse(&fs::read(file).map_err(unreadable)?)
}
