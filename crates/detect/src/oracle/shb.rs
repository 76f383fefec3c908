//! Schedulable happens-before by its definition: happens-before, and each write before the reads that see it.

use model::{Event, Op};

use super::{Relation, conflicting, happens_before};

/// The pairs that can race: conflicting, and the earlier access does not come before the later one's past. The past
/// leaves out the order by which the later access itself sees the earlier one's value.
#[must_use]
pub fn races(events: &[Event]) -> Vec<(usize, usize)> {
    let plain = happens_before(events);
    let mut order = plain.clone();
    for (read, event) in events.iter().enumerate() {
        let Op::Read(var) = event.op else { continue };
        if let Some(write) = events[..read].iter().rposition(|earlier| earlier.op == Op::Write(var)) {
            order.add(write, read);
        }
    }
    order.close();
    conflicting(events).into_iter().filter(|&(i, j)| !in_the_past_of(&plain, &order, i, j)).collect()
}

/// An access has no order of its own into it but program order and its thread's fork, which happens-before holds.
fn in_the_past_of(plain: &Relation, order: &Relation, i: usize, j: usize) -> bool {
    plain.holds(i, j) || (0..j).any(|k| plain.holds(k, j) && order.holds(i, k))
}
