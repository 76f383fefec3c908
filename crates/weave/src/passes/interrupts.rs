//! Interrupts that are seen as exceptions: a hook where the constructors of `InterruptedException` return.
//!
//! JLS §17.4.4: an interrupt comes before whatever finds out about it, also by an `InterruptedException`. The JVM throws
//! these out of native methods, so no call of the program's shows it; but it always makes one, in the thread that was
//! interrupted.

use super::{Body, Weaver};
use crate::hooks::Hook;
use crate::site::Action;
use crate::{Passes, Skipped};

impl<'a> Weaver<'_, 'a> {
    /// The hook before a return of a constructor.
    pub(super) fn return_from_constructor(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        if !self.does(Passes::INTERRUPTS) || body.member.name != b"<init>" {
            return Ok(());
        }
        let site = self.site(body, pc, Action::ReturnFromConstructor)?;
        self.hook(body, Hook::ThrowInterrupt, site)
    }
}
