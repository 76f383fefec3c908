//! The clocks of the threads that were sampled: words outside the heap, which the shim advances.
//!
//! A clock is used again when its thread has ended, and goes on from where it was: no thread ever reaches the moment of another's
//! access again.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use model::ThreadId;

use crate::agent::lock;
use crate::ffi::Memory;

/// Clocks at most; further threads are not sampled.
const CLOCKS: usize = 1 << 17;

pub(super) struct Clocks {
    memory: Memory,
    used: Mutex<Used>,
}

#[derive(Default)]
struct Used {
    of_thread: HashMap<ThreadId, usize>,
    free: Vec<usize>,
    /// The first that was never used.
    next: usize,
    /// Threads that got none.
    refused: u64,
}

impl Clocks {
    pub(super) fn new() -> Option<Clocks> {
        Some(Clocks { memory: Memory::map(8 * CLOCKS)?, used: Mutex::default() })
    }

    /// The address of the clock of a thread, which it keeps until it ends.
    pub(super) fn address(&self, thread: ThreadId) -> Option<usize> {
        let mut used = lock(&self.used);
        let place = match used.of_thread.get(&thread) {
            Some(&known) => known,
            None => {
                let Some(place) = used.free.pop().or_else(|| (used.next < CLOCKS).then_some(used.next)) else {
                    used.refused += 1;
                    return None;
                };
                used.next = used.next.max(place + 1);
                used.of_thread.insert(thread, place);
                place
            }
        };
        Some(self.memory.address() + 8 * place)
    }

    /// The clock at an address.
    pub(super) fn at(&self, address: usize) -> Option<&'static AtomicU64> {
        self.memory.word(address.checked_sub(self.memory.address())?)
    }

    /// The thread has ended: whatever it did comes before those who learn of it.
    pub(super) fn end(&self, thread: ThreadId) {
        let mut used = lock(&self.used);
        if let Some(place) = used.of_thread.remove(&thread) {
            if let Some(clock) = self.memory.word(8 * place) {
                clock.fetch_add(1, Ordering::SeqCst);
            }
            used.free.push(place);
        }
    }

    /// Threads that got no clock.
    pub(super) fn refused(&self) -> u64 {
        lock(&self.used).refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_used_again_goes_on() {
        let clocks = Clocks::new().unwrap();
        let one = clocks.address(ThreadId(1)).unwrap();
        assert_eq!(clocks.address(ThreadId(1)), Some(one));
        let two = clocks.address(ThreadId(2)).unwrap();
        assert_ne!(one, two);
        let then = clocks.at(one).unwrap().load(Ordering::Relaxed);
        clocks.end(ThreadId(1));
        assert_eq!(clocks.address(ThreadId(3)), Some(one));
        assert!(clocks.at(one).unwrap().load(Ordering::Relaxed) > then, "the access of thread 1 is over");
        assert!(clocks.at(one - 8).is_none() && clocks.at(1).is_none());
        for thread in 4..CLOCKS as u32 + 2 {
            assert!(clocks.address(ThreadId(thread)).is_some());
        }
        assert!(clocks.address(ThreadId(u32::MAX)).is_none() && clocks.refused() == 1);
    }
}
