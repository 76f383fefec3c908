//! What follows from the trail: by clauses, and by the order.

use super::clauses::Watch;
use super::{Cdcl, Conflict};
use crate::Literal;

impl Cdcl<'_> {
    /// Draws all conclusions, clauses first: they are cheaper than edges.
    pub(super) fn propagate(&mut self) -> Option<Conflict> {
        loop {
            while let Some(&literal) = self.trail.get(self.propagated) {
                self.propagated += 1;
                if let Some(conflict) = self.propagate_clauses(!literal) {
                    return Some(conflict);
                }
            }
            let &literal = self.trail.get(self.ordered)?;
            if let Some((from, to)) = self.draft.edge(literal) {
                let mut cycle = Vec::new();
                if !self.order.add(from, to, literal, &mut cycle) {
                    cycle.push(literal);
                    return Some(Conflict::Cycle(cycle));
                }
            }
            self.ordered += 1;
        }
    }

    /// `wrong` does not hold any more: every clause that it watches looks for another literal.
    fn propagate_clauses(&mut self, wrong: Literal) -> Option<Conflict> {
        let mut watches = self.clauses.take_watches(wrong);
        let mut conflict = None;
        let mut kept = 0;
        let mut next = 0;
        while let Some(&watch) = watches.get(next) {
            next += 1;
            if conflict.is_some() || self.value(watch.other) > 0 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let values = &self.values;
            let literals = self.clauses.literals_mut(watch.clause);
            let [one, two, rest @ ..] = literals else { continue };
            if *one == wrong {
                std::mem::swap(one, two);
            }
            let first = *one;
            let watch = Watch { clause: watch.clause, other: first };
            if values[first.index()] <= 0 {
                if let Some(other) = rest.iter_mut().find(|literal| values[literal.index()] >= 0) {
                    std::mem::swap(two, other);
                    let moved = *two;
                    self.clauses.watch(moved, watch);
                    continue;
                }
            }
            watches[kept] = watch;
            kept += 1;
            match self.value(first) {
                0 => self.assign(first, watch.clause),
                1 => {}
                _ => conflict = Some(Conflict::Clause(watch.clause)),
            }
        }
        watches.truncate(kept);
        self.clauses.put_watches(wrong, watches);
        conflict
    }
}
