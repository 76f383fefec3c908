//! What JaCoCo adds to a class gets no hooks: a field and a method, and the stores that set probes.
//!
//! A probe is an element of a `boolean[]` that every thread sets when it comes by, never clears, and nobody orders, on purpose.
//! A method with probes starts by putting the array into a local of its own, and sets each by the same four instructions
//! (`ProbeInserter`, `CondyProbeArrayStrategy` and the like in JaCoCo). Any other store to a `boolean[]` is hooked.

use super::{Body, Weaver};
use crate::Skipped;
use crate::bytes::{u8_at, u16_at};
use crate::classfile::opcode::*;
use crate::classfile::{ClassFile, Member, access};

/// The array, as a static field or as a constant that is made when it is first used.
const ARRAY: &[u8] = b"$jacocoData";
/// The method that gives the array.
const GIVER: &[u8] = b"$jacocoInit";

const ICONST_1: u8 = ICONST_0 + 1;
const ICONST_5: u8 = ICONST_0 + 5;
const BASTORE: u8 = 0x54;
const CHECKCAST: u8 = 0xc0;

/// Is it the field of the probes?
pub(super) fn is_array(field: &Member<'_>) -> bool {
    field.name == ARRAY && field.is(access::SYNTHETIC)
}

/// Is it the name of the array as a constant?
pub(super) fn is_name(name: &[u8]) -> bool {
    name == ARRAY
}

/// Is it the method that gives the array?
pub(super) fn gives_array(method: &Member<'_>) -> bool {
    method.name == GIVER && method.is(access::SYNTHETIC)
}

/// Has the class probes?
pub(super) fn are_in(class: &ClassFile<'_>) -> bool {
    class.methods.iter().any(gives_array)
}

impl<'a> Weaver<'_, 'a> {
    /// The stores of a method that set probes, in order.
    pub(super) fn probes(&self, body: &Body<'a>) -> Result<Vec<usize>, Skipped> {
        let code = body.code.instructions;
        let mut found = Vec::new();
        let Some(local) = self.local_of_probes(code)? else { return Ok(found) };
        let (mut array, mut number, mut value, mut pc) = (0, 0, 0, 0);
        while pc < code.len() {
            let (_, opcode, length) = instruction(code, pc)?;
            if opcode == BASTORE
                && local_at(code, array, ALOAD) == Some(local)
                && matches!(u8_at(code, number)?, ICONST_0..=ICONST_5 | BIPUSH | SIPUSH | LDC | LDC_W)
                && u8_at(code, value)? == ICONST_1
            {
                found.push(pc);
            }
            (array, number, value) = (number, value, pc);
            pc += length;
        }
        Ok(found)
    }

    /// The local that a method's first instructions put the array into.
    fn local_of_probes(&self, code: &[u8]) -> Result<Option<u16>, Skipped> {
        if !self.has_probes || code.is_empty() {
            return Ok(None);
        }
        let pool = &self.class.pool;
        let (_, first, length) = instruction(code, 0)?;
        let is_array = match first {
            INVOKESTATIC => pool.method_ref(u16_at(code, 1)?)?.name == GIVER,
            LDC => pool.dynamic_name(u16::from(u8_at(code, 1)?)) == Some(ARRAY),
            LDC_W => pool.dynamic_name(u16_at(code, 1)?) == Some(ARRAY),
            _ => false,
        };
        if !is_array || length >= code.len() {
            return Ok(None);
        }
        let (_, next, more) = instruction(code, length)?;
        Ok(local_at(code, if next == CHECKCAST { length + more } else { length }, ASTORE))
    }
}
