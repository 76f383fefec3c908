//! Decides whether the nodes of a graph can be put in an order that keeps given clauses over "this one comes before
//! that one".
//!
//! [`Cdcl`] is the engine: conflict-driven clause learning over order atoms, with an order of the nodes that is repaired
//! edge by edge. [`z3::Z3`] asks the `z3` program the same through text: the test oracle, and slow. Both are behind
//! [`Engine`].
//!
//! One node is special: the *horizon*. A question is about what must come before it; nodes that nothing puts before the
//! horizon come after it, and no clause about them needs any thought. Clauses come late, too: an engine first finds an
//! order, then asks a [`Refine`] which clauses it breaks, and goes on with those added.
//!
//! Invariants: nothing here prints or blocks (apart from waiting for `z3`), and no graph or clause makes it panic.

mod cdcl;
mod formula;
mod graph;
mod order;
pub mod z3;

use std::time::Instant;

pub use cdcl::{Cdcl, Effort};
pub use formula::{Formula, Literal};
pub use graph::{Graph, Node};

/// What an engine found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is an order; these nodes come before the horizon, in this order.
    Order(Vec<Node>),
    /// There is none.
    Impossible,
    /// The engine gave up.
    Undecided,
}

/// A question about a graph.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Where to look first: the horizon right before this node, all else in the order of the graph's numbers.
    pub near: Node,
    /// What must hold, for this question only.
    pub assumptions: &'a [Literal],
    /// How many conflicts the search may run into before it gives up.
    pub conflicts: u64,
    /// When it gives up in any case.
    pub deadline: Option<Instant>,
}

/// Finds orders. Atoms and clauses stay from question to question.
pub trait Engine: Formula {
    /// Is there an order in which all clauses hold, those included that `refine` adds on the way?
    fn solve(&mut self, question: Question<'_>, refine: &mut dyn Refine) -> Answer;
}

/// Adds clauses when they are needed.
pub trait Refine {
    /// Looks at the nodes before the horizon, in their order. Adds clauses that the order breaks; if it adds none, the
    /// order is an answer.
    fn refine(&mut self, prefix: &[Node], formula: &mut dyn Formula);
}

/// Adds nothing: all clauses are there from the start.
impl Refine for () {
    fn refine(&mut self, _: &[Node], _: &mut dyn Formula) {}
}
