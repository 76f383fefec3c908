//! What prediction must know of the trace so far: for each slot its way through it, for each lock its sections.
//!
//! Time counts the steps of a slot, so a clock is a set of events: the first `time(slot)` steps of each slot. A thread's
//! clock holds what its steps need: program order, the writes that its reads saw, forks, joins and messages, but no
//! order of locks. Each thread begins with a step that is not in the trace, which needs what its fork needs; what
//! comes before the thread's first event is then the past of a step like any other. A slot is reused when the new
//! thread's fork needs all of the old thread, so the steps of one slot are always a chain.

use model::{Epoch, EventIndex, LockId, Mode, Op, Slot, ThreadId, VectorClock, Witness};

use crate::clocks::{MessageClocks, ThreadClocks};
use crate::held::{Change, Held};
use crate::table::Table;

/// A critical section of one slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub(super) lock: LockId,
    pub(super) mode: Mode,
    /// Where in the trace the lock was taken.
    at: EventIndex,
    /// The time at which it was given back; 0 while it is held.
    released: u32,
}

/// A step that needs more than the one before it.
#[derive(Clone, Debug)]
struct Needs {
    time: u32,
    past: VectorClock,
}

/// The sections that a slot is in from a time on.
#[derive(Clone, Debug)]
struct Holding {
    time: u32,
    sections: Box<[u32]>,
}

/// A thread's stay in a slot.
#[derive(Clone, Copy, Debug)]
struct Stay {
    thread: ThreadId,
    /// The time of the step that is not in the trace.
    begin: u32,
    /// The time of its latest event.
    latest: u32,
}

/// One slot's way through the trace.
#[derive(Clone, Debug, Default)]
struct Lane {
    needs: Vec<Needs>,
    holdings: Vec<Holding>,
    sections: Vec<Section>,
    stays: Vec<Stay>,
    /// The time of the latest step that another slot can come to need by itself.
    left: u32,
}

/// The acquires of one lock by one slot in one mode.
#[derive(Clone, Debug)]
struct Chain {
    slot: Slot,
    mode: Mode,
    acquires: Vec<(u32, EventIndex)>,
}

/// Where a thread is.
#[derive(Clone, Debug, Default)]
struct Place {
    slot: Option<Slot>,
    /// The sections it is in, by their place in the lane.
    open: Vec<u32>,
}

/// A number for what a slot held at some time, to be remembered with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Holds(u32);

/// The trace so far.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    threads: ThreadClocks,
    messages: MessageClocks,
    held: Held,
    places: Table<Place>,
    lanes: Table<Lane>,
    locks: Table<Vec<Chain>>,
}

impl History {
    /// The moment of the thread's next step.
    pub(super) fn arrive(&mut self, thread: ThreadId) -> Epoch {
        let (past, mut now) = self.threads.now(thread);
        let place = self.places.at(thread.index());
        if place.slot != Some(now.slot) {
            place.slot = Some(now.slot);
            place.open.clear();
            let lane = self.lanes.at(now.slot.index());
            lane.needs.push(Needs { time: now.time, past: past.clone() });
            lane.stays.push(Stay { thread, begin: now.time, latest: now.time });
            // A join can need all of the slot's thread before, and nothing of this one.
            lane.left = now.time;
            self.threads.tick(thread);
            now = self.threads.now(thread).1;
        }
        if let Some(stay) = self.lanes.at(now.slot.index()).stays.last_mut() {
            stay.latest = now.time;
        }
        now
    }

    /// The step at `now` is done.
    pub(super) fn leave(&mut self, thread: ThreadId, now: Epoch) {
        // A fork or send has ticked already.
        if self.threads.now(thread).1 == now {
            self.threads.tick(thread);
        }
    }

    /// A lock is taken or given back, or a message, fork or join orders threads; other operations do nothing here.
    pub(super) fn synchronize(&mut self, at: EventIndex, thread: ThreadId, now: Epoch, op: Op) {
        match op {
            Op::Acquire(lock, mode) => self.acquire(at, thread, now, lock, mode),
            Op::Release(lock, mode) => self.release(at, thread, now, lock, mode),
            Op::Receive(message) => {
                let past = self.threads.past(thread);
                let new =
                    self.messages.sent(message).is_some_and(|sent| !past.is_some_and(|past| sent.is_seen_by(past)));
                if new {
                    self.messages.synchronize(&mut self.threads, thread, op);
                    self.note_needs(thread, now);
                }
            }
            Op::Join(_) => {
                self.messages.synchronize(&mut self.threads, thread, op);
                self.note_needs(thread, now);
            }
            Op::Send(_) | Op::Fork(_) => {
                self.lanes.at(now.slot.index()).left = now.time;
                self.messages.synchronize(&mut self.threads, thread, op);
            }
            _ => {}
        }
    }

    /// The thread writes at `now`: somebody may read it.
    pub(super) fn write(&mut self, now: Epoch) {
        self.lanes.at(now.slot.index()).left = now.time;
    }

    /// The thread reads at `now` what was written at `write`. Says whether that makes it need more than it did.
    pub(super) fn read(&mut self, thread: ThreadId, now: Epoch, write: Epoch) -> bool {
        let known = self.threads.clock(thread).has_seen(write);
        if !known {
            let mut past = VectorClock::new();
            self.add(&mut past, write);
            self.threads.receive(thread, &past);
            self.note_needs(thread, now);
        }
        !known
    }

    /// What the thread's next step needs, with the step itself.
    pub(super) fn clock(&self, thread: ThreadId) -> Option<&VectorClock> {
        self.threads.past(thread)
    }

    /// Adds a step and all that it needs to a set of events.
    pub(super) fn add(&self, events: &mut VectorClock, step: Epoch) {
        if let Some(lane) = self.lanes.get(step.slot.index()) {
            let known = lane.needs.partition_point(|needs| needs.time <= step.time);
            if let Some(needs) = known.checked_sub(1).and_then(|latest| lane.needs.get(latest)) {
                events.join(&needs.past);
            }
        }
        events.see(step);
    }

    /// Can no other slot come to need a step at or after `time` that it did not need before?
    pub(super) fn is_inward_since(&self, slot: Slot, time: u32) -> bool {
        self.lanes.get(slot.index()).is_some_and(|lane| lane.left < time)
    }

    /// What the slot holds now.
    pub(super) fn holds(&self, slot: Slot) -> Holds {
        let count = self.lanes.get(slot.index()).map_or(0, |lane| lane.holdings.len());
        Holds(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// The sections behind that number.
    pub(super) fn sections(&self, slot: Slot, holds: Holds) -> impl Iterator<Item = &Section> + Clone {
        self.lanes.get(slot.index()).into_iter().flat_map(move |lane| lane.held(holds.0 as usize))
    }

    /// The sections that a set of events leaves open in one slot, each with the step that would close it.
    pub(super) fn cut_sections(&self, slot: Slot, end: u32) -> impl Iterator<Item = (&Section, Epoch)> {
        self.lanes
            .get(slot.index())
            .into_iter()
            .flat_map(move |lane| lane.held(lane.holdings.partition_point(|holding| holding.time <= end)))
            .filter(move |section| section.released > end)
            .map(move |section| (section, Epoch { slot, time: section.released }))
    }

    /// Is there a later section of the same lock in the set, of another slot, that cannot overlap with this one?
    pub(super) fn is_overtaken(&self, section: &Section, slot: Slot, events: &VectorClock) -> bool {
        let chains = self.locks.get(section.lock.index()).map_or(&[][..], Vec::as_slice);
        chains.iter().filter(|chain| chain.slot != slot && chain.mode.excludes(section.mode)).any(|chain| {
            let end = events.time(chain.slot);
            let inside = chain.acquires.partition_point(|&(time, _)| time <= end);
            inside.checked_sub(1).and_then(|latest| chain.acquires.get(latest)).is_some_and(|&(_, at)| at > section.at)
        })
    }

    /// The thread that was in a slot at some time.
    pub(super) fn thread_at(&self, moment: Epoch) -> Option<ThreadId> {
        let stays = &self.lanes.get(moment.slot.index())?.stays;
        let begun = stays.partition_point(|stay| stay.begin <= moment.time);
        stays.get(begun.checked_sub(1)?).map(|stay| stay.thread)
    }

    /// A set of events by thread.
    pub(super) fn witness(&self, events: &VectorClock) -> Witness {
        let mut prefix: Vec<u64> = Vec::new();
        for (lane, &end) in self.lanes.iter().zip(events.times()) {
            for stay in lane.stays.iter().filter(|stay| stay.begin < end) {
                let index = stay.thread.index();
                if prefix.len() <= index {
                    prefix.resize(index + 1, 0);
                }
                prefix[index] += u64::from(end.min(stay.latest) - stay.begin);
            }
        }
        Witness { prefix: prefix.into() }
    }

    fn acquire(&mut self, at: EventIndex, thread: ThreadId, now: Epoch, lock: LockId, mode: Mode) {
        match self.held.of(thread).acquire(lock, mode) {
            Change::Outermost => self.begin_section(at, thread, now, lock, mode),
            Change::Mode => {
                self.end_section(thread, now, lock);
                self.begin_section(at, thread, now, lock, Mode::Write);
            }
            Change::Inner => {}
        }
    }

    fn release(&mut self, at: EventIndex, thread: ThreadId, now: Epoch, lock: LockId, mode: Mode) {
        match self.held.of(thread).release(lock, mode) {
            Change::Outermost => self.end_section(thread, now, lock),
            Change::Mode => {
                self.end_section(thread, now, lock);
                self.begin_section(at, thread, now, lock, Mode::Read);
            }
            Change::Inner => {}
        }
    }

    fn begin_section(&mut self, at: EventIndex, thread: ThreadId, now: Epoch, lock: LockId, mode: Mode) {
        let chains = self.locks.at(lock.index());
        let place = chains.iter().position(|chain| chain.slot == now.slot && chain.mode == mode).unwrap_or_else(|| {
            chains.push(Chain { slot: now.slot, mode, acquires: Vec::new() });
            chains.len() - 1
        });
        chains[place].acquires.push((now.time, at));
        let lane = self.lanes.at(now.slot.index());
        let open = &mut self.places.at(thread.index()).open;
        open.push(u32::try_from(lane.sections.len()).unwrap_or(u32::MAX));
        lane.sections.push(Section { lock, mode, at, released: 0 });
        lane.holdings.push(Holding { time: now.time, sections: open.as_slice().into() });
    }

    fn end_section(&mut self, thread: ThreadId, now: Epoch, lock: LockId) {
        let lane = self.lanes.at(now.slot.index());
        let open = &mut self.places.at(thread.index()).open;
        let is_it = |&section: &u32| lane.sections.get(section as usize).is_some_and(|section| section.lock == lock);
        let Some(place) = open.iter().rposition(is_it) else { return };
        let section = open.remove(place);
        lane.sections[section as usize].released = now.time;
        lane.holdings.push(Holding { time: now.time, sections: open.as_slice().into() });
        lane.left = now.time;
    }

    fn note_needs(&mut self, thread: ThreadId, now: Epoch) {
        let past = self.threads.clock(thread).clone();
        self.lanes.at(now.slot.index()).needs.push(Needs { time: now.time, past });
    }
}

impl Lane {
    /// The sections after the first `count` changes.
    fn held(&self, count: usize) -> impl Iterator<Item = &Section> + Clone {
        let holding = count.checked_sub(1).and_then(|latest| self.holdings.get(latest));
        let sections = holding.map_or(&[][..], |holding| &holding.sections);
        sections.iter().filter_map(|&section| self.sections.get(section as usize))
    }
}
