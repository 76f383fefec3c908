//! One finding for each thing that a reader must look at, however often a detector reports it.

use std::collections::HashMap;

use model::{Access, AccessKind, Race, SiteId, VarId};

/// Which races are the same to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// All races on one location; the first stands for them.
    Location,
    /// All races on one location between the same two program sites, whichever came first.
    SitePair,
}

/// A race and how often it, or one like it, was reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The first one reported.
    pub race: Race,
    /// How many there were.
    pub count: u64,
}

type Side = (SiteId, AccessKind);

/// What a detector found, without repetition, in the order of first sight.
#[derive(Clone, Debug)]
pub struct Findings {
    grouping: Grouping,
    places: HashMap<(VarId, Option<(Side, Side)>), usize>,
    found: Vec<Finding>,
}

impl Findings {
    /// Nothing found yet.
    #[must_use]
    pub fn new(grouping: Grouping) -> Self {
        Findings { grouping, places: HashMap::new(), found: Vec::new() }
    }

    /// Takes one race in.
    pub fn add(&mut self, race: Race) {
        let side = |access: Access| (access.site, access.kind);
        let sides = match self.grouping {
            Grouping::Location => None,
            Grouping::SitePair => {
                let (one, two) = (side(race.earlier), side(race.later));
                Some((one.min(two), one.max(two)))
            }
        };
        let place = *self.places.entry((race.var, sides)).or_insert(self.found.len());
        match self.found.get_mut(place) {
            Some(finding) => finding.count += 1,
            None => self.found.push(Finding { race, count: 1 }),
        }
    }

    /// The findings, in the order of first sight.
    #[must_use]
    pub fn as_slice(&self) -> &[Finding] {
        &self.found
    }

    /// The locations with a finding, each once, in the order of first sight.
    #[must_use]
    pub fn variables(&self) -> Vec<VarId> {
        let mut seen = std::collections::HashSet::new();
        self.found.iter().map(|finding| finding.race.var).filter(|&var| seen.insert(var)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{EventIndex, Evidence, ThreadId};

    fn race(var: u32, earlier: (u32, AccessKind), later: (u32, AccessKind)) -> Race {
        let access = |(site, kind)| Access { thread: ThreadId(0), kind, site: SiteId(site), at: EventIndex(0) };
        Race { var: VarId(var), earlier: access(earlier), later: access(later), evidence: Evidence::Unordered }
    }

    #[test]
    fn a_pair_of_sites_is_the_same_in_either_order() {
        let (read, write) = ((1, AccessKind::Read), (2, AccessKind::Write));
        let mut findings = Findings::new(Grouping::SitePair);
        findings.add(race(0, read, write));
        findings.add(race(0, write, read));
        findings.add(race(0, write, write));
        findings.add(race(1, read, write));
        let counts: Vec<u64> = findings.as_slice().iter().map(|finding| finding.count).collect();
        assert_eq!(counts, [2, 1, 1]);
        assert_eq!(findings.variables(), [VarId(0), VarId(1)]);
    }

    #[test]
    fn one_finding_per_location_keeps_the_first() {
        let mut findings = Findings::new(Grouping::Location);
        findings.add(race(0, (1, AccessKind::Read), (2, AccessKind::Write)));
        findings.add(race(0, (3, AccessKind::Write), (2, AccessKind::Write)));
        assert_eq!(findings.as_slice().len(), 1);
        assert_eq!(findings.as_slice()[0].count, 2);
        assert_eq!(findings.as_slice()[0].race.earlier.site, SiteId(1));
    }
}
