//! A variable in memory, and the shim's protocol on its two words.

use std::sync::atomic::{AtomicU64, Ordering};

use detect::fasttrack::rules::{ReadRule, WriteRule};
use model::ThreadId;
use runtime::{ContextId, Earlier, Runtime, State, Word};

/// The two words of one variable.
#[derive(Default)]
pub(crate) struct Variable {
    reads: AtomicU64,
    write: AtomicU64,
}

fn load(word: &AtomicU64) -> Word {
    Word(word.load(Ordering::SeqCst))
}

fn swap(word: &AtomicU64, old: Word, new: Word) -> bool {
    word.compare_exchange(old.0, new.0, Ordering::SeqCst, Ordering::SeqCst).is_ok()
}

impl Variable {
    /// A read, as the shim makes it.
    pub(crate) fn read(&self, runtime: &Runtime, me: ThreadId, context: ContextId) -> Vec<Earlier> {
        self.read_while(runtime, me, context, &mut || {})
    }

    /// A read during which, after it was decided and before it is recorded, something else happens.
    pub(crate) fn read_while(
        &self,
        runtime: &Runtime,
        me: ThreadId,
        context: ContextId,
        meanwhile: &mut dyn FnMut(),
    ) -> Vec<Earlier> {
        let mut races = Vec::new();
        loop {
            let (reads, write) = (load(&self.reads), load(&self.write));
            let Some(verdict) = runtime.read(me, reads, write) else {
                if load(&self.reads) == reads {
                    return races;
                }
                continue;
            };
            races.extend(verdict.races);
            if matches!(verdict.rule, ReadRule::SameEpoch | ReadRule::SharedSameEpoch) {
                return races;
            }
            meanwhile();
            let new = runtime.record_read(me, verdict.rule, reads, context);
            if new != reads && !swap(&self.reads, reads, new) {
                runtime.discard(new);
                continue;
            }
            let again = load(&self.write);
            if again != write {
                races.extend(runtime.check_write(me, again));
            }
            if new != reads || load(&self.reads) == reads {
                return races;
            }
        }
    }

    /// A write, as the shim makes it.
    pub(crate) fn write(&self, runtime: &Runtime, me: ThreadId, context: ContextId) -> Vec<Earlier> {
        self.write_while(runtime, me, context, &mut || {})
    }

    /// A write during which, after it was decided and before it is recorded, something else happens.
    pub(crate) fn write_while(
        &self,
        runtime: &Runtime,
        me: ThreadId,
        context: ContextId,
        meanwhile: &mut dyn FnMut(),
    ) -> Vec<Earlier> {
        let mut races = Vec::new();
        loop {
            let (reads, write) = (load(&self.reads), load(&self.write));
            let Some(verdict) = runtime.write(me, reads, write) else {
                if (load(&self.reads), load(&self.write)) == (reads, write) {
                    return races;
                }
                continue;
            };
            races.extend(verdict.races);
            if verdict.rule == WriteRule::SameEpoch {
                return races;
            }
            meanwhile();
            if swap(&self.write, write, runtime.record_write(me, write, context)) {
                races.extend(self.after_write(runtime, me, reads));
                return races;
            }
        }
    }

    fn after_write(&self, runtime: &Runtime, me: ThreadId, reads: Word) -> Vec<Earlier> {
        loop {
            let again = load(&self.reads);
            if let State::Shared(_) = again.state() {
                if swap(&self.reads, again, Word::EMPTY) {
                    return runtime.retire(me, again);
                }
                continue;
            }
            return if again == reads { Vec::new() } else { runtime.check_reads(me, again) };
        }
    }
}
