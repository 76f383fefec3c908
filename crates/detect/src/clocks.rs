//! The clocks that happens-before is computed with: threads, locks and messages.
//!
//! Definition: happens-before is the smallest transitive relation that holds program order, fork → first step,
//! last step → join, send → later receive of the same message, and release → later acquire of the same lock unless
//! both are for reading.
//!
//! A thread's time ticks when an order leaves it (release, send, fork), so that what it does next is not
//! taken for what the other side has seen. Its clock has a column, the [`Slot`]. Two facts keep clocks small and
//! safe:
//! - A joined thread's slot goes to a thread whose forker has seen the joined one's last moment; the new owner's time
//!   goes on from there. Whoever sees the new owner has then seen all of the old one, so nothing ordered is lost
//!   and nothing unordered becomes ordered.
//! - A thread whose time would pass the limit moves to a fresh slot and keeps its old column as part of its past.

use model::{Epoch, MessageId, Mode, Op, Slot, ThreadId, VectorClock};

use crate::table::Table;

/// One thread's clock.
#[derive(Clone, Debug, Default)]
struct ThreadClock {
    slot: Slot,
    clock: VectorClock,
    state: Life,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Life {
    #[default]
    Unseen,
    Running,
    Joined,
}

/// Who gets which slot: the rule that keeps clocks narrow. The live runtime keeps its threads' clocks elsewhere and
/// shares only this.
#[derive(Clone, Debug)]
pub struct Slots {
    /// The next slot that nobody ever had.
    fresh: u32,
    /// Slots of ended threads: their last moment, and the how manieth end it was.
    free: Vec<(Epoch, u64)>,
    ends: u64,
    /// Which of them is tried next, of those that were freed before the last ones.
    next_tried: usize,
    limit: u32,
}

/// How many of the slots that were freed last a fork looks at, and then how many others in turn, before it takes a fresh one:
/// keeps a fork cheap when many free slots belong to threads that the forker knows nothing of, and leaves none out for ever.
const FREE_SLOTS_TRIED: usize = 8;

impl Slots {
    /// Slots whose times stay at or below `limit`.
    #[must_use]
    pub fn with_limit(limit: u32) -> Self {
        Slots { fresh: 0, free: Vec::new(), ends: 0, next_tried: 0, limit: limit.max(1) }
    }

    /// The first moment of a slot that nobody ever had.
    pub fn fresh(&mut self) -> Epoch {
        self.fresh += 1;
        Epoch { slot: Slot(self.fresh - 1), time: 1 }
    }

    /// The first moment of a thread that starts after `past`: in a free slot whose last owner's end `past` has seen,
    /// or else in a fresh one.
    pub fn after(&mut self, past: &VectorClock) -> Epoch {
        self.seen(past).unwrap_or_else(|| self.fresh())
    }

    /// The same; but if there are `ample` slots already, then instead of a fresh one that of the thread that ended first, though
    /// its end was not seen. Whoever learns of the new owner, and the new owner itself, is then taken to have seen the
    /// old one: races with it may be missed, and none is made up, because what is ordered is still seen.
    pub fn after_of_few(&mut self, past: &VectorClock, ample: u32) -> Epoch {
        if let Some(seen) = self.seen(past) {
            return seen;
        }
        let oldest = (0..self.free.len()).min_by_key(|&place| self.free[place].1);
        match oldest.filter(|_| self.fresh >= ample) {
            Some(place) => self.take(place),
            None => self.fresh(),
        }
    }

    fn seen(&mut self, past: &VectorClock) -> Option<Epoch> {
        let count = self.free.len();
        let last = (count.saturating_sub(FREE_SLOTS_TRIED)..count).rev();
        let others = (self.next_tried..self.next_tried + FREE_SLOTS_TRIED).map(|place| place % count.max(1));
        let has_seen = |place: &usize| self.free.get(*place).is_some_and(|&(last, _)| past.has_seen(last));
        let Some(place) = last.chain(others).find(has_seen) else {
            self.next_tried = (self.next_tried + FREE_SLOTS_TRIED) % count.max(1);
            return None;
        };
        Some(self.take(place))
    }

    fn take(&mut self, place: usize) -> Epoch {
        let (last, _) = self.free.swap_remove(place);
        Epoch { slot: last.slot, time: last.time + 1 }
    }

    /// The moment after `now` of the same thread: in the same slot, or in a fresh one if time has reached its limit.
    #[inline]
    pub fn next(&mut self, now: Epoch) -> Epoch {
        if now.time < self.limit { Epoch { slot: now.slot, time: now.time + 1 } } else { self.fresh() }
    }

    /// A thread whose last moment was `last` has ended.
    pub fn give_back(&mut self, last: Epoch) {
        if last.time < self.limit {
            self.ends += 1;
            self.free.push((last, self.ends));
        }
    }

    /// How many slots were ever handed out.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.fresh
    }
}

/// The clocks of all threads, with slots.
#[derive(Clone, Debug)]
pub struct ThreadClocks {
    threads: Table<ThreadClock>,
    slots: Slots,
}

impl Default for ThreadClocks {
    fn default() -> Self {
        ThreadClocks::with_limit(u32::MAX)
    }
}

impl ThreadClocks {
    /// Clocks whose times stay at or below `limit`.
    #[must_use]
    pub fn with_limit(limit: u32) -> Self {
        ThreadClocks { threads: Table::default(), slots: Slots::with_limit(limit) }
    }

    /// The thread's clock: what happens before its next step.
    #[inline]
    pub fn clock(&mut self, thread: ThreadId) -> &VectorClock {
        &self.running(thread).clock
    }

    /// The thread's clock and the moment of its next step.
    #[inline]
    pub fn now(&mut self, thread: ThreadId) -> (&VectorClock, Epoch) {
        let row = self.running(thread);
        (&row.clock, row.clock.epoch(row.slot))
    }

    /// What the thread has seen, its own steps included; unlike [`clock`](Self::clock) this starts no thread.
    #[must_use]
    pub fn past(&self, thread: ThreadId) -> Option<&VectorClock> {
        self.threads.get(thread.index()).map(|row| &row.clock)
    }

    /// The thread sees all that `past` has seen.
    pub fn receive(&mut self, thread: ThreadId, past: &VectorClock) {
        self.running(thread).clock.join(past);
    }

    /// The thread's next step is later than all that anyone has seen of it so far.
    pub fn tick(&mut self, thread: ThreadId) {
        let row = self.running(thread);
        let now = row.clock.epoch(row.slot);
        let next = self.slots.next(now);
        let row = self.threads.at(thread.index());
        row.slot = next.slot;
        row.clock.set(next);
    }

    /// `parent` starts `child`.
    pub fn fork(&mut self, parent: ThreadId, child: ThreadId) {
        if parent == child {
            return;
        }
        let past = self.clock(parent).clone();
        if self.threads.at(child.index()).state == Life::Unseen {
            let first = self.slots.after(&past);
            let row = self.threads.at(child.index());
            row.slot = first.slot;
            row.clock.assign(&past);
            row.clock.set(first);
            row.state = Life::Running;
        } else {
            self.receive(child, &past);
        }
        self.tick(parent);
    }

    /// `waiter` has waited for the end of `ended`.
    pub fn join(&mut self, waiter: ThreadId, ended: ThreadId) {
        if waiter == ended {
            return;
        }
        let row = self.threads.at(ended.index());
        if row.state == Life::Running {
            row.state = Life::Joined;
            self.slots.give_back(row.clock.epoch(row.slot));
        }
        let past = self.threads.at(ended.index()).clock.clone();
        self.receive(waiter, &past);
    }

    /// How many columns a clock can have by now.
    #[must_use]
    pub fn slots(&self) -> u32 {
        self.slots.count()
    }

    /// The thread's clock. One that was never forked starts here, and so does one that takes a step after it was
    /// joined, which no program does.
    #[inline]
    fn running(&mut self, thread: ThreadId) -> &mut ThreadClock {
        let index = thread.index();
        if self.threads.get(index).is_none_or(|row| row.state != Life::Running) {
            self.start_unforked(thread);
        }
        self.threads.at(index)
    }

    #[cold]
    fn start_unforked(&mut self, thread: ThreadId) {
        let first = self.slots.fresh();
        let row = self.threads.at(thread.index());
        row.slot = first.slot;
        row.clock.set(first);
        row.state = Life::Running;
    }
}

/// What a lock hands on.
#[derive(Clone, Debug, Default)]
pub struct LockClock {
    /// All releases for writing: every later acquire comes after them.
    written: VectorClock,
    /// All releases for reading: only an acquire for writing comes after them.
    read: VectorClock,
}

impl LockClock {
    /// What a thread that takes the lock in `mode` comes after.
    pub fn before(&self, mode: Mode) -> impl Iterator<Item = &VectorClock> {
        let read = (mode == Mode::Write).then_some(&self.read);
        std::iter::once(&self.written).chain(read)
    }

    /// A thread that has seen `past` gives the lock back.
    pub fn release(&mut self, mode: Mode, past: &VectorClock) {
        match mode {
            Mode::Read => self.read.join(past),
            Mode::Write => self.written.join(past),
        }
    }
}

/// Full happens-before: threads, locks and messages.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    /// The threads' clocks.
    pub threads: ThreadClocks,
    locks: Table<LockClock>,
    messages: MessageClocks,
}

impl Clocks {
    /// Clocks whose times stay at or below `limit`.
    #[must_use]
    pub fn with_limit(limit: u32) -> Self {
        Clocks { threads: ThreadClocks::with_limit(limit), ..Clocks::default() }
    }

    /// Applies the order that an operation makes; accesses make none.
    pub fn synchronize(&mut self, thread: ThreadId, op: Op) {
        match op {
            Op::Acquire(lock, mode) => {
                for past in self.locks.at(lock.index()).before(mode) {
                    self.threads.receive(thread, past);
                }
            }
            Op::Release(lock, mode) => {
                self.locks.at(lock.index()).release(mode, self.threads.clock(thread));
                self.threads.tick(thread);
            }
            _ => self.messages.synchronize(&mut self.threads, thread, op),
        }
    }

    /// What a receiver of the message takes now.
    #[must_use]
    pub fn sent(&self, message: MessageId) -> Option<&VectorClock> {
        self.messages.sent(message)
    }
}

/// The order that messages make: send/receive, fork/join. All that the hybrid detector follows.
#[derive(Clone, Debug, Default)]
pub struct MessageClocks {
    messages: Table<VectorClock>,
}

impl MessageClocks {
    /// What a receiver of the message takes now.
    #[must_use]
    pub fn sent(&self, message: MessageId) -> Option<&VectorClock> {
        self.messages.get(message.index())
    }

    /// Applies the order of a send, receive, fork or join to the threads' clocks; other operations make none.
    pub fn synchronize(&mut self, threads: &mut ThreadClocks, thread: ThreadId, op: Op) {
        match op {
            Op::Send(message) => {
                self.messages.at(message.index()).join(threads.clock(thread));
                threads.tick(thread);
            }
            Op::Receive(message) => threads.receive(thread, self.messages.at(message.index())),
            Op::Fork(child) => threads.fork(thread, child),
            Op::Join(ended) => threads.join(thread, ended),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::LockId;

    const MAIN: ThreadId = ThreadId(0);

    fn at(clocks: &mut ThreadClocks, thread: ThreadId) -> Epoch {
        clocks.now(thread).1
    }

    #[test]
    fn a_slot_goes_to_a_thread_whose_forker_has_seen_its_owner_end() {
        let mut clocks = ThreadClocks::default();
        for child in 1..=1000 {
            clocks.fork(MAIN, ThreadId(child));
            clocks.join(MAIN, ThreadId(child));
        }
        assert_eq!(clocks.slots(), 2, "one column for main, one for all its children in turn");
    }

    #[test]
    fn a_slot_stays_where_its_end_is_unknown() {
        let mut clocks = ThreadClocks::default();
        let (other, child, late) = (ThreadId(1), ThreadId(2), ThreadId(3));
        clocks.fork(MAIN, other);
        clocks.fork(MAIN, child);
        let old = at(&mut clocks, child);
        clocks.join(MAIN, child);
        clocks.fork(other, late);
        assert!(!clocks.clock(late).has_seen(old), "other never heard of child's end");
        assert_eq!(clocks.slots(), 4);
    }

    #[test]
    fn slots_whose_end_becomes_known_late_are_found_again() {
        let mut slots = Slots::with_limit(u32::MAX);
        let mut past = VectorClock::new();
        let early: Vec<Epoch> = (0..100).map(|_| slots.fresh()).collect();
        early.iter().for_each(|&last| slots.give_back(last));
        let unknown: Vec<Epoch> = (0..100).map(|_| slots.fresh()).collect();
        unknown.iter().for_each(|&last| slots.give_back(last));
        early.iter().for_each(|&last| past.set(last));
        // Each fork that takes a fresh slot looks at others first, so few do before the known ones come up.
        for _ in 0..120 {
            slots.after(&past);
        }
        assert!(slots.count() <= 240, "{} slots", slots.count());
    }

    #[test]
    fn joining_twice_orders_both_waiters() {
        let mut clocks = ThreadClocks::default();
        let (waiter, ended) = (ThreadId(1), ThreadId(2));
        clocks.fork(MAIN, waiter);
        clocks.fork(MAIN, ended);
        let last = at(&mut clocks, ended);
        clocks.join(MAIN, ended);
        clocks.join(waiter, ended);
        assert!(clocks.clock(MAIN).has_seen(last));
        assert!(clocks.clock(waiter).has_seen(last));
        assert_eq!(clocks.slots(), 3);
    }

    #[test]
    fn a_thread_at_the_limit_moves_to_a_fresh_slot_and_keeps_its_past() {
        let mut clocks = ThreadClocks::with_limit(3);
        let first = at(&mut clocks, MAIN);
        for _ in 0..7 {
            clocks.tick(MAIN);
            assert!(clocks.now(MAIN).1.time <= 3);
        }
        assert!(clocks.clock(MAIN).has_seen(first));
        assert!(clocks.slots() > 2);
    }

    #[test]
    fn read_locks_order_only_against_write_locks() {
        let mut clocks = Clocks::default();
        let (reader, other, writer) = (ThreadId(0), ThreadId(1), ThreadId(2));
        let lock = LockId(0);
        let inside = at(&mut clocks.threads, reader);
        clocks.synchronize(reader, Op::Release(lock, Mode::Read));
        clocks.synchronize(other, Op::Acquire(lock, Mode::Read));
        assert!(!clocks.threads.clock(other).has_seen(inside));
        clocks.synchronize(writer, Op::Acquire(lock, Mode::Write));
        assert!(clocks.threads.clock(writer).has_seen(inside));
    }

    #[test]
    fn sends_add_up() {
        let mut clocks = Clocks::default();
        let (one, two, receiver) = (ThreadId(0), ThreadId(1), ThreadId(2));
        let sent = [at(&mut clocks.threads, one), at(&mut clocks.threads, two)];
        clocks.synchronize(one, Op::Send(MessageId(0)));
        clocks.synchronize(two, Op::Send(MessageId(0)));
        clocks.synchronize(receiver, Op::Receive(MessageId(0)));
        assert!(sent.iter().all(|&moment| clocks.threads.clock(receiver).has_seen(moment)));
        let next = at(&mut clocks.threads, one);
        assert!(!clocks.threads.clock(receiver).has_seen(next), "what a sender does after the send is not sent");
    }
}
