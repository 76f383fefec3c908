//! Moving a StackMapTable (JVMS §4.7.4).
//!
//! If only offsets change, each frame keeps its form and its types are copied. If a local is added, or a trampoline
//! needs a copy of its target's frame, every frame is written in full: the method's own locals, padded, then the added
//! ones. Where a hook reads a local that the method itself needs no more, the frame has it as well. The frame of the
//! catch-all handler has what the handler reads and an exception on the stack.

use std::borrow::Cow;

use super::layout::Trampoline;
use super::{Constants, Kept, Output};
use crate::Skipped;
use crate::bytes::{Gap, put_u16, range, u16_at};
use crate::classfile::descriptor::{self, Parameters};
use crate::classfile::frames::{Form, Frames, Type, head};
use crate::classfile::{ClassFile, Member, access};

/// Writes frames at ascending offsets of the new code.
struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// Where the last frame stands.
    last: Option<usize>,
    written: u16,
}

impl Writer<'_> {
    /// Counts a frame at `position`; gives its offset delta.
    fn delta(&mut self, position: usize) -> Result<u16, Skipped> {
        let next = self.last.map_or(0, |last| last + 1);
        let delta = position.checked_sub(next).ok_or(Skipped::Malformed("two frames stand at one offset"))?;
        self.last = Some(position);
        self.written = self.written.checked_add(1).ok_or(Skipped::MethodTooLarge)?;
        u16::try_from(delta).map_err(|_| Skipped::MethodTooLarge)
    }

    /// A frame in full, whose counted lists are already in bytes.
    fn full(&mut self, position: usize, lists: &[u8]) -> Result<(), Skipped> {
        let [high, low] = self.delta(position)?.to_be_bytes();
        self.out.extend_from_slice(&[255, high, low]);
        self.out.extend_from_slice(lists);
        Ok(())
    }
}

impl Output<'_, '_> {
    /// The content of a StackMapTable.
    pub(super) fn frames(&self, table: &[u8], constants: &mut Constants<'_>, out: &mut Vec<u8>) -> Result<(), Skipped> {
        let count = Gap::two(out);
        let mut writer = Writer { out, last: None, written: 0 };
        if self.patch.locals.is_empty() && self.layout.trampolines.is_empty() {
            self.move_frames(table, &mut writer)?;
        } else {
            self.expand_frames(table, constants, &mut writer)?;
        }
        if let Some(handler) = &self.patch.handler {
            let exception = [Type::object(constants.class(b"java/lang/Throwable")?)];
            let mut lists = Vec::new();
            self.put_lists(&handler.locals, &exception, &mut lists)?;
            writer.full(self.layout.length, &lists)?;
        }
        let written = writer.written;
        count.fill_two(out, written);
        Ok(())
    }

    /// Frames whose offsets change and nothing else.
    fn move_frames(&self, table: &[u8], writer: &mut Writer<'_>) -> Result<(), Skipped> {
        let count = u16_at(table, 0)?;
        let (mut at, mut next) = (2, 0);
        for _ in 0..count {
            let (form, delta, types) = head(table, at)?;
            let old = next + usize::from(delta);
            next = old + 1;
            at = types;
            let delta = writer.delta(self.layout.target(old)?)?;
            let small = u8::try_from(delta).ok().filter(|&delta| delta < 64);
            let (short, long) = match form {
                Form::Same => (small, 251),
                Form::OneStackItem => (small.map(|delta| delta + 64), 247),
                Form::Chop(count) => (None, 251 - count),
                Form::Append(count) => (None, 251 + count),
                Form::Full => (None, 255),
            };
            match short {
                Some(short) => writer.out.push(short),
                None => {
                    writer.out.push(long);
                    put_u16(writer.out, delta);
                }
            }
            match form {
                Form::Same | Form::Chop(_) => {}
                Form::OneStackItem => self.move_types(table, &mut at, 1, writer.out)?,
                Form::Append(count) => self.move_types(table, &mut at, u16::from(count), writer.out)?,
                Form::Full => {
                    for _ in 0..2 {
                        let count = u16_at(table, at)?;
                        put_u16(writer.out, count);
                        at += 2;
                        self.move_types(table, &mut at, count, writer.out)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn move_types(&self, table: &[u8], at: &mut usize, count: u16, out: &mut Vec<u8>) -> Result<(), Skipped> {
        for _ in 0..count {
            let (read, length) = Type::read(table, *at)?;
            if read.tag == Type::UNINITIALIZED {
                self.put_type(read, out)?;
            } else {
                out.extend_from_slice(range(table, *at, *at + length)?);
            }
            *at += length;
        }
        Ok(())
    }

    /// Every frame in full, and frames for the trampolines.
    fn expand_frames(
        &self,
        table: &[u8],
        constants: &mut Constants<'_>,
        writer: &mut Writer<'_>,
    ) -> Result<(), Skipped> {
        let entry = entry_locals(self.class, self.method, constants)?;
        let copies = self.trampoline_frames(table, &entry)?;
        let mut trampolines = self.layout.trampolines.iter().zip(&copies).peekable();
        let mut frames = Frames::new(table, entry)?;
        let mut lists = Vec::new();
        while let Some(old) = frames.advance()? {
            let position = self.layout.target(old)?;
            while let Some((trampoline, copy)) = trampolines.next_if(|(one, _)| one.position < position) {
                writer.full(trampoline.position, copy)?;
            }
            lists.clear();
            self.put_lists(&self.kept(old, &frames.locals)?, &frames.stack, &mut lists)?;
            writer.full(position, &lists)?;
        }
        for (trampoline, copy) in trampolines {
            writer.full(trampoline.position, copy)?;
        }
        Ok(())
    }

    /// For each trampoline, the lists of its target's frame.
    fn trampoline_frames(&self, table: &[u8], entry: &[Type]) -> Result<Vec<Vec<u8>>, Skipped> {
        let trampolines: &[Trampoline] = &self.layout.trampolines;
        let mut copies = vec![Vec::new(); trampolines.len()];
        if trampolines.is_empty() {
            return Ok(copies);
        }
        let mut frames = Frames::new(table, entry.to_vec())?;
        while let Some(old) = frames.advance()? {
            for (_, copy) in trampolines.iter().zip(&mut copies).filter(|(trampoline, _)| trampoline.target == old) {
                self.put_lists(&self.kept(old, &frames.locals)?, &frames.stack, copy)?;
            }
        }
        // A jump target without a frame: the verifier would not take the original either.
        if copies.iter().any(Vec::is_empty) {
            return Err(Skipped::JumpOverflow);
        }
        Ok(copies)
    }

    /// A frame's locals, and those that hooks at its offset read.
    fn kept<'l>(&self, old: usize, locals: &'l [Type]) -> Result<Cow<'l, [Type]>, Skipped> {
        let mut locals = Cow::Borrowed(locals);
        for &(_, kept) in self.patch.kept.iter().filter(|&&(at, _)| at == old) {
            keep(locals.to_mut(), kept)?;
        }
        Ok(locals)
    }

    /// Both lists of a full frame, each with its count, the added locals at their places.
    fn put_lists(&self, locals: &[Type], stack: &[Type], out: &mut Vec<u8>) -> Result<(), Skipped> {
        const TOO_MANY: Skipped = Skipped::MethodTooLarge;
        let padding = if self.patch.locals.is_empty() {
            0
        } else {
            let used: usize = locals.iter().map(|local| local.slots()).sum();
            let own = usize::from(self.code.max_locals);
            own.checked_sub(used).ok_or(Skipped::Malformed("a frame has more locals than its method"))?
        };
        let count = locals.len() + padding + self.patch.locals.len();
        put_u16(out, u16::try_from(count).map_err(|_| TOO_MANY)?);
        for &local in locals {
            self.put_type(local, out)?;
        }
        out.resize(out.len() + padding, Type::TOP.tag);
        for &local in &self.patch.locals {
            self.put_type(local, out)?;
        }
        put_u16(out, u16::try_from(stack.len()).map_err(|_| TOO_MANY)?);
        for &value in stack {
            self.put_type(value, out)?;
        }
        Ok(())
    }

    fn put_type(&self, moved: Type, out: &mut Vec<u8>) -> Result<(), Skipped> {
        let operand = match moved.tag {
            Type::OBJECT => moved.operand,
            Type::UNINITIALIZED => {
                let made = self.layout.instruction(usize::from(moved.operand), self.patch)?;
                u16::try_from(made).map_err(|_| Skipped::MethodTooLarge)?
            }
            _ => {
                out.push(moved.tag);
                return Ok(());
            }
        };
        let [high, low] = operand.to_be_bytes();
        out.extend_from_slice(&[moved.tag, high, low]);
        Ok(())
    }
}

/// The locals that a method starts with.
pub(crate) fn entry_locals(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    constants: &mut Constants<'_>,
) -> Result<Vec<Type>, Skipped> {
    let mut locals = Vec::new();
    if !method.is(access::STATIC) {
        let constructs = method.name == b"<init>";
        locals.push(if constructs { Type::UNINITIALIZED_THIS } else { Type::object(class.this_class) });
    }
    let mut parameters = Parameters::of(method.descriptor)?;
    while let Some(parameter) = parameters.next()? {
        locals.push(match parameter.first() {
            Some(b'J') => Type::LONG,
            Some(b'D') => Type::DOUBLE,
            Some(b'F') => Type::FLOAT,
            Some(b'L' | b'[') => Type::object(constants.class(descriptor::class_name(parameter))?),
            _ => Type::INTEGER,
        });
    }
    Ok(locals)
}

/// Gives a local its type, in a list that may end before it.
fn keep(locals: &mut Vec<Type>, kept: Kept) -> Result<(), Skipped> {
    let mut slot = 0;
    for local in &mut *locals {
        if slot == usize::from(kept.local) {
            *local = if *local == Type::TOP { kept.type_ } else { *local };
            return Ok(());
        }
        slot += local.slots();
    }
    let padding = usize::from(kept.local).checked_sub(slot).ok_or(Skipped::Malformed("a local is half of another"))?;
    locals.resize(locals.len() + padding, Type::TOP);
    locals.push(kept.type_);
    Ok(())
}
