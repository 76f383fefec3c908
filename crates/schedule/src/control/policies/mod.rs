//! The policies: one file each.

mod feedback;
mod guide;
mod pct;
mod pos;
mod random_walk;
mod replay;
mod surw;
mod systematic;

pub use feedback::{Feedback, Mutant};
pub use guide::{Guide, Leg};
pub use pct::Pct;
pub use pos::Pos;
pub use random_walk::RandomWalk;
pub use replay::Replay;
pub use surw::{Surw, Weights};
pub use systematic::{Branch, Systematic};
