//! Who owns which lock and who waits for one: what a deadlock is found in.

use std::collections::{BTreeMap, HashMap};

use model::{LockId, SiteId, ThreadId};

/// Threads that wait for each other's locks in a circle: none of them can ever go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// Each thread waits for a lock of the next one, the last for a lock of the first. The smallest thread comes first.
    pub circle: Vec<Waiting>,
}

/// A thread of a deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The thread.
    pub thread: ThreadId,
    /// The lock that it waits for.
    pub lock: LockId,
    /// Where it wants to take it.
    pub site: SiteId,
    /// Where the owner took it.
    pub taken_at: SiteId,
}

#[derive(Clone, Copy, Debug)]
struct Owner {
    thread: ThreadId,
    site: SiteId,
    depth: u32,
}

/// All locks that somebody owns or waits for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locks {
    owners: HashMap<LockId, Owner>,
    wanted: BTreeMap<ThreadId, (LockId, SiteId)>,
}

impl Locks {
    /// Does a thread own a lock?
    pub(crate) fn owns(&self, thread: ThreadId, lock: LockId) -> bool {
        self.owners.get(&lock).is_some_and(|owner| owner.thread == thread)
    }

    /// The locks that a thread owns, and where it took each.
    pub(crate) fn of(&self, thread: ThreadId) -> Vec<(LockId, SiteId)> {
        let owned = self.owners.iter().filter(|(_, owner)| owner.thread == thread);
        let mut owned: Vec<(LockId, SiteId)> = owned.map(|(&lock, owner)| (lock, owner.site)).collect();
        owned.sort_unstable();
        owned
    }

    /// Does a lock belong to another thread?
    pub(crate) fn is_taken(&self, thread: ThreadId, lock: LockId) -> bool {
        self.owners.get(&lock).is_some_and(|owner| owner.thread != thread)
    }

    /// A thread waits for a lock from now on, unless the lock is free.
    pub(crate) fn want(&mut self, thread: ThreadId, lock: LockId, site: SiteId) {
        self.wanted.insert(thread, (lock, site));
    }

    /// A thread no longer wants a lock: it tried and did not get it.
    pub(crate) fn give_up(&mut self, thread: ThreadId) {
        self.wanted.remove(&thread);
    }

    /// Does a thread wait for this lock, of another one?
    pub(crate) fn waits_for(&self, thread: ThreadId, lock: LockId) -> bool {
        self.wanted.get(&thread).is_some_and(|&(wanted, _)| wanted == lock) && self.is_taken(thread, lock)
    }

    /// Does a thread wait for a lock of another one?
    pub(crate) fn waits(&self, thread: ThreadId) -> bool {
        self.wanted.get(&thread).is_some_and(|&(lock, _)| self.is_taken(thread, lock))
    }

    /// A thread took a lock: was it the outermost time?
    pub(crate) fn acquire(&mut self, thread: ThreadId, lock: LockId, site: SiteId) -> bool {
        self.wanted.remove(&thread);
        match self.owners.get_mut(&lock) {
            Some(owner) if owner.thread == thread => {
                owner.depth += 1;
                false
            }
            _ => {
                self.owners.insert(lock, Owner { thread, site, depth: 1 });
                true
            }
        }
    }

    /// A thread gave a lock back once.
    pub(crate) fn release(&mut self, thread: ThreadId, lock: LockId) {
        let Some(owner) = self.owners.get_mut(&lock).filter(|owner| owner.thread == thread) else { return };
        owner.depth -= 1;
        if owner.depth == 0 {
            self.owners.remove(&lock);
        }
    }

    /// A thread ended.
    pub(crate) fn forget(&mut self, thread: ThreadId) {
        self.wanted.remove(&thread);
        self.owners.retain(|_, owner| owner.thread != thread);
    }

    /// The circle that a thread waits in, if there is one.
    pub(crate) fn circle(&self, thread: ThreadId) -> Option<Deadlock> {
        let mut circle = Vec::new();
        let mut next = thread;
        while circle.len() <= self.wanted.len() {
            let &(lock, site) = self.wanted.get(&next)?;
            let owner = self.owners.get(&lock).filter(|owner| owner.thread != next)?;
            circle.push(Waiting { thread: next, lock, site, taken_at: owner.site });
            next = owner.thread;
            if next == thread {
                let first = circle.iter().enumerate().min_by_key(|(_, waiting)| waiting.thread)?.0;
                circle.rotate_left(first);
                return Some(Deadlock { circle });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_a_deadlock_and_a_chain_is_none() {
        let (one, two, three) = (ThreadId(1), ThreadId(2), ThreadId(3));
        let mut locks = Locks::default();
        locks.acquire(one, LockId(1), SiteId(10));
        locks.acquire(two, LockId(2), SiteId(20));
        locks.want(two, LockId(1), SiteId(21));
        locks.want(three, LockId(2), SiteId(30));
        assert_eq!(locks.circle(three), None, "three waits for two, two for one, one for nobody");
        locks.want(one, LockId(2), SiteId(12));
        assert_eq!(locks.circle(three), None, "three is not in the circle that it waits for");
        let circle = locks.circle(two).unwrap().circle;
        assert_eq!(circle.iter().map(|waiting| waiting.thread).collect::<Vec<_>>(), [one, two]);
        assert_eq!((circle[0].taken_at, circle[1].taken_at), (SiteId(20), SiteId(10)));
    }

    #[test]
    fn a_lock_is_free_after_as_many_releases_as_acquisitions() {
        let mut locks = Locks::default();
        assert!(locks.acquire(ThreadId(1), LockId(1), SiteId(0)));
        assert!(!locks.acquire(ThreadId(1), LockId(1), SiteId(1)));
        locks.release(ThreadId(1), LockId(1));
        assert!(locks.is_taken(ThreadId(2), LockId(1)));
        locks.release(ThreadId(2), LockId(1));
        assert!(locks.is_taken(ThreadId(2), LockId(1)), "it is not the other's to give back");
        locks.release(ThreadId(1), LockId(1));
        assert!(!locks.is_taken(ThreadId(2), LockId(1)));
    }
}
