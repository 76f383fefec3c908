//! The rules of FastTrack2, named as in the paper, over plain values: what an access finds, and what becomes of the
//! variable's state. Drivers keep the state, online and offline; only the two same-epoch rules and the two
//! exclusive rules may be repeated elsewhere (in woven code), and a test compares them with these.

use model::{Epoch, VectorClock};

/// What is known of the reads of a variable since they were last totally ordered.
#[derive(Clone, Copy, Debug)]
pub enum Reads<'a> {
    /// The last read; it happens after every other one.
    Last(Epoch),
    /// The last read of each slot: reads that are not all ordered.
    Shared(&'a VectorClock),
}

/// Which rule a read follows, and so what becomes of the reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadRule {
    /// The same thread read in this epoch, or wrote: nothing changes, nothing is checked. What races with the read races with
    /// the write too.
    SameEpoch,
    /// The same, for a variable that many threads read.
    SharedSameEpoch,
    /// The reads stay totally ordered: the last read is now this one.
    Exclusive,
    /// The read is not ordered after the last one: from now on a clock keeps the reads, these two first.
    Share,
    /// The clock of reads takes this one in.
    Shared,
}

/// Which rule a write follows. Each but the first makes the last write this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteRule {
    /// The same thread wrote in this epoch: nothing changes, nothing is checked.
    SameEpoch,
    /// The write is checked against the last read.
    Exclusive,
    /// The write is checked against the clock of reads, which stays.
    Shared,
}

/// Is the last write unordered with the access? If so, the two race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastWrite {
    /// It happens before the access.
    Ordered,
    /// Nothing orders it before the access.
    Unordered,
}

/// What a read at `now` finds. The same-epoch rules find nothing to check.
#[inline]
#[must_use]
pub fn read(write: Epoch, reads: Reads<'_>, clock: &VectorClock, now: Epoch) -> (ReadRule, LastWrite) {
    let rule = match reads {
        _ if write == now => return (ReadRule::SameEpoch, LastWrite::Ordered),
        Reads::Last(last) if last == now => return (ReadRule::SameEpoch, LastWrite::Ordered),
        Reads::Shared(all) if all.epoch(now.slot) == now => {
            return (ReadRule::SharedSameEpoch, LastWrite::Ordered);
        }
        Reads::Last(last) if clock.has_seen(last) => ReadRule::Exclusive,
        Reads::Last(_) => ReadRule::Share,
        Reads::Shared(_) => ReadRule::Shared,
    };
    (rule, last_write(write, clock))
}

/// What a write at `now` finds. The driver checks the reads that [`unordered_reads`] names.
#[inline]
#[must_use]
pub fn write(write: Epoch, reads: Reads<'_>, clock: &VectorClock, now: Epoch) -> (WriteRule, LastWrite) {
    let rule = match reads {
        _ if write == now => return (WriteRule::SameEpoch, LastWrite::Ordered),
        Reads::Last(_) => WriteRule::Exclusive,
        Reads::Shared(_) => WriteRule::Shared,
    };
    (rule, last_write(write, clock))
}

/// The reads that nothing orders before a write by a thread with this clock: each races with it.
pub fn unordered_reads<'a>(reads: Reads<'a>, clock: &'a VectorClock) -> impl Iterator<Item = Epoch> + 'a {
    let (last, all) = match reads {
        Reads::Last(last) => (Some(last).filter(|&last| !clock.has_seen(last)), None),
        Reads::Shared(all) => (None, Some(all.unseen_by(clock))),
    };
    last.into_iter().chain(all.into_iter().flatten())
}

#[inline]
fn last_write(write: Epoch, clock: &VectorClock) -> LastWrite {
    if clock.has_seen(write) { LastWrite::Ordered } else { LastWrite::Unordered }
}
