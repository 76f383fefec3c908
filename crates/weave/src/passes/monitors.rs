//! Monitors of synchronized blocks: a hook after `monitorenter`, a hook before `monitorexit`.
//!
//! Where the hook after `monitorenter` lies against exception ranges and loops is the layout's care.

use super::{Body, Weaver};
use crate::Skipped;
use crate::classfile::opcode::DUP;
use crate::hooks::Hook;
use crate::site::Action;

impl<'a> Weaver<'_, 'a> {
    /// `monitorenter`.
    pub(super) fn enter(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let site = self.site(body, pc, Action::EnterMonitor)?;
        self.patch.assembler.op(DUP);
        self.patch.assembler.original(-1);
        self.hook(body, Hook::EnterMonitor, site)
    }

    /// `monitorexit`.
    pub(super) fn exit(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let site = self.site(body, pc, Action::ExitMonitor)?;
        self.patch.assembler.op(DUP);
        self.hook(body, Hook::ExitMonitor, site)
    }
}
