//! The binary format, `.adt`.
//!
//! A file is a file header and then blocks. It is written from front to back without a look back, so a recording of a
//! program that is killed can be read up to the last whole block. All numbers are little-endian; a *varint* is seven
//! bits a byte, lowest first, the high bit set on all but the last byte.
//!
//! File header, 16 bytes:
//!
//! | bytes | what |
//! |-------|------|
//! | 0–7   | [`MAGIC`]: not UTF-8, and broken by any program that converts line ends |
//! | 8–9   | version |
//! | 10–11 | flags: bit 0 values are recorded, bit 1 branches are recorded, from version 3 on bit 2: reachable objects were found once and followed; the rest is 0 |
//! | 12–15 | CRC-32 of bytes 0–11 |
//!
//! Version rule: these 16 bytes never change their form. [`VERSION`] goes up whenever a reader of the version before
//! would refuse or misread what follows: a new block kind, operation, table, flag. A reader reads every version up to
//! its own and refuses a newer one by name.
//!
//! Block header, 36 bytes, followed by the payload:
//!
//! | bytes | what |
//! |-------|------|
//! | 0–3   | block magic, `AD B1 0C 4B` |
//! | 4     | kind: 1 tables, 2 events, 3 closing |
//! | 5     | codec of the payload: 0 plain, 1 a zstd frame |
//! | 6–7   | 0 |
//! | 8–11  | length of the payload as stored, at most 16 MiB |
//! | 12–15 | length of the payload when decoded, at most 16 MiB |
//! | 16–23 | events: position of the first event; closing: number of events in all; tables: 0 |
//! | 24–27 | events: number of events, 1 to 65,536; else 0 |
//! | 28–31 | CRC-32 of the payload as stored |
//! | 32–35 | CRC-32 of bytes 0–31, and so of all the block |
//!
//! Events payload, column by column, so that like stands beside like; *n* is the number of events:
//! - *n* tags of one byte. Bits 0–3: 0 read, 1 write, 2 acquire for writing, 3 acquire for reading, 4 release for
//!   writing, 5 release for reading, 6 send, 7 receive, 8 fork, 9 join, 10 branch, 11 method begin, 12 method end.
//!   Bit 4: the value is the expected one (0 only). Bit 5: the operand is in step. Bit 6: a list of reachable objects
//!   follows (method begin only). Bit 7: a value follows (0, 1, 6, 7 only), and bit 4 is 0.
//! - Threads: for each run of events of one thread a varint, its length, and a varint, the thread.
//! - Sites: one byte *width*, 0 to 4, and *n* ids of *width* bytes; width 0 stands for ids that are all 0.
//! - For each event that is not in step a varint, zigzag-coded: its operand (the id of the location, lock, message,
//!   thread or method; 0 for a branch) minus the one before of the same site, as 32 bits that wrap around. In step is an
//!   operand whose difference is the same as the last one. Before the first of a block, operand and difference are 0;
//!   sites that are equal modulo 4096 are one.
//! - A varint for each value, zigzag-coded (`x << 1 ^ x >> 63`), since negative numbers are sign-extended. Expected is
//!   the value that the last read or write of the location with a value had, in whatever block, or 0; no value is
//!   expected of locations from 2²² on. After lost events a reader does not know what to expect of a location until
//!   a value of it follows.
//! - For each list of reachable objects a varint, its length, at most 1,048,576, and a varint for each object: the
//!   first as it is, each further one as the difference, at least 1, from the one before.
//!
//! Up to version 3 threads and operands are columns like sites, in the order threads, operands, sites, and bits 4 and 5
//! are 0.
//!
//! Every id stands in a table block before its first use. An event block needs nothing else from other blocks but
//! expected values, so a reader can go on after a damaged one; the header's position keeps the count right.
//!
//! Tables payload: sections, each one byte for the table (0 strings, 1 threads, 2 locations, 3 locks, 4 messages, 5
//! sites, 6 methods, from version 5 on 7 stable names), a varint for the id of the first entry, a varint for the number
//! of entries, at most 65,536 in a block, and the entries. A table
//! goes on where its last section ended. A zstd frame of tables is at most 64 times
//! smaller than what it holds: unlike events, tables stay in memory. Entries:
//! - string: a varint, its length, at most 1 MiB, and as many bytes of UTF-8;
//! - *name*, a varint: 0 for none, else a string's id plus 1;
//! - thread: its name, its title, from version 2 on a varint, its object;
//! - location: a byte (0 a plain name, 1 field, 2 static field, 3 array element), name, varint object, and for an
//!   element a varint, its index;
//! - lock: a byte (0 monitor, 1 owned, 2 read-write), name, varint object;
//! - message: a byte (0 channel, 1 volatile, 2 notify, 3 class initialisation), name, varint object;
//! - site: name, from version 3 on a byte (0 the program's, 1 the platform's);
//! - method: name;
//! - stable name: the name of a class, or of a method with its class, and what the ids of races have in its place.
//!
//! Closing payload: a varint for the duration of the run in nanoseconds plus 1, or 0 if it is not known; a varint each
//! for the number of threads, locations, locks, messages, sites, methods and, from version 5 on, stable names. It is the
//! last block; a file without it was cut.

mod block;
mod events;
mod foresight;
mod reader;
mod tables;
mod wire;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

use crate::{Header, Recorded};

/// The first bytes of a binary trace.
pub const MAGIC: [u8; 8] = *b"\x89ADT\r\n\x1a\n";

/// The version that we write; we read it and all before it.
pub const VERSION: u16 = 6;

/// Bytes of the file header.
const FILE_HEADER: usize = 16;

const FLAG_VALUES: u16 = 1;
const FLAG_BRANCHES: u16 = 2;
const FLAG_FOLLOWED: u16 = 4;

fn flags(header: Header) -> u16 {
    let flag = |recorded, bit| if recorded == Recorded::Yes { bit } else { 0 };
    flag(header.values, FLAG_VALUES) | flag(header.branches, FLAG_BRANCHES) | flag(header.followed, FLAG_FOLLOWED)
}
