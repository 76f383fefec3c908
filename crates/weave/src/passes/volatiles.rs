//! Volatile fields: an acquiring hook after each read, a releasing hook before each write.
//!
//! Beside a volatile field its class has a cell, which holds the past that a reader acquires. A read passes on what the
//! cell holds after the field was read: a writer fills the cell first, so a value is never seen without its past. The
//! hook before a write gets its receiver before the instruction has looked at it: it may be null, so the cell cannot be
//! read there, and the shim must take null for nothing. A static cell is read before the write; that initializes the
//! class no earlier than the write itself would.

use super::{Body, Weaver};
use crate::Passes;
use crate::Skipped;
use crate::classfile::MemberRef;
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;
use crate::hooks::{Hook, Shadow};
use crate::site::{Action, Member};

impl<'a> Weaver<'_, 'a> {
    /// An access to a volatile field, which the constant `index` names.
    pub(super) fn volatile_access(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        opcode: u8,
        field: &MemberRef<'a>,
        index: u16,
    ) -> Result<(), Skipped> {
        let named = Member { owner: field.owner, name: field.name, descriptor: field.descriptor };
        let width = Width::of(field.descriptor.first().copied().unwrap_or_default());
        let reads = matches!(opcode, GETFIELD | GETSTATIC);
        let action = if reads { Action::ReadVolatile(named) } else { Action::WriteVolatile(named) };
        let site = self.site(body, pc, action)?;
        match opcode {
            GETFIELD => {
                let cell = self.shadow_constant(index, field, Shadow::Cell)?;
                let assembler = &mut self.patch.assembler;
                assembler.op(DUP);
                assembler.original(i32::from(width.words()) - 1);
                assembler.lift_reference_below(width);
                let hook = if self.does(Passes::THROUGH) {
                    self.patch.assembler.op(DUP);
                    Hook::ReadVolatileOf
                } else {
                    Hook::ReadVolatile
                };
                self.patch.assembler.with_constant(GETFIELD, cell, 0);
                self.hook(body, hook, site)
            }
            PUTFIELD => {
                if width == Width::Two {
                    self.patch.assembler.ops(&[DUP2_X1, POP2, DUP_X2]);
                } else {
                    self.patch.assembler.ops(&[DUP2, POP]);
                }
                self.hook(body, Hook::WriteVolatile, site)
            }
            GETSTATIC => {
                let cell = self.shadow_constant(index, field, Shadow::Cell)?;
                self.patch.assembler.original(i32::from(width.words()));
                self.patch.assembler.with_constant(GETSTATIC, cell, 1);
                self.hook(body, Hook::ReadVolatileStatic, site)
            }
            _ => {
                let cell = self.shadow_constant(index, field, Shadow::Cell)?;
                self.patch.assembler.with_constant(GETSTATIC, cell, 1);
                self.hook(body, Hook::WriteVolatileStatic, site)
            }
        }
    }
}
