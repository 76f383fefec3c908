//! RaceFuzzer (Sen, "Race Directed Random Testing of Concurrent Programs", PLDI 2008): catches two threads in front of
//! conflicting accesses.
//!
//! A thread that will make an access of a candidate is held until another one stands in front of a conflicting access of the
//! same candidate to the same variable. Then nothing can order the two: both could be made now. They go one after the other;
//! which one first is the plan's choice, so that two runs show what follows from each order.
//!
//! Two threads may both wait in front of their reads, which do not conflict: each is held for a random time from half the
//! longest on, so that one goes on to its write while the other still waits.
//!
//! A candidate that was caught in a run is not tried again in it.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use model::{SiteId, ThreadId};

use crate::nudge::{Answer, Budgets, Nudge, View, Why};
use crate::outcome::Tried;
use crate::plan::First;
use crate::point::{AccessAt, Point};
use crate::random::Random;

/// The second thread waits at most this long until the first one has passed its access.
const HEAD_START: Duration = Duration::from_millis(50);

/// Two sites of a candidate, the side that the candidate names first and the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SitePair {
    /// A site of the first side.
    pub first: SiteId,
    /// A site of the second side.
    pub second: SiteId,
}

/// Two threads stand in front of conflicting accesses to one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Catch {
    /// Which candidate of the plan.
    pub candidate: usize,
    /// The thread that was held, and its access.
    pub held: (ThreadId, AccessAt),
    /// The thread that came, and its access.
    pub came: (ThreadId, AccessAt),
    /// The thread that goes first.
    pub goes_first: ThreadId,
    /// The sites by the candidate's sides.
    pub sites: SitePair,
}

/// Holds threads in front of accesses of candidates.
#[derive(Clone, Debug)]
pub struct RaceFuzzer {
    first: First,
    /// Of which candidates a site is which side.
    sides: HashMap<SiteId, Vec<(usize, First)>>,
    waiting: BTreeMap<ThreadId, AccessAt>,
    /// By the thread that went first, the one that goes second.
    following: HashMap<ThreadId, ThreadId>,
    tried: BTreeMap<usize, Tried>,
    catches: Vec<Catch>,
    freed: Vec<ThreadId>,
    budgets: Budgets,
    longest: Duration,
    random: Random,
}

impl RaceFuzzer {
    /// Candidates get their sites by [`Nudge::place`], when the code is seen.
    pub(crate) fn new(first: First, candidates: usize, longest: Duration, budgets: Budgets, seed: u64) -> RaceFuzzer {
        let tried = (0..candidates).map(|candidate| (candidate, Tried { candidate, holds: 0, catches: 0 }));
        RaceFuzzer {
            first,
            sides: HashMap::new(),
            waiting: BTreeMap::new(),
            following: HashMap::new(),
            tried: tried.collect(),
            catches: Vec::new(),
            freed: Vec::new(),
            budgets,
            longest,
            random: Random::new(seed),
        }
    }

    /// The candidates that a site is a side of and that were not caught yet.
    fn open(&self, site: SiteId) -> impl Iterator<Item = (usize, First)> + '_ {
        let sides = self.sides.get(&site).into_iter().flatten().copied();
        sides.filter(|(candidate, _)| self.tried.get(candidate).is_some_and(|tried| tried.catches == 0))
    }

    /// Who waits in front of a conflicting access to the same variable?
    fn partner(&self, thread: ThreadId, access: &AccessAt) -> Option<Catch> {
        for (&held, other) in self.waiting.iter().filter(|&(&held, _)| held != thread) {
            if other.variable != access.variable || !access.kind.conflicts_with(other.kind) {
                continue;
            }
            for (candidate, side) in self.open(access.site) {
                let opposite = side.other();
                if self.open(other.site).any(|found| found == (candidate, opposite)) {
                    let sites = match side {
                        First::First => SitePair { first: access.site, second: other.site },
                        First::Second => SitePair { first: other.site, second: access.site },
                    };
                    let goes_first = if side == self.first { thread } else { held };
                    return Some(Catch { candidate, held: (held, *other), came: (thread, *access), goes_first, sites });
                }
            }
        }
        None
    }

    fn access(&mut self, thread: ThreadId, access: &AccessAt) -> Answer {
        let candidates: Vec<usize> = self.open(access.site).map(|(candidate, _)| candidate).collect();
        if candidates.is_empty() {
            return Answer::Go;
        }
        if let Some(catch) = self.partner(thread, access) {
            if let Some(tried) = self.tried.get_mut(&catch.candidate) {
                tried.catches += 1;
            }
            self.catches.push(catch);
            let (held, _) = catch.held;
            self.waiting.remove(&held);
            if catch.goes_first == thread {
                self.following.insert(thread, held);
                return Answer::Go;
            }
            self.following.insert(held, thread);
            self.freed.push(held);
            return Answer::Delay(HEAD_START);
        }
        if !self.budgets.take(access.site) {
            return Answer::Go;
        }
        for candidate in candidates {
            if let Some(tried) = self.tried.get_mut(&candidate) {
                tried.holds += 1;
            }
        }
        self.waiting.insert(thread, *access);
        Answer::HoldAtMost(self.longest / 2 + self.longest.mul_f64(self.random.below(1000) as f64 / 2000.0))
    }
}

impl Nudge for RaceFuzzer {
    fn arrive(&mut self, thread: ThreadId, point: &Point, _view: &mut View<'_>) -> Answer {
        // It is past the access that another one waits for.
        if let Some(second) = self.following.remove(&thread) {
            self.freed.push(second);
        }
        match point {
            Point::Access(access) => self.access(thread, access),
            _ => Answer::Go,
        }
    }

    fn gave_up(&mut self, thread: ThreadId, why: Why, _view: &mut View<'_>) {
        if let Some(access) = self.waiting.remove(&thread) {
            self.budgets.was_in_vain(access.site, why);
        }
    }

    fn take_freed(&mut self) -> Vec<ThreadId> {
        std::mem::take(&mut self.freed)
    }

    fn place(&mut self, site: SiteId, candidate: usize, side: First) {
        let sides = self.sides.entry(site).or_default();
        if !sides.contains(&(candidate, side)) {
            sides.push((candidate, side));
        }
    }

    fn wants(&self, site: SiteId) -> bool {
        self.open(site).next().is_some() && (self.budgets.is_left(site) || !self.waiting.is_empty())
    }

    fn take_catch(&mut self) -> Option<Catch> {
        if self.catches.is_empty() { None } else { Some(self.catches.remove(0)) }
    }

    fn tried(&self) -> Vec<Tried> {
        self.tried.values().copied().collect()
    }
}
