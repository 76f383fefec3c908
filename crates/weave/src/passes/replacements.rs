//! Calls in whose place others are made: those that [`hooks::REPLACEMENTS`](crate::hooks::REPLACEMENTS) lists.

use super::{Body, Weaver};
use crate::classfile::opcode::INVOKEVIRTUAL;
use crate::hooks::UNSAFE_SHIM;
use crate::passes::calls::CallUse;
use crate::{Passes, Skipped};

impl<'a> Weaver<'_, 'a> {
    /// The constant of the method to call instead, if the call is replaced.
    pub(super) fn replacement(&mut self, body: &Body<'a>, pc: usize, opcode: u8) -> Result<Option<u16>, Skipped> {
        if !self.plan.passes.intersects(Passes::UNSAFE | Passes::UNSAFE_PLAIN) || opcode != INVOKEVIRTUAL {
            return Ok(None);
        }
        let CallUse::Replaced(rule) = self.call_use(Self::operand(body, pc)?)? else { return Ok(None) };
        self.hook_method(UNSAFE_SHIM, &rule.name, &rule.static_descriptor()).map(Some)
    }
}
