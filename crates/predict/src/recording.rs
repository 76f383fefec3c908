//! A trace in memory, or a stretch of one, with all that prediction asks about it.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::{Event, EventIndex, LockId, MessageId, Mode, ObjectId, Op, ThreadId, Value};
use trace::{Batch, Error, Header, MessageKind, Recorded, Source, Tables};

use crate::hidden::{Calls, Foresight, Hidden, Pass, Reread, Seen, Span};

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
    pub reach: BTreeMap<usize, Arc<[ObjectId]>>,
    /// What the ids stand for.
    pub tables: Tables,
    /// What is known of hidden methods.
    hidden: Hidden,
}

/// A part of a trace in memory: windows are cut from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch<'a> {
    /// The position of the first event.
    pub(crate) first: EventIndex,
    pub(crate) header: Header,
    pub(crate) events: &'a [Event],
    /// What each event saw or stored; shorter than `events` where the rest has no values.
    pub(crate) values: &'a [Option<Value>],
    pub(crate) tables: &'a Tables,
    pub(crate) hidden: &'a Hidden,
    /// The last events before it, as many as are shown of a run.
    pub(crate) recent: &'a [Event],
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
        reach: BTreeMap<usize, Arc<[ObjectId]>>,
        tables: Tables,
    ) -> Self {
        let recording =
            Recording { first: EventIndex(0), header, events, values, reach, tables, hidden: Hidden::default() };
        recording.with_hidden()
    }

    fn with_hidden(mut self) -> Self {
        if !self.reach.is_empty() {
            let foresight = self.foresight();
            self.hidden = Calls::default().stretch(self.first.0, &self.events, &self.reach, Some(&foresight));
        }
        self
    }

    /// What a pass over all of it tells of hidden methods.
    pub(crate) fn foresight(&self) -> Foresight {
        // What is in memory can be read, and nobody stops it.
        Foresight::of(self).ok().flatten().unwrap_or_default()
    }

    /// All of it.
    pub(crate) fn whole(&self) -> Stretch<'_> {
        Stretch {
            first: self.first,
            header: self.header,
            events: &self.events,
            values: &self.values,
            tables: &self.tables,
            hidden: &self.hidden,
            recent: &[],
        }
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
                recording.reach.insert(start + place as usize, objects.into());
            }
            progress(source);
        }
        recording.tables = source.tables().clone();
        Ok(recording.with_hidden())
    }
}

impl Reread for Recording {
    fn pass(&self, visit: &mut dyn FnMut(Seen<'_>)) -> Result<Pass, Error> {
        for ((place, event), at) in self.events.iter().enumerate().zip(self.first.0..) {
            let reach = self.reach.get(&place).map(|objects| &**objects);
            visit(Seen { at, event, reach, tables: &self.tables });
        }
        Ok(Pass::Complete)
    }
}

impl<'a> Stretch<'a> {
    /// Are branches recorded? Without them every read decides what its thread does next.
    pub(crate) fn branches(&self) -> Recorded {
        self.header.branches
    }

    /// The event at a position, if it is in the stretch or one of the last before it.
    pub(crate) fn event(&self, at: u64) -> Option<Event> {
        let place = |distance: u64| usize::try_from(distance).ok();
        match at.checked_sub(self.first.0) {
            Some(after) => self.events.get(place(after)?).copied(),
            None => {
                let before = place(self.first.0 - at)?;
                self.recent.get(self.recent.len().checked_sub(before)?).copied()
            }
        }
    }

    pub(crate) fn value(&self, at: usize) -> Option<Value> {
        self.values.get(at).copied().flatten()
    }

    /// When hidden methods run, by their begins.
    pub(crate) fn spans(&self) -> &'a [Span] {
        &self.hidden.spans
    }

    /// The locks that the hidden method that runs from a place on takes and does not give back.
    pub(crate) fn taken(&self, at: usize) -> &'a [(LockId, Mode)] {
        self.hidden.taken.get(&at).map_or(&[], Vec::as_slice)
    }

    /// Is an event the first or the last of its thread?
    pub(crate) fn is_first_or_last(&self, at: usize) -> bool {
        self.hidden.edges.contains(&at)
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
        thread_object(self.tables, thread)
    }

    /// The object that an operation is about.
    pub(crate) fn object(&self, op: Op) -> Option<ObjectId> {
        object(self.tables, op)
    }
}

fn thread_object(tables: &Tables, thread: ThreadId) -> Option<ObjectId> {
    tables.threads.get(thread.index()).map(|info| info.object).filter(|object| object.0 != 0)
}

/// The object that an operation is about: whose field or element it accesses, which it locks, which it hands
/// something over with, which thread it starts or waits for.
pub(crate) fn object(tables: &Tables, op: Op) -> Option<ObjectId> {
    let object = match op {
        Op::Read(var) | Op::Write(var) => tables.vars.get(var.index()).map(|info| info.object),
        Op::Acquire(lock, _) | Op::Release(lock, _) => tables.locks.get(lock.index()).map(|info| info.object),
        Op::Send(message) | Op::Receive(message) => tables.messages.get(message.index()).map(|info| info.object),
        Op::Fork(thread) | Op::Join(thread) => thread_object(tables, thread),
        Op::Branch | Op::MethodBegin(_) | Op::MethodEnd(_) => None,
    };
    object.filter(|object| object.0 != 0)
}
