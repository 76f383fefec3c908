//! ConTest (Edelstein and others, "Multithreaded Java program test generation", IBM Systems Journal 2002): random delays
//! in front of lock acquisitions and accesses. The baseline of the DrFinder paper.
//!
//! A program with thousands of sites would be delayed for minutes, so each thread is delayed for 2 s in all and no longer: a race
//! that needs a delay later in its life is missed.

use std::collections::HashMap;
use std::time::Duration;

use model::{SiteId, ThreadId};

use crate::nudge::{Answer, Budgets, Nudge, View, Why};
use crate::point::Point;
use crate::random::Random;

/// One of so many points is delayed.
const ONE_IN: u64 = 4;

/// A thread is not delayed any more when its delays add up to this.
const MOST_PER_THREAD: Duration = Duration::from_secs(2);

/// Delays threads at random.
#[derive(Clone, Debug)]
pub struct ConTest {
    longest: Duration,
    budgets: Budgets,
    /// How long each thread was delayed so far.
    delayed: HashMap<ThreadId, Duration>,
    random: Random,
}

impl ConTest {
    /// Delays of up to `longest`.
    pub(crate) fn new(longest: Duration, budgets: Budgets, seed: u64) -> ConTest {
        ConTest { longest, budgets, delayed: HashMap::new(), random: Random::new(seed) }
    }
}

impl Nudge for ConTest {
    fn arrive(&mut self, thread: ThreadId, point: &Point, _view: &mut View<'_>) -> Answer {
        let site = match point {
            Point::Request(lock) | Point::Try(lock) => lock.site,
            Point::Access(access) => access.site,
            Point::End => {
                self.delayed.remove(&thread);
                return Answer::Go;
            }
            _ => return Answer::Go,
        };
        if self.random.below(ONE_IN) != 0 || !self.budgets.take(site) {
            return Answer::Go;
        }
        let longest = u64::try_from(self.longest.as_micros()).unwrap_or(u64::MAX);
        let delay = Duration::from_micros(1 + self.random.below(longest));
        // The site's budget is used all the same: a site without one need not be asked about again.
        let delayed = self.delayed.entry(thread).or_default();
        if *delayed + delay > MOST_PER_THREAD {
            return Answer::Go;
        }
        *delayed += delay;
        Answer::Delay(delay)
    }

    fn wants(&self, site: SiteId) -> bool {
        self.budgets.is_left(site)
    }

    fn gave_up(&mut self, _thread: ThreadId, _why: Why, _view: &mut View<'_>) {}

    fn take_freed(&mut self) -> Vec<ThreadId> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use model::{AccessKind, SiteId, ThreadId};

    use super::MOST_PER_THREAD;
    use crate::{AccessAt, Passage, Plan, Point, Scheduler, Settings, Stacks, Symbol, Symbols};

    struct NoStacks;

    impl Stacks for NoStacks {
        fn innermost(&mut self, _thread: ThreadId, _depth: usize) -> Vec<Symbol> {
            Vec::new()
        }
    }

    #[test]
    fn a_thread_is_not_delayed_for_ever_and_no_site_is_asked_about_for_ever() {
        let settings = Settings { holds_per_site: 3, ..Settings::default() };
        let mut gate = Plan::new(Scheduler::ConTest, 1, settings).gate(&mut Symbols::default());
        let (one, two) = (ThreadId(1), ThreadId(2));
        let mut now = Duration::ZERO;
        let mut delayed = |thread: ThreadId, site: u32| {
            let access = AccessAt { variable: 0, kind: AccessKind::Read, site: SiteId(site) };
            let began = now;
            if gate.arrive(thread, &Point::Access(access), &mut NoStacks, now) == Passage::Held {
                now = gate.next_deadline().unwrap();
                gate.look(&mut NoStacks, now);
            }
            (now - began, gate.wants(SiteId(site)))
        };
        let mut total = Duration::ZERO;
        for site in 0..10_000 {
            total += delayed(one, site).0;
        }
        assert!(total <= MOST_PER_THREAD && total > MOST_PER_THREAD / 2, "{total:?}");
        assert!((10_000..10_100).any(|site| !delayed(two, site).0.is_zero()), "another thread has its own time");
        assert!((0..100).any(|_| !delayed(one, 20_000).1), "the site's budget ends though the thread's time is over");
    }
}
