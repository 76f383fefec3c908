//! Volatile fields: an acquiring hook after each read, a releasing hook before each write, with the object and the site.
//!
//! The hook before a write gets its receiver before the instruction has looked at it: it may be null, and the shim
//! must take that for nothing.

use super::{Body, Weaver};
use crate::Skipped;
use crate::classfile::MemberRef;
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;
use crate::hooks::Hook;
use crate::site::{Action, Member};

impl<'a> Weaver<'_, 'a> {
    /// An access to a volatile field.
    pub(super) fn volatile_access(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        opcode: u8,
        field: &MemberRef<'a>,
    ) -> Result<(), Skipped> {
        let named = Member { owner: field.owner, name: field.name, descriptor: field.descriptor };
        let width = Width::of(field.descriptor.first().copied().unwrap_or_default());
        let reads = matches!(opcode, GETFIELD | GETSTATIC);
        let action = if reads { Action::ReadVolatile(named) } else { Action::WriteVolatile(named) };
        let site = self.site(body, pc, action)?;
        let assembler = &mut self.patch.assembler;
        match opcode {
            GETFIELD => {
                assembler.op(DUP);
                assembler.original(i32::from(width.words()) - 1);
                assembler.lift_reference_below(width);
                self.hook(body, Hook::ReadVolatile, site)
            }
            PUTFIELD => {
                if width == Width::Two {
                    assembler.ops(&[DUP2_X1, POP2, DUP_X2]);
                } else {
                    assembler.ops(&[DUP2, POP]);
                }
                self.hook(body, Hook::WriteVolatile, site)
            }
            GETSTATIC => {
                assembler.original(i32::from(width.words()));
                self.hook(body, Hook::ReadVolatileStatic, site)
            }
            _ => self.hook(body, Hook::WriteVolatileStatic, site),
        }
    }
}
