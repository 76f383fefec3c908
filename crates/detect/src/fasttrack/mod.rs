//! FastTrack: happens-before with epochs (Flanagan and Freund, PLDI 2009; the rules of FastTrack2, 2017).
//!
//! Differs from the papers: nothing in what is decided. A write to a read-shared variable keeps the clock of reads
//! (FastTrack2), locks for reading follow `crate::clocks`, and for each epoch the access that made it is kept, so
//! that a report can name both sides.
//! Reports no pair that happens-before orders. Finds the first race of every variable, at the same access as
//! [`Djit`](crate::djit::Djit); after it, not every pair. Misses races that the observed order of locks hides.
//! State: one [`Variable`] per variable, owned here. Invariant: the last write happens before every recorded read
//! or races with it, and a race is reported when it is found.

pub mod rules;

use model::{Access, AccessKind, Epoch, Event, EventIndex, Evidence, Race, VarId, VectorClock};

use crate::Detector;
use crate::clocks::Clocks;
use crate::history::{History, Mark};
use crate::table::Table;
use rules::{LastWrite, ReadRule, Reads, WriteRule};

struct Variable {
    write: Epoch,
    read: Epoch,
    writer: Mark,
    reader: Mark,
    /// The reads, once they are not totally ordered; `read` counts no longer then.
    shared: Option<Box<History>>,
}

impl Default for Variable {
    fn default() -> Self {
        Variable {
            write: Epoch::NONE,
            read: Epoch::NONE,
            writer: Mark::default(),
            reader: Mark::default(),
            shared: None,
        }
    }
}

impl Variable {
    #[inline]
    fn reads(&self) -> Reads<'_> {
        match &self.shared {
            None => Reads::Last(self.read),
            Some(history) => Reads::Shared(history.clock()),
        }
    }
}

/// The detector.
#[derive(Default)]
pub struct FastTrack {
    clocks: Clocks,
    variables: Table<Variable>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    read_same_epoch: u64,
    read_shared_same_epoch: u64,
    read_exclusive: u64,
    read_share: u64,
    read_shared: u64,
    write_same_epoch: u64,
    write_exclusive: u64,
    write_shared: u64,
    write_read_race: u64,
    write_write_race: u64,
    read_write_race: u64,
    shared_write_race: u64,
}

impl FastTrack {
    /// A detector whose clocks stay at or below `limit`.
    #[must_use]
    pub fn with_clock_limit(limit: u32) -> Self {
        FastTrack { clocks: Clocks::with_limit(limit), ..FastTrack::default() }
    }

    #[inline]
    fn read(&mut self, at: EventIndex, event: &Event, var: VarId, races: &mut dyn FnMut(Race)) {
        let (clock, now) = self.clocks.threads.now(event.thread);
        let variable = self.variables.at(var.index());
        let (rule, last_write) = rules::read(variable.write, variable.reads(), clock, now);
        let mark = Mark::of(at, event);
        if last_write == LastWrite::Unordered {
            self.counts.write_read_race += 1;
            races(race(var, variable.writer.access(AccessKind::Write), mark.access(AccessKind::Read)));
        }
        match rule {
            ReadRule::SameEpoch => self.counts.read_same_epoch += 1,
            ReadRule::SharedSameEpoch => self.counts.read_shared_same_epoch += 1,
            ReadRule::Exclusive => {
                self.counts.read_exclusive += 1;
                variable.read = now;
                variable.reader = mark;
            }
            ReadRule::Share => {
                self.counts.read_share += 1;
                let mut history = Box::<History>::default();
                history.record(variable.read, variable.reader);
                history.record(now, mark);
                variable.shared = Some(history);
            }
            ReadRule::Shared => {
                self.counts.read_shared += 1;
                if let Some(history) = &mut variable.shared {
                    history.record(now, mark);
                }
            }
        }
    }

    #[inline]
    fn write(&mut self, at: EventIndex, event: &Event, var: VarId, races: &mut dyn FnMut(Race)) {
        let (clock, now) = self.clocks.threads.now(event.thread);
        let variable = self.variables.at(var.index());
        let (rule, last_write) = rules::write(variable.write, variable.reads(), clock, now);
        let mark = Mark::of(at, event);
        if last_write == LastWrite::Unordered {
            self.counts.write_write_race += 1;
            races(race(var, variable.writer.access(AccessKind::Write), mark.access(AccessKind::Write)));
        }
        let racing_reads = match rule {
            WriteRule::SameEpoch => {
                self.counts.write_same_epoch += 1;
                return;
            }
            WriteRule::Exclusive => {
                self.counts.write_exclusive += 1;
                &mut self.counts.read_write_race
            }
            WriteRule::Shared => {
                self.counts.write_shared += 1;
                &mut self.counts.shared_write_race
            }
        };
        *racing_reads += report_reads(variable, clock, |reader| {
            races(race(var, reader.access(AccessKind::Read), mark.access(AccessKind::Write)));
        });
        variable.write = now;
        variable.writer = mark;
    }
}

/// Calls `report` for each read that races with a write by a thread with this clock; says how many there were.
fn report_reads(variable: &Variable, clock: &VectorClock, mut report: impl FnMut(Mark)) -> u64 {
    let mut count = 0;
    for epoch in rules::unordered_reads(variable.reads(), clock) {
        count += 1;
        report(variable.shared.as_ref().map_or(variable.reader, |history| history.mark(epoch.slot)));
    }
    count
}

#[cold]
fn race(var: VarId, earlier: Access, later: Access) -> Race {
    Race { var, earlier, later, evidence: Evidence::Unordered }
}

impl Detector for FastTrack {
    #[inline]
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race)) {
        match event.op.access() {
            Some((var, AccessKind::Read)) => self.read(at, event, var, races),
            Some((var, AccessKind::Write)) => self.write(at, event, var, races),
            None => self.clocks.synchronize(event.thread, event.op),
        }
    }

    fn rules(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("read same epoch", self.counts.read_same_epoch),
            ("read shared same epoch", self.counts.read_shared_same_epoch),
            ("read exclusive", self.counts.read_exclusive),
            ("read share", self.counts.read_share),
            ("read shared", self.counts.read_shared),
            ("write same epoch", self.counts.write_same_epoch),
            ("write exclusive", self.counts.write_exclusive),
            ("write shared", self.counts.write_shared),
            ("write-read race", self.counts.write_read_race),
            ("write-write race", self.counts.write_write_race),
            ("read-write race", self.counts.read_write_race),
            ("shared-write race", self.counts.shared_write_race),
        ]
    }
}
