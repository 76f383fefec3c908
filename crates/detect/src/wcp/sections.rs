//! The critical sections of one lock that rule (b) may still need.
//!
//! The paper keeps a queue per lock and thread. One queue per lock is enough: once the release of a section for
//! writing comes after section 1, the lock itself hands that order to every later section ([`LockClock`]), so
//! section 1 can tell nobody anything new. Sections for reading do not order each other, hence two deviations: each
//! reading slot has a queue of its own, and a reader only moves its own cursor over the sections for writing.
//!
//! [`LockClock`]: crate::clocks::LockClock

use std::collections::VecDeque;

use model::{Epoch, Mode, Slot, VectorClock};

use super::rules::{self, SectionOrder};

/// The end of a critical section.
#[derive(Clone, Debug)]
pub(super) struct Release {
    /// Its moment.
    pub(super) at: Epoch,
    /// All that happens before it, and itself.
    pub(super) past: VectorClock,
}

#[derive(Clone, Debug)]
struct Section {
    acquired: Epoch,
    /// `None` while the section is open.
    release: Option<Release>,
}

/// The name of a critical section among those of its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SectionId {
    pub(super) mode: Mode,
    pub(super) slot: Slot,
    /// Its place in its queue, counted from the first section that was ever there.
    number: u64,
}

/// Sections that are totally ordered by happens-before, oldest first.
///
/// Invariant: if the acquire of a section is weakly before some event, so are the acquires of all sections ahead
/// of it. So only the front must be asked.
#[derive(Clone, Debug, Default)]
struct Queue {
    /// How many sections have left.
    passed: u64,
    sections: VecDeque<Section>,
}

impl Queue {
    fn open(&mut self, acquired: Epoch) -> u64 {
        self.sections.push_back(Section { acquired, release: None });
        self.passed + self.sections.len() as u64 - 1
    }

    fn get(&self, number: u64) -> Option<&Section> {
        self.sections.get(usize::try_from(number.checked_sub(self.passed)?).ok()?)
    }

    fn close(&mut self, number: u64, release: Release) {
        let place = number.checked_sub(self.passed).and_then(|place| usize::try_from(place).ok());
        if let Some(section) = place.and_then(|place| self.sections.get_mut(place)) {
            section.release = Some(release);
        }
    }

    /// Rule (b) against the sections before `end`, for an event after which the lock hands everything on: what has
    /// been ordered leaves the queue. Says how many orders were new.
    fn pass(&mut self, end: u64, weak: &mut VectorClock) -> u64 {
        let mut fired = 0;
        while self.passed < end {
            let Some(front) = self.sections.front() else { break };
            let order = rules::close_section(weak, front.acquired, front.release.as_ref());
            if order == SectionOrder::Unordered {
                break;
            }
            fired += u64::from(order == SectionOrder::New);
            self.sections.pop_front();
            self.passed += 1;
        }
        fired
    }
}

#[derive(Clone, Debug)]
struct Reader {
    slot: Slot,
    /// This reader's own sections.
    queue: Queue,
    /// The first section for writing that this reader has not passed.
    cursor: u64,
}

/// All sections of one lock that rule (b) may still need.
#[derive(Clone, Debug, Default)]
pub(super) struct Sections {
    writers: Queue,
    readers: Vec<Reader>,
}

impl Sections {
    /// A thread takes the lock.
    pub(super) fn open(&mut self, mode: Mode, acquired: Epoch) -> SectionId {
        let slot = acquired.slot;
        let number = match mode {
            Mode::Write => self.writers.open(acquired),
            Mode::Read => self.reader(slot).queue.open(acquired),
        };
        SectionId { mode, slot, number }
    }

    /// Rule (b) for the release that ends section `id`; says how many orders were new.
    pub(super) fn order(&mut self, id: SectionId, weak: &mut VectorClock) -> u64 {
        match id.mode {
            Mode::Write => self.order_writer(id.number, weak),
            Mode::Read => self.order_reader(id.slot, weak),
        }
    }

    /// The thread gives the lock back.
    pub(super) fn close(&mut self, id: SectionId, release: Release) {
        match id.mode {
            Mode::Write => self.writers.close(id.number, release),
            Mode::Read => self.reader(id.slot).queue.close(id.number, release),
        }
    }

    /// The end of a section; `None` if it is open, or has left the queue because every section that is still to
    /// come is known to be after it.
    pub(super) fn release(&self, id: SectionId) -> Option<&Release> {
        let queue = match id.mode {
            Mode::Write => &self.writers,
            Mode::Read => &self.readers.iter().find(|reader| reader.slot == id.slot)?.queue,
        };
        queue.get(id.number)?.release.as_ref()
    }

    /// A section for writing is ordered with all others by happens-before, so the order of readers tells nothing new
    /// about writers. Readers can overlap: the end of one may come after the begin of another whose queue was
    /// asked before, so they are asked until none moves.
    fn order_writer(&mut self, own: u64, weak: &mut VectorClock) -> u64 {
        let mut fired = self.writers.pass(own, weak);
        loop {
            let new: u64 = self.readers.iter_mut().map(|reader| reader.queue.pass(u64::MAX, weak)).sum();
            if new == 0 {
                return fired;
            }
            fired += new;
        }
    }

    fn order_reader(&mut self, slot: Slot, weak: &mut VectorClock) -> u64 {
        let mut fired = 0;
        let mut cursor = self.reader(slot).cursor.max(self.writers.passed);
        while let Some(section) = self.writers.get(cursor) {
            let order = rules::close_section(weak, section.acquired, section.release.as_ref());
            if order == SectionOrder::Unordered {
                break;
            }
            fired += u64::from(order == SectionOrder::New);
            cursor += 1;
        }
        self.reader(slot).cursor = cursor;
        fired
    }

    fn reader(&mut self, slot: Slot) -> &mut Reader {
        let place = self.readers.iter().position(|reader| reader.slot == slot).unwrap_or_else(|| {
            self.readers.push(Reader { slot, queue: Queue::default(), cursor: 0 });
            self.readers.len() - 1
        });
        &mut self.readers[place]
    }
}
