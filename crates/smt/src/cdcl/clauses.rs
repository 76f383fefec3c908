//! Clauses and who watches them.

use crate::Literal;

/// A clause's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClauseId(u32);

impl ClauseId {
    /// No clause: the reason of a decision or of a fact.
    pub(super) const NONE: ClauseId = ClauseId(u32::MAX);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Given,
    Learnt,
}

#[derive(Clone, Debug)]
struct Clause {
    literals: Vec<Literal>,
    origin: Origin,
    /// How much use it was lately.
    activity: f32,
}

/// Who is told when a literal turns false.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub(super) clause: ClauseId,
    /// Some other literal of the clause: if it holds, the clause needs no look.
    pub(super) other: Literal,
}

/// All clauses of at least two literals.
///
/// Invariant: a clause is watched by its first two literals; a forgotten one has none.
#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    all: Vec<Clause>,
    watches: Vec<Vec<Watch>>,
    /// The given ones.
    pub(super) given: Vec<ClauseId>,
    pub(super) learnt: usize,
}

impl Clauses {
    /// Makes room for the literals of one more atom.
    pub(super) fn grow(&mut self, atoms: usize) {
        self.watches.resize_with(2 * atoms, Vec::new);
    }

    #[inline]
    pub(super) fn literals(&self, clause: ClauseId) -> &[Literal] {
        self.all.get(clause.index()).map_or(&[], |clause| &clause.literals)
    }

    #[inline]
    pub(super) fn literals_mut(&mut self, clause: ClauseId) -> &mut [Literal] {
        self.all.get_mut(clause.index()).map_or(&mut [], |clause| &mut clause.literals)
    }

    pub(super) fn add(&mut self, literals: Vec<Literal>, origin: Origin) -> ClauseId {
        let clause = ClauseId(self.all.len() as u32);
        if let [one, two, ..] = *literals.as_slice() {
            self.watch(one, Watch { clause, other: two });
            self.watch(two, Watch { clause, other: one });
        }
        match origin {
            Origin::Given => self.given.push(clause),
            Origin::Learnt => self.learnt += 1,
        }
        self.all.push(Clause { literals, origin, activity: 1.0 });
        clause
    }

    #[inline]
    pub(super) fn watch(&mut self, literal: Literal, watch: Watch) {
        self.watches[literal.index()].push(watch);
    }

    /// The watches of a literal, to be worked through and put back.
    #[inline]
    pub(super) fn take_watches(&mut self, literal: Literal) -> Vec<Watch> {
        std::mem::take(&mut self.watches[literal.index()])
    }

    #[inline]
    pub(super) fn put_watches(&mut self, literal: Literal, watches: Vec<Watch>) {
        self.watches[literal.index()] = watches;
    }

    /// The clause took part in a conflict.
    pub(super) fn bump(&mut self, clause: ClauseId) {
        if let Some(clause) = self.all.get_mut(clause.index()) {
            clause.activity += 1.0;
        }
    }

    /// Forgets the less useful half of the long learnt clauses. Nothing may have one of them as its reason.
    pub(super) fn forget(&mut self) {
        let long = |clause: &Clause| clause.origin == Origin::Learnt && clause.literals.len() > 3;
        let mut candidates: Vec<usize> = (0..self.all.len()).filter(|&place| long(&self.all[place])).collect();
        candidates.sort_by(|&one, &two| self.all[one].activity.total_cmp(&self.all[two].activity));
        candidates.truncate(candidates.len() / 2);
        for place in candidates {
            self.all[place].literals = Vec::new();
            self.learnt -= 1;
        }
        for clause in &mut self.all {
            clause.activity *= 0.5;
        }
        for watches in &mut self.watches {
            watches
                .retain(|watch| self.all.get(watch.clause.index()).is_some_and(|clause| !clause.literals.is_empty()));
        }
    }
}
