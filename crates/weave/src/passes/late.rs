//! Fields of which nothing is known when the class is woven, because their class may not be loaded yet.
//!
//! Whether such a field is plain, volatile or final, and whether its class has shadows, is known when the access runs:
//! then its class is loaded. So the hooks get the object and the site, and find out once per site. A write has
//! a hook before it, should it be a release, and one after it, should it be a plain access.

use super::{Body, Weaver};
use crate::Skipped;
use crate::classfile::MemberRef;
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;
use crate::hooks::Hook;
use crate::site::{Action, Member};

impl<'a> Weaver<'_, 'a> {
    /// An access to a field of which nothing is known.
    pub(super) fn late_access(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        opcode: u8,
        field: &MemberRef<'a>,
    ) -> Result<(), Skipped> {
        let named = Member { owner: field.owner, name: field.name, descriptor: field.descriptor };
        let width = Width::of(field.descriptor.first().copied().unwrap_or_default());
        let words = i32::from(width.words());
        let reads = matches!(opcode, GETFIELD | GETSTATIC);
        let site = self.site(body, pc, if reads { Action::ReadLate(named) } else { Action::WriteLate(named) })?;
        match opcode {
            GETFIELD => {
                self.patch.assembler.op(DUP);
                self.patch.assembler.original(words - 1);
                self.patch.assembler.lift_reference_below(width);
                self.hook(body, Hook::ReadLate, site)
            }
            GETSTATIC => {
                self.patch.assembler.original(words);
                self.hook(body, Hook::ReadLateStatic, site)
            }
            PUTFIELD => {
                // A copy of the receiver for after the write goes below the operands, one for before it on top.
                if width == Width::Two {
                    self.patch.assembler.ops(&[DUP2_X1, POP2, DUP_X2, DUP_X2]);
                    self.hook(body, Hook::BeforeWriteLate, site)?;
                    self.patch.assembler.original(-3);
                    self.hook(body, Hook::AfterWriteLate, site)
                } else {
                    self.patch.assembler.ops(&[DUP2, POP]);
                    self.hook(body, Hook::BeforeWriteLate, site)?;
                    self.patch.assembler.op(DUP2);
                    self.patch.assembler.original(-2);
                    self.patch.assembler.op(POP);
                    self.hook(body, Hook::AfterWriteLate, site)
                }
            }
            _ => {
                self.hook(body, Hook::BeforeWriteLateStatic, site)?;
                self.patch.assembler.original(-words);
                self.hook(body, Hook::AfterWriteLateStatic, site)
            }
        }
    }
}
