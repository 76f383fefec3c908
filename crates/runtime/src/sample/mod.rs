//! Sampling clock races inside a running process (crsampler.txt §4): which places, which accesses of them, and whether a second
//! access forms a race with a sampled one.
//!
//! Paper: CRSampler (Cai et al., FSE 2016); the decision is that of `detect::clock::rules`. What differs: a place has a budget, so
//! that the few slots go round; a collection ends every watch, since it orders what came before it with whoever learns
//! that an object is gone. Reports no pair that happens-before orders. Misses most races: those of places that are not sampled, of
//! accesses beyond the budget, and all whose first thread synchronizes before the second comes.
//! State: one lock around slots and budgets, held for no call into the JVM; a clock of each thread that was ever sampled, outside
//! ([`Watch::clock`]), which only that thread advances. No JNI.
//! Invariant: a watch is armed only while its slot has it.

mod budget;
mod choice;
mod cost;
#[cfg(test)]
mod tests;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use detect::clock::rules::{self, First, OwnClock, Second};
use model::{AccessKind, SiteId, ThreadId};

use crate::lock;
use budget::Budgets;
pub use choice::{Place as SampledPlace, Rate, is_chosen};
pub use cost::CostLimit;
pub use detect::clock::rules::{ClockVerdict, First as ClockFirst};

/// How many accesses are watched at once: x86 and 64-bit ARM have as many watchpoints.
pub const WATCH_SLOTS: usize = 4;

/// What finds out that a location is accessed: the processor, or woven code that looks. Slots are numbered from 0.
pub trait Watchpoints: Send + Sync {
    /// What it must know of a location, for the time of the call.
    type Target<'t>;

    /// Watches a location from now on; `false` if it cannot.
    fn arm(&self, reservation: Reservation, watch: &Watch, target: &Self::Target<'_>) -> bool;

    /// Watches nothing in this slot any more.
    fn disarm(&self, slot: usize);
}

/// Whether threads come to the sampler at all: flags that woven code reads.
pub trait Gates: Send + Sync {
    /// A place may be sampled, or rests.
    fn set_place(&self, site: SiteId, is_open: bool);

    /// There is a free slot, or none.
    fn set_slots(&self, has_room: bool);
}

/// A location: an object or a class by its number, and which of its fields or elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The object's number.
    pub object: u64,
    /// The field's number, or the index of the element.
    pub place: u64,
}

/// A sampled access.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// What it accessed.
    pub location: Location,
    /// Who made it, how, and at which moment of its clock.
    pub first: First,
    /// Where the clock of its thread is.
    pub clock: &'static AtomicU64,
    /// The place that was sampled.
    pub site: SiteId,
    /// Its stack, as the caller numbers it.
    pub stack: u32,
}

impl Watch {
    /// What a second access is to this one.
    #[must_use]
    pub fn judge(&self, thread: ThreadId, kind: AccessKind) -> ClockVerdict {
        let first_clock = self.clock.load(Ordering::Acquire);
        rules::judge(&self.first, &Second { thread, kind, first_clock, own_clock: OwnClock::NotAsked })
    }
}

/// A slot that was given to a thread, which arms it or gives it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// The slot.
    pub slot: usize,
    /// How many watches there were before.
    pub turn: u64,
}

#[derive(Default)]
enum Slot {
    #[default]
    Free,
    Reserved(u64),
    Armed {
        watch: Watch,
        turn: u64,
        until: Duration,
    },
}

#[derive(Default)]
struct State {
    slots: [Slot; WATCH_SLOTS],
    /// So many of them are used: fewer where the processor has fewer, or others use them.
    usable: usize,
    turns: u64,
    budgets: Budgets,
    is_collecting: bool,
    /// Sampling has cost more than it may: nothing is sampled until the program has done more.
    is_over_budget: bool,
    counts: SampleCounts,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleCounts {
    /// Places that were sampled.
    pub places: u64,
    /// Accesses that were watched.
    pub watched: u64,
    /// Of these, those that could not be watched.
    pub refused: u64,
    /// Those that a collection ended.
    pub collected: u64,
    /// Second accesses that form no race: the first thread had moved on.
    pub moved_on: u64,
    /// Clock races, each time.
    pub races: u64,
    /// How often nothing was sampled for a while because it had cost too much.
    pub pauses: u64,
}

/// The sampler: what all threads of the program call at once.
pub struct Sampler<W: Watchpoints, G: Gates> {
    watchpoints: W,
    gates: G,
    limit: Duration,
    state: Mutex<State>,
}

impl<W: Watchpoints, G: Gates> Sampler<W, G> {
    /// A sampler that watches an access for at most `limit`.
    #[must_use]
    pub fn new(watchpoints: W, gates: G, limit: Duration) -> Self {
        let state = State { usable: WATCH_SLOTS, ..State::default() };
        gates.set_slots(true);
        Sampler { watchpoints, gates, limit, state: Mutex::new(state) }
    }

    /// What finds out.
    pub fn watchpoints(&self) -> &W {
        &self.watchpoints
    }

    /// The flags that woven code reads.
    pub fn gates(&self) -> &G {
        &self.gates
    }

    /// A thread has come to a place that may be sampled: the slot for its access, if there is one and the place has not used up
    /// its budget.
    pub fn reserve(&self, site: SiteId, now: Duration) -> Option<Reservation> {
        let mut state = lock(&self.state);
        if state.is_collecting || state.is_over_budget || !state.budgets.allows(site, now) {
            return None;
        }
        let usable = state.usable;
        let slot = state.slots.iter().take(usable).position(|slot| matches!(slot, Slot::Free))?;
        state.turns += 1;
        let turn = state.turns;
        state.slots[slot] = Slot::Reserved(turn);
        state.budgets.spend(site, now, self.limit);
        self.gates.set_place(site, false);
        self.set_gate(&state);
        Some(Reservation { slot, turn })
    }

    /// The access was not of a kind to be watched.
    pub fn give_back(&self, reservation: Reservation) {
        let mut state = lock(&self.state);
        if state.holds(reservation) {
            state.slots[reservation.slot] = Slot::Free;
            self.set_gate(&state);
        }
    }

    /// Watches the access for which a slot was reserved. Says whether it is watched now.
    pub fn arm(&self, reservation: Reservation, watch: Watch, target: &W::Target<'_>, now: Duration) -> bool {
        let mut state = lock(&self.state);
        if !state.holds(reservation) {
            return false;
        }
        let Reservation { slot, turn } = reservation;
        // Objects move now: whoever armed would watch a place that another object may have.
        let is_armed = !state.is_collecting && self.watchpoints.arm(reservation, &watch, target);
        state.slots[slot] = if is_armed {
            Slot::Armed { watch, turn, until: now.saturating_add(self.limit) }
        } else {
            state.counts.refused += 1;
            Slot::Free
        };
        self.set_gate(&state);
        is_armed
    }

    /// The watches of this moment, by slot and turn.
    pub fn armed(&self) -> Vec<(Reservation, Watch)> {
        let state = lock(&self.state);
        let armed = state.slots.iter().enumerate().filter_map(|(slot, held)| match held {
            Slot::Armed { watch, turn, .. } => Some((Reservation { slot, turn: *turn }, *watch)),
            _ => None,
        });
        armed.collect()
    }

    /// A second access to a watched location: the watch, if the two race. The slot is free afterwards, also if the first
    /// thread has moved on.
    pub fn second(&self, reservation: Reservation, thread: ThreadId, kind: AccessKind) -> Option<Watch> {
        let mut state = lock(&self.state);
        let Slot::Armed { watch, turn, .. } = state.slots[reservation.slot] else { return None };
        if turn != reservation.turn {
            return None;
        }
        let verdict = watch.judge(thread, kind);
        match verdict {
            ClockVerdict::NoConflict => return None,
            ClockVerdict::MovedOn => state.counts.moved_on += 1,
            ClockVerdict::Race | ClockVerdict::SymmetricRace => state.counts.races += 1,
        }
        self.disarm(&mut state, reservation.slot);
        verdict.is_race().then_some(watch)
    }

    /// A hit that was judged when it came, while its watch was armed: the watch ends if it still is.
    pub fn take_hit(&self, reservation: Reservation) {
        let mut state = lock(&self.state);
        state.counts.races += 1;
        if matches!(state.slots[reservation.slot], Slot::Armed { turn, .. } if turn == reservation.turn) {
            self.disarm(&mut state, reservation.slot);
        }
    }

    /// A second access that forms no race, since the first thread had moved on: the watch ends if it is still armed.
    pub fn end(&self, reservation: Reservation) {
        let mut state = lock(&self.state);
        state.counts.moved_on += 1;
        if matches!(state.slots[reservation.slot], Slot::Armed { turn, .. } if turn == reservation.turn) {
            self.disarm(&mut state, reservation.slot);
        }
    }

    /// Has sampling cost more than it may? Nothing is sampled while it has.
    pub fn set_over_budget(&self, is_over: bool) {
        let mut state = lock(&self.state);
        if is_over && !state.is_over_budget {
            state.counts.pauses += 1;
        }
        state.is_over_budget = is_over;
        self.set_gate(&state);
    }

    /// How many slots are watched.
    pub fn armed_count(&self) -> usize {
        lock(&self.state).slots.iter().filter(|slot| matches!(slot, Slot::Armed { .. })).count()
    }

    /// Ends the watches that have lasted long enough, and opens the places that have rested. Says when there is something to do
    /// next.
    pub fn expire(&self, now: Duration) -> Option<Duration> {
        let mut state = lock(&self.state);
        for slot in 0..WATCH_SLOTS {
            if matches!(state.slots[slot], Slot::Armed { until, .. } if until <= now) {
                self.disarm(&mut state, slot);
            }
        }
        for site in state.budgets.rested(now) {
            self.gates.set_place(site, true);
        }
        let ends = state.slots.iter().filter_map(|slot| match slot {
            Slot::Armed { until, .. } => Some(*until),
            _ => None,
        });
        ends.chain(state.budgets.next()).min()
    }

    /// A collection begins: objects move, and what was done before it comes before whatever learns of it.
    pub fn begin_collection(&self) {
        let mut state = lock(&self.state);
        state.is_collecting = true;
        self.end_all(&mut state);
    }

    /// A collection has ended.
    pub fn end_collection(&self) {
        let mut state = lock(&self.state);
        // One whose beginning nobody said is one all the same.
        self.end_all(&mut state);
        state.is_collecting = false;
    }

    fn end_all(&self, state: &mut State) {
        for slot in 0..WATCH_SLOTS {
            match state.slots[slot] {
                Slot::Free => {}
                Slot::Reserved(_) => {
                    state.slots[slot] = Slot::Free;
                    state.counts.collected += 1;
                }
                Slot::Armed { .. } => {
                    self.disarm(state, slot);
                    state.counts.collected += 1;
                }
            }
        }
        self.set_gate(state);
    }

    /// Uses fewer slots from now on: the processor has no more, or others use them.
    pub fn use_slots(&self, usable: usize) {
        let mut state = lock(&self.state);
        state.usable = usable.min(WATCH_SLOTS);
        self.set_gate(&state);
    }

    /// What was done so far.
    pub fn counts(&self) -> SampleCounts {
        let state = lock(&self.state);
        let (places, watched) = state.budgets.counts();
        SampleCounts { places, watched, ..state.counts }
    }

    fn disarm(&self, state: &mut State, slot: usize) {
        self.watchpoints.disarm(slot);
        state.slots[slot] = Slot::Free;
        self.set_gate(state);
    }

    fn set_gate(&self, state: &State) {
        let has_room =
            !state.is_over_budget && state.slots.iter().take(state.usable).any(|slot| matches!(slot, Slot::Free));
        self.gates.set_slots(has_room);
    }
}

impl State {
    fn holds(&self, reservation: Reservation) -> bool {
        matches!(self.slots[reservation.slot], Slot::Reserved(turn) if turn == reservation.turn)
    }
}
