//! Where a constructor writes fields of an object that nobody else can know yet.
//!
//! Such a write follows no other access, so there is nothing to decide: its word is put in place as it is, and the object
//! goes to no hook. Found in the straight code at the start of a constructor that calls that of `java.lang.Object`, as long as
//! `this` is neither passed on nor stored. What is not understood ends the search; the writes after it have the usual hook.

use crate::bytes::{i32_at, u8_at, u16_at};
use crate::classfile::descriptor::{self, Width};
use crate::classfile::opcode::{self, *};
use crate::classfile::{ClassFile, Code, Member};
use crate::{Passes, Skipped};

use super::Weaver;

/// What lies on the stack, word by word: `this`, or something else.
struct Stack(Vec<bool>);

impl Stack {
    fn push(&mut self, words: u16) {
        self.0.extend((0..words).map(|_| false));
    }

    fn push_one(&mut self, is_this: bool) -> Option<()> {
        self.0.push(is_this);
        Some(())
    }

    /// Takes words off. `None` if `this` is among them, or nothing is left.
    fn pop(&mut self, words: u16) -> Option<()> {
        (0..words).try_for_each(|_| self.0.pop().filter(|&is_this| !is_this).map(drop))
    }

    fn pop_any(&mut self) -> Option<bool> {
        self.0.pop()
    }
}

impl<'a> Weaver<'_, 'a> {
    /// The writes of a constructor to an object that nobody else can know yet, by their offsets, in order.
    pub(super) fn fresh_writes(&self, member: &Member<'a>, code: &Code<'a>) -> Result<Vec<usize>, Skipped> {
        let mut found = Vec::new();
        if self.does(Passes::FRESH) && member.name == b"<init>" {
            let mut stack = Stack(Vec::new());
            let (mut pc, mut is_complete) = (0, false);
            while let Some(length) = follow(self.class, code, pc, &mut stack, &mut is_complete, &mut found)? {
                pc += length;
            }
            if !found.is_empty() {
                let is_kept = !opcode::writes_local(code.instructions, 0)?;
                let again = reached_again(code)?;
                found.retain(|&pc| is_kept && pc < again);
            }
        }
        Ok(found)
    }
}

/// The first place that may be reached from a later one: what is before it runs once, and first.
fn reached_again(code: &Code<'_>) -> Result<usize, Skipped> {
    let instructions = code.instructions;
    let mut first = instructions.len();
    for entry in code.exceptions.chunks_exact(8) {
        first = first.min(usize::from(u16_at(entry, 4)?));
    }
    let mut pc = 0;
    while pc < instructions.len() {
        let (kind, _, length) = instruction(instructions, pc)?;
        let to = match kind {
            Kind::Jump => i64::from(u16_at(instructions, pc + 1)? as i16) + pc as i64,
            Kind::LongJump => i64::from(i32_at(instructions, pc + 1)?) + pc as i64,
            Kind::Switch => 0,
            _ => i64::MAX,
        };
        if to <= pc as i64 {
            first = first.min(usize::try_from(to).unwrap_or_default());
        }
        pc += length;
    }
    Ok(first)
}

/// Follows one instruction and gives its length; `None` where the search ends.
fn follow(
    class: &ClassFile<'_>,
    code: &Code<'_>,
    pc: usize,
    stack: &mut Stack,
    is_complete: &mut bool,
    found: &mut Vec<usize>,
) -> Result<Option<usize>, Skipped> {
    let (kind, opcode, length) = instruction(code.instructions, pc)?;
    let goes_on = match kind {
        Kind::Plain | Kind::ArrayLoad | Kind::ArrayStore => plain(opcode, u8_at(code.instructions, pc + 1).ok(), stack),
        Kind::New => {
            stack.push(1);
            Some(())
        }
        Kind::Field => {
            let field = class.pool.field_ref(u16_at(code.instructions, pc + 1)?)?;
            let words = Width::of(field.descriptor.first().copied().unwrap_or_default()).words();
            match opcode {
                GETSTATIC => {
                    stack.push(words);
                    Some(())
                }
                GETFIELD => stack.pop_any().map(|_| stack.push(words)),
                PUTFIELD => stack.pop(words).and_then(|()| stack.pop_any()).map(|is_this| {
                    if is_this && *is_complete && field.owner == class.name {
                        found.push(pc);
                    }
                }),
                _ => stack.pop(words),
            }
        }
        Kind::Call if opcode != INVOKEDYNAMIC => {
            let called = class.pool.method_ref(u16_at(code.instructions, pc + 1)?)?;
            let words = descriptor::words(called.descriptor)?;
            let arguments = stack.pop(words);
            let receiver = if opcode == INVOKESTATIC { Some(false) } else { stack.pop_any() };
            let is_root = opcode == INVOKESPECIAL && called.owner == b"java/lang/Object" && called.name == b"<init>";
            match (arguments, receiver) {
                (Some(()), Some(is_this)) if !is_this || is_root => {
                    *is_complete |= is_this;
                    stack.push(Width::of(descriptor::result(called.descriptor)?).words());
                    Some(())
                }
                _ => None,
            }
        }
        _ => None,
    };
    Ok(goes_on.map(|()| length))
}

/// What a plain instruction does to the stack; `None` if it does more, or `this` gets elsewhere.
fn plain(opcode: u8, operand: Option<u8>, stack: &mut Stack) -> Option<()> {
    match opcode {
        ALOAD_0 => stack.push_one(true),
        ALOAD if operand == Some(0) => stack.push_one(true),
        DUP => {
            let top = *stack.0.last()?;
            stack.push_one(top)
        }
        _ => {
            let (pops, pushes) = opcode::effect(opcode)?;
            stack.pop(pops)?;
            stack.push(pushes);
            Some(())
        }
    }
}
