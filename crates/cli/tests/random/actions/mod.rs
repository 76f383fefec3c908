//! All that a step can do, in groups: what can be switched on and off.

mod atomics;
mod cells;
mod classes;
mod data;
mod futures;
mod indirect;
mod interrupts;
mod locks;
mod maps;
mod meetings;
mod monitors;
mod queues;
mod stamps;
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

/// The kinds of synchronization, and of accesses, of which a program has some.
pub(crate) const SOMETIMES: &[&Group] = &[
    &monitors::MONITORS,
    &cells::VOLATILES,
    &interrupts::INTERRUPTS,
    &classes::CLASSES,
    &atomics::ATOMICS,
    &locks::LOCKS,
    &locks::READ_WRITE_LOCKS,
    &stamps::STAMPED_LOCKS,
    &meetings::SEMAPHORES,
    &meetings::LATCHES,
    &meetings::BARRIERS,
    &meetings::PARKING,
    &queues::QUEUES,
    &maps::MAPS,
    &futures::FUTURES,
    &futures::POOLS,
    &indirect::HANDLES,
    &indirect::COPIES,
    &indirect::METHOD_HANDLES,
    &indirect::REFLECTION,
];

/// Accesses that the detector does not see yet, on every JDK: programs with these may have races that it misses, but it
/// may not report what is none. A group moves up when it is seen.
pub(crate) const UNSEEN: &[&Group] = &[];

fn all() -> impl Iterator<Item = &'static (&'static str, Action)> {
    ALWAYS.iter().chain(SOMETIMES).chain(UNSEEN).flat_map(|group| group.actions)
}

/// The names of all actions that are seen.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ALWAYS.iter().chain(SOMETIMES).flat_map(|group| group.actions).map(|&(name, _)| name)
}

/// The action of a name.
pub(crate) fn action(name: &str) -> Option<(&'static str, Action)> {
    all().find(|(known, _)| *known == name).copied()
}
