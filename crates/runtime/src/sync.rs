//! Synchronization other than threads: monitors and messages. What each thread holds is kept in Java (AutodromeLocks.java).
//!
//! The order is that of `detect::clocks`: release to later acquire of one lock, send to later receive of one message.
//! The caller reports acquiring operations after they take effect and releasing ones before. A wait is a release
//! and, when it ends in whatever way, an acquire.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;

use model::{LockId, ThreadId, VectorClock};

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
    /// The thread has taken a monitor that it did not hold.
    pub fn acquire(&self, me: ThreadId, monitor: LockId) {
        let (Some(row), Some(clock)) = (self.threads.at(me), self.locks.at(monitor.0)) else { return };
        lock(row).learn(&lock(clock));
    }

    /// The thread is about to give a monitor back for good.
    pub fn release(&self, me: ThreadId, monitor: LockId) {
        let (Some(row), Some(clock)) = (self.threads.at(me), self.locks.at(monitor.0)) else { return };
        lock(row).hand_to(&mut lock(clock), &self.threads, me);
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
}
