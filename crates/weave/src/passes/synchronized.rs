//! Synchronized methods: a hook at the start, one before each return, one in a handler for every exception.
//!
//! The JVM takes the monitor before the first instruction and gives it back after the last, so all three run while it
//! is held. The monitor is the receiver, read from local 0 unless the method writes that local, and then
//! from a local added for it; or the class. Not seen: native synchronized methods, which have no code.
//!
//! `loadClass(String)` is one of them as far as the JVM calls it: then it holds the loader's monitor, unless loaders of
//! that class can load in parallel. Its hooks ask whether the monitor is held.

use super::monitors::given_back;
use super::{Body, Weaver};
use crate::classfile::frames::Type;
use crate::classfile::opcode::{self, ALOAD, ATHROW, INVOKESTATIC};
use crate::classfile::{CLASS_CONSTANTS_SINCE, access, tag};
use crate::hooks::Hook;
use crate::patch::Handler;
use crate::site::Action;
use crate::{Passes, Skipped};

/// Where a synchronized method's monitor is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Monitor {
    /// The method is not synchronized, or the pass does not run.
    None,
    /// In this local: the receiver.
    Local(u16),
    /// The class itself.
    Class,
}

impl<'a> Weaver<'_, 'a> {
    /// The hook at the start of a synchronized method.
    pub(super) fn enter_method(&mut self, body: &mut Body<'a>) -> Result<Monitor, Skipped> {
        // A quiet method's own monitor is not seen either.
        let seen = body.rule.is_none_or(|rule| !rule.is_quiet());
        let is_synchronized = body.member.is(access::SYNCHRONIZED);
        if !self.does(Passes::SYNCHRONIZED) || !seen || !(is_synchronized || may_be_called_with_monitor(body)) {
            return Ok(Monitor::None);
        }
        let monitor = if body.member.is(access::STATIC) {
            Monitor::Class
        } else if opcode::writes_local(body.code.instructions, 0)? {
            let local = self.add_local(body, Type::object(self.class.this_class))?;
            self.patch.assembler.load(ALOAD, 0);
            self.patch.assembler.store(ALOAD, local);
            Monitor::Local(local)
        } else {
            Monitor::Local(0)
        };
        let site = self.site(body, 0, Action::EnterMethod)?;
        self.hook(body, Hook::BeforeMonitor, site)?;
        self.load_monitor(monitor)?;
        let taken = if is_synchronized { self.taken_by(Hook::EnterMethod) } else { Hook::EnterLoader };
        self.hook(body, taken, site)?;
        Ok(monitor)
    }

    /// The hook before a return.
    pub(super) fn return_from_method(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        monitor: Monitor,
    ) -> Result<(), Skipped> {
        if monitor == Monitor::None {
            return Ok(());
        }
        let site = self.site(body, pc, Action::ReturnFromMethod)?;
        self.load_monitor(monitor)?;
        self.hook(body, given_at_end(body), site)
    }

    /// The handler for every exception: it gives the monitor back, and ends what ends with the method.
    pub(super) fn throw_from_method(&mut self, body: &mut Body<'a>, monitor: Monitor) -> Result<(), Skipped> {
        let at_exit = body.rule.and_then(|rule| rule.exit);
        // A handler cannot hold a constructor's incomplete object.
        let boundary = body.boundary.is_some() && body.member.name != b"<init>";
        if monitor == Monitor::None && at_exit.is_none() && !boundary {
            return Ok(());
        }
        let site = self.site(body, 0, Action::ThrowFromMethod)?;
        let from = self.patch.assembler.position();
        self.patch.assembler.begin();
        if monitor != Monitor::None {
            self.load_monitor(monitor)?;
            self.hook(body, given_at_end(body), site)?;
        }
        if let Some(hook) = at_exit {
            self.hook(body, hook, site)?;
        }
        self.leave_boundary(body, 0)?;
        self.patch.assembler.op(ATHROW);
        let receiver = monitor == Monitor::Local(0);
        let locals = if receiver { vec![Type::object(self.class.this_class)] } else { Vec::new() };
        self.patch.handler = Some(Handler { from, locals });
        Ok(())
    }

    fn load_monitor(&mut self, monitor: Monitor) -> Result<(), Skipped> {
        match monitor {
            Monitor::None => {}
            Monitor::Local(local) => self.patch.assembler.load(ALOAD, local),
            Monitor::Class => self.load_class()?,
        }
        Ok(())
    }

    /// Loads the class itself.
    pub(super) fn load_class(&mut self) -> Result<(), Skipped> {
        if self.class.major >= CLASS_CONSTANTS_SINCE {
            self.patch.assembler.load_constant(self.class.this_class);
            return Ok(());
        }
        // Before Java 5 there is no constant for a class: ask for it by name, as compilers did then. The class is loaded
        // and its loader is the caller's, so this finds it.
        let name: Vec<u8> = self.class.name.iter().map(|&byte| if byte == b'/' { b'.' } else { byte }).collect();
        let name = self.constants.string(&name)?;
        let class = self.constants.class(b"java/lang/Class")?;
        let by_name = b"(Ljava/lang/String;)Ljava/lang/Class;";
        let by_name = self.constants.member(tag::METHOD_REF, class, b"forName", by_name)?;
        self.patch.assembler.load_constant(name);
        self.patch.assembler.with_constant(INVOKESTATIC, by_name, 0);
        Ok(())
    }
}

/// The hook where the monitor is given back.
fn given_at_end(body: &Body<'_>) -> Hook {
    let is_synchronized = body.member.is(access::SYNCHRONIZED);
    given_back(body, if is_synchronized { Hook::ExitMethod } else { Hook::ExitLoader })
}

/// Does the JVM call the method with the monitor held, if its class is a loader?
fn may_be_called_with_monitor(body: &Body<'_>) -> bool {
    let member = &body.member;
    let is_named = member.name == b"loadClass" && member.descriptor == b"(Ljava/lang/String;)Ljava/lang/Class;";
    is_named && !member.is(access::STATIC)
}
