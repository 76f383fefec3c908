//! A trace in memory, with all that prediction asks about it.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::{Event, EventIndex, LockId, MessageId, Mode, ObjectId, Op, ThreadId, Value};
use trace::{Batch, Error, Header, MessageKind, Recorded, Source, Tables};

use crate::spans::{self, Span};
use crate::window::{Hold, release};

/// A trace in memory.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The position of the first event.
    pub first: EventIndex,
    /// What is recorded: values, branches.
    pub header: Header,
    /// The events.
    pub events: Vec<Event>,
    /// What each event saw or stored; shorter than `events` where the rest has no values.
    pub values: Vec<Option<Value>>,
    /// The reachable objects of each begin of a hidden method, by place in `events`.
    pub reach: BTreeMap<usize, Box<[ObjectId]>>,
    /// What the ids stand for.
    pub tables: Tables,
    /// The first and the last event of each thread.
    edges: HashSet<usize>,
    /// When hidden methods run, by their begins.
    spans: Vec<Span>,
    /// The locks that a hidden method takes and does not give back, by the place from where it runs: who gives one back
    /// without having taken it got it there.
    taken: BTreeMap<usize, Vec<(LockId, Mode)>>,
}

/// A place that holds a value: accesses of it must be consistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Cell {
    /// A location that can race.
    Plain(u32),
    /// A volatile variable, which is a message to the detectors.
    Volatile(u32),
}

/// What an event does to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read(Cell),
    Write(Cell),
}

impl Recording {
    /// A trace of events, with their values and the reachable objects of hidden methods by place.
    #[must_use]
    pub fn new(
        header: Header,
        events: Vec<Event>,
        values: Vec<Option<Value>>,
        reach: BTreeMap<usize, Box<[ObjectId]>>,
        tables: Tables,
    ) -> Self {
        let mut recording =
            Recording { first: EventIndex(0), header, events, values, reach, tables, ..Recording::default() };
        recording.find_edges();
        recording.find_spans();
        recording
    }

    /// Only hidden methods ask for the ends of threads.
    fn find_edges(&mut self) {
        if self.reach.is_empty() {
            return;
        }
        let mut latest: HashMap<ThreadId, usize> = HashMap::new();
        for (at, event) in self.events.iter().enumerate() {
            if latest.insert(event.thread, at).is_none() {
                self.edges.insert(at);
            }
        }
        self.edges.extend(latest.into_values());
    }

    fn find_spans(&mut self) {
        self.spans = spans::find(&self.events, &self.reach);
        self.find_taken();
    }

    /// When hidden methods run, by their begins.
    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    fn find_taken(&mut self) {
        let mut held: BTreeMap<(LockId, ThreadId), Hold> = BTreeMap::new();
        let calls: HashMap<usize, usize> = self.spans.iter().map(|span| (span.begin, span.call)).collect();
        let mut begins: HashMap<ThreadId, Vec<(usize, usize)>> = HashMap::new();
        let mut taken: Vec<(usize, LockId, Mode)> = Vec::new();
        for (at, event) in self.events.iter().enumerate() {
            if let Some(&call) = calls.get(&at) {
                begins.entry(event.thread).or_default().push((at, call));
            }
            match event.op {
                Op::Acquire(lock, mode) => *held.entry((lock, event.thread)).or_default().depth(mode) += 1,
                Op::Release(lock, mode) if release(&mut held, lock, event.thread, mode).is_none() => {
                    let Some(object) = self.object(event.op) else { continue };
                    let mut begins = begins.get(&event.thread).into_iter().flatten().rev();
                    let begin = begins.find(|(_, call)| self.reach[call].binary_search(&object).is_ok());
                    taken.extend(begin.map(|&(begin, _)| (begin, lock, mode)));
                }
                _ => {}
            }
        }
        for (begin, lock, mode) in taken {
            self.taken.entry(begin).or_default().push((lock, mode));
        }
    }

    /// The locks that the hidden method that runs from a place on takes and does not give back.
    pub(crate) fn taken(&self, at: usize) -> &[(LockId, Mode)] {
        self.taken.get(&at).map_or(&[], Vec::as_slice)
    }

    /// Is an event the first or the last of its thread?
    pub(crate) fn is_first_or_last(&self, at: usize) -> bool {
        self.edges.contains(&at)
    }

    /// Reads a trace to its end. Calls `progress` after each batch.
    ///
    /// # Errors
    /// Those of the source.
    pub fn load(source: &mut dyn Source, mut progress: impl FnMut(&dyn Source)) -> Result<Self, Error> {
        let mut recording = Recording { header: source.header(), ..Recording::default() };
        let mut batch = Batch::default();
        while source.next_batch(&mut batch)? {
            if recording.events.is_empty() {
                recording.first = batch.first;
            }
            let start = recording.events.len();
            recording.events.extend_from_slice(&batch.events);
            if let Some(&(last, _)) = batch.values.last() {
                recording.values.resize(start + last as usize + 1, None);
            }
            for &(place, value) in &batch.values {
                recording.values[start + place as usize] = Some(value);
            }
            for (place, objects) in batch.reach.drain(..) {
                recording.reach.insert(start + place as usize, objects);
            }
            progress(source);
        }
        recording.tables = source.tables().clone();
        recording.find_edges();
        recording.find_spans();
        Ok(recording)
    }

    /// Are branches recorded? Without them every read decides what its thread does next.
    pub(crate) fn branches(&self) -> Recorded {
        self.header.branches
    }

    pub(crate) fn value(&self, at: usize) -> Option<Value> {
        self.values.get(at).copied().flatten()
    }

    /// The cell that an operation reads or writes.
    pub(crate) fn touch(&self, op: Op) -> Option<Touch> {
        match op {
            Op::Read(var) => Some(Touch::Read(Cell::Plain(var.0))),
            Op::Write(var) => Some(Touch::Write(Cell::Plain(var.0))),
            Op::Receive(message) if self.is_volatile(message) => Some(Touch::Read(Cell::Volatile(message.0))),
            Op::Send(message) if self.is_volatile(message) => Some(Touch::Write(Cell::Volatile(message.0))),
            _ => None,
        }
    }

    fn is_volatile(&self, message: MessageId) -> bool {
        self.tables.messages.get(message.index()).is_some_and(|info| info.kind == MessageKind::Volatile)
    }

    /// The object that a thread is.
    pub(crate) fn thread_object(&self, thread: ThreadId) -> Option<ObjectId> {
        self.tables.threads.get(thread.index()).map(|info| info.object).filter(|object| object.0 != 0)
    }

    /// The object that an operation is about: whose field or element it accesses, which it locks, which it hands
    /// something over with, which thread it starts or waits for.
    pub(crate) fn object(&self, op: Op) -> Option<ObjectId> {
        let tables = &self.tables;
        let object = match op {
            Op::Read(var) | Op::Write(var) => tables.vars.get(var.index()).map(|info| info.object),
            Op::Acquire(lock, _) | Op::Release(lock, _) => tables.locks.get(lock.index()).map(|info| info.object),
            Op::Send(message) | Op::Receive(message) => tables.messages.get(message.index()).map(|info| info.object),
            Op::Fork(thread) | Op::Join(thread) => self.thread_object(thread),
            Op::Branch | Op::MethodBegin(_) | Op::MethodEnd(_) => None,
        };
        object.filter(|object| object.0 != 0)
    }
}
