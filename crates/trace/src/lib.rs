//! Traces on disk: the binary `.adt`, a readable text of the same, and RAPID's STD text, which the readable text extends.
//!
//! Every format is read through one trait, [`Source`]: batches of events in trace order, and the [`Tables`] that say
//! what the ids in them stand for. So whoever reads a trace does it in one loop, whatever the format.

mod tables;

pub use tables::{
    LockInfo, LockKind, MessageInfo, MessageKind, MethodInfo, SiteInfo, Tables, ThreadInfo, VarInfo, VarKind,
};

use model::{Event, EventIndex, ObjectId, Value};

/// A run of events that follow each other in a trace.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The position of the first event.
    pub first: EventIndex,
    /// The events.
    pub events: Vec<Event>,
    /// What accesses read or wrote, by place in `events`, ascending; empty if the trace has no values.
    pub values: Vec<(u32, Value)>,
    /// The objects that a hidden method can reach, by place of its `MethodBegin` in `events`, ascending.
    pub reach: Vec<(u32, Box<[ObjectId]>)>,
}
