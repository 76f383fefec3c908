//! Final fields (JLS 17.5.1): a freeze word for each object that has some, written where its constructor returns.
//!
//! Whoever reads an object through a final field sees it at least as it was when the constructor that wrote the field ended.
//! The word says when and where that was, so that a race can be checked against it before it is reported. Reads of final
//! fields have no hook.
//!
//! Only fields through which something that can race is reached count: references, but for a few classes of the JDK that
//! have nothing inside. A constructor that passes its work on by `this(...)` writes no final field and freezes nothing. One that
//! ends by an exception leaves the word empty: races behind such an object are reported.

use super::{Body, Weaver};
use crate::bytes::{put_u16, u16_at};
use crate::classfile::opcode::{self, ALOAD, Kind, PUTFIELD};
use crate::classfile::{Code, Member, access, tag};
use crate::hooks::{Caller, FREEZE_WORD, Hook, SHADOW_DESCRIPTOR};
use crate::site::Action;
use crate::{Passes, Skipped};

/// Types behind which there is nothing that can race, by descriptor.
const INERT: &[&[u8]] = &[
    b"Ljava/lang/String;",
    b"Ljava/lang/Class;",
    b"Ljava/lang/Boolean;",
    b"Ljava/lang/Byte;",
    b"Ljava/lang/Character;",
    b"Ljava/lang/Short;",
    b"Ljava/lang/Integer;",
    b"Ljava/lang/Long;",
    b"Ljava/lang/Float;",
    b"Ljava/lang/Double;",
    b"Ljava/util/concurrent/atomic/AtomicBoolean;",
    b"Ljava/util/concurrent/atomic/AtomicInteger;",
    b"Ljava/util/concurrent/atomic/AtomicLong;",
    b"Ljava/util/concurrent/locks/ReentrantLock;",
];

/// Is it a final field of objects through which something is reached that can race?
fn reaches(field: &Member<'_>) -> bool {
    field.access & (access::FINAL | access::STATIC) == access::FINAL
        && matches!(field.descriptor.first(), Some(b'[' | b'L'))
        && !INERT.contains(&field.descriptor)
}

impl<'a> Weaver<'_, 'a> {
    /// Have objects of the class a freeze word?
    pub(super) fn has_freeze_word(&self) -> bool {
        self.does(Passes::FREEZE) && !self.class.is(access::INTERFACE) && self.class.fields.iter().any(reaches)
    }

    /// Writes the declaration of the freeze word.
    pub(super) fn add_freeze_word(&mut self, flags: u16, tail: &mut Vec<u8>) -> Result<(), Skipped> {
        put_u16(tail, flags);
        put_u16(tail, self.constants.utf8(FREEZE_WORD.as_bytes())?);
        put_u16(tail, self.constants.utf8(SHADOW_DESCRIPTOR.as_bytes())?);
        put_u16(tail, 0);
        Ok(())
    }

    /// Is the method a constructor that writes such a field? Its object must be the same throughout.
    pub(super) fn freezes(&self, member: &Member<'a>, code: &Code<'a>) -> Result<bool, Skipped> {
        let may = member.name == b"<init>" && self.has_freeze_word();
        if !may || opcode::writes_local(code.instructions, 0)? {
            return Ok(false);
        }
        let mut pc = 0;
        while pc < code.instructions.len() {
            let (kind, opcode, length) = opcode::instruction(code.instructions, pc)?;
            if kind == Kind::Field && opcode == PUTFIELD {
                let written = self.class.pool.field_ref(u16_at(code.instructions, pc + 1)?)?;
                let is_it = |field: &Member<'_>| {
                    field.name == written.name && field.descriptor == written.descriptor && reaches(field)
                };
                if written.owner == self.class.name && self.class.fields.iter().any(is_it) {
                    return Ok(true);
                }
            }
            pc += length;
        }
        Ok(false)
    }

    /// Writes the freeze word before a return of a constructor.
    pub(super) fn freeze(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        if !body.freezes {
            return Ok(());
        }
        if self.does(Passes::SAMPLE) {
            // What the object's final fields reach is ordered from here on, by whatever it is published.
            return self.invoke(Hook::Tick, Caller::WithoutContext);
        }
        let site = self.site(body, pc, Action::ReturnFromConstructor)?;
        self.patch.assembler.load(ALOAD, 0);
        self.hook(body, Hook::Freeze, site)?;
        let (name, descriptor) = (FREEZE_WORD.as_bytes(), SHADOW_DESCRIPTOR.as_bytes());
        let word = self.constants.member(tag::FIELD_REF, self.class.this_class, name, descriptor)?;
        self.patch.assembler.with_constant(PUTFIELD, word, -3);
        Ok(())
    }
}
