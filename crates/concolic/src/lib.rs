//! Concolic execution: what a run computed from its inputs, and which inputs would take another path.
//!
//! A run of the program writes a [`Trace`]: expressions over its inputs ([`Dag`]) and the decisions that depended on them
//! ([`Step`]). The [`Search`] keeps a tree of the decisions of all runs, and asks a [`Solver`] for inputs that decide
//! otherwise at one of them. Terms are bit-vectors, as wide as Java's types, so overflow is Java's.
//!
//! What may be missed: a value that passed code which is not instrumented is concrete from there on; the run says so, and a search
//! with such a run never claims to have tried all paths. Decisions depend on the schedule where threads communicate: paths of a
//! program with several threads hold for the schedules that were run.
//!
//! What may be wrong: nothing that is reported rests on a solution alone. Each input is run before anybody hears of it.

mod expr;
mod inputs;
mod search;
mod smt;
mod solver;
mod trace;

pub use expr::{Dag, Expr, Node, Op, Width};
pub use inputs::{Domain, Inputs, Source, Spec, SpecError, Type, Value};
pub use search::{Coverage, Next, Search};
pub use smt::{Limits, Question, query};
pub use solver::{Answer, Solver, SolverError, Z3};
pub use trace::{Choice, Outcome, Step, Trace, TraceError, Variable, Writer};
