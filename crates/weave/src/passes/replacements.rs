//! Calls in whose place others are made: those that [`hooks::REPLACEMENTS`](crate::hooks::REPLACEMENTS) lists, and in controlled
//! runs those of [`hooks::CONTROLLED`](crate::hooks::CONTROLLED), which keep the hooks that stand around them.

use super::{Body, Weaver};
use crate::classfile::opcode::{INVOKEDYNAMIC, INVOKESPECIAL, INVOKESTATIC, INVOKEVIRTUAL};
use crate::hooks::{self, CONTROL_SHIM, Hook, UNSAFE_SHIM};
use crate::passes::calls::CallUse;
use crate::site::{Action, Member};
use crate::{Home, Passes, Skipped};

impl<'a> Weaver<'_, 'a> {
    /// The constant of the method to call instead, if the call is replaced.
    pub(super) fn replacement(&mut self, body: &Body<'a>, pc: usize, opcode: u8) -> Result<Option<u16>, Skipped> {
        if !self.plan.passes.intersects(Passes::UNSAFE | Passes::UNSAFE_PLAIN) || opcode != INVOKEVIRTUAL {
            return Ok(None);
        }
        let CallUse::Replaced(rule) = self.call_use(Self::operand(body, pc)?)? else { return Ok(None) };
        self.hook_method(UNSAFE_SHIM, &rule.name, &rule.static_descriptor()).map(Some)
    }

    /// Is it a static initializer of a controlled run?
    pub(super) fn is_initializer(&self, body: &Body<'a>) -> bool {
        self.does(Passes::CONTROL) && self.plan.home == Home::Shim && body.member.name == b"<clinit>"
    }

    /// A controlled run: the hook where a static initializer starts or ends.
    pub(super) fn bracket_initializer(&mut self, body: &mut Body<'a>, pc: usize, hook: Hook) -> Result<(), Skipped> {
        if !self.is_initializer(body) {
            return Ok(());
        }
        let action = if pc == 0 { Action::EnterMethod } else { Action::ReturnFromMethod };
        let site = self.site(body, pc, action)?;
        self.hook(body, hook, site)
    }

    /// A controlled run: the hook before a call that is a point, and the constant of the method to call instead, if the call is
    /// one that the run makes itself.
    pub(super) fn controlled(&mut self, body: &mut Body<'a>, pc: usize, opcode: u8) -> Result<Option<u16>, Skipped> {
        if !self.does(Passes::CONTROL) || matches!(opcode, INVOKEDYNAMIC) {
            return Ok(None);
        }
        let method = self.class.pool.method_ref(Self::operand(body, pc)?)?;
        let rule = hooks::controlled(method.owner, method.name, method.descriptor)
            .filter(|rule| opcode == if rule.is_static { INVOKESTATIC } else { INVOKEVIRTUAL })
            .filter(|rule| rule.owner.as_bytes() != self.class.name)
            // `join` waits in there until the JVM says that a thread has ended, which the run has waited for already.
            .filter(|_| self.class.name != crate::boot::HOME.as_bytes());
        let of_program = self.plan.home == Home::Shim;
        let is_point = opcode != INVOKESPECIAL && hooks::is_shared_callee(method.owner);
        let hook = if rule.is_some() { Hook::ControlledCall } else { Hook::SharedCall };
        if of_program && (rule.is_some() || is_point) {
            let named = Member { owner: method.owner, name: method.name, descriptor: method.descriptor };
            let site = self.site(body, pc, Action::Call(named))?;
            self.hook(body, hook, site)?;
        }
        rule.map(|rule| self.hook_method(CONTROL_SHIM, rule.instead, &rule.static_descriptor())).transpose()
    }
}
