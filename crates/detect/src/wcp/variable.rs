//! What weak causal precedence remembers of one variable.

use model::{Access, AccessKind, Epoch, EventIndex, LockId, Mode, SiteId, ThreadId};

use super::sections::SectionId;

/// The latest access of one kind by one slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    pub(super) epoch: Epoch,
    pub(super) thread: ThreadId,
    pub(super) site: SiteId,
    pub(super) at: EventIndex,
}

impl Last {
    pub(super) fn access(&self, kind: AccessKind) -> Access {
        Access { thread: self.thread, kind, site: self.site, at: self.at }
    }
}

/// A critical section that a thread is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) lock: LockId,
    pub(super) section: SectionId,
}

/// A critical section in which the variable was accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) thread: ThreadId,
    pub(super) section: SectionId,
}

/// The sections of one lock with accesses of one kind: L^r and L^w of the paper.
///
/// Rule (a) asks for sections of *other* threads. Sections for writing are totally ordered, so the latest one stands
/// for all before it: two are enough, of different threads. Of sections for reading, the latest of each slot is.
#[derive(Clone, Debug, Default)]
struct Marks {
    latest: Option<Mark>,
    /// The latest by another thread than `latest`.
    other: Option<Mark>,
    reading: Vec<Mark>,
}

impl Marks {
    fn contains(&self, mark: Mark) -> bool {
        match mark.section.mode {
            Mode::Write => self.latest == Some(mark),
            Mode::Read => self.reading.contains(&mark),
        }
    }

    fn add(&mut self, mark: Mark) {
        match mark.section.mode {
            Mode::Write => {
                if self.latest.is_some_and(|latest| latest.thread != mark.thread) {
                    self.other = self.latest;
                }
                self.latest = Some(mark);
            }
            Mode::Read => match self.reading.iter_mut().find(|old| old.section.slot == mark.section.slot) {
                Some(old) => *old = mark,
                None => self.reading.push(mark),
            },
        }
    }

    /// The sections that exclude the one of `mark`, of other threads.
    fn excluding(&self, mark: Mark) -> impl Iterator<Item = Mark> + '_ {
        let writing = [self.latest, self.other].into_iter().flatten().find(|old| old.thread != mark.thread);
        let reading = if mark.section.mode == Mode::Write { self.reading.as_slice() } else { &[] };
        writing.into_iter().chain(reading.iter().copied().filter(move |old| old.thread != mark.thread))
    }
}

/// The accesses under one lock.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    lock: LockId,
    reads: Marks,
    writes: Marks,
}

impl Guard {
    /// Was there an access in this very section that stands for one of `kind`? No other section that excludes it
    /// can have come in between.
    pub(super) fn knows(&self, kind: AccessKind, mark: Mark) -> bool {
        self.writes.contains(mark) || (kind == AccessKind::Read && self.reads.contains(mark))
    }

    /// Rule (a): the sections with a conflicting access.
    pub(super) fn conflicting(&self, kind: AccessKind, mark: Mark) -> impl Iterator<Item = Mark> + '_ {
        let reads = (kind == AccessKind::Write).then(|| self.reads.excluding(mark));
        self.writes.excluding(mark).chain(reads.into_iter().flatten())
    }

    pub(super) fn add(&mut self, kind: AccessKind, mark: Mark) {
        match kind {
            AccessKind::Read => self.reads.add(mark),
            AccessKind::Write => self.writes.add(mark),
        }
    }
}

/// The state of one variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Variable {
    writes: Vec<Last>,
    reads: Vec<Last>,
    /// By lock.
    guards: Vec<Guard>,
}

impl Variable {
    /// The accesses under `lock`.
    pub(super) fn guard(&mut self, lock: LockId) -> &mut Guard {
        let place = self.guards.binary_search_by_key(&lock, |guard| guard.lock).unwrap_or_else(|place| {
            reserve_first(&mut self.guards);
            self.guards.insert(place, Guard { lock, reads: Marks::default(), writes: Marks::default() });
            place
        });
        &mut self.guards[place]
    }

    /// The latest accesses, by slot and kind, that conflict with one of `kind`.
    pub(super) fn conflicting(&self, kind: AccessKind) -> impl Iterator<Item = (AccessKind, &Last)> {
        let reads = if kind == AccessKind::Write { self.reads.as_slice() } else { &[] };
        let writes = self.writes.iter().map(|last| (AccessKind::Write, last));
        writes.chain(reads.iter().map(|last| (AccessKind::Read, last)))
    }

    pub(super) fn add(&mut self, kind: AccessKind, last: Last) {
        let list = match kind {
            AccessKind::Read => &mut self.reads,
            AccessKind::Write => &mut self.writes,
        };
        match list.iter_mut().find(|old| old.epoch.slot == last.epoch.slot) {
            Some(old) => *old = last,
            None => {
                reserve_first(list);
                list.push(last);
            }
        }
    }
}

/// Most variables belong to one thread and one lock: the first element gets room for itself alone.
fn reserve_first<T>(list: &mut Vec<T>) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
}
