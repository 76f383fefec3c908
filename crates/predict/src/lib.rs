//! Races of other schedules, from one trace.
//!
//! [`predict`] asks of each window of a [`Recording`], and [`predict_source`] of each window of a trace while it is read,
//! whether some feasible reordering of a prefix makes two conflicting accesses next to each other. Cheap tiers come
//! first: pairs that nothing can bring together are never asked
//! (`candidates`), sync-preserving races of a stretch (`tier`) are taken if a replay confirms them, and the rest goes
//! to the order solver (`causality`, `query`). Under [`Model::Rdit`] calls of hidden methods order what they may have
//! synchronized (`barrier`). Every race that is reported has a witness, which `replay` has run.
//!
//! Invariants: a race is never reported on the solver's word alone; a question that could not be answered is counted as
//! undecided; the result does not depend on how many threads work on it.

mod barrier;
mod candidates;
mod causality;
mod conceal;
mod driver;
mod hidden;
mod layout;
pub mod oracle;
mod query;
mod recording;
mod replay;
mod rules;
mod stream;
mod tier;
mod ties;
mod window;

pub use candidates::{Location, LocationPair};
pub use conceal::Concealed;
pub use driver::{
    Gap, Origin, Predicted, Prediction, Settings, Shard, TAIL, Undecided, Verdict, Witness, ask, predict,
};
pub use query::Scope;
pub use recording::Recording;
pub use replay::Flaw;
pub use stream::{Reopen, predict_source};
pub use ties::{Reason, Tie, ties};

/// Which reorderings count as feasible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// The maximal causal model: what the trace shows is all that happened.
    Mc,
    /// The same, and calls of hidden methods may synchronize through all that they can reach.
    Rdit,
}
