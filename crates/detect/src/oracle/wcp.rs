//! Weak causal precedence, as the smallest relation that its rules allow.

use model::{AccessKind, Event, LockId, Mode, Op, ThreadId, VarId};

use super::{Relation, forks_then_joins, happens_before, is_hand_over, must_order};

/// A critical section: from an outermost acquire to the release that gives the lock back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) thread: ThreadId,
    pub(super) lock: LockId,
    pub(super) mode: Mode,
    pub(super) acquire: usize,
    /// `None` if the trace ends first.
    pub(super) release: Option<usize>,
}

impl Section {
    fn contains(&self, events: &[Event], position: usize) -> bool {
        events[position].thread == self.thread
            && position >= self.acquire
            && self.release.is_none_or(|release| position <= release)
    }
}

/// All critical sections of a trace, by their acquires.
pub(super) fn sections(events: &[Event]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for (acquire, event) in events.iter().enumerate() {
        let Op::Acquire(lock, mode) = event.op else { continue };
        let thread = event.thread;
        let reentrant = sections.iter().any(|section| {
            section.thread == thread && section.lock == lock && section.release.is_none_or(|release| release > acquire)
        });
        if !reentrant {
            let release = matching_release(events, acquire, lock);
            sections.push(Section { thread, lock, mode, acquire, release });
        }
    }
    sections
}

fn matching_release(events: &[Event], acquire: usize, lock: LockId) -> Option<usize> {
    let mut depth = 0;
    for (position, event) in events.iter().enumerate().skip(acquire) {
        match event.op {
            _ if event.thread != events[acquire].thread => {}
            Op::Acquire(other, _) if other == lock => depth += 1,
            Op::Release(other, _) if other == lock => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(position);
        }
    }
    None
}

/// The relation ≺ of the module [`wcp`](crate::wcp); program order is not part of it.
#[must_use]
pub fn weakly_precedes(events: &[Event]) -> Relation {
    let order = happens_before(events);
    let sections = sections(events);
    let mut weak = Relation::new(events.len());
    hard_order(events, &mut weak);
    rule_a(events, &sections, &mut weak);
    rule_c(&order, &mut weak);
    while rule_b(events, &sections, &mut weak) {
        rule_c(&order, &mut weak);
    }
    weak
}

/// The pairs `i < j` of positions that weak causal precedence orders: ≺ or program order.
#[must_use]
pub fn weakly_ordered(events: &[Event]) -> Relation {
    let mut ordered = weakly_precedes(events);
    for j in 0..events.len() {
        for i in 0..j {
            if events[i].thread == events[j].thread {
                ordered.add(i, j);
            }
        }
    }
    ordered
}

/// Between threads, all of the must order is made of hard edges. A thread can also receive what it sent itself, and
/// join a child that took no step.
fn hard_order(events: &[Event], weak: &mut Relation) {
    let must = must_order(events);
    for j in 0..events.len() {
        for i in 0..j {
            let (earlier, later) = (&events[i], &events[j]);
            let own = is_hand_over(earlier.op, later.op) || forks_then_joins(earlier.op, later.op);
            if own || (earlier.thread != later.thread && must.holds(i, j)) {
                weak.add(i, j);
            }
        }
    }
}

fn rule_a(events: &[Event], sections: &[Section], weak: &mut Relation) {
    for one in sections {
        let Some(release) = one.release else { continue };
        for two in sections.iter().filter(|two| exclusive(one, two)) {
            for e in (release + 1..events.len()).filter(|&e| two.contains(events, e)) {
                if (one.acquire..release).any(|i| one.contains(events, i) && conflict(&events[i], &events[e])) {
                    weak.add(release, e);
                }
            }
        }
    }
}

fn rule_b(events: &[Event], sections: &[Section], weak: &mut Relation) -> bool {
    let mut new = false;
    for one in sections {
        for two in sections.iter().filter(|two| exclusive(one, two)) {
            let (Some(release), Some(later)) = (one.release, two.release) else { continue };
            if release >= later || weak.holds(release, later) {
                continue;
            }
            let related = (one.acquire..=release)
                .filter(|&i| one.contains(events, i))
                .any(|i| (two.acquire..=later).filter(|&j| two.contains(events, j)).any(|j| i < j && weak.holds(i, j)));
            if related {
                new |= weak.add(release, later);
            }
        }
    }
    new
}

/// Composes with happens-before on both sides. All pairs go forward, so one pass in trace order is enough.
fn rule_c(order: &Relation, weak: &mut Relation) {
    for j in 0..order.len() {
        for k in (0..j).rev() {
            let (before, weakly) = (order.holds(k, j), weak.holds(k, j));
            if before || weakly {
                for i in 0..k {
                    if (before && weak.holds(i, k)) || (weakly && order.holds(i, k)) {
                        weak.add(i, j);
                    }
                }
            }
        }
    }
}

fn exclusive(one: &Section, two: &Section) -> bool {
    one.lock == two.lock && one.acquire != two.acquire && one.mode.excludes(two.mode)
}

fn conflict(earlier: &Event, later: &Event) -> bool {
    let accesses: Option<((VarId, AccessKind), (VarId, AccessKind))> = earlier.op.access().zip(later.op.access());
    earlier.thread != later.thread
        && accesses.is_some_and(|((var, kind), (other, other_kind))| var == other && kind.conflicts_with(other_kind))
}
