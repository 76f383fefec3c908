//! Synchronized methods: a hook at the start, one before each return, one in a handler for every exception.
//!
//! The JVM takes the monitor before the first instruction and gives it back after the last, so all three run while it
//! is held. The monitor is the receiver, read from local 0 unless the method writes that local, and then
//! from a local added for it; or the class. Not seen: native synchronized methods, which have no code.
//!
//! With [`Passes::POINTS`] a program's method takes the monitor itself and is not declared `synchronized` any more: a hook
//! before the JVM takes it has no other place. It reads the monitor from one local, so that the JIT can pair what it takes
//! with what it gives back. Reflection shows the method without the modifier.
//!
//! `loadClass(String)` is one of them as far as the JVM calls it: then it holds the loader's monitor, unless loaders of
//! that class can load in parallel. Its hooks ask whether the monitor is held.

use super::monitors::given_back;
use super::{Body, Weaver};
use crate::classfile::frames::Type;
use crate::classfile::opcode::{self, ALOAD, ATHROW, INVOKESTATIC, MONITORENTER, MONITOREXIT};
use crate::classfile::{CLASS_CONSTANTS_SINCE, Member, access, tag};
use crate::hooks::Hook;
use crate::patch::Handler;
use crate::site::Action;
use crate::{Home, Passes, Skipped};

/// Where a synchronized method's monitor is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Monitor {
    /// The method is not synchronized, or the pass does not run.
    None,
    /// In local 0: the receiver.
    Receiver,
    /// In this local, which was added for it.
    Kept(u16),
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
        let itself = self.takes_itself(&body.member);
        let monitor = if itself && body.member.is(access::STATIC) {
            let class = self.constants.class(b"java/lang/Class")?;
            let local = self.add_local(body, Type::object(class))?;
            self.load_class()?;
            self.patch.assembler.store(ALOAD, local);
            Monitor::Kept(local)
        } else if body.member.is(access::STATIC) {
            Monitor::Class
        } else if opcode::writes_local(body.code.instructions, 0)? {
            let local = self.add_local(body, Type::object(self.class.this_class))?;
            self.patch.assembler.load(ALOAD, 0);
            self.patch.assembler.store(ALOAD, local);
            Monitor::Kept(local)
        } else {
            Monitor::Receiver
        };
        let site = self.site(body, 0, Action::EnterMethod)?;
        self.hook(body, Hook::BeforeMonitor, site)?;
        if itself {
            self.load_monitor(monitor)?;
            self.hook(body, Hook::RequestMonitor, site)?;
            self.load_monitor(monitor)?;
            self.patch.assembler.op(MONITORENTER);
        }
        self.load_monitor(monitor)?;
        let taken = if is_synchronized { self.taken_by(Hook::EnterMethod) } else { Hook::EnterLoader };
        self.hook(body, taken, site)?;
        Ok(monitor)
    }

    /// Does a synchronized method take its monitor itself?
    pub(super) fn takes_itself(&self, member: &Member<'_>) -> bool {
        let passes = Passes::POINTS | Passes::SYNCHRONIZED;
        let is_taken = member.is(access::SYNCHRONIZED) && !member.is(access::NATIVE);
        self.plan.passes.contains(passes) && self.plan.home == Home::Shim && is_taken
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
        self.hook(body, given_at_end(body), site)?;
        self.give_back(body, monitor)
    }

    /// Gives back what the method has taken itself.
    fn give_back(&mut self, body: &Body<'a>, monitor: Monitor) -> Result<(), Skipped> {
        if self.takes_itself(&body.member) {
            self.load_monitor(monitor)?;
            self.patch.assembler.op(MONITOREXIT);
        }
        Ok(())
    }

    /// The handler for every exception: it gives the monitor back, and ends what ends with the method.
    pub(super) fn throw_from_method(&mut self, body: &mut Body<'a>, monitor: Monitor) -> Result<(), Skipped> {
        let at_exit = body.rule.and_then(|rule| rule.exit);
        // A handler cannot hold a constructor's incomplete object.
        let boundary = body.boundary.is_some() && body.member.name != b"<init>";
        if monitor == Monitor::None && at_exit.is_none() && !boundary && !self.is_initializer(body) {
            return Ok(());
        }
        let site = self.site(body, 0, Action::ThrowFromMethod)?;
        let from = self.patch.assembler.position();
        self.patch.assembler.begin();
        if monitor != Monitor::None {
            self.load_monitor(monitor)?;
            self.hook(body, given_at_end(body), site)?;
            self.give_back(body, monitor)?;
        }
        if let Some(hook) = at_exit {
            self.hook(body, hook, site)?;
        }
        self.bracket_initializer(body, 0, Hook::EndInitializer)?;
        self.leave_boundary(body, 0)?;
        self.patch.assembler.op(ATHROW);
        let receiver = monitor == Monitor::Receiver;
        let locals = if receiver { vec![Type::object(self.class.this_class)] } else { Vec::new() };
        self.patch.handler = Some(Handler { from, locals });
        Ok(())
    }

    fn load_monitor(&mut self, monitor: Monitor) -> Result<(), Skipped> {
        match monitor {
            Monitor::None => {}
            Monitor::Receiver => self.patch.assembler.load(ALOAD, 0),
            Monitor::Kept(local) => self.patch.assembler.load(ALOAD, local),
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
