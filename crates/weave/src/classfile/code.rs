//! The Code attribute (JVMS §4.7.3).

use super::{Attribute, Attributes, Pool};
use crate::Skipped;
use crate::bytes::{slice_at, u16_at, u32_at};

/// A method's body, in its parts.
pub(crate) struct Code<'a> {
    pub(crate) max_stack: u16,
    pub(crate) max_locals: u16,
    pub(crate) instructions: &'a [u8],
    /// Entries of eight bytes: start, end, handler, type.
    pub(crate) exceptions: &'a [u8],
    body: &'a [u8],
    attributes_at: usize,
}

impl<'a> Code<'a> {
    /// Takes the content of a Code attribute apart.
    pub(crate) fn read(body: &'a [u8]) -> Result<Code<'a>, Skipped> {
        let length = u32_at(body, 4)? as usize;
        if length == 0 || length > usize::from(u16::MAX) {
            return Err(Skipped::Malformed("a method's code is empty or longer than 65535 bytes"));
        }
        let instructions = slice_at(body, 8, length)?;
        let exceptions = 8 * usize::from(u16_at(body, 8 + length)?);
        Ok(Code {
            max_stack: u16_at(body, 0)?,
            max_locals: u16_at(body, 2)?,
            instructions,
            exceptions: slice_at(body, 10 + length, exceptions)?,
            body,
            attributes_at: 10 + length + exceptions,
        })
    }

    /// The attributes of the body.
    pub(crate) fn attributes(&self) -> Attributes<'a> {
        Attributes::new(self.body, self.attributes_at)
    }

    /// The first attribute of the body with this name.
    pub(crate) fn attribute(&self, pool: &Pool<'a>, name: &[u8]) -> Result<Option<Attribute<'a>>, Skipped> {
        let mut attributes = self.attributes();
        while let Some(attribute) = attributes.next()? {
            if pool.utf8(attribute.name_index)? == name {
                return Ok(Some(attribute));
            }
        }
        Ok(None)
    }
}
