//! Calls in whose place others are made: those that [`hooks::REPLACEMENTS`](crate::hooks::REPLACEMENTS) lists.

use super::{Body, Weaver};
use crate::classfile::opcode::{INVOKESTATIC, INVOKEVIRTUAL};
use crate::hooks::Kind;
use crate::passes::calls::CallUse;
use crate::{Passes, Skipped};

impl<'a> Weaver<'_, 'a> {
    /// The constant of the method to call instead, if the call is replaced.
    pub(super) fn replacement(&mut self, body: &Body<'a>, pc: usize, opcode: u8) -> Result<Option<u16>, Skipped> {
        let replaces = Passes::UNSAFE | Passes::UNSAFE_PLAIN | Passes::ARRAY_COPIES;
        if !self.plan.passes.meets(replaces) || (opcode != INVOKESTATIC && opcode != INVOKEVIRTUAL) {
            return Ok(None);
        }
        let CallUse::Replaced(rule) = self.call_use(Self::operand(body, pc)?)? else { return Ok(None) };
        if (opcode == INVOKESTATIC) != (rule.kind == Kind::Static) {
            return Ok(None);
        }
        self.hook_method(rule.shim(self.plan.shim), &rule.name, &rule.static_descriptor()).map(Some)
    }
}
