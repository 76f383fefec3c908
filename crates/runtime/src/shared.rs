//! The clocks of reads that are not all ordered, with the context of each read; recycled.
//!
//! A clock belongs to one variable, whose word names it. A write takes the name out of the word, looks at the reads
//! once more and gives the clock back: every read is then ordered before the write or was reported as racing
//! with it, so the write alone stands for them. A thread that still has the old word finds another generation and
//! starts again.
//!
//! Elements of an array that were read alike can have one clock for all of them, which then does not change any more and
//! is given back with the array ([`Keeper::Many`]). One more read of such an element makes a new clock.

use std::sync::Mutex;

use model::{Epoch, VectorClock};

use crate::depot::ContextId;
use crate::lock;
use crate::word::SharedId;

const SHARDS: u32 = 64;

/// Whose reads a clock keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// One variable's: it takes further reads in.
    #[default]
    One,
    /// Those of many variables that were read alike: it stays as it is.
    Many,
}

/// What becomes of a clock that a read is to join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joined {
    /// The clock has the read.
    Here,
    /// A new clock has it, and all that the old one has.
    Copy(SharedId),
    /// The clock is another variable's by now.
    Gone,
}

/// The reads of one variable.
#[derive(Default)]
pub(crate) struct Reads {
    generation: u32,
    keeper: Keeper,
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

    /// Do both keep the same reads?
    fn is_like(&self, other: &Reads) -> bool {
        let contexts =
            |reads: &Reads| reads.clock.epochs().map(|epoch| (epoch, reads.context(epoch))).collect::<Vec<_>>();
        self.clock == other.clock && contexts(self) == contexts(other)
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

impl Shard {
    /// The clock, if it still belongs to the variable that named it.
    fn own(&mut self, id: SharedId) -> Option<&mut Reads> {
        let reads = self.rows.get_mut((id.index / SHARDS) as usize);
        reads.filter(|reads| reads.generation == id.generation)
    }
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
        self.add(two.0, |reads| {
            reads.record(one.0, one.1);
            reads.record(two.0, two.1);
        })
    }

    /// A new clock, near those of the thread with this epoch.
    fn add(&self, now: Epoch, fill: impl FnOnce(&mut Reads)) -> SharedId {
        let shard_index = now.slot.0 % SHARDS;
        let mut shard = lock(&self.shards[shard_index as usize]);
        let row = match shard.free.pop() {
            Some(row) => row,
            None => {
                shard.rows.push(Reads::default());
                shard.rows.len() as u32 - 1
            }
        };
        let reads = &mut shard.rows[row as usize];
        fill(reads);
        SharedId { index: row * SHARDS + shard_index, generation: reads.generation }
    }

    /// Looks at the clock, if it still belongs to the variable that named it.
    pub(crate) fn look<T>(&self, id: SharedId, look: impl FnOnce(&Reads) -> T) -> Option<T> {
        let shard = lock(&self.shards[(id.index % SHARDS) as usize]);
        shard.rows.get((id.index / SHARDS) as usize).filter(|reads| reads.generation == id.generation).map(look)
    }

    /// A read joins the clock, or a copy of it.
    pub(crate) fn record(&self, id: SharedId, now: Epoch, context: ContextId) -> Joined {
        let copy = {
            let mut shard = lock(&self.shards[(id.index % SHARDS) as usize]);
            let Some(reads) = shard.own(id) else { return Joined::Gone };
            if reads.keeper == Keeper::One {
                reads.record(now, context);
                return Joined::Here;
            }
            (reads.clock.clone(), reads.contexts.clone())
        };
        Joined::Copy(self.add(now, |reads| {
            (reads.clock, reads.contexts) = copy;
            reads.record(now, context);
        }))
    }

    /// Do two clocks keep the same reads?
    pub(crate) fn are_like(&self, one: SharedId, two: SharedId) -> bool {
        // One lock at a time, because threads take them in any order.
        let copy = self.look(one, |reads| Reads {
            clock: reads.clock.clone(),
            contexts: reads.contexts.clone(),
            ..Reads::default()
        });
        copy.is_some_and(|copy| self.look(two, |reads| reads.is_like(&copy)) == Some(true))
    }

    pub(crate) fn keep_for(&self, id: SharedId, keeper: Keeper) {
        if let Some(reads) = lock(&self.shards[(id.index % SHARDS) as usize]).own(id) {
            reads.keeper = keeper;
        }
    }

    /// A word that named the clock does so no more. If it was the only one, the clock can be used again.
    pub(crate) fn free(&self, id: SharedId) {
        self.free_if(id, |keeper| keeper == Keeper::One);
    }

    /// No word names the clock any more.
    pub(crate) fn free_of_many(&self, id: SharedId) {
        self.free_if(id, |_| true);
    }

    fn free_if(&self, id: SharedId, unused: impl FnOnce(Keeper) -> bool) {
        let mut shard = lock(&self.shards[(id.index % SHARDS) as usize]);
        let Some(reads) = shard.own(id).filter(|reads| unused(reads.keeper)) else { return };
        reads.generation = reads.generation.wrapping_add(1);
        reads.keeper = Keeper::One;
        reads.clock.clear();
        reads.contexts.clear();
        shard.free.push(id.index / SHARDS);
    }

    #[cfg(test)]
    pub(crate) fn rows(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).rows.len()).sum()
    }
}
