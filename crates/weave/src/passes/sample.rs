//! Sampling (crsampler.txt §4.2): a call at each sampled access, and one at each synchronization that hands something on.
//!
//! The hooks of other passes stand where they always do, so what synchronizes is one list for sampling and for detection; what
//! they take is dropped and the clock of the thread is advanced instead. A field that is known to be volatile has a tick before
//! each write, one of another class a hook that finds out what it is. Whether an access is sampled is decided here, once.
//!
//! The hook of an access stands after it, as a detector's does. Sampling is not asked about fields of the JDK, nor about ranges
//! of arrays.

use super::fields::FieldUse;
use super::{Body, Receiver, Weaver, arrays};
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;
use crate::hooks::{Caller, Hook, Ticking};
use crate::plan::{AccessAt, Sampled};
use crate::site::{Action, Member};
use crate::{Field, Passes, Skipped};

/// What is known of a field when the program is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampledField {
    /// It is plain.
    Plain,
    /// A write synchronizes.
    Volatile,
    /// It is one of these two, or final.
    Late,
}

/// What the instructions get that name a field of which this is known: as without sampling, by the same passes.
pub(super) fn sampled_use(known: Option<Field>, passes: Passes) -> FieldUse {
    match known {
        Some(Field::Shadowed) => FieldUse::Sampled(SampledField::Plain),
        Some(Field::Celled | Field::Volatile) if passes.contains(Passes::VOLATILES) => {
            FieldUse::Sampled(SampledField::Volatile)
        }
        None if passes.contains(Passes::LATE) => FieldUse::Sampled(SampledField::Late),
        _ => FieldUse::Unhooked,
    }
}

impl<'a> Weaver<'_, 'a> {
    /// What is left of the hook of another pass: its operands lie on the stack, without the site.
    pub(super) fn reduced(&mut self, hook: Hook) -> Result<(), Skipped> {
        let ticking = hook.ticking();
        if ticking == Ticking::Taken {
            self.invoke(Hook::TickOf, Caller::WithoutContext)?;
        } else {
            for width in hook.takes_widths().into_iter().rev() {
                self.patch.assembler.op(if width == Width::Two { POP2 } else { POP });
            }
        }
        if matches!(ticking, Ticking::Current | Ticking::Taken) {
            self.invoke(Hook::Tick, Caller::WithoutContext)?;
        }
        match hook.gives() {
            "J" => self.patch.assembler.op(LCONST_0),
            "I" => self.patch.assembler.number(0, &mut self.constants)?,
            _ => {}
        }
        Ok(())
    }

    fn sampled(&mut self, body: &Body<'a>, pc: usize) -> Result<Sampled, Skipped> {
        let line = self.lines.line(&self.class.pool, &body.code, pc)?;
        Ok(self.plan.choices.sampled(&AccessAt {
            class: self.class.name,
            method: body.member.name,
            descriptor: body.member.descriptor,
            bytecode: pc,
            line,
        }))
    }

    /// An access to a field.
    pub(super) fn sampled_field(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        opcode: u8,
        receiver: Receiver,
        known: SampledField,
    ) -> Result<(), Skipped> {
        let field = self.class.pool.field_ref(Self::operand(body, pc)?)?;
        let writes = !matches!(opcode, GETFIELD | GETSTATIC);
        if opcode == PUTFIELD && receiver == Receiver::Incomplete && field.owner == self.class.name {
            return Ok(());
        }
        if known == SampledField::Volatile {
            return if writes { self.invoke(Hook::Tick, Caller::WithoutContext) } else { Ok(()) };
        }
        let is_late = known == SampledField::Late && writes;
        let hook = match self.sampled(body, pc)? {
            Sampled::Nothing if !is_late => return Ok(()),
            Sampled::Nothing => None,
            Sampled::Looks => Some(Hook::LookAtField),
            Sampled::Samples => Some(Hook::SampleField),
        };
        let named = Member { owner: field.owner, name: field.name, descriptor: field.descriptor };
        let action = if writes { Action::WriteField(named) } else { Action::ReadField(named) };
        let site = self.site(body, pc, action)?;
        let width = Width::of(field.descriptor.first().copied().unwrap_or_default());
        let words = i32::from(width.words());
        match opcode {
            GETFIELD => {
                self.patch.assembler.op(DUP);
                self.patch.assembler.original(words - 1);
                self.patch.assembler.lift_reference_below(width);
            }
            GETSTATIC => {
                self.patch.assembler.original(words);
                self.patch.assembler.null();
            }
            PUTFIELD => {
                // The receiver goes to the top, above its copy and the value: for the hook before the write.
                if is_late {
                    if width == Width::Two {
                        self.patch.assembler.ops(&[DUP2_X1, POP2, DUP_X2]);
                    } else {
                        self.patch.assembler.ops(&[DUP2, POP]);
                    }
                    self.hook(body, Hook::TickLate, site)?;
                }
                if hook.is_none() {
                    return Ok(());
                }
                if width == Width::Two {
                    self.patch.assembler.ops(&[DUP2_X1, POP2, DUP_X2, DUP_X2, POP]);
                    self.patch.assembler.original(-3);
                } else {
                    self.patch.assembler.op(DUP2);
                    self.patch.assembler.original(-2);
                    self.patch.assembler.op(POP);
                }
            }
            _ => {
                if is_late {
                    self.hook(body, Hook::TickLateStatic, site)?;
                }
                if hook.is_none() {
                    return Ok(());
                }
                self.patch.assembler.original(-words);
                self.patch.assembler.null();
            }
        }
        match hook {
            Some(hook) => self.hook(body, hook, site),
            None => Ok(()),
        }
    }

    /// An access to an element.
    pub(super) fn sampled_element(&mut self, body: &mut Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        let hook = match self.sampled(body, pc)? {
            Sampled::Nothing => return Ok(()),
            Sampled::Looks => Hook::LookAtElement,
            Sampled::Samples => Hook::SampleElement,
        };
        let loads = opcode < ISTORE;
        let (element, width) = arrays::element(opcode - if loads { IALOAD } else { IASTORE });
        let action = if loads { Action::ReadElement(element) } else { Action::WriteElement(element) };
        let site = self.site(body, pc, action)?;
        let words = i32::from(width.words());
        let assembler = &mut self.patch.assembler;
        if loads {
            assembler.op(DUP2);
            assembler.original(words - 2);
            let below: &[u8] = if width == Width::Two { &[DUP2_X2, POP2] } else { &[DUP_X2, POP] };
            assembler.ops(below);
        } else {
            // The value goes below array and index, and both are copied below it.
            let below: &[u8] = if width == Width::Two {
                &[DUP2_X2, POP2, DUP2_X2, DUP2_X2, POP2]
            } else {
                &[DUP_X2, POP, DUP2_X1, DUP2_X1, POP2]
            };
            assembler.ops(below);
            assembler.original(-2 - words);
        }
        self.hook(body, hook, site)
    }
}
