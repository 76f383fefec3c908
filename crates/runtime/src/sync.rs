//! Synchronization other than threads: monitors and messages. What each thread holds is kept in Java (AutodromeLocks.java).
//!
//! The order is that of `detect::clocks`: release to later acquire of one lock, send to later receive of one message.
//! The caller reports acquiring operations after they take effect and releasing ones before. A wait is a release
//! and, when it ends in whatever way, an acquire.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;

use model::{ThreadId, VectorClock};

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
    /// The thread offers all that it did to whoever receives the message later.
    pub fn send(&self, me: ThreadId, message: Message) {
        self.threads.change(me, |thread| {
            let mut shard = lock(self.messages.shard(message));
            thread.hand_to(shard.entry(message).or_default(), &self.threads);
        });
    }

    /// The thread takes what all earlier sends of the message offered.
    pub fn receive(&self, me: ThreadId, message: Message) {
        self.threads.change(me, |thread| {
            if let Some(past) = lock(self.messages.shard(message)).get(&message) {
                thread.learn(past);
            }
        });
    }
}
