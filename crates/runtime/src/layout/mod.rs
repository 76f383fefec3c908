//! What the shim and the agent must agree on, once: where things lie in memory that both read, and the numbers that they pass.
//!
//! `crates/agent/build.rs` writes these constants to `AutodromeLayout.java`, the flags to `AutodromeEngine.java`, and the fields to
//! the stubs of `Thread` and `Class` against which the shim is compiled.

mod fields;
mod flags;

pub use fields::{CLASS_FIELDS, DESCRIPTOR_FIELDS, Field, THREAD_FIELDS};
pub use flags::EngineFlags;

/// A constant as Java has it, an `int`.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// Its name, in both languages.
    pub name: &'static str,
    /// Its value.
    pub value: i64,
    /// What it is.
    pub doc: &'static str,
}

macro_rules! constants {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[doc = $doc])+ pub const $name: $type = $value;)*

        /// All of them.
        pub const CONSTANTS: &[Constant] =
            &[$(Constant { name: stringify!($name), value: $name as i64, doc: concat!($($doc),+) }),*];
    };
}

constants! {
    /// Stamps: how many bits are the time; above them is the era.
    TIME_BITS: u32 = 20;
    /// As many eras as a stamp can name.
    ERA_COUNT: u32 = 1 << (31 - TIME_BITS);
    /// Clocks of reads: how many bits of their index are the shard.
    SHARD_BITS: u32 = 6;

    /// A thread's clock: the address of its times.
    CLOCK_TIMES: usize = 0;
    /// A thread's clock: how many times there are, an `int`.
    CLOCK_LENGTH: usize = 8;
    /// A thread's clock: for how many times there is room, an `int`.
    CLOCK_ROOM: usize = 12;
    /// A thread's clock: whether others have its present time without its doing, an `int`.
    CLOCK_IS_TAKEN: usize = 16;
    /// Pasts: where the times start; before them are the moment that the past is of, and the epoch of its thread.
    PAST_TIMES: usize = 2;

    /// Numbers of arrays: that of one which no other thread can know. Larger than what an address in its place is taken for.
    CONFINED: u32 = 256;
    /// Numbers of arrays: the smallest.
    FIRST_NUMBER: u32 = CONFINED + 1;

    /// Shadows without a pool: the words of the first element.
    SHADOW_WORDS: usize = 16;
    /// Shadows with a pool: the address of the second block, where elements have words of their own.
    SHADOW_SECOND: usize = 8;
    /// Shadows with a pool: how many words the pool has.
    SHADOW_COUNT: usize = 16;
    /// Shadows with a pool: the indices of the first element.
    SHADOW_INDICES: usize = 24;
    /// Shadows: the shortest array with a large pool, so that the pool is not the larger part.
    LONG_ARRAY: usize = 2048;
    /// Shadows: how many elements have a pool together, as a power of two.
    SEGMENT_BITS: u32 = 14;
    /// Shadows: how many elements have a pool together.
    SEGMENT: usize = 1 << SEGMENT_BITS;
    /// Shadows: how far apart those of segments are. An array with several has large pools.
    SEGMENT_STRIDE: usize = LARGE_POOL * 8 + SHADOW_INDICES + 2 * SEGMENT;
    /// Pools: how many words a small one has, the empty one among them.
    SMALL_POOL: usize = 64;
    /// Pools: how many words a large one has; not all have an index.
    LARGE_POOL: usize = 256;
    /// Pools: the index that stands for a word of an element's own. None is larger.
    POOL_OWN: u8 = 254;

    /// Shared by all that record: whether recording has stopped.
    RECORD_STOPPED: usize = 64;
    /// Shared by all that record: the first block in which accesses may still be logged.
    RECORD_FLOOR: usize = 72;
    /// Shared by all that record: the stripes of locks.
    RECORD_STRIPES: usize = 4096;
    /// Stripes: how many bits their index has.
    STRIPE_INDEX_BITS: u32 = 12;
    /// Stripes: how many bytes each has, as a power of two.
    STRIPE_BITS: u32 = 6;
    /// Rings: up to where the thread has room, as far as the thread knows.
    RING_LIMIT: usize = 8;
    /// Rings: how often the thread began or ended an access, odd within one.
    RING_ACTIVE: usize = 16;
    /// Rings: the thread's open block.
    RING_BLOCK: usize = 24;
    /// Rings: the number of the array that the thread accesses, which must not become another's until the access is logged.
    RING_ARRAY: usize = 32;
    /// Rings: the writer's end.
    RING_HEAD: usize = 64;
    /// Rings: up to which block the writer has closed all.
    RING_CLOSED: usize = 72;
    /// Rings: the first slot.
    RING_SLOTS: usize = 128;
    /// Rings: how many bytes a slot has, as a power of two.
    SLOT_BITS: u32 = 5;
    /// Rings: how many slots there are.
    RING_CAPACITY: u64 = 8192;
    /// Rings: how many slots must be free before an access.
    RING_ROOM: u64 = 16;

    /// Steps: a read of a variable.
    STEP_READ: u8 = 0;
    /// Steps: a write of a variable.
    STEP_WRITE: u8 = 1;
    /// Steps: what is added to a read or a write of an element.
    STEP_ELEMENT: u8 = 2;
    /// Steps: what is added to a read or a write of a volatile field.
    STEP_VOLATILE: u8 = 4;
    /// Steps: what the thread does next depends on what it has read.
    STEP_BRANCH: u8 = 12;
    /// Steps: added to one that has a value.
    STEP_HAS_VALUE: u8 = 0x80;
    /// Steps: added to one whose value is a reference.
    STEP_IS_REFERENCE: u8 = 0x40;

    /// Messages: what a class's initializer did is sent.
    SEND_INITIALIZER: i32 = 0;
    /// Messages: what a class's initializer did is received.
    RECEIVE_INITIALIZER: i32 = 1;
    /// Messages: an interrupt is sent.
    SEND_INTERRUPT: i32 = 2;
    /// Messages: an interrupt is received.
    RECEIVE_INTERRUPT: i32 = 3;

    /// Fields of sites: the class is not initialized yet.
    FIELD_NOT_READY: i32 = 0;
    /// Fields of sites: final, or without shadow words.
    FIELD_UNWATCHED: i32 = 1;
    /// Fields of sites: an access synchronizes.
    FIELD_VOLATILE: i32 = 2;
    /// Fields of sites: a plain field with shadow words.
    FIELD_PLAIN: i32 = 3;
    /// Fields of sites: an access synchronizes, and the field has a cell.
    FIELD_CELLED: i32 = 4;

    /// Fields in recordings: the class is not initialized yet.
    RECORDED_NOT_READY: i32 = 0;
    /// Fields in recordings: a plain one.
    RECORDED_PLAIN: i32 = 1;
    /// Fields in recordings: an access synchronizes.
    RECORDED_VOLATILE: i32 = 2;
    /// Fields in recordings: a final one, which is not recorded.
    RECORDED_NOT: i32 = 3;
    /// Fields in recordings: a plain one of a class that is not woven, whose accesses by others nobody sees.
    RECORDED_ELSEWHERE: i32 = 4;

    /// Classes in recordings: what their methods do is not recorded.
    COVERED_NOT: i32 = 1;
    /// Classes in recordings: what their own methods do is recorded, what they inherit perhaps not.
    COVERED_ITSELF: i32 = 2;
    /// Classes in recordings: what all their methods do is recorded.
    COVERED_WHOLE: i32 = 3;

    /// How a lock is held: a monitor.
    HELD_MONITOR: i32 = 0;
    /// How a lock is held: for writing.
    HELD_WRITE: i32 = 1;
    /// How a lock is held: for reading.
    HELD_READ: i32 = 2;

    /// Lockset modes: the state of a variable of which nothing more is to be learned.
    SETTLED: i32 = i32::MIN;
    /// Lockset modes: from here on threads need not ask that have made the access before.
    NEWS_THREADS: i32 = 0;
    /// Lockset modes: nor those that hold the same locks.
    NEWS_LOCKS: i32 = 1;
    /// Lockset modes: nor those that read.
    NEWS_WRITES: i32 = 2;
    /// Lockset modes: in the lower half of a word without a number, the access is a write.
    PENDING_WRITES: i32 = 1 << 30;
    /// Lockset modes: in the lower half of a word without a number, the context is that of a site alone.
    PENDING_FOR_ALL: i32 = 1 << 29;

    /// I/O, what a descriptor is: a socket that is not connected and does not listen, or not yet.
    IO_UNDECIDED: i32 = -1;
    /// I/O, what a descriptor is: nothing that hands data to a thread of this JVM.
    IO_NOTHING: i32 = 0;
    /// I/O, what a descriptor is: one end of a connection.
    IO_STREAM: i32 = 1;
    /// I/O, what a descriptor is: it accepts connections.
    IO_LISTENING: i32 = 2;
    /// I/O, what a descriptor is: a socket for datagrams.
    IO_DATAGRAM: i32 = 3;
    /// I/O, what a descriptor is: a file.
    IO_FILE: i32 = 4;
    /// I/O, what a descriptor is: one end of a pipe.
    IO_PIPE: i32 = 5;
    /// I/O, which cell is asked for: that to which an end writes, until it is closed.
    CELL_OUT: i32 = 0;
    /// I/O, which cell is asked for: that from which an end reads, until it is closed.
    CELL_IN: i32 = 1;
    /// I/O, which cell is asked for: from the listener to an end that was connected.
    CELL_LISTENER: i32 = 2;
    /// I/O, which cell is asked for: from one who begins to listen.
    CELL_BOUND: i32 = 3;
    /// I/O, which cell is asked for: to the port to which a socket for datagrams is connected.
    CELL_PEER: i32 = 4;
    /// I/O, which cell is asked for: to a port for datagrams.
    CELL_PORT: i32 = 5;
    /// I/O, which cell is asked for: from one who connects.
    CELL_CONNECT: i32 = 6;

    /// Sampling, flags: how many accesses are watched by woven code.
    SAMPLE_WATCHED: usize = 0;
    /// Sampling, flags: whether a slot is free.
    SAMPLE_HAS_ROOM: usize = 8;
    /// Sampling, flags: the keys of the accesses that woven code watches, one for each slot; 0 is none.
    SAMPLE_KEYS: usize = 16;
    /// Sampling, flags: how many slots there are.
    SAMPLE_SLOTS: usize = 4;
    /// Sampling, places: how many bytes each has, as a power of two.
    SAMPLE_PLACE_BITS: u32 = 5;
    /// Sampling, places: how many there are; further ones are neither sampled nor looked at.
    SAMPLE_PLACES: usize = 1 << 20;
    /// Sampling, places: what is accessed, by the name of the field or the type of the array.
    SAMPLE_PLACE_KEY: usize = 0;
    /// Sampling, places: whether the place rests.
    SAMPLE_PLACE_RESTS: usize = 8;
    /// Sampling, places: whether it reads or writes, for the agent.
    SAMPLE_PLACE_KIND: usize = 16;

    /// Accesses that no woven instruction makes: the site of one that is none of the program's.
    NO_SITE: i32 = -1;
}

/// How many words a small and a large pool have room for, beside the empty one.
pub const POOL_ROOM: [usize; 2] = [SMALL_POOL - 1, POOL_OWN as usize - 1];
