//! All that a step can do, in groups: what can be switched on and off.

mod cells;
mod classes;
mod data;
mod interrupts;
mod monitors;
mod threads;

use crate::machine::Action;

/// Actions that belong together.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) actions: &'static [(&'static str, Action)],
    /// Pairs of actions that, done by two threads in turn, order what is before the first before what is after the second.
    pub(crate) passes: &'static [(&'static str, &'static str)],
    /// Pairs of actions between which a thread keeps others out.
    pub(crate) guards: &'static [(&'static str, &'static str)],
}

/// In every program.
pub(crate) const ALWAYS: &[&Group] = &[&data::DATA, &threads::THREADS];

/// A program has some of these.
pub(crate) const SYNCHRONIZATION: &[&Group] =
    &[&monitors::MONITORS, &cells::VOLATILES, &interrupts::INTERRUPTS, &classes::CLASSES];

/// The action of a name.
pub(crate) fn action(name: &str) -> Option<(&'static str, Action)> {
    let groups = ALWAYS.iter().chain(SYNCHRONIZATION);
    groups.flat_map(|group| group.actions).find(|(known, _)| *known == name).copied()
}
