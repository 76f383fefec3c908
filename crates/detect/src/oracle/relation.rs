//! A relation over positions, as a matrix of bits.

/// A relation over the positions of a trace; every pair goes forward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// `before[j][i]`: i is related to j.
    before: Vec<Vec<bool>>,
}

impl Relation {
    /// The empty relation over `length` positions.
    #[must_use]
    pub fn new(length: usize) -> Self {
        Relation { before: vec![vec![false; length]; length] }
    }

    /// Adds a pair; says whether it is new.
    pub fn add(&mut self, i: usize, j: usize) -> bool {
        !std::mem::replace(&mut self.before[j][i], true)
    }

    /// Is `i` related to `j`?
    #[must_use]
    pub fn holds(&self, i: usize, j: usize) -> bool {
        self.before[j][i]
    }

    /// Makes the relation transitive. All pairs go forward, so one pass in trace order is enough.
    pub fn close(&mut self) {
        for j in 0..self.before.len() {
            for k in (0..j).rev() {
                if self.before[j][k] {
                    let (earlier, rest) = self.before.split_at_mut(j);
                    for (mine, theirs) in rest[0].iter_mut().zip(&earlier[k]) {
                        *mine |= theirs;
                    }
                }
            }
        }
    }

    /// How many positions the relation is over.
    #[must_use]
    pub fn len(&self) -> usize {
        self.before.len()
    }

    /// Is it over no position at all?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before.is_empty()
    }
}
