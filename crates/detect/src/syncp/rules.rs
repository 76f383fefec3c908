//! The sync-preserving ideal: the smallest set of events that must run before two accesses can both be next.

use model::{Epoch, Slot, VectorClock};

use super::history::{History, Section};

/// Is the earlier access of a pair in the pair's ideal?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closure {
    /// It is: the two cannot both be next.
    Reached,
    /// The ideal is closed without it: a witness.
    Avoided,
}

/// Closes a set under the rule of locks: of two sections that cannot overlap, the earlier one ends before the later
/// one begins. All else that its events need is in the set already, and comes in with each release. Stops as soon as
/// `target` is in. Adds to `fired` how many sections had to run to their end.
pub(super) fn close(history: &History, ideal: &mut VectorClock, target: Epoch, fired: &mut u64) -> Closure {
    let mut stable = 0;
    let mut slot = Slot(0);
    // Round and round the slots, until none has changed for a whole round.
    while stable < ideal.times().len() {
        if ideal.has_seen(target) {
            return Closure::Reached;
        }
        match missing_release(history, ideal, slot) {
            Some(release) => {
                history.add(ideal, release);
                *fired += 1;
                stable = 0;
            }
            None => {
                stable += 1;
                slot = if slot.index() + 1 < ideal.times().len() { Slot(slot.0 + 1) } else { Slot(0) };
            }
        }
    }
    if ideal.has_seen(target) { Closure::Reached } else { Closure::Avoided }
}

/// The end of a section of one slot that the set leaves open although it holds a later section of the same lock.
fn missing_release(history: &History, ideal: &VectorClock, slot: Slot) -> Option<Epoch> {
    let mut cut = history.cut_sections(slot, ideal.time(slot));
    cut.find(|(section, _)| history.is_overtaken(section, slot, ideal)).map(|(_, release)| release)
}

/// Do the locks held at two accesses keep them apart in every reordering?
pub(super) fn protected<'a>(
    mut one: impl Iterator<Item = &'a Section>,
    two: impl Iterator<Item = &'a Section> + Clone,
) -> bool {
    one.any(|one| two.clone().any(|two| one.lock == two.lock && one.mode.excludes(two.mode)))
}
