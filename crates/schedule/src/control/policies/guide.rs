//! Follows a list of stretches as far as it goes, whatever the run does; then nobody is preempted.
//!
//! This is the loose replay: it survives edits of the program, and what minimisation leaves out. A leg ends when the thread has
//! made its operations and, if the leg names a site, stands there; it also ends when the thread cannot go on. A leg whose
//! thread cannot go on, or does not exist, is left out; one that is outside is waited for. So it never fails; what it left out
//! is counted, and whether the run shows what the schedule showed is for whoever runs it to find out.

use crate::control::{Choice, Decision, End, Pick, Picked, Policy, Run, Schedule, SiteName, SiteNames, State, Why};
use crate::path::ThreadPath;

/// A stretch to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// Who goes on.
    pub thread: ThreadPath,
    /// For how many operations.
    pub points: u64,
    /// Until it stands there, if it does within about as many operations.
    pub site: Option<SiteName>,
    /// What else was chosen meanwhile.
    pub picks: Vec<Picked>,
}

impl Leg {
    /// The stretches of a schedule, by their lengths only, or by their sites.
    #[must_use]
    pub fn all(schedule: &Schedule, by_site: bool) -> Vec<Leg> {
        let leg = |run| {
            let site = schedule.site_of(run).filter(|_| by_site).cloned();
            let thread = schedule.thread_of(run)?.path.clone();
            Some(Leg { thread, points: run.points, site, picks: run.picks.clone() })
        };
        schedule.runs.iter().filter_map(leg).collect()
    }

    /// A schedule to be followed by the lengths of these legs, in a run of the same program as another one.
    #[must_use]
    pub fn schedule(legs: &[Leg], of: &Schedule) -> Schedule {
        let thread = |leg: &Leg| of.threads.iter().position(|thread| thread.path == leg.thread);
        let run = |leg: &Leg| {
            let thread = u32::try_from(thread(leg)?).ok()?;
            let picks = leg.picks.clone();
            Some(Run { thread, points: leg.points, site: 0, end: End::Choice, is_timed: false, picks })
        };
        Schedule { runs: legs.iter().filter_map(run).collect(), ..of.clone() }
    }
}

/// Follows legs.
pub struct Guide {
    legs: Vec<Leg>,
    names: Option<Box<dyn SiteNames>>,
    /// Which leg is followed.
    at: usize,
    /// How many operations its thread has made.
    made: u64,
    picked: usize,
    left_out: u64,
}

impl Guide {
    /// Follows legs by their lengths.
    #[must_use]
    pub fn new(legs: Vec<Leg>) -> Guide {
        Guide { legs, names: None, at: 0, made: 0, picked: 0, left_out: 0 }
    }

    /// Follows a schedule by sites: method and n-th point of the method, not the line.
    #[must_use]
    pub fn loosely(schedule: &Schedule, names: Box<dyn SiteNames>) -> Guide {
        Guide { names: Some(names), ..Guide::new(Leg::all(schedule, true)) }
    }

    fn next_leg(&mut self) {
        (self.at, self.made, self.picked) = (self.at + 1, 0, 0);
    }

    /// Has the leg's thread got to where the leg ends?
    fn is_over(&self, leg: &Leg, at: &Decision<'_>) -> bool {
        let stands = at.find(&leg.thread).and_then(|thread| at.pending(thread));
        let (Some(site), Some(names), Some(stands)) = (&leg.site, &self.names, stands) else {
            return self.made >= leg.points;
        };
        // Edits move the end a little: an eighth of the way, and a few operations.
        let slack = leg.points / 8 + 4;
        let is_near = self.made + slack >= leg.points;
        let is_there = names.name(stands.site).resembles(site);
        self.made >= leg.points + slack || (is_near && is_there && self.made >= leg.points.min(1))
    }
}

impl Policy for Guide {
    fn next(&mut self, at: &Decision<'_>) -> Choice {
        self.made += u64::from(at.passed);
        while let Some(leg) = self.legs.get(self.at) {
            let thread = at.find(&leg.thread).filter(|&thread| at.can_run(thread));
            let is_over = self.is_over(leg, at);
            let is_outside = at.find(&leg.thread).is_some_and(|thread| at.state(thread) == State::Outside);
            if is_outside && !is_over && self.made == 0 && at.why != Why::Impatient {
                return Choice::Await;
            }
            match thread {
                Some(thread) if !is_over => {
                    let points = if leg.site.is_some() { 1 } else { leg.points - self.made };
                    return Choice::Run { thread, points: u32::try_from(points).unwrap_or(u32::MAX) };
                }
                _ => {
                    self.left_out += u64::from(self.made == 0 && leg.points > 0);
                    self.next_leg();
                }
            }
        }
        match at.unpreempted() {
            Some(thread) => Choice::Run { thread, points: u32::MAX },
            None => Choice::Await,
        }
    }

    fn pick(&mut self, what: Pick, _: u32) -> u32 {
        let picked = self.legs.get(self.at).and_then(|leg| leg.picks.get(self.picked)).filter(|pick| pick.what == what);
        self.picked += 1;
        picked.map_or(0, |pick| pick.picked)
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }
}
