//! How often a place is sampled: each has a budget, so that one that runs all the time leaves the slots to others.
//!
//! After a place was sampled it rests, twice as long each time, up to a bound; then it is looked at again, because a race may
//! come late.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::time::Duration;

use model::SiteId;

/// How often the rest is doubled at most: from 15 ms to about a second.
const DOUBLINGS: u32 = 6;

/// The budgets of all places that were sampled. Times are since any fixed moment.
#[derive(Debug, Default)]
pub(super) struct Budgets {
    places: HashMap<SiteId, Budget>,
    /// The places that rest, by when they may be sampled again.
    resting: BinaryHeap<Reverse<(Duration, SiteId)>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Budget {
    /// How often the place was sampled.
    sampled: u32,
    /// When it may be sampled again.
    next: Duration,
}

impl Budgets {
    /// May the place be sampled now?
    pub(super) fn allows(&self, site: SiteId, now: Duration) -> bool {
        self.places.get(&site).is_none_or(|budget| budget.next <= now)
    }

    /// The place is sampled now: it rests.
    pub(super) fn spend(&mut self, site: SiteId, now: Duration, limit: Duration) {
        let budget = self.places.entry(site).or_default();
        let rest = limit.saturating_mul(1 << budget.sampled.min(DOUBLINGS));
        *budget = Budget { sampled: budget.sampled.saturating_add(1), next: now.saturating_add(rest) };
        self.resting.push(Reverse((budget.next, site)));
    }

    /// The places that have rested.
    pub(super) fn rested(&mut self, now: Duration) -> Vec<SiteId> {
        let mut rested = Vec::new();
        while let Some(&Reverse((next, site))) = self.resting.peek().filter(|Reverse((next, _))| *next <= now) {
            self.resting.pop();
            // It may have been sampled once more since, and then rests on.
            if self.places.get(&site).is_some_and(|budget| budget.next == next) {
                rested.push(site);
            }
        }
        rested
    }

    /// When the next place has rested.
    pub(super) fn next(&self) -> Option<Duration> {
        self.resting.peek().map(|Reverse((next, _))| *next)
    }

    /// How many places were sampled, and how often in all.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.places.len() as u64, self.places.values().map(|budget| u64::from(budget.sampled)).sum())
    }
}
