//! Memory outside the Java heap that Java code reads and writes by address: mapped once, never given back to the system.
//!
//! Compiled code may still read the shadow of an array that has just died. Such a read has no consequence, but the
//! memory must be there.

use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};

const PAGE: usize = 4096;

/// A piece of such memory. Invariant: mapped, readable and writable as long as the process lives; begins at a multiple
/// of 8; Rust touches it by atomic operations only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    address: usize,
    bytes: usize,
}

impl Memory {
    /// New memory, all zero. It takes room only where it is touched.
    pub(crate) fn map(bytes: usize) -> Option<Memory> {
        let bytes = bytes.checked_next_multiple_of(PAGE)?;
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: the system chooses where; nothing that exists is touched.
        let start = unsafe { mmap_anonymous(ptr::null_mut(), bytes, protection, flags) };
        Some(Memory { address: start.ok()?.expose_provenance(), bytes })
    }

    pub(crate) fn address(self) -> usize {
        self.address
    }

    pub(crate) fn bytes(self) -> usize {
        self.bytes
    }

    /// The first `bytes`, a multiple of 8, and the rest.
    pub(crate) fn split(self, bytes: usize) -> Option<(Memory, Memory)> {
        let rest = self.bytes.checked_sub(bytes).filter(|_| bytes % 8 == 0)?;
        Some((Memory { bytes, ..self }, Memory { address: self.address + bytes, bytes: rest }))
    }

    /// All from a multiple of 8 on.
    pub(crate) fn from(self, offset: usize) -> Option<Memory> {
        self.split(offset).map(|(_, rest)| rest)
    }

    /// Keeps in a word of this memory where another begins.
    pub(crate) fn link(self, offset: usize, other: Memory) -> Option<()> {
        self.word(offset)?.store(other.address as u64, Ordering::SeqCst);
        Some(())
    }

    /// The memory that was linked in a word. It had so many bytes, and nothing else was ever put into the word but 0.
    pub(crate) fn linked(self, offset: usize, bytes: usize) -> Option<Memory> {
        let address = self.word(offset)?.load(Ordering::SeqCst) as usize;
        (address != 0).then_some(Memory { address, bytes })
    }

    /// The word at a multiple of 8.
    pub(crate) fn word(self, offset: usize) -> Option<&'static AtomicU64> {
        if offset % 8 != 0 || offset.checked_add(8)? > self.bytes {
            return None;
        }
        let word = ptr::with_exposed_provenance_mut(self.address + offset);
        // SAFETY: inside the mapping, which is never given back; aligned; touched by atomic operations only.
        Some(unsafe { AtomicU64::from_ptr(word) })
    }

    /// Words from a multiple of 8 on.
    pub(crate) fn words(self, offset: usize, count: usize) -> Option<&'static [AtomicU64]> {
        if offset % 8 != 0 || offset.checked_add(count.checked_mul(8)?)? > self.bytes {
            return None;
        }
        let first = ptr::with_exposed_provenance(self.address + offset);
        // SAFETY: inside the mapping, which is never given back; aligned; touched by atomic operations only.
        Some(unsafe { slice::from_raw_parts(first, count) })
    }

    /// The bytes from here on, in twos. Words of which bytes are used are not used whole while they are shared.
    pub(crate) fn pairs(self, offset: usize) -> Option<&'static [[AtomicU8; 2]]> {
        let count = self.bytes.checked_sub(offset)? / 2;
        let first = ptr::with_exposed_provenance(self.address + offset);
        // SAFETY: inside the mapping, which is never given back; touched by atomic operations only.
        Some(unsafe { slice::from_raw_parts(first, count) })
    }

    /// Makes all of it zero. Whole pages go back to the system until they are touched again.
    pub(crate) fn clear(self) {
        let end = self.address + self.bytes;
        let first = self.address.next_multiple_of(PAGE).min(end);
        let last = (end / PAGE * PAGE).max(first);
        if last > first {
            let start = ptr::with_exposed_provenance_mut(first);
            // SAFETY: whole pages of this memory, which stay mapped and read as zero.
            let result = unsafe { madvise(start, last - first, Advice::LinuxDontNeed) };
            if result.is_err() {
                self.zero(first, last);
            }
        }
        self.zero(self.address, first);
        self.zero(last, end);
    }

    fn zero(self, from: usize, to: usize) {
        for offset in (from - self.address..to - self.address).step_by(8) {
            if let Some(word) = self.word(offset) {
                word.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// The bits of an address that are always 0.
const BITS: u64 = 7;

/// A table of blocks of memory by number, which Java reads: each entry is the address of a word of a block, its origin,
/// with a few bits more, or 0.
///
/// The origin is the table's: the block's size, where in the block the origin lies, and above them a stamp that distinguishes what
/// was put there in turn. Blocks keep their sizes and origins for ever, so even a block that was taken out and cleared meanwhile is
/// read as what it is, or as empty.
pub(crate) struct Table {
    entries: Memory,
    stamps: AtomicU64,
}

/// How many bits of an origin are the block's size, and how many more say in which of its parts of so many bytes the origin
/// is the first word.
const SIZE_BITS: u32 = 36;
const PART_BITS: u32 = 4;
pub(crate) const PART: usize = 512;

impl Table {
    pub(crate) fn new(length: usize) -> Option<Table> {
        Some(Table { entries: Memory::map(length.checked_mul(8)?)?, stamps: AtomicU64::new(0) })
    }

    pub(crate) fn address(&self) -> usize {
        self.entries.address
    }

    /// The origin is so many parts from the start; all that use this block in turn have it there. `bits` are up to 7 and go with
    /// the address, for the shim. `None` if there is no such word, or the block is too large.
    pub(crate) fn put(&self, number: u32, block: Memory, parts: usize, bits: u64) -> Option<()> {
        let entry = self.entries.word(number as usize * 8)?;
        let stamp = self.stamps.fetch_add(1, Ordering::Relaxed);
        if block.bytes >> SIZE_BITS != 0 || parts >> PART_BITS != 0 {
            return None;
        }
        let origin = block.bytes as u64 | (parts as u64) << SIZE_BITS | stamp << (SIZE_BITS + PART_BITS);
        block.word(parts * PART)?.store(origin, Ordering::Relaxed);
        entry.store((block.address + parts * PART) as u64 | bits & BITS, Ordering::Release);
        Some(())
    }

    /// The block, and where its origin is in parts.
    pub(crate) fn get(&self, number: u32) -> Option<(Memory, usize)> {
        let entry = self.entries.word(number as usize * 8)?.load(Ordering::Acquire);
        let address = (entry & !BITS) as usize;
        if address == 0 {
            return None;
        }
        let origin = Memory { address, bytes: 8 }.word(0)?.load(Ordering::Relaxed);
        let bytes = origin & ((1 << SIZE_BITS) - 1);
        let parts = (origin >> SIZE_BITS & ((1 << PART_BITS) - 1)) as usize;
        Some((Memory { address: address - parts * PART, bytes: bytes as usize }, parts))
    }

    /// Distinguishes what was put there in turn.
    pub(crate) fn stamp(&self, number: u32) -> Option<u64> {
        let (block, parts) = self.get(number)?;
        Some(block.word(parts * PART)?.load(Ordering::Relaxed) >> (SIZE_BITS + PART_BITS))
    }

    /// The block that was there, and where its origin is in parts.
    pub(crate) fn remove(&self, number: u32) -> Option<(Memory, usize)> {
        let removed = self.get(number)?;
        self.entries.word(number as usize * 8)?.store(0, Ordering::Release);
        Some(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleared_memory_is_zero_and_no_other() {
        let all = Memory::map(10 * PAGE).unwrap();
        let (before, rest) = all.split(PAGE / 2).unwrap();
        let (cleared, after) = rest.split(3 * PAGE).unwrap();
        let words = |memory: Memory| (0..memory.bytes()).step_by(8).filter_map(move |offset| memory.word(offset));
        words(all).for_each(|word| word.store(7, Ordering::Relaxed));
        cleared.clear();
        assert!(words(cleared).all(|word| word.load(Ordering::Relaxed) == 0));
        assert!(words(before).chain(words(after)).all(|word| word.load(Ordering::Relaxed) == 7));
    }

    #[test]
    fn nothing_outside_can_be_reached() {
        let (memory, _) = Memory::map(PAGE).unwrap().split(64).unwrap();
        assert!(
            memory.word(56).is_some()
                && memory.pairs(62).is_some_and(|pairs| pairs.len() == 1)
                && memory.words(48, 2).is_some()
        );
        assert!(memory.word(64).is_none() && memory.word(4).is_none() && memory.pairs(65).is_none());
        assert!(memory.words(56, 2).is_none() && memory.words(8, usize::MAX).is_none());
        assert!(memory.word(usize::MAX - 7).is_none());
        assert!(memory.split(60).is_none() && memory.split(72).is_none());
    }
}
