//! Calling-context values (probabilistic calling context: Bond and McKinley, OOPSLA 2007).
//!
//! A method that makes calls loads the value V that its caller stored into a local of its own; before each call it
//! stores 3 * V + site for the callee; each hook in it gets V. What differs from the paper: nothing is restored after
//! a call, since V is in a local; methods without calls get nothing and leave their hooks to read what the caller stored.
//! Callees that lead to none of the program's code are passed over. V can collide, and it does not tell
//! frames that are not woven apart. The local is new, so every frame of the method gets it.

use super::{Body, Weaver};
use crate::classfile::frames::Type;
use crate::classfile::opcode::{self, Deeds, ILOAD, INVOKEDYNAMIC, Kind};
use crate::hooks::{Caller, Hook};
use crate::{Home, Passes, Skipped};

impl<'a> Weaver<'_, 'a> {
    /// Loads the calling-context value where the method starts, if it makes calls.
    pub(super) fn load_context(&mut self, body: &mut Body<'a>) -> Result<(), Skipped> {
        if !self.does(Passes::CONTEXTS) || self.plan.home == Home::Boot || !self.makes_calls(body)? {
            return Ok(());
        }
        let local = self.add_local(body, Type::INTEGER)?;
        self.invoke(Hook::Context, Caller::WithoutContext)?;
        self.patch.assembler.store(ILOAD, local);
        body.context = Some(local);
        Ok(())
    }

    /// Adds a local that lives through the whole method.
    pub(super) fn add_local(&mut self, body: &Body<'a>, kept: Type) -> Result<u16, Skipped> {
        let local = usize::from(body.code.max_locals) + self.patch.locals.len();
        self.patch.locals.push(kept);
        u16::try_from(local).map_err(|_| Skipped::MethodTooLarge)
    }

    fn makes_calls(&mut self, body: &Body<'a>) -> Result<bool, Skipped> {
        let code = body.code.instructions;
        let mut pc = if body.deeds.has(Deeds::CALLS) { 0 } else { code.len() };
        while pc < code.len() {
            let (kind, opcode, length) = opcode::instruction(code, pc)?;
            if kind == Kind::Call && (opcode == INVOKEDYNAMIC || self.call_use(Self::operand(body, pc)?)?.is_loud()) {
                return Ok(true);
            }
            pc += length;
        }
        Ok(false)
    }
}
