//! Each race once: the first is reported, the others are counted.
//!
//! A race is known by its fingerprint, which costs names and hashing; a pair of places stands for it after the first
//! time, so a race that happens a million times costs one table look-up each.

use std::collections::HashMap;
use std::sync::Mutex;

use model::{AccessKind, SiteId};

use crate::depot::ContextId;
use crate::lock;

/// Where an access stands, as far as it distinguishes races.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum At {
    /// Its instruction.
    Site(SiteId),
    /// Its instruction and how the program came there: for instructions of libraries, which all programs share.
    Context(ContextId),
}

/// The two sides of a race: place and kind of the earlier and of the later access.
pub type Pair = [(At, AccessKind); 2];

/// Was the race there before?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// No: report it.
    First,
    /// Yes: it is counted.
    Again,
}

/// The races so far.
#[derive(Default)]
pub struct Collector {
    tables: Mutex<PairTables>,
}

#[derive(Default)]
struct PairTables {
    /// `None`: not to be reported.
    pairs: HashMap<Pair, Option<u32>>,
    counts: HashMap<u32, u64>,
}

impl Collector {
    /// Counts a race between places that raced before; says if it was one.
    pub fn count_again(&self, pair: &Pair) -> Sight {
        let mut tables = lock(&self.tables);
        let Some(fingerprint) = tables.pairs.get(pair).copied() else { return Sight::First };
        if let Some(fingerprint) = fingerprint {
            *tables.counts.entry(fingerprint).or_insert(0) += 1;
        }
        Sight::Again
    }

    /// From now on, a race between these places is not worth a look.
    pub fn ignore(&self, pair: Pair) {
        lock(&self.tables).pairs.insert(pair, None);
    }

    /// Takes in a race between places that were not seen to race before.
    pub fn add(&self, pair: Pair, fingerprint: u32) -> Sight {
        let mut tables = lock(&self.tables);
        tables.pairs.insert(pair, Some(fingerprint));
        let count = tables.counts.entry(fingerprint).or_insert(0);
        *count += 1;
        if *count == 1 { Sight::First } else { Sight::Again }
    }

    /// How often each race was seen, by fingerprint.
    #[must_use]
    pub fn counts(&self) -> Vec<(u32, u64)> {
        let mut counts: Vec<_> = lock(&self.tables).counts.iter().map(|(&id, &count)| (id, count)).collect();
        counts.sort_unstable();
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_with_one_fingerprint_are_one_race() {
        let collector = Collector::default();
        let at = |site| At::Site(SiteId(site));
        let pair = |one, two| [(at(one), AccessKind::Read), (at(two), AccessKind::Write)];
        assert_eq!(collector.count_again(&pair(1, 2)), Sight::First);
        assert_eq!(collector.add(pair(1, 2), 7), Sight::First);
        assert_eq!(collector.count_again(&pair(1, 2)), Sight::Again);
        assert_eq!(collector.add(pair(1, 3), 7), Sight::Again);
        assert_eq!(collector.add(pair(4, 3), 8), Sight::First);
        collector.ignore(pair(5, 6));
        assert_eq!(collector.count_again(&pair(5, 6)), Sight::Again);
        assert_eq!(collector.counts(), [(7, 3), (8, 1)]);
    }
}
