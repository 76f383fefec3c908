//! The lockset definitions of O'Callahan and Choi 2003, word by word, with lock modes.

use model::{AccessKind, Event, LockId, MessageId, Mode, Op, VarId};

use super::{conflicting, locks_held, must_order, protected};

/// All pairs of IsPotentialLocksetRace, O'Callahan and Choi 2003, section 2.3: conflicting, and no lock keeps the two apart.
#[must_use]
pub fn lockset_races(events: &[Event]) -> Vec<(usize, usize)> {
    let mut pairs = conflicting(events);
    pairs.retain(|&(i, j)| !protected(&locks_held(events, i), &locks_held(events, j)));
    pairs
}

/// All pairs of IsPotentialHybridRace, O'Callahan and Choi 2003, section 4.2: those of [`lockset_races`] that no message orders.
#[must_use]
pub fn hybrid_races(events: &[Event]) -> Vec<(usize, usize)> {
    let order = must_order(events);
    let mut pairs = lockset_races(events);
    pairs.retain(|&(i, j)| !order.holds(i, j));
    pairs
}

/// For each location, the access at which IsPotentialSimpleRace, O'Callahan and Choi 2003, section 6.2, becomes true, after the
/// last access of another thread: (earlier, later).
#[must_use]
pub fn simple_races(events: &[Event]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (j, later) in events.iter().enumerate() {
        let Some((var, _)) = later.op.access() else { continue };
        if found.iter().any(|&(_, racy)| events[racy].op.access().is_some_and(|(other, _)| other == var)) {
            continue;
        }
        let set: Vec<usize> = (0..=j).filter(|&i| accesses(&events[i], var)).collect();
        let earlier = set.iter().rfind(|&&i| events[i].thread != later.thread);
        if let Some(&earlier) = earlier.filter(|_| is_simple_race(events, &set)) {
            found.push((earlier, j));
        }
    }
    found
}

fn accesses(event: &Event, var: VarId) -> bool {
    event.op.access().is_some_and(|(other, _)| other == var)
}

fn is_simple_race(events: &[Event], set: &[usize]) -> bool {
    let written = set.iter().any(|&i| matches!(events[i].op, Op::Write(_)));
    let shared = set.iter().any(|&i| events[i].thread != events[set[0]].thread);
    let common =
        protecting(events, set[0]).into_iter().any(|lock| set.iter().all(|&i| protecting(events, i).contains(&lock)));
    written && shared && !common
}

/// The locks that count for an access: a write needs them held for writing.
fn protecting(events: &[Event], i: usize) -> Vec<LockId> {
    let write = matches!(events[i].op.access(), Some((_, AccessKind::Write)));
    locks_held(events, i).into_iter().filter(|&(_, mode)| !write || mode == Mode::Write).map(|(lock, _)| lock).collect()
}

/// The trace with the messages of flag fields written out, O'Callahan and Choi 2003, section 3.2: an access of a flag receives,
/// after it, the message of the flag's latest writer; a write then sends a fresh one.
#[must_use]
pub fn with_flag_messages(events: &[Event], flags: &[VarId]) -> Vec<Event> {
    let mut fresh = 1 + events.iter().map(|event| message(event.op)).max().unwrap_or(0);
    let mut sent: Vec<(VarId, MessageId)> = Vec::new();
    let mut all = Vec::new();
    for &event in events {
        all.push(event);
        let Some((var, kind)) = event.op.access().filter(|(var, _)| flags.contains(var)) else { continue };
        if let Some(&(_, latest)) = sent.iter().rfind(|&&(flag, _)| flag == var) {
            all.push(Event { op: Op::Receive(latest), ..event });
        }
        if kind == AccessKind::Write {
            sent.push((var, MessageId(fresh)));
            all.push(Event { op: Op::Send(MessageId(fresh)), ..event });
            fresh += 1;
        }
    }
    all
}

fn message(op: Op) -> u32 {
    match op {
        Op::Send(message) | Op::Receive(message) => message.0,
        _ => 0,
    }
}
