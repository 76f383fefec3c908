//! The runs of a hunt, `--jobs` of them at once.
//!
//! The first run is made alone: the others go by what it has collected, and if nothing was watched in it there are no others. Each
//! run gets its plan when it begins, from all that has ended by then.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use schedule::{Explorer, Plan, Random, Run as Finished};

use super::heard::Heard;
use super::progress::{Progress, State};
use super::{Found, Hunt, Made, candidates};
use crate::collect::Folder;
use crate::exit::Silence;
use crate::run::Run;
use crate::signals::Passing;

/// How often it is shown how far the hunt is.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);

/// A run that is being made.
struct Job {
    number: u64,
    plan: Plan,
    /// The run that it makes once more.
    restarts: Option<u64>,
}

/// Makes all runs that the explorer asks for.
pub(super) fn hunt(
    hunt: &Hunt,
    watched: &Run,
    explorer: &mut dyn Explorer,
    begun: Instant,
    found: &mut Found,
) -> anyhow::Result<()> {
    let progress = Progress::new();
    let folder = Folder::new()?;
    // The runs have their own; between two of them nobody else would get a signal.
    let mut signals = Passing::new()?;
    let ended = thread::scope(|scope| {
        let (sender, results) = channel::<(u64, anyhow::Result<Made>)>();
        let mut jobs: Vec<Job> = Vec::new();
        let (mut next, mut numbers, mut last_shown) = (Next::default(), 0..u64::MAX, Instant::now());
        loop {
            if signals.have_come() {
                found.record.ended_by = "signal".to_owned();
                next.is_over = true;
            }
            let most = if found.record.runs.is_empty() { 1 } else { hunt.jobs as usize };
            while jobs.len() < most && !next.is_over {
                if begun.elapsed() >= hunt.budget {
                    found.record.ended_by = "budget".to_owned();
                    next.is_over = true;
                    break;
                }
                let Some((mut plan, restarts)) = next.plan(explorer, found) else { break };
                if plan.scheduler.is_controlled() {
                    found.controlled.prepare(&mut plan, watched);
                }
                let Some(number) = numbers.next() else { break };
                let (sender, folder, progress) = (sender.clone(), &folder, progress.clone());
                jobs.push(Job { number, plan: plan.clone(), restarts });
                scope.spawn(move || {
                    let made = Hunt::one_run(watched, folder, plan, Heard::beside(&progress));
                    // Nobody listens any more if another run could not be made.
                    let _ = sender.send((number, made));
                });
            }
            if jobs.is_empty() {
                return Ok(());
            }
            let (number, made) = match results.recv_timeout(BETWEEN_LOOKS) {
                Ok(ended) => ended,
                Err(RecvTimeoutError::Timeout) => {
                    let running: Vec<&str> = jobs.iter().map(|job| job.plan.scheduler.name()).collect();
                    let (done, races) = (found.record.runs.len(), found.report.races.len());
                    let state = State { elapsed: begun.elapsed(), done, races, running: &running };
                    progress.show(&state, &mut last_shown);
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            let Some(place) = jobs.iter().position(|job| job.number == number) else { continue };
            let job = jobs.remove(place);
            let made = made?;
            if made.collected.is_interrupted {
                found.record.ended_by = "signal".to_owned();
                next.is_over = true;
            }
            let finished = Hunt::take_in(made, watched, job.restarts, &progress, found)?;
            // Nothing was watched, and more of the same shows no more.
            next.is_over |= found.record.runs.len() == 1 && Silence::of(&found.report).is_some();
            next.take(finished, &job, found.record.runs.len() as u64);
        }
    });
    progress.end();
    ended
}

/// What the next run will be.
#[derive(Default)]
struct Next {
    /// No run begins any more.
    is_over: bool,
    /// The run that ended last, if the explorer has not seen it.
    last: Option<Finished>,
    /// A run that a deadlock ended is made once more, with another seed: Cai and Cao 2015, section 5.4.
    restart: Vec<(Plan, u64)>,
}

impl Next {
    fn plan(&mut self, explorer: &mut dyn Explorer, found: &Found) -> Option<(Plan, Option<u64>)> {
        if let Some((plan, of)) = self.restart.pop() {
            return Some((plan, Some(of)));
        }
        let candidates = candidates::of(&found.report, &found.given);
        explorer.next(self.last.take().as_ref(), &candidates).map(|plan| (plan, None))
    }

    fn take(&mut self, finished: Finished, job: &Job, number: u64) {
        if !finished.outcome.deadlocks.is_empty() && job.restarts.is_none() {
            let mut plan = finished.plan;
            plan.seed = Random::new(plan.seed).bits();
            self.restart.push((plan, number));
        } else {
            self.last = Some(finished);
        }
    }
}
