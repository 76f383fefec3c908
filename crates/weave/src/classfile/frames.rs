//! Reading a StackMapTable (JVMS §4.7.4): each frame in full, whatever its compressed form.

use crate::Skipped;
use crate::bytes::{u8_at, u16_at};

/// A verification type: its tag, and for an object its class constant, for a new object where it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) tag: u8,
    pub(crate) operand: u16,
}

impl Type {
    pub(crate) const TOP: Type = Type { tag: 0, operand: 0 };
    pub(crate) const INTEGER: Type = Type { tag: 1, operand: 0 };
    pub(crate) const FLOAT: Type = Type { tag: 2, operand: 0 };
    pub(crate) const DOUBLE: Type = Type { tag: 3, operand: 0 };
    pub(crate) const LONG: Type = Type { tag: 4, operand: 0 };
    pub(crate) const UNINITIALIZED_THIS: Type = Type { tag: 6, operand: 0 };
    /// The tag of an object of a class.
    pub(crate) const OBJECT: u8 = 7;
    /// The tag of an object that `new` made and no constructor has seen yet.
    pub(crate) const UNINITIALIZED: u8 = 8;

    /// An object of the class whose constant has this index.
    pub(crate) fn object(class: u16) -> Type {
        Type { tag: Type::OBJECT, operand: class }
    }

    /// How many local slots the type takes.
    pub(crate) fn slots(self) -> usize {
        if self == Type::DOUBLE || self == Type::LONG { 2 } else { 1 }
    }

    /// Reads the type at `at`, and says how long it is.
    pub(crate) fn read(bytes: &[u8], at: usize) -> Result<(Type, usize), Skipped> {
        let tag = u8_at(bytes, at)?;
        match tag {
            0..=6 => Ok((Type { tag, operand: 0 }, 1)),
            7 | 8 => Ok((Type { tag, operand: u16_at(bytes, at + 1)? }, 3)),
            _ => Err(Skipped::Malformed("a frame has an unknown type")),
        }
    }
}

/// How a frame differs from the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The same locals, an empty stack.
    Same,
    /// The same locals, one value on the stack.
    OneStackItem,
    /// So many locals fewer, an empty stack.
    Chop(u8),
    /// So many locals more, an empty stack.
    Append(u8),
    /// Both lists in full.
    Full,
}

/// The form and the offset delta of the frame at `at`, and where its types start.
pub(crate) fn head(table: &[u8], at: usize) -> Result<(Form, u16, usize), Skipped> {
    let kind = u8_at(table, at)?;
    let form = match kind {
        0..=63 => return Ok((Form::Same, u16::from(kind), at + 1)),
        64..=127 => return Ok((Form::OneStackItem, u16::from(kind - 64), at + 1)),
        128..=246 => return Err(Skipped::Malformed("a frame has an unknown form")),
        247 => Form::OneStackItem,
        248..=250 => Form::Chop(251 - kind),
        251 => Form::Same,
        252..=254 => Form::Append(kind - 251),
        255 => Form::Full,
    };
    Ok((form, u16_at(table, at + 1)?, at + 3))
}

/// Walks the frames of one method in order.
pub(crate) struct Frames<'a> {
    table: &'a [u8],
    at: usize,
    left: u16,
    /// Where the current frame stands; `None` before the first.
    pub(crate) pc: Option<usize>,
    /// The locals of the current frame; of the method's entry before the first.
    pub(crate) locals: Vec<Type>,
    /// The stack of the current frame.
    pub(crate) stack: Vec<Type>,
}

impl<'a> Frames<'a> {
    /// The frames in the content of a StackMapTable, for a method that starts with these locals.
    pub(crate) fn new(table: &'a [u8], locals: Vec<Type>) -> Result<Self, Skipped> {
        Ok(Frames { table, at: 2, left: u16_at(table, 0)?, pc: None, locals, stack: Vec::new() })
    }

    /// Goes to the next frame and says where it stands; `None` after the last.
    pub(crate) fn advance(&mut self) -> Result<Option<usize>, Skipped> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let (form, delta, at) = head(self.table, self.at)?;
        self.at = at;
        self.stack.clear();
        match form {
            Form::Same => {}
            Form::OneStackItem => read_types(self.table, &mut self.at, 1, &mut self.stack)?,
            Form::Chop(count) => {
                let kept = self.locals.len().checked_sub(usize::from(count));
                self.locals.truncate(kept.ok_or(Skipped::Malformed("a frame drops more locals than there are"))?);
            }
            Form::Append(count) => read_types(self.table, &mut self.at, u16::from(count), &mut self.locals)?,
            Form::Full => {
                self.locals.clear();
                for list in [&mut self.locals, &mut self.stack] {
                    let count = u16_at(self.table, self.at)?;
                    self.at += 2;
                    read_types(self.table, &mut self.at, count, list)?;
                }
            }
        }
        let pc = self.pc.map_or(0, |pc| pc + 1) + usize::from(delta);
        self.pc = Some(pc);
        Ok(self.pc)
    }
}

fn read_types(table: &[u8], at: &mut usize, count: u16, types: &mut Vec<Type>) -> Result<(), Skipped> {
    for _ in 0..count {
        let (read, length) = Type::read(table, *at)?;
        types.push(read);
        *at += length;
    }
    Ok(())
}
