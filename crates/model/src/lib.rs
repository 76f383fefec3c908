//! The words that every other crate speaks: ids, [`Event`], [`VectorClock`], [`Race`].
//!
//! Invariants: no dependency, no I/O, no lock, nothing here can fail. What an id stands for (a field, a source
//! line, a thread's name) is kept by whoever hands out the id: the tables of a trace, or the agent.

mod clock;
mod event;
mod ids;
mod letters;
mod race;

pub use clock::{Epoch, Slot, VectorClock};
pub use event::{AccessKind, Event, Mode, Op, Value};
pub use ids::{EventIndex, LockId, MessageId, MethodId, ObjectId, SiteId, ThreadId, VarId};
pub use letters::is_unsafe_to_show;
pub use race::{Access, Evidence, Grade, Race, Witness};
