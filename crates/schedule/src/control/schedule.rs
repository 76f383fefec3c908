//! The schedule of a run: `autodrome.schedule/2`.

use std::collections::BTreeMap;
use std::fmt;

use model::SiteId;
use serde::{Deserialize, Serialize};

use super::baton::Baton;
use super::policy::Pick;
use crate::path::ThreadPath;

/// What the run was one of: whoever replays it needs the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Header {
    /// The command.
    pub command: Vec<String>,
    /// The JDK: vendor and full version.
    pub jdk: String,
    /// Class files or jars, each with a hash of its content.
    pub classes: BTreeMap<String, String>,
    /// Variables of the environment and properties that the program may depend on.
    pub environment: BTreeMap<String, String>,
    /// Which points there were, by name.
    pub points: Vec<String>,
    /// What the virtual clock began with; `None` if time was real.
    pub clock: Option<u64>,
    /// Who decided.
    pub policy: String,
    /// What from.
    pub seed: u64,
}

/// A site in terms that outlive the run and small edits of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteName {
    /// The method, with its class.
    pub method: String,
    /// The n-th point of the method, counted from 0.
    pub nth: u32,
    /// The place as a person reads it, such as `Main.java:12`.
    pub place: String,
}

impl SiteName {
    /// Is it the same point of the same method, perhaps on another line?
    #[must_use]
    pub fn resembles(&self, other: &SiteName) -> bool {
        (&self.method, self.nth) == (&other.method, other.nth)
    }
}

impl fmt::Display for SiteName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}({}) #{}", self.method, self.place, self.nth)
    }
}

/// Names the sites of a run.
pub trait SiteNames: Send {
    /// The name of a site.
    fn name(&self, site: SiteId) -> SiteName;
}

impl<F: Fn(SiteId) -> SiteName + Send> SiteNames for F {
    fn name(&self, site: SiteId) -> SiteName {
        self(site)
    }
}

/// A thread of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadName {
    /// Its name in all runs.
    pub path: ThreadPath,
    /// What a person calls it: the thread's name, or its entry method.
    pub name: String,
}

/// Why a stretch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The policy chose another thread; the thread could have gone on.
    Choice,
    /// The thread could not go on.
    Blocked,
    /// The thread went outside.
    Outside,
    /// The thread ended.
    Ended,
    /// The run was stopped, or no longer controlled.
    Stopped,
}

impl fmt::Display for End {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            End::Choice => "preempted",
            End::Blocked => "blocked",
            End::Outside => "outside",
            End::Ended => "ended",
            End::Stopped => "stopped",
        })
    }
}

/// A choice beside which thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Picked {
    /// What was chosen.
    pub what: Pick,
    /// Among how many.
    pub of: u32,
    /// Which.
    pub picked: u32,
}

/// A stretch of a run during which one thread had the baton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which of the schedule's threads.
    pub thread: u32,
    /// How many operations it made.
    pub points: u64,
    /// Which of the schedule's sites it stood at when it lost the baton.
    pub site: u32,
    /// Why it lost it.
    pub end: End,
    /// Did it get the baton because its time-out fired?
    pub is_timed: bool,
    /// What else was chosen meanwhile.
    pub picks: Vec<Picked>,
}

/// Who had the baton for how long, in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// What the run was one of.
    pub header: Header,
    /// The threads that had the baton.
    pub threads: Vec<ThreadName>,
    /// The sites at which they lost it.
    pub sites: Vec<SiteName>,
    /// The stretches.
    pub runs: Vec<Run>,
}

impl Schedule {
    /// What a run has done so far.
    #[must_use]
    pub fn of(
        baton: &Baton,
        header: Header,
        sites: &dyn SiteNames,
        thread: impl Fn(&ThreadPath) -> String,
    ) -> Schedule {
        let threads = baton.paths().map(|path| ThreadName { path: path.clone(), name: thread(path) });
        let mut schedule = Schedule { header, threads: threads.collect(), ..Schedule::default() };
        let mut known: BTreeMap<SiteId, u32> = BTreeMap::new();
        for stretch in baton.log().stretches {
            let (site, end) = stretch.end.unwrap_or((SiteId(0), End::Stopped));
            let site = *known.entry(site).or_insert_with(|| {
                schedule.sites.push(sites.name(site));
                u32::try_from(schedule.sites.len() - 1).unwrap_or(u32::MAX)
            });
            let (thread, points, is_timed) = (stretch.thread.0, stretch.points, stretch.is_timed);
            schedule.runs.push(Run { thread, points, site, end, is_timed, picks: stretch.picks });
        }
        schedule
    }

    /// The thread of a stretch.
    #[must_use]
    pub fn thread_of(&self, run: &Run) -> Option<&ThreadName> {
        self.threads.get(run.thread as usize)
    }

    /// The site at which a stretch ended.
    #[must_use]
    pub fn site_of(&self, run: &Run) -> Option<&SiteName> {
        self.sites.get(run.site as usize)
    }

    /// The first stretch in which the schedule of another run differs, if it does.
    #[must_use]
    pub fn difference(&self, other: &Schedule) -> Option<usize> {
        let named = |schedule: &Schedule, at: usize| {
            let run = schedule.runs.get(at)?;
            let path = schedule.thread_of(run).map(|thread| thread.path.clone());
            Some((path, schedule.site_of(run).cloned(), Run { thread: 0, site: 0, ..run.clone() }))
        };
        (0..self.runs.len().max(other.runs.len())).find(|&at| named(self, at) != named(other, at))
    }

    /// How often the baton changed hands.
    #[must_use]
    pub fn switches(&self) -> usize {
        self.runs.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
    }

    /// How often a thread lost the baton that could have gone on.
    #[must_use]
    pub fn preemptions(&self) -> usize {
        self.runs.iter().filter(|run| run.end == End::Choice).count()
    }

    /// How many operations were made.
    #[must_use]
    pub fn points(&self) -> u64 {
        self.runs.iter().fold(0, |sum: u64, run| sum.saturating_add(run.points))
    }
}
