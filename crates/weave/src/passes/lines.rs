//! Source lines of a method's instructions.

use crate::Skipped;
use crate::bytes::{range, u16_at};
use crate::classfile::{Code, Pool};

/// The line table of one method, read when a line is first asked for.
#[derive(Default)]
pub(super) struct Lines {
    /// Offsets with their lines, by offset.
    table: Vec<(u16, u16)>,
    state: State,
}

#[derive(Default, PartialEq, Eq)]
enum State {
    #[default]
    Unread,
    /// The last line asked for was found at this place.
    At(usize),
}

impl Lines {
    /// Starts a new method.
    pub(super) fn clear(&mut self) {
        self.state = State::Unread;
    }

    /// The line of the instruction at `pc`. Quick if asked for ascending offsets.
    pub(super) fn line(&mut self, pool: &Pool<'_>, code: &Code<'_>, pc: usize) -> Result<Option<u16>, Skipped> {
        if self.state == State::Unread {
            self.read(pool, code)?;
        }
        let starts_by = |place: usize| self.table.get(place).is_some_and(|&(start, _)| usize::from(start) <= pc);
        let mut place = match self.state {
            State::At(last) if starts_by(last) => last,
            _ => 0,
        };
        while starts_by(place + 1) {
            place += 1;
        }
        self.state = State::At(place);
        Ok(self.table.get(place).filter(|_| starts_by(place)).map(|&(_, line)| line))
    }

    fn read(&mut self, pool: &Pool<'_>, code: &Code<'_>) -> Result<(), Skipped> {
        self.table.clear();
        let mut attributes = code.attributes();
        while let Some(attribute) = attributes.next()? {
            if pool.utf8(attribute.name_index)? == b"LineNumberTable" {
                let count = usize::from(u16_at(attribute.body, 0)?);
                for entry in range(attribute.body, 2, 2 + 4 * count)?.chunks_exact(4) {
                    self.table.push((u16_at(entry, 0)?, u16_at(entry, 2)?));
                }
            }
        }
        // Compilers may write the table in any order, and in parts.
        if !self.table.is_sorted_by_key(|&(start, _)| start) {
            self.table.sort_by_key(|&(start, _)| start);
        }
        Ok(())
    }
}
