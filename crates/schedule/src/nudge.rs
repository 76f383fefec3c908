//! What decides who is held back.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use model::{SiteId, ThreadId};

use crate::gate::State;
use crate::locks::Locks;
use crate::outcome::Tried;
use crate::plan::First;
use crate::point::Point;
use crate::racefuzzer::Catch;
use crate::symbols::Symbol;

/// What a thread that arrived at a point does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It goes on.
    Go,
    /// It waits for an event, at most for the limit of the gate.
    Hold,
    /// The same, but at most for this time.
    HoldAtMost(Duration),
    /// It waits for this long, or until an event, or for the limit of the gate if that is shorter. Time alone ends the wait, so
    /// a program in which all others wait for it is not stuck.
    Delay(Duration),
}

/// Why a thread is held no longer though no event that it waited for came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its time is over.
    Time,
    /// Nothing but held threads could run.
    Thrashing,
}

/// The methods that threads execute.
pub trait Stacks {
    /// The innermost methods of a thread, at most `depth`, the current one first.
    fn innermost(&mut self, thread: ThreadId, depth: usize) -> Vec<Symbol>;
}

/// What a nudge can ask at a point.
pub struct View<'a> {
    /// The methods that threads execute.
    pub(crate) stacks: &'a mut dyn Stacks,
    /// What each thread does.
    pub(crate) threads: &'a BTreeMap<ThreadId, State>,
    /// Who owns which lock.
    pub(crate) locks: &'a Locks,
}

impl View<'_> {
    /// The threads that have begun and not ended, and wait for nothing but us.
    pub(crate) fn able(&self) -> Vec<ThreadId> {
        let is_able = |&thread: &ThreadId| match self.threads.get(&thread) {
            Some(State::Running) => !self.locks.waits(thread),
            Some(State::Held { .. }) => true,
            Some(State::Blocked) | None => false,
        };
        self.threads.keys().copied().filter(is_able).collect()
    }
}

/// Decides who is held back at which point. The gate holds and wakes.
pub trait Nudge: Send {
    /// A thread arrives at a point. Re-entrant acquisitions are no points.
    fn arrive(&mut self, thread: ThreadId, point: &Point, view: &mut View<'_>) -> Answer;

    /// A held thread is let go though nothing that it waited for has come.
    fn gave_up(&mut self, thread: ThreadId, why: Why, view: &mut View<'_>);

    /// The threads that need not be held any longer. The gate ignores those that it does not hold.
    fn take_freed(&mut self) -> Vec<ThreadId>;

    /// An access of the program was found to be a side of a candidate.
    fn place(&mut self, _site: SiteId, _candidate: usize, _side: First) {}

    /// May the nudge do anything about an access at this site? What it does not want need not be known.
    fn wants(&self, _site: SiteId) -> bool {
        true
    }

    /// Two threads that stood in front of conflicting accesses since the last call.
    fn take_catch(&mut self) -> Option<Catch> {
        None
    }

    /// How often each candidate was tried.
    fn tried(&self) -> Vec<Tried> {
        Vec::new()
    }

    /// How many threads were escorted, and how many of them did what was expected.
    fn escorts(&self) -> (u64, u64) {
        (0, 0)
    }
}

/// Holds nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Free;

impl Nudge for Free {
    fn arrive(&mut self, _thread: ThreadId, _point: &Point, _view: &mut View<'_>) -> Answer {
        Answer::Go
    }

    fn gave_up(&mut self, _thread: ThreadId, _why: Why, _view: &mut View<'_>) {}

    fn take_freed(&mut self) -> Vec<ThreadId> {
        Vec::new()
    }
}

/// How often threads may be held at one site in a run: a site that is passed a million times must not take a million holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Holds.
    pub(crate) holds: u32,
    /// Holds that ended by time or by thrashing.
    pub(crate) in_vain: u32,
}

/// Holds of a run that may last until their limit: 40 s of 400 ms each. A program of a thousand sites must not take an hour.
const MOST_TIMEOUTS: u32 = 100;

/// What of the budget each site has used.
#[derive(Clone, Debug)]
pub(crate) struct Budgets {
    each: Budget,
    used: HashMap<SiteId, Budget>,
    /// Holds that ended by time, at all sites.
    timeouts: u32,
}

impl Budgets {
    pub(crate) fn new(each: Budget) -> Budgets {
        Budgets { each, used: HashMap::new(), timeouts: 0 }
    }

    /// May a thread be held at a site? Counts it if so.
    pub(crate) fn take(&mut self, site: SiteId) -> bool {
        if self.timeouts >= MOST_TIMEOUTS {
            return false;
        }
        let used = self.used.entry(site).or_insert(Budget { holds: 0, in_vain: 0 });
        let is_left = used.holds < self.each.holds && used.in_vain < self.each.in_vain;
        used.holds += u32::from(is_left);
        is_left
    }

    /// May a thread still be held at a site?
    pub(crate) fn is_left(&self, site: SiteId) -> bool {
        let used = self.used.get(&site);
        self.timeouts < MOST_TIMEOUTS
            && used.is_none_or(|used| used.holds < self.each.holds && used.in_vain < self.each.in_vain)
    }

    /// A hold at a site was in vain.
    pub(crate) fn was_in_vain(&mut self, site: SiteId, why: Why) {
        self.timeouts += u32::from(why == Why::Time);
        if let Some(used) = self.used.get_mut(&site) {
            used.in_vain += 1;
        }
    }
}
