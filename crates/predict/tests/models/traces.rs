//! Random recordings: well-formed traces with values, branches, volatile variables.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use model::{Event, MethodId, ObjectId, Op, SiteId, ThreadId, Value};
use predict::Recording;
use proptest::prelude::*;
use testkit::{Shape, Step};
use trace::{Header, LockInfo, MessageInfo, MessageKind, Recorded, Tables, ThreadInfo, VarInfo};

/// What a recording has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Events alone, as in STD.
    Events,
    /// Values, too.
    Values,
    /// Values and branches.
    Branches,
}

/// Random recordings of a shape. Message 0 is a volatile variable.
pub(crate) fn recordings(shape: Shape, content: Content) -> impl Strategy<Value = Recording> {
    recordings_of(shape, content, |events| events)
}

/// The same, of the events that are chosen.
pub(crate) fn recordings_of(
    shape: Shape,
    content: Content,
    choose: fn(Vec<Event>) -> Vec<Event>,
) -> impl Strategy<Value = Recording> {
    let noise = proptest::collection::vec(any::<u8>(), shape.steps * 2);
    let end = any::<prop::sample::Index>();
    (testkit::steps(shape.steps), end, noise).prop_map(move |(mut steps, end, noise)| {
        // All threads from the start, or most steps would be the first thread's.
        let fork = Step { thread: 0, op: 27, operand: 0 };
        steps.splice(0..0, std::iter::repeat_n(fork, shape.threads as usize - 1));
        let mut events = testkit::trace(shape, &steps);
        events.truncate(events.len() - end.index(events.len() / 4 + 1));
        recording(choose(events), &noise, content)
    })
}

fn is_write(op: Op) -> bool {
    matches!(op, Op::Write(_) | Op::Send(_))
}

/// Executes the events: writes store values of a small domain, reads see the last one.
pub(crate) fn recording(events: Vec<Event>, noise: &[u8], content: Content) -> Recording {
    let recorded = |yes| if yes { Recorded::Yes } else { Recorded::No };
    let header = Header {
        values: recorded(content != Content::Events),
        branches: recorded(content == Content::Branches),
        ..Header::default()
    };
    let mut memory: HashMap<Op, Value> = HashMap::new();
    let (mut all, mut values) = (Vec::new(), Vec::new());
    for (place, event) in events.into_iter().enumerate() {
        let noise = noise.get(place).copied().unwrap_or_default();
        let cell = match event.op {
            Op::Read(var) | Op::Write(var) => Some(Op::Write(var)),
            Op::Send(message) | Op::Receive(message) => Some(Op::Send(message)),
            _ => None,
        };
        let value = cell.map(|cell| {
            let stored = memory.entry(cell).or_insert(Value(0));
            if is_write(event.op) {
                *stored = Value(u64::from(noise % 2));
            }
            *stored
        });
        all.push(event);
        values.push(value.filter(|_| content != Content::Events));
        let branches = matches!(event.op, Op::Read(_) | Op::Receive(_)) && noise / 2 % 2 == 0;
        if content == Content::Branches && branches {
            all.push(Event { thread: event.thread, site: SiteId(0), op: Op::Branch });
            values.push(None);
        }
    }
    let volatile = MessageInfo { kind: MessageKind::Volatile, ..MessageInfo::named("v") };
    let tables = Tables { messages: vec![volatile, MessageInfo::named("m")], ..Tables::default() };
    Recording::new(header, all, values, BTreeMap::new(), tables)
}

/// A recording of which parts are hidden behind BarrierPairs, and where its events are in the complete one.
#[derive(Clone, Debug)]
pub(crate) struct Hidden {
    pub(crate) complete: Recording,
    pub(crate) visible: Recording,
    /// The place in `complete` of each event of `visible`; begins and ends of hidden methods have none.
    pub(crate) places: Vec<Option<usize>>,
}

/// Recordings with hidden methods: what some threads do for a while is not seen, but for some callbacks.
pub(crate) fn hidden(shape: Shape, content: Content) -> impl Strategy<Value = Hidden> {
    let calls = proptest::collection::vec((any::<u8>(), any::<u8>(), 1..6u8, any::<u8>()), 1..4);
    (recordings(shape, content), calls).prop_map(|(complete, calls)| hide(complete, &calls))
}

/// Objects of the tables: each location, lock, message and thread is one.
fn objects(tables: &mut Tables, shape: u32) {
    let object = |kind: u64, id: u32| ObjectId(kind * 100 + u64::from(id) + 1);
    tables.vars = (0..shape).map(|id| VarInfo { object: object(0, id), ..VarInfo::named("x") }).collect();
    tables.locks = (0..shape).map(|id| LockInfo { object: object(1, id), ..LockInfo::named("l") }).collect();
    for (id, message) in (0..).zip(&mut tables.messages) {
        message.object = object(2, id);
    }
    tables.threads = (0..shape).map(|id| ThreadInfo { object: object(3, id), ..ThreadInfo::named("t") }).collect();
}

fn object(tables: &Tables, op: Op) -> Option<ObjectId> {
    match op {
        Op::Read(var) | Op::Write(var) => Some(tables.vars[var.index()].object),
        Op::Acquire(lock, _) | Op::Release(lock, _) => Some(tables.locks[lock.index()].object),
        Op::Send(message) | Op::Receive(message) => Some(tables.messages[message.index()].object),
        Op::Fork(thread) | Op::Join(thread) => Some(tables.threads[thread.index()].object),
        _ => None,
    }
}

/// Each call names a thread, where in it the method begins, how long it is, and which of its events are seen.
pub(crate) fn hide(mut complete: Recording, calls: &[(u8, u8, u8, u8)]) -> Hidden {
    objects(&mut complete.tables, 8);
    let tables = complete.tables.clone();
    // Of each event: the call that it is in.
    let mut call_of: Vec<Option<usize>> = vec![None; complete.events.len()];
    for (call, &(thread, start, length, _)) in calls.iter().enumerate() {
        let mut threads: Vec<ThreadId> = complete.events.iter().map(|event| event.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let Some(&thread) = threads.get(thread as usize % threads.len().max(1)) else { continue };
        let own: Vec<usize> = (0..call_of.len()).filter(|&at| complete.events[at].thread == thread).collect();
        let start = start as usize % own.len();
        let own = &own[start..own.len().min(start + length as usize)];
        if own.iter().all(|&at| call_of[at].is_none()) {
            own.iter().for_each(|&at| call_of[at] = Some(call));
        }
    }
    let mut seen = Seen::default();
    let mut reach: BTreeMap<usize, Arc<[ObjectId]>> = BTreeMap::new();
    for at in 0..complete.events.len() {
        let Some(call) = call_of[at] else {
            seen.push(&complete, at);
            continue;
        };
        let own: Vec<usize> = (0..call_of.len()).filter(|&other| call_of[other] == Some(call)).collect();
        let is_seen = |at: usize| {
            let place = own.iter().position(|&other| other == at).unwrap_or_default();
            calls[call].3 >> place & 1 == 1 && calls[call].3 < 128
        };
        let (method, thread) = (MethodId(call as u32), complete.events[at].thread);
        if own.first() == Some(&at) {
            let hidden = own.iter().filter(|&&at| !is_seen(at));
            let mut objects: Vec<ObjectId> = hidden.filter_map(|&at| object(&tables, complete.events[at].op)).collect();
            objects.sort_unstable();
            objects.dedup();
            reach.insert(seen.events.len(), objects.into());
            seen.push_edge(thread, Op::MethodBegin(method));
        }
        if is_seen(at) {
            // What is seen in a row is all of a callback, or it is not known to be one.
            let place = own.iter().position(|&other| other == at).unwrap_or_default();
            let is_seen_at =
                |place: Option<usize>| place.and_then(|place| own.get(place)).is_some_and(|&at| is_seen(at));
            let is_marked = calls[call].1 >= 128;
            let back = MethodId(100 + call as u32);
            if is_marked && !is_seen_at(place.checked_sub(1)) {
                seen.push_edge(thread, Op::MethodBegin(back));
            }
            seen.push(&complete, at);
            if is_marked && !is_seen_at(place.checked_add(1)) {
                seen.push_edge(thread, Op::MethodEnd(back));
            }
        }
        if own.last() == Some(&at) {
            seen.push_edge(thread, Op::MethodEnd(method));
        }
    }
    let visible = Recording::new(complete.header, seen.events, seen.values, reach, tables);
    Hidden { complete, visible, places: seen.places }
}

/// What is visible so far.
#[derive(Default)]
struct Seen {
    events: Vec<Event>,
    values: Vec<Option<Value>>,
    places: Vec<Option<usize>>,
}

impl Seen {
    fn push(&mut self, complete: &Recording, at: usize) {
        self.events.push(complete.events[at]);
        self.values.push(complete.values.get(at).copied().flatten());
        self.places.push(Some(at));
    }

    fn push_edge(&mut self, thread: ThreadId, op: Op) {
        self.events.push(Event { thread, site: SiteId(0), op });
        self.values.push(None);
        self.places.push(None);
    }
}
