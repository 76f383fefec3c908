//! TREE in front of FastTrack inside a running process: the span redundancy of Rajagopalan's thesis, section 3.6.
//!
//! The decision is that of [`Kept`], never a copy. What the two words of a variable decide by themselves never comes here: an
//! access in the epoch of the last one, or one that is ordered after it. What is left are accesses between which other
//! threads came to the variable, so those of racy variables and of clocks of reads.
//! Kept for each site of a variable instead of for the variable, so that a race that needs the second place where a thread
//! makes an access is still found. Misses, against FastTrack alone, pairs of a variable that has raced already: an access
//! that was dropped does not become the last one.
//! State: one lock for all. Beyond [`PLACES`] all is forgotten, which only loses filtering.

use std::collections::HashMap;
use std::sync::Mutex;

use detect::lockset::{LocksetId, Locksets};
use detect::tree::{Behind, Kept, Locations, Moment};
use detect::{FilterStatistics, FilterVerdict};
use model::{AccessKind, SiteId, ThreadId, VarId};

use crate::{Runtime, lock};

/// The most sites of variables that are remembered.
const PLACES: usize = 1 << 20;

/// A variable as it is accessed at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The object's number.
    pub number: u32,
    /// The generation of the reused object id.
    pub stamp: u32,
    /// Which variable of the object.
    pub place: u32,
    /// Where the access is made.
    pub site: SiteId,
}

/// The filter.
#[derive(Default)]
pub struct Spans {
    state: Mutex<State>,
}

struct State {
    kept: Kept,
    spots: HashMap<Spot, VarId>,
    /// FastTrack asks for no locks.
    none: Locksets,
    events: u64,
    skipped: u64,
}

impl Default for State {
    fn default() -> Self {
        State { kept: nothing(), spots: HashMap::new(), none: Locksets::default(), events: 0, skipped: 0 }
    }
}

fn nothing() -> Kept {
    Kept::new(Behind::HappensBefore, Locations::All)
}

impl Spans {
    /// Must the access be decided? `Skip` if it is redundant.
    pub fn judge(&self, runtime: &Runtime, thread: ThreadId, kind: AccessKind, spot: Spot) -> FilterVerdict {
        // A thread without a slot has no epoch, and no span.
        let Some(time) = runtime.epoch(thread) else { return FilterVerdict::Keep };
        let state = &mut *lock(&self.state);
        if state.spots.len() >= PLACES {
            state.spots.clear();
            state.kept = nothing();
        }
        let next = VarId(u32::try_from(state.spots.len()).unwrap_or(u32::MAX));
        let var = *state.spots.entry(spot).or_insert(next);
        let at = Moment { time, lockset: LocksetId::EMPTY };
        let verdict = state.kept.judge((thread, spot.site), var, kind, at, &state.none);
        state.events += 1;
        state.skipped += u64::from(verdict == FilterVerdict::Skip);
        verdict
    }

    /// What was done so far.
    #[must_use]
    pub fn statistics(&self) -> FilterStatistics {
        let state = lock(&self.state);
        let bytes = state.kept.bytes() + state.spots.capacity() * size_of::<(Spot, VarId)>();
        FilterStatistics { events: state.events, skipped: state.skipped, bytes: bytes as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::Message;

    const SPOT: Spot = Spot { number: 300, stamp: 1, place: 24, site: SiteId(7) };

    #[test]
    fn the_first_access_of_a_span_is_kept() {
        let runtime = Runtime::default();
        let me = runtime.attach();
        let spans = Spans::default();
        let judge = |kind, spot| spans.judge(&runtime, me, kind, spot);
        use AccessKind::{Read, Write};
        assert_eq!([judge(Read, SPOT), judge(Read, SPOT)], [FilterVerdict::Keep, FilterVerdict::Skip]);
        assert_eq!(judge(Write, SPOT), FilterVerdict::Keep, "a read does not stand for a write");
        for other in [
            Spot { stamp: 2, ..SPOT },
            Spot { number: 301, ..SPOT },
            Spot { place: 28, ..SPOT },
            Spot { site: SiteId(8), ..SPOT },
        ] {
            assert_eq!(judge(Write, other), FilterVerdict::Keep, "{other:?}");
        }
        runtime.time_was_used(me);
        runtime.send(me, Message::Static(1));
        assert_eq!(judge(Write, SPOT), FilterVerdict::Keep, "another span");
        let did = spans.statistics();
        assert_eq!((did.events, did.skipped), (8, 1));
    }
}
