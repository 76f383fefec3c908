//! Blocks of memory for the shadows of arrays: taken, given back, and used again for shadows of about the same size.

use std::sync::Mutex;

use crate::agent::lock;
use crate::ffi::Memory;
use crate::room::Room;

/// What is asked of the system at once.
const CHUNK: usize = 4 << 20;

/// Sizes are multiples of this; larger ones have two further bits.
const STEP: usize = 16;

/// All blocks. A block is zero when it is taken.
#[derive(Default)]
pub(crate) struct Blocks {
    tables: Mutex<BlockTables>,
    room: Room,
}

#[derive(Default)]
struct BlockTables {
    /// What is left of the last chunk.
    rest: Option<Memory>,
    /// By class of size, the blocks given back.
    free: Vec<Vec<Memory>>,
    in_use: usize,
}

impl Blocks {
    /// A block of at least so many bytes; `None` if the system has no more, or the program would soon have none.
    pub(crate) fn take(&self, bytes: usize) -> Option<Memory> {
        let (class, size) = class(bytes)?;
        let mut tables = lock(&self.tables);
        let free = tables.free.get_mut(class).and_then(Vec::pop);
        let block = match free {
            Some(block) => block,
            None if size >= CHUNK / 4 => self.map(size)?.split(size)?.0,
            None => {
                let rest = match tables.rest.filter(|rest| rest.bytes() >= size) {
                    Some(rest) => rest,
                    None => self.map(CHUNK)?,
                };
                let (block, rest) = rest.split(size)?;
                tables.rest = Some(rest);
                block
            }
        };
        tables.in_use += size;
        Some(block)
    }

    fn map(&self, bytes: usize) -> Option<Memory> {
        if self.room.has(bytes) { Memory::map(bytes) } else { None }
    }

    /// Nobody uses the block any more, except for reads without consequence.
    pub(crate) fn give_back(&self, block: Memory) {
        block.clear();
        let Some((class, size)) = class(block.bytes()) else { return };
        let mut tables = lock(&self.tables);
        tables.in_use = tables.in_use.saturating_sub(size);
        if class >= tables.free.len() {
            tables.free.resize_with(class + 1, Vec::new);
        }
        if let Some(free) = tables.free.get_mut(class) {
            free.push(block);
        }
    }

    /// How many bytes are in use.
    pub(crate) fn in_use(&self) -> usize {
        lock(&self.tables).in_use
    }
}

/// The class of a size, and the size of its blocks: at most a quarter more.
fn class(bytes: usize) -> Option<(usize, usize)> {
    let steps = bytes.max(1).div_ceil(STEP);
    if steps <= 8 {
        return Some((steps - 1, steps * STEP));
    }
    // Four classes for each doubling.
    let shift = (steps - 1).ilog2() as usize - 2;
    let quarters = steps.div_ceil(1 << shift);
    let class = 8 + (shift - 1) * 4 + (quarters - 5);
    let size = quarters.checked_shl(shift as u32)?.checked_mul(STEP)?;
    Some((class, size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn classes_are_dense_and_waste_at_most_a_quarter() {
        let mut last = 0;
        for bytes in 1..100_000 {
            let (class, size) = super::class(bytes).unwrap();
            assert!(size >= bytes && (size - bytes < STEP || size - bytes <= bytes / 4), "{bytes}: {size}");
            assert!(class == last || class == last + 1, "{bytes}");
            assert_eq!(super::class(size), Some((class, size)), "{bytes}");
            last = class;
        }
    }

    #[test]
    fn a_block_given_back_is_used_again_and_zero() {
        let blocks = Blocks::default();
        for bytes in [32, 100, 4000, 70_000, CHUNK, CHUNK + 1, 5 * CHUNK + 12_345] {
            let block = blocks.take(bytes).unwrap();
            let other = blocks.take(bytes).unwrap();
            assert_ne!(block, other);
            for offset in (0..bytes / 8 * 8).step_by(8) {
                assert_eq!(block.word(offset).unwrap().swap(9, Ordering::Relaxed), 0);
            }
            blocks.give_back(block);
            let again = blocks.take(bytes).unwrap();
            assert_eq!(again, block);
            assert_eq!(again.word(bytes / 8 * 8 - 8).unwrap().load(Ordering::Relaxed), 0);
            blocks.give_back(other);
            blocks.give_back(again);
            assert_eq!(blocks.in_use(), 0);
        }
    }
}
