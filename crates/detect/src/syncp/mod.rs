//! Sync-preserving races: Mathur, Pavlogiannis, Viswanathan, "Optimal Prediction of Synchronization-Preserving Races",
//! POPL 2021, §4.
//!
//! Two conflicting accesses race if some correct reordering of a part of the trace makes both next: each thread runs a
//! prefix of its steps, each read sees the write it saw, and sections of one lock keep their order. There is one iff
//! the *ideal* of the two (what comes before them in their threads, closed under what events need, `history`, and
//! under the rule of locks, `rules`) holds neither. The ideal, run in the order of the trace, is the witness.
//!
//! *Differs:* two sections for reading may overlap and swap. A receive needs all earlier sends of its message. The
//! paper reads the trace twice; here all of an ideal lies before the later access, so one pass is enough. A read
//! is dropped if its thread did nothing that others can need since its last read of the variable. Pairs that a common
//! lock protects are never looked at.
//! *Misses* races that need another order of sections, or another value read. *Reports falsely* nothing, if the trace
//! is complete. For each access one earlier access per slot and kind is reported, not all of them.
//! *State:* all of it is owned by [`SyncP`] and changed by [`observe`](Detector::observe) alone. It grows with the
//! trace: any access may race with one still to come. A thread of more than 2^32 steps changes its slot, and the
//! sections it is in then are forgotten.
//! *Invariant:* every set of events that is kept is part of the ideal of each pair that it will be used for.

mod history;
mod rules;
mod variable;

use model::{Access, AccessKind, Epoch, Event, EventIndex, Evidence, Mode, Race, Slot, VarId};

use crate::Detector;
use crate::table::Table;
use history::History;
use rules::Closure;
use variable::{Candidate, Suspicion, Variable};

/// The detector.
#[derive(Clone, Debug, Default)]
pub struct SyncP {
    history: History,
    variables: Table<Variable>,
    fired: Fired,
}

/// How often each rule decided something.
#[derive(Clone, Copy, Debug, Default)]
struct Fired {
    reads_from: u64,
    locks: u64,
    guarded: u64,
    protected: u64,
    ideal: u64,
    races: u64,
}

/// The access that is being observed.
#[derive(Clone, Copy, Debug)]
struct Later {
    var: VarId,
    access: Access,
    now: Epoch,
}

impl SyncP {
    /// A detector that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        SyncP::default()
    }

    fn access(&mut self, later: Later, races: &mut dyn FnMut(Race)) {
        let Later { var, access: Access { thread, kind, site, at }, now } = later;
        let variable = self.variables.at(var.index());
        let holds = self.history.holds(now.slot);
        let sections = self.history.sections(now.slot, holds);
        let locks = sections.filter(|section| section.mode == Mode::Write).map(|section| section.lock);
        match variable.guard(locks) {
            Suspicion::Guarded => self.fired.guarded += 1,
            Suspicion::Open => {
                for place in 0..variable.slots() {
                    search(&self.history, variable, place, AccessKind::Write, later, &mut self.fired, races);
                    if kind == AccessKind::Write {
                        search(&self.history, variable, place, AccessKind::Read, later, &mut self.fired, races);
                    }
                }
            }
        }
        let latest = variable.latest(now.slot, kind);
        if !latest.is_some_and(|latest| self.history.is_inward_since(now.slot, latest.time)) {
            variable.add(now.slot, kind, Candidate { time: now.time, holds, site, at });
        }
        match kind {
            AccessKind::Write => {
                variable.last_write = now;
                self.history.write(now);
            }
            AccessKind::Read => self.fired.reads_from += u64::from(self.history.read(thread, now, variable.last_write)),
        }
    }
}

/// Looks for the first access of the `place`-th slot that races with `later`.
fn search(
    history: &History,
    variable: &mut Variable,
    place: usize,
    kind: AccessKind,
    later: Later,
    fired: &mut Fired,
    races: &mut dyn FnMut(Race),
) {
    let Later { var, access, now } = later;
    let Some((slot, candidates, stream)) = variable.stream(place, now.slot, kind) else { return };
    let Some(clock) = history.clock(access.thread) else { return };
    while let Some(candidate) = candidates.get(stream.next) {
        let target = Epoch { slot, time: candidate.time };
        if clock.has_seen(target) || stream.ideal.has_seen(target) {
            fired.ideal += 1;
        } else if is_protected(history, slot, candidate, now) {
            fired.protected += 1;
        } else {
            stream.ideal.join(clock);
            stream.ideal.set(Epoch { time: now.time.saturating_sub(1), ..now });
            history.add(&mut stream.ideal, Epoch { time: candidate.time.saturating_sub(1), ..target });
            if rules::close(history, &mut stream.ideal, target, &mut fired.locks) == Closure::Avoided {
                let Some(thread) = history.thread_at(target) else { return };
                let earlier = Access { thread, kind, site: candidate.site, at: candidate.at };
                let evidence = Evidence::Witness(history.witness(&stream.ideal));
                fired.races += 1;
                return races(Race { var, earlier, later: access, evidence });
            }
            fired.ideal += 1;
        }
        stream.next += 1;
    }
}

/// A pair under a common lock: the acquire before the later access pulls the release after the earlier one into the
/// ideal, of this pair and of all later ones.
fn is_protected(history: &History, slot: Slot, candidate: &Candidate, now: Epoch) -> bool {
    let held = history.sections(now.slot, history.holds(now.slot));
    rules::protected(history.sections(slot, candidate.holds), held)
}

impl Detector for SyncP {
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        let &Event { thread, site, op } = event;
        let now = self.history.arrive(thread);
        match op.access() {
            Some((var, kind)) => self.access(Later { var, access: Access { thread, kind, site, at }, now }, races),
            None => self.history.synchronize(at, thread, now, op),
        }
        self.history.leave(thread, now);
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        let Fired { reads_from, locks, guarded, protected, ideal, races } = self.fired;
        vec![
            ("reads-from", reads_from),
            ("lock rule", locks),
            ("guarded variable", guarded),
            ("protected pair", protected),
            ("in the ideal", ideal),
            ("race", races),
        ]
    }
}
