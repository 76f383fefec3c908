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
//! Branches (PLDI 2014, "Maximal Sound Predictive Race Detection with Control Flow Abstraction"): a hook stands before each
//! instruction that decides by values what runs next, or that throws by them: conditional jumps and switches; accesses to elements,
//! divisions, and new arrays; whatever needs a reference that is not null, or of some class; calls of an object's method, which its
//! class decides; and calls that pass values to code of which not all is recorded (`opaque`), or to the JDK, which may throw.
//! Not hooked: calls of the program's own static methods and constructors, where what they get decides nothing yet.

use super::{Body, Weaver};
use crate::bytes::u16_at;
use crate::classfile::access;
use crate::classfile::descriptor::{self, Parameters, Width};
use crate::classfile::frames::Type;
use crate::classfile::opcode::{
    ALOAD, ANEWARRAY, ARRAYLENGTH, ATHROW, GETFIELD, GOTO, ILOAD, INVOKEDYNAMIC, INVOKESPECIAL, INVOKESTATIC, JSR,
    Kind, MONITORENTER, NEWARRAY, PUTFIELD, instruction,
};
use crate::hooks::{Hook, may_be_of_jdk};
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

    /// Where a method has instructions that decide something and are plain to the rewriter, in order.
    pub(super) fn decided(&self, body: &Body<'a>) -> Result<Vec<usize>, Skipped> {
        let code = body.code.instructions;
        let mut found = Vec::new();
        let mut pc = if self.does(Passes::BRANCHES) { 0 } else { code.len() };
        while pc < code.len() {
            let (_, opcode, length) = instruction(code, pc)?;
            found.extend(decided_by(opcode).map(|_| pc));
            pc += length;
        }
        Ok(found)
    }

    /// What a call decides by.
    fn decides(&self, body: &Body<'a>, pc: usize, opcode: u8) -> Result<Option<Hook>, Skipped> {
        if opcode == INVOKEDYNAMIC {
            return Ok(self.is_unrecorded_site(body, pc)?.then_some(Hook::Branch));
        }
        let method = self.class.pool.method_ref(Self::operand(body, pc)?)?;
        let passes_values =
            may_be_of_jdk(method.owner) && !(method.owner == b"java/lang/Object" && method.name == b"<init>");
        Ok(match opcode {
            _ if passes_values || self.is_unrecorded(&method, opcode) => Some(Hook::Branch),
            INVOKESTATIC => None,
            INVOKESPECIAL if method.name == b"<init>" => None,
            _ => Some(Hook::Dereference),
        })
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
            Kind::Call => match self.decides(body, pc, opcode)? {
                Some(hook) => hook,
                None => return Ok(()),
            },
            Kind::Plain | Kind::Away => match decided_by(opcode) {
                Some(hook) => hook,
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        let site = self.site(body, pc, Action::RuledMethod)?;
        self.hook(body, hook, site)
    }
}

/// What an instruction that is plain to the rewriter decides by: a value, or a reference.
fn decided_by(opcode: u8) -> Option<Hook> {
    const IDIV: u8 = 0x6c;
    const LDIV: u8 = 0x6d;
    const IREM: u8 = 0x70;
    const LREM: u8 = 0x71;
    const CHECKCAST: u8 = 0xc0;
    const MULTIANEWARRAY: u8 = 0xc5;
    match opcode {
        IDIV | LDIV | IREM | LREM | NEWARRAY | ANEWARRAY | MULTIANEWARRAY => Some(Hook::Branch),
        ARRAYLENGTH | CHECKCAST | ATHROW => Some(Hook::Dereference),
        _ => None,
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
