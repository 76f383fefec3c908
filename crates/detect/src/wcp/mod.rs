//! Weak causal precedence: Kini, Mathur, Viswanathan, "Dynamic Race Prediction in Linear Time", PLDI 2017, §3.
//!
//! Two conflicting accesses race if neither program order nor ≺ relates them. ≺ is the smallest relation with
//! - hard order: fork → child, child → join, send → later receive: no schedule can change these;
//! - rule (a): the release of a section ≺ a later access in a section of the same lock, if they hold conflicting
//!   accesses of different threads;
//! - rule (b): release ≺ later release of the same lock, if some event of the first section ≺ some event of the second;
//! - rule (c): what happens before something ≺ what happens after it.
//!
//! *Differs:* messages are hard order. Two sections for reading neither order each other by (a) or (b) nor by
//! happens-before. Rule (b) holds between sections of one thread too, as it is defined, though the paper's algorithm
//! skips those. One queue per lock serves all threads (`sections`); clocks have reusable slots: fork and join are
//! hard, so whoever is weakly after the new owner of a slot is weakly after all of the old one.
//! *Misses* races that need another order of two sections with conflicting accesses. *May report falsely*: only the
//! first race of a trace is promised to be a race, or else a deadlock, of some schedule. A lock whose mode changes
//! while it is held (a downgrade) ends one section and begins another.
//! *State:* all of it is owned by [`Wcp`] and changed by [`observe`](Detector::observe) alone.
//! *Invariant:* `weak[t]` (P_t of the paper) is the set of events ≺ the next step of t, as a clock; it is closed under
//! happens-before and never sees more than `clocks` (H_t) has.

mod rules;
mod sections;
mod variable;

use model::{Access, AccessKind, Event, EventIndex, Evidence, LockId, Mode, Op, Race, ThreadId, VarId, VectorClock};

use crate::Detector;
use crate::clocks::{Clocks, LockClock};
use crate::held::{Change, Held};
use crate::table::Table;
use sections::{Release, Sections};
use variable::{Last, Mark, Open, Variable};

/// The detector.
#[derive(Clone, Debug, Default)]
pub struct Wcp {
    /// Happens-before: H_t, and H of locks and messages.
    clocks: Clocks,
    /// P_t: what is weakly before the thread's next step.
    weak: Table<VectorClock>,
    /// P_l: what is weakly before a release of the lock, and so before what happens after it.
    handed_on: Table<LockClock>,
    sections: Table<Sections>,
    held: Held,
    /// The sections that each thread is in.
    open: Table<Vec<Open>>,
    variables: Table<Variable>,
    fired: Fired,
}

/// How often each rule told something new.
#[derive(Clone, Copy, Debug, Default)]
struct Fired {
    hard: u64,
    a: u64,
    b: u64,
    c: u64,
    races: u64,
}

impl Wcp {
    /// A detector that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Wcp::default()
    }

    fn acquire(&mut self, thread: ThreadId, lock: LockId, mode: Mode) {
        self.clocks.synchronize(thread, Op::Acquire(lock, mode));
        let weak = self.weak.at(thread.index());
        for past in self.handed_on.at(lock.index()).before(mode) {
            if !past.is_seen_by(weak) {
                weak.join(past);
                self.fired.c += 1;
            }
        }
        match self.held.of(thread).acquire(lock, mode) {
            Change::Outermost => self.begin_section(thread, lock, mode),
            Change::Mode => {
                self.end_section(thread, lock);
                self.begin_section(thread, lock, Mode::Write);
            }
            Change::Inner => {}
        }
    }

    fn release(&mut self, thread: ThreadId, lock: LockId, mode: Mode) {
        let change = self.held.of(thread).release(lock, mode);
        if change != Change::Inner {
            self.end_section(thread, lock);
        }
        self.handed_on.at(lock.index()).release(mode, self.weak.at(thread.index()));
        self.clocks.synchronize(thread, Op::Release(lock, mode));
        if change == Change::Mode {
            self.begin_section(thread, lock, Mode::Read);
        }
    }

    fn begin_section(&mut self, thread: ThreadId, lock: LockId, mode: Mode) {
        let acquired = self.clocks.threads.now(thread).1;
        let section = self.sections.at(lock.index()).open(mode, acquired);
        self.open.at(thread.index()).push(Open { lock, section });
    }

    fn end_section(&mut self, thread: ThreadId, lock: LockId) {
        let open = self.open.at(thread.index());
        let Some(place) = open.iter().rposition(|open| open.lock == lock) else { return };
        let id = open.remove(place).section;
        let sections = self.sections.at(lock.index());
        self.fired.b += sections.order(id, self.weak.at(thread.index()));
        let (past, at) = self.clocks.threads.now(thread);
        sections.close(id, Release { at, past: past.clone() });
    }

    fn fork(&mut self, parent: ThreadId, child: ThreadId) {
        if parent != child {
            // The clock before the fork ticks it: the parent's next step is not before the child's first.
            let past = self.clocks.threads.clock(parent).clone();
            come_after(self.weak.at(child.index()), Some(&past), &mut self.fired);
        }
        self.clocks.synchronize(parent, Op::Fork(child));
    }

    fn join(&mut self, waiter: ThreadId, ended: ThreadId) {
        self.clocks.synchronize(waiter, Op::Join(ended));
        if waiter != ended {
            come_after(self.weak.at(waiter.index()), self.clocks.threads.past(ended), &mut self.fired);
        }
    }

    fn access(&mut self, later: Access, var: VarId, races: &mut dyn FnMut(Race)) {
        let thread = later.thread;
        let variable = self.variables.at(var.index());
        let weak = self.weak.at(thread.index());
        for open in self.open.at(thread.index()).iter() {
            let guard = variable.guard(open.lock);
            let mark = Mark { thread, section: open.section };
            if guard.knows(later.kind, mark) {
                continue;
            }
            let sections = self.sections.at(open.lock.index());
            for earlier in guard.conflicting(later.kind, mark) {
                if sections.release(earlier.section).is_some_and(|release| rules::come_after(weak, release)) {
                    self.fired.a += 1;
                }
            }
            guard.add(later.kind, mark);
        }
        for (kind, earlier) in variable.conflicting(later.kind) {
            if rules::races(weak, thread, earlier) {
                self.fired.races += 1;
                races(Race { var, earlier: earlier.access(kind), later, evidence: Evidence::WeaklyUnordered });
            }
        }
        let epoch = self.clocks.threads.now(thread).1;
        variable.add(later.kind, Last { epoch, thread, site: later.site, at: later.at });
    }
}

/// Hard order: all of `past` is weakly before now.
fn come_after(weak: &mut VectorClock, past: Option<&VectorClock>, fired: &mut Fired) {
    if let Some(past) = past.filter(|past| !past.is_seen_by(weak)) {
        weak.join(past);
        fired.hard += 1;
    }
}

impl Detector for Wcp {
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        let &Event { thread, site, op } = event;
        match op {
            Op::Read(var) => self.access(Access { thread, kind: AccessKind::Read, site, at }, var, races),
            Op::Write(var) => self.access(Access { thread, kind: AccessKind::Write, site, at }, var, races),
            Op::Acquire(lock, mode) => self.acquire(thread, lock, mode),
            Op::Release(lock, mode) => self.release(thread, lock, mode),
            Op::Fork(child) => self.fork(thread, child),
            Op::Join(ended) => self.join(thread, ended),
            Op::Receive(message) => {
                come_after(self.weak.at(thread.index()), self.clocks.sent(message), &mut self.fired);
                self.clocks.synchronize(thread, op);
            }
            Op::Send(_) => self.clocks.synchronize(thread, op),
            Op::Branch | Op::MethodBegin(_) | Op::MethodEnd(_) => {}
        }
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        let Fired { hard, a, b, c, races } = self.fired;
        vec![("hard order", hard), ("rule (a)", a), ("rule (b)", b), ("rule (c)", c), ("race", races)]
    }
}
