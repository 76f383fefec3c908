//! Calls: shadows go to the callee and come back through the shim, and calls of the JDK that are known need no shim at all.

use super::hooks::Summary;
use super::{Body, Shadower, hooks, method_tag};
use crate::Skipped;
use crate::bytes::u16_at;
use crate::classfile::ClassFile;
use crate::classfile::descriptor::{self, Parameters, Width};
use crate::classfile::opcode::*;

/// `invokeinterface`
const INVOKEINTERFACE: u8 = 0xb9;
/// So many shadows the shim takes at once.
const AT_ONCE: usize = 8;
/// More arguments than that lose their shadows.
const MOST: usize = 16;

/// A call, and where its arguments lie.
pub(super) struct BoundCall<'a> {
    opcode: u8,
    /// Nobody for `invokedynamic`.
    owner: &'a [u8],
    name: &'a [u8],
    descriptor: &'a [u8],
    /// The method that a lambda of the JDK's making runs.
    lambda: Option<u32>,
    /// How far below the top each argument lies, in order, without the receiver.
    arguments: Vec<u16>,
    /// How far below the top the first word of receiver and arguments lies.
    depth: u16,
    result: u8,
}

impl<'a> BoundCall<'a> {
    pub(super) fn of(class: &ClassFile<'a>, body: &Body<'a>, pc: usize, opcode: u8) -> Result<BoundCall<'a>, Skipped> {
        let index = u16_at(body.code.instructions, pc + 1)?;
        let (owner, name, descriptor, lambda): (&[u8], &[u8], &[u8], _) = if opcode == INVOKEDYNAMIC {
            (b"", class.pool.dynamic_call_name(index)?, class.pool.dynamic_descriptor(index)?, lambda(class, index)?)
        } else {
            let method = class.pool.method_ref(index)?;
            (method.owner, method.name, method.descriptor, None)
        };
        let words = descriptor::words(descriptor)?;
        let receiver = u16::from(!matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC));
        let mut arguments = Vec::new();
        let mut parameters = Parameters::of(descriptor)?;
        let mut below = words;
        while let Some(parameter) = parameters.next()? {
            arguments.push(below);
            below = below.saturating_sub(Width::of(parameter.first().copied().unwrap_or_default()).words());
        }
        let result = descriptor::result(descriptor)?;
        Ok(BoundCall { opcode, owner, name, descriptor, lambda, arguments, depth: words + receiver, result })
    }
}

/// The method that a lambda runs, if the JDK makes one here.
fn lambda(class: &ClassFile<'_>, index: u16) -> Result<Option<u32>, Skipped> {
    let Some(wanted) = class.pool.bootstrap(index) else { return Ok(None) };
    let mut attributes = class.attributes();
    while let Some(attribute) = attributes.next()? {
        if class.pool.utf8(attribute.name_index)? != b"BootstrapMethods" {
            continue;
        }
        let mut at = 2;
        for number in 0..u16_at(attribute.body, 0)? {
            if number == wanted {
                let bootstrap = class.pool.handle(u16_at(attribute.body, at)?)?;
                if bootstrap.owner != b"java/lang/invoke/LambdaMetafactory" {
                    return Ok(None);
                }
                let run = class.pool.handle(u16_at(attribute.body, at + 6)?)?;
                return Ok(Some(method_tag(run.name, run.descriptor)));
            }
            at += 4 + 2 * usize::from(u16_at(attribute.body, at + 2)?);
        }
    }
    Ok(None)
}

impl<'a> Shadower<'_, 'a> {
    /// The shadow code of a call.
    pub(super) fn bound_call(&mut self, body: &Body<'a>, pc: usize, call: &BoundCall<'a>) -> Result<(), Skipped> {
        if call.opcode == INVOKEDYNAMIC {
            return self.dynamic_call(body, pc, call);
        }
        if call.opcode == INVOKEVIRTUAL && call.name == b"start" && call.descriptor == b"()V" {
            self.patch.assembler.op(DUP);
            self.call(hooks::STARTS)?;
        }
        let summary = hooks::summary(call.owner, call.name, call.descriptor);
        let takes_array = call.owner.starts_with(b"java") && call.descriptor.contains(&b'[');
        let copies = call.name == b"clone" && call.owner.first() == Some(&b'[');
        if copies || takes_array && summary.is_none() {
            self.site(body, pc)?;
            self.call(hooks::LEAKS)?;
        }
        match summary {
            Some(summary) => self.summary(body, pc, call, summary),
            None => self.plain_call(body, pc, call),
        }
    }

    /// A call of which nothing is known: whoever runs takes what was passed, or nobody does.
    fn plain_call(&mut self, body: &Body<'a>, pc: usize, call: &BoundCall<'a>) -> Result<(), Skipped> {
        let tag = method_tag(call.name, call.descriptor);
        // Of objects, only the JDK's boxes and strings have shadows.
        if call.owner.starts_with(b"java/") && matches!(call.opcode, INVOKEVIRTUAL | INVOKEINTERFACE) {
            self.patch.assembler.load(ILOAD, body.top(call.depth)?);
            self.site(body, pc)?;
            self.call(hooks::LOST)?;
        }
        if !call.arguments.is_empty() {
            self.check_rest(body, pc, call)?;
            if call.arguments.len() > AT_ONCE {
                self.shadows(body, call, AT_ONCE)?;
                self.call(hooks::MORE)?;
            }
            self.shadows(body, call, 0)?;
            self.number(tag)?;
            self.call(hooks::PASS)?;
        }
        let effect = i32::from(Width::of(call.result).words()) - i32::from(call.depth);
        self.patch.assembler.original(effect);
        if call.result != b'V' {
            self.number(tag)?;
            self.site(body, pc)?;
            self.call(hooks::TOOK)?;
            self.patch.assembler.store(ILOAD, self.result(body, call)?);
        } else if !call.arguments.is_empty() {
            self.site(body, pc)?;
            self.call(hooks::DONE)?;
        }
        Ok(())
    }

    /// Where the shadow of the result is: where that of the first word was that the call takes.
    fn result(&self, body: &Body<'a>, call: &BoundCall<'a>) -> Result<u16, Skipped> {
        body.top(call.depth)
    }

    /// Loads the shadows of eight arguments, 0 for those that there are not.
    fn shadows(&mut self, body: &Body<'a>, call: &BoundCall<'a>, first: usize) -> Result<(), Skipped> {
        for place in first..first + AT_ONCE {
            match call.arguments.get(place) {
                Some(&below) => self.patch.assembler.load(ILOAD, body.top(below)?),
                None => self.patch.assembler.zero(),
            }
        }
        Ok(())
    }

    /// Arguments for which the shim has no place.
    fn check_rest(&mut self, body: &Body<'a>, pc: usize, call: &BoundCall<'a>) -> Result<(), Skipped> {
        for &below in call.arguments.iter().skip(MOST) {
            self.patch.assembler.load(ILOAD, body.top(below)?);
            self.site(body, pc)?;
            self.call(hooks::LOST)?;
        }
        Ok(())
    }

    fn dynamic_call(&mut self, body: &Body<'a>, pc: usize, call: &BoundCall<'a>) -> Result<(), Skipped> {
        let result = self.result(body, call)?;
        if let Some(tag) = call.lambda {
            if !call.arguments.is_empty() {
                for &below in call.arguments.iter().skip(AT_ONCE) {
                    self.patch.assembler.load(ILOAD, body.top(below)?);
                    self.site(body, pc)?;
                    self.call(hooks::LOST)?;
                }
                self.shadows(body, call, 0)?;
                self.number(tag)?;
                self.call(hooks::CAPTURE)?;
            }
            self.zero(result);
            return Ok(());
        }
        if call.name.starts_with(b"makeConcat") {
            return self.mixed(body, call);
        }
        // Methods of records compare what the fields hold.
        self.site(body, pc)?;
        self.call(hooks::LEAKS)?;
        for &below in &call.arguments {
            self.patch.assembler.load(ILOAD, body.top(below)?);
            self.site(body, pc)?;
            self.call(hooks::LOST)?;
        }
        if call.result != b'V' {
            self.zero(result);
        }
        Ok(())
    }

    /// The result is made of all arguments, and is not followed.
    fn mixed(&mut self, body: &Body<'a>, call: &BoundCall<'a>) -> Result<(), Skipped> {
        self.patch.assembler.zero();
        let receiver = if matches!(call.opcode, INVOKESTATIC | INVOKEDYNAMIC) { None } else { Some(call.depth) };
        for below in receiver.into_iter().chain(call.arguments.iter().copied()) {
            self.patch.assembler.load(ILOAD, body.top(below)?);
            self.call(hooks::OPAQUE)?;
        }
        if call.result == b'V' {
            self.patch.assembler.op(POP);
        } else {
            self.patch.assembler.store(ILOAD, self.result(body, call)?);
        }
        Ok(())
    }

    fn summary(&mut self, body: &Body<'a>, pc: usize, call: &BoundCall<'a>, summary: Summary) -> Result<(), Skipped> {
        // The result lies where the first argument does, and often has its shadow.
        match summary {
            Summary::Same => return Ok(()),
            Summary::Sink => {
                if call.result != b'V' {
                    self.zero(self.result(body, call)?);
                }
                return Ok(());
            }
            Summary::Opaque => return self.mixed(body, call),
            Summary::Leaks => {
                self.site(body, pc)?;
                self.call(hooks::LEAKS)?;
                return self.plain_call(body, pc, call);
            }
            Summary::Property => {
                self.patch.assembler.op(DUP);
                self.call(hooks::PROPERTY)?;
            }
            Summary::Equals => {
                self.patch.assembler.op(DUP2);
                self.patch.assembler.load(ILOAD, body.top(2)?);
                self.patch.assembler.load(ILOAD, body.top(1)?);
                self.call(hooks::EQUAL)?;
            }
            Summary::Absolute => {
                self.patch.assembler.op(DUP);
                self.patch.assembler.load(ILOAD, body.top(1)?);
                self.site(body, pc)?;
                self.call(hooks::ABSOLUTE)?;
            }
            Summary::Smaller | Summary::Larger => {
                self.patch.assembler.op(DUP2);
                self.patch.assembler.load(ILOAD, body.top(2)?);
                self.patch.assembler.load(ILOAD, body.top(1)?);
                self.site(body, pc)?;
                self.call(if summary == Summary::Smaller { hooks::SMALLER } else { hooks::LARGER })?;
            }
            Summary::Builds => {
                self.patch.assembler.op(DUP);
                self.call(hooks::BUILT)?;
            }
            Summary::Appends => {
                self.mixed(body, call)?;
                self.patch.assembler.original(1 - i32::from(call.depth));
                self.patch.assembler.op(DUP);
                self.patch.assembler.load(ILOAD, self.result(body, call)?);
                self.call(hooks::APPENDED)?;
            }
        }
        self.patch.assembler.store(ILOAD, self.result(body, call)?);
        Ok(())
    }
}
