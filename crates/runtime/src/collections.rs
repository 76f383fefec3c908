//! What the collector orders: a reference that it cleared proves that all that was done with the object was done before.
//!
//! No paper and no rule of the language has this order, every collector does: when it clears a weak or soft reference no thread
//! can get at the object any more, so whatever a thread did with it, the sections of a lock say, comes before that collection.
//! Which threads used the object is not known, so all that any thread did before the collection counts.
//!
//! [`Runtime::collected`] runs while the JVM stops the threads that run Java code, perhaps in the middle of a hook;
//! threads in native code go on. It takes locks of this crate, one at a time. None of them is held by a stopped thread:
//! they are taken in native code only, and nothing that runs under one calls the JVM, which is where a thread in native
//! code would be stopped. What a stopped thread writes without a lock is its own clock (`live.rs`), of which one time
//! is read here, a whole `u32`.
//!
//! A thread's present time that others have got so names no past of the thread any more (`threads.rs`).
//!
//! What it may miss: the time that a thread is in at the collection counts as done before, also what the thread does with it
//! afterwards, until it next hands something on: the thread cannot be made to begin another one. And the last
//! collection counts, not the one that cleared the reference. Both hide a race at most. A collection that the JVM
//! does not announce orders nothing.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use model::VectorClock;

use crate::{Runtime, lock};

/// The collections so far.
#[derive(Default)]
pub(crate) struct Collections {
    /// How many there were. The shim reads it (AutodromeJdk.java).
    count: AtomicU32,
    /// All that was done before the last one.
    past: Mutex<VectorClock>,
}

impl Runtime {
    /// A collection is about to end, and no thread runs Java code.
    pub fn collected(&self) {
        let past = self.threads.all_done();
        *lock(&self.collections.past) = past;
        // Afterwards: who has seen the number finds at least this past.
        self.collections.count.fetch_add(1, Ordering::Release);
    }

    /// All that was done before the last collection.
    #[must_use]
    pub fn before_collection(&self) -> VectorClock {
        lock(&self.collections.past).clone()
    }

    /// Where the shim finds the number of collections. It never moves as long as the detector does not.
    #[must_use]
    pub fn collections_address(&self) -> usize {
        self.collections.count.as_ptr().expose_provenance()
    }
}
