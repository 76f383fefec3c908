//! What an access to a variable finds, and the variable's new word.
//!
//! How the caller goes about it, for a read; a write is the same with the words exchanged:
//! 1. Load both words. [`Runtime::read`] says by which rule and which earlier accesses race.
//! 2. If the rule changes the reads, [`Runtime::record_read`] gives the new word. Swap it in; if that fails, give it
//!    back ([`Runtime::discard`]) and begin again.
//! 3. Load the word of writes again. If it changed, [`Runtime::check_write`] looks at it: whoever wrote it may have
//!    looked at the reads before this one was there.
//!
//! A read that was added to a clock changes no word. It counts only if the word still names the clock afterwards,
//! else begin again. A write that finds a clock of reads takes it out of the word ([`Runtime::retire`]). A clock that is gone
//! was taken out of the word by such a write, so that the swap will fail, or it is forgotten: no reads.

use detect::fasttrack::rules::{self, LastWrite, ReadRule, Reads, WriteRule};
use model::{AccessKind, Epoch, ThreadId, VectorClock};

use crate::Runtime;
use crate::depot::ContextId;
use crate::shared::{Joined, Keeper};
use crate::word::{SharedId, Stamp, State, Word};

/// What an access found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessVerdict<R> {
    /// The rule of FastTrack that it follows.
    pub rule: R,
    /// The earlier accesses that race with it.
    pub races: Vec<Earlier>,
}

/// The earlier access of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// Who.
    pub thread: ThreadId,
    /// Read or write.
    pub kind: AccessKind,
    /// Where, and under which locks.
    pub context: ContextId,
    /// When; [`Epoch::NONE`] from detectors that do not know.
    pub at: Epoch,
}

impl Runtime {
    /// What a read finds. `None`: the thread is not watched, or the words are not of reads and a write.
    pub fn read(&self, me: ThreadId, reads: Word, write: Word) -> Option<AccessVerdict<ReadRule>> {
        let State::Last(written, context) = write.state() else { return None };
        let written = self.threads.epoch(written);
        let decided = self.threads.look(me, |thread| {
            let (clock, now) = (&thread.clock, thread.now()?);
            match reads.state() {
                State::Last(last, _) => Some(rules::read(written, Reads::Last(self.threads.epoch(last)), clock, now)),
                State::Shared(id) => {
                    let known = self.shared.look(id, |all| rules::read(written, Reads::Shared(&all.clock), clock, now));
                    known.or_else(|| Some(rules::read(written, Reads::Last(Epoch::NONE), clock, now)))
                }
            }
        });
        let (rule, last_write) = decided.flatten()?;
        Some(AccessVerdict { rule, races: self.racing_write(last_write, written, context) })
    }

    /// What a write finds. `None`: the thread is not watched, or the words are not of reads and a write.
    pub fn write(&self, me: ThreadId, reads: Word, write: Word) -> Option<AccessVerdict<WriteRule>> {
        let State::Last(written, context) = write.state() else { return None };
        let written = self.threads.epoch(written);
        let found = self.threads.look(me, |thread| {
            let (clock, now) = (&thread.clock, thread.now()?);
            let decide = |reads: Reads<'_>| rules::write(written, reads, clock, now);
            let (rule, last_write) = match reads.state() {
                State::Last(last, _) => decide(Reads::Last(self.threads.epoch(last))),
                State::Shared(id) => {
                    let known = self.shared.look(id, |all| decide(Reads::Shared(&all.clock)));
                    known.unwrap_or_else(|| decide(Reads::Last(Epoch::NONE)))
                }
            };
            let mut races = self.racing_write(last_write, written, context);
            if rule != WriteRule::SameEpoch {
                races.extend(self.racing_reads(reads, clock));
            }
            Some(AccessVerdict { rule, races })
        });
        found.flatten()
    }

    /// The word of reads after a read by this rule; the same word if none is to be swapped in.
    pub fn record_read(&self, me: ThreadId, rule: ReadRule, reads: Word, context: ContextId) -> Word {
        let Some((now, stamp)) = self.use_time(me) else { return reads };
        match (rule, reads.state()) {
            (ReadRule::Exclusive, _) => Word::last(stamp, context),
            (ReadRule::Share, State::Last(last, at)) => {
                Word::shared(self.shared.share((self.threads.epoch(last), at), (now, context)))
            }
            (ReadRule::Shared, State::Shared(id)) => {
                let joined = self.shared.record(id, now, context);
                // The caller looks at the words next: the read must be there for others before it does.
                std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
                match joined {
                    Joined::Here | Joined::Gone => reads,
                    Joined::Copy(copy) => Word::shared(copy),
                }
            }
            _ => reads,
        }
    }

    /// The word of writes after a write that is not in the epoch of the last one.
    #[must_use]
    pub fn record_write(&self, me: ThreadId, write: Word, context: ContextId) -> Word {
        self.use_time(me).map_or(write, |(_, stamp)| Word::last(stamp, context))
    }

    /// A word of reads that could not be swapped in: nobody will ever see its clock.
    pub fn discard(&self, word: Word) {
        if let State::Shared(id) = word.state() {
            self.shared.free(id);
        }
    }

    /// The first of these words that names a clock of the same reads as this one.
    pub(crate) fn like(&self, word: Word, others: impl Iterator<Item = Word>) -> Option<Word> {
        let clock = |word: Word| match word.state() {
            State::Shared(id) => Some(id),
            State::Last(..) => None,
        };
        self.shared.like(clock(word)?, others.filter_map(clock)).map(Word::shared)
    }

    /// All variables with this word of reads were read: its clock takes the read in, if it is still there.
    pub(crate) fn join_all(&self, me: ThreadId, reads: Word, context: ContextId) -> bool {
        let State::Shared(id) = reads.state() else { return false };
        let joined = self.use_time(me).is_some_and(|(now, _)| self.shared.record_for_all(id, now, context));
        // As after each read that joins a clock.
        std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
        joined
    }

    /// Says whose reads the clock that the word names keeps from now on. Nobody else knows the clock yet.
    pub(crate) fn keep_for(&self, word: Word, keeper: Keeper) {
        if let State::Shared(id) = word.state() {
            self.shared.keep_for(id, keeper);
        }
    }

    /// A variable is gone that had this word of reads, and so are all that had the same.
    pub fn forget(&self, word: Word) {
        if let State::Shared(id) = word.state() {
            self.shared.free_of_many(id);
        }
    }

    /// The write that races with a read just recorded, if any.
    #[must_use]
    pub fn check_write(&self, me: ThreadId, write: Word) -> Vec<Earlier> {
        // A variable without reads: what is left of the rule is the look at the last write.
        let verdict = self.read(me, Word::EMPTY, write);
        verdict.map_or_else(Vec::new, |verdict| verdict.races)
    }

    /// The reads that race with a write just recorded.
    #[must_use]
    pub fn check_reads(&self, me: ThreadId, reads: Word) -> Vec<Earlier> {
        self.threads.look(me, |thread| self.racing_reads(reads, &thread.clock)).unwrap_or_default()
    }

    /// A write has taken this word of reads out of the variable: gives its clock back and says which of the reads
    /// race with the write, also those that came after it first looked.
    #[must_use]
    pub fn retire(&self, me: ThreadId, reads: Word) -> Vec<Earlier> {
        let races = self.check_reads(me, reads);
        self.discard(reads);
        races
    }

    /// When and where the access was that a word stands for; `None` if it stands for none, or for many.
    #[must_use]
    pub fn moment(&self, word: Word) -> Option<(Epoch, ContextId)> {
        let State::Last(stamp, context) = word.state() else { return None };
        (stamp != Stamp::NONE).then(|| (self.threads.epoch(stamp), context))
    }

    /// Has the thread that took a step at one moment seen another moment by now?
    #[must_use]
    pub fn has_seen(&self, one: Epoch, other: Epoch) -> bool {
        self.threads.has_seen(one, other)
    }

    /// The thread's epoch, as its words name it.
    pub(crate) fn stamp(&self, me: ThreadId) -> Option<Stamp> {
        self.threads.look(me, |thread| thread.stamp())?
    }

    fn use_time(&self, me: ThreadId) -> Option<(Epoch, Stamp)> {
        self.threads.look(me, |thread| {
            thread.use_time();
            thread.now().zip(thread.stamp())
        })?
    }

    fn racing_write(&self, last: LastWrite, at: Epoch, context: ContextId) -> Vec<Earlier> {
        match last {
            LastWrite::Ordered => Vec::new(),
            LastWrite::Unordered => self.earlier(at, AccessKind::Write, context).into_iter().collect(),
        }
    }

    fn racing_reads(&self, reads: Word, clock: &VectorClock) -> Vec<Earlier> {
        let unordered: Vec<(Epoch, ContextId)> = match reads.state() {
            State::Last(last, context) => {
                let last = Reads::Last(self.threads.epoch(last));
                rules::unordered_reads(last, clock).map(|epoch| (epoch, context)).collect()
            }
            State::Shared(id) => self.unordered_shared(id, clock),
        };
        let earlier = |(epoch, context)| self.earlier(epoch, AccessKind::Read, context);
        unordered.into_iter().filter_map(earlier).collect()
    }

    fn unordered_shared(&self, id: SharedId, clock: &VectorClock) -> Vec<(Epoch, ContextId)> {
        let unordered = self.shared.look(id, |all| {
            rules::unordered_reads(Reads::Shared(&all.clock), clock).map(|epoch| (epoch, all.context(epoch))).collect()
        });
        unordered.unwrap_or_default()
    }

    fn earlier(&self, at: Epoch, kind: AccessKind, context: ContextId) -> Option<Earlier> {
        self.threads.owner(at).map(|thread| Earlier { thread, kind, context, at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depot::StackId;

    #[test]
    fn clocks_of_reads_are_used_again() {
        let runtime = Runtime::default();
        let one = runtime.attach();
        let two = runtime.fork(one, StackId::NONE);
        for _ in 0..100 {
            let mut reads = Word::EMPTY;
            for reader in [one, two] {
                let verdict = runtime.read(reader, reads, Word::EMPTY).expect("both threads are watched");
                reads = runtime.record_read(reader, verdict.rule, reads, ContextId(1));
            }
            assert!(matches!(reads.state(), State::Shared(_)));
            assert_eq!(runtime.retire(one, reads).len(), 1, "the other thread's read races");
            let again = runtime.read(one, reads, Word::EMPTY).expect("both threads are watched");
            assert_eq!(again.rule, ReadRule::Exclusive, "the old word is out of date: there are no reads");
        }
        assert_eq!(runtime.shared.rows(), 1);
    }

    #[test]
    fn a_word_says_when_and_who_has_seen_it_since() {
        let runtime = Runtime::default();
        let one = runtime.attach();
        let word = runtime.record_write(one, Word::EMPTY, ContextId(7));
        let two = runtime.fork(one, StackId::NONE);
        let (written, context) = runtime.moment(word).expect("one write");
        assert_eq!(context, ContextId(7));
        let other = runtime.record_write(two, Word::EMPTY, ContextId(8));
        let (later, _) = runtime.moment(other).expect("one write");
        assert!(runtime.has_seen(later, written), "who is started has seen what was before");
        assert!(!runtime.has_seen(written, later));
        runtime.end(two);
        runtime.join(one, two);
        assert!(runtime.has_seen(written, later));
        assert_eq!(runtime.moment(Word::EMPTY), None);
    }
}
