//! The writer: brings the events of all rings back into one sequence and writes them.
//!
//! Numbers of the sequence are dense, so the next event is known by its number; it is the oldest of its ring, or will
//! be in a moment. Events that come early wait in a window of fixed size; beyond it they wait in their rings, whose
//! threads wait then. What was logged is written within a fraction of a second, so a killed JVM loses no more.

use std::fs::File;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use report::TraceState;
use trace::adt::Writer as Sink;
use trace::{Batch, Error, Header, Recorded, Tables};

use super::Recorder;
use super::ring::{Raw, Ring};
use super::translate::Translation;
use crate::agent::{Agent, lock};
use crate::options::{BarrierData, Branches};

/// Events that may wait for earlier ones.
const WINDOW: usize = 1 << 16;

/// Events that are handed over at once.
const BATCH: usize = 1 << 12;

/// How long the writer sleeps when there is nothing to do: longer and longer.
const SHORTEST_NAP: Duration = Duration::from_millis(1);
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// What was logged is in the file after this time.
const BETWEEN_FLUSHES: Duration = Duration::from_millis(200);

/// How long to wait at the end for a thread that has taken a number but not logged its event.
const PATIENCE: Duration = Duration::from_secs(2);

/// Writes until the recording stops; tells of an error once.
pub(super) fn run(recorder: &'static Recorder, agent: &'static Agent, file: File) {
    let written = Writer::new(recorder, agent, file).and_then(Writer::run);
    match written {
        Ok(()) => *lock(&recorder.outcome.state) = TraceState::Closed,
        Err(error) => recorder.fail(&error.to_string()),
    }
}

struct Writer {
    recorder: &'static Recorder,
    sink: Sink<File>,
    tables: Tables,
    translation: Translation,
    rings: Vec<Ring>,
    /// The number of the next event, and by number those that came early.
    next: u64,
    window: Vec<Option<Raw>>,
    batch: Batch,
    flushed: Instant,
}

impl Writer {
    fn new(recorder: &'static Recorder, agent: &'static Agent, file: File) -> Result<Self, Error> {
        let recorded = |is: bool| if is { Recorded::Yes } else { Recorded::No };
        let header = Header {
            values: Recorded::Yes,
            branches: recorded(recorder.branches == Branches::Recorded),
            followed: recorded(agent.hidden.is_some() && recorder.barrier_data() == BarrierData::Once),
        };
        Ok(Writer {
            recorder,
            sink: Sink::new(file, &recorder.path, header)?,
            tables: Tables::default(),
            translation: Translation::new(agent, recorder),
            rings: Vec::new(),
            next: 0,
            window: vec![None; WINDOW],
            batch: Batch::default(),
            flushed: Instant::now(),
        })
    }

    fn run(mut self) -> Result<(), Error> {
        let mut nap = SHORTEST_NAP;
        let mut unflushed = false;
        while !self.recorder.has_stopped() {
            let before = self.next;
            self.take_all()?;
            unflushed |= self.next > before;
            if unflushed && self.flushed.elapsed() >= BETWEEN_FLUSHES {
                self.hand_over()?;
                self.sink.flush(&self.tables)?;
                self.flushed = Instant::now();
                unflushed = false;
            }
            if self.next > before {
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
        while self.next < end && since.elapsed() < PATIENCE {
            self.take_all()?;
            std::thread::yield_now();
        }
        let lost = end.saturating_sub(self.next) + self.translation.lost;
        self.recorder.outcome.lost.store(lost, Ordering::Relaxed);
        self.hand_over()?;
        self.sink.close(&self.tables, Some(self.recorder.started.elapsed())).map(drop)
    }

    /// Takes from the rings what fits into the window, and writes what has its turn.
    fn take_all(&mut self) -> Result<(), Error> {
        {
            let rings = self.recorder.rings.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(new) = rings.all.get(self.rings.len()..) {
                self.rings.extend_from_slice(new);
            }
        }
        let limit = self.next + WINDOW as u64;
        for ring in &self.rings {
            while let Some(raw) = ring.take_below(limit) {
                if let Some(place) = self.window.get_mut(raw.sequence as usize % WINDOW) {
                    *place = Some(raw);
                }
            }
        }
        // After the rings: whoever logged an event has told before what its ids stand for.
        let news = {
            let mut news = lock(&self.recorder.news);
            news.take()
        };
        self.translation.learn(news, &mut self.tables);
        while let Some(raw) = self.window.get_mut(self.next as usize % WINDOW).and_then(Option::take) {
            self.next += 1;
            self.translation.translate(&raw, &mut self.tables, &mut self.batch);
            if self.batch.events.len() >= BATCH {
                self.hand_over()?;
            }
        }
        Ok(())
    }

    fn hand_over(&mut self) -> Result<(), Error> {
        self.sink.append(&self.batch, &self.tables)?;
        self.sink.forget(&mut self.tables);
        self.batch.first.0 += self.batch.events.len() as u64;
        self.recorder.outcome.events.store(self.batch.first.0, Ordering::Relaxed);
        self.batch.clear();
        Ok(())
    }
}
