//! Synchronization other than threads: monitors with what each thread holds, and messages.
//!
//! The order is that of `detect::clocks`: release to later acquire of one lock, send to later receive of one message.
//! The caller reports acquiring operations after they take effect and releasing ones before. A wait is a release
//! and, when it ends in whatever way, an acquire.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;

use model::{LockId, ThreadId, VectorClock};

use crate::depot::{Depot, HeldLock, LocksetId};
use crate::threads::{Hold, Thread};
use crate::{Runtime, lock};

/// A hand-over without ownership.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// A volatile field of an object.
    Field {
        /// The object's number.
        object: u64,
        /// The field's number.
        field: u32,
    },
    /// A volatile static field.
    Static(u32),
    /// The end of a class's initializer, by the class's number.
    Initializer(u32),
    /// The interrupt flag of a thread.
    Interrupt(ThreadId),
}

const SHARDS: usize = 64;

/// The clocks of messages, spread over shards so that threads seldom meet.
pub(crate) struct Messages {
    shards: [Mutex<HashMap<Message, VectorClock>>; SHARDS],
    hasher: RandomState,
}

impl Default for Messages {
    fn default() -> Self {
        Messages { shards: std::array::from_fn(|_| Mutex::default()), hasher: RandomState::new() }
    }
}

impl Messages {
    fn shard(&self, message: Message) -> &Mutex<HashMap<Message, VectorClock>> {
        &self.shards[self.hasher.hash_one(message) as usize % SHARDS]
    }
}

impl Runtime {
    /// The thread has taken a monitor. A report shows the lock as `shown`.
    pub fn acquire(&self, me: ThreadId, monitor: LockId, shown: HeldLock, depot: &Depot) -> LocksetId {
        let Some(row) = self.threads.at(me) else { return LocksetId::NONE };
        let mut thread = lock(row);
        if let Some(hold) = thread.held.iter_mut().rev().find(|hold| hold.lock == monitor) {
            hold.depth += 1;
            return thread.lockset;
        }
        let before = thread.lockset;
        thread.held.push(Hold { lock: monitor, depth: 1, shown, before });
        thread.hold_too(shown, depot);
        if let Some(clock) = self.locks.at(monitor.0) {
            thread.learn(&lock(clock));
        }
        thread.lockset
    }

    /// The thread is about to give a monitor back.
    pub fn release(&self, me: ThreadId, monitor: LockId, depot: &Depot) -> LocksetId {
        let Some(row) = self.threads.at(me) else { return LocksetId::NONE };
        let mut thread = lock(row);
        let Some(place) = thread.held.iter().rposition(|hold| hold.lock == monitor) else { return thread.lockset };
        thread.held[place].depth -= 1;
        if thread.held[place].depth > 0 {
            return thread.lockset;
        }
        thread.lockset = thread.held[place].before;
        thread.held.remove(place);
        // Blocks nest, so there is nothing to do here but for code that no Java compiler makes.
        for later in place..thread.held.len() {
            thread.held[later].before = thread.lockset;
            let shown = thread.held[later].shown;
            thread.hold_too(shown, depot);
        }
        if let Some(clock) = self.locks.at(monitor.0) {
            thread.hand_to(&mut lock(clock), &self.threads, me);
        }
        thread.lockset
    }

    /// The thread is about to wait: it gives the monitor back, however often it holds it.
    pub fn wait(&self, me: ThreadId, monitor: LockId) {
        let Some(row) = self.threads.at(me) else { return };
        let mut thread = lock(row);
        thread.waits = Some(monitor);
        if let Some(clock) = self.locks.at(monitor.0) {
            thread.hand_to(&mut lock(clock), &self.threads, me);
        }
    }

    /// The thread goes on after a wait, if it was waiting: it has its monitor back. The wait may have ended by an
    /// interrupt, whose sender's past it then has too.
    pub fn wake(&self, me: ThreadId) {
        let Some(row) = self.threads.at(me) else { return };
        let mut thread = lock(row);
        let Some(monitor) = thread.waits.take() else { return };
        if let Some(clock) = self.locks.at(monitor.0) {
            thread.learn(&lock(clock));
        }
        drop(thread);
        self.receive(me, Message::Interrupt(me));
    }

    /// The thread offers all that it did to whoever receives the message later.
    pub fn send(&self, me: ThreadId, message: Message) {
        let Some(row) = self.threads.at(me) else { return };
        let mut thread = lock(row);
        let mut shard = lock(self.messages.shard(message));
        thread.hand_to(shard.entry(message).or_default(), &self.threads, me);
    }

    /// The thread takes what all earlier sends of the message offered.
    pub fn receive(&self, me: ThreadId, message: Message) {
        let Some(row) = self.threads.at(me) else { return };
        let mut thread = lock(row);
        if let Some(past) = lock(self.messages.shard(message)).get(&message) {
            thread.learn(past);
        }
    }

    /// The locks that the thread holds.
    #[must_use]
    pub fn lockset(&self, me: ThreadId) -> LocksetId {
        self.threads.at(me).map_or(LocksetId::NONE, |row| lock(row).lockset)
    }
}

impl Thread {
    /// One more lock is held.
    fn hold_too(&mut self, shown: HeldLock, depot: &Depot) {
        let held = self.lockset;
        self.lockset = *self.known_locksets.entry((held, shown)).or_insert_with(|| depot.lockset(held, shown));
    }
}
