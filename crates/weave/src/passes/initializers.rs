//! Class initialization (JLS §12.4.2): what a static initializer did comes before whatever first needs the class.
//!
//! A releasing hook stands before each return of `<clinit>`. Acquiring hooks stand where a class is needed first: at the
//! start of its static methods and constructors (of an interface, all its methods), and, as late hooks, at accesses to
//! its static fields from other classes. Only classes with a `<clinit>` have any. Not seen: uses by reflection or
//! method handles of fields.

use super::{Body, Weaver};
use crate::classfile::access;
use crate::hooks::Hook;
use crate::site::Action;
use crate::{Passes, Skipped};

const INITIALIZER: &[u8] = b"<clinit>";

impl<'a> Weaver<'_, 'a> {
    /// The hook at the start of a method that runs only after the class's initializer.
    pub(super) fn use_class(&mut self, body: &mut Body<'a>) -> Result<(), Skipped> {
        // An interface is initialized when a class that implements it is, which may be a class without any hook.
        let of_interface = self.class.is(access::INTERFACE);
        let runs_after = of_interface || body.member.name == b"<init>" || body.member.is(access::STATIC);
        let is_initializer = body.member.name == INITIALIZER;
        if !self.does(Passes::INITIALIZERS) || !runs_after || is_initializer || !self.has_initializer() {
            return Ok(());
        }
        let site = self.site(body, 0, Action::UseClass)?;
        self.load_class()?;
        self.hook(body, Hook::UseClass, site)
    }

    /// The hook before a return of the initializer.
    pub(super) fn return_from_initializer(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        if !self.does(Passes::INITIALIZERS) || body.member.name != INITIALIZER {
            return Ok(());
        }
        let site = self.site(body, pc, Action::ReturnFromInitializer)?;
        self.load_class()?;
        self.hook(body, Hook::ExitInitializer, site)
    }

    fn has_initializer(&self) -> bool {
        self.class.methods.iter().any(|method| method.name == INITIALIZER)
    }
}
