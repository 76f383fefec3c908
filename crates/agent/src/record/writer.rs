//! The writer: brings the events of all rings back into one sequence and writes them.
//!
//! Numbers of blocks are dense, so the next block is known by its number; its first event is the oldest of its ring, or will
//! be in a moment. Events that come early wait in their rings. A ring is read as long as it has the next block, and
//! its slots are given back after that: the thread that fills it and the writer seldom touch the same memory. A block is
//! over when its ring has one after it. If the ring has nothing more, the writer closes the block, so nobody waits for a
//! thread that sleeps. What was logged is written within a fraction of a second, so a killed JVM loses no more.

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

use super::ring::{Filled, Raw, Ring};
use super::translate::Translation;
use super::{FIRST_BLOCK, Recorder};
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

/// How long to wait for a thread that is about to log an access: what the program does in between takes nanoseconds. A thread
/// that was thrown out of an access it will never log is not waited for longer; should it log after all it sees that its
/// block is closed.
const LONGEST_ACCESS: Duration = Duration::from_secs(1);

/// How often to look for that before the writer sleeps.
const SPINS: u32 = 200;

fn is_at(ring: Ring, count: u64) -> bool {
    std::hint::spin_loop();
    ring.activity() == Some(count)
}

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
    /// The number of the next block.
    next: u64,
    /// The ring that it was found in, and how far it is from its end.
    open: Option<(usize, Stage)>,
    /// How many events were written.
    written: u64,
    flushed: Instant,
}

/// How far a block is from its end.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Its thread may log more in it.
    Open,
    /// The writer has closed it, but its thread may be about to log: until this count changes, since this moment.
    Closing(u64, Instant),
    /// What is in the ring is all of it.
    Closed,
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
            next: FIRST_BLOCK,
            open: None,
            written: 0,
            flushed: Instant::now(),
        })
    }

    fn run(mut self) -> Result<(), Error> {
        let mut nap = SHORTEST_NAP;
        let mut unflushed = false;
        while !self.recorder.has_stopped() {
            let before = self.next + self.written;
            self.take_all()?;
            let has_moved = self.next + self.written > before || matches!(self.open, Some((_, Stage::Closed)));
            unflushed |= has_moved;
            if unflushed && self.flushed.elapsed() >= BETWEEN_FLUSHES {
                self.sink.flush(&self.tables)?;
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
        let oldest = |(place, ring): (usize, &Filled)| ring.block().map(|block| Reverse((block, place)));
        let mut turns: BinaryHeap<Reverse<(u64, usize)>> = filled.iter().enumerate().filter_map(oldest).collect();
        loop {
            while let Some(mut turn) = turns.peek_mut() {
                let Reverse((block, place)) = *turn;
                let (true, Some(events)) = (block <= self.next, filled.get_mut(place)) else { break };
                if block == self.next && self.open.is_none() {
                    self.open = Some((place, Stage::Open));
                }
                let next = self.take_run(place, events)?;
                events.free();
                match next {
                    Some(block) => *turn = Reverse((block, place)),
                    None => drop(PeekMut::pop(turn)),
                }
            }
            let Some((place, stage)) = self.open else { break };
            let has_more = filled.get(place).is_some_and(|events| events.block().is_some());
            if !has_more && !matches!(stage, Stage::Closed) {
                // What was logged in it until now is read in the next round, after the news that it relies on.
                let stage = self.close(place, stage);
                self.open = Some((place, stage));
                break;
            }
            self.open = None;
            self.next += 1;
        }
        self.recorder.outcome.events.store(self.written, Ordering::Relaxed);
        Ok(())
    }

    /// Closes the open block, which is in this ring.
    fn close(&self, place: usize, stage: Stage) -> Stage {
        let Some(ring) = self.rings.get(place) else { return Stage::Closed };
        match stage {
            Stage::Closed => Stage::Closed,
            Stage::Open => match ring.close(self.next) {
                // Most threads have logged their access in a moment.
                Some(count) if (0..SPINS).all(|_| is_at(*ring, count)) => Stage::Closing(count, Instant::now()),
                _ => Stage::Closed,
            },
            Stage::Closing(count, since) if ring.activity() == Some(count) && since.elapsed() < LONGEST_ACCESS => stage,
            Stage::Closing(..) => Stage::Closed,
        }
    }

    /// Writes the events of a ring as long as they have their turn; the block of the first that has not.
    fn take_run(&mut self, place: usize, events: &mut Filled) -> Result<Option<u64>, Error> {
        loop {
            match events.block() {
                // Its own next block: the one before is over.
                Some(block) if block == self.next + 1 && self.open.is_some_and(|(open, _)| open == place) => {
                    self.next = block;
                    self.open = Some((place, Stage::Open));
                }
                Some(block) if block <= self.next => {
                    let Some(raw) = events.take() else { continue };
                    if block == self.next {
                        self.write(&raw)?;
                    } else {
                        // Its thread was at it for longer than anybody waits: its place in the sequence is gone.
                        self.translation.lost += 1;
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
