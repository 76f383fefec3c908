//! Boundaries between visible and hidden methods, and what a thread's path depends on: what predictors need of a recording.
//!
//! A hidden method passes on its receiver and its arguments where it starts, and its end by a return or an exception; the shim
//! takes those that visible code called for a BarrierPair (Rajagopalan's thesis, section 4.2). A synchronized static one tells
//! its class too, whose monitor it takes. A visible method says where it starts and ends too: it may have been called back from
//! a hidden one. What the start gives lives in a local for the end.
//!
//! A native method that the class itself declares is hidden by its nature: there the hooks stand around the call (`calls`).
//!
//! A constructor can have no handler for exceptions, since that cannot hold its incomplete object. Where a hidden one throws,
//! the visible method that catches the exception or passes it on says so.
//!
//! Branches (PLDI 2014, "Maximal Sound Predictive Race Detection with Control Flow Abstraction"): a hook stands before
//! conditional jumps and switches, before accesses to elements, whose place an index decides, and before accesses through a
//! reference. Not hooked: what throws by a value that was read (divisions, casts, sizes of arrays). Calls are not hooked
//! either; what they depend on shows where the callee branches or accesses, or does not matter.

use super::{Body, Weaver};
use crate::bytes::u16_at;
use crate::classfile::access;
use crate::classfile::descriptor::{self, Parameters, Width};
use crate::classfile::frames::Type;
use crate::classfile::opcode::{ALOAD, GETFIELD, GOTO, ILOAD, JSR, Kind, MONITORENTER, PUTFIELD};
use crate::hooks::Hook;
use crate::site::Action;
use crate::{Passes, Skipped};

impl<'a> Weaver<'_, 'a> {
    /// The hooks at the start of a method: what a hidden one gets, and that it starts.
    pub(super) fn enter_boundary(&mut self, body: &mut Body<'a>) -> Result<(), Skipped> {
        let hook = if self.does(Passes::HIDDEN) {
            Hook::EnterHidden
        } else if self.does(Passes::VISIBLE) {
            Hook::EnterVisible
        } else {
            return Ok(());
        };
        let local = self.add_local(body, Type::INTEGER)?;
        let site = self.site(body, 0, Action::EnterMethod)?;
        if hook == Hook::EnterHidden {
            for argument in arguments(body)? {
                self.patch.assembler.load(ALOAD, argument);
                self.hook(body, Hook::Reach, site)?;
            }
            if body.member.is(access::STATIC) && body.member.is(access::SYNCHRONIZED) {
                self.load_class()?;
                self.hook(body, Hook::Reach, site)?;
            }
        }
        self.hook(body, hook, site)?;
        self.patch.assembler.store(ILOAD, local);
        body.boundary = Some(local);
        Ok(())
    }

    /// The hook where the method ends.
    pub(super) fn leave_boundary(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let Some(local) = body.boundary else { return Ok(()) };
        let hook = if self.does(Passes::HIDDEN) { Hook::ExitHidden } else { Hook::ExitVisible };
        let site = self.site(body, pc, Action::ReturnFromMethod)?;
        self.patch.assembler.load(ILOAD, local);
        self.hook(body, hook, site)
    }

    /// Where a visible method catches exceptions, in order.
    pub(super) fn handlers(&self, body: &Body<'a>) -> Result<Vec<usize>, Skipped> {
        let mut handlers = Vec::new();
        if self.does(Passes::VISIBLE) {
            for entry in body.code.exceptions.chunks_exact(8) {
                handlers.push(usize::from(u16_at(entry, 4)?));
            }
            handlers.sort_unstable();
        }
        Ok(handlers)
    }

    /// The hook where a visible method has caught an exception.
    pub(super) fn catch(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let site = self.site(body, pc, Action::ReturnFromMethod)?;
        self.hook(body, Hook::Caught, site)
    }

    /// The hook before an instruction whose effect depends on what the thread has read.
    pub(super) fn depend(&mut self, body: &mut Body<'a>, pc: usize, kind: Kind, opcode: u8) -> Result<(), Skipped> {
        if !self.does(Passes::BRANCHES) {
            return Ok(());
        }
        let hook = match kind {
            Kind::Jump if opcode != GOTO && opcode != JSR => Hook::Branch,
            Kind::Switch | Kind::ArrayLoad | Kind::ArrayStore => Hook::Branch,
            Kind::Field if matches!(opcode, GETFIELD | PUTFIELD) => Hook::Dereference,
            Kind::Monitor if opcode == MONITORENTER => Hook::Dereference,
            _ => return Ok(()),
        };
        let site = self.site(body, pc, Action::RuledMethod)?;
        self.hook(body, hook, site)
    }
}

/// The locals of a method's receiver and arguments that are references when it starts. A constructor's own object is not
/// complete then, and nobody else knows it.
fn arguments(body: &Body<'_>) -> Result<Vec<u16>, Skipped> {
    let mut found = Vec::new();
    let mut next = 0_u16;
    if !body.member.is(access::STATIC) {
        if body.member.name != b"<init>" {
            found.push(0);
        }
        next = 1;
    }
    let mut parameters = Parameters::of(body.member.descriptor)?;
    while let Some(parameter) = parameters.next()? {
        if descriptor::load(parameter) == ALOAD {
            found.push(next);
        }
        next += Width::of(parameter.first().copied().unwrap_or_default()).words();
    }
    Ok(found)
}
