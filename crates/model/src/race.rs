//! What a detector finds.

use std::fmt;

use crate::{AccessKind, EventIndex, SiteId, ThreadId, VarId};

/// Two conflicting accesses, at least one a write, and why we believe that nothing orders them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Race {
    /// The location that both access.
    pub var: VarId,
    /// The access that came first in the observed run.
    pub earlier: Access,
    /// The access that came second.
    pub later: Access,
    /// Why this is a race.
    pub evidence: Evidence,
}

/// One side of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Who.
    pub thread: ThreadId,
    /// Read or write.
    pub kind: AccessKind,
    /// Where in the program.
    pub site: SiteId,
    /// When in the trace.
    pub at: EventIndex,
}

/// Why two accesses are believed to race.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// No lock protects both, and no message orders them: a candidate, which a later message may still refute.
    NoCommonLock,
    /// Nothing in the observed run orders them by happens-before.
    Unordered,
    /// A relation weaker than happens-before leaves them unordered. Its theorem promises a reordering only for the
    /// first such pair of a trace, and that may end in a deadlock instead of the race.
    WeaklyUnordered,
    /// A reordering of the observed run in which both come next.
    Witness(Witness),
}

/// A feasible run that ends just before both accesses of a race: the first `prefix[t]` events of each thread `t`,
/// in the order of the trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Witness {
    /// How many events of each thread, by [`ThreadId`], come before the race. A thread beyond the end has none.
    pub prefix: Box<[u64]>,
}

/// How well a race is proved, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// A candidate: nothing that we know of keeps the two apart.
    Possible,
    /// A happens-before race of an observed run.
    Unordered,
    /// A feasible reordering exists.
    Predicted,
    /// An execution came to it: a scheduler or a watchpoint had both accesses at once.
    Caught,
    /// A stored schedule and input come to it in each of n runs.
    Replayed,
}

impl Grade {
    /// All grades, from weak to strong.
    pub const ALL: [Grade; 5] = [Grade::Possible, Grade::Unordered, Grade::Predicted, Grade::Caught, Grade::Replayed];

    /// The grade of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Grade> {
        Grade::ALL.into_iter().find(|grade| grade.name() == name)
    }

    /// Has an execution shown the race?
    #[must_use]
    pub fn is_executed(self) -> bool {
        self >= Grade::Caught
    }

    /// The grade's name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Grade::Possible => "possible",
            Grade::Unordered => "unordered",
            Grade::Predicted => "predicted",
            Grade::Caught => "caught",
            Grade::Replayed => "replayed",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl Evidence {
    /// What the evidence is worth.
    #[must_use]
    pub fn grade(&self) -> Grade {
        match self {
            Evidence::NoCommonLock | Evidence::WeaklyUnordered => Grade::Possible,
            Evidence::Unordered => Grade::Unordered,
            Evidence::Witness(_) => Grade::Predicted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_have_an_order_and_names() {
        assert!(Grade::ALL.is_sorted_by(|weaker, stronger| weaker < stronger));
        assert!(Grade::ALL.into_iter().all(|grade| Grade::from_name(grade.name()) == Some(grade)));
        assert_eq!(Grade::ALL.map(Grade::is_executed), [false, false, false, true, true]);
        assert_eq!(Grade::from_name("certain"), None);
    }
}
