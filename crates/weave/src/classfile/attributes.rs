//! Attributes: a name and bytes, in a counted list (JVMS §4.7).

use crate::Skipped;
use crate::bytes::{slice_at, u16_at, u32_at};

/// One attribute.
#[derive(Clone, Copy)]
pub(crate) struct Attribute<'a> {
    /// The pool index of its name.
    pub(crate) name_index: u16,
    /// Where it starts, with its name index, in the bytes that the list was read from.
    pub(crate) start: usize,
    /// What it holds.
    pub(crate) body: &'a [u8],
}

/// A list of attributes, read one by one.
#[derive(Clone)]
pub(crate) struct Attributes<'a> {
    bytes: &'a [u8],
    at: usize,
    /// `None` until the count is read.
    left: Option<u16>,
}

impl<'a> Attributes<'a> {
    /// The list whose count lies at `at`.
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Attributes { bytes, at, left: None }
    }

    /// The next attribute, or `None` after the last.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<Attribute<'a>>, Skipped> {
        let left = match self.left {
            Some(left) => left,
            None => {
                let count = u16_at(self.bytes, self.at)?;
                self.at += 2;
                count
            }
        };
        self.left = Some(left.saturating_sub(1));
        if left == 0 {
            return Ok(None);
        }
        let start = self.at;
        let name_index = u16_at(self.bytes, start)?;
        let length = u32_at(self.bytes, start + 2)? as usize;
        let body = slice_at(self.bytes, start + 6, length)?;
        self.at = start + 6 + length;
        Ok(Some(Attribute { name_index, start, body }))
    }

    /// Where the next attribute starts, or after the last one, what follows the list.
    pub(crate) fn position(&self) -> usize {
        self.at
    }
}
