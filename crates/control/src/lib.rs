//! The options that the command passes to the agent, as types: [`AgentOptions`] is written by one and read by the other.
//!
//! As text it is a comma list, `mode=detect,include=com.acme.*,out=races-%p.jsonl`, which also stands behind
//! `-agentpath:libautodrome.so=` where there is no command. An option is one row of the macro [`options!`](options): its
//! key, its field and its type. Reading, writing, the default and the list of valid keys in error messages follow from it.
//!
//! Invariants: `options.to_string().parse()` is `options`; an option that has its default is not written; no value
//! contains a comma or a double quote, which is why names and files have types of their own.
//!
//! To add a mode: a name in [`Mode`], and a group of options if it has any (a file like `locksets.rs`, a row in
//! [`AgentOptions`]).

mod agent;
mod choice;
mod concolic;
mod endpoint;
mod error;
mod files;
mod group;
mod hunting;
mod locksets;
mod name;
mod recording;
mod sampling;

pub use agent::{AgentOptions, ArrayIds, AtRace, Constants, Filter, IoOrder, LazyFields, Mode, Text};
pub use choice::Choice;
pub use concolic::ConcolicOptions;
pub use endpoint::Endpoint;
pub use error::{OptionError, Unpassable};
pub use files::{FileName, Process};
pub use group::Invalid;
pub use hunting::HuntOptions;
pub use locksets::{Elements, LocksetOptions, Pairs, Part, Statics};
pub use name::Name;
pub use recording::{BarrierData, Branches, Insides, RecordingOptions};
pub use sampling::{SampleLimit, SampleRate, SamplingOptions, WatchedBy};
