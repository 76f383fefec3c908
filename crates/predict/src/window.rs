//! A trace in pieces: each is predicted by itself, after all that comes before it has run as it did.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use model::{LockId, Mode, ObjectId, Op, ThreadId, Value};

use crate::Model;
use crate::recording::{Cell, Stretch, Touch};

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

/// What is stored in the cells of a trace, where that is known. As large as the tables of a trace, not as the trace.
#[derive(Clone, Debug, Default)]
struct Memory {
    plain: Vec<Option<Value>>,
    volatile: Vec<Option<Value>>,
}

impl Memory {
    fn get(&self, cell: Cell) -> Option<Value> {
        let (table, id) = match cell {
            Cell::Plain(id) => (&self.plain, id),
            Cell::Volatile(id) => (&self.volatile, id),
        };
        table.get(id as usize).copied().flatten()
    }

    fn set(&mut self, cell: Cell, value: Option<Value>) {
        let (table, id) = match cell {
            Cell::Plain(id) => (&mut self.plain, id as usize),
            Cell::Volatile(id) => (&mut self.volatile, id as usize),
        };
        if id >= table.len() {
            table.resize(id + 1, None);
        }
        table[id] = value;
    }
}

/// How things are at some point of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) held: BTreeMap<(LockId, ThreadId), Hold>,
    memory: Memory,
    /// What hidden methods could reach so far: what is stored there now is not known.
    reached: HashSet<ObjectId>,
}

/// What the events of a stretch have changed.
#[derive(Debug)]
pub(crate) struct Changes {
    held: BTreeMap<(LockId, ThreadId), Hold>,
    memory: HashMap<Cell, Option<Value>>,
    reached: HashSet<ObjectId>,
}

impl State {
    pub(crate) fn apply(&mut self, changes: Changes) {
        self.held = changes.held;
        changes.memory.into_iter().for_each(|(cell, value)| self.memory.set(cell, value));
        self.reached.extend(changes.reached);
    }
}

/// A piece of a trace, and how things are when it starts.
#[derive(Clone, Debug)]
pub(crate) struct Window<'a> {
    pub(crate) recording: Stretch<'a>,
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

fn locks_taken(recording: Stretch<'_>, model: Model, at: usize) -> impl Iterator<Item = (LockId, Mode)> + '_ {
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

/// Cuts a stretch into windows, front to back.
pub(crate) struct Windows<'a, 's> {
    recording: Stretch<'a>,
    model: Model,
    length: usize,
    next: usize,
    held: BTreeMap<(LockId, ThreadId), Hold>,
    /// How things were at the start of the stretch, and what has changed since.
    before: &'s State,
    changed: HashMap<Cell, Option<Value>>,
    reached: HashSet<ObjectId>,
    /// How many of the spans have begun.
    begun: usize,
}

impl<'a, 's> Windows<'a, 's> {
    /// Windows of `length` events of a stretch that starts in a state.
    pub(crate) fn new(recording: Stretch<'a>, model: Model, length: usize, state: &'s State) -> Self {
        Windows {
            recording,
            model,
            length: length.max(1),
            next: 0,
            held: state.held.clone(),
            before: state,
            changed: HashMap::new(),
            reached: HashSet::new(),
            begun: 0,
        }
    }

    /// Where the next window starts.
    pub(crate) fn place(&self) -> usize {
        self.next
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.next >= self.recording.events.len()
    }

    /// Goes on to a position without a window.
    pub(crate) fn pass_to(&mut self, position: usize) {
        while self.next < position.min(self.recording.events.len()) {
            self.pass(self.next);
            self.next += 1;
        }
    }

    /// Goes on to the end: what the stretch has changed.
    pub(crate) fn finish(mut self) -> Changes {
        self.pass_to(self.recording.events.len());
        Changes { held: self.held, memory: self.changed, reached: self.reached }
    }

    /// The window of a range that starts here.
    pub(crate) fn window(&self, range: Range<usize>) -> Window<'a> {
        let touched = self.recording.events[range.clone()].iter().filter_map(|event| {
            let (Touch::Read(cell) | Touch::Write(cell)) = self.recording.touch(event.op)?;
            let stored = self.changed.get(&cell).copied();
            let value = stored.unwrap_or_else(|| self.before.memory.get(cell))?;
            (!self.is_reached(event.op)).then_some((cell, value))
        });
        let initial = touched.collect();
        Window { recording: self.recording, model: self.model, range, held: self.held.clone(), initial }
    }

    /// Could a hidden method have changed what an operation is about?
    fn is_reached(&self, op: Op) -> bool {
        if self.reached.is_empty() && self.before.reached.is_empty() {
            return false;
        }
        let object = self.recording.object(op);
        object.is_some_and(|object| self.reached.contains(&object) || self.before.reached.contains(&object))
    }

    /// A thread takes a lock: who held it and would exclude that has given it back unseen, in a hidden method.
    fn forget_holders(&mut self, lock: LockId, thread: ThreadId, mode: Mode) {
        let everybody = (lock, ThreadId(0))..=(lock, ThreadId(u32::MAX));
        let excluded = self.held.range(everybody).filter(|&(&(_, other), hold)| {
            let theirs = if hold.for_writing > 0 { Mode::Write } else { Mode::Read };
            other != thread && theirs.excludes(mode)
        });
        let excluded: Vec<(LockId, ThreadId)> = excluded.map(|(&key, _)| key).collect();
        for key in excluded {
            self.held.remove(&key);
        }
    }

    fn pass(&mut self, at: usize) {
        let event = self.recording.events[at];
        if self.model == Model::Rdit {
            while let Some(span) = self.recording.spans().get(self.begun).filter(|span| span.begin <= Some(at)) {
                self.reached.extend(span.reach.iter().filter(|object| !self.before.reached.contains(object)));
                self.begun += 1;
            }
        }
        for (lock, mode) in locks_taken(self.recording, self.model, at) {
            self.forget_holders(lock, event.thread, mode);
            *self.held.entry((lock, event.thread)).or_default().depth(mode) += 1;
        }
        match event.op {
            Op::Release(lock, mode) => {
                release(&mut self.held, lock, event.thread, mode);
            }
            op => match (self.recording.touch(op), self.recording.value(at)) {
                (Some(Touch::Write(cell) | Touch::Read(cell)), Some(value)) => {
                    self.changed.insert(cell, Some(value));
                }
                (Some(Touch::Write(cell)), None) => {
                    self.changed.insert(cell, None);
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

impl<'a> Iterator for Windows<'a, '_> {
    type Item = Window<'a>;

    fn next(&mut self) -> Option<Window<'a>> {
        let range = self.next..self.recording.events.len().min(self.next.saturating_add(self.length));
        if range.is_empty() {
            return None;
        }
        let window = self.window(range.clone());
        self.pass_to(range.end);
        Some(window)
    }
}
