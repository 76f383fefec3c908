//! Source lines of a method's instructions.

use crate::Skipped;
use crate::bytes::{range, u16_at};
use crate::classfile::{Code, Pool};

/// The line table of one method, read when a line is first asked for.
#[derive(Default)]
pub(super) struct Lines {
    /// Offsets with their lines, by offset.
    table: Option<Vec<(u16, u16)>>,
}

impl Lines {
    /// The line of the instruction at `pc`.
    pub(super) fn line(&mut self, pool: &Pool<'_>, code: &Code<'_>, pc: usize) -> Result<Option<u16>, Skipped> {
        let table = match &mut self.table {
            Some(table) => table,
            unread => unread.insert(read(pool, code)?),
        };
        let after = table.partition_point(|&(start, _)| usize::from(start) <= pc);
        Ok(after.checked_sub(1).and_then(|last| table.get(last)).map(|&(_, line)| line))
    }
}

fn read(pool: &Pool<'_>, code: &Code<'_>) -> Result<Vec<(u16, u16)>, Skipped> {
    let mut table = Vec::new();
    let mut attributes = code.attributes();
    while let Some(attribute) = attributes.next()? {
        if pool.utf8(attribute.name_index)? == b"LineNumberTable" {
            let count = usize::from(u16_at(attribute.body, 0)?);
            for entry in range(attribute.body, 2, 2 + 4 * count)?.chunks_exact(4) {
                table.push((u16_at(entry, 0)?, u16_at(entry, 2)?));
            }
        }
    }
    // Compilers may write the table in any order, and in parts.
    if !table.is_sorted_by_key(|&(start, _)| start) {
        table.sort_by_key(|&(start, _)| start);
    }
    Ok(table)
}
