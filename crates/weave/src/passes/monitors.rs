//! Monitors of synchronized blocks: a hook after `monitorenter`, a hook before `monitorexit`.
//!
//! Where the hook after `monitorenter` lies against exception ranges and loops is the layout's care.
//!
//! A compiler's handler that gives a monitor back protects itself too, so that an exception in it starts it again. If
//! our hook in there ran out of stack it would do so each time, for ever. Hence one more hook before `monitorenter`, which
//! needs more stack than the others do: it is the one that overflows, and nothing is held then.

use super::{Body, Weaver};
use crate::classfile::opcode::DUP;
use crate::hooks::Hook;
use crate::site::Action;
use crate::{Home, Skipped};

impl<'a> Weaver<'_, 'a> {
    /// `monitorenter`.
    pub(super) fn enter(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let site = self.site(body, pc, Action::EnterMonitor)?;
        self.hook(body, Hook::BeforeMonitor, site)?;
        self.patch.assembler.op(DUP);
        self.patch.assembler.original(-1);
        self.hook(body, self.taken_by(Hook::EnterMonitor), site)
    }

    /// The hook for a monitor that was taken: not all that the JDK takes for itself order the program's threads.
    pub(super) fn taken_by(&self, program: Hook) -> Hook {
        match self.plan.home {
            Home::Shim => program,
            Home::Boot => Hook::EnterJdkMonitor,
        }
    }

    /// `monitorexit`.
    pub(super) fn exit(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let site = self.site(body, pc, Action::ExitMonitor)?;
        self.patch.assembler.op(DUP);
        self.hook(body, given_back(body, Hook::ExitMonitor), site)
    }
}

/// The hook for a monitor that is given back: a method that only looks something up sends nothing.
pub(super) fn given_back(body: &Body<'_>, hook: Hook) -> Hook {
    if body.rule.is_some_and(|rule| rule.only_reads) { Hook::ExitReading } else { hook }
}
