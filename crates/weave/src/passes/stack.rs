//! What instructions do to the stack, for passes that follow values in straight code.

use super::Weaver;
use crate::Skipped;
use crate::bytes::u16_at;
use crate::classfile::descriptor::{self, Width};
use crate::classfile::opcode::*;

impl Weaver<'_, '_> {
    /// How many words an instruction takes from the stack and puts there; `None` if that is not known, or it does not go on.
    pub(super) fn effect(&self, code: &[u8], pc: usize, kind: Kind, opcode: u8) -> Result<Option<(u16, u16)>, Skipped> {
        let words = |first: Option<&u8>| Width::of(first.copied().unwrap_or_default()).words();
        Ok(match kind {
            Kind::Field => {
                let words = words(self.class.pool.field_descriptor(u16_at(code, pc + 1)?)?.first());
                Some(match opcode {
                    GETSTATIC => (0, words),
                    GETFIELD => (1, words),
                    PUTFIELD => (1 + words, 0),
                    _ => (words, 0),
                })
            }
            Kind::Call if opcode != INVOKEDYNAMIC => {
                let called = self.class.pool.method_descriptor(u16_at(code, pc + 1)?)?;
                let receiver = u16::from(opcode != INVOKESTATIC);
                Some((receiver + descriptor::words(called)?, Width::of(descriptor::result(called)?).words()))
            }
            Kind::New => Some((0, 1)),
            Kind::Plain | Kind::ArrayLoad | Kind::ArrayStore => effect(opcode),
            _ => None,
        })
    }
}

/// Copies words on the stack as `dup` and its kin do, and `swap`. What lies below those that were followed is unknown.
pub(super) fn copy<V: Copy>(opcode: u8, stack: &mut Vec<V>, unknown: V) {
    // How many words are copied, and how many lie between them and their copy.
    let (copied, between) = match opcode {
        DUP => (1, 0),
        DUP_X1 => (1, 1),
        DUP_X2 => (1, 2),
        DUP2 => (2, 0),
        DUP2_X1 => (2, 1),
        DUP2_X2 => (2, 2),
        _ => {
            let (top, below) = (stack.pop().unwrap_or(unknown), stack.pop().unwrap_or(unknown));
            return stack.extend([top, below]);
        }
    };
    let need = copied + between;
    if stack.len() < need {
        let missing = need - stack.len();
        stack.splice(0..0, std::iter::repeat_n(unknown, missing));
    }
    let top = stack.split_off(stack.len() - copied);
    let at = stack.len() - between;
    stack.splice(at..at, top.iter().copied());
    stack.extend(top);
}
