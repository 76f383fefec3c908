//! Traces in memory, and random ones with everything that a trace can have.

use std::path::Path;
use std::time::Duration;

use model::{Event, LockId, MessageId, MethodId, Mode, ObjectId, Op, SiteId, ThreadId, Value, VarId};
use proptest::prelude::*;
use proptest::sample::select;
use trace::{
    Batch, Damage, End, Ending, Error, Header, LockInfo, LockKind, MessageInfo, MessageKind, MethodInfo, Part,
    Recorded, SiteInfo, StableName, Tables, ThreadInfo, VarInfo, VarKind, adt, text,
};

/// A whole trace in memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Whole {
    pub(crate) header: Header,
    pub(crate) tables: Tables,
    pub(crate) batch: Batch,
    pub(crate) duration: Option<Duration>,
}

pub(crate) const NAME: &str = "some.trace";

pub(crate) fn name() -> &'static Path {
    Path::new(NAME)
}

/// Events `range` of a batch, as a batch.
pub(crate) fn part(batch: &Batch, range: std::ops::Range<usize>) -> Batch {
    let inside = |place: u32| range.contains(&(place as usize));
    let start = range.start as u32;
    Batch {
        first: model::EventIndex(batch.first.0 + range.start as u64),
        events: batch.events[range.clone()].to_vec(),
        values: batch.values.iter().filter(|(at, _)| inside(*at)).map(|&(at, value)| (at - start, value)).collect(),
        reach: batch
            .reach
            .iter()
            .filter(|(at, _)| inside(*at))
            .map(|(at, objects)| (at - start, objects.clone()))
            .collect(),
    }
}

/// Writes `.adt`, a block for each `block` events, each with only those names that came up so far if ids come up in
/// order.
pub(crate) fn to_adt(whole: &Whole, block: usize) -> Vec<u8> {
    let mut writer = adt::Writer::new(Vec::new(), name(), whole.header).unwrap();
    for start in (0..whole.batch.events.len()).step_by(block.max(1)) {
        let end = (start + block.max(1)).min(whole.batch.events.len());
        let tables = tables_up_to(whole, end);
        writer.append(&part(&whole.batch, start..end), &tables).unwrap();
        writer.flush(&tables).unwrap();
    }
    writer.close(&whole.tables, whole.duration).unwrap()
}

/// The tables as a reader knows them that has seen the events before `end`.
fn tables_up_to(whole: &Whole, end: usize) -> Tables {
    let mut tables = whole.tables.clone();
    let mut most = [0usize; 6];
    for event in &whole.batch.events[..end] {
        let (table, id) = match event.op {
            Op::Read(var) | Op::Write(var) => (1, var.index()),
            Op::Acquire(lock, _) | Op::Release(lock, _) => (2, lock.index()),
            Op::Send(message) | Op::Receive(message) => (3, message.index()),
            Op::Fork(thread) | Op::Join(thread) => (0, thread.index()),
            Op::MethodBegin(method) | Op::MethodEnd(method) => (5, method.index()),
            Op::Branch => (0, 0),
        };
        for (table, id) in [(table, id), (0, event.thread.index()), (4, event.site.index())] {
            most[table] = most[table].max(id + 1);
        }
    }
    tables.threads.truncate(most[0]);
    tables.vars.truncate(most[1]);
    tables.locks.truncate(most[2]);
    tables.messages.truncate(most[3]);
    tables.sites.truncate(most[4]);
    tables.methods.truncate(most[5]);
    tables
}

pub(crate) fn to_text(whole: &Whole) -> String {
    let mut writer = text::Writer::new(Vec::new(), name(), whole.header).unwrap();
    writer.append(&whole.batch, &whole.tables).unwrap();
    String::from_utf8(writer.close(&whole.tables, whole.duration).unwrap()).unwrap()
}

/// What came out of a reader, batch by batch.
pub(crate) struct Outcome {
    pub(crate) batches: Vec<Batch>,
    pub(crate) tables: Tables,
    pub(crate) header: Header,
    pub(crate) ending: Ending,
    pub(crate) error: Option<Error>,
}

impl Outcome {
    pub(crate) fn events(&self) -> usize {
        self.batches.iter().map(|batch| batch.events.len()).sum()
    }

    /// The trace, which must have been whole.
    pub(crate) fn whole(self) -> Whole {
        assert!(self.error.is_none(), "{:?}", self.error);
        assert_eq!((self.ending.end, &self.ending.damaged), (End::Complete, &Vec::new()));
        let mut whole = Batch::default();
        for batch in self.batches {
            let start = whole.events.len() as u32;
            assert_eq!(batch.first.0, u64::from(start));
            whole.events.extend(batch.events);
            whole.values.extend(batch.values.into_iter().map(|(at, value)| (at + start, value)));
            whole.reach.extend(batch.reach.into_iter().map(|(at, objects)| (at + start, objects)));
        }
        Whole { header: self.header, tables: self.tables, batch: whole, duration: self.ending.duration }
    }
}

pub(crate) fn read(bytes: &[u8], damage: Damage) -> Outcome {
    let mut batches = Vec::new();
    let mut source = match trace::read(bytes, name(), bytes.len() as u64, damage) {
        Ok(source) => source,
        Err(error) => {
            let (tables, header, ending) = (Tables::default(), Header::default(), Ending::default());
            return Outcome { batches, tables, header, ending, error: Some(error) };
        }
    };
    let mut batch = Batch::default();
    let error = loop {
        match source.next_batch(&mut batch) {
            Ok(true) => batches.push(batch.clone()),
            Ok(false) => break None,
            Err(error) => break Some(error),
        }
    };
    assert!(!source.next_batch(&mut batch).unwrap(), "after the end, or an error, there is nothing more");
    let (tables, header, ending) = (source.tables().clone(), source.header(), source.ending().clone());
    Outcome { batches, tables, header, ending, error }
}

/// A small random generator for tests that need many cheap decisions.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }

    /// Changes bytes as a bad disk, a bad copy or a bad mind would.
    pub(crate) fn mutate(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.roll(3) {
            if bytes.is_empty() {
                return;
            }
            let at = self.roll(bytes.len());
            let length = 1 + self.roll(40.min(bytes.len() - at));
            match self.roll(7) {
                0 => bytes[at] ^= 1 << self.roll(8),
                1 => bytes[at] = self.roll(256) as u8,
                2 => drop(bytes.drain(at..at + length)),
                3 => {
                    let piece = bytes[at..at + length].to_vec();
                    let to = self.roll(bytes.len());
                    bytes.splice(to..to, piece);
                }
                4 => {
                    let piece: Vec<u8> = (0..length).map(|_| self.roll(256) as u8).collect();
                    bytes.splice(at..at, piece);
                }
                5 => bytes[at..at + length].fill(0),
                _ => bytes.truncate(at),
            }
        }
    }
}

/// Names, odd ones and doubles among them.
fn names(count: usize) -> impl Strategy<Value = Vec<String>> {
    let odd = select(vec![
        "",
        "T0",
        "a|b",
        "f(int)",
        "a b",
        " ",
        "\n",
        "\r\n",
        "\"",
        "\\",
        "#1",
        "@var",
        "x=1",
        "{}",
        "var#1",
        "ä☃",
        "\u{0}",
        "\u{7f}",
        "\u{2028}",
        "f)|1",
        "T0#2",
        "'",
        "\t",
        "pkg.A.add(A.java:31)",
        "1,2",
    ]);
    let one = prop_oneof![odd.prop_map(String::from), any::<String>(), "[A-Z][0-9]"];
    proptest::collection::vec(one, count)
}

fn object() -> impl Strategy<Value = ObjectId> {
    prop_oneof![Just(0), 1..100u64, any::<u64>()].prop_map(ObjectId)
}

/// Rows of one table.
const ROWS: usize = 5;

prop_compose! {
    fn tables()(
        names in proptest::collection::vec(names(ROWS), 8),
        titles in names(ROWS),
        objects in proptest::collection::vec(object(), 3 * ROWS),
        kinds in proptest::collection::vec(any::<u8>(), 3 * ROWS),
        index in any::<u32>(),
    ) -> Tables {
        let name = |table: usize, row: usize| names[table][row].as_str().into();
        let rows = 0..ROWS;
        Tables {
            threads: rows.clone().map(|row| ThreadInfo {
                name: name(0, row),
                title: Some(titles[row].as_str().into()).filter(|_| !titles[row].is_empty()),
                object: objects[row],
            }).collect(),
            vars: rows.clone().map(|row| VarInfo {
                name: name(1, row),
                kind: [VarKind::Named, VarKind::Field, VarKind::Static, VarKind::Element(index)][kinds[row] as usize % 4],
                object: objects[row],
            }).collect(),
            locks: rows.clone().map(|row| LockInfo {
                name: name(2, row),
                kind: [LockKind::Monitor, LockKind::Owned, LockKind::ReadWrite][kinds[ROWS + row] as usize % 3],
                object: objects[ROWS + row],
            }).collect(),
            messages: rows.clone().map(|row| MessageInfo {
                name: name(3, row),
                kind: [MessageKind::Channel, MessageKind::Volatile, MessageKind::Notify, MessageKind::ClassInit]
                    [kinds[2 * ROWS + row] as usize % 4],
                object: objects[2 * ROWS + row],
            }).collect(),
            sites: rows.clone().map(|row| SiteInfo {
                name: name(4, row),
                part: [Part::Program, Part::Platform][kinds[row] as usize % 2],
            }).collect(),
            methods: rows.clone().map(|row| MethodInfo { name: name(5, row) }).collect(),
            stable_names: rows.map(|row| StableName { name: name(6, row), stable: name(7, row) }).collect(),
        }
    }
}

fn op() -> impl Strategy<Value = Op> {
    let rows = ROWS as u32;
    (0..13u8, 0..rows).prop_map(|(kind, id)| match kind {
        0 => Op::Read(VarId(id)),
        1 => Op::Write(VarId(id)),
        2 => Op::Acquire(LockId(id), Mode::Write),
        3 => Op::Acquire(LockId(id), Mode::Read),
        4 => Op::Release(LockId(id), Mode::Write),
        5 => Op::Release(LockId(id), Mode::Read),
        6 => Op::Send(MessageId(id)),
        7 => Op::Receive(MessageId(id)),
        8 => Op::Fork(ThreadId(id)),
        9 => Op::Join(ThreadId(id)),
        10 => Op::Branch,
        11 => Op::MethodBegin(MethodId(id)),
        _ => Op::MethodEnd(MethodId(id)),
    })
}

prop_compose! {
    /// An event, and what may lie beside it.
    fn row()(
        op in op(),
        thread in 0..ROWS as u32,
        site in 0..ROWS as u32,
        value in proptest::option::of(prop_oneof![any::<u64>(), (-3i64..3).prop_map(|value| value as u64)]),
        reach in proptest::option::of(proptest::collection::btree_set(prop_oneof![0..9u64, any::<u64>()], 0..5)),
    ) -> (Event, Option<Value>, Option<Box<[ObjectId]>>) {
        let event = Event { thread: ThreadId(thread), site: SiteId(site), op };
        (event, value.map(Value), reach.map(|objects| objects.into_iter().map(ObjectId).collect()))
    }
}

prop_compose! {
    /// A trace with everything that a trace can have; its threads behave as no program's do.
    pub(crate) fn wholes()(
        tables in tables(),
        rows in proptest::collection::vec(row(), 0..40),
        values in any::<bool>(),
        branches in any::<bool>(),
        duration in proptest::option::of((0..u64::from(u32::MAX), 0..1_000_000_000u32)),
    ) -> Whole {
        let recorded = |yes| if yes { Recorded::Yes } else { Recorded::No };
        let header = Header { values: recorded(values), branches: recorded(branches), followed: recorded(values && branches) };
        let mut batch = Batch::default();
        for (event, value, reach) in rows {
            let place = batch.events.len() as u32;
            match event.op {
                Op::Branch if !branches => continue,
                Op::Read(_) | Op::Write(_) | Op::Send(_) | Op::Receive(_) if values => {
                    batch.values.extend(value.map(|value| (place, value)));
                }
                Op::MethodBegin(_) => batch.reach.extend(reach.map(|objects| (place, objects))),
                _ => {}
            }
            batch.events.push(event);
        }
        Whole { header, tables, batch, duration: duration.map(|(seconds, nanos)| Duration::new(seconds, nanos)) }
    }
}
