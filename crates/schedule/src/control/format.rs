//! Schedules as bytes.
//!
//! ```text
//! autodrome.schedule/2 NEWLINE
//! {"header": .., "threads": [..], "sites": [..]} NEWLINE      JSON on one line
//! runs: varint                                                how many
//! for each run:
//!     thread, points, site: varint                            indices into the lists above
//!     flags: byte                                             bits 0-2 why it ended, 3 by a time-out, 4 has picks
//!     picks: varint, for each: byte what, varint of, picked   if bit 4 is set
//! crc32 of all bytes before: 4 bytes, little-endian
//! ```
//!
//! A stretch takes 4 to 6 bytes. Nothing is allocated on the word of a number in the file: each stretch that is read has taken
//! 4 bytes of it.

use serde::{Deserialize, Serialize};

use super::policy::Pick;
use super::schedule::{End, Header, Picked, Run, Schedule, SiteName, ThreadName};
use crate::error::FileError;

/// The schema, which is the first line.
const SCHEMA: &str = "autodrome.schedule/2";

/// Every file of this kind begins so, whatever its version.
const KIND: &str = "autodrome.schedule/";

const ENDS: [End; 5] = [End::Choice, End::Blocked, End::Outside, End::Ended, End::Stopped];
const PICKS: [Pick; 2] = [Pick::Notify, Pick::Random];
const TIMED: u8 = 8;
const HAS_PICKS: u8 = 16;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    header: Header,
    threads: Vec<ThreadName>,
    sites: Vec<SiteName>,
}

impl Schedule {
    /// The schedule as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let tables = Tables { header: self.header.clone(), threads: self.threads.clone(), sites: self.sites.clone() };
        // Names and numbers only: JSON has a form for each.
        let tables = serde_json::to_string(&tables).unwrap_or_default();
        let mut bytes = format!("{SCHEMA}\n{tables}\n").into_bytes();
        put(&mut bytes, self.runs.len() as u64);
        for run in &self.runs {
            put(&mut bytes, run.thread.into());
            put(&mut bytes, run.points);
            put(&mut bytes, run.site.into());
            let has_picks = !run.picks.is_empty();
            let flags =
                code(&ENDS, run.end) | if run.is_timed { TIMED } else { 0 } | if has_picks { HAS_PICKS } else { 0 };
            bytes.push(flags);
            if has_picks {
                put(&mut bytes, run.picks.len() as u64);
            }
            for pick in &run.picks {
                bytes.push(code(&PICKS, pick.what));
                put(&mut bytes, pick.of.into());
                put(&mut bytes, pick.picked.into());
            }
        }
        let crc = crc32fast::hash(&bytes);
        bytes.extend(crc.to_le_bytes());
        bytes
    }

    /// Reads a schedule.
    pub fn parse(bytes: &[u8]) -> Result<Schedule, FileError> {
        let (schema, rest) = line(bytes).ok_or_else(|| malformed("it has no first line", 0))?;
        if schema != SCHEMA.as_bytes() {
            let found = String::from_utf8_lossy(schema.get(..80).unwrap_or(schema)).into_owned();
            return Err(if found.starts_with(KIND) {
                FileError::OtherSchema { expected: SCHEMA, found }
            } else {
                malformed("its first line is not the schema", 0)
            });
        }
        let Some((content, crc)) = bytes.split_last_chunk::<4>() else {
            return Err(malformed("it is cut off", bytes.len()));
        };
        if crc32fast::hash(content) != u32::from_le_bytes(*crc) {
            return Err(malformed("its checksum is wrong: it is damaged or cut off", content.len()));
        }
        let rest = rest.get(..rest.len().saturating_sub(4)).unwrap_or_default();
        let (tables, runs) = line(rest).ok_or_else(|| malformed("it has no tables", schema.len() + 1))?;
        let tables: Tables =
            serde_json::from_slice(tables).map_err(|error| malformed(&format!("tables: {error}"), schema.len() + 1))?;
        let mut schedule =
            Schedule { header: tables.header, threads: tables.threads, sites: tables.sites, runs: Vec::new() };
        let mut reader = Reader { bytes: runs, at: content.len() - runs.len() };
        for _ in 0..reader.number()? {
            let run = reader.run(&schedule)?;
            schedule.runs.push(run);
        }
        if !reader.bytes.is_empty() {
            return Err(malformed("there is more after the last run", reader.at));
        }
        Ok(schedule)
    }
}

fn malformed(why: &str, at: usize) -> FileError {
    FileError::Malformed { schema: SCHEMA, why: format!("{why} (at byte {at})") }
}

fn line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

fn code<T: PartialEq>(all: &[T], one: T) -> u8 {
    all.iter().position(|other| *other == one).map_or(0, |place| place as u8)
}

/// LEB128.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, FileError> {
        let (&first, rest) = self.bytes.split_first().ok_or_else(|| malformed("it ends within a run", self.at))?;
        self.bytes = rest;
        self.at += 1;
        Ok(first)
    }

    fn number(&mut self) -> Result<u64, FileError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(malformed("a number is too large", self.at))
    }

    fn below(&mut self, limit: u64, what: &str) -> Result<u32, FileError> {
        let at = self.at;
        let number = self.number()?;
        let fits = u32::try_from(number).ok().filter(|_| number < limit);
        fits.ok_or_else(|| malformed(&format!("{what} is {number}, of {limit}"), at))
    }

    fn run(&mut self, schedule: &Schedule) -> Result<Run, FileError> {
        let thread = self.below(schedule.threads.len() as u64, "a thread")?;
        let points = self.number()?;
        let site = self.below(schedule.sites.len() as u64, "a site")?;
        let flags = self.byte()?;
        let end = ENDS.get(usize::from(flags & 7)).filter(|_| flags < 2 * HAS_PICKS);
        let &end = end.ok_or_else(|| malformed("a run has unknown flags", self.at))?;
        let mut picks = Vec::new();
        if flags & HAS_PICKS != 0 {
            for _ in 0..self.number()? {
                let code = usize::from(self.byte()?);
                let &what = PICKS.get(code).ok_or_else(|| malformed("an unknown kind of choice", self.at))?;
                let of = self.below(u64::from(u32::MAX), "a choice")?;
                let picked = self.below(of.into(), "a choice")?;
                picks.push(Picked { what, of, picked });
            }
        }
        Ok(Run { thread, points, site, end, is_timed: flags & TIMED != 0, picks })
    }
}
