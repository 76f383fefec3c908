//! Conflict-driven clause learning over order atoms.
//!
//! After Marques-Silva and Sakallah, "GRASP" (1996) and Moskewicz et al., "Chaff" (2001): watched literals, first
//! unique implication points, activities. The theory is `order`: a literal is an edge, a cycle is a conflict.
//! *Differs:* most atoms are never decided. An atom without a value has the one that the current order gives it, and a
//! decision is made only to repair a clause that does not hold then; so the search starts at the observed order and
//! stays near it. Clauses arrive while it runs ([`crate::Refine`]).
//!
//! *Misses* nothing: it answers, or says that it gave up. *State:* all owned by [`Cdcl`]; clauses given and learnt stay
//! for the next question. *Invariant:* when nothing waits to be propagated, every order literal on the trail is an edge.

mod analyze;
mod clauses;
mod propagate;

use std::time::Instant;

use crate::formula::{Draft, Formula, Literal};
use crate::graph::{Graph, Node};
use crate::order::{Mark, Order};
use crate::{Answer, Engine, Question, Refine};
use clauses::{ClauseId, Clauses, Origin};

/// Conflicts between two restarts.
const RESTART: u64 = 200;
/// Learnt clauses above which half are forgotten.
const MANY_LEARNT: usize = 4000;

/// A clause in which no literal holds.
enum Conflict {
    Clause(ClauseId),
    /// Edges that make a cycle: not all of them.
    Cycle(Vec<Literal>),
}

/// A decision's place on the trail.
#[derive(Clone, Copy, Debug)]
struct Level {
    trail: usize,
    order: Mark,
}

/// How much an engine did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Questions answered or given up.
    pub questions: u64,
    /// Times that orders were looked at by a [`Refine`].
    pub rounds: u64,
    /// Decisions made.
    pub decisions: u64,
    /// Conflicts met.
    pub conflicts: u64,
    /// Clauses given.
    pub clauses: u64,
}

/// The engine.
pub struct Cdcl<'g> {
    graph: &'g Graph,
    draft: Draft,
    order: Order<'g>,
    clauses: Clauses,
    /// Of each literal: 1 if it holds, -1 if its negation does, 0 if neither.
    values: Vec<i8>,
    level_of: Vec<u32>,
    reason_of: Vec<ClauseId>,
    activity: Vec<f64>,
    increment: f64,
    seen: Vec<bool>,
    trail: Vec<Literal>,
    levels: Vec<Level>,
    /// How much of the trail the clauses have seen.
    propagated: usize,
    /// How much of the trail the order has seen.
    ordered: usize,
    /// Where the search for a broken clause goes on.
    look: usize,
    contradiction: bool,
    effort: Effort,
}

impl<'g> Cdcl<'g> {
    /// An engine that knows the graph and no clause.
    #[must_use]
    pub fn new(graph: &'g Graph) -> Self {
        Cdcl {
            graph,
            draft: Draft::default(),
            order: Order::new(graph),
            clauses: Clauses::default(),
            values: Vec::new(),
            level_of: Vec::new(),
            reason_of: Vec::new(),
            activity: Vec::new(),
            increment: 1.0,
            seen: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            propagated: 0,
            ordered: 0,
            look: 0,
            contradiction: false,
            effort: Effort::default(),
        }
    }

    /// What was done so far.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// How many clauses were given.
    #[must_use]
    pub fn len(&self) -> usize {
        self.clauses.given.len()
    }

    /// Was no clause given?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.clauses.given.is_empty()
    }

    #[inline]
    fn value(&self, literal: Literal) -> i8 {
        self.values[literal.index()]
    }

    /// Does the literal hold, atoms without a value taken from the current order?
    #[inline]
    fn holds(&self, literal: Literal) -> bool {
        match self.value(literal) {
            0 => match self.draft.edge(literal) {
                Some((from, to)) => self.order.precedes(from, to),
                None => !literal.is_positive(),
            },
            value => value > 0,
        }
    }

    fn assign(&mut self, literal: Literal, reason: ClauseId) {
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        self.level_of[literal.atom()] = self.levels.len() as u32;
        self.reason_of[literal.atom()] = reason;
        self.trail.push(literal);
    }

    fn decide(&mut self, literal: Literal) {
        self.levels.push(Level { trail: self.trail.len(), order: self.order.mark() });
        self.assign(literal, ClauseId::NONE);
    }

    /// Takes back all that was decided at higher levels.
    fn return_to(&mut self, level: usize) {
        let Some(&Level { trail, order }) = self.levels.get(level) else { return };
        for literal in self.trail.drain(trail..) {
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
        }
        self.levels.truncate(level);
        self.propagated = self.propagated.min(trail);
        self.ordered = self.ordered.min(trail);
        self.order.undo(order);
    }

    /// Makes room for new atoms.
    fn grow(&mut self) {
        let atoms = self.draft.atoms.len();
        self.values.resize(2 * atoms, 0);
        self.level_of.resize(atoms, 0);
        self.reason_of.resize(atoms, ClauseId::NONE);
        self.activity.resize(atoms, 0.0);
        self.seen.resize(atoms, false);
        self.clauses.grow(atoms);
    }

    /// Takes in the clauses that wait, going back only as far as each one makes it necessary.
    fn take_clauses(&mut self) {
        self.grow();
        for clause in std::mem::take(&mut self.draft.clauses) {
            self.effort.clauses += 1;
            self.take_clause(clause);
        }
    }

    fn take_clause(&mut self, mut clause: Vec<Literal>) {
        if clause.iter().any(|&literal| self.value(literal) > 0 && self.level_of[literal.atom()] == 0) {
            return;
        }
        clause.retain(|&literal| self.value(literal) == 0 || self.level_of[literal.atom()] > 0);
        // What has no value comes first, then what had its value for the shortest time.
        let age = |cdcl: &Self, literal: Literal| match cdcl.value(literal) {
            -1 => cdcl.level_of[literal.atom()],
            _ => u32::MAX,
        };
        clause.sort_by_key(|&literal| std::cmp::Reverse(age(self, literal)));
        match *clause.as_slice() {
            [] => self.contradiction = true,
            [fact] => {
                self.return_to(0);
                self.assign_new(fact, ClauseId::NONE);
            }
            [one, two, ..] => {
                let (first, second) = (age(self, one), age(self, two));
                if second != u32::MAX {
                    // At most one literal can still hold: go back to where it must, or to where two can.
                    let level = if first == second { second.saturating_sub(1) } else { second };
                    self.return_to(level as usize);
                }
                let id = self.clauses.add(clause, Origin::Given);
                if self.value(two) < 0 && self.value(one) == 0 {
                    self.assign(one, id);
                }
            }
        }
    }

    /// Gives a literal its value at level 0, where it may have the other one.
    fn assign_new(&mut self, literal: Literal, reason: ClauseId) {
        match self.value(literal) {
            0 => self.assign(literal, reason),
            1 => {}
            _ => self.contradiction = true,
        }
    }

    /// A literal that would repair a clause that does not hold now.
    fn repair(&mut self) -> Option<Literal> {
        let count = self.clauses.given.len();
        for step in 0..count {
            let place = if self.look + step < count { self.look + step } else { self.look + step - count };
            let literals = self.clauses.literals(self.clauses.given[place]);
            if literals.iter().any(|&literal| self.holds(literal)) {
                continue;
            }
            self.look = place;
            let open = literals.iter().copied().filter(|&literal| self.value(literal) == 0);
            // Of equals the first: a read prefers the write that it saw.
            return open.rev().max_by(|&one, &two| {
                let (one, two) = (self.worth(one), self.worth(two));
                one.0.total_cmp(&two.0).then(two.1.cmp(&one.1))
            });
        }
        None
    }

    /// How promising a literal is: what lately took part in conflicts first, then what moves the order least. An edge
    /// that would push a needed node past the horizon only makes a conflict: it is the last to try.
    fn worth(&self, literal: Literal) -> (f64, u32) {
        let activity = self.activity[literal.atom()];
        match self.draft.edge(literal) {
            Some((from, _)) if from == self.graph.len() => (-1.0, 0),
            Some((from, to)) => (activity, self.order.distance(from, to)),
            None => (activity, 0),
        }
    }

    fn learn(&mut self, conflict: Conflict) {
        self.effort.conflicts += 1;
        let (clause, level) = self.analyze(conflict);
        self.return_to(level);
        match *clause.as_slice() {
            [] => self.contradiction = true,
            [fact] => self.assign_new(fact, ClauseId::NONE),
            [first, ..] => {
                let id = self.clauses.add(clause, Origin::Learnt);
                self.assign(first, id);
            }
        }
    }

    fn begin(&mut self, near: Node) {
        self.return_to(0);
        self.order.reset(near.index());
        self.ordered = 0;
        self.look = 0;
        if self.clauses.learnt > MANY_LEARNT {
            self.reason_of.fill(ClauseId::NONE);
            self.clauses.forget();
        }
        self.take_clauses();
    }

    fn search(&mut self, question: Question<'_>, refine: &mut dyn Refine) -> Answer {
        let start = self.effort.conflicts;
        let mut restart = start + RESTART;
        loop {
            if self.contradiction {
                return Answer::Impossible;
            }
            if let Some(conflict) = self.propagate() {
                if self.levels.is_empty() {
                    self.contradiction = true;
                    return Answer::Impossible;
                }
                self.learn(conflict);
                continue;
            }
            let is_over = question.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_over || self.effort.conflicts - start > question.conflicts {
                return Answer::Undecided;
            }
            if self.effort.conflicts >= restart {
                restart = self.effort.conflicts + RESTART;
                self.return_to(0);
                continue;
            }
            // The first levels are the assumptions; one that holds already has an empty level.
            if let Some(&assumption) = question.assumptions.get(self.levels.len()) {
                match self.value(assumption) {
                    0 => self.decide(assumption),
                    1 => self.levels.push(Level { trail: self.trail.len(), order: self.order.mark() }),
                    _ => return Answer::Impossible,
                }
                continue;
            }
            if let Some(literal) = self.repair() {
                self.effort.decisions += 1;
                self.decide(literal);
                continue;
            }
            let prefix: Vec<Node> = self.order.prefix().into_iter().map(Node).collect();
            self.effort.rounds += 1;
            refine.refine(&prefix, &mut self.draft);
            if self.draft.clauses.is_empty() {
                return Answer::Order(prefix);
            }
            self.look = self.clauses.given.len();
            self.take_clauses();
        }
    }
}

impl Formula for Cdcl<'_> {
    fn boolean(&mut self) -> Literal {
        self.draft.boolean()
    }

    fn before(&mut self, one: Node, other: Node) -> Literal {
        self.draft.before(one, other)
    }

    fn clause(&mut self, literals: &[Literal]) {
        self.draft.clause(literals);
    }
}

impl Engine for Cdcl<'_> {
    fn solve(&mut self, question: Question<'_>, refine: &mut dyn Refine) -> Answer {
        self.effort.questions += 1;
        self.begin(question.near);
        let answer = self.search(question, refine);
        self.return_to(0);
        answer
    }
}
