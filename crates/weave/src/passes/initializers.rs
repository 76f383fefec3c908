//! Class initialization (JLS §12.4.2): what a static initializer did comes before whatever first needs the class.
//!
//! A releasing hook stands before each return of `<clinit>`. Acquiring hooks stand where a class is needed first: at the
//! start of its static methods and constructors (of an interface, all its methods), and, as late hooks, at accesses to
//! its static fields from other classes. Not seen: uses by reflection or method handles of fields.
//!
//! Before a class the ones are initialized that it extends, and interfaces that it implements if they have default methods. So a
//! class that has such and no `<clinit>` has the hooks as well, and one with a `<clinit>` a hook at its start. A constructor
//! calls one of the class that it extends, which has hooks of its own.

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
        if !self.does(Passes::INITIALIZERS) || !runs_after {
            return Ok(());
        }
        let implements = !of_interface && self.class.interfaces.iter().any(|name| !is_of_jdk(name));
        let extends = implements || self.class.super_name.is_some_and(|name| !is_of_jdk(name));
        let is_initializer = body.member.name == INITIALIZER;
        let inherits = if body.member.name == b"<init>" { implements } else { extends };
        if !(inherits || self.has_initializer() && !is_initializer) {
            return Ok(());
        }
        let site = self.site(body, 0, Action::UseClass)?;
        self.load_class()?;
        self.hook(body, if is_initializer { Hook::EnterInitializer } else { Hook::UseClass }, site)
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

/// Is the class, by internal name, of the packages that only the JDK has? Its initializers are not seen.
fn is_of_jdk(class: &[u8]) -> bool {
    class.starts_with(b"java/")
}
