//! Each definition executed word by word, for the tests: quadratic or worse, and too simple to be wrong.
//!
//! Nothing here shares a rule with a detector. What is shared is the vocabulary: a [`Relation`] over the positions of a
//! trace, and [`conflicting`] pairs of accesses.

pub mod clock;
mod lockset;
mod relation;
pub mod shb;
pub mod syncp;
pub mod wcp;

pub use lockset::{hybrid_races, lockset_races, simple_races, with_flag_messages};
pub use relation::Relation;

use model::{Event, Op, ThreadId};

/// All pairs `i < j` of accesses by different threads to one location, at least one of them a write.
#[must_use]
pub fn conflicting(events: &[Event]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (j, later) in events.iter().enumerate() {
        let Some((var, kind)) = later.op.access() else { continue };
        for (i, earlier) in events[..j].iter().enumerate() {
            let Some((other, other_kind)) = earlier.op.access() else { continue };
            if other == var && earlier.thread != later.thread && kind.conflicts_with(other_kind) {
                pairs.push((i, j));
            }
        }
    }
    pairs
}

/// Program order, and the orders that no schedule can change: fork → every step of the child, every step of the
/// child → join, send → later receive. What happens-before adds to it is the order of locks.
#[must_use]
pub fn must_order(events: &[Event]) -> Relation {
    let mut order = Relation::new(events.len());
    for (j, later) in events.iter().enumerate() {
        for (i, earlier) in events[..j].iter().enumerate() {
            let ordered = earlier.thread == later.thread
                || earlier.op == Op::Fork(later.thread)
                || later.op == Op::Join(earlier.thread)
                || is_hand_over(earlier.op, later.op)
                || forks_then_joins(earlier.op, later.op);
            if ordered {
                order.add(i, j);
            }
        }
    }
    order.close();
    order
}

/// Happens-before: [`must_order`], and release → later acquire of the same lock unless both are for reading.
#[must_use]
pub fn happens_before(events: &[Event]) -> Relation {
    let mut order = must_order(events);
    for (j, later) in events.iter().enumerate() {
        let Op::Acquire(lock, taken) = later.op else { continue };
        for (i, earlier) in events[..j].iter().enumerate() {
            if matches!(earlier.op, Op::Release(released, given) if released == lock && given.excludes(taken)) {
                order.add(i, j);
            }
        }
    }
    order.close();
    order
}

/// The conflicting pairs that a relation leaves unordered.
#[must_use]
pub fn unordered(events: &[Event], order: &Relation) -> Vec<(usize, usize)> {
    conflicting(events).into_iter().filter(|&(i, j)| !order.holds(i, j)).collect()
}

fn is_hand_over(earlier: Op, later: Op) -> bool {
    matches!((earlier, later), (Op::Send(sent), Op::Receive(received)) if sent == received)
}

/// A child without a step of its own still hands the fork on to the join.
fn forks_then_joins(earlier: Op, later: Op) -> bool {
    matches!((earlier, later), (Op::Fork(child), Op::Join(ended)) if child == ended)
}

/// The locks that a thread holds before the step at `position`, with how it took them: O'Callahan and Choi 2003, section 2.2.
#[must_use]
pub fn locks_held(events: &[Event], position: usize) -> Vec<(model::LockId, model::Mode)> {
    let thread: ThreadId = events[position].thread;
    let mut held: Vec<(model::LockId, model::Mode)> = Vec::new();
    for event in events[..position].iter().filter(|event| event.thread == thread) {
        match event.op {
            Op::Acquire(lock, mode) => held.push((lock, mode)),
            Op::Release(lock, _) => {
                if let Some(last) = held.iter().rposition(|&(other, _)| other == lock) {
                    held.remove(last);
                }
            }
            _ => {}
        }
    }
    held
}

/// Do two sets of held locks keep each other out: is there a lock in both that one side holds for writing?
#[must_use]
pub fn protected(one: &[(model::LockId, model::Mode)], two: &[(model::LockId, model::Mode)]) -> bool {
    one.iter().any(|&(lock, mode)| two.iter().any(|&(other, other_mode)| lock == other && mode.excludes(other_mode)))
}
