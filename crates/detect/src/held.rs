//! The locks that each thread holds: L_i(t) of hybrid.txt §2.2, with modes and reentrancy.

use model::{LockId, Mode, ThreadId};

use crate::table::Table;

/// What an acquire or release did to the set of held locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The lock is now held, or no longer held.
    Outermost,
    /// A reentrant step: the set is as it was. A release of a lock that is not held counts as one too.
    Inner,
}

#[derive(Clone, Copy, Debug)]
struct Hold {
    lock: LockId,
    mode: Mode,
    depth: u32,
}

/// The locks of one thread, sorted by id.
#[derive(Clone, Debug, Default)]
pub struct HeldLocks {
    holds: Vec<Hold>,
}

impl HeldLocks {
    /// Takes a lock. A thread that holds a lock for writing may take it for reading too; it keeps the stronger mode
    /// until its last release.
    pub fn acquire(&mut self, lock: LockId, mode: Mode) -> Change {
        match self.holds.binary_search_by_key(&lock, |hold| hold.lock) {
            Ok(found) => {
                self.holds[found].depth += 1;
                self.holds[found].mode = self.holds[found].mode.max(mode);
                Change::Inner
            }
            Err(place) => {
                self.holds.insert(place, Hold { lock, mode, depth: 1 });
                Change::Outermost
            }
        }
    }

    /// Gives a lock back.
    pub fn release(&mut self, lock: LockId) -> Change {
        let Ok(found) = self.holds.binary_search_by_key(&lock, |hold| hold.lock) else {
            return Change::Inner;
        };
        self.holds[found].depth -= 1;
        if self.holds[found].depth > 0 {
            return Change::Inner;
        }
        self.holds.remove(found);
        Change::Outermost
    }

    /// The locks held, by id, each with its mode.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (LockId, Mode)> + '_ {
        self.holds.iter().map(|hold| (hold.lock, hold.mode))
    }

    /// How many locks are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.holds.len()
    }

    /// Is no lock held?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.holds.is_empty()
    }
}

/// The locks of all threads.
#[derive(Clone, Debug, Default)]
pub struct Held {
    threads: Table<HeldLocks>,
}

impl Held {
    /// The locks of one thread.
    pub fn of(&mut self, thread: ThreadId) -> &mut HeldLocks {
        self.threads.at(thread.index())
    }
}
