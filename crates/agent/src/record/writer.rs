//! The writer: brings the events of all rings back into one sequence and writes them.
//!
//! Numbers of the sequence are dense, so the next event is known by its number; it is the oldest of its ring, or will
//! be in a moment. Events that come early wait in their rings. A ring is read as long as it has the next number, and
//! its slots are given back after that: the thread that fills it and the writer seldom touch the same memory. What was
//! logged is written within a fraction of a second, so a killed JVM loses no more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use model::EventIndex;
use report::TraceState;
use trace::adt::Writer as Sink;
use trace::{Error, Header, Recorded, Row, Tables};

use super::Recorder;
use super::ring::{Filled, Raw, Ring};
use super::translate::Translation;
use crate::agent::{Agent, lock};
use crate::options::{BarrierData, Branches};

/// After how many events the tables are relieved of what was written.
const BETWEEN_RELIEFS: u64 = 1 << 12;

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
    /// The number of the next event.
    next: u64,
    /// How many events were written.
    written: u64,
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
            written: 0,
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
        self.sink.close(&self.tables, Some(self.recorder.started.elapsed())).map(drop)
    }

    /// Writes what is in the rings and has its turn.
    fn take_all(&mut self) -> Result<(), Error> {
        {
            let rings = self.recorder.rings.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(new) = rings.all.get(self.rings.len()..) {
                self.rings.extend_from_slice(new);
            }
        }
        let mut filled: Vec<Filled> = self.rings.iter().map(|ring| ring.filled()).collect();
        // After the rings: whoever logged an event has told before what its ids stand for.
        let news = {
            let mut news = lock(&self.recorder.news);
            news.take()
        };
        self.translation.learn(news, &mut self.tables);
        let oldest = |(place, ring): (usize, &Filled)| ring.sequence().map(|number| Reverse((number, place)));
        let mut turns: BinaryHeap<Reverse<(u64, usize)>> = filled.iter().enumerate().filter_map(oldest).collect();
        while let Some(mut turn) = turns.peek_mut() {
            let Reverse((number, place)) = *turn;
            let (true, Some(events)) = (number == self.next, filled.get_mut(place)) else { break };
            let next = self.take_run(events)?;
            events.free();
            match next {
                Some(number) => *turn = Reverse((number, place)),
                None => drop(PeekMut::pop(turn)),
            }
        }
        self.recorder.outcome.events.store(self.written, Ordering::Relaxed);
        Ok(())
    }

    /// Writes the events of a ring as long as they have their turn; the number of the first that has not.
    fn take_run(&mut self, events: &mut Filled) -> Result<Option<u64>, Error> {
        loop {
            match events.sequence() {
                Some(number) if number == self.next => {
                    self.next += 1;
                    if let Some(raw) = events.take() {
                        self.write(&raw)?;
                    }
                }
                other => return Ok(other),
            }
        }
    }

    #[inline]
    fn write(&mut self, raw: &Raw) -> Result<(), Error> {
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
