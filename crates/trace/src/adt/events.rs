//! Event blocks: columns, one for what all events have, and what only some have behind them.

use model::{Event, LockId, MessageId, MethodId, Mode, ObjectId, Op, SiteId, ThreadId, Value, VarId};

use super::foresight::{Expected, Steps};
use super::wire::{Bytes, Reason, put_varint, unzigzag, zigzag};
use crate::source::{Row, carries_value};
use crate::{Batch, Header, Recorded};

const KIND: u8 = 0x0f;
/// The value is the one that its location had last.
const AS_EXPECTED: u8 = 0x10;
/// The operand is as far from the last one of its site as that was from the one before.
const IN_STEP: u8 = 0x20;
const HAS_REACH: u8 = 0x40;
const HAS_VALUE: u8 = 0x80;

/// The most objects that a method can be recorded to reach.
pub(super) const MAX_REACH: usize = 1 << 20;

/// A number above all ids of a kind, by kind. Nobody downstream may meet an id that no table can hold: state is kept
/// in vectors indexed by id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) threads: u32,
    pub(super) vars: u32,
    pub(super) locks: u32,
    pub(super) messages: u32,
    pub(super) sites: u32,
    pub(super) methods: u32,
}

/// The kind of an operation and its operand.
fn split(op: Op) -> (u8, u32) {
    match op {
        Op::Read(var) => (0, var.0),
        Op::Write(var) => (1, var.0),
        Op::Acquire(lock, Mode::Write) => (2, lock.0),
        Op::Acquire(lock, Mode::Read) => (3, lock.0),
        Op::Release(lock, Mode::Write) => (4, lock.0),
        Op::Release(lock, Mode::Read) => (5, lock.0),
        Op::Send(message) => (6, message.0),
        Op::Receive(message) => (7, message.0),
        Op::Fork(thread) => (8, thread.0),
        Op::Join(thread) => (9, thread.0),
        Op::Branch => (10, 0),
        Op::MethodBegin(method) => (11, method.0),
        Op::MethodEnd(method) => (12, method.0),
    }
}

/// The operation of a kind; every kind that [`operand_bounds`] leaves open has an arm of its own.
#[inline]
fn unite(kind: u8, operand: u32) -> Op {
    match kind & KIND {
        0 => Op::Read(VarId(operand)),
        1 => Op::Write(VarId(operand)),
        2 => Op::Acquire(LockId(operand), Mode::Write),
        3 => Op::Acquire(LockId(operand), Mode::Read),
        4 => Op::Release(LockId(operand), Mode::Write),
        5 => Op::Release(LockId(operand), Mode::Read),
        6 => Op::Send(MessageId(operand)),
        7 => Op::Receive(MessageId(operand)),
        8 => Op::Fork(ThreadId(operand)),
        9 => Op::Join(ThreadId(operand)),
        11 => Op::MethodBegin(MethodId(operand)),
        12 => Op::MethodEnd(MethodId(operand)),
        _ => Op::Branch,
    }
}

/// A number above all operands of a kind, by kind; 0 for kinds that may not occur.
fn operand_bounds(bounds: &Bounds, header: Header) -> [u32; 16] {
    let branch = u32::from(header.branches == Recorded::Yes);
    let Bounds { threads, vars, locks, messages, methods, .. } = *bounds;
    [vars, vars, locks, locks, locks, locks, messages, messages, threads, threads, branch, methods, methods, 0, 0, 0]
}

/// How many events are told at once.
const AT_ONCE: usize = 512;

/// Events on their way into a block.
#[derive(Default)]
pub(super) struct Columns {
    tags: Vec<u8>,
    /// Threads, and how many events in a row are theirs.
    threads: Vec<(u32, u32)>,
    sites: Vec<u32>,
    /// Operands and values of the latest events, 0 for no value: those that are not told yet.
    latest: Vec<u32>,
    latest_values: Vec<u64>,
    operands: Vec<u8>,
    values: Vec<u8>,
    reach: Vec<u8>,
    /// The highest operand by kind, plus 1.
    operand_bounds: [u32; 16],
    steps: Steps,
    expected: Expected,
}

impl Columns {
    #[inline]
    pub(super) fn push(&mut self, row: &Row<'_>) {
        let (kind, operand) = split(row.event.op);
        let mut tag = kind;
        if row.value.is_some() {
            tag |= HAS_VALUE;
        }
        if let Some(objects) = row.reach {
            tag |= HAS_REACH;
            put_varint(&mut self.reach, objects.len() as u64);
            let mut last = 0;
            for object in objects {
                put_varint(&mut self.reach, object.0.wrapping_sub(last));
                last = object.0;
            }
        }
        self.tags.push(tag);
        self.sites.push(row.event.site.0);
        self.latest.push(operand);
        self.latest_values.push(row.value.map_or(0, |value| value.0));
        match self.threads.last_mut() {
            Some((thread, events)) if *thread == row.event.thread.0 => *events += 1,
            _ => self.threads.push((row.event.thread.0, 1)),
        }
        if self.latest.len() >= AT_ONCE {
            self.tell();
        }
    }

    /// Tells operands and values of the latest events, as far as they cannot be foreseen.
    fn tell(&mut self) {
        let first = self.tags.len() - self.latest.len();
        let (Some(tags), Some(sites)) = (self.tags.get_mut(first..), self.sites.get(first..)) else { return };
        // Loops of their own: what locations hold is seldom in a cache, and here the processor waits for many at once.
        for ((tag, &operand), &value) in tags.iter_mut().zip(&self.latest).zip(&self.latest_values) {
            if *tag & (KIND & !1 | HAS_VALUE) == HAS_VALUE {
                let held = self.expected.replace(operand, value);
                // A read sees what was written last, so few of its values are news. A write tells its own: a reader that
                // has lost events knows from there on.
                let is_expected = (held == Some(value)) & (*tag & KIND == 0);
                *tag ^= u8::from(is_expected) * (HAS_VALUE | AS_EXPECTED);
            }
        }
        for (tag, &value) in tags.iter().zip(&self.latest_values) {
            if tag & HAS_VALUE != 0 {
                put_varint(&mut self.values, zigzag(value));
            }
        }
        let mut kinds = 0;
        for ((tag, &operand), &site) in tags.iter_mut().zip(&self.latest).zip(sites) {
            kinds |= *tag & KIND;
            match self.steps.step_to(site, operand) {
                None => *tag |= IN_STEP,
                Some(difference) => put_varint(&mut self.operands, zigzag(i64::from(difference) as u64)),
            }
        }
        if kinds <= 1 {
            // Nothing but accesses, as mostly: which of the two does not matter.
            let most = self.latest.iter().max().map_or(0, |&most| most.saturating_add(1));
            self.operand_bounds[0] = most.max(self.operand_bounds[0]);
        } else {
            for (tag, &operand) in tags.iter().zip(&self.latest) {
                let bound = &mut self.operand_bounds[usize::from(tag & KIND)];
                *bound = operand.saturating_add(1).max(*bound);
            }
        }
        self.latest.clear();
        self.latest_values.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.tags.len()
    }

    /// Bytes of what only some events have, but for the latest ones.
    pub(super) fn extra(&self) -> usize {
        self.values.len() + self.reach.len()
    }

    /// The smallest bounds that the ids keep to.
    pub(super) fn bounds(&mut self) -> Bounds {
        self.tell();
        let above = |most: Option<u32>| most.map_or(0, |id| id.saturating_add(1));
        let of_kinds = |kinds: &[u8]| {
            let bounds = kinds.iter().filter_map(|&kind| self.operand_bounds.get(usize::from(kind)));
            bounds.max().copied().unwrap_or(0)
        };
        Bounds {
            threads: above(self.threads.iter().map(|&(thread, _)| thread).max()).max(of_kinds(&[8, 9])),
            vars: of_kinds(&[0, 1]),
            locks: of_kinds(&[2, 3, 4, 5]),
            messages: of_kinds(&[6, 7]),
            sites: above(self.sites.iter().max().copied()),
            methods: of_kinds(&[11, 12]),
        }
    }

    /// Appends the payload to `out` and becomes empty.
    pub(super) fn drain(&mut self, out: &mut Vec<u8>) {
        self.tell();
        out.append(&mut self.tags);
        for (thread, events) in self.threads.drain(..) {
            put_varint(out, events.into());
            put_varint(out, thread.into());
        }
        let most = self.sites.iter().max().copied().unwrap_or(0);
        let width = 4 - most.leading_zeros() as usize / 8;
        out.push(width as u8);
        narrow(&self.sites, width, out);
        self.sites.clear();
        out.append(&mut self.operands);
        out.append(&mut self.values);
        out.append(&mut self.reach);
        self.operand_bounds = [0; 16];
        self.steps.forget();
    }
}

/// Appends the lowest `width` bytes of each id.
fn narrow(ids: &[u32], width: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + ids.len() * width, 0);
    let Some(out) = out.get_mut(start..) else { return };
    // Widths that the compiler knows: then it copies many ids at once.
    match width {
        0 => {}
        1 => out.iter_mut().zip(ids).for_each(|(place, id)| *place = *id as u8),
        2 => narrow_to::<2>(ids, out),
        3 => narrow_to::<3>(ids, out),
        _ => narrow_to::<4>(ids, out),
    }
}

fn narrow_to<const WIDTH: usize>(ids: &[u32], out: &mut [u8]) {
    for (place, id) in out.chunks_exact_mut(WIDTH).zip(ids) {
        place.copy_from_slice(&id.to_le_bytes()[..WIDTH]);
    }
}

/// From which version on threads are in runs, operands in steps and values expected.
const FORESEES: u16 = 4;

/// What is kept from block to block for decoding.
pub(super) struct Scratch {
    version: u16,
    threads: Vec<u32>,
    operands: Vec<u32>,
    sites: Vec<u32>,
    steps: Steps,
    expected: Expected,
}

impl Scratch {
    pub(super) fn of_version(version: u16) -> Scratch {
        let (threads, operands, sites) = (Vec::new(), Vec::new(), Vec::new());
        Scratch { version, threads, operands, sites, steps: Steps::default(), expected: Expected::default() }
    }

    /// Events are missing before the next block: what locations hold is not known any more.
    pub(super) fn miss_events(&mut self) {
        self.expected.forget();
    }

    /// Decodes a payload of `count` events into a batch that was cleared.
    pub(super) fn decode(
        &mut self,
        payload: &[u8],
        count: u32,
        bounds: &Bounds,
        header: Header,
        batch: &mut Batch,
    ) -> Result<(), Reason> {
        let mut bytes = Bytes(payload);
        let tags = bytes.take(count as usize)?;
        // Passes of their own, here and below: each keeps its result in a register.
        let seen = tags.iter().fold(0, |seen, tag| seen | tag);
        if self.version >= FORESEES {
            if tags.iter().any(|tag| tag & HAS_VALUE != 0 && tag & AS_EXPECTED != 0) {
                return Err("a value that is told and expected".into());
            }
            runs(&mut bytes, count as usize, &mut self.threads)?;
            expand(&mut bytes, count as usize, &mut self.sites)?;
            self.step_through(&mut bytes, tags)?;
        } else {
            if seen & (AS_EXPECTED | IN_STEP) != 0 {
                return Err("a tag has bits that mean nothing".into());
            }
            for column in [&mut self.threads, &mut self.operands, &mut self.sites] {
                expand(&mut bytes, count as usize, column)?;
            }
        }
        check_column(&self.threads, bounds.threads, "thread")?;
        check_column(&self.sites, bounds.sites, "site")?;

        let operand_bounds = operand_bounds(bounds, header);
        let beyond = tags
            .iter()
            .zip(&self.operands)
            .fold(false, |beyond, (tag, &operand)| beyond | (operand >= operand_bounds[usize::from(tag & KIND)]));
        if beyond {
            return Err(explain(tags, &self.operands, &operand_bounds));
        }
        let ids = self.threads.iter().zip(&self.sites).zip(&self.operands);
        batch.events.extend(tags.iter().zip(ids).map(|(&tag, ((&thread, &site), &operand))| Event {
            thread: ThreadId(thread),
            site: SiteId(site),
            op: unite(tag, operand),
        }));
        if seen & (HAS_VALUE | AS_EXPECTED) != 0 {
            self.values(&mut bytes, tags, header, batch)?;
        }
        if seen & HAS_REACH != 0 {
            reach(&mut bytes, tags, batch)?;
        }
        bytes.end()
    }

    fn step_through(&mut self, bytes: &mut Bytes<'_>, tags: &[u8]) -> Result<(), Reason> {
        self.steps.forget();
        self.operands.clear();
        for (tag, &site) in tags.iter().zip(&self.sites) {
            let difference = if tag & IN_STEP != 0 {
                None
            } else {
                let difference = unzigzag(bytes.varint()?) as i64;
                Some(i32::try_from(difference).map_err(|_| "an operand is too far from the one before")?)
            };
            self.operands.push(self.steps.follow(site, difference));
        }
        Ok(())
    }

    fn values(&mut self, bytes: &mut Bytes<'_>, tags: &[u8], header: Header, batch: &mut Batch) -> Result<(), Reason> {
        if header.values == Recorded::No {
            return Err("a value, although the header says that none are recorded".into());
        }
        for (place, (tag, event)) in (0..).zip(tags.iter().zip(&batch.events)) {
            if tag & (HAS_VALUE | AS_EXPECTED) == 0 {
                continue;
            }
            if !carries_value(event.op) {
                return Err("a value on an operation that has none".into());
            }
            let value = match event.op {
                Op::Read(var) if tag & AS_EXPECTED != 0 => self.expected.get(var.0),
                _ if tag & AS_EXPECTED != 0 => return Err("an expected value of what is no read".into()),
                op => {
                    let value = unzigzag(bytes.varint()?);
                    if let (Op::Read(var) | Op::Write(var), FORESEES..) = (op, self.version) {
                        self.expected.replace(var.0, value);
                    }
                    Some(value)
                }
            };
            // What is expected may be lost with a block.
            batch.values.extend(value.map(|value| (place, Value(value))));
        }
        Ok(())
    }
}

/// Each run has a length and the id of a thread.
fn runs(bytes: &mut Bytes<'_>, count: usize, column: &mut Vec<u32>) -> Result<(), Reason> {
    column.clear();
    while column.len() < count {
        let length = usize::try_from(bytes.varint()?).unwrap_or(usize::MAX);
        if length == 0 || length > count - column.len() {
            return Err(format!("{length} events in a row, of {}", count - column.len()));
        }
        let thread = bytes.id()?;
        column.resize(column.len() + length, thread);
    }
    Ok(())
}

fn expand(bytes: &mut Bytes<'_>, count: usize, column: &mut Vec<u32>) -> Result<(), Reason> {
    column.clear();
    let width = usize::from(bytes.byte()?);
    if width > 4 {
        return Err(format!("ids of {width} bytes"));
    }
    let ids = bytes.take(count * width)?;
    match width {
        0 => column.resize(count, 0),
        1 => column.extend(ids.iter().map(|&id| u32::from(id))),
        2 => column.extend(ids.chunks_exact(2).map(|id| u32::from_le_bytes([id[0], id[1], 0, 0]))),
        3 => column.extend(ids.chunks_exact(3).map(|id| u32::from_le_bytes([id[0], id[1], id[2], 0]))),
        _ => column.extend(ids.chunks_exact(4).map(|id| u32::from_le_bytes([id[0], id[1], id[2], id[3]]))),
    }
    Ok(())
}

fn check_column(column: &[u32], bound: u32, what: &str) -> Result<(), Reason> {
    match column.iter().max() {
        Some(&most) if most >= bound => Err(unknown(what, most, bound)),
        _ => Ok(()),
    }
}

fn unknown(what: &str, id: u32, bound: u32) -> Reason {
    format!("{what} {id} is in no table: there are {bound}")
}

/// Why an operand is beyond its bound.
#[cold]
fn explain(tags: &[u8], operands: &[u32], bounds: &[u32; 16]) -> Reason {
    for (tag, &operand) in tags.iter().zip(operands) {
        let kind = tag & KIND;
        let bound = bounds[usize::from(kind)];
        if operand >= bound {
            return match kind {
                0 | 1 => unknown("location", operand, bound),
                2..=5 => unknown("lock", operand, bound),
                6 | 7 => unknown("message", operand, bound),
                8 | 9 => unknown("thread", operand, bound),
                10 => "a branch, although the header says that none are recorded".into(),
                11 | 12 => unknown("method", operand, bound),
                _ => format!("unknown operation {kind}"),
            };
        }
    }
    "an operand is out of bounds".into()
}

fn reach(bytes: &mut Bytes<'_>, tags: &[u8], batch: &mut Batch) -> Result<(), Reason> {
    for (place, (tag, event)) in (0..).zip(tags.iter().zip(&batch.events)) {
        if tag & HAS_REACH != 0 {
            if !matches!(event.op, Op::MethodBegin(_)) {
                return Err("reachable objects on an operation that has none".into());
            }
            batch.reach.push((place, objects(bytes)?));
        }
    }
    Ok(())
}

fn objects(bytes: &mut Bytes<'_>) -> Result<Box<[ObjectId]>, Reason> {
    let length = usize::try_from(bytes.varint()?).unwrap_or(usize::MAX);
    // Each object takes a byte at least, so a length beyond what is left is a lie: believing it would allocate.
    if length > MAX_REACH.min(bytes.0.len()) {
        return Err(format!("a list of {length} reachable objects"));
    }
    let mut objects = Vec::with_capacity(length);
    let mut last = 0u64;
    for place in 0..length {
        let step = bytes.varint()?;
        last = match last.checked_add(step) {
            Some(object) if step > 0 || place == 0 => object,
            _ => return Err("reachable objects out of order".into()),
        };
        objects.push(ObjectId(last));
    }
    Ok(objects.into_boxed_slice())
}
