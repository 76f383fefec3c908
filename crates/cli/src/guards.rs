//! Which lock seems to guard a racy variable: how many of its accesses hold it, counted over the whole trace.

use std::collections::HashMap;

use detect::held::Held;
use model::{Event, LockId, Op, VarId};
use report::Guard;
use trace::Tables;

/// Counts, for some variables, the accesses and the locks that they hold.
pub(crate) struct Guards {
    held: Held,
    counts: HashMap<VarId, Counts>,
}

#[derive(Default)]
struct Counts {
    accesses: u64,
    with: HashMap<LockId, u64>,
}

impl Guards {
    /// Counts for these variables.
    pub(crate) fn of(variables: &[VarId]) -> Guards {
        let counts = variables.iter().map(|&variable| (variable, Counts::default())).collect();
        Guards { held: Held::default(), counts }
    }

    pub(crate) fn observe(&mut self, event: &Event) {
        match event.op {
            Op::Acquire(lock, mode) => drop(self.held.of(event.thread).acquire(lock, mode)),
            Op::Release(lock, mode) => drop(self.held.of(event.thread).release(lock, mode)),
            Op::Read(variable) | Op::Write(variable) => {
                if let Some(counts) = self.counts.get_mut(&variable) {
                    counts.accesses += 1;
                    for (lock, _) in self.held.of(event.thread).iter() {
                        *counts.with.entry(lock).or_insert(0) += 1;
                    }
                }
            }
            _ => {}
        }
    }

    /// The lock that most accesses of a variable hold, if more than half do: then it is meant to guard it.
    pub(crate) fn guard(&self, variable: VarId, tables: &Tables) -> Option<Guard> {
        let counts = self.counts.get(&variable)?;
        let (&lock, &held) = counts.with.iter().max_by_key(|&(&lock, &held)| (held, std::cmp::Reverse(lock)))?;
        (held * 2 > counts.accesses && held < counts.accesses).then(|| Guard {
            lock: tables.lock_name(lock),
            held,
            accesses: counts.accesses,
        })
    }
}
