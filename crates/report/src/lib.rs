//! Races for people and machines.
//!
//! [`Findings`] joins what a detector reports about the same thing; [`Analysis`] is what `autodrome analyze` found in a
//! trace, with every id replaced by its name, and can be written as text or JSON. Nothing here looks at a trace: the
//! caller knows the names.

mod analysis;
mod findings;

pub use analysis::{Analysis, AnalysisAccess, AnalysisRace, Comparison, FilterUse};
pub use findings::{Finding, Findings, Grouping};
