//! What weak causal precedence says of two moments, given the clock `weak` of all that is weakly before now.
//!
//! Every question is one comparison of an epoch. The events that are weakly before now are closed under
//! happens-before (rule (c)), and a thread's time ticks when an order leaves it. So if the clock has reached the time
//! of a moment, then some way out of that thread at or after the moment is weakly before now, and with it the
//! moment and its whole past.

use model::{Epoch, ThreadId, VectorClock};

use super::sections::Release;
use super::variable::Last;

/// The conclusion of rules (a) and (b): the release, with its past, is weakly before now. Says whether that is new.
pub(super) fn come_after(weak: &mut VectorClock, release: &Release) -> bool {
    if weak.has_seen(release.at) {
        return false;
    }
    weak.join(&release.past);
    true
}

/// What rule (b) says of an earlier section of the lock that is being released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionOrder {
    /// Nothing.
    Unordered,
    /// Nothing that was not known.
    Known,
    /// Its release is before this one.
    New,
}

/// Rule (b): if some event of an earlier section is weakly before this release, so is its release. "Some event" is
/// the acquire: it comes before the others. A section that was never released orders nothing and keeps nobody.
pub(super) fn close_section(weak: &mut VectorClock, acquired: Epoch, release: Option<&Release>) -> SectionOrder {
    match release {
        Some(_) if !weak.has_seen(acquired) => SectionOrder::Unordered,
        Some(release) if come_after(weak, release) => SectionOrder::New,
        _ => SectionOrder::Known,
    }
}

/// Do an earlier access and one that `thread` makes now race?
pub(super) fn races(weak: &VectorClock, thread: ThreadId, earlier: &Last) -> bool {
    earlier.thread != thread && !weak.has_seen(earlier.epoch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Slot;

    fn clock(times: &[u32]) -> VectorClock {
        times.iter().copied().collect()
    }

    const ACQUIRED: Epoch = Epoch { slot: Slot(1), time: 2 };

    fn release() -> Release {
        Release { at: Epoch { slot: Slot(1), time: 3 }, past: clock(&[5, 3]) }
    }

    #[test]
    fn a_section_that_is_not_seen_orders_nothing() {
        let mut weak = clock(&[9, 1]);
        assert_eq!(close_section(&mut weak, ACQUIRED, Some(&release())), SectionOrder::Unordered);
        assert_eq!(weak, clock(&[9, 1]));
    }

    #[test]
    fn a_section_seen_in_part_is_seen_to_its_end() {
        let mut weak = clock(&[1, 2, 4]);
        assert_eq!(close_section(&mut weak, ACQUIRED, Some(&release())), SectionOrder::New);
        assert_eq!(weak, clock(&[5, 3, 4]));
        assert_eq!(close_section(&mut weak, ACQUIRED, Some(&release())), SectionOrder::Known);
    }

    #[test]
    fn an_open_section_keeps_nobody() {
        assert_eq!(close_section(&mut VectorClock::new(), ACQUIRED, None), SectionOrder::Known);
    }
}
