//! Clock races by their definition (crsampler.txt §4.1).

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

/// A thread's clock just before a position: its synchronizations so far, its end counted when it is joined.
fn clock(events: &[Event], position: usize, thread: ThreadId) -> usize {
    let own = |event: &&Event| event.thread == thread && event.op.is_synchronization();
    let joined = |event: &&Event| event.op == Op::Join(thread);
    events[..position].iter().filter(own).count() + events[..position].iter().filter(joined).count()
}
