//! How much of the lock orders was seen: for two critical sections on one lock, one directly after the other.
//!
//! Of two sections of different threads that follow each other on one lock, the order is seen. A pair of sites is *reversed* if
//! both orders were seen, in one run or in several. Two sections at one site have only one order, so they do not count.

use std::collections::{BTreeSet, HashMap};

use model::{LockId, SiteId, ThreadId};
use serde::{Deserialize, Serialize};

/// A critical section that directly followed one of another thread on the same lock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Order {
    /// Where the first section took the lock.
    pub first: String,
    /// Where the second one did.
    pub second: String,
}

/// The orders of one run, by site.
#[derive(Clone, Debug, Default)]
pub(crate) struct LockOrders {
    last: HashMap<LockId, (ThreadId, SiteId)>,
    seen: BTreeSet<(SiteId, SiteId)>,
}

impl LockOrders {
    /// A thread took a lock for the outermost time.
    pub(crate) fn acquired(&mut self, thread: ThreadId, lock: LockId, site: SiteId) {
        if let Some((before, first)) = self.last.insert(lock, (thread, site)) {
            if before != thread && first != site {
                self.seen.insert((first, site));
            }
        }
    }

    pub(crate) fn seen(&self) -> impl Iterator<Item = (SiteId, SiteId)> + '_ {
        self.seen.iter().copied()
    }
}

/// In how many pairs of critical sections both orders were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Pairs of sites that were seen one after the other on one lock.
    pub pairs: u64,
    /// Those of them that were seen in both orders.
    pub reversed: u64,
}

impl Coverage {
    /// The coverage of these orders, of one run or of several.
    pub fn of<'a>(orders: impl IntoIterator<Item = &'a Order>) -> Coverage {
        let seen: BTreeSet<(&str, &str)> =
            orders.into_iter().map(|order| (order.first.as_str(), order.second.as_str())).collect();
        let mut coverage = Coverage::default();
        for &(first, second) in &seen {
            let both = seen.contains(&(second, first));
            // A pair that was seen in both orders is here twice.
            if first < second || !both {
                coverage.pairs += 1;
                coverage.reversed += u64::from(both);
            }
        }
        coverage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_counts_once_and_is_reversed_by_its_other_order() {
        let order = |first: &str, second: &str| Order { first: first.to_owned(), second: second.to_owned() };
        let seen = [order("a", "b"), order("b", "a"), order("a", "c"), order("d", "c")];
        assert_eq!(Coverage::of(&seen), Coverage { pairs: 3, reversed: 1 });
        assert_eq!(Coverage::of(&[]), Coverage::default());
    }

    #[test]
    fn sections_of_one_thread_and_of_one_site_have_no_order() {
        let mut orders = LockOrders::default();
        let (lock, one, two) = (LockId(0), ThreadId(1), ThreadId(2));
        orders.acquired(one, lock, SiteId(1));
        orders.acquired(one, lock, SiteId(2));
        orders.acquired(two, lock, SiteId(2));
        assert_eq!(orders.seen().count(), 0);
        orders.acquired(one, lock, SiteId(1));
        assert_eq!(orders.seen().collect::<Vec<_>>(), [(SiteId(2), SiteId(1))]);
    }
}
