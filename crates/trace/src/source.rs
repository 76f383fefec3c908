//! Reading a trace, whatever its format.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use model::{Event, EventIndex, ObjectId, Op, Value};

use crate::window::Window;
use crate::{Ending, Error, Tables, adt, text};

/// A run of events that follow each other in a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// The position of the first event.
    pub first: EventIndex,
    /// The events.
    pub events: Vec<Event>,
    /// What reads, writes, sends and receives (of a volatile) saw or stored, by place in `events`, ascending; empty
    /// if the trace has no values.
    pub values: Vec<(u32, Value)>,
    /// The objects that a hidden method can reach, ascending, by place of its `MethodBegin` in `events`, ascending.
    pub reach: Vec<(u32, Box<[ObjectId]>)>,
}

impl Batch {
    /// Makes the batch empty, without giving up its allocations.
    pub fn clear(&mut self) {
        self.events.clear();
        self.values.clear();
        self.reach.clear();
    }

    /// Does the batch keep its own rules and those of the header? Every sink asks before it writes.
    pub(crate) fn check(&self, header: Header, name: &Path) -> Result<(), Error> {
        let unfit = |event, problem| Err(Error::Unfit { path: name.to_path_buf(), event, problem });
        let at = |place: u32| EventIndex(self.first.0.saturating_add(place.into()));
        if let Some(place) = misplaced(self.values.iter().map(|&(place, _)| place), self.events.len()) {
            return unfit(at(place), MISPLACED_VALUE);
        }
        if let Some(place) = misplaced(self.reach.iter().map(|&(place, _)| place), self.events.len()) {
            return unfit(at(place), MISPLACED_REACH);
        }
        let wrong = self.rows().find_map(|row| Some((row.at, row.problem(header)?)));
        wrong.map_or(Ok(()), |(event, problem)| unfit(event, problem))
    }

    /// The events with what is recorded beside each. Entries whose place is out of order or out of range are not
    /// found.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let mut values = self.values.iter().peekable();
        let mut reach = self.reach.iter().peekable();
        (0u32..).zip(&self.events).map(move |(place, event)| Row {
            at: EventIndex(self.first.0.saturating_add(u64::from(place))),
            event: *event,
            value: values.next_if(|(at, _)| *at == place).map(|(_, value)| *value),
            reach: reach.next_if(|(at, _)| *at == place).map(|(_, objects)| &**objects),
        })
    }
}

/// The first of these places of events that is not beyond the one before, or that no event has.
fn misplaced(mut places: impl Iterator<Item = u32>, events: usize) -> Option<u32> {
    let mut next = 0;
    places.find(|&place| {
        let is_misplaced = place < next || place as usize >= events;
        next = place.saturating_add(1);
        is_misplaced
    })
}

const MISPLACED_VALUE: &str = "a value out of place";
const MISPLACED_REACH: &str = "reachable objects out of place";

/// One event of a [`Batch`] with what is recorded beside it.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its position in the trace.
    pub at: EventIndex,
    /// The event.
    pub event: Event,
    /// What it saw or stored.
    pub value: Option<Value>,
    /// What the hidden method that it begins can reach.
    pub reach: Option<&'a [ObjectId]>,
}

impl Row<'_> {
    /// What a header, or the operation, forbids of it.
    #[inline]
    pub(crate) fn problem(&self, header: Header) -> Option<&'static str> {
        let Row { event: Event { op, .. }, value, reach, .. } = self;
        if *op == Op::Branch && header.branches == Recorded::No {
            return Some("a branch, although the header says that none are recorded");
        }
        if value.is_some() && header.values == Recorded::No {
            return Some("a value, although the header says that none are recorded");
        }
        if value.is_some() && !carries_value(*op) {
            return Some(MISPLACED_VALUE);
        }
        match reach {
            Some(_) if !matches!(op, Op::MethodBegin(_)) => Some(MISPLACED_REACH),
            Some(objects) if !objects.is_sorted_by(|one, other| one < other) => Some("reachable objects out of order"),
            _ => None,
        }
    }
}

/// Can an operation carry a value?
#[inline]
pub(crate) fn carries_value(op: Op) -> bool {
    matches!(op, Op::Read(_) | Op::Write(_) | Op::Send(_) | Op::Receive(_))
}

/// Is something part of a trace?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recorded {
    /// None of it is: its absence says nothing about the run.
    #[default]
    No,
    /// All of it is: what is not in the trace did not happen.
    Yes,
}

/// What a trace says about itself before its first event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Do events carry the values that they read or wrote? Single ones may still lack theirs.
    pub values: Recorded,
    /// Are branches recorded? A predictor may rely on the absence of a branch only if all are.
    pub branches: Recorded,
    /// Were the objects that hidden methods can reach found once, and followed through the writes of the trace? Then what a
    /// hidden method stored into one of them later is not among them.
    pub followed: Recorded,
}

/// How a trace is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Binary, of this version.
    Adt(u16),
    /// Readable text, of this version.
    Text(u16),
    /// Text without our first line: RAPID's STD.
    Std,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::Adt(version) => write!(f, "binary, version {version}"),
            Format::Text(version) => write!(f, "text, version {version}"),
            Format::Std => f.write_str("STD text"),
        }
    }
}

/// What to do with a part of a file that cannot be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Stop with an error that names the place.
    Refuse,
    /// Note the place in the [`Ending`] and go on with the next whole part.
    Skip,
}

/// How far a reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read so far.
    pub read: u64,
    /// Bytes in all; 0 if unknown, as for a pipe.
    pub total: u64,
}

/// A trace that is being read.
pub trait Source {
    /// Puts the next events into `batch`, in place of what is there; `false` at the end. A batch that was filled has
    /// at least one event. Events follow each other without a gap unless damage was skipped. After an error, or after
    /// the end, there is nothing more.
    fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, Error>;

    /// What the ids handed out so far stand for.
    fn tables(&self) -> &Tables;

    /// What the trace says about itself.
    fn header(&self) -> Header;

    /// How it is written down.
    fn format(&self) -> Format;

    /// How far the reader is.
    fn progress(&self) -> Progress;

    /// How the trace ended, once it has, and what was skipped so far.
    fn ending(&self) -> &Ending;
}

/// Opens a trace file. The format is known by content: the first bytes of a binary trace are like no text's.
pub fn open(path: &Path, damage: Damage) -> Result<Box<dyn Source>, Error> {
    let file = File::open(path).map_err(|source| Error::io(path, source))?;
    let total = file.metadata().map_or(0, |metadata| metadata.len());
    read(file, path, total, damage)
}

/// Opens a trace file that somebody has begun to read, from its start. What a pipe had is gone, so that is an error.
pub fn open_again(path: &Path, damage: Damage) -> Result<Box<dyn Source>, Error> {
    let found = fs::metadata(path).map_err(|source| Error::io(path, source))?;
    if !found.is_file() {
        let problem = "the trace must be read more than once, which takes a file";
        return Err(Error::io(path, io::Error::new(io::ErrorKind::Unsupported, problem)));
    }
    open(path, damage)
}

/// Reads a trace of `total` bytes (0: unknown) from any input; `name` is its name in errors.
pub fn read<'a>(input: impl Read + 'a, name: &Path, total: u64, damage: Damage) -> Result<Box<dyn Source + 'a>, Error> {
    let mut window = Window::new(input, name, total);
    let start = window.ask(adt::MAGIC.len())?;
    let start = start.get(..adt::MAGIC.len()).unwrap_or(start);
    // A recording that was cut within its first bytes is still a binary one.
    if !start.is_empty() && adt::MAGIC.starts_with(start) {
        Ok(Box::new(adt::Reader::new(window, damage)?))
    } else {
        Ok(Box::new(text::Reader::new(window, damage)?))
    }
}
