//! The clocks of reads that are not all ordered, with the context of each read; recycled.
//!
//! A clock belongs to one variable, whose word names it. A write takes the name out of the word, looks at the reads
//! once more and gives the clock back: every read is then ordered before the write or was reported as racing
//! with it, so the write alone stands for them. A thread that still has the old word finds another generation and
//! starts again.
//!
//! Elements of an array that were read alike can have one clock for all of them, which is given back with the array, or when
//! none has it any more ([`Keeper::Many`]). One more read of such an element makes a new clock; one of all of them joins it.
//!
//! Nothing says when an object dies whose fields have clocks. So once there are [`MANY`], a clock that no read has joined for
//! [`OLD`] goes to another variable; its own has no reads then. What that may miss: a write that races with such reads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use model::{Epoch, VectorClock};

use crate::depot::ContextId;
use crate::layout::SHARD_BITS;
use crate::lock;
use crate::word::SharedId;

const SHARDS: u32 = 1 << SHARD_BITS;

/// With fewer clocks than that, none is taken from a variable that may still be there.
const MANY: usize = 1 << 15;

/// A clock is old if no read has joined it for so long.
const OLD: Duration = Duration::from_secs(60);

/// How many clocks an allocation inspects for a stale one.
const LOOKED_AT: usize = 4;

/// Whose reads a clock keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// One variable's: it takes further reads in.
    #[default]
    One,
    /// Those of many variables that were read alike: it takes in what reads all of them.
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
    /// When a read last joined it, in seconds since the first clock was made.
    joined_at: u64,
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
        self.clock == other.clock && self.clock.epochs().all(|epoch| self.context(epoch) == other.context(epoch))
    }

    /// The next one has nothing of this one, whose words are out of date from now on.
    fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        self.keeper = Keeper::One;
        self.clock.clear();
        self.contexts.clear();
    }

    pub(crate) fn context(&self, epoch: Epoch) -> ContextId {
        self.contexts.get(epoch.slot.index()).copied().unwrap_or(ContextId::UNKNOWN)
    }
}

#[derive(Default)]
struct Shard {
    rows: Vec<Reads>,
    free: Vec<u32>,
    /// The row to look at next for an old one.
    hand: usize,
}

impl Shard {
    /// The clock, if it still belongs to the variable that named it.
    fn own(&mut self, id: SharedId) -> Option<&mut Reads> {
        let reads = self.rows.get_mut((id.index / SHARDS) as usize);
        reads.filter(|reads| reads.generation == id.generation)
    }

    /// A row that no read has joined since a second, among the next few.
    fn old(&mut self, before: u64) -> Option<u32> {
        for _ in 0..LOOKED_AT.min(self.rows.len()) {
            let row = self.hand % self.rows.len();
            self.hand = row + 1;
            let reads = &mut self.rows[row];
            if reads.keeper == Keeper::One && reads.joined_at < before {
                reads.clear();
                return Some(row as u32);
            }
        }
        None
    }
}

/// All clocks of reads. An index is `row * SHARDS + shard`.
pub(crate) struct SharedReads {
    shards: [Mutex<Shard>; SHARDS as usize],
    /// How many rows all of them have.
    count: AtomicUsize,
    /// The time since the first clock was made; tests have their own.
    elapsed: Box<dyn Fn() -> Duration + Send + Sync>,
    many: usize,
    old: Duration,
}

impl Default for SharedReads {
    fn default() -> Self {
        let begun = Instant::now();
        SharedReads::with_limits(MANY, OLD, move || begun.elapsed())
    }
}

impl SharedReads {
    fn with_limits(many: usize, old: Duration, elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        let shards = std::array::from_fn(|_| Mutex::default());
        SharedReads { shards, count: AtomicUsize::new(0), elapsed: Box::new(elapsed), many, old }
    }

    /// Seconds since the first clock was made, and those before which a clock is old, if any is.
    fn times(&self) -> (u64, Option<u64>) {
        let now = (self.elapsed)().as_secs();
        let has_many = self.count.load(Ordering::Relaxed) >= self.many;
        (now, now.checked_sub(self.old.as_secs()).filter(|_| has_many))
    }

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
        let (now, old) = self.times();
        let mut shard = lock(&self.shards[shard_index as usize]);
        let row = match shard.free.pop().or_else(|| shard.old(old?)) {
            Some(row) => row,
            None => {
                self.count.fetch_add(1, Ordering::Relaxed);
                shard.rows.push(Reads::default());
                shard.rows.len() as u32 - 1
            }
        };
        let reads = &mut shard.rows[row as usize];
        reads.joined_at = now;
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
                reads.joined_at = self.times().0;
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

    /// All variables that have the clock were read. Says if it is still there.
    pub(crate) fn record_for_all(&self, id: SharedId, now: Epoch, context: ContextId) -> bool {
        let mut shard = lock(&self.shards[(id.index % SHARDS) as usize]);
        let Some(reads) = shard.own(id) else { return false };
        reads.joined_at = self.times().0;
        reads.record(now, context);
        true
    }

    /// The first of these clocks that keeps the same reads as this one.
    pub(crate) fn like(&self, one: SharedId, mut others: impl Iterator<Item = SharedId>) -> Option<SharedId> {
        // One lock at a time, because threads take them in any order.
        let copy = self.look(one, |reads| Reads {
            clock: reads.clock.clone(),
            contexts: reads.contexts.clone(),
            ..Reads::default()
        })?;
        others.find(|&other| self.look(other, |reads| reads.is_like(&copy)) == Some(true))
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
        reads.clear();
        // As if it was new, so that it is not taken from here while it is free.
        reads.joined_at = u64::MAX;
        shard.free.push(id.index / SHARDS);
    }

    #[cfg(test)]
    pub(crate) fn rows(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    use super::*;
    use model::Slot;

    fn read(slot: u32) -> (Epoch, ContextId) {
        (Epoch { slot: Slot(slot), time: 1 }, ContextId(1))
    }

    #[test]
    fn many_old_clocks_go_to_other_variables_and_few_stay() {
        let clock = Arc::new(AtomicU64::new(0));
        let time = Arc::clone(&clock);
        let elapsed = move || Duration::from_secs(time.load(Ordering::Relaxed));
        let shared = SharedReads::with_limits(10, Duration::from_secs(5), elapsed);
        let few: Vec<SharedId> = (0..10).map(|_| shared.share(read(1), read(2))).collect();
        assert!(few.iter().all(|&id| shared.look(id, |_| ()).is_some()));
        clock.store(6, Ordering::Relaxed);
        for &id in &few[5..] {
            assert_eq!(shared.record(id, read(1).0, ContextId(2)), Joined::Here);
        }
        let more: Vec<SharedId> = (0..5).map(|_| shared.share(read(3), read(2))).collect();
        assert_eq!(shared.rows(), 10);
        assert_eq!(few.iter().filter(|&&id| shared.look(id, |_| ()).is_none()).count(), 5);
        assert!(more.iter().all(|&id| shared.look(id, |reads| reads.clock.epochs().count()) == Some(2)));
        // None of those that were made or joined just now is old.
        shared.share(read(1), read(2));
        assert_eq!(shared.rows(), 11);
        // One that was given back is not taken twice.
        shared.free(more[0]);
        let ids = [shared.share(read(1), read(2)), shared.share(read(1), read(2))];
        assert_ne!(ids[0].index, ids[1].index);
    }
}
