//! Plain fields: after each access, the hook gets the object, the shadow word of writes, for a read also that of reads (or
//! only that, with [`Passes::FIRST`]), and the site.
//!
//! The hook stands after the instruction. A copy of the receiver is put aside before it, so a null receiver throws at
//! the program's own instruction, with the program's own message, and an access that threw is no event. The shadow
//! is read from an object that is known not to be null: no hook can throw. The shadow field is named through the class
//! that the instruction names, so it resolves to the class that declares the field, as the field itself does.
//!
//! Not seen: accesses by reflection, Unsafe or VarHandle, whose own calls are replaced instead (see `replacements`); writes
//! to a constructor's own object before the superclass's constructor has run (nobody else can know the object yet, and
//! the verifier lets nobody read it).

use super::sample::{SampledField, sampled_use};
use super::{Body, Receiver, Weaver, probes};
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;
use crate::classfile::{Member as Declared, MemberRef, access, tag};
use crate::hooks::{Hook, Shadow, shadow_name};
use crate::site::{Action, Member};
use crate::{Field, Passes, Skipped};

/// What the instructions that name one field constant get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FieldUse {
    /// Not looked at yet.
    #[default]
    Unseen,
    /// No hook.
    Unhooked,
    /// No hook, for want of knowledge.
    Unknown,
    /// An access hook; the constant of a shadow is 0 until it is first needed.
    Shadowed { reads: u16, write: u16 },
    /// A synchronization hook; the constant of the cell is 0 until it is first needed.
    Celled { cell: u16 },
    /// Hooks that find out which of these it is.
    Late,
    /// The hooks of a recording only.
    Recorded,
    /// When the program is sampled.
    Sampled(SampledField),
}

impl FieldUse {
    /// Forgets a shadow's constant that a failed method added.
    pub(super) fn forget_shadow_since(&mut self, next: u16) {
        let forget = |shadow: &mut u16| {
            if *shadow >= next {
                *shadow = 0;
            }
        };
        match self {
            FieldUse::Shadowed { reads, write } => [reads, write].into_iter().for_each(forget),
            FieldUse::Celled { cell } => forget(cell),
            _ => {}
        }
    }
}

impl Field {
    /// What the flags of a field say, in a class that is woven.
    pub(crate) fn declared(field: &Declared<'_>) -> Field {
        if field.is(access::FINAL) {
            Field::Final
        } else if field.is(access::VOLATILE) {
            Field::Celled
        } else {
            Field::Shadowed
        }
    }
}

impl<'a> Weaver<'_, 'a> {
    /// An access to a field.
    pub(super) fn field(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        opcode: u8,
        receiver: Receiver,
    ) -> Result<(), Skipped> {
        let index = Self::operand(body, pc)?;
        match self.field_use(index)? {
            FieldUse::Sampled(known) => return self.sampled_field(body, pc, opcode, receiver, known),
            FieldUse::Unknown => body.unknown_fields += 1,
            FieldUse::Unseen | FieldUse::Unhooked => {}
            hooked => {
                let field = self.class.pool.field_ref(index)?;
                if opcode == PUTFIELD && receiver == Receiver::Incomplete && field.owner == self.class.name {
                    return Ok(());
                }
                let bracket = self.open_field(body, pc, opcode, &field)?;
                match hooked {
                    FieldUse::Shadowed { .. } => self.plain_access(body, pc, opcode, &field, index)?,
                    FieldUse::Late => self.late_access(body, pc, opcode, &field)?,
                    FieldUse::Celled { .. } => self.volatile_access(body, pc, opcode, &field, index)?,
                    _ => {}
                }
                self.close(body, bracket)?;
            }
        }
        Ok(())
    }

    /// What the instructions that name this constant get.
    pub(super) fn field_use(&mut self, index: u16) -> Result<FieldUse, Skipped> {
        match self.field_uses.get(usize::from(index)) {
            Some(FieldUse::Unseen) => {}
            Some(&known) => return Ok(known),
            None => return Err(Skipped::Malformed("an instruction names no constant")),
        }
        let field = self.class.pool.field_ref(index)?;
        let found = match self.known_field(&field) {
            known if self.does(Passes::SAMPLE) => sampled_use(known, self.plan.passes),
            Some(Field::Shadowed) if self.does(Passes::FIELDS | Passes::VALUES | Passes::LATE) => FieldUse::Late,
            Some(Field::Shadowed) if self.does(Passes::FIELDS) => FieldUse::Shadowed { reads: 0, write: 0 },
            Some(Field::Celled) if self.does(Passes::VOLATILES) => FieldUse::Celled { cell: 0 },
            Some(Field::Volatile) if self.does(Passes::VOLATILES | Passes::LATE) => FieldUse::Late,
            Some(Field::Shadowed | Field::Celled | Field::Volatile) if self.does(Passes::RECORD) => FieldUse::Recorded,
            Some(_) => FieldUse::Unhooked,
            None if self.does(Passes::LATE) => FieldUse::Late,
            None if self.does(Passes::RECORD) => FieldUse::Recorded,
            None => FieldUse::Unknown,
        };
        self.set_field_use(index, found);
        Ok(found)
    }

    fn set_field_use(&mut self, index: u16, found: FieldUse) {
        if let Some(entry) = self.field_uses.get_mut(usize::from(index)) {
            *entry = found;
        }
    }

    fn known_field(&self, field: &MemberRef<'_>) -> Option<Field> {
        if field.owner != self.class.name {
            return (self.plan.fields)(field.owner, field.name, field.descriptor);
        }
        match self.class.declared_field(field.name, field.descriptor) {
            Some(declared) => Some(self.declared(declared)),
            // Inherited: the plan cannot know the class that is being woven, but may know the one that it extends.
            None => (self.plan.fields)(self.class.super_name?, field.name, field.descriptor),
        }
    }

    /// What an access to a field of the class itself gets.
    pub(super) fn declared(&self, field: &Declared<'_>) -> Field {
        // An interface's fields are final; a broken one's must not become a class-format error of ours.
        if self.class.is(access::INTERFACE) {
            return Field::Final;
        }
        if probes::is_array(field) {
            return Field::Unshadowed;
        }
        match Field::declared(field) {
            Field::Shadowed if (self.plan.relaxed)(self.class.name, field.name) => Field::Celled,
            Field::Shadowed if !self.plan.choices.watches(self.class.name, field.name) => Field::Unshadowed,
            declared => declared,
        }
    }

    fn plain_access(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        opcode: u8,
        field: &MemberRef<'a>,
        index: u16,
    ) -> Result<(), Skipped> {
        let of = if matches!(opcode, GETFIELD | GETSTATIC) { Shadow::Reads } else { Shadow::Write };
        let is_fresh = opcode == PUTFIELD && body.fresh.binary_search(&pc).is_ok();
        let (reads, write) = match (of, self.does(Passes::FIRST)) {
            (Shadow::Reads, false) => (true, true),
            (Shadow::Reads, true) => (true, false),
            (_, is_first) => (is_fresh && is_first, !(is_fresh && is_first)),
        };
        let reads = if reads { self.shadow_constant(index, field, Shadow::Reads)? } else { 0 };
        let write = if write { self.shadow_constant(index, field, Shadow::Write)? } else { 0 };
        let named = Member { owner: field.owner, name: field.name, descriptor: field.descriptor };
        let width = Width::of(field.descriptor.first().copied().unwrap_or_default());
        let words = i32::from(width.words());
        let action = if of == Shadow::Reads { Action::ReadField(named) } else { Action::WriteField(named) };
        let site = self.site(body, pc, action)?;
        let assembler = &mut self.patch.assembler;
        let hook = match opcode {
            GETFIELD => {
                assembler.op(DUP);
                assembler.original(words - 1);
                assembler.lift_reference_below(width);
                if write == 0 { Hook::ReadFirst } else { Hook::ReadField }
            }
            PUTFIELD => {
                if width == Width::Two {
                    assembler.ops(&[DUP2_X1, POP2, DUP_X2, DUP_X2, POP]);
                    assembler.original(-3);
                } else {
                    assembler.op(DUP2);
                    assembler.original(-2);
                    assembler.op(POP);
                }
                if is_fresh {
                    self.hook(body, Hook::FreshWrite, site)?;
                    self.patch.assembler.with_constant(PUTFIELD, if write == 0 { reads } else { write }, -3);
                    return Ok(());
                }
                Hook::WriteField
            }
            GETSTATIC => {
                assembler.original(words);
                if write == 0 { Hook::ReadFirstStatic } else { Hook::ReadStatic }
            }
            _ => {
                assembler.original(-words);
                Hook::WriteStatic
            }
        };
        match opcode {
            GETFIELD if write == 0 => {
                assembler.op(DUP);
                assembler.with_constant(GETFIELD, reads, 1);
            }
            GETFIELD => {
                assembler.ops(&[DUP, DUP]);
                assembler.with_constant(GETFIELD, reads, 1);
                assembler.ops(&[DUP2_X1, POP2]);
                assembler.with_constant(GETFIELD, write, 1);
            }
            PUTFIELD => {
                assembler.op(DUP);
                assembler.with_constant(GETFIELD, write, 1);
            }
            GETSTATIC if write == 0 => assembler.with_constant(GETSTATIC, reads, 2),
            GETSTATIC => {
                assembler.with_constant(GETSTATIC, reads, 2);
                assembler.with_constant(GETSTATIC, write, 2);
            }
            _ => assembler.with_constant(GETSTATIC, write, 2),
        }
        self.hook(body, hook, site)
    }

    /// The constant of a shadow of the field that this constant names.
    pub(super) fn shadow_constant(&mut self, index: u16, field: &MemberRef<'_>, of: Shadow) -> Result<u16, Skipped> {
        let mut found = self.field_use(index)?;
        let known = match (&mut found, of) {
            (FieldUse::Shadowed { reads, .. }, Shadow::Reads) => reads,
            (FieldUse::Shadowed { write, .. }, Shadow::Write) => write,
            (FieldUse::Celled { cell }, Shadow::Cell) => cell,
            _ => return Err(Skipped::Malformed("an instruction names no constant")),
        };
        if *known == 0 {
            let name = shadow_name(field.name, field.descriptor, of);
            *known = self.constants.member(tag::FIELD_REF, field.class, &name, of.descriptor().as_bytes())?;
        }
        let constant = *known;
        self.set_field_use(index, found);
        Ok(constant)
    }
}
