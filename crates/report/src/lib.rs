//! Races for people and machines.
//!
//! [`Findings`] joins what a detector reports about the same thing; [`Analysis`] is what `autodrome analyze` found in a
//! trace, with every id replaced by its name, and can be written as text or JSON. [`Report`] holds
//! the races of running programs, [`Prediction`] those of schedules that were not run. Nothing here looks at a trace or a JVM: the caller knows the names.

mod analysis;
mod findings;
mod fingerprint;
mod live;
mod prediction;
mod words;

pub use analysis::{Analysis, AnalysisAccess, AnalysisRace, Comparison, FilterUse};
pub use findings::{Finding, Findings, Grouping};
pub use fingerprint::Fingerprint;
pub use live::{
    Accesses, Arrays, Jvm, Line, LiveRace, Lock, Operation, Report, Side, StackFrame, ThreadName, TraceFile,
    TraceState, Variable, VariableKind,
};
pub use prediction::{ModelComparison, ModelResult, PredictedRace, Prediction, UndecidedLocations};
