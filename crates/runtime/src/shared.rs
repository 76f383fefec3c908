//! The clocks of reads that are not all ordered, with the context of each read; recycled.
//!
//! A clock belongs to one variable, whose word names it. A write takes the name out of the word, looks at the reads
//! once more and gives the clock back: every read is then ordered before the write or was reported as racing
//! with it, so the write alone stands for them. A thread that still has the old word finds another generation and
//! starts again.

use std::sync::Mutex;

use model::{Epoch, VectorClock};

use crate::depot::ContextId;
use crate::lock;
use crate::word::SharedId;

const SHARDS: u32 = 64;

/// The reads of one variable.
#[derive(Default)]
pub(crate) struct Reads {
    generation: u32,
    pub(crate) clock: VectorClock,
    /// By slot; counts only where the clock's time is not 0.
    contexts: Vec<ContextId>,
}

impl Reads {
    fn record(&mut self, now: Epoch, context: ContextId) {
        let index = now.slot.index();
        if index >= self.contexts.len() {
            self.contexts.resize(index + 1, ContextId::UNKNOWN);
        }
        self.contexts[index] = context;
        self.clock.set(now);
    }

    pub(crate) fn context(&self, epoch: Epoch) -> ContextId {
        self.contexts.get(epoch.slot.index()).copied().unwrap_or(ContextId::UNKNOWN)
    }
}

#[derive(Default)]
struct Shard {
    rows: Vec<Reads>,
    free: Vec<u32>,
}

/// All clocks of reads. An index is `row * SHARDS + shard`.
pub(crate) struct SharedReads {
    shards: [Mutex<Shard>; SHARDS as usize],
}

impl Default for SharedReads {
    fn default() -> Self {
        SharedReads { shards: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl SharedReads {
    /// A clock of two reads.
    pub(crate) fn share(&self, one: (Epoch, ContextId), two: (Epoch, ContextId)) -> SharedId {
        let shard_index = two.0.slot.0 % SHARDS;
        let mut shard = lock(&self.shards[shard_index as usize]);
        let row = match shard.free.pop() {
            Some(row) => row,
            None => {
                shard.rows.push(Reads::default());
                shard.rows.len() as u32 - 1
            }
        };
        let reads = &mut shard.rows[row as usize];
        reads.record(one.0, one.1);
        reads.record(two.0, two.1);
        SharedId { index: row * SHARDS + shard_index, generation: reads.generation }
    }

    /// Looks at the clock, if it still belongs to the variable that named it.
    pub(crate) fn look<T>(&self, id: SharedId, look: impl FnOnce(&Reads) -> T) -> Option<T> {
        let shard = lock(&self.shards[(id.index % SHARDS) as usize]);
        shard.rows.get((id.index / SHARDS) as usize).filter(|reads| reads.generation == id.generation).map(look)
    }

    /// The clock takes a read in, if it still belongs to the variable that named it.
    pub(crate) fn record(&self, id: SharedId, now: Epoch, context: ContextId) {
        let mut shard = lock(&self.shards[(id.index % SHARDS) as usize]);
        let reads = shard.rows.get_mut((id.index / SHARDS) as usize);
        if let Some(reads) = reads.filter(|reads| reads.generation == id.generation) {
            reads.record(now, context);
        }
    }

    /// No word names the clock any more.
    pub(crate) fn free(&self, id: SharedId) {
        let mut shard = lock(&self.shards[(id.index % SHARDS) as usize]);
        let row = id.index / SHARDS;
        let reads = shard.rows.get_mut(row as usize);
        let Some(reads) = reads.filter(|reads| reads.generation == id.generation) else { return };
        reads.generation = reads.generation.wrapping_add(1);
        reads.clock.clear();
        reads.contexts.clear();
        shard.free.push(row);
    }

    #[cfg(test)]
    pub(crate) fn rows(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).rows.len()).sum()
    }
}
