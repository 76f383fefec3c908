//! The thread-locality check of O'Callahan and Choi 2003, section 6.3, as a filter.
//!
//! While one thread owns a location its accesses are dropped; the access by a second thread makes the location shared
//! for ever, and that access and all later ones are kept. The paper asks per object, and so does the live detector
//! (ADR 0058); this asks per location: fields of one object may have different owners. Unsound by design: whatever the
//! owner did before the second thread came is forgotten, so a race between the two is missed unless an access after
//! that shows it. Keep it in front of other filters: one that drops accesses before it would hide second threads from
//! it.
//!
//! Invariant: a shared location stays shared.

use model::{Event, EventIndex, ThreadId};

use crate::table::Table;
use crate::{Filter, FilterStatistics, FilterVerdict};

/// Who accessed a location so far.
#[derive(Clone, Copy, Debug, Default)]
enum Owner {
    #[default]
    Nobody,
    One(ThreadId),
    Shared,
}

/// Drops the accesses of a location that only one thread has seen.
#[derive(Clone, Debug, Default)]
pub struct Locality {
    owners: Table<Owner>,
    events: u64,
    skipped: u64,
}

impl Filter for Locality {
    fn judge(&mut self, _: EventIndex, event: &Event) -> FilterVerdict {
        self.events += 1;
        let Some((var, _)) = event.op.access() else { return FilterVerdict::Keep };
        let owner = self.owners.at(var.index());
        match *owner {
            Owner::Shared => return FilterVerdict::Keep,
            Owner::One(thread) if thread != event.thread => {
                *owner = Owner::Shared;
                return FilterVerdict::Keep;
            }
            Owner::One(_) => {}
            Owner::Nobody => *owner = Owner::One(event.thread),
        }
        self.skipped += 1;
        FilterVerdict::Skip
    }

    fn statistics(&self) -> FilterStatistics {
        FilterStatistics { events: self.events, skipped: self.skipped, bytes: self.owners.bytes() as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Op, SiteId, VarId};

    #[test]
    fn the_second_thread_makes_a_location_shared() {
        let mut locality = Locality::default();
        let mut judge = |thread, var| {
            let event = Event { thread: ThreadId(thread), site: SiteId(0), op: Op::Write(VarId(var)) };
            locality.judge(EventIndex(0), &event)
        };
        let verdicts = [judge(0, 0), judge(0, 0), judge(1, 0), judge(0, 0), judge(1, 1)];
        assert_eq!(
            verdicts,
            [FilterVerdict::Skip, FilterVerdict::Skip, FilterVerdict::Keep, FilterVerdict::Keep, FilterVerdict::Skip]
        );
        assert_eq!((locality.statistics().events, locality.statistics().skipped), (5, 3));
    }
}
