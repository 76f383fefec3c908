//! Brings the blocks of all rings back into one sequence.
//!
//! Numbers of blocks are dense, so the next block is known by its number; its first event is the oldest of its ring, or will
//! be in a moment. Events that come early wait in their rings. A ring is read as long as it has the next block, and
//! its slots are given back after that: the thread that fills it and the writer seldom touch the same memory. A block is
//! over when its ring has one after it. If the ring has nothing more, the block is closed, so nobody waits for a
//! thread that sleeps.
//! Invariant: blocks before `next` are over, and what comes of them later is counted as late, never put elsewhere.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::time::{Duration, Instant};

use super::FIRST_BLOCK;
use super::ring::{Filled, Raw, Ring};

/// How often to look whether a thread has logged its access before the writer sleeps.
const SPINS: u32 = 200;

/// Where the events go, in order.
pub(super) trait Sequence {
    type Error;

    /// The rings were looked at: what the events in them rely on is pending by now.
    fn learn(&mut self);

    fn event(&mut self, raw: &Raw) -> Result<(), Self::Error>;
}

/// How far a block is from its end.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Its thread may log more in it.
    Open,
    /// It was closed, but its thread may be about to log: until this count changes, since this moment.
    Closing(u64, Instant),
    /// What is in the ring is all of it.
    Closed,
}

pub(super) struct Merge {
    rings: Vec<Ring>,
    /// The number of the next block.
    next: u64,
    /// The ring that it was found in, and how far it is from its end.
    open: Option<(usize, Stage)>,
    /// How long to wait for a thread that is about to log an access.
    longest_access: Duration,
    /// Events that came when their block was over.
    late: u64,
}

impl Merge {
    pub(super) fn new(longest_access: Duration) -> Merge {
        Merge { rings: Vec::new(), next: FIRST_BLOCK, open: None, longest_access, late: 0 }
    }

    /// The number of the next block: all before it are written.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Events that came when their block was over: they have no place any more.
    pub(super) fn late(&self) -> u64 {
        self.late
    }

    /// Has a block just been closed? Then there is more to take.
    pub(super) fn has_closed(&self) -> bool {
        matches!(self.open, Some((_, Stage::Closed)))
    }

    /// These are all rings, those that are known already first.
    pub(super) fn meet(&mut self, rings: &[Ring]) {
        if let Some(new) = rings.get(self.rings.len()..) {
            self.rings.extend_from_slice(new);
        }
    }

    /// Takes what is in the rings and has its turn.
    pub(super) fn take_all<S: Sequence>(&mut self, sequence: &mut S) -> Result<(), S::Error> {
        let mut filled: Vec<Filled> = self.rings.iter().map(|ring| ring.filled()).collect();
        // After the rings: whoever logged an event has defined its ids before.
        sequence.learn();
        let oldest = |(place, ring): (usize, &Filled)| ring.block().map(|block| Reverse((block, place)));
        let mut turns: BinaryHeap<Reverse<(u64, usize)>> = filled.iter().enumerate().filter_map(oldest).collect();
        loop {
            while let Some(mut turn) = turns.peek_mut() {
                let Reverse((block, place)) = *turn;
                let (true, Some(events)) = (block <= self.next, filled.get_mut(place)) else { break };
                if block == self.next && self.open.is_none() {
                    self.open = Some((place, Stage::Open));
                }
                let next = self.take_run(place, events, sequence)?;
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
            Stage::Closing(count, since) if ring.activity() == Some(count) && since.elapsed() < self.longest_access => {
                stage
            }
            Stage::Closing(..) => Stage::Closed,
        }
    }

    /// Takes the events of a ring as long as they have their turn; the block of the first that has not.
    fn take_run<S: Sequence>(
        &mut self,
        place: usize,
        events: &mut Filled,
        sequence: &mut S,
    ) -> Result<Option<u64>, S::Error> {
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
                        sequence.event(&raw)?;
                    } else {
                        // Its thread was at it for longer than anybody waits: its place in the sequence is gone.
                        self.late += 1;
                    }
                }
                other => return Ok(other),
            }
        }
    }
}

fn is_at(ring: Ring, count: u64) -> bool {
    std::hint::spin_loop();
    ring.activity() == Some(count)
}
