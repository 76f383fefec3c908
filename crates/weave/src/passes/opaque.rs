//! Calls that may run code whose data is not recorded: a hook before each that is not known to run none
//! ([`hooks::callee`](crate::hooks)). The shim marks the thread's sections then, if the class of the receiver, or the class that
//! the call names, is not one whose accesses and calls are woven (docs/adr/0070-opaque-sections.md).
//!
//! A lambda's class is made by the JVM and not woven. What it runs is a method of this class, if the bootstrap method's argument
//! says so: a hook behind the `invokedynamic` tells.

use super::{Body, Weaver};
use crate::bytes::u16_at;
use crate::classfile::descriptor::{self, Width};
use crate::classfile::opcode::*;
use crate::classfile::{CLASS_CONSTANTS_SINCE, ClassFile, MemberRef, access};
use crate::hooks::{Callee, Hook, callee, takes_simple};
use crate::site::{Action, Member};
use crate::{Passes, Skipped};

/// What an `invokedynamic` runs or makes, by the bootstrap method that links it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// An object whose method is one of this class.
    Lambda,
    /// An object that runs something else; making it runs nothing.
    Other,
    /// Text of its arguments.
    Text,
    /// A choice by the class of an object, or by a constant.
    Choice,
    /// Nobody knows what.
    Unknown,
}

/// What the bootstrap methods of a class link, by number.
#[derive(Default)]
pub(super) struct Links(Vec<Link>);

impl Links {
    pub(super) fn of(class: &ClassFile<'_>, passes: Passes) -> Links {
        // What the JVM would reject is none of our business: it has no bootstrap methods here.
        if passes.intersects(Passes::OPAQUE | Passes::BRANCHES) {
            Links(links(class).unwrap_or_default())
        } else {
            Links::default()
        }
    }
}

fn links(class: &ClassFile<'_>) -> Result<Vec<Link>, Skipped> {
    let mut attributes = class.attributes();
    let mut links = Vec::new();
    while let Some(attribute) = attributes.next()? {
        if class.pool.utf8(attribute.name_index)? != b"BootstrapMethods" {
            continue;
        }
        let mut at = 2;
        for _ in 0..u16_at(attribute.body, 0)? {
            let method = class.pool.handle(u16_at(attribute.body, at)?)?;
            let count = usize::from(u16_at(attribute.body, at + 2)?);
            let implementation = || class.pool.handle(u16_at(attribute.body, at + 6)?);
            links.push(match method.owner {
                b"java/lang/invoke/LambdaMetafactory" if count >= 2 => {
                    let is_own = implementation().is_ok_and(|method| is_fixed(class, &method));
                    if is_own { Link::Lambda } else { Link::Other }
                }
                b"java/lang/invoke/StringConcatFactory" => Link::Text,
                b"java/lang/runtime/SwitchBootstraps" => Link::Choice,
                _ => Link::Unknown,
            });
            at += 4 + 2 * count;
        }
    }
    Ok(links)
}

/// Does a call of this method run just what the class itself declares?
fn is_fixed(class: &ClassFile<'_>, method: &MemberRef<'_>) -> bool {
    let fixed = access::STATIC | access::PRIVATE;
    declares(class, method).is_some_and(|found| found & fixed != 0 && found & access::NATIVE == 0)
}

/// How the class declares a method, if it does.
fn declares(class: &ClassFile<'_>, method: &MemberRef<'_>) -> Option<u16> {
    let mut methods = class.methods.iter().filter(|_| method.owner == class.name);
    methods.find(|own| own.name == method.name && own.descriptor == method.descriptor).map(|own| own.access)
}

impl<'a> Weaver<'_, 'a> {
    /// The hook before a call.
    pub(super) fn tell_call(&mut self, body: &mut Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        if !self.does(Passes::OPAQUE) {
            return Ok(());
        }
        if opcode == INVOKEDYNAMIC {
            return self.tell_dynamic(body, pc);
        }
        let method = self.class.pool.method_ref(Self::operand(body, pc)?)?;
        let hook = match self.callee(&method, opcode) {
            Callee::Recorded => return Ok(()),
            Callee::Object => Hook::CallObject,
            Callee::Own => Hook::CallOwn,
            Callee::Stream => Hook::CallStream,
            Callee::Class | Callee::Constructor if self.class.major < CLASS_CONSTANTS_SINCE => Hook::CallUnrecorded,
            Callee::Class => Hook::CallClass,
            Callee::Constructor => Hook::CallConstructor,
            Callee::Unrecorded => Hook::CallUnrecorded,
        };
        let named = Member { owner: method.owner, name: method.name, descriptor: method.descriptor };
        let site = self.site(body, pc, Action::Call(named))?;
        match hook {
            Hook::CallUnrecorded => self.hook(body, hook, site),
            Hook::CallClass | Hook::CallConstructor => {
                self.patch.assembler.load_constant(method.class);
                self.hook(body, hook, site)
            }
            _ => {
                let arguments = self.put_aside(body, method.descriptor)?;
                self.patch.assembler.op(DUP);
                self.hook(body, hook, site)?;
                for &(load, local) in arguments.iter().rev() {
                    self.patch.assembler.load(load, local);
                }
                Ok(())
            }
        }
    }

    fn callee(&self, method: &MemberRef<'_>, opcode: u8) -> Callee {
        let is_virtual = !matches!(opcode, INVOKESTATIC | INVOKESPECIAL);
        match declares(self.class, method) {
            Some(found) if found & access::NATIVE != 0 => Callee::Unrecorded,
            Some(_) if !is_virtual => Callee::Recorded,
            Some(found) if found & (access::PRIVATE | access::FINAL) != 0 => Callee::Recorded,
            Some(found) if found & access::ABSTRACT == 0 => Callee::Own,
            _ => callee(method.owner, method.name, method.descriptor, is_virtual),
        }
    }

    /// Is all that is known of a call that it may run what is not recorded?
    pub(super) fn is_unrecorded(&self, method: &MemberRef<'_>, opcode: u8) -> bool {
        self.callee(method, opcode) == Callee::Unrecorded
    }

    /// The same, of an `invokedynamic`.
    pub(super) fn is_unrecorded_site(&self, body: &Body<'a>, pc: usize) -> Result<bool, Skipped> {
        let index = Self::operand(body, pc)?;
        Ok(match self.link(index) {
            Link::Lambda | Link::Other | Link::Choice => false,
            Link::Text => !takes_simple(self.class.pool.dynamic_descriptor(index)?),
            Link::Unknown => true,
        })
    }

    fn link(&self, index: u16) -> Link {
        let number = self.class.pool.bootstrap(index).map(usize::from);
        number.and_then(|number| self.links.0.get(number)).copied().unwrap_or(Link::Unknown)
    }

    fn tell_dynamic(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        if !self.is_unrecorded_site(body, pc)? {
            return Ok(());
        }
        let site = self.site(body, pc, Action::CallDynamic)?;
        self.hook(body, Hook::CallUnrecorded, site)
    }

    /// The hook behind an `invokedynamic` that makes a lambda, after all others.
    pub(super) fn tell_lambda(&mut self, body: &mut Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        if !self.does(Passes::OPAQUE) || opcode != INVOKEDYNAMIC {
            return Ok(());
        }
        let index = Self::operand(body, pc)?;
        if self.link(index) != Link::Lambda {
            return Ok(());
        }
        let called = self.class.pool.dynamic_descriptor(index)?;
        let result = Width::of(descriptor::result(called)?).words();
        let site = self.site(body, pc, Action::CallDynamic)?;
        self.patch.assembler.original_at_last(i32::from(result) - i32::from(descriptor::words(called)?));
        self.patch.assembler.op(DUP);
        let interface = self.constants.class(descriptor::class_of_result(called))?;
        self.patch.assembler.load_constant(interface);
        self.hook(body, Hook::MakeLambda, site)
    }
}
