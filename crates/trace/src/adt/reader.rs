//! Reads `.adt`.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use model::EventIndex;

use super::block::{self, BlockHeader, Codec, Kind};
use super::events::Scratch;
use super::tables::{MAX_RATIO, TableDecoder, Told};
use super::wire::{Bytes, Reason, u32_at};
use super::{FILE_HEADER, FLAG_BRANCHES, FLAG_FOLLOWED, FLAG_VALUES, MAGIC, VERSION};
use crate::window::Window;
use crate::{Batch, Cut, Damage, Damaged, End, Ending, Error, Format, Header, Progress, Recorded, Source, Tables};

/// How many table entries a lost byte can have held, compressed. It bounds the ids that are believed after damage,
/// and so the memory that a damaged file can make anyone take.
const ENTRIES_PER_LOST_BYTE: u64 = 8;

/// Reads `.adt`.
///
/// Invariant: `next` is the position after the last event handed out or known to be lost.
pub struct Reader<R> {
    window: Window<R>,
    damage: Damage,
    version: u16,
    header: Header,
    tables: TableDecoder,
    next: u64,
    events_read: u64,
    ending: Ending,
    state: State,
    scratch: Scratch,
    zstd: zstd::bulk::Decompressor<'static>,
    raw: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Blocks follow.
    Open,
    /// The closing block was read.
    Closed,
    /// There is nothing more to read.
    Done,
}

/// What a block was.
enum Block {
    Events,
    Other,
}

impl<R: Read> Reader<R> {
    /// Reads an `.adt` from any input; `name` is its name in errors.
    pub fn from_input(input: R, name: &Path, damage: Damage) -> Result<Self, Error> {
        Reader::new(Window::new(input, name, 0), damage)
    }

    pub(crate) fn new(mut window: Window<R>, damage: Damage) -> Result<Self, Error> {
        let zstd = zstd::bulk::Decompressor::new().map_err(|error| Error::io(window.name(), error))?;
        let (mut version, mut header) = (VERSION, Header::default());
        let (mut state, mut ending) = (State::Open, Ending::default());
        if let Some(bytes) = window.ask(FILE_HEADER)?.first_chunk::<FILE_HEADER>().copied() {
            (version, header) = decode_file_header(&bytes, window.name())?;
            window.consume(FILE_HEADER);
        } else {
            ending.end = End::Truncated { cut: Cut::InHeader, offset: 0, events: 0 };
            state = State::Done;
        }
        let (tables, scratch, raw) = (TableDecoder::of_version(version), Scratch::of_version(version), Vec::new());
        let (next, events_read) = (0, 0);
        Ok(Reader { window, damage, version, header, tables, next, events_read, ending, state, scratch, zstd, raw })
    }

    /// Reads one block.
    fn block(&mut self, batch: &mut Batch) -> Result<Block, Error> {
        let offset = self.window.offset();
        let bytes = self.window.ask(block::HEADER)?;
        if bytes.len() < block::HEADER {
            let cut = if bytes.is_empty() { Cut::BetweenBlocks } else { Cut::InBlock };
            return Ok(self.end(cut));
        }
        let header = match BlockHeader::decode(bytes) {
            Ok(header) => header,
            Err(reason) => {
                self.note(offset, reason)?;
                self.resynchronize(1)?;
                return Ok(Block::Other);
            }
        };
        let length = block::HEADER + header.stored;
        let bytes = self.window.ask(length)?;
        let Some(payload) = bytes.get(block::HEADER..length) else {
            return self.cut_block(offset);
        };
        if crc32fast::hash(payload) != header.payload_crc {
            self.note(offset, "the checksum of the block is wrong".into())?;
            self.leave_block(length)?;
            return Ok(Block::Other);
        }
        let decoded = self.decode(&header, offset, batch);
        self.window.consume(length);
        match decoded? {
            Ok(block) => Ok(block),
            Err(reason) => {
                batch.clear();
                self.note(offset, reason)?;
                self.lost(length as u64);
                Ok(Block::Other)
            }
        }
    }

    /// Decodes the block at the start of the window. The outer error ends the reading, the inner one only the block.
    fn decode(&mut self, header: &BlockHeader, offset: u64, batch: &mut Batch) -> Result<Result<Block, Reason>, Error> {
        let stored = &self.window.available()[block::HEADER..block::HEADER + header.stored];
        let payload = match decompress(&mut self.zstd, header, stored, &mut self.raw) {
            Ok(payload) => payload,
            Err(reason) => return Ok(Err(reason)),
        };
        match header.kind {
            Kind::Tables => match self.tables.decode(payload) {
                Ok(Told::Next) => Ok(Ok(Block::Other)),
                Ok(Told::AfterGap) => {
                    self.note(offset, "table entries before this block are missing".into())?;
                    Ok(Ok(Block::Other))
                }
                Err(reason) => Ok(Err(reason)),
            },
            Kind::Events => {
                if header.first < self.next {
                    return Ok(Err(format!("event {} comes again, after event {}", header.first, self.next - 1)));
                }
                if header.first > self.next {
                    self.scratch.miss_events();
                }
                let bounds = self.tables.bounds();
                if let Err(reason) = self.scratch.decode(payload, header.count, &bounds, self.header, batch) {
                    // Some of its values may be believed by now.
                    self.scratch.miss_events();
                    return Ok(Err(reason));
                }
                self.note_gap(offset, header.first)?;
                batch.first = EventIndex(header.first);
                self.next = header.first + u64::from(header.count);
                self.events_read += u64::from(header.count);
                Ok(Ok(Block::Events))
            }
            Kind::Closing => match closing(payload, &self.tables) {
                Ok((duration, lengths)) => {
                    self.note_gap(offset, header.first)?;
                    if let Err(reason) = lengths {
                        self.note(offset, reason)?;
                    }
                    self.ending.duration = duration;
                    self.state = State::Closed;
                    Ok(Ok(Block::Other))
                }
                Err(reason) => Ok(Err(reason)),
            },
        }
    }

    /// Nothing may follow the closing block.
    fn close(&mut self) -> Result<(), Error> {
        let offset = self.window.offset();
        if !self.window.ask(1)?.is_empty() {
            self.note(offset, "the file goes on after the closing block".into())?;
        }
        self.ending.end = End::Complete;
        self.state = State::Done;
        Ok(())
    }

    fn end(&mut self, cut: Cut) -> Block {
        self.ending.end = End::Truncated { cut, offset: self.window.offset(), events: self.events_read };
        self.state = State::Done;
        Block::Other
    }

    /// The input ends before the block does. If bytes are missing from its middle, whole blocks can still follow.
    fn cut_block(&mut self, offset: u64) -> Result<Block, Error> {
        if self.damage == Damage::Skip && find_block(&self.window.available()[1..]).is_some() {
            self.note(offset, "the block is not whole".into())?;
            self.resynchronize(1)?;
            return Ok(Block::Other);
        }
        Ok(self.end(Cut::InBlock))
    }

    fn note(&mut self, offset: u64, reason: Reason) -> Result<(), Error> {
        match self.damage {
            Damage::Refuse => Err(Error::Damaged { path: self.window.name().to_path_buf(), offset, reason }),
            Damage::Skip => {
                self.ending.damaged.push(Damaged { offset, reason });
                Ok(())
            }
        }
    }

    fn note_gap(&mut self, offset: u64, first: u64) -> Result<(), Error> {
        if first == self.next {
            return Ok(());
        }
        let reason = if first < self.next {
            format!("the closing block tells of {first} events, but there were {}", self.next)
        } else {
            format!("events {} to {} before this block are missing", self.next, first - 1)
        };
        self.note(offset, reason)
    }

    fn lost(&mut self, bytes: u64) {
        let more = u32::try_from(bytes.saturating_mul(ENTRIES_PER_LOST_BYTE)).unwrap_or(u32::MAX);
        self.tables.allow_more(more);
    }

    /// Leaves a block whose payload is wrong: where its header says that it ends if a block starts there, else
    /// wherever the next one starts.
    fn leave_block(&mut self, length: usize) -> Result<(), Error> {
        let bytes = self.window.ask(length + block::HEADER)?;
        let behind = bytes.get(length..).unwrap_or_default();
        if behind.is_empty() || BlockHeader::decode(behind).is_ok() {
            self.window.consume(length);
            self.lost(length as u64);
            Ok(())
        } else {
            self.resynchronize(block::HEADER)
        }
    }

    /// Moves on, by `least` bytes at least, to the next block header whose checksum holds, or to the end.
    fn resynchronize(&mut self, least: usize) -> Result<(), Error> {
        let start = self.window.offset();
        self.window.consume(least);
        loop {
            let bytes = self.window.ask(block::HEADER)?;
            if let Some(found) = find_block(bytes) {
                self.window.consume(found);
                break;
            }
            // A header may have begun within the last bytes.
            let hopeless = (bytes.len() + 1).saturating_sub(block::HEADER);
            if hopeless == 0 {
                let rest = bytes.len();
                self.window.consume(rest);
                break;
            }
            self.window.consume(hopeless);
        }
        self.lost(self.window.offset() - start);
        Ok(())
    }
}

/// Where in `bytes` the first whole block header is.
fn find_block(bytes: &[u8]) -> Option<usize> {
    bytes
        .windows(block::HEADER)
        .position(|window| window.starts_with(&block::MAGIC) && BlockHeader::decode(window).is_ok())
}

fn decode_file_header(bytes: &[u8; FILE_HEADER], name: &Path) -> Result<(u16, Header), Error> {
    let damaged = |reason: &str| Error::Damaged { path: name.to_path_buf(), offset: 0, reason: reason.into() };
    if !bytes.starts_with(&MAGIC) {
        return Err(damaged("no binary trace starts here"));
    }
    if u32_at(bytes, 12) != crc32fast::hash(&bytes[..12]) {
        return Err(damaged("the checksum of the file header is wrong"));
    }
    let (version, flags) = (u16::from_le_bytes([bytes[8], bytes[9]]), u16::from_le_bytes([bytes[10], bytes[11]]));
    if version > VERSION {
        return Err(Error::NewerVersion { path: name.to_path_buf(), found: version.into(), known: VERSION });
    }
    if version == 0 {
        return Err(damaged("there is no version 0"));
    }
    if flags & !(FLAG_VALUES | FLAG_BRANCHES | FLAG_FOLLOWED) != 0 {
        return Err(damaged("the file header has flags that mean nothing"));
    }
    let recorded = |bit| if flags & bit == 0 { Recorded::No } else { Recorded::Yes };
    let (values, branches) = (recorded(FLAG_VALUES), recorded(FLAG_BRANCHES));
    Ok((version, Header { values, branches, followed: recorded(FLAG_FOLLOWED) }))
}

fn decompress<'a>(
    zstd: &mut zstd::bulk::Decompressor<'static>,
    header: &BlockHeader,
    stored: &'a [u8],
    raw: &'a mut Vec<u8>,
) -> Result<&'a [u8], Reason> {
    if header.codec == Codec::Plain {
        return Ok(stored);
    }
    if header.kind == Kind::Tables && header.raw > stored.len().saturating_mul(MAX_RATIO) {
        return Err(format!("{} bytes of tables are compressed into {}", header.raw, stored.len()));
    }
    raw.clear();
    raw.reserve(header.raw);
    zstd.decompress_to_buffer(stored, raw).map_err(|error| format!("its compression: {error}"))?;
    if raw.len() != header.raw {
        return Err(format!("it holds {} bytes, but its header says {}", raw.len(), header.raw));
    }
    Ok(raw)
}

/// The duration of the run, and whether the tables are as long as they should be.
type Closing = (Option<Duration>, Result<(), Reason>);

fn closing(payload: &[u8], tables: &TableDecoder) -> Result<Closing, Reason> {
    let mut bytes = Bytes(payload);
    let duration = bytes.varint()?.checked_sub(1).map(Duration::from_nanos);
    let told = tables.lengths_told(&mut bytes)?;
    bytes.end()?;
    Ok((duration, tables.check_lengths(&told)))
}

impl<R: Read> Source for Reader<R> {
    fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        batch.clear();
        loop {
            let step = match self.state {
                State::Open => self.block(batch),
                State::Closed => self.close().map(|()| Block::Other),
                State::Done => return Ok(false),
            };
            match step {
                Ok(Block::Events) => return Ok(true),
                Ok(Block::Other) => {}
                Err(error) => {
                    self.state = State::Done;
                    batch.clear();
                    return Err(error);
                }
            }
        }
    }

    fn tables(&self) -> &Tables {
        &self.tables.tables
    }

    fn header(&self) -> Header {
        self.header
    }

    fn format(&self) -> Format {
        Format::Adt(self.version)
    }

    fn progress(&self) -> Progress {
        self.window.progress()
    }

    fn ending(&self) -> &Ending {
        &self.ending
    }
}
