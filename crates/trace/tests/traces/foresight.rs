//! What a block leaves out because its reader can foresee it: it comes back whatever the blocks are, and damage never makes
//! the reader tell something that was not so.

use std::collections::HashMap;

use model::{Event, LockId, MethodId, Mode, ObjectId, Op, SiteId, ThreadId, Value, VarId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use testkit::config;
use trace::{Batch, Damage, Error, Header, Recorded, Tables, adt};

use crate::blocks::{FILE_HEADER, block, blocks, plain_blocks};
use crate::common::{Outcome, Whole, name, part, read};

const LOCATIONS: u32 = 900;
/// More than the writer foresees operands for: some sites share what is kept of them.
const SITES: u32 = 4100;
const THREADS: u32 = 3;
const LOCKS: u32 = 2;
const METHODS: u32 = 2;

/// What one thread does for a while.
#[derive(Clone, Debug)]
enum Stretch {
    /// Accesses of one instruction in a loop.
    Loop { thread: u32, site: u32, start: u32, stride: i32, rounds: usize, kind: Access },
    /// Something else, once.
    Once { thread: u32, site: u32, what: u32, reach: Vec<u64> },
}

#[derive(Clone, Copy, Debug)]
enum Access {
    Read,
    Write,
    /// A read and a write of the location in turn.
    Update,
    /// A read after somebody changed the location unseen.
    Surprise,
    /// A read or a write whose value is not known.
    Unknown(bool),
}

fn stretch() -> impl Strategy<Value = Stretch> {
    let site = prop_oneof![0..6u32, (SITES - 6)..SITES];
    let kind = prop_oneof![
        4 => Just(Access::Read),
        3 => Just(Access::Write),
        2 => Just(Access::Update),
        1 => Just(Access::Surprise),
        1 => any::<bool>().prop_map(Access::Unknown),
    ];
    let rounds = prop_oneof![6 => 1..20usize, 2 => 20..150usize, 1 => 500..530usize];
    let loops = (0..THREADS, site.clone(), 0..LOCATIONS, -3..4i32, rounds, kind).prop_map(
        |(thread, site, start, stride, rounds, kind)| Stretch::Loop { thread, site, start, stride, rounds, kind },
    );
    let once = (0..THREADS, site, 0..7u32, vec(1..40u64, 0..4)).prop_map(|(thread, site, what, reach)| Stretch::Once {
        thread,
        site,
        what,
        reach,
    });
    prop_oneof![4 => loops, 1 => once]
}

/// A trace in the making.
struct Machine {
    memory: HashMap<u32, u64>,
    batch: Batch,
    clock: u64,
}

impl Machine {
    fn run(stretches: Vec<Stretch>) -> Whole {
        let mut machine = Machine { memory: HashMap::new(), batch: Batch::default(), clock: 0 };
        for stretch in stretches {
            machine.pass(stretch);
        }
        let mut tables = Tables::default();
        tables.threads.resize(THREADS as usize, Default::default());
        tables.vars.resize(LOCATIONS as usize, Default::default());
        tables.locks.resize(LOCKS as usize, Default::default());
        tables.methods.resize(METHODS as usize, Default::default());
        tables.sites.resize(SITES as usize, Default::default());
        let header = Header { values: Recorded::Yes, branches: Recorded::Yes, ..Header::default() };
        Whole { header, tables, batch: machine.batch, duration: None }
    }

    fn add(&mut self, thread: u32, site: u32, op: Op, value: Option<u64>) {
        let place = self.batch.events.len() as u32;
        self.batch.values.extend(value.map(|value| (place, Value(value))));
        self.batch.events.push(Event { thread: ThreadId(thread), site: SiteId(site), op });
    }

    /// A value that differs from the last one; short, long and negative in turn.
    fn fresh(&mut self) -> u64 {
        self.clock += 1;
        [self.clock, self.clock << 33, self.clock.wrapping_neg(), (self.clock as f64).to_bits()]
            [self.clock as usize % 4]
    }

    fn held(&self, location: u32) -> u64 {
        self.memory.get(&location).copied().unwrap_or(0)
    }

    fn pass(&mut self, stretch: Stretch) {
        match stretch {
            Stretch::Loop { thread, site, start, stride, rounds, kind } => {
                for round in 0..rounds as i32 {
                    let location = (start as i32 + round * stride).rem_euclid(LOCATIONS as i32) as u32;
                    self.access(thread, site, location, kind);
                }
            }
            Stretch::Once { thread, site, what, mut reach } => {
                let lock = LockId(what % LOCKS);
                let op = match what {
                    0 => Op::Acquire(lock, Mode::Write),
                    1 => Op::Release(lock, Mode::Write),
                    2 => Op::Branch,
                    3 => Op::Fork(ThreadId(thread)),
                    4 => Op::MethodEnd(MethodId(0)),
                    _ => {
                        reach.sort_unstable();
                        reach.dedup();
                        let objects = reach.into_iter().map(ObjectId).collect();
                        self.batch.reach.push((self.batch.events.len() as u32, objects));
                        Op::MethodBegin(MethodId(what % METHODS))
                    }
                };
                self.add(thread, site, op, None);
            }
        }
    }

    fn access(&mut self, thread: u32, site: u32, location: u32, kind: Access) {
        let (to_read, to_write) = (Op::Read(VarId(location)), Op::Write(VarId(location)));
        match kind {
            Access::Read => self.add(thread, site, to_read, Some(self.held(location))),
            Access::Write => {
                let value = self.fresh();
                self.memory.insert(location, value);
                self.add(thread, site, to_write, Some(value));
            }
            Access::Update => {
                self.add(thread, site, to_read, Some(self.held(location)));
                let value = self.held(location).wrapping_add(1);
                self.memory.insert(location, value);
                self.add(thread, site, to_write, Some(value));
            }
            Access::Surprise => {
                let value = self.fresh();
                self.memory.insert(location, value);
                self.add(thread, site, to_read, Some(value));
            }
            Access::Unknown(writes) => self.add(thread, site, if writes { to_write } else { to_read }, None),
        }
    }
}

/// Writes `.adt` with blocks of these sizes in turn; where they begin, too.
fn in_blocks(whole: &Whole, sizes: &[usize]) -> (Vec<u8>, Vec<usize>) {
    let mut writer = adt::Writer::new(Vec::new(), name(), whole.header).unwrap();
    let (mut start, mut starts) = (0, Vec::new());
    for &size in sizes.iter().cycle() {
        let end = (start + size).min(whole.batch.events.len());
        if start == end {
            break;
        }
        starts.push(start);
        writer.append(&part(&whole.batch, start..end), &whole.tables).unwrap();
        writer.flush(&whole.tables).unwrap();
        start = end;
    }
    (writer.close(&whole.tables, whole.duration).unwrap(), starts)
}

/// What happens to a file.
#[derive(Clone, Debug)]
enum Wound {
    Flip(Index, u8),
    Cut(Index, usize),
    Insert(Index, Vec<u8>),
    /// A piece of the file, once more elsewhere.
    Repeat(Index, usize, Index),
    Truncate(Index),
}

fn wound() -> impl Strategy<Value = Wound> {
    prop_oneof![
        (any::<Index>(), 0..8u8).prop_map(|(at, bit)| Wound::Flip(at, bit)),
        (any::<Index>(), 1..200usize).prop_map(|(at, length)| Wound::Cut(at, length)),
        (any::<Index>(), vec(any::<u8>(), 1..50)).prop_map(|(at, bytes)| Wound::Insert(at, bytes)),
        (any::<Index>(), 1..400usize, any::<Index>()).prop_map(|(from, length, to)| Wound::Repeat(from, length, to)),
        any::<Index>().prop_map(Wound::Truncate),
    ]
}

impl Wound {
    fn inflict(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        let piece = |at: &Index, wanted: usize| at.index(length)..(at.index(length) + wanted).min(length);
        match self {
            Wound::Flip(at, bit) => bytes[at.index(length)] ^= 1 << bit,
            Wound::Cut(at, wanted) => drop(bytes.drain(piece(at, *wanted))),
            Wound::Insert(at, more) => drop(bytes.splice(at.index(length)..at.index(length), more.iter().copied())),
            Wound::Repeat(from, wanted, to) => {
                let copy = bytes[piece(from, *wanted)].to_vec();
                drop(bytes.splice(to.index(length)..to.index(length), copy));
            }
            Wound::Truncate(at) => bytes.truncate(at.index(length)),
        }
    }
}

/// Each batch has the events of the original at its place, and no value that was not there.
fn is_part_of(batch: &Batch, whole: &Whole) -> Result<(), TestCaseError> {
    let first = batch.first.0 as usize;
    prop_assert!(first + batch.events.len() <= whole.batch.events.len());
    let original = part(&whole.batch, first..first + batch.events.len());
    prop_assert_eq!(&batch.events, &original.events);
    prop_assert_eq!(&batch.reach, &original.reach);
    let told: HashMap<u32, Value> = original.values.iter().copied().collect();
    for (place, value) in &batch.values {
        prop_assert_eq!(told.get(place), Some(value), "event {}", first + *place as usize);
    }
    Ok(())
}

/// An error of a binary trace names a byte of the file and the reason.
fn names_a_byte(error: &Error, length: usize) -> Result<(), TestCaseError> {
    match error {
        Error::Damaged { offset, reason, .. } => prop_assert!(*offset <= length as u64 && !reason.is_empty()),
        other => prop_assert!(false, "{other}"),
    }
    Ok(())
}

/// Nobody is made to keep much more than the file is long: neither rows of tables nor ids, which others keep vectors by.
fn is_in_proportion(outcome: &Outcome, length: usize) -> Result<(), TestCaseError> {
    let Tables { threads, vars, locks, messages, sites, methods, stable_names } = &outcome.tables;
    let most = length * 16 + (LOCATIONS + SITES) as usize;
    let others = [locks.len(), messages.len(), sites.len(), methods.len(), stable_names.len()];
    for rows in [threads.len(), vars.len()].into_iter().chain(others) {
        prop_assert!(rows <= most, "{rows} rows of a table, from {length} bytes");
    }
    let mut next = 0;
    for batch in &outcome.batches {
        prop_assert!(batch.first.0 >= next && !batch.events.is_empty() && batch.events.len() <= 1 << 16);
        next = batch.first.0 + batch.events.len() as u64;
        for event in &batch.events {
            let operand = match event.op {
                Op::Read(var) | Op::Write(var) => var.index(),
                Op::Acquire(lock, _) | Op::Release(lock, _) => lock.index(),
                Op::Send(message) | Op::Receive(message) => message.index(),
                Op::Fork(thread) | Op::Join(thread) => thread.index(),
                Op::MethodBegin(method) | Op::MethodEnd(method) => method.index(),
                Op::Branch => 0,
            };
            prop_assert!(operand.max(event.thread.index()).max(event.site.index()) < most, "{event:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn what_is_left_out_comes_back(program in vec(stretch(), 1..40), sizes in vec(1..700usize, 1..6)) {
        let whole = Machine::run(program);
        let (bytes, _) = in_blocks(&whole, &sizes);
        let back = read(&bytes, Damage::Refuse).whole();
        prop_assert_eq!(back.batch, whole.batch);
    }

    #[test]
    fn damage_never_tells_what_was_not(
        program in vec(stretch(), 1..12),
        sizes in vec(1..200usize, 1..4),
        wounds in vec(wound(), 1..4),
    ) {
        let whole = Machine::run(program);
        let (mut bytes, _) = in_blocks(&whole, &sizes);
        wounds.iter().for_each(|wound| wound.inflict(&mut bytes));
        if !bytes.starts_with(&adt::MAGIC) {
            // No binary trace any more.
            return Ok(());
        }
        let refused = read(&bytes, Damage::Refuse);
        let mut next = 0;
        for batch in &refused.batches {
            prop_assert_eq!(batch.first.0, next, "a prefix has no gaps");
            prop_assert_eq!(batch, &part(&whole.batch, next as usize..next as usize + batch.events.len()));
            next += batch.events.len() as u64;
        }
        refused.error.as_ref().map_or(Ok(()), |error| names_a_byte(error, bytes.len()))?;
        let skipped = read(&bytes, Damage::Skip);
        // Only what the file says about itself as a whole cannot be skipped.
        skipped.error.as_ref().map_or(Ok(()), |error| {
            prop_assert!(matches!(error, Error::Damaged { offset: 0, .. }), "{error}");
            Ok(())
        })?;
        is_in_proportion(&skipped, bytes.len())?;
        skipped.batches.iter().try_for_each(|batch| is_part_of(batch, &whole))?;
        prop_assert!(skipped.events() >= refused.events());
        for damaged in &skipped.ending.damaged {
            prop_assert!(damaged.offset <= bytes.len() as u64 && !damaged.reason.is_empty());
        }
    }

    #[test]
    fn wrong_content_under_right_checksums_spoils_nothing_else(
        program in vec(stretch(), 1..12),
        sizes in vec(1..200usize, 1..4),
        victim in any::<Index>(),
        wounds in vec(wound(), 1..4),
        right_one_follows in any::<bool>(),
    ) {
        let whole = Machine::run(program);
        let (bytes, _) = in_blocks(&whole, &sizes);
        let plain = plain_blocks(&bytes);
        let victim = victim.index(plain.len());
        let (mut file, mut at) = (bytes[..FILE_HEADER].to_vec(), 0);
        for (place, right) in plain.iter().enumerate() {
            if place != victim {
                file.extend_from_slice(&right.sealed());
                continue;
            }
            at = file.len() as u64;
            let mut wrong = right.clone();
            wounds.iter().for_each(|wound| wound.inflict(&mut wrong.payload));
            file.extend_from_slice(&wrong.sealed());
            if right_one_follows {
                file.extend_from_slice(&right.sealed());
            }
        }
        for damage in [Damage::Refuse, Damage::Skip] {
            let outcome = read(&file, damage);
            outcome.error.as_ref().map_or(Ok(()), |error| names_a_byte(error, file.len()))?;
            prop_assert!(damage == Damage::Refuse || outcome.error.is_none());
            is_in_proportion(&outcome, file.len())?;
            let is_refused = outcome.ending.damaged.iter().any(|damaged| damaged.offset == at)
                || matches!(outcome.error, Some(Error::Damaged { offset, .. }) if offset == at);
            if is_refused {
                outcome.batches.iter().try_for_each(|batch| is_part_of(batch, &whole))?;
            }
            // What can be read can be written, and comes back.
            let mut writer = adt::Writer::new(Vec::new(), name(), outcome.header).unwrap();
            for batch in &outcome.batches {
                writer.append(batch, &outcome.tables).unwrap();
            }
            let again = read(&writer.close(&outcome.tables, None).unwrap(), Damage::Refuse).whole().batch;
            let events: Vec<Event> = outcome.batches.iter().flat_map(|batch| batch.events.iter().copied()).collect();
            prop_assert_eq!(again.events, events);
        }
    }
}

proptest! {
    #![proptest_config(config(3))]

    #[test]
    fn blocks_may_be_of_any_size(program in vec(stretch(), 1..30)) {
        let whole = Machine::run(program);
        for size in 1..=whole.batch.events.len() {
            let (bytes, starts) = in_blocks(&whole, &[size]);
            let back = read(&bytes, Damage::Refuse);
            let firsts: Vec<usize> = back.batches.iter().map(|batch| batch.first.0 as usize).collect();
            prop_assert_eq!(firsts, starts);
            prop_assert_eq!(back.whole().batch, whole.batch.clone(), "blocks of {}", size);
        }
    }
}

#[test]
fn a_block_that_was_refused_has_changed_nothing() {
    // A write of 5 and a read of it, each in a block; between them a block at the same place that cannot be right but says 7
    // first.
    let mut machine = Machine { memory: HashMap::new(), batch: Batch::default(), clock: 4 };
    machine.access(0, 0, 0, Access::Write);
    machine.access(0, 0, 0, Access::Read);
    let Whole { header, tables, .. } = Machine::run(Vec::new());
    let whole = Whole { header, tables, batch: machine.batch, duration: None };
    let (bytes, _) = in_blocks(&whole, &[1]);
    let starts = blocks(&bytes);
    // A write of location 0 with the value 7, and a byte more than that takes.
    let wrong = block(2, 0, &[0x81, 1, 0, 0, 0, 14, 0], 7, 1, 1);
    let mut file = bytes.clone();
    let mut events = (0..starts.len() - 1).filter(|&place| bytes[starts[place] + 4] == 2).map(|place| starts[place]);
    let second = events.next_back().unwrap();
    drop(file.splice(second..second, wrong));
    let skipped = read(&file, Damage::Skip);
    assert_eq!(skipped.ending.damaged.len(), 1, "{:?}", skipped.ending);
    assert_eq!(skipped.batches[0].values, [(0, Value(whole.batch.values[0].1.0))]);
    assert_eq!(skipped.batches[1].values, [], "nobody knows what the location held");
    assert_eq!(skipped.events(), 2);
}
