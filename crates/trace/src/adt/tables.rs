//! Table blocks.

use std::collections::HashMap;
use std::sync::Arc;

use model::ObjectId;

use super::events::Bounds;
use super::wire::{Bytes, Reason, put_varint};
use crate::{
    LockInfo, LockKind, MessageInfo, MessageKind, MethodInfo, Part, SiteInfo, StableName, Tables, ThreadInfo, VarInfo,
    VarKind,
};

/// The version from which on threads have objects.
const THREAD_OBJECTS: u16 = 2;

/// The version from which on sites say whose they are.
const SITE_PARTS: u16 = 3;

/// The version from which on there are stable names.
const STABLE_NAMES: u16 = 5;

/// The longest name.
pub(super) const MAX_NAME: usize = 1 << 20;

/// The most entries of a block.
const MAX_ENTRIES: usize = 1 << 16;

/// How many times smaller a zstd frame of tables may be than what it holds.
pub(super) const MAX_RATIO: usize = 64;

/// A block of tables is written when one of its eight sections has grown to this.
const ENOUGH_BYTES: usize = 1 << 18;
const ENOUGH_ENTRIES: usize = MAX_ENTRIES / 8;

/// The strings that names refer to, on the way out.
#[derive(Default)]
struct StringIds {
    ids: HashMap<Arc<str>, u64>,
    /// The name that came last: elements of an array share theirs.
    last: Option<(Arc<str>, u64)>,
    section: Section,
}

impl StringIds {
    /// The form of a name: 0 for none, else the string's id plus 1.
    fn put(&mut self, out: &mut Vec<u8>, name: &Arc<str>) -> Result<(), LongName> {
        if name.is_empty() {
            put_varint(out, 0);
            return Ok(());
        }
        if let Some((_, id)) = self.last.as_ref().filter(|(last, _)| Arc::ptr_eq(last, name)) {
            put_varint(out, *id);
            return Ok(());
        }
        if name.len() > MAX_NAME {
            return Err(LongName(name.clone()));
        }
        let fresh = self.ids.len() as u64 + 1;
        let id = *self.ids.entry(name.clone()).or_insert(fresh);
        if id == fresh {
            put_varint(&mut self.section.bytes, name.len() as u64);
            self.section.bytes.extend_from_slice(name.as_bytes());
            self.section.count += 1;
        }
        self.last = Some((name.clone(), id));
        put_varint(out, id);
        Ok(())
    }
}

/// A name that no block can hold.
pub(super) struct LongName(pub(super) Arc<str>);

/// Entries of one table on their way into a block.
#[derive(Default)]
struct Section {
    first: usize,
    count: usize,
    /// Rows that are not in the table any more: it starts after them.
    forgotten: usize,
    bytes: Vec<u8>,
}

impl Section {
    fn next(&self) -> usize {
        self.first + self.count
    }

    /// Takes the rows off a table that are encoded already.
    fn forget<T>(&mut self, rows: &mut Vec<T>) {
        let encoded = self.next().saturating_sub(self.forgotten).min(rows.len());
        rows.drain(..encoded);
        self.forgotten += encoded;
    }

    fn drain(&mut self, table: u8, out: &mut Vec<u8>) {
        if self.count > 0 {
            out.push(table);
            put_varint(out, self.first as u64);
            put_varint(out, self.count as u64);
            out.append(&mut self.bytes);
            self.first += self.count;
            self.count = 0;
        }
    }
}

/// Tables on their way out: which entries are written, and those that wait for the next block.
#[derive(Default)]
pub(super) struct TableEncoder {
    strings: StringIds,
    threads: Section,
    vars: Section,
    locks: Section,
    messages: Section,
    sites: Section,
    methods: Section,
    stable_names: Section,
}

impl TableEncoder {
    /// Takes the next entries that are not written yet, a block at most. An id below `needed` that has no entry gets
    /// an empty one. Are there more?
    pub(super) fn take(&mut self, tables: &Tables, needed: &Bounds) -> Result<bool, LongName> {
        let TableEncoder { strings, threads, vars, locks, messages, sites, methods, stable_names } = self;
        let more = fill(threads, strings, &tables.threads, needed.threads)?
            || fill(vars, strings, &tables.vars, needed.vars)?
            || fill(locks, strings, &tables.locks, needed.locks)?
            || fill(messages, strings, &tables.messages, needed.messages)?
            || fill(sites, strings, &tables.sites, needed.sites)?
            || fill(methods, strings, &tables.methods, needed.methods)?
            || fill(stable_names, strings, &tables.stable_names, 0)?;
        Ok(more)
    }

    /// Takes off the tables what need not be kept: locations and messages, of which there may be any number.
    pub(super) fn forget(&mut self, tables: &mut Tables) {
        self.vars.forget(&mut tables.vars);
        self.messages.forget(&mut tables.messages);
    }

    /// Appends the payload to `out`: nothing if no entry waits.
    pub(super) fn drain(&mut self, out: &mut Vec<u8>) {
        let TableEncoder { strings, threads, vars, locks, messages, sites, methods, stable_names } = self;
        let sections = [&mut strings.section, threads, vars, locks, messages, sites, methods, stable_names];
        for (table, section) in (0..).zip(sections) {
            section.drain(table, out);
        }
    }

    /// Appends how many entries each table has by now.
    pub(super) fn put_lengths(&self, out: &mut Vec<u8>) {
        let TableEncoder { strings: _, threads, vars, locks, messages, sites, methods, stable_names } = self;
        for section in [threads, vars, locks, messages, sites, methods, stable_names] {
            put_varint(out, section.next() as u64);
        }
    }
}

fn fill<T: Entry>(section: &mut Section, strings: &mut StringIds, rows: &[T], needed: u32) -> Result<bool, LongName> {
    let empty = T::default();
    let end = (section.forgotten + rows.len()).max(needed as usize);
    while section.next() < end {
        let entries = section.count + strings.section.count;
        if entries >= ENOUGH_ENTRIES || section.bytes.len() + strings.section.bytes.len() >= ENOUGH_BYTES {
            return Ok(true);
        }
        rows.get(section.next() - section.forgotten).unwrap_or(&empty).put(&mut section.bytes, strings)?;
        section.count += 1;
    }
    Ok(false)
}

/// An entry of a table.
trait Entry: Clone + Default {
    fn put(&self, out: &mut Vec<u8>, strings: &mut StringIds) -> Result<(), LongName>;
    fn get(bytes: &mut Bytes<'_>, strings: &Strings) -> Result<Self, Reason>;
}

impl Entry for ThreadInfo {
    fn put(&self, out: &mut Vec<u8>, strings: &mut StringIds) -> Result<(), LongName> {
        strings.put(out, &self.name)?;
        // An empty title is as good as none, and needs no form of its own.
        strings.put(out, self.title.as_ref().unwrap_or(&Arc::default()))?;
        put_varint(out, self.object.0);
        Ok(())
    }

    fn get(bytes: &mut Bytes<'_>, strings: &Strings) -> Result<Self, Reason> {
        let name = strings.get(bytes)?;
        let title = Some(strings.get(bytes)?).filter(|title| !title.is_empty());
        let object = if strings.version < THREAD_OBJECTS { ObjectId::default() } else { ObjectId(bytes.varint()?) };
        Ok(ThreadInfo { name, title, object })
    }
}

impl Entry for VarInfo {
    fn put(&self, out: &mut Vec<u8>, strings: &mut StringIds) -> Result<(), LongName> {
        out.push(match self.kind {
            VarKind::Named => 0,
            VarKind::Field => 1,
            VarKind::Static => 2,
            VarKind::Element(_) => 3,
        });
        strings.put(out, &self.name)?;
        put_varint(out, self.object.0);
        if let VarKind::Element(index) = self.kind {
            put_varint(out, index.into());
        }
        Ok(())
    }

    fn get(bytes: &mut Bytes<'_>, strings: &Strings) -> Result<Self, Reason> {
        let kind = bytes.byte()?;
        let name = strings.get(bytes)?;
        let object = ObjectId(bytes.varint()?);
        let kind = match kind {
            0 => VarKind::Named,
            1 => VarKind::Field,
            2 => VarKind::Static,
            3 => VarKind::Element(bytes.id()?),
            other => return Err(format!("unknown kind of location {other}")),
        };
        Ok(VarInfo { name, kind, object })
    }
}

impl Entry for LockInfo {
    fn put(&self, out: &mut Vec<u8>, strings: &mut StringIds) -> Result<(), LongName> {
        out.push(match self.kind {
            LockKind::Monitor => 0,
            LockKind::Owned => 1,
            LockKind::ReadWrite => 2,
        });
        strings.put(out, &self.name)?;
        put_varint(out, self.object.0);
        Ok(())
    }

    fn get(bytes: &mut Bytes<'_>, strings: &Strings) -> Result<Self, Reason> {
        let kind = match bytes.byte()? {
            0 => LockKind::Monitor,
            1 => LockKind::Owned,
            2 => LockKind::ReadWrite,
            other => return Err(format!("unknown kind of lock {other}")),
        };
        Ok(LockInfo { kind, name: strings.get(bytes)?, object: ObjectId(bytes.varint()?) })
    }
}

impl Entry for MessageInfo {
    fn put(&self, out: &mut Vec<u8>, strings: &mut StringIds) -> Result<(), LongName> {
        out.push(match self.kind {
            MessageKind::Channel => 0,
            MessageKind::Volatile => 1,
            MessageKind::Notify => 2,
            MessageKind::ClassInit => 3,
            MessageKind::Sections => 4,
        });
        strings.put(out, &self.name)?;
        put_varint(out, self.object.0);
        Ok(())
    }

    fn get(bytes: &mut Bytes<'_>, strings: &Strings) -> Result<Self, Reason> {
        let kind = match bytes.byte()? {
            0 => MessageKind::Channel,
            1 => MessageKind::Volatile,
            2 => MessageKind::Notify,
            3 => MessageKind::ClassInit,
            4 => MessageKind::Sections,
            other => return Err(format!("unknown kind of message {other}")),
        };
        Ok(MessageInfo { kind, name: strings.get(bytes)?, object: ObjectId(bytes.varint()?) })
    }
}

impl Entry for SiteInfo {
    fn put(&self, out: &mut Vec<u8>, strings: &mut StringIds) -> Result<(), LongName> {
        strings.put(out, &self.name)?;
        out.push(match self.part {
            Part::Program => 0,
            Part::Platform => 1,
        });
        Ok(())
    }

    fn get(bytes: &mut Bytes<'_>, strings: &Strings) -> Result<Self, Reason> {
        let name = strings.get(bytes)?;
        let part = match if strings.version < SITE_PARTS { 0 } else { bytes.byte()? } {
            0 => Part::Program,
            1 => Part::Platform,
            other => return Err(format!("unknown part {other} of a site")),
        };
        Ok(SiteInfo { name, part })
    }
}

impl Entry for MethodInfo {
    fn put(&self, out: &mut Vec<u8>, strings: &mut StringIds) -> Result<(), LongName> {
        strings.put(out, &self.name)
    }

    fn get(bytes: &mut Bytes<'_>, strings: &Strings) -> Result<Self, Reason> {
        Ok(MethodInfo { name: strings.get(bytes)? })
    }
}

impl Entry for StableName {
    fn put(&self, out: &mut Vec<u8>, strings: &mut StringIds) -> Result<(), LongName> {
        strings.put(out, &self.name)?;
        strings.put(out, &self.stable)
    }

    fn get(bytes: &mut Bytes<'_>, strings: &Strings) -> Result<Self, Reason> {
        Ok(StableName { name: strings.get(bytes)?, stable: strings.get(bytes)? })
    }
}

/// The strings that names refer to, on the way in.
#[derive(Default)]
struct Strings {
    /// The version of the file.
    version: u16,
    strings: Vec<Arc<str>>,
    /// How many strings may have been lost with damaged blocks: a name that refers to one of them is empty.
    slack: u32,
}

impl Strings {
    fn get(&self, bytes: &mut Bytes<'_>) -> Result<Arc<str>, Reason> {
        let Some(id) = bytes.id()?.checked_sub(1) else {
            return Ok(Arc::default());
        };
        match self.strings.get(id as usize) {
            Some(string) => Ok(string.clone()),
            None if (id as usize) < self.strings.len() + self.slack as usize => Ok(Arc::default()),
            None => Err(format!("string {id} is in no table: there are {}", self.strings.len())),
        }
    }
}

/// Tables on their way in.
#[derive(Default)]
pub(super) struct TableDecoder {
    pub(super) tables: Tables,
    strings: Strings,
}

/// What a block of tables told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// The next entries.
    Next,
    /// Entries that leave a gap behind them: those before were lost.
    AfterGap,
}

impl TableDecoder {
    /// A decoder for a file of a version.
    pub(super) fn of_version(version: u16) -> Self {
        TableDecoder { strings: Strings { version, ..Strings::default() }, ..TableDecoder::default() }
    }

    /// As many more entries of each table may have been lost.
    pub(super) fn allow_more(&mut self, lost: u32) {
        self.strings.slack = self.strings.slack.saturating_add(lost);
    }

    /// Numbers above all ids that events may have.
    pub(super) fn bounds(&self) -> Bounds {
        let above = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).saturating_add(self.strings.slack);
        Bounds {
            threads: above(self.tables.threads.len()),
            vars: above(self.tables.vars.len()),
            locks: above(self.tables.locks.len()),
            messages: above(self.tables.messages.len()),
            sites: above(self.tables.sites.len()),
            methods: above(self.tables.methods.len()),
        }
    }

    fn lengths(&self) -> [usize; 8] {
        let Tables { threads, vars, locks, messages, sites, methods, stable_names } = &self.tables;
        let (strings, stable_names) = (self.strings.strings.len(), stable_names.len());
        [strings, threads.len(), vars.len(), locks.len(), messages.len(), sites.len(), methods.len(), stable_names]
    }

    /// Takes all of a block or nothing.
    pub(super) fn decode(&mut self, payload: &[u8]) -> Result<Told, Reason> {
        let before = self.lengths();
        self.decode_sections(payload).inspect_err(|_| self.cut_back(before))
    }

    fn cut_back(&mut self, [strings, threads, vars, locks, messages, sites, methods, stable_names]: [usize; 8]) {
        self.strings.strings.truncate(strings);
        self.tables.threads.truncate(threads);
        self.tables.vars.truncate(vars);
        self.tables.locks.truncate(locks);
        self.tables.messages.truncate(messages);
        self.tables.sites.truncate(sites);
        self.tables.methods.truncate(methods);
        self.tables.stable_names.truncate(stable_names);
    }

    fn decode_sections(&mut self, payload: &[u8]) -> Result<Told, Reason> {
        let mut bytes = Bytes(payload);
        let mut left = MAX_ENTRIES;
        let mut told = Told::Next;
        while !bytes.0.is_empty() {
            let table = bytes.byte()?;
            let first = bytes.id()? as usize;
            let count = bytes.id()? as usize;
            left = left.checked_sub(count).ok_or_else(|| format!("more than {MAX_ENTRIES} entries"))?;
            let range = Range { first, count, slack: self.strings.slack as usize };
            let Tables { threads, vars, locks, messages, sites, methods, stable_names } = &mut self.tables;
            let section = match table {
                0 => range.extend(&mut self.strings.strings, || string(&mut bytes)),
                1 => range.extend(threads, || ThreadInfo::get(&mut bytes, &self.strings)),
                2 => range.extend(vars, || VarInfo::get(&mut bytes, &self.strings)),
                3 => range.extend(locks, || LockInfo::get(&mut bytes, &self.strings)),
                4 => range.extend(messages, || MessageInfo::get(&mut bytes, &self.strings)),
                5 => range.extend(sites, || SiteInfo::get(&mut bytes, &self.strings)),
                6 => range.extend(methods, || MethodInfo::get(&mut bytes, &self.strings)),
                7 => range.extend(stable_names, || StableName::get(&mut bytes, &self.strings)),
                other => Err(format!("unknown table {other}")),
            };
            if section? == Told::AfterGap {
                told = Told::AfterGap;
            }
        }
        Ok(told)
    }

    /// The lengths of the tables, from the closing block.
    pub(super) fn lengths_told(&self, bytes: &mut Bytes<'_>) -> Result<Vec<u64>, Reason> {
        let tables = if self.strings.version < STABLE_NAMES { 6 } else { 7 };
        (0..tables).map(|_| bytes.varint()).collect()
    }

    /// Compares with the lengths that the closing block tells.
    pub(super) fn check_lengths(&self, told: &[u64]) -> Result<(), Reason> {
        let names = ["threads", "locations", "locks", "messages", "sites", "methods", "stable names"];
        for ((length, told), name) in self.lengths()[1..].iter().zip(told).zip(names) {
            if *told != *length as u64 {
                return Err(format!("the closing block tells of {told} {name}, but the tables hold {length}"));
            }
        }
        Ok(())
    }
}

/// Where the entries of a section belong.
#[derive(Clone, Copy)]
struct Range {
    first: usize,
    count: usize,
    slack: usize,
}

impl Range {
    fn extend<T: Clone + Default>(
        self,
        rows: &mut Vec<T>,
        mut entry: impl FnMut() -> Result<T, Reason>,
    ) -> Result<Told, Reason> {
        let told = if self.first == rows.len() { Told::Next } else { Told::AfterGap };
        if self.first < rows.len() || self.first - rows.len() > self.slack {
            return Err(format!("a table goes on with entry {}, but it has {}", self.first, rows.len()));
        }
        rows.resize(self.first, T::default());
        for _ in 0..self.count {
            rows.push(entry()?);
        }
        Ok(told)
    }
}

fn string(bytes: &mut Bytes<'_>) -> Result<Arc<str>, Reason> {
    let length = usize::try_from(bytes.varint()?).unwrap_or(usize::MAX);
    if length > MAX_NAME {
        return Err(format!("a string of {length} bytes is longer than {MAX_NAME}"));
    }
    let text = std::str::from_utf8(bytes.take(length)?).map_err(|_| "a string is not UTF-8")?;
    Ok(text.into())
}
