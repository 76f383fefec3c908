//! Races for people and machines.
//!
//! [`Findings`] joins what a detector reports about the same thing; [`Analysis`] is what `autodrome analyze` found in a
//! trace, with every id replaced by its name. [`Report`] holds the races of running programs, or of analyses; it is
//! read back ([`read`]), merged, judged by a baseline and suppressions ([`Judge`]), and written in any [`Format`].
//! [`Prediction`] holds those of schedules that were not run. Nothing here looks at a trace or a JVM: the caller knows the names.

mod analysis;
mod code;
mod date;
mod defaults;
mod error;
mod explain;
mod fields;
mod findings;
mod fingerprint;
mod format;
mod grade;
mod hunted;
mod interleaving;
mod jvm;
mod locks;
mod offline;
mod prediction;
mod provenance;
mod race;
mod read;
mod report;
mod shards;
mod source;
mod stack;
mod suppress;
mod text;
mod verdict;

pub use analysis::{Analysis, AnalysisRace, Comparison, FilterUse, Guard};
pub use code::Code;
pub use date::Date;
pub use defaults::LAZY_FIELDS;
pub use error::ReportError;
pub use explain::{Explanation, PAGES, Pattern};
pub use fields::RaceProne;
pub use findings::{Finding, Findings, Grouping};
pub use fingerprint::Fingerprint;
pub use format::{Format, annotations, step_summary};
pub use grade::Execution;
pub use hunted::HuntedRun;
pub use interleaving::{Run, Step};
pub use jvm::{
    Accesses, Arrays, Candidate, Jvm, Line, Locksets, Place, Sampling, Stacks, TraceFile, TraceState, TreeUse,
};
pub use offline::{Header, Offline, TraceAccess, TraceRace, TraceResult};
pub use prediction::{EventRange, ModelComparison, ModelResult, PredictedRace, Prediction, UndecidedLocations};
pub use provenance::{Provenance, shown_command};
pub use race::{
    Annotation, LiveRace, Lock, Operation, Side, StackFrame, ThreadName, Variable, VariableKind, java_type,
};
pub use read::read;
pub use report::{Fixed, Report};
pub use shards::{FoundIn, PartOf};
pub use source::Sources;
pub use suppress::Suppressions;
pub use text::{Plain, plain, plain_lines};
pub use verdict::{BaselineBy, FailOn, Judge, Status, Verdict};
