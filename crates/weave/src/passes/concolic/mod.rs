//! Shadow locals: an expression's number beside each local and each word of the operand stack, 0 for a concrete value.
//!
//! Each method gets an `int` local for each of its own locals and for each word of its stack. How high the stack is before an
//! instruction is known statically, so loads, stores and copies become moves between shadow locals, and an operation is one
//! call of the shim, which returns at once if no operand has a shadow. No branch is woven, so frames only gain `int`s, which
//! are 0 where the method begins. A call passes shadows through the shim, and so does a return (docs/adr/0110).
//!
//! What is not followed: floating point; methods with subroutines, and those that would pass 64 KB with their shadows; natives;
//! what the JDK does with an argument, but for the calls that [`hooks::summary`] lists. The shim notes it, and the run says so.
//!
//! The shadow of a local's second word, of a long or a double, is never looked at.

mod calls;
mod heights;
mod hooks;
mod values;

use std::collections::HashMap;

use crate::bytes::{put_u16, u8_at, u16_at};
use crate::classfile::descriptor::{self, Parameters, Width};
use crate::classfile::frames::Type;
use crate::classfile::opcode::*;
use crate::classfile::{ClassFile, Code, Member, access, tag};
use crate::patch::{Constants, Edit, Patch, Patcher};
use crate::site::{Action, Site, SiteSink};
use crate::{Notes, Skipped, SkippedMethod, Woven};

use super::Receiver;
use super::constructor::Construction;
use super::lines::Lines;
use heights::heights;
pub use hooks::{SHADOWING, SHIM, Shadowing};

/// Says which input a method is, by class, name and descriptor.
pub type InputOf<'a> = dyn Fn(&[u8], &[u8], &[u8]) -> Option<u32> + 'a;

/// What is to be woven.
pub struct Wanted<'a> {
    /// The internal name of the class with the methods of [`SHADOWING`].
    pub shim: &'a str,
    /// Are there shadows? Without, only methods that are inputs change.
    pub shadows: bool,
    /// Which methods are inputs.
    pub input: &'a InputOf<'a>,
}

/// Weaves one class.
///
/// # Errors
/// If the class as a whole must stay as it is.
pub fn shadow(class: &[u8], wanted: &Wanted<'_>, sites: &mut dyn SiteSink) -> Result<Woven, Skipped> {
    let class = ClassFile::read(class)?;
    let mut weaver = Shadower {
        class: &class,
        wanted,
        sites,
        constants: Constants::new(&class.pool),
        numbers: HashMap::new(),
        calls: HashMap::new(),
        lines: Lines::default(),
        patch: Patch::new(),
    };
    let mut tail = Vec::with_capacity(4 * class.bytes.len());
    let mut notes = Notes::default();
    let mut changed = false;
    tail.extend_from_slice(class.range(class.pool.end(), class.methods_at + 2)?);
    let mut patcher = Patcher::default();
    for member in &class.methods {
        let (start, mark) = (tail.len(), weaver.constants.mark()?);
        match weaver.method(member, &mut patcher, &mut tail) {
            Ok(woven) => {
                changed |= woven;
                notes.methods += u32::from(woven);
            }
            Err(why) => {
                weaver.constants.forget_since(mark);
                weaver.numbers.retain(|_, &mut index| index < mark.next);
                weaver.calls.retain(|_, &mut index| index < mark.next);
                tail.truncate(start);
                tail.extend_from_slice(class.range(member.start, member.end)?);
                let (name, descriptor) = (member.name.to_vec(), member.descriptor.to_vec());
                notes.skipped.push(SkippedMethod { name, descriptor, why });
            }
        }
    }
    if !changed {
        return Ok(Woven::Unchanged(notes));
    }
    tail.extend_from_slice(class.range(class.attributes_at, class.bytes.len())?);
    let constants = weaver.constants.bytes();
    let mut out = Vec::with_capacity(class.pool.end() + constants.len() + tail.len());
    out.extend_from_slice(class.range(0, 8)?);
    put_u16(&mut out, weaver.constants.count()?);
    out.extend_from_slice(class.range(10, class.pool.end())?);
    out.extend_from_slice(constants);
    out.extend_from_slice(&tail);
    Ok(Woven::Changed(out, notes))
}

/// Weaves one class.
struct Shadower<'w, 'a> {
    class: &'w ClassFile<'a>,
    wanted: &'w Wanted<'w>,
    sites: &'w mut dyn SiteSink,
    constants: Constants<'w>,
    /// Constants for large numbers, each once.
    numbers: HashMap<u32, u16>,
    calls: HashMap<Shadowing, u16>,
    lines: Lines,
    patch: Patch,
}

/// The method being woven.
struct Body<'a> {
    member: Member<'a>,
    code: Code<'a>,
    heights: Vec<Option<u16>>,
    /// Which input it is.
    input: Option<u32>,
    /// The first of the shadows of locals; those of the stack follow, then those of early writes.
    base: u16,
    /// The first of four locals that live inside one hook.
    scratch: u16,
    /// Writes to fields before the superclass's constructor has run: the fields, by their shadows' order.
    early: Vec<u32>,
    /// The height of the stack before the current instruction.
    height: u16,
}

impl Body<'_> {
    /// The shadow of a local.
    fn local(&self, local: u16) -> u16 {
        self.base.saturating_add(local)
    }

    /// The shadow of a word of the stack, counted from its top: 1 is the topmost.
    fn top(&self, from_top: u16) -> Result<u16, Skipped> {
        self.slot(i32::from(self.height) - i32::from(from_top))
    }

    /// The shadow of a word of the stack, counted from its bottom.
    fn slot(&self, place: i32) -> Result<u16, Skipped> {
        let place = u16::try_from(place).ok().filter(|&place| place < self.code.max_stack);
        let place = place.ok_or(Skipped::Malformed("a stack is higher than its method says"))?;
        Ok(self.base.saturating_add(self.code.max_locals).saturating_add(place))
    }

    /// The shadow of what an early write wrote.
    fn early(&self, number: usize) -> u16 {
        self.base + self.code.max_locals + self.code.max_stack + number as u16
    }
}

/// Which method a call means, whatever class implements it.
fn method_tag(name: &[u8], descriptor: &[u8]) -> u32 {
    // FNV-1a: short, and the same in every run. Two methods of one hash are distinguished by the values that they get.
    let bytes = name.iter().chain(descriptor);
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash | 1
}

impl<'a> Shadower<'_, 'a> {
    fn method(&mut self, member: &Member<'a>, patcher: &mut Patcher, tail: &mut Vec<u8>) -> Result<bool, Skipped> {
        let mut attributes = self.class.attributes_of(member);
        while let Some(attribute) = attributes.next()? {
            if self.class.pool.utf8(attribute.name_index)? != b"Code" {
                continue;
            }
            let code = Code::read(attribute.body)?;
            let input = (self.wanted.input)(self.class.name, member.name, member.descriptor);
            if input.is_none() && !self.wanted.shadows {
                break;
            }
            let early = self.early_writes(member, &code)?;
            let all = usize::from(code.max_locals) + usize::from(code.max_stack) + early.len();
            let slots = if self.wanted.shadows { all } else { 0 };
            let scratch = usize::from(code.max_locals) + slots;
            let mut body = Body {
                member: *member,
                heights: heights(&self.class.pool, &code)?,
                input,
                base: code.max_locals,
                scratch: u16::try_from(scratch).map_err(|_| Skipped::MethodTooLarge)?,
                early,
                height: 0,
                code,
            };
            self.patch.clear();
            self.lines.clear();
            if self.wanted.shadows {
                self.patch.locals = vec![Type::INTEGER; slots];
                self.patch.scratch = 4;
                self.begin(&mut body, slots)?;
            }
            self.patch.entry = self.patch.assembler.position();
            self.walk(&mut body)?;
            if self.patch.is_empty() {
                break;
            }
            tail.extend_from_slice(self.class.range(member.start, attribute.start + 2)?);
            patcher.write(self.class, member, &body.code, &mut self.patch, &mut self.constants, tail)?;
            tail.extend_from_slice(self.class.range(attributes.position(), member.end)?);
            return Ok(true);
        }
        tail.extend_from_slice(self.class.range(member.start, member.end)?);
        Ok(false)
    }

    /// The fields that a constructor writes before it may pass its object on, in the order of the code.
    fn early_writes(&self, member: &Member<'a>, code: &Code<'a>) -> Result<Vec<u32>, Skipped> {
        let mut fields = Vec::new();
        let Some(mut construction) = Construction::of(self.class, member, code)? else { return Ok(fields) };
        let mut pc = 0;
        while pc < code.instructions.len() {
            let (kind, opcode, length) = instruction(code.instructions, pc)?;
            construction.step(self.class, code, pc, kind, opcode)?;
            if opcode == PUTFIELD && construction.receiver() == Receiver::Incomplete {
                let field = self.class.pool.field_ref(u16_at(code.instructions, pc + 1)?)?;
                if field.owner == self.class.name {
                    fields.push(method_tag(field.name, field.descriptor));
                }
            }
            pc += length;
        }
        Ok(fields)
    }

    /// What stands before the first instruction: all shadows are 0, and those of the arguments are fetched.
    fn begin(&mut self, body: &mut Body<'a>, slots: usize) -> Result<(), Skipped> {
        self.patch.assembler.begin();
        for slot in 0..slots {
            self.zero(body.base + slot as u16);
        }
        let is_static = body.member.is(access::STATIC);
        let is_main = is_static && body.member.name == b"main" && body.member.descriptor == b"([Ljava/lang/String;)V";
        if is_main {
            self.patch.assembler.load(ALOAD, 0);
            return self.call(hooks::ARGUMENTS);
        }
        let mut local = u16::from(!is_static);
        let mut parameters = Parameters::of(body.member.descriptor)?;
        let mut place = 0;
        while let Some(parameter) = parameters.next()? {
            let first = parameter.first().copied().unwrap_or_default();
            if place == 0 {
                self.number(method_tag(body.member.name, body.member.descriptor))?;
                self.call(hooks::ENTER)?;
            }
            let hook = take(parameter);
            if hook != hooks::TAKE_OPAQUE {
                self.patch.assembler.load(descriptor::load(parameter), local);
            }
            self.number(place)?;
            self.call(hook)?;
            self.patch.assembler.store(ILOAD, body.local(local));
            place += 1;
            local += Width::of(first).words();
        }
        if place > 0 {
            self.call(hooks::ENTERED)?;
        }
        Ok(())
    }

    fn walk(&mut self, body: &mut Body<'a>) -> Result<(), Skipped> {
        let code = body.code.instructions;
        let mut handlers = Vec::new();
        for entry in body.code.exceptions.chunks_exact(8) {
            handlers.push(usize::from(u16_at(entry, 4)?));
        }
        let mut construction = Construction::of(self.class, &body.member, &body.code)?;
        let mut early = 0;
        let mut pc = 0;
        while pc < code.len() {
            let (kind, opcode, length) = instruction(code, pc)?;
            let was_incomplete = construction.as_ref().is_some_and(|one| one.receiver() == Receiver::Incomplete);
            if let Some(construction) = &mut construction {
                construction.step(self.class, &body.code, pc, kind, opcode)?;
            }
            let receiver = construction.as_ref().map_or(Receiver::Complete, Construction::receiver);
            let from = self.patch.assembler.position();
            self.patch.assembler.begin();
            if let Some(Some(height)) = body.heights.get(pc).copied() {
                body.height = height;
                if self.wanted.shadows {
                    if handlers.contains(&pc) {
                        self.zero(body.slot(0)?);
                        self.call(hooks::CAUGHT)?;
                    }
                    self.values(body, pc, kind, opcode, receiver, &mut early)?;
                    // The superclass's constructor has just run: what was written before is known from here on.
                    let completes = was_incomplete && receiver == Receiver::Complete && opcode == INVOKESPECIAL;
                    if completes && !body.early.is_empty() {
                        self.write_early(body)?;
                    }
                }
                if let (Some(input), Kind::Return) = (body.input, kind) {
                    self.input(body, input, opcode)?;
                }
            }
            let to = self.patch.assembler.position();
            if to > from || matches!(kind, Kind::Jump | Kind::LongJump | Kind::Switch) {
                let hooks = [from, self.patch.assembler.middle(), to];
                self.patch.edits.push(Edit::new(pc, length, kind, hooks));
            }
            pc += length;
        }
        Ok(())
    }

    /// In the place of what a method returns stands an input.
    fn input(&mut self, body: &Body<'a>, input: u32, opcode: u8) -> Result<(), Skipped> {
        let result = descriptor::result(body.member.descriptor)?;
        let number = |this: &mut Self| this.number(input);
        match result {
            b'J' => {
                self.patch.assembler.store(LLOAD, body.scratch);
                number(self)?;
                self.patch.assembler.load(LLOAD, body.scratch);
                self.patch.scratch = 4;
                self.call(hooks::LONG_INPUT)?;
            }
            b'I' | b'S' | b'B' | b'C' | b'Z' => {
                number(self)?;
                self.patch.assembler.op(SWAP);
                self.call(hooks::INPUT)?;
            }
            _ => return Ok(()),
        }
        if self.wanted.shadows {
            self.call(hooks::LAST)?;
            self.number(method_tag(body.member.name, body.member.descriptor))?;
            self.call(hooks::GIVE)?;
        }
        debug_assert!(heights::return_words(opcode) > 0);
        Ok(())
    }

    /// Names an instruction.
    fn site(&mut self, body: &Body<'a>, pc: usize) -> Result<(), Skipped> {
        let line = self.lines.line(&self.class.pool, &body.code, pc)?;
        let site = self.sites.add(&Site {
            class: self.class.name,
            method: body.member.name,
            descriptor: body.member.descriptor,
            bytecode: u16::try_from(pc).unwrap_or(u16::MAX),
            line,
            action: Action::UseValue,
        });
        self.number(site.0)
    }

    fn number(&mut self, value: u32) -> Result<(), Skipped> {
        if value <= 32767 {
            return self.patch.assembler.number(value, &mut self.constants);
        }
        let constant = match self.numbers.get(&value) {
            Some(&constant) => constant,
            None => {
                let constant = self.constants.integer(value)?;
                self.numbers.insert(value, constant);
                constant
            }
        };
        self.patch.assembler.load_constant(constant);
        Ok(())
    }

    /// Calls a method of the shim.
    fn call(&mut self, hook: Shadowing) -> Result<(), Skipped> {
        let constant = match self.calls.get(&hook) {
            Some(&constant) => constant,
            None => {
                let class = self.constants.class(self.wanted.shim.as_bytes())?;
                let (name, descriptor) = (hook.name.as_bytes(), hook.descriptor.as_bytes());
                let constant = self.constants.member(tag::METHOD_REF, class, name, descriptor)?;
                self.calls.insert(hook, constant);
                constant
            }
        };
        let descriptor = hook.descriptor.as_bytes();
        let gives = Width::of(descriptor::result(descriptor)?).words();
        let effect = i32::from(gives) - i32::from(descriptor::words(descriptor)?);
        self.patch.assembler.with_constant(INVOKESTATIC, constant, effect);
        Ok(())
    }

    fn zero(&mut self, shadow: u16) {
        self.patch.assembler.zero();
        self.patch.assembler.store(ILOAD, shadow);
    }

    fn copy(&mut self, from: u16, to: u16) {
        if from != to {
            self.patch.assembler.load(ILOAD, from);
            self.patch.assembler.store(ILOAD, to);
        }
    }

    /// The operand of an instruction that names a constant.
    fn operand(body: &Body<'_>, pc: usize) -> Result<u16, Skipped> {
        u16_at(body.code.instructions, pc + 1)
    }

    fn byte(body: &Body<'_>, at: usize) -> Result<u8, Skipped> {
        u8_at(body.code.instructions, at)
    }
}

/// How the shadow of an argument is fetched.
fn take(parameter: &[u8]) -> Shadowing {
    match parameter.first() {
        Some(b'J') => hooks::TAKE_LONG,
        Some(b'F' | b'D') => hooks::TAKE_OPAQUE,
        Some(b'L' | b'[') => hooks::TAKE_OBJECT,
        _ => hooks::TAKE,
    }
}
