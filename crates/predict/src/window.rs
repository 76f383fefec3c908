//! A trace in pieces: each is predicted by itself, after all that comes before it has run as it did.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use model::{LockId, Mode, Op, ThreadId, Value};

use crate::Model;
use crate::recording::{Cell, Recording, Touch};

/// How often a thread holds a lock in each mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Hold {
    pub(crate) for_reading: u32,
    pub(crate) for_writing: u32,
}

impl Hold {
    pub(crate) fn depth(&mut self, mode: Mode) -> &mut u32 {
        match mode {
            Mode::Read => &mut self.for_reading,
            Mode::Write => &mut self.for_writing,
        }
    }

    pub(crate) fn is_free(self) -> bool {
        self.for_reading + self.for_writing == 0
    }
}

/// A piece of a recording, and how things are when it starts.
#[derive(Clone, Debug)]
pub(crate) struct Window<'a> {
    pub(crate) recording: &'a Recording,
    pub(crate) model: Model,
    pub(crate) range: Range<usize>,
    pub(crate) held: BTreeMap<(LockId, ThreadId), Hold>,
    /// What is stored in each cell of the window, where that is known.
    pub(crate) initial: HashMap<Cell, Value>,
}

impl<'a> Window<'a> {
    pub(crate) fn len(&self) -> usize {
        self.range.len()
    }

    /// The operation of the event at a place of the window.
    #[inline]
    pub(crate) fn op(&self, place: usize) -> Op {
        self.recording.events[self.range.start + place].op
    }

    #[inline]
    pub(crate) fn thread(&self, place: usize) -> ThreadId {
        self.recording.events[self.range.start + place].thread
    }

    #[inline]
    pub(crate) fn value(&self, place: usize) -> Option<Value> {
        self.recording.value(self.range.start + place)
    }

    /// The locks that the event at a place takes: an acquire one, the begin of a hidden method perhaps some.
    pub(crate) fn locks_taken(&self, place: usize) -> impl Iterator<Item = (LockId, Mode)> + 'a {
        locks_taken(self.recording, self.model, self.range.start + place)
    }

    #[inline]
    pub(crate) fn touch(&self, place: usize) -> Option<Touch> {
        self.recording.touch(self.op(place))
    }
}

fn locks_taken(recording: &Recording, model: Model, at: usize) -> impl Iterator<Item = (LockId, Mode)> + '_ {
    let own = match recording.events[at].op {
        Op::Acquire(lock, mode) => Some((lock, mode)),
        _ => None,
    };
    let hidden = match model {
        Model::Mc => &[],
        Model::Rdit => recording.taken(at),
    };
    own.into_iter().chain(hidden.iter().copied())
}

/// Cuts a recording into windows, front to back.
pub(crate) struct Windows<'a> {
    recording: &'a Recording,
    model: Model,
    length: usize,
    next: usize,
    held: BTreeMap<(LockId, ThreadId), Hold>,
    values: HashMap<Cell, Value>,
}

impl<'a> Windows<'a> {
    /// Windows of `length` events.
    pub(crate) fn new(recording: &'a Recording, model: Model, length: usize) -> Self {
        let length = length.max(1);
        Windows { recording, model, length, next: 0, held: BTreeMap::new(), values: HashMap::new() }
    }

    /// How many windows there are in all.
    pub(crate) fn total(&self) -> usize {
        self.recording.events.len().div_ceil(self.length)
    }

    /// Goes on to a position without a window.
    pub(crate) fn pass_to(&mut self, position: usize) {
        while self.next < position.min(self.recording.events.len()) {
            self.pass(self.next);
            self.next += 1;
        }
    }

    /// The window of a range that starts here.
    pub(crate) fn window(&self, range: Range<usize>) -> Window<'a> {
        let touched = self.recording.events[range.clone()].iter().filter_map(|event| {
            let (Touch::Read(cell) | Touch::Write(cell)) = self.recording.touch(event.op)?;
            Some((cell, *self.values.get(&cell)?))
        });
        let initial = touched.collect();
        Window { recording: self.recording, model: self.model, range, held: self.held.clone(), initial }
    }

    fn pass(&mut self, at: usize) {
        let event = self.recording.events[at];
        for (lock, mode) in locks_taken(self.recording, self.model, at) {
            *self.held.entry((lock, event.thread)).or_default().depth(mode) += 1;
        }
        match event.op {
            Op::Release(lock, mode) => {
                release(&mut self.held, lock, event.thread, mode);
            }
            op => match (self.recording.touch(op), self.recording.value(at)) {
                (Some(Touch::Write(cell) | Touch::Read(cell)), Some(value)) => {
                    self.values.insert(cell, value);
                }
                (Some(Touch::Write(cell)), None) => {
                    self.values.remove(&cell);
                }
                _ => {}
            },
        }
    }
}

/// Gives a lock back once; a release in a mode in which it is not held counts as one in the other.
pub(crate) fn release(
    held: &mut BTreeMap<(LockId, ThreadId), Hold>,
    lock: LockId,
    thread: ThreadId,
    mode: Mode,
) -> Option<Mode> {
    let hold = held.get_mut(&(lock, thread))?;
    let other = if mode == Mode::Read { Mode::Write } else { Mode::Read };
    let mode = if *hold.depth(mode) > 0 { mode } else { other };
    *hold.depth(mode) = hold.depth(mode).saturating_sub(1);
    if hold.is_free() {
        held.remove(&(lock, thread));
    }
    Some(mode)
}

impl<'a> Iterator for Windows<'a> {
    type Item = Window<'a>;

    fn next(&mut self) -> Option<Window<'a>> {
        let range = self.next..self.recording.events.len().min(self.next + self.length);
        if range.is_empty() {
            return None;
        }
        let window = self.window(range.clone());
        self.pass_to(range.end);
        Some(window)
    }
}
