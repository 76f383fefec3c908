//! Applying a list of patches to one method: everything that names an offset is moved, the rest is copied.
//!
//! The passes fill a [`Patch`] in one walk over the instructions; [`Patcher::write`] lays the new code out, writes it
//! between the old parts and rewrites the tables behind it. Nothing of the method is understood beyond offsets, so
//! what the original's verification rests on stays.

mod annotations;
mod assembler;
mod constants;
mod frames;
mod layout;
mod tables;

pub(crate) use assembler::Assembler;
pub(crate) use constants::{Constants, Mark};

pub(crate) use annotations::annotation_end;
pub(crate) use frames::entry_locals;

use crate::Skipped;
use crate::bytes::{Gap, i32_at, put_i32, put_u16, range};
use crate::classfile::frames::Type;
use crate::classfile::opcode::{GOTO_W, INVOKESTATIC, Kind, LOOKUPSWITCH, switch_operands};
use crate::classfile::{ClassFile, Code, FRAMES_SINCE, Member};
use layout::{Layout, long_offset, offset};
pub(crate) use layout::{inside, jump_target};

/// What happens to one instruction. Its hooks lie in the assembler's bytes: `from..middle` before, `middle..to` after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edit {
    pub(crate) pc: u32,
    pub(crate) length: u32,
    pub(crate) from: u32,
    pub(crate) middle: u32,
    pub(crate) to: u32,
    pub(crate) kind: Kind,
    /// The method that is called instead: `invokestatic` of this constant, which takes the same from the stack.
    instead: Option<u16>,
    /// A jump that needs its 32-bit form.
    long: bool,
    /// A conditional jump that goes by the trampoline before this old offset.
    trampoline: Option<u32>,
}

impl Edit {
    /// An instruction with its hooks.
    pub(crate) fn new(pc: usize, length: usize, kind: Kind, hooks: [usize; 3]) -> Edit {
        let [from, middle, to] = hooks.map(|at| at as u32);
        Edit {
            pc: pc as u32,
            length: length as u32,
            from,
            middle,
            to,
            kind,
            instead: None,
            long: false,
            trampoline: None,
        }
    }

    /// A call, of three bytes, in whose place another is made.
    pub(crate) fn call_instead(pc: usize, method: u16, at: usize) -> Edit {
        let nothing = [at; 3];
        Edit { instead: Some(method), ..Edit::new(pc, CALL_LENGTH, Kind::Call, nothing) }
    }

    /// The same with its hooks.
    pub(crate) fn instead(self, method: Option<u16>) -> Edit {
        Edit { instead: method, ..self }
    }

    fn before_length(&self) -> usize {
        (self.middle - self.from) as usize
    }

    fn after_length(&self) -> usize {
        (self.to - self.middle) as usize
    }
}

/// A handler for every exception of the method, behind its code.
pub(crate) struct Handler {
    /// Its bytes among the hooks: from here to the end.
    pub(crate) from: usize,
    /// The locals that it reads: none, or the receiver.
    pub(crate) locals: Vec<Type>,
}

/// All changes to one method.
#[derive(Default)]
pub(crate) struct Patch {
    pub(crate) assembler: Assembler,
    /// By offset.
    pub(crate) edits: Vec<Edit>,
    /// How many of the assembler's first bytes stand before the first instruction.
    pub(crate) entry: usize,
    pub(crate) handler: Option<Handler>,
    /// Locals that live through the whole method, from its entry code on; they follow the method's own.
    pub(crate) locals: Vec<Type>,
    /// Locals that live inside one hook, after all others.
    pub(crate) scratch: u16,
    /// Locals of the method that live on up to a jump's target, where a hook reads them, by the target's offset.
    pub(crate) kept: Vec<(usize, Kept)>,
}

/// A local that the method itself needs no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) local: u16,
    pub(crate) type_: Type,
}

impl Patch {
    /// No changes, with room for those of an ordinary method.
    pub(crate) fn new() -> Patch {
        Patch { edits: Vec::with_capacity(64), assembler: Assembler::with_capacity(1024), ..Patch::default() }
    }

    /// Starts a new method.
    pub(crate) fn clear(&mut self) {
        self.assembler.clear();
        self.edits.clear();
        self.entry = 0;
        self.handler = None;
        self.locals.clear();
        self.scratch = 0;
        self.kept.clear();
    }

    /// Is there nothing to do?
    pub(crate) fn is_empty(&self) -> bool {
        self.assembler.position() == 0 && self.edits.iter().all(|edit| edit.instead.is_none())
    }

    fn handler_length(&self) -> usize {
        self.handler.as_ref().map_or(0, |handler| self.assembler.position() - handler.from)
    }

    /// The hook bytes between two positions.
    fn hooks(&self, from: u32, to: u32) -> &[u8] {
        self.assembler.bytes().get(from as usize..to as usize).unwrap_or_default()
    }
}

/// One method on its way out: where its parts come from and where they go.
struct Output<'p, 'a> {
    class: &'p ClassFile<'a>,
    method: &'p Member<'a>,
    code: &'p Code<'a>,
    patch: &'p Patch,
    layout: &'p Layout,
}

/// Writes patched methods; keeps its buffers between them.
#[derive(Default)]
pub(crate) struct Patcher {
    layout: Layout,
}

impl Patcher {
    /// Writes the length and the content of the method's new Code attribute.
    pub(crate) fn write(
        &mut self,
        class: &ClassFile<'_>,
        method: &Member<'_>,
        code: &Code<'_>,
        patch: &mut Patch,
        constants: &mut Constants<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Skipped> {
        self.layout.plan(code.instructions, patch)?;
        let output = Output { class, method, code, patch, layout: &self.layout };
        let length = Gap::four(out);
        output.sizes(out)?;
        let code_length = Gap::four(out);
        let start = out.len();
        output.instructions(start, out)?;
        code_length.fill_with_length(out)?;
        let ranges = output.exceptions(out)?;
        output.attributes(&ranges, constants, out)?;
        length.fill_with_length(out)
    }
}

impl Output<'_, '_> {
    fn sizes(&self, out: &mut Vec<u8>) -> Result<(), Skipped> {
        let need = self.patch.assembler.need()?;
        let stack = self.code.max_stack.checked_add(need).ok_or(Skipped::MethodTooLarge)?;
        // A handler starts with the exception on the stack, whatever the method's own code needs.
        let handler = if self.patch.handler.is_some() { need.saturating_add(1) } else { 0 };
        put_u16(out, stack.max(handler));
        let added: usize = self.patch.locals.iter().map(|local| local.slots()).sum();
        let locals = usize::from(self.code.max_locals) + added + usize::from(self.patch.scratch);
        put_u16(out, u16::try_from(locals).map_err(|_| Skipped::MethodTooLarge)?);
        Ok(())
    }

    /// The new code: hooks, moved instructions, trampolines, the handler. It starts at `start` of the output.
    fn instructions(&self, start: usize, out: &mut Vec<u8>) -> Result<(), Skipped> {
        let old = self.code.instructions;
        let mut trampolines = self.layout.trampolines.iter().peekable();
        let mut copied = 0;
        out.extend_from_slice(self.patch.hooks(0, self.patch.entry as u32));
        for edit in &self.patch.edits {
            let pc = edit.pc as usize;
            while let Some(trampoline) = trampolines.next_if(|trampoline| trampoline.before <= pc) {
                out.extend_from_slice(range(old, copied, trampoline.before)?);
                copied = trampoline.before;
                self.write_trampoline(trampoline, out)?;
            }
            out.extend_from_slice(range(old, copied, pc)?);
            if edit.from < edit.middle {
                out.extend_from_slice(self.patch.hooks(edit.from, edit.middle));
            }
            copied = pc + edit.length as usize;
            let instruction = range(old, pc, copied)?;
            if let Some(method) = edit.instead {
                out.push(INVOKESTATIC);
                put_u16(out, method);
            } else {
                match edit.kind {
                    Kind::Jump | Kind::LongJump => self.jump(edit, out.len() - start, out)?,
                    Kind::Switch => self.switch(pc, instruction, start, out)?,
                    _ => out.extend_from_slice(instruction),
                }
            }
            if edit.middle < edit.to {
                out.extend_from_slice(self.patch.hooks(edit.middle, edit.to));
            }
        }
        for trampoline in trampolines {
            out.extend_from_slice(range(old, copied, trampoline.before)?);
            copied = trampoline.before;
            self.write_trampoline(trampoline, out)?;
        }
        out.extend_from_slice(range(old, copied, old.len())?);
        debug_assert_eq!(out.len() - start, self.layout.length);
        if let Some(handler) = &self.patch.handler {
            out.extend_from_slice(self.patch.hooks(handler.from as u32, self.patch.assembler.position() as u32));
        }
        Ok(())
    }

    fn write_trampoline(&self, trampoline: &layout::Trampoline, out: &mut Vec<u8>) -> Result<(), Skipped> {
        out.push(GOTO_W);
        put_i32(out, long_offset(trampoline.position, self.layout.target(trampoline.target)?));
        Ok(())
    }

    fn jump(&self, edit: &Edit, source: usize, out: &mut Vec<u8>) -> Result<(), Skipped> {
        let pc = edit.pc as usize;
        let opcode = self.code.instructions.get(pc).copied().unwrap_or_default();
        let target = jump_target(self.code.instructions, pc, edit.kind)?;
        let goal = match edit.trampoline {
            Some(before) => self.layout.trampoline(before as usize, target)?.position,
            None => self.layout.target(target)?,
        };
        if edit.kind == Kind::LongJump {
            out.push(opcode);
            put_i32(out, long_offset(source, goal));
        } else if edit.long {
            // goto and jsr have their long forms at the same distance.
            out.push(opcode + LONG_FORM);
            put_i32(out, long_offset(source, goal));
        } else {
            let [high, low] = offset(source, goal)?.to_be_bytes();
            out.extend_from_slice(&[opcode, high, low]);
        }
        Ok(())
    }

    fn switch(&self, pc: usize, instruction: &[u8], start: usize, out: &mut Vec<u8>) -> Result<(), Skipped> {
        let source = out.len() - start;
        let opcode = instruction.first().copied().unwrap_or_default();
        out.push(opcode);
        out.resize(start + switch_operands(source), 0);
        let operands = switch_operands(pc) - pc;
        let moved = |at: usize, out: &mut Vec<u8>| -> Result<(), Skipped> {
            let by = i32_at(instruction, at)? as isize;
            let target = self.layout.target(inside(self.code.instructions, pc, by)?)?;
            put_i32(out, long_offset(source, target));
            Ok(())
        };
        moved(operands, out)?;
        let (head, case, key) = if opcode == LOOKUPSWITCH { (4, 8, 4) } else { (8, 4, 0) };
        out.extend_from_slice(range(instruction, operands + 4, operands + 4 + head)?);
        for at in (operands + 4 + head..instruction.len()).step_by(case) {
            out.extend_from_slice(range(instruction, at, at + key)?);
            moved(at + key, out)?;
        }
        Ok(())
    }

    /// The attributes of the Code attribute. `ranges` says where each old entry of the exception table begins now.
    fn attributes(&self, ranges: &[u16], constants: &mut Constants<'_>, out: &mut Vec<u8>) -> Result<(), Skipped> {
        let count = Gap::two(out);
        let mut written = 0_u16;
        let mut framed = false;
        let mut attributes = self.code.attributes();
        while let Some(attribute) = attributes.next()? {
            put_u16(out, attribute.name_index);
            let length = Gap::four(out);
            match self.class.pool.utf8(attribute.name_index)? {
                b"LineNumberTable" => self.lines(attribute.body, out)?,
                b"LocalVariableTable" | b"LocalVariableTypeTable" => self.variables(attribute.body, out)?,
                b"StackMapTable" => {
                    framed = true;
                    self.frames(attribute.body, constants, out)?;
                }
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    self.type_annotations(attribute.body, ranges, out)?;
                }
                _ => out.extend_from_slice(attribute.body),
            }
            length.fill_with_length(out)?;
            written = written.checked_add(1).ok_or(Skipped::MethodTooLarge)?;
        }
        if !framed && self.patch.handler.is_some() && self.class.major >= FRAMES_SINCE {
            put_u16(out, constants.utf8(b"StackMapTable")?);
            let length = Gap::four(out);
            self.frames(&[0, 0], constants, out)?;
            length.fill_with_length(out)?;
            written = written.checked_add(1).ok_or(Skipped::MethodTooLarge)?;
        }
        count.fill_two(out, written);
        Ok(())
    }
}

/// The length of `invokevirtual`, `invokespecial` and `invokestatic`.
const CALL_LENGTH: usize = 3;

/// From `goto` to `goto_w`, from `jsr` to `jsr_w`.
const LONG_FORM: u8 = 33;
