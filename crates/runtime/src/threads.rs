//! The threads' clocks, each under its own lock, and who owned which slot when.
//!
//! Definition and slots are those of `detect::clocks`. What differs: a thread's time moves on only if the time that a release
//! hands out was used. A time is used when an access is recorded with it; as long as it is not, the thread hands out the time
//! before it, which says the same, and its epoch stays: releases without accesses between them cost no time and keep the shim's
//! same-epoch test true.
//!
//! A past that is handed out as a value ([`Runtime::publish`]) is named by one moment: whoever has seen that moment has seen all
//! of the past. So a thread that has learned something since its last moment began must begin another one before it hands out
//! such a past again. The same holds once others have taken its present time without its doing, as a collection and a finalizer
//! do: what it learns afterwards they have not seen, so that time names no past any more, and the thread begins another one
//! first.
//!
//! A thread has a slot from its first step on, not from the fork on, and a thread that is suspended ([`Runtime::suspend`]) gives
//! its slot back until its next step: of a hundred thousand virtual threads only those on a carrier have one.
//!
//! What it may miss: a clock has a column for each slot, so a program that starts threads for ever and joins none would have ever
//! longer ones. Once there are [`Limits::ample`] slots, a new thread gets that of the thread that ended or was suspended first,
//! though nobody has seen that, and its clock: races with accesses of that one, and of those that it had seen, may be missed from
//! then on. It gets the clock because of the moments that name pasts: whoever has seen a moment of the new owner counts as one
//! who has seen all that the old owner's moments name. And eras run out after some two thousand million epochs of all threads
//! together ([`Limits::renewable`]): a thread whose era is over then is not watched any more.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use detect::clocks::Slots;
use model::{Epoch, Slot, ThreadId, VectorClock};

use crate::depot::StackId;
use crate::eras::{Era, Eras};
use crate::live::{Live, Times};
use crate::pages::Pages;
use crate::word::{Limits, Stamp};
use crate::{Runtime, lock};

/// What has become of the thread since its time began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Time {
    /// Nothing: the time before says the same.
    #[default]
    Unused,
    /// It has learned of others' steps.
    Grown,
    /// An access was recorded with it.
    Used,
}

/// A past that a thread hands out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// Whoever has seen this moment has seen all of the past. `None`: the thread is not watched, no moment names it.
    pub named: Option<Stamp>,
    /// All that the thread did and knew.
    pub clock: VectorClock,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Life {
    /// Has taken no step yet: its clock is what comes before the first one.
    #[default]
    New,
    Running,
    /// Takes no step until it is resumed.
    Suspended,
    Ended,
}

/// One thread.
#[derive(Default)]
pub(crate) struct Thread {
    /// `None`: none was left, its accesses are not watched.
    era: Option<Era>,
    pub(crate) clock: VectorClock,
    time: Time,
    /// Others have its present time, or an earlier one, without its doing. The shim has a mark of its own (`live.rs`), and each
    /// takes its own back: a time too many is begun at most.
    is_taken: bool,
    pub(crate) life: Life,
    times: Times,
    live: Live,
}

/// What is kept of a thread for ever, and the thread itself as long as its clock is needed.
#[derive(Default)]
struct Row {
    thread: Mutex<Option<Box<Thread>>>,
    created_at: AtomicU32,
}

impl Thread {
    /// The moment of its next step, if it is watched.
    pub(crate) fn now(&self) -> Option<Epoch> {
        self.era.map(|era| self.clock.epoch(era.slot))
    }

    /// The same, as words have it.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        self.era.map(|era| era.stamp(self.clock.epoch(era.slot).time))
    }

    /// Takes over what the thread has handed on and learned by itself.
    fn take_over(&mut self) {
        for epoch in self.live.epochs(&self.times) {
            if self.clock.has_seen(epoch) {
                continue;
            }
            self.clock.set(epoch);
            // A time that moved on is a new one: as if nothing was learned before, which costs a time at most.
            self.time = match self.time {
                _ if self.era.is_some_and(|era| era.slot == epoch.slot) => Time::Grown,
                Time::Unused => Time::Grown,
                other => other,
            };
        }
    }

    /// An access is about to be recorded with the thread's time.
    pub(crate) fn use_time(&mut self) {
        self.time = Time::Used;
    }

    /// Adds all that the thread has done to `past`; what it does next is later.
    pub(crate) fn hand_to(&mut self, past: &mut VectorClock, threads: &Threads) {
        let Some((era, now)) = self.era.zip(self.now()) else {
            past.join(&self.clock);
            return;
        };
        match self.time {
            Time::Used => {
                past.join(&self.clock);
                self.move_to(threads.next(era, now));
            }
            Time::Unused | Time::Grown => {
                self.clock.set(before(now));
                past.join(&self.clock);
                self.clock.set(now);
            }
        }
    }

    /// Hands all that the thread has done out as a value; what it does next is later.
    fn publish(&mut self, threads: &Threads) -> Past {
        if let (true, Some((era, now))) = (std::mem::take(&mut self.is_taken), self.era.zip(self.now())) {
            self.move_to(threads.next(era, now));
            // Nobody got the time before as a past.
            self.time = Time::Grown;
        }
        let mut clock = self.clock.clone();
        let Some((era, now)) = self.era.zip(self.now()) else { return Past { named: None, clock } };
        let moment = if self.time == Time::Unused {
            clock.set(before(now));
            before(now)
        } else {
            self.move_to(threads.next(era, now));
            now
        };
        Past { named: Some(era.stamp(moment.time)), clock }
    }

    /// The thread learns of what others did.
    pub(crate) fn learn(&mut self, past: &VectorClock) {
        if !past.is_seen_by(&self.clock) {
            self.clock.join(past);
            if self.time == Time::Unused {
                self.time = Time::Grown;
            }
        }
    }

    /// Others are about to have its present time without its doing.
    fn take_time(&mut self) {
        self.is_taken = true;
        self.live.take();
    }

    fn move_to(&mut self, next: Option<(Era, Epoch)>) {
        let era = next.map(|(era, _)| era);
        // The time before the first one of an era is not of that era, and may be another thread's.
        self.time = if era == self.era { Time::Unused } else { Time::Grown };
        self.era = era;
        if let Some((_, next)) = next {
            self.clock.set(next);
        }
    }
}

/// The moment before, which a watched thread always has: times start at 1.
fn before(now: Epoch) -> Epoch {
    Epoch { slot: now.slot, time: now.time - 1 }
}

/// Where all threads are: by slot, the time of its owner.
pub(crate) struct Present(Vec<Option<u32>>);

impl Present {
    /// Is the thread that took a step at this moment in a later one, or has it ended?
    pub(crate) fn is_later_than(&self, epoch: Epoch) -> bool {
        self.0.get(epoch.slot.index()).is_some_and(|time| time.is_none_or(|time| time > epoch.time))
    }
}

/// So many slots make it worthwhile that suspended threads give theirs back.
const CROWD: u32 = 64;

/// The clocks of so many threads that ended last are kept: a report may ask what they had seen.
const ENDED_KEPT: usize = 1000;

/// All threads.
pub(crate) struct Threads {
    rows: Pages<Row>,
    count: AtomicU32,
    slots: Mutex<SlotTable>,
    /// 1 as soon as there are [`CROWD`] slots. The shim reads it (AutodromePasts.java).
    is_crowded: AtomicU32,
    /// The threads that ended last and whose clocks are kept, in turn.
    ended: Mutex<VecDeque<ThreadId>>,
    eras: Eras,
    limits: Limits,
}

struct SlotTable {
    slots: Slots,
    rows: Vec<SlotRow>,
}

struct SlotRow {
    /// Its owners in turn: from which time on, who.
    owners: Vec<(u32, ThreadId)>,
    /// Its last era.
    era: Era,
    /// The clock of its last owner, if that gave it back.
    last: Option<VectorClock>,
}

impl Default for Threads {
    fn default() -> Self {
        Threads::with_limits(Limits::default())
    }
}

impl Threads {
    pub(crate) fn with_limits(limits: Limits) -> Self {
        Threads {
            rows: Pages::default(),
            count: AtomicU32::new(0),
            slots: Mutex::new(SlotTable { slots: Slots::with_limit(u32::MAX), rows: Vec::new() }),
            is_crowded: AtomicU32::new(0),
            ended: Mutex::default(),
            eras: Eras::default(),
            limits,
        }
    }

    /// Looks at a thread; may note something about it, but does not change its clock. `None` if the thread ended long ago.
    pub(crate) fn look<T>(&self, thread: ThreadId, work: impl FnOnce(&mut Thread) -> T) -> Option<T> {
        let mut thread = lock(&self.rows.at(thread.0)?.thread);
        let thread = thread.as_deref_mut()?;
        thread.take_over();
        Some(work(thread))
    }

    /// Changes a thread: the current one, or one that does not run yet.
    pub(crate) fn change<T>(&self, thread: ThreadId, work: impl FnOnce(&mut Thread) -> T) -> Option<T> {
        self.look(thread, |thread| {
            let result = work(thread);
            // A thread without a slot has no need of room where it changes its clock itself.
            if thread.life == Life::Running {
                thread.live.write(&mut thread.times, &thread.clock);
            }
            result
        })
    }

    /// A thread that comes after `past`; it has no slot yet.
    fn add(&self, past: VectorClock, created_at: StackId) -> ThreadId {
        let me = ThreadId(self.count.fetch_add(1, Ordering::Relaxed));
        if let Some(row) = self.rows.at(me.0) {
            row.created_at.store(created_at.0, Ordering::Relaxed);
            *lock(&row.thread) = Some(Box::new(Thread { clock: past, ..Thread::default() }));
        }
        me
    }

    /// A first moment for a thread that goes on after `past`, and its era; `None` if no era is left. What the thread then counts
    /// as having seen besides is added to `past`.
    fn first(&self, past: &mut VectorClock, owner: ThreadId) -> Option<(Era, Epoch)> {
        let table = &mut *lock(&self.slots);
        let first = table.slots.after_of_few(past, self.limits.ample);
        if table.slots.count() >= CROWD {
            self.is_crowded.store(1, Ordering::Relaxed);
        }
        let begin = || self.eras.begin(first, self.limits.eras);
        match table.rows.get_mut(first.slot.index()) {
            Some(row) => {
                if row.era.used(first.time) > self.limits.time {
                    row.era = begin()?;
                }
                row.owners.push((first.time, owner));
                past.join(&row.last.take().unwrap_or_default());
                Some((row.era, first))
            }
            // Slots come in turn, and once no era is left none of them gets a row.
            None => {
                let era = begin()?;
                table.rows.push(SlotRow { owners: vec![(first.time, owner)], era, last: None });
                Some((era, first))
            }
        }
    }

    /// The moment after `now` of the same thread, and its era; `None` if that needs another era and none is left.
    fn next(&self, era: Era, now: Epoch) -> Option<(Era, Epoch)> {
        let next = Epoch { time: now.time + 1, ..now };
        if era.used(next.time) <= self.limits.time {
            return Some((era, next));
        }
        let table = &mut *lock(&self.slots);
        let era = self.eras.begin(next, self.limits.renewable.min(self.limits.eras))?;
        table.rows.get_mut(now.slot.index())?.era = era;
        Some((era, next))
    }

    /// The moment that a word names.
    #[inline]
    pub(crate) fn epoch(&self, stamp: Stamp) -> Epoch {
        self.eras.epoch(stamp)
    }

    /// All that any thread has done, while none runs Java code: the join of all clocks. Nobody knows more of a slot than its
    /// owner, so the owners' own times are enough, and threads that ended long ago cost nothing. If threads ran, one of them
    /// might learn of a time that another has reached since it was looked at.
    pub(crate) fn all_done(&self) -> VectorClock {
        let reached = |(slot, owner): (u32, Reached)| match owner {
            Reached::By(owner) => self.take_time(owner, Slot(slot)),
            Reached::Time(time) => time,
        };
        (0..).zip(self.reached()).map(reached).collect()
    }

    /// All that any thread has done, at least; those that run have their clocks taken one by one.
    fn all_known(&self) -> VectorClock {
        let mut all = VectorClock::new();
        for (slot, reached) in (0..).zip(self.reached()) {
            match reached {
                Reached::By(owner) => all.join(&self.take_clock(owner).unwrap_or_default()),
                Reached::Time(time) => all.see(Epoch { slot: Slot(slot), time }),
            }
        }
        all
    }

    /// Where all threads are, or a little before.
    pub(crate) fn present(&self) -> Present {
        let time = |thread: &mut Thread| thread.now().map(|now| now.time);
        let of_slot = |reached: Reached| match reached {
            Reached::By(owner) => self.look(owner, time)?,
            Reached::Time(_) => None,
        };
        Present(self.reached().into_iter().map(of_slot).collect())
    }

    /// By slot, how far its time has come. The slots' lock comes after those of threads: it is given back before one of these is
    /// taken.
    fn reached(&self) -> Vec<Reached> {
        let reached = |(slot, row): (u32, &SlotRow)| match (&row.last, row.owners.last()) {
            (Some(last), _) => Reached::Time(last.time(Slot(slot))),
            (None, Some(&(_, owner))) => Reached::By(owner),
            (None, None) => Reached::Time(0),
        };
        (0..).zip(&lock(&self.slots).rows).map(reached).collect()
    }

    /// The time that a thread has reached in its slot; others will have it.
    fn take_time(&self, thread: ThreadId, slot: Slot) -> u32 {
        self.rows.at(thread.0).map_or(0, |row| {
            let mut thread = lock(&row.thread);
            thread.as_deref_mut().map_or(0, |thread| {
                thread.take_time();
                thread.clock.time(slot).max(thread.live.time(&thread.times, slot))
            })
        })
    }

    /// A thread's clock, with its present time; others will have it.
    fn take_clock(&self, thread: ThreadId) -> Option<VectorClock> {
        self.look(thread, |thread| {
            thread.take_time();
            thread.clock.clone()
        })
    }

    /// The thread takes no further step in its slot, if it has one.
    fn give_back(&self, thread: &mut Thread) {
        if let Some(last) = thread.now() {
            let table = &mut *lock(&self.slots);
            if let Some(row) = table.rows.get_mut(last.slot.index()) {
                row.last = Some(thread.clock.clone());
                table.slots.give_back(last);
            }
        }
        thread.era = None;
        // Many threads may wait like this, and a clone has no room to spare.
        thread.clock = thread.clock.clone();
        thread.live.clear(&mut thread.times);
    }

    /// Keeps the clocks of the threads that ended last.
    fn ended(&self, thread: ThreadId) {
        let mut ended = lock(&self.ended);
        ended.push_back(thread);
        let oldest = if ended.len() > ENDED_KEPT { ended.pop_front() } else { None };
        drop(ended);
        if let Some(row) = oldest.and_then(|oldest| self.rows.at(oldest.0)) {
            *lock(&row.thread) = None;
        }
    }

    /// Who took a step at this moment.
    pub(crate) fn owner(&self, epoch: Epoch) -> Option<ThreadId> {
        let table = lock(&self.slots);
        let owners = &table.rows.get(epoch.slot.index())?.owners;
        let after = owners.partition_point(|&(first, _)| first <= epoch.time);
        owners.get(after.checked_sub(1)?).map(|&(_, owner)| owner)
    }

    /// Who has the slot now, or had it last.
    fn last_owner(&self, slot: Slot) -> Option<ThreadId> {
        lock(&self.slots).rows.get(slot.index())?.owners.last().map(|&(_, owner)| owner)
    }

    /// Has the thread that took a step at one moment seen another moment by now? Of one that ended long ago it is its slot's
    /// present owner that counts, which has seen all that the thread had.
    pub(crate) fn has_seen(&self, one: Epoch, other: Epoch) -> bool {
        let by = |owner: Option<ThreadId>| self.look(owner?, |thread| thread.clock.has_seen(other));
        by(self.owner(one)).or_else(|| by(self.last_owner(one.slot))).unwrap_or(false)
    }
}

/// How far the time of a slot has come.
enum Reached {
    /// As far as this thread's.
    By(ThreadId),
    /// So far: nobody has it now.
    Time(u32),
}

/// Threads: they come, fork, join and go.
impl Runtime {
    /// A thread that nobody was seen to start.
    pub fn attach(&self) -> ThreadId {
        let me = self.threads.add(VectorClock::new(), StackId::NONE);
        self.resume(me);
        me
    }

    /// `parent` is about to start a thread, at this stack: all that the parent did comes before all it will do. The thread must
    /// be [resumed](Runtime::resume) before its first step.
    pub fn prepare(&self, parent: ThreadId, created_at: StackId) -> ThreadId {
        self.threads.add(self.handed_on(parent), created_at)
    }

    /// The same, of a thread that takes its first step at once.
    pub fn fork(&self, parent: ThreadId, created_at: StackId) -> ThreadId {
        let child = self.prepare(parent, created_at);
        self.resume(child);
        child
    }

    /// `parent` is about to start a thread that was to be started before but was not: what it did since comes before too.
    pub fn fork_again(&self, parent: ThreadId, child: ThreadId) {
        let past = self.handed_on(parent);
        self.threads.change(child, |child| child.learn(&past));
    }

    fn handed_on(&self, parent: ThreadId) -> VectorClock {
        let mut past = VectorClock::new();
        self.threads.change(parent, |thread| thread.hand_to(&mut past, &self.threads));
        past
    }

    /// The thread is about to take a step, perhaps its first one, or the first one after it was suspended.
    pub fn resume(&self, me: ThreadId) {
        self.threads.change(me, |thread| {
            if matches!(thread.life, Life::New | Life::Suspended) {
                let mut past = std::mem::take(&mut thread.clock);
                let first = self.threads.first(&mut past, me);
                thread.clock = past;
                thread.move_to(first);
                thread.life = Life::Running;
            }
        });
    }

    /// The thread takes no step until it is [resumed](Runtime::resume): another may have its slot.
    pub fn suspend(&self, me: ThreadId) {
        self.threads.look(me, |thread| {
            if thread.life == Life::Running {
                thread.life = Life::Suspended;
                self.threads.give_back(thread);
            }
        });
    }

    /// The thread takes no further step; whoever has seen its end may have its slot. What it had done and seen.
    pub fn end(&self, me: ThreadId) -> Option<VectorClock> {
        let ended = self.threads.look(me, |thread| {
            let is_first = thread.life != Life::Ended;
            if is_first {
                self.threads.give_back(thread);
                thread.life = Life::Ended;
            }
            (is_first, thread.clock.clone())
        });
        let (is_first, clock) = ended?;
        if is_first {
            self.threads.ended(me);
        }
        Some(clock)
    }

    /// `waiter` has waited for the end of `ended`, which is final by then; if that was long ago, the caller must have kept what
    /// [`end`](Runtime::end) gave. False, and nothing is learned, if that thread has not ended: one that is about to start is not
    /// alive either, and must not lose its slot to whoever asks.
    pub fn join(&self, waiter: ThreadId, ended: ThreadId) -> bool {
        let past =
            self.threads.look(ended, |thread| (thread.life == Life::Ended).then(|| thread.clock.clone())).flatten();
        let Some(past) = past.filter(|_| waiter != ended) else { return false };
        self.learn(waiter, &past);
        true
    }

    /// The thread learns of all that any thread has done.
    pub fn learn_all(&self, me: ThreadId) {
        let past = self.threads.all_known();
        self.learn(me, &past);
    }

    /// Where the shim finds whether suspended threads are to give their slots back.
    #[must_use]
    pub fn crowd_address(&self) -> usize {
        self.threads.is_crowded.as_ptr().expose_provenance()
    }

    /// The thread hands out all that it has done, as a value that anyone may [learn](Runtime::learn) later.
    pub fn publish(&self, me: ThreadId) -> Option<Past> {
        self.threads.change(me, |thread| thread.publish(&self.threads))
    }

    /// The thread learns of a past that was handed out.
    pub fn learn(&self, me: ThreadId, past: &VectorClock) {
        self.threads.change(me, |thread| thread.learn(past));
    }

    /// Has the thread seen all of a past? The shim asks the clock itself; this is for tests that stand in for it.
    #[must_use]
    pub fn knows(&self, me: ThreadId, past: &Past) -> bool {
        let known = self.threads.look(me, |thread| match past.named {
            Some(moment) => thread.clock.has_seen(self.threads.epoch(moment)),
            None => past.clock.is_seen_by(&thread.clock),
        });
        known.unwrap_or(false)
    }

    /// Where the shim finds the eras: see `eras.rs`.
    #[must_use]
    pub fn eras_address(&self) -> usize {
        self.threads.eras.address()
    }

    /// Where the thread's clock lies for the shim: see `live.rs`.
    #[must_use]
    pub fn clock_address(&self, me: ThreadId) -> Option<usize> {
        self.threads.look(me, |thread| thread.live.address())
    }

    /// The shim has recorded an access with the thread's time by itself.
    pub fn time_was_used(&self, me: ThreadId) {
        self.threads.look(me, Thread::use_time);
    }

    /// The moment of the thread's next step as the upper half of a [`Word`](crate::Word); `None` if it is not watched.
    #[must_use]
    pub fn epoch(&self, me: ThreadId) -> Option<u32> {
        self.stamp(me).map(|stamp| stamp.0)
    }

    /// Where the thread was started.
    #[must_use]
    pub fn created_at(&self, thread: ThreadId) -> StackId {
        self.threads.rows.at(thread.0).map_or(StackId::NONE, |row| StackId(row.created_at.load(Ordering::Relaxed)))
    }

    /// How many threads there were.
    #[must_use]
    pub fn thread_count(&self) -> u32 {
        self.threads.count.load(Ordering::Relaxed)
    }
}
