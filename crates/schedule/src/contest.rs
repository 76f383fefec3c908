//! ConTest (Edelstein and others, "Multithreaded Java program test generation", IBM Systems Journal 2002): random delays
//! in front of lock acquisitions and accesses. The baseline of the DrFinder paper.

use std::time::Duration;

use model::{SiteId, ThreadId};

use crate::nudge::{Answer, Budgets, Nudge, View, Why};
use crate::point::Point;
use crate::random::Random;

/// One of so many points is delayed.
const ONE_IN: u64 = 4;

/// Delays threads at random.
#[derive(Clone, Debug)]
pub struct ConTest {
    longest: Duration,
    budgets: Budgets,
    random: Random,
}

impl ConTest {
    /// Delays of up to `longest`.
    pub(crate) fn new(longest: Duration, budgets: Budgets, seed: u64) -> ConTest {
        ConTest { longest, budgets, random: Random::new(seed) }
    }
}

impl Nudge for ConTest {
    fn arrive(&mut self, _thread: ThreadId, point: &Point, _view: &mut View<'_>) -> Answer {
        let site = match point {
            Point::Request(lock) | Point::Try(lock) => lock.site,
            Point::Access(access) => access.site,
            _ => return Answer::Go,
        };
        if self.random.below(ONE_IN) != 0 || !self.budgets.take(site) {
            return Answer::Go;
        }
        let longest = u64::try_from(self.longest.as_micros()).unwrap_or(u64::MAX);
        Answer::Delay(Duration::from_micros(1 + self.random.below(longest)))
    }

    fn wants(&self, site: SiteId) -> bool {
        self.budgets.is_left(site)
    }

    fn gave_up(&mut self, _thread: ThreadId, _why: Why, _view: &mut View<'_>) {}

    fn take_freed(&mut self) -> Vec<ThreadId> {
        Vec::new()
    }
}
