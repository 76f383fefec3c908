//! Writes `.adt`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::block::{BlockHeader, Codec, Kind};
use super::events::{Bounds, Columns, MAX_REACH};
use super::tables::{LongName, MAX_NAME, MAX_RATIO, TableEncoder};
use super::wire::put_varint;
use super::{MAGIC, VERSION, flags};
use crate::{Batch, Dropped, Error, Header, Row, Sink, Tables};

/// Events of a block: enough for compression, few enough that a block stays in a core's own cache, and little is lost
/// with it.
const EVENTS: usize = 1 << 14;

/// A block is written earlier if its values and reachable objects take this many bytes.
const EXTRA: usize = 1 << 20;

/// One of the fast levels: a recording must not wait for its compression. Level 1 takes more than twice as long
/// (docs/adr/0015-cheaper-recording.md).
const LEVEL: i32 = -3;

/// Writes `.adt`, from front to back, to anything that takes bytes.
///
/// Positions are counted anew from 0: a trace that was read over damage is whole again once written.
pub struct Writer<W> {
    output: W,
    name: PathBuf,
    header: Header,
    tables: TableEncoder,
    columns: Columns,
    /// Events in blocks written.
    events: u64,
    zstd: zstd::bulk::Compressor<'static>,
    raw: Vec<u8>,
    compressed: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Starts a trace; `name` is its name in errors. Blocks are written whole, so `output` needs no buffer.
    pub fn new(output: W, name: &Path, header: Header) -> Result<Self, Error> {
        let zstd = zstd::bulk::Compressor::new(LEVEL).map_err(|error| Error::io(name, error))?;
        let (tables, columns, name) = (TableEncoder::default(), Columns::default(), name.to_path_buf());
        let (raw, compressed) = (Vec::new(), Vec::new());
        let mut writer = Writer { output, name, header, tables, columns, events: 0, zstd, raw, compressed };
        let mut start = MAGIC.to_vec();
        start.extend_from_slice(&VERSION.to_le_bytes());
        start.extend_from_slice(&flags(header).to_le_bytes());
        let crc = crc32fast::hash(&start);
        start.extend_from_slice(&crc.to_le_bytes());
        writer.put(&start)?;
        Ok(writer)
    }

    /// Writes what waits for its block to fill, so that a reader can see it.
    pub fn flush(&mut self, tables: &Tables) -> Result<(), Error> {
        self.write_events(tables)?;
        self.output.flush().map_err(|error| Error::io(&self.name, error))
    }

    /// Writes what is left and the closing block. `duration` is how long the recorded run took.
    pub fn close(mut self, tables: &Tables, duration: Option<Duration>) -> Result<W, Error> {
        self.write_events(tables)?;
        self.write_tables(tables, &Bounds::default())?;
        let nanos = duration.map_or(0, |duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX - 1) + 1);
        self.raw.clear();
        put_varint(&mut self.raw, nanos);
        self.tables.put_lengths(&mut self.raw);
        self.write_block(Kind::Closing, self.events, 0)?;
        self.output.flush().map_err(|error| Error::io(&self.name, error))?;
        Ok(self.output)
    }

    /// Appends a batch. Its ids must be those of `tables`, which may grow from call to call but not change.
    pub fn append(&mut self, batch: &Batch, tables: &Tables) -> Result<(), Error> {
        batch.check(self.header, &self.name)?;
        batch.rows().try_for_each(|row| self.add(&row, tables))
    }

    /// Appends one event: for a recording, which has none of them in a batch.
    #[inline]
    pub fn push(&mut self, row: &Row<'_>, tables: &Tables) -> Result<(), Error> {
        match row.problem(self.header) {
            Some(problem) => Err(self.unfit(row, problem)),
            None => self.add(row, tables),
        }
    }

    fn unfit(&self, row: &Row<'_>, problem: &'static str) -> Error {
        Error::Unfit { path: self.name.clone(), event: row.at, problem }
    }

    #[inline]
    fn add(&mut self, row: &Row<'_>, tables: &Tables) -> Result<(), Error> {
        if row.reach.is_some_and(|objects| objects.len() > MAX_REACH) {
            return Err(self.unfit(row, "it reaches more objects than a block can hold"));
        }
        self.columns.push(row);
        if self.columns.len() >= EVENTS || self.columns.extra() >= EXTRA {
            self.write_events(tables)?;
        }
        Ok(())
    }

    /// Takes the locations and messages off the tables that are on their way: for a recording that has more of them than
    /// memory. From here on these two tables go on after what was taken.
    pub fn forget(&mut self, tables: &mut Tables) {
        self.tables.forget(tables);
    }

    fn write_events(&mut self, tables: &Tables) -> Result<(), Error> {
        let count = self.columns.len();
        if count == 0 {
            return Ok(());
        }
        let needed = self.columns.bounds();
        self.write_tables(tables, &needed)?;
        self.raw.clear();
        self.columns.drain(&mut self.raw);
        self.write_block(Kind::Events, self.events, count as u32)?;
        self.events += count as u64;
        Ok(())
    }

    fn write_tables(&mut self, tables: &Tables, needed: &Bounds) -> Result<(), Error> {
        loop {
            let more = self.tables.take(tables, needed).map_err(|LongName(name)| Error::LongName {
                path: self.name.clone(),
                length: name.len(),
                limit: MAX_NAME,
                start: name.chars().take(40).collect(),
            })?;
            self.raw.clear();
            self.tables.drain(&mut self.raw);
            if !self.raw.is_empty() {
                self.write_block(Kind::Tables, 0, 0)?;
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// Writes a block whose payload is in `raw`.
    fn write_block(&mut self, kind: Kind, first: u64, count: u32) -> Result<(), Error> {
        self.compressed.clear();
        self.compressed.reserve(zstd::zstd_safe::compress_bound(self.raw.len()));
        self.zstd.compress_to_buffer(&self.raw, &mut self.compressed).map_err(|error| Error::io(&self.name, error))?;
        let too_small = kind == Kind::Tables && self.compressed.len() * MAX_RATIO < self.raw.len();
        let (codec, payload) = if self.compressed.len() < self.raw.len() && !too_small {
            (Codec::Zstd, &self.compressed)
        } else {
            (Codec::Plain, &self.raw)
        };
        let (stored, raw) = (payload.len(), self.raw.len());
        let header =
            BlockHeader { kind, codec, stored, raw, first, count, payload_crc: crc32fast::hash(payload) }.encode();
        // One write for header and payload: a process that is killed leaves whole blocks, mostly.
        let mut block = Vec::with_capacity(header.len() + stored);
        block.extend_from_slice(&header);
        block.extend_from_slice(payload);
        self.put(&block)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.output.write_all(bytes).map_err(|error| Error::io(&self.name, error))
    }
}

impl<W: Write> Sink for Writer<W> {
    fn write(&mut self, batch: &Batch, tables: &Tables) -> Result<(), Error> {
        self.append(batch, tables)
    }

    fn finish(self: Box<Self>, tables: &Tables, duration: Option<Duration>) -> Result<Dropped, Error> {
        self.close(tables, duration).map(|_| Dropped::default())
    }
}
