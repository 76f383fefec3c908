//! FastTrack inside a running process, for many threads at once.
//!
//! Paper: FastTrack (Flanagan and Freund, PLDI 2009; FastTrack2, 2017); the decisions are those of
//! `detect::fasttrack::rules`, never a copy. What differs: a variable's state is two words of 64 bits in the
//! program's own heap ([`Word`]: one for reads, one for writes, each an epoch and the context of the access), so
//! nothing here owns it. An access is decided here on plain values; the caller swaps the new word in and, because
//! the other word may have changed meanwhile, looks at it once more ([`Runtime::check_write`],
//! [`Runtime::check_reads`]): of two racing accesses at least one sees the other.
//! Reports no pair that happens-before orders; finds the first race of every variable, as
//! `detect::djit` does. Misses what the observed order of locks hides, and accesses of threads for which
//! no era is left: those are counted by the caller.
//! State: each thread's clock under its own lock, taken by that thread, its forker and its joiners, and open to the thread
//! itself without one (`live.rs`); clocks of messages under theirs. Pasts of monitors and of volatile variables are the
//! caller's. Order of locks: thread, then any other; never two threads.
//! Invariant: no word holds a time of a thread that the thread has not reached.

mod access;
mod alike;
mod collections;
mod collector;
mod depot;
mod eras;
pub mod layout;
mod live;
mod lockset;
mod pages;
mod pool;
mod sample;
mod shared;
mod spans;
mod sync;
mod threads;
mod variable;
mod word;

pub use access::{AccessVerdict, Earlier};
pub use alike::{Alike, read_range, write_range};
pub use detect::eraser::News;
pub use detect::fasttrack::rules::{ReadRule, WriteRule};
pub use detect::hybrid;
pub use detect::lockset::FoldMap;
pub use detect::{FilterStatistics, FilterVerdict};

pub use collector::{At, Collector, Pair, Sight};
pub use depot::{Context, ContextId, Depot, Frame, HeldLock, INNERMOST, LocksetId, StackId, Walk};
pub use lockset::{Filter, Found, LOCATIONS, LockName, LocksetDetector, NAMES, Seen, Sizes};
pub use pool::{Elements, Pool, Pooled};
pub use sample::{
    ClockFirst, ClockVerdict, CostLimit, Gates, Location, Rate, Reservation, SampleCounts, SampledPlace, Sampler,
    WATCH_SLOTS, Watch, Watchpoints, is_chosen,
};
pub use spans::{Spans, Spot};
pub use sync::Message;
pub use threads::Past;
pub use variable::{Place, Variable};
pub use word::{Limits, SharedId, Stamp, State, Word};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The online detector: what all threads of the program call at once.
#[derive(Default)]
pub struct Runtime {
    threads: threads::Threads,
    messages: sync::Messages,
    shared: shared::SharedReads,
    collections: collections::Collections,
}

impl Runtime {
    /// A detector with other limits than those of a [`Word`]; for tests.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Runtime { threads: threads::Threads::with_limits(limits), ..Runtime::default() }
    }
}

/// Takes a lock. A thread that panicked while it held one left plain values behind, so they are still of use.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
