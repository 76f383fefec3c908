//! Clock races by their definition (Cai, Zhang, Cao and Liu 2016, section 4.1).

use model::{Event, Op, ThreadId};

use super::conflicting;

/// The conflicting pairs between which the first thread's clock stands still.
#[must_use]
pub fn races(events: &[Event]) -> Vec<(usize, usize)> {
    conflicting(events)
        .into_iter()
        .filter(|&(i, j)| clock(events, i, events[i].thread) == clock(events, j, events[i].thread))
        .collect()
}

/// The conflicting pairs between which the first thread's clock stands still, or the second's does (section 4.1, discussion).
#[must_use]
pub fn symmetric_races(events: &[Event]) -> Vec<(usize, usize)> {
    let stands_still = |i, j, thread| {
        clock(events, i, thread) + begins(events, i, thread) == clock(events, j, thread) + begins(events, j, thread)
    };
    conflicting(events)
        .into_iter()
        .filter(|&(i, j)| stands_still(i, j, events[i].thread) || stands_still(i, j, events[j].thread))
        .collect()
}

/// The collisions that DataCollider could see (theorem 2): conflicting pairs between which the first thread, held back, does
/// nothing, nor is joined.
#[must_use]
pub fn collisions(events: &[Event]) -> Vec<(usize, usize)> {
    let rests = |&(i, j): &(usize, usize)| {
        let first = events[i].thread;
        events[i + 1..j].iter().all(|event| event.thread != first && event.op != Op::Join(first))
    };
    conflicting(events).into_iter().filter(rests).collect()
}

/// Has the thread begun before a position, by another's doing?
fn begins(events: &[Event], position: usize, thread: ThreadId) -> usize {
    events[..position].iter().filter(|event| event.op == Op::Fork(thread)).count()
}

/// A thread's clock just before a position: its synchronizations so far, its end counted when it is joined.
fn clock(events: &[Event], position: usize, thread: ThreadId) -> usize {
    let own = |event: &&Event| event.thread == thread && event.op.is_synchronization();
    let joined = |event: &&Event| event.op == Op::Join(thread);
    events[..position].iter().filter(own).count() + events[..position].iter().filter(joined).count()
}
