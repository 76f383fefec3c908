//! A variable whose two words lie outside the program's heap, and the protocol of an access to it.
//!
//! The protocol is that of [`crate::access`], without a lock: each word changes by one swap, and whoever has swapped
//! looks at the other word again. Where a word lies is the caller's business ([`Place`]).
//! Invariant: of two accesses that race, the one that swapped last sees the word of the other.

use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU64, Ordering};

use detect::fasttrack::rules::{ReadRule, WriteRule};
use model::ThreadId;

use crate::Runtime;
use crate::access::Earlier;
use crate::depot::ContextId;
use crate::word::{State, Word};

/// Where a word lies.
pub trait Place {
    /// The word.
    fn word(&self) -> Word;

    /// Puts a new word in the place of an old one; says if the old one was still there.
    fn exchange(&self, old: Word, new: Word, runtime: &Runtime) -> bool;

    /// Held while a clock of reads is made for this place or taken from others, if others can have it too.
    fn sharing(&self) -> Option<MutexGuard<'_, ()>> {
        None
    }

    /// The word to put there instead of a new one: the same, or one that says the same and that other places have too.
    fn common(&self, new: Word, runtime: &Runtime) -> Word;
}

impl Place for AtomicU64 {
    fn word(&self) -> Word {
        Word(self.load(Ordering::SeqCst))
    }

    fn exchange(&self, old: Word, new: Word, _runtime: &Runtime) -> bool {
        self.compare_exchange(old.0, new.0, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    fn common(&self, new: Word, _runtime: &Runtime) -> Word {
        new
    }
}

/// What an access made of a variable's words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    /// The words that it found.
    pub(crate) reads: Word,
    pub(crate) write: Word,
    /// The new word of reads or of the write, or the same if that knew of the access already.
    pub(crate) new: Word,
}

/// The two words of one variable.
#[derive(Clone, Copy, Debug, Default)]
pub struct Variable<P> {
    /// Its reads.
    pub reads: P,
    /// Its writes.
    pub write: P,
}

impl<P: Place> Variable<P> {
    /// A thread has read the variable: the earlier accesses that race. `context` is asked for if
    /// it is to be kept, each time that the read begins again.
    pub fn read(&self, runtime: &Runtime, me: ThreadId, context: impl FnMut() -> ContextId) -> Vec<Earlier> {
        self.read_and_tell(runtime, me, context).0
    }

    /// The same, and what became of the words, if that is known to follow from this read alone.
    pub(crate) fn read_and_tell(
        &self,
        runtime: &Runtime,
        me: ThreadId,
        mut context: impl FnMut() -> ContextId,
    ) -> (Vec<Earlier>, Option<Change>) {
        let mut races = Vec::new();
        loop {
            let (reads, write) = (self.reads.word(), self.write.word());
            let Some(verdict) = runtime.read(me, reads, write) else {
                if self.reads.word() == reads {
                    return (races, None);
                }
                continue;
            };
            add(&mut races, verdict.races);
            if matches!(verdict.rule, ReadRule::SameEpoch | ReadRule::SharedSameEpoch) {
                return (races, Some(Change { reads, write, new: reads }));
            }
            let makes_clock = matches!(verdict.rule, ReadRule::Share | ReadRule::Shared);
            let context = context();
            let _held = makes_clock.then(|| self.reads.sharing());
            let mut new = runtime.record_read(me, verdict.rule, reads, context);
            if new != reads {
                new = self.reads.common(new, runtime);
            }
            if new != reads && !self.reads.exchange(reads, new, runtime) {
                runtime.discard(new);
                continue;
            }
            if self.write.word() != write {
                add(&mut races, self.check_write(runtime, me));
            }
            // A read that joined a clock of reads counts only if the clock is still this variable's.
            if new != reads || self.reads.word() == reads {
                return (races, (new != reads).then_some(Change { reads, write, new }));
            }
        }
    }

    /// A thread has written the variable: the earlier accesses that race.
    pub fn write(&self, runtime: &Runtime, me: ThreadId, context: impl FnMut() -> ContextId) -> Vec<Earlier> {
        self.write_and_tell(runtime, me, context).0
    }

    /// The same, and what became of the words, if that is known to follow from this write alone.
    pub(crate) fn write_and_tell(
        &self,
        runtime: &Runtime,
        me: ThreadId,
        mut context: impl FnMut() -> ContextId,
    ) -> (Vec<Earlier>, Option<Change>) {
        let mut races = Vec::new();
        loop {
            let (reads, write) = (self.reads.word(), self.write.word());
            let Some(verdict) = runtime.write(me, reads, write) else {
                if (self.reads.word(), self.write.word()) == (reads, write) {
                    return (races, None);
                }
                continue;
            };
            add(&mut races, verdict.races);
            if verdict.rule == WriteRule::SameEpoch {
                return (races, Some(Change { reads, write, new: write }));
            }
            let new = runtime.record_write(me, write, context());
            if self.write.exchange(write, new, runtime) {
                if self.reads.word() != reads || matches!(reads.state(), State::Shared(_)) {
                    add(&mut races, self.check_reads(runtime, me));
                }
                return (races, Some(Change { reads, write, new }));
            }
        }
    }

    /// A read was recorded: the last write, if it races with it. It may have come since the read looked.
    pub fn check_write(&self, runtime: &Runtime, me: ThreadId) -> Vec<Earlier> {
        runtime.check_write(me, self.write.word())
    }

    /// A write was recorded: the reads that race with it. A clock of reads is taken out: the write stands for them.
    pub fn check_reads(&self, runtime: &Runtime, me: ThreadId) -> Vec<Earlier> {
        loop {
            let reads = self.reads.word();
            match reads.state() {
                State::Last(..) => return runtime.check_reads(me, reads),
                State::Shared(_) if self.reads.exchange(reads, Word::EMPTY, runtime) => {
                    return runtime.retire(me, reads);
                }
                State::Shared(_) => {}
            }
        }
    }
}

/// An access that looks twice may find a race twice.
pub(crate) fn add(races: &mut Vec<Earlier>, found: Vec<Earlier>) {
    found.into_iter().for_each(|race| {
        if !races.contains(&race) {
            races.push(race);
        }
    });
}
