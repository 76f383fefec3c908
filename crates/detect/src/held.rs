//! The locks that each thread holds: L_i(t) of O'Callahan and Choi 2003, section 2.2, with modes and reentrancy.

use model::{LockId, Mode, ThreadId};

use crate::table::Table;

/// What an acquire or release did to the set of held locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The lock is now held, or no longer held.
    Outermost,
    /// The lock stays held, but now for writing (an upgrade) or only for reading (a downgrade).
    Mode,
    /// A reentrant step: the set is as it was. A release of a lock that is not held counts as one too.
    Inner,
}

/// How often a lock is held in each mode.
#[derive(Clone, Copy, Debug)]
struct Hold {
    lock: LockId,
    for_reading: u32,
    for_writing: u32,
}

impl Hold {
    /// The stronger of the modes that it is held in.
    fn mode(self) -> Mode {
        if self.for_writing > 0 { Mode::Write } else { Mode::Read }
    }

    fn depth(&mut self, mode: Mode) -> &mut u32 {
        match mode {
            Mode::Read => &mut self.for_reading,
            Mode::Write => &mut self.for_writing,
        }
    }
}

/// The locks of one thread, sorted by id.
#[derive(Clone, Debug, Default)]
pub struct HeldLocks {
    holds: Vec<Hold>,
}

impl HeldLocks {
    /// Takes a lock. A thread that holds a lock for writing may take it for reading too, and later give up the first
    /// and keep the second: the downgrade of a read-write lock.
    pub fn acquire(&mut self, lock: LockId, mode: Mode) -> Change {
        match self.holds.binary_search_by_key(&lock, |hold| hold.lock) {
            Ok(found) => {
                let hold = &mut self.holds[found];
                let before = hold.mode();
                *hold.depth(mode) += 1;
                if hold.mode() == before { Change::Inner } else { Change::Mode }
            }
            Err(place) => {
                let mut hold = Hold { lock, for_reading: 0, for_writing: 0 };
                *hold.depth(mode) += 1;
                self.holds.insert(place, hold);
                Change::Outermost
            }
        }
    }

    /// Gives a lock back. A release in a mode in which it is not held counts as one in the other mode.
    pub fn release(&mut self, lock: LockId, mode: Mode) -> Change {
        let Ok(found) = self.holds.binary_search_by_key(&lock, |hold| hold.lock) else {
            return Change::Inner;
        };
        let hold = &mut self.holds[found];
        let before = hold.mode();
        let mode = if *hold.depth(mode) > 0 { mode } else { before };
        *hold.depth(mode) -= 1;
        if hold.for_reading + hold.for_writing == 0 {
            self.holds.remove(found);
            Change::Outermost
        } else if hold.mode() == before {
            Change::Inner
        } else {
            Change::Mode
        }
    }

    /// The locks held, by id, each with its mode.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (LockId, Mode)> + '_ {
        self.holds.iter().map(|hold| (hold.lock, hold.mode()))
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

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: LockId = LockId(7);

    #[test]
    fn only_the_outermost_step_changes_the_set() {
        let mut held = HeldLocks::default();
        assert_eq!(held.acquire(LOCK, Mode::Write), Change::Outermost);
        assert_eq!(held.acquire(LOCK, Mode::Write), Change::Inner);
        assert_eq!(held.release(LOCK, Mode::Write), Change::Inner);
        assert_eq!(held.release(LOCK, Mode::Write), Change::Outermost);
        assert_eq!(held.release(LOCK, Mode::Write), Change::Inner, "it is not held");
        assert!(held.is_empty());
    }

    #[test]
    fn a_downgrade_leaves_the_lock_held_for_reading() {
        let mut held = HeldLocks::default();
        held.acquire(LOCK, Mode::Write);
        assert_eq!(held.acquire(LOCK, Mode::Read), Change::Inner);
        assert_eq!(held.iter().collect::<Vec<_>>(), [(LOCK, Mode::Write)]);
        assert_eq!(held.release(LOCK, Mode::Write), Change::Mode);
        assert_eq!(held.iter().collect::<Vec<_>>(), [(LOCK, Mode::Read)]);
        assert_eq!(held.release(LOCK, Mode::Read), Change::Outermost);
    }

    #[test]
    fn an_upgrade_is_a_change_of_mode() {
        let mut held = HeldLocks::default();
        held.acquire(LOCK, Mode::Read);
        assert_eq!(held.acquire(LOCK, Mode::Write), Change::Mode);
        assert_eq!(held.release(LOCK, Mode::Write), Change::Mode);
    }
}
