//! What a conflict teaches.

use super::clauses::ClauseId;
use super::{Cdcl, Conflict};
use crate::Literal;

/// Activities above this are scaled down.
const TOO_ACTIVE: f64 = 1e100;
/// How fast old activity fades.
const FADE: f64 = 0.95;

impl Cdcl<'_> {
    /// The clause at the first unique implication point, the literal that it implies first, and the level to return to.
    pub(super) fn analyze(&mut self, conflict: Conflict) -> (Vec<Literal>, usize) {
        // A conflict among literals of lower levels only: the newest of these levels is the one to analyze.
        let reason = self.conflict_literals(conflict);
        let current = reason.iter().map(|literal| self.level_of[literal.atom()]).max().unwrap_or(0);
        if current == 0 {
            return (Vec::new(), 0);
        }
        let mut clause = Vec::new();
        let mut marked = Vec::new();
        let mut open = 0usize;
        self.mark(&reason, current, &mut clause, &mut marked, &mut open);
        let mut place = self.trail.len();
        let implied = loop {
            while place > 0 && !self.seen[self.trail[place - 1].atom()] {
                place -= 1;
            }
            let Some(&literal) = self.trail[..place].last() else { break None };
            place -= 1;
            // Literals of lower levels are in the clause already.
            if self.level_of[literal.atom()] < current {
                continue;
            }
            open -= 1;
            if open == 0 {
                break Some(!literal);
            }
            let id = self.reason_of[literal.atom()];
            self.clauses.bump(id);
            let reason: Vec<Literal> =
                self.clauses.literals(id).iter().copied().filter(|&other| other != literal).collect();
            self.mark(&reason, current, &mut clause, &mut marked, &mut open);
        };
        clause.retain(|&literal| !self.is_implied(literal));
        for atom in marked {
            self.seen[atom] = false;
        }
        clause.sort_by_key(|&literal| std::cmp::Reverse(self.level_of[literal.atom()]));
        let level = clause.first().map_or(0, |&literal| self.level_of[literal.atom()]);
        clause.splice(0..0, implied);
        self.increment /= FADE;
        (clause, level as usize)
    }

    /// The conflict as literals that all do not hold.
    fn conflict_literals(&mut self, conflict: Conflict) -> Vec<Literal> {
        match conflict {
            Conflict::Clause(id) => {
                self.clauses.bump(id);
                self.clauses.literals(id).to_vec()
            }
            Conflict::Cycle(edges) => edges.into_iter().map(|edge| !edge).collect(),
        }
    }

    fn mark(
        &mut self,
        reason: &[Literal],
        current: u32,
        clause: &mut Vec<Literal>,
        marked: &mut Vec<usize>,
        open: &mut usize,
    ) {
        for &literal in reason {
            let atom = literal.atom();
            let level = self.level_of[atom];
            if self.seen[atom] || level == 0 {
                continue;
            }
            self.seen[atom] = true;
            marked.push(atom);
            self.bump(atom);
            if level >= current {
                *open += 1;
            } else {
                clause.push(literal);
            }
        }
    }

    /// Does the rest of the clause say the same without this literal?
    fn is_implied(&self, literal: Literal) -> bool {
        let reason = self.reason_of[literal.atom()];
        reason != ClauseId::NONE
            && self.clauses.literals(reason).iter().all(|other| {
                other.atom() == literal.atom() || self.seen[other.atom()] || self.level_of[other.atom()] == 0
            })
    }

    fn bump(&mut self, atom: usize) {
        self.activity[atom] += self.increment;
        if self.activity[atom] > TOO_ACTIVE {
            for activity in &mut self.activity {
                *activity /= TOO_ACTIVE;
            }
            self.increment /= TOO_ACTIVE;
        }
    }
}
