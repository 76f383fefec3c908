//! Brackets: hooks before and after each access that a recording logs, around whatever hooks detection has there.
//!
//! A recording must have a read after the write that it saw and before any later one. So the hook before the
//! instruction takes a lock that stands for the variable, and the hook after it logs the access and gives the lock back.
//! The instruction may throw in between, and then nobody would give it back: the first hook gets all that the shim needs
//! to see that it will, and takes nothing then. A static access may run a class initializer, which is the program's own
//! code: an access whose value is dropped comes first and runs it there, where the instruction itself would.
//! The value lies below the operands until the last hook takes it.
//!
//! Not seen: what [`super::fields`] does not see.

use super::{Body, Weaver};
use crate::classfile::MemberRef;
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;
use crate::hooks::Hook;
use crate::site::{Action, Element, Member};
use crate::{Passes, Skipped};
use model::SiteId;

/// A bracket that is open: how it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bracket {
    site: SiteId,
    accessed: Hook,
    /// What the instruction does to the stack's height.
    effect: i32,
    value: Value,
}

/// Where the value is when the instruction has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// On the stack for the program: the hook gets a copy.
    Read(Width),
    /// A copy was put aside on the stack.
    Written,
}

impl<'a> Weaver<'_, 'a> {
    /// Does any pass look at array elements?
    pub(super) fn watches_elements(&self) -> bool {
        self.does(Passes::ARRAYS) || self.does(Passes::RECORD)
    }

    /// The hook before an access to a field.
    pub(super) fn open_field(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        opcode: u8,
        field: &MemberRef<'a>,
    ) -> Result<Option<Bracket>, Skipped> {
        if !self.does(Passes::RECORD) {
            return Ok(None);
        }
        let named = Member { owner: field.owner, name: field.name, descriptor: field.descriptor };
        let descriptor = field.descriptor.first().copied().unwrap_or_default();
        let width = Width::of(descriptor);
        let words = i32::from(width.words());
        let reads = matches!(opcode, GETFIELD | GETSTATIC);
        let site = self.site(body, pc, if reads { Action::ReadLate(named) } else { Action::WriteLate(named) })?;
        let effect = match opcode {
            GETFIELD => {
                self.patch.assembler.op(DUP);
                self.hook(body, Hook::BeginRead, site)?;
                words - 1
            }
            PUTFIELD => {
                let copies: &[u8] =
                    if width == Width::Two { &[DUP2_X1, DUP2_X1, POP2, DUP_X2] } else { &[DUP_X1, DUP2, POP] };
                self.patch.assembler.ops(copies);
                self.hook(body, Hook::BeginWrite, site)?;
                -1 - words
            }
            _ => {
                let index = Self::operand(body, pc)?;
                self.patch.assembler.with_constant(GETSTATIC, index, words);
                self.patch.assembler.op(if width == Width::Two { POP2 } else { POP });
                self.hook(body, if reads { Hook::BeginReadStatic } else { Hook::BeginWriteStatic }, site)?;
                if !reads {
                    self.patch.assembler.op(if width == Width::Two { DUP2 } else { DUP });
                }
                if reads { words } else { -words }
            }
        };
        let value = if reads { Value::Read(width) } else { Value::Written };
        Ok(Some(Bracket { site, accessed: Hook::accessed(descriptor), effect, value }))
    }

    /// The hook before a load of an element.
    pub(super) fn open_load(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        element: Element,
        width: Width,
    ) -> Result<Option<Bracket>, Skipped> {
        if !self.does(Passes::RECORD) {
            return Ok(None);
        }
        let site = self.site(body, pc, Action::ReadElement(element))?;
        self.patch.assembler.op(DUP2);
        self.hook(body, Hook::BeginReadElement, site)?;
        let effect = i32::from(width.words()) - 2;
        Ok(Some(Bracket { site, accessed: Hook::accessed(descriptor(element)), effect, value: Value::Read(width) }))
    }

    /// The hook before a store to an element.
    pub(super) fn open_store(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        element: Element,
        width: Width,
    ) -> Result<Option<Bracket>, Skipped> {
        if !self.does(Passes::RECORD) {
            return Ok(None);
        }
        let site = self.site(body, pc, Action::WriteElement(element))?;
        if element == Element::Reference {
            // Three words cannot be copied on the stack: the value goes through a local that no frame mentions.
            let local = usize::from(body.code.max_locals) + self.patch.locals.len();
            let local = u16::try_from(local).map_err(|_| Skipped::MethodTooLarge)?;
            self.patch.scratch = self.patch.scratch.max(1);
            self.patch.assembler.store(ALOAD, local);
            self.patch.assembler.op(DUP2);
            self.patch.assembler.load(ALOAD, local);
            self.hook(body, Hook::BeginWriteReference, site)?;
            self.patch.assembler.load(ALOAD, local);
            self.patch.assembler.op(DUP_X2);
        } else {
            let copies: &[u8] =
                if width == Width::Two { &[DUP2_X2, DUP2_X2, POP2, DUP2_X2] } else { &[DUP_X2, DUP_X2, POP, DUP2_X1] };
            self.patch.assembler.ops(copies);
            self.hook(body, Hook::BeginWriteElement, site)?;
        }
        let effect = -2 - i32::from(width.words());
        Ok(Some(Bracket { site, accessed: Hook::accessed(descriptor(element)), effect, value: Value::Written }))
    }

    /// The hook after the access.
    pub(super) fn close(&mut self, body: &mut Body<'a>, bracket: Option<Bracket>) -> Result<(), Skipped> {
        let Some(bracket) = bracket else {
            return Ok(());
        };
        self.patch.assembler.original_at_last(bracket.effect);
        if let Value::Read(width) = bracket.value {
            self.patch.assembler.op(if width == Width::Two { DUP2 } else { DUP });
        }
        self.hook(body, bracket.accessed, bracket.site)
    }
}

fn descriptor(element: Element) -> u8 {
    match element {
        Element::Long => b'J',
        Element::Float => b'F',
        Element::Double => b'D',
        Element::Reference => b'L',
        Element::Int | Element::Byte | Element::Char | Element::Short => b'I',
    }
}
