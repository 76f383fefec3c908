//! Exact replay: the run does what a schedule says, or stops at the first difference and says what it is.
//!
//! At each end of a stretch, the thread, the number of its operations, its site and why it ended must be those of the schedule.
//! Between them nothing is compared, because nothing is asked: two runs that differ within a stretch and agree at its end are
//! not distinguished. After the last decision nothing is asked either: [`Schedule::difference`] compares what was recorded.

use crate::control::{
    Choice, Decision, Divergence, End, Noted, Pick, Policy, Run, Schedule, SiteName, SiteNames, Stand, State, Why,
};

/// Reasons are looked for in so many stretches before a divergence.
const LATELY: usize = 8;

/// Replays a schedule.
pub struct Replay {
    schedule: Schedule,
    names: Box<dyn SiteNames>,
    /// Which stretch is due.
    at: usize,
    /// Has it begun, and how many operations of it were made.
    has_begun: bool,
    made: u64,
    picked: usize,
    /// What was noted, with the stretch that it was noted in.
    noted: Vec<(usize, Noted)>,
    /// A choice that the schedule does not have.
    stray_pick: Option<Pick>,
    divergence: Option<Divergence>,
}

impl Replay {
    /// Replays a schedule; `names` names the sites of this run.
    #[must_use]
    pub fn new(schedule: Schedule, names: Box<dyn SiteNames>) -> Replay {
        Replay {
            schedule,
            names,
            at: 0,
            has_begun: false,
            made: 0,
            picked: 0,
            noted: Vec::new(),
            stray_pick: None,
            divergence: None,
        }
    }

    /// What the run has done with the stretch that has begun, if it is over.
    fn end(&self, run: &Run, at: &Decision<'_>) -> Result<Option<()>, Stand> {
        let actual = |state: String| Stand {
            thread: at.current.and_then(|thread| at.path(thread)).cloned(),
            points: self.made,
            site: self.site_of_current(at),
            state,
        };
        if let Some(pick) = self.stray_pick {
            return Err(actual(format!("asked for a choice ({pick:?}) that the schedule does not have")));
        }
        let end = match at.why {
            Why::Blocked => End::Blocked,
            Why::Ended => End::Ended,
            Why::Outside => End::Outside,
            _ => End::Choice,
        };
        if end == End::Choice && self.made < run.points {
            return Ok(None);
        }
        let site = self.site_of_current(at);
        let agrees = self.made == run.points
            && self.picked == run.picks.len()
            && end == run.end
            && site.as_ref() == self.schedule.site_of(run);
        if agrees { Ok(Some(())) } else { Err(actual(end.to_string())) }
    }

    fn site_of_current(&self, at: &Decision<'_>) -> Option<SiteName> {
        let pending = at.current.and_then(|thread| at.pending(thread))?;
        Some(self.names.name(pending.site))
    }

    fn diverge(&mut self, at: &Decision<'_>, actual: Stand) -> Choice {
        let run = self.schedule.runs.get(self.at);
        let thread = run.and_then(|run| self.schedule.thread_of(run)).map(|thread| thread.path.clone());
        let expected = Stand {
            thread,
            points: run.map_or(0, |run| run.points),
            site: run.and_then(|run| self.schedule.site_of(run)).cloned(),
            state: run.map_or("the end of the schedule".to_owned(), |run| run.end.to_string()),
        };
        let first = self.at.saturating_sub(LATELY);
        let mut noted: Vec<Noted> =
            self.noted.iter().filter(|(run, _)| *run >= first).map(|&(_, noted)| noted).collect();
        let is_outside = |run: &Run| run.end == End::Outside;
        if run.is_some_and(is_outside) || matches!(at.why, Why::Outside | Why::Impatient) {
            noted.push(Noted::InputOutput);
        }
        noted.sort_unstable();
        noted.dedup();
        self.divergence = Some(Divergence { step: at.step, run: self.at, expected, actual, noted });
        Choice::Stop
    }

    /// Lets the thread of the stretch that is due go on.
    fn begin(&mut self, at: &Decision<'_>) -> Choice {
        let Some(run) = self.schedule.runs.get(self.at).cloned() else {
            let actual = Stand { thread: None, points: 0, site: None, state: "the run goes on".to_owned() };
            return self.diverge(at, actual);
        };
        let path = self.schedule.thread_of(&run).map(|thread| thread.path.clone());
        let thread = path.as_ref().and_then(|path| at.find(path));
        let stand = |state: String, points: u64| Stand { thread: path.clone(), points, site: None, state };
        let may_come = at.can_wait && at.why != Why::Impatient;
        let Some(thread) = thread else {
            if may_come {
                return Choice::Await;
            }
            return self.diverge(at, stand("not started".to_owned(), 0));
        };
        if at.can_run(thread) && (self.has_begun || at.is_timed(thread) == run.is_timed) {
            self.has_begun = true;
            let points = u32::try_from(run.points - self.made).unwrap_or(u32::MAX);
            return Choice::Run { thread, points };
        }
        let state = at.state(thread);
        if may_come && state != State::Ended {
            return Choice::Await;
        }
        let mut actual = stand(state.to_string(), self.made);
        actual.site = at.pending(thread).map(|pending| self.names.name(pending.site));
        self.diverge(at, actual)
    }
}

impl Policy for Replay {
    fn next(&mut self, at: &Decision<'_>) -> Choice {
        self.made += u64::from(at.passed);
        self.noted.extend(at.noted.iter().map(|&noted| (self.at, noted)));
        if self.has_begun {
            let Some(run) = self.schedule.runs.get(self.at) else { return Choice::Stop };
            if run.end == End::Stopped && self.made >= run.points {
                return Choice::Stop;
            }
            match self.end(run, at) {
                Ok(None) => return self.begin(at),
                Ok(Some(())) => {
                    (self.at, self.has_begun, self.made, self.picked) = (self.at + 1, false, 0, 0);
                }
                Err(actual) => return self.diverge(at, actual),
            }
        }
        self.begin(at)
    }

    fn pick(&mut self, what: Pick, of: u32) -> u32 {
        let run = self.schedule.runs.get(self.at);
        let picked = run.and_then(|run| run.picks.get(self.picked)).filter(|pick| pick.what == what && pick.of == of);
        self.picked += 1;
        match picked {
            Some(pick) => pick.picked,
            None => {
                self.stray_pick = Some(what);
                0
            }
        }
    }

    fn divergence(&self) -> Option<&Divergence> {
        self.divergence.as_ref()
    }
}
