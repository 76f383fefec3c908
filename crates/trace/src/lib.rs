//! Traces on disk: the binary `.adt`, a readable text of the same, and RAPID's STD text, which the readable text extends.
//!
//! Every format is read through one trait, [`Source`]: batches of events in trace order, and the [`Tables`] that say
//! what the ids in them stand for. So whoever reads a trace does it in one loop, whatever the format. Every format is
//! written through one trait too, [`Sink`]; [`convert`] pours one into the other.
//!
//! Invariants: no input makes a reader panic or take memory out of proportion to the input; what a reader hands out
//! was whole on disk; what could not be read is named in the [`Ending`], never passed over in silence.

pub mod adt;
mod census;
mod confined;
mod ending;
mod error;
mod sink;
mod source;
mod tables;
pub mod text;
mod window;

pub use census::{Census, EventCounts, NameCounts, Order};
pub use confined::{Confined, Without};
pub use ending::{Cut, Damaged, End, Ending};
pub use error::Error;
pub use sink::{Dropped, Sink, convert, create};
pub use source::{Batch, Damage, Format, Header, Progress, Recorded, Row, Source, open, open_again, read};
pub use tables::{
    LockInfo, LockKind, MessageInfo, MessageKind, MethodInfo, Part, SiteInfo, StableName, Tables, ThreadInfo, VarInfo,
    VarKind,
};
