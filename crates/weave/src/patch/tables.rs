//! The tables of a Code attribute that name offsets: exceptions, lines, variables.

use super::Output;
use super::layout::TRAMPOLINE_LENGTH;
use crate::Skipped;
use crate::bytes::{Gap, put_u16, range, u16_at};

/// An offset of the new code, which the layout keeps below 65536.
fn put_offset(out: &mut Vec<u8>, offset: usize) -> Result<(), Skipped> {
    put_u16(out, u16::try_from(offset).map_err(|_| Skipped::MethodTooLarge)?);
    Ok(())
}

impl Output<'_, '_> {
    /// The exception table. Gives, for each old entry, the index of the first new one made from it.
    ///
    /// A trampoline has the frame of its target, whose locals need not fit the handlers around it, so ranges leave
    /// trampolines out: an entry may become several, or none if its range is empty now.
    pub(super) fn exceptions(&self, out: &mut Vec<u8>) -> Result<Vec<u16>, Skipped> {
        let count = Gap::two(out);
        let mut written = 0_u16;
        let mut firsts = Vec::with_capacity(self.code.exceptions.len() / 8);
        for entry in self.code.exceptions.chunks_exact(8) {
            let start = self.layout.edge(usize::from(u16_at(entry, 0)?))?;
            let end = self.layout.edge(usize::from(u16_at(entry, 2)?))?;
            let handler = self.layout.target(usize::from(u16_at(entry, 4)?))?;
            firsts.push(written);
            self.protect(start, end, handler, u16_at(entry, 6)?, &mut written, out)?;
        }
        if self.patch.handler.is_some() {
            self.protect(self.patch.entry, self.layout.length, self.layout.length, 0, &mut written, out)?;
        }
        count.fill_two(out, written);
        Ok(firsts)
    }

    fn protect(
        &self,
        mut start: usize,
        end: usize,
        handler: usize,
        class: u16,
        written: &mut u16,
        out: &mut Vec<u8>,
    ) -> Result<(), Skipped> {
        let mut part = |from: usize, to: usize| -> Result<(), Skipped> {
            if from < to {
                put_offset(out, from)?;
                put_offset(out, to)?;
                put_offset(out, handler)?;
                put_u16(out, class);
                *written = written.checked_add(1).ok_or(Skipped::MethodTooLarge)?;
            }
            Ok(())
        };
        for trampoline in &self.layout.trampolines {
            if (start..end).contains(&trampoline.position) {
                part(start, trampoline.position)?;
                start = trampoline.position + TRAMPOLINE_LENGTH;
            }
        }
        part(start, end)
    }

    /// Where a line or a variable that starts at an old offset starts now: what starts with the method also
    /// covers its entry hooks.
    fn start(&self, old: usize) -> Result<usize, Skipped> {
        if old == 0 { Ok(0) } else { self.layout.target(old) }
    }

    /// A LineNumberTable.
    pub(super) fn lines(&self, table: &[u8], out: &mut Vec<u8>) -> Result<(), Skipped> {
        let count = usize::from(u16_at(table, 0)?);
        let entries = range(table, 2, 2 + 4 * count)?;
        put_u16(out, count as u16);
        out.reserve(entries.len());
        for entry in entries.chunks_exact(4) {
            let &[high, low, line_high, line_low] = entry else { continue };
            let start = self.start(usize::from(u16::from_be_bytes([high, low])))?;
            let [high, low] = u16::try_from(start).map_err(|_| Skipped::MethodTooLarge)?.to_be_bytes();
            out.extend_from_slice(&[high, low, line_high, line_low]);
        }
        Ok(())
    }

    /// A LocalVariableTable or LocalVariableTypeTable.
    pub(super) fn variables(&self, table: &[u8], out: &mut Vec<u8>) -> Result<(), Skipped> {
        let count = usize::from(u16_at(table, 0)?);
        let entries = range(table, 2, 2 + 10 * count)?;
        put_u16(out, count as u16);
        for entry in entries.chunks_exact(10) {
            self.live_range(entry, out)?;
            out.extend_from_slice(range(entry, 4, 10)?);
        }
        Ok(())
    }

    /// A start and a length, as tables of variables have them.
    pub(super) fn live_range(&self, entry: &[u8], out: &mut Vec<u8>) -> Result<(), Skipped> {
        let old = usize::from(u16_at(entry, 0)?);
        let start = self.start(old)?;
        let end = self.layout.target(old + usize::from(u16_at(entry, 2)?))?;
        put_offset(out, start)?;
        put_offset(out, end.saturating_sub(start))
    }
}
