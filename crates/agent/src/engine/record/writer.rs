//! The writer: what the rings hold, in one sequence ([`Merge`]), into the file.
//!
//! What was logged is written within a fraction of a second, so a killed JVM loses no more.

use std::fs::File;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use control::{BarrierData, Branches};
use model::EventIndex;
use report::TraceState;
use trace::adt::Writer as Sink;
use trace::{Error, Header, Recorded, Row, Tables};

use super::Recorder;
use super::merge::{Merge, Sequence};
use super::ring::Raw;
use super::translate::Translation;
use crate::agent::{Agent, lock};

/// After how many events the tables are relieved of what was written.
const BETWEEN_RELIEFS: u64 = 1 << 12;

/// How long the writer sleeps when there is nothing to do: longer and longer.
const SHORTEST_NAP: Duration = Duration::from_millis(1);
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// What was logged is in the file after this time.
const BETWEEN_FLUSHES: Duration = Duration::from_millis(200);

/// How long to wait at the end for a thread that has taken a number but not logged its event.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long to wait for a thread that is about to log an access: what the program does in between takes nanoseconds. A thread
/// that was thrown out of an access it will never log is not waited for longer; should it log after all it sees that its
/// block is closed.
const LONGEST_ACCESS: Duration = Duration::from_secs(1);

/// Writes until the recording stops; reports an error once.
pub(super) fn run(recorder: &'static Recorder, agent: &'static Agent, file: File) {
    let written = Writer::new(recorder, agent, file).and_then(Writer::run);
    match written {
        Ok(()) => *lock(&recorder.outcome.state) = TraceState::Closed,
        Err(error) => recorder.fail(&error.to_string()),
    }
}

struct Writer {
    recorder: &'static Recorder,
    merge: Merge,
    file: TraceOut,
    flushed: Instant,
}

/// The trace file, and what it says of ids.
struct TraceOut {
    recorder: &'static Recorder,
    sink: Sink<File>,
    tables: Tables,
    translation: Translation,
    /// How many events were written.
    written: u64,
}

impl Writer {
    fn new(recorder: &'static Recorder, agent: &'static Agent, file: File) -> Result<Self, Error> {
        let recorded = |is: bool| if is { Recorded::Yes } else { Recorded::No };
        let header = Header {
            values: Recorded::Yes,
            branches: recorded(recorder.branches == Branches::Recorded),
            followed: recorded(agent.hidden.is_some() && recorder.barrier_data() == BarrierData::Once),
        };
        let sink = Sink::new(file, &recorder.path, header)?;
        let (tables, translation) = (Tables::default(), Translation::new(agent, recorder));
        Ok(Writer {
            recorder,
            merge: Merge::new(LONGEST_ACCESS),
            file: TraceOut { recorder, sink, tables, translation, written: 0 },
            flushed: Instant::now(),
        })
    }

    fn run(mut self) -> Result<(), Error> {
        let mut nap = SHORTEST_NAP;
        let mut unflushed = false;
        while !self.recorder.has_stopped() {
            let before = self.merge.next() + self.file.written;
            self.take_all()?;
            let has_moved = self.merge.next() + self.file.written > before || self.merge.has_closed();
            unflushed |= has_moved;
            if unflushed && self.flushed.elapsed() >= BETWEEN_FLUSHES {
                self.file.sink.flush(&self.file.tables)?;
                self.flushed = Instant::now();
                unflushed = false;
            }
            if has_moved {
                nap = SHORTEST_NAP;
            } else {
                std::thread::park_timeout(nap);
                nap = (nap * 2).min(LONGEST_NAP);
            }
        }
        self.finish()
    }

    /// Writes what was logged before the end.
    fn finish(mut self) -> Result<(), Error> {
        let (end, since) = (self.recorder.next_number(), Instant::now());
        while self.merge.next() < end && since.elapsed() < PATIENCE {
            self.take_all()?;
            std::thread::yield_now();
        }
        let lost = end.saturating_sub(self.merge.next()) + self.merge.late() + self.file.translation.lost;
        self.recorder.outcome.lost.store(lost, Ordering::Relaxed);
        let TraceOut { sink, tables, .. } = self.file;
        sink.close(&tables, Some(self.recorder.started.elapsed())).map(drop)
    }

    /// Writes what is in the rings and has its turn.
    fn take_all(&mut self) -> Result<(), Error> {
        {
            let rings = self.recorder.rings.read().unwrap_or_else(PoisonError::into_inner);
            self.merge.meet(&rings.all);
        }
        self.merge.take_all(&mut self.file)?;
        self.recorder.outcome.events.store(self.file.written, Ordering::Relaxed);
        Ok(())
    }
}

impl Sequence for TraceOut {
    type Error = Error;

    fn learn(&mut self) {
        let news = {
            let mut news = lock(&self.recorder.news);
            news.take()
        };
        self.translation.learn(news, &mut self.tables);
    }

    #[inline]
    fn event(&mut self, raw: &Raw) -> Result<(), Error> {
        let Some(event) = self.translation.translate(raw, &mut self.tables) else { return Ok(()) };
        let at = EventIndex(self.written);
        let row = Row { at, event: event.event, value: event.value, reach: event.reach.as_deref() };
        self.sink.push(&row, &self.tables)?;
        self.written += 1;
        if self.written % BETWEEN_RELIEFS == 0 {
            self.sink.forget(&mut self.tables);
        }
        Ok(())
    }
}
