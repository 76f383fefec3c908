//! Monitors of synchronized blocks: a hook after `monitorenter`, a hook before `monitorexit`.
//!
//! Where the hook after `monitorenter` lies against exception ranges and loops is the layout's care.
//!
//! A compiler's handler that gives a monitor back protects itself too, so that an exception in it starts it again. If
//! our hook in there ran out of stack it would do so each time, for ever. Hence one more hook before `monitorenter`, which
//! needs more stack than the others do: it is the one that overflows, and nothing is held then.

use super::{Body, Weaver};
use crate::bytes::u16_at;
use crate::classfile::opcode::{ASTORE, ASTORE_0, ASTORE_3, DUP, GETFIELD, GETSTATIC};
use crate::hooks::Hook;
use crate::site::{Action, Member};
use crate::{Home, Passes, Skipped};

impl<'a> Weaver<'_, 'a> {
    /// `monitorenter`.
    pub(super) fn enter(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let held_by = self.has_points().then(|| self.field_of_monitor(body, pc)).flatten();
        let site = self.site(body, pc, held_by.map_or(Action::EnterMonitor, Action::EnterMonitorOf))?;
        self.hook(body, Hook::BeforeMonitor, site)?;
        if self.has_points() {
            self.patch.assembler.op(DUP);
            self.hook(body, Hook::RequestMonitor, site)?;
        }
        self.patch.assembler.op(DUP);
        self.patch.assembler.original(-1);
        self.hook(body, self.taken_by(Hook::EnterMonitor), site)
    }

    /// The field from which compilers have just loaded the monitor: `getfield`, `dup`, `astore`, `monitorenter`. It is a name, and
    /// nothing rests on it.
    fn field_of_monitor(&self, body: &Body<'a>, pc: usize) -> Option<Member<'a>> {
        let code = body.code.instructions;
        let byte = |before: usize| pc.checked_sub(before).and_then(|at| code.get(at)).copied();
        let stored = match (byte(1)?, byte(2)) {
            (ASTORE_0..=ASTORE_3, _) => 1,
            (_, Some(ASTORE)) => 2,
            _ => return None,
        };
        let load = pc.checked_sub(stored + 4)?;
        if byte(stored + 1)? != DUP || !matches!(code.get(load)?, &(GETFIELD | GETSTATIC)) {
            return None;
        }
        let field = self.class.pool.field_ref(u16_at(code, load + 1).ok()?).ok()?;
        Some(Member { owner: field.owner, name: field.name, descriptor: field.descriptor })
    }

    /// Are there points before the monitors of the class? In the JDK there are some before its locks only.
    pub(super) fn has_points(&self) -> bool {
        self.does(Passes::POINTS) && self.plan.home == Home::Shim
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
