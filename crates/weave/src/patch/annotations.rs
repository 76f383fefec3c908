//! Type annotations inside a method's code (JVMS §4.7.20): some name offsets, or entries of the exception table.

use super::Output;
use crate::Skipped;
use crate::bytes::{put_u16, range, slice_at, u8_at, u16_at};

/// How deep annotations may nest before the rewriter gives up on a method; real ones nest two or three deep.
const DEEPEST: u8 = 32;

impl Output<'_, '_> {
    /// A Runtime(In)VisibleTypeAnnotations attribute of a Code attribute.
    pub(super) fn type_annotations(&self, table: &[u8], ranges: &[u16], out: &mut Vec<u8>) -> Result<(), Skipped> {
        let count = u16_at(table, 0)?;
        put_u16(out, count);
        let mut at = 2;
        for _ in 0..count {
            let target = u8_at(table, at)?;
            out.push(target);
            at += 1;
            match target {
                // Local variables: where each is alive.
                0x40 | 0x41 => {
                    let entries = u16_at(table, at)?;
                    put_u16(out, entries);
                    at += 2;
                    for _ in 0..entries {
                        self.live_range(slice_at(table, at, 4)?, out)?;
                        out.extend_from_slice(slice_at(table, at + 4, 2)?);
                        at += 6;
                    }
                }
                // A catch clause: its entry of the exception table.
                0x42 => {
                    let entry = usize::from(u16_at(table, at)?);
                    let moved = ranges.get(entry).ok_or(Skipped::Malformed("an annotation names no catch clause"))?;
                    put_u16(out, *moved);
                    at += 2;
                }
                // instanceof, new and method references: the instruction.
                0x43..=0x46 => {
                    self.instruction_offset(table, at, out)?;
                    at += 2;
                }
                // Casts and type arguments: the instruction and a position.
                0x47..=0x4b => {
                    self.instruction_offset(table, at, out)?;
                    out.push(u8_at(table, at + 2)?);
                    at += 3;
                }
                _ => return Err(Skipped::Malformed("an annotation of code has an unknown target")),
            }
            let path = 1 + 2 * usize::from(u8_at(table, at)?);
            let end = annotation_end(table, at + path, 0)?;
            out.extend_from_slice(range(table, at, end)?);
            at = end;
        }
        Ok(())
    }

    fn instruction_offset(&self, table: &[u8], at: usize, out: &mut Vec<u8>) -> Result<(), Skipped> {
        let moved = self.layout.instruction(usize::from(u16_at(table, at)?), self.patch)?;
        put_u16(out, u16::try_from(moved).map_err(|_| Skipped::MethodTooLarge)?);
        Ok(())
    }
}

/// Where the annotation at `at` ends: a type, then pairs of names and values.
pub(crate) fn annotation_end(table: &[u8], at: usize, depth: u8) -> Result<usize, Skipped> {
    let pairs = u16_at(table, at + 2)?;
    let mut at = at + 4;
    for _ in 0..pairs {
        at = value_end(table, at + 2, depth)?;
    }
    Ok(at)
}

fn value_end(table: &[u8], at: usize, depth: u8) -> Result<usize, Skipped> {
    if depth > DEEPEST {
        return Err(Skipped::Malformed("annotations nest too deep"));
    }
    match u8_at(table, at)? {
        b'e' => Ok(at + 5),
        b'@' => annotation_end(table, at + 1, depth + 1),
        b'[' => {
            let count = u16_at(table, at + 1)?;
            let mut at = at + 3;
            for _ in 0..count {
                at = value_end(table, at, depth + 1)?;
            }
            Ok(at)
        }
        _ => Ok(at + 3),
    }
}
