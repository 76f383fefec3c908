//! Points: hooks before what the program is about to do, where a thread may be held back.
//!
//! Those before monitors are in `monitors` and `synchronized`. Here are the starts of the JDK's methods that take a lock, and the
//! accesses that the plan names. A receiver or an array may be null, and an index out of bounds: the instruction throws then.

use super::arrays::element;
use super::{Body, Receiver, Weaver};
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;
use crate::hooks::{Hook, point_rule};
use crate::site::{Action, Member, Site};
use crate::{Passes, Skipped};

impl<'a> Weaver<'_, 'a> {
    /// The hook where a method starts that takes a lock.
    pub(super) fn request_in_ruled_method(&mut self, body: &mut Body<'a>) -> Result<(), Skipped> {
        if !self.does(Passes::POINTS) || !self.has_rules {
            return Ok(());
        }
        let Some(rule) = point_rule(self.class.name, body.member.name) else { return Ok(()) };
        let site = self.site(body, 0, Action::RuledMethod)?;
        self.load_subject(rule.subject, rule.hook)?;
        self.hook(body, rule.hook, site)
    }

    /// The hook before an access, if the plan wants one there.
    pub(super) fn stop_before(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        kind: Kind,
        opcode: u8,
        receiver: Receiver,
    ) -> Result<(), Skipped> {
        let action = match kind {
            Kind::Field => {
                let field = self.class.pool.field_ref(Self::operand(body, pc)?)?;
                if opcode == PUTFIELD && receiver == Receiver::Incomplete && field.owner == self.class.name {
                    return Ok(());
                }
                let named = Member { owner: field.owner, name: field.name, descriptor: field.descriptor };
                if matches!(opcode, GETFIELD | GETSTATIC) {
                    Action::ReadField(named)
                } else {
                    Action::WriteField(named)
                }
            }
            Kind::ArrayLoad => Action::ReadElement(element(opcode - IALOAD).0),
            Kind::ArrayStore => Action::WriteElement(element(opcode - IASTORE).0),
            _ => return Ok(()),
        };
        let line = self.lines.line(&self.class.pool, &body.code, pc)?;
        let access = Site {
            class: self.class.name,
            method: body.member.name,
            descriptor: body.member.descriptor,
            bytecode: u16::try_from(pc).unwrap_or(u16::MAX),
            line,
            action,
        };
        if !self.plan.choices.stops_before(&access) {
            return Ok(());
        }
        let site = self.site(body, pc, action)?;
        let assembler = &mut self.patch.assembler;
        let is_wide = |descriptor: &[u8]| Width::of(descriptor.first().copied().unwrap_or_default()) == Width::Two;
        let hook = match (kind, action) {
            (Kind::Field, Action::ReadField(_)) if opcode == GETFIELD => {
                assembler.op(DUP);
                Hook::BeforeAccess
            }
            (Kind::Field, Action::WriteField(field)) if opcode == PUTFIELD => {
                let is_wide = is_wide(field.descriptor);
                assembler.ops(if is_wide { &[DUP2_X1, POP2, DUP_X2] } else { &[DUP2, POP] });
                Hook::BeforeAccess
            }
            (Kind::Field, _) => {
                assembler.null();
                Hook::BeforeAccess
            }
            (Kind::ArrayLoad, _) => {
                assembler.op(DUP2);
                Hook::BeforeElement
            }
            _ => {
                let is_wide = element(opcode - IASTORE).1 == Width::Two;
                assembler.ops(if is_wide { &[DUP2_X2, POP2, DUP2_X2] } else { &[DUP_X2, POP, DUP2_X1] });
                Hook::BeforeElement
            }
        };
        self.hook(body, hook, site)
    }
}
