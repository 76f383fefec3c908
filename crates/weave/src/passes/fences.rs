//! Fences that the program calls: a hook before each, with the object that the fence is for, or null.
//!
//! A fence names no location. It is for the method's receiver if the method can access no other memory: it accesses fields of
//! `this` only (plainly, or through a VarHandle or Unsafe), calls nothing but fences, and makes the read that the fence
//! comes after, or the write that it comes before. Any other fence may be for an access anywhere in the program.
//! ADR 0051 says what that leaves out.

use super::{Body, Weaver};
use crate::Skipped;
use crate::classfile::access;
use crate::classfile::descriptor::Parameters;
use crate::classfile::opcode::{
    self, ALOAD, ASTORE, GETFIELD, GETSTATIC, INVOKEDYNAMIC, INVOKEVIRTUAL, Kind, PUTFIELD, WIDE,
};
use crate::hooks::{self, Fence, UNSAFES, VAR_HANDLE};
use crate::site::{Action, Member};

const ASTORE_0: u8 = 0x4b;
const ASTORE_3: u8 = 0x4e;
const CHECKCAST: u8 = 0xc0;

/// Where a method that accesses fields of its receiver only reads and writes them.
#[derive(Debug, Default)]
struct OwnAccesses {
    first_read: Option<usize>,
    last_write: Option<usize>,
    /// Does it have another reference than its receiver?
    has_references: bool,
    /// Does it pass an object to Unsafe, which takes any?
    has_unsafe: bool,
}

impl OwnAccesses {
    fn read(&mut self, pc: usize) {
        self.first_read.get_or_insert(pc);
    }

    fn write(&mut self, pc: usize) {
        self.last_write = Some(pc);
    }

    /// Is a fence at `pc` one for these accesses?
    fn are_for(&self, fence: Fence, pc: usize) -> bool {
        let reads = self.first_read.is_some_and(|read| read < pc);
        let writes = self.last_write.is_some_and(|write| write > pc);
        match fence {
            Fence::Acquire => reads,
            Fence::Release => writes,
            // It may stand after the write, to keep later reads behind it.
            Fence::Full => self.first_read.is_some() || self.last_write.is_some(),
        }
    }
}

impl<'a> Weaver<'_, 'a> {
    /// A call of a fence.
    pub(super) fn fence(&mut self, body: &mut Body<'a>, pc: usize, fence: Fence) -> Result<(), Skipped> {
        let method = self.class.pool.method_ref(Self::operand(body, pc)?)?;
        let named = Member { owner: method.owner, name: method.name, descriptor: method.descriptor };
        let site = self.site(body, pc, Action::Call(named))?;
        if self.own_accesses(body)?.is_some_and(|accesses| accesses.are_for(fence, pc)) {
            self.patch.assembler.load(ALOAD, 0);
        } else {
            self.patch.assembler.null();
        }
        self.hook(body, fence.hook(), site)
    }

    /// The accesses of a method that accesses nothing but fields of its receiver; `None` if it may access more.
    fn own_accesses(&self, body: &Body<'a>) -> Result<Option<OwnAccesses>, Skipped> {
        let member = &body.member;
        if member.is(access::STATIC) || member.name.first() == Some(&b'<') {
            return Ok(None);
        }
        let code = body.code.instructions;
        let mut found = OwnAccesses::default();
        let mut parameters = Parameters::of(member.descriptor)?;
        while let Some(parameter) = parameters.next()? {
            if self.is_own_kind(parameter) {
                return Ok(None);
            }
            found.has_references |= matches!(parameter.first(), Some(b'L' | b'['));
        }
        let mut pc = 0;
        while pc < code.len() {
            let (kind, opcode, length) = opcode::instruction(code, pc)?;
            let is_own = match kind {
                Kind::Field => self.is_own_access(body, pc, opcode, &mut found)?,
                Kind::Call => opcode != INVOKEDYNAMIC && self.is_own_call(body, pc, opcode, &mut found)?,
                // References are neither kept, so that local 0 is the receiver, nor cast to the receiver's class.
                Kind::Plain => !matches!(opcode, ASTORE | ASTORE_0..=ASTORE_3 | WIDE | CHECKCAST),
                Kind::Jump | Kind::LongJump | Kind::Switch | Kind::Return | Kind::Away => true,
                _ => false,
            };
            if !is_own {
                return Ok(None);
            }
            found.has_references |= opcode == opcode::ACONST_NULL;
            pc += length;
        }
        let is_certain = !(found.has_unsafe && found.has_references);
        Ok(is_certain.then_some(found))
    }

    /// Is it the descriptor of the class itself?
    fn is_own_kind(&self, descriptor: &[u8]) -> bool {
        let name = descriptor.strip_prefix(b"L").and_then(|rest| rest.strip_suffix(b";"));
        name == Some(self.class.name)
    }

    /// Is it an access of a field of the receiver, or of a constant?
    fn is_own_access(&self, body: &Body<'a>, pc: usize, opcode: u8, found: &mut OwnAccesses) -> Result<bool, Skipped> {
        let field = self.class.pool.field_ref(Self::operand(body, pc)?)?;
        let is_final = field.owner == self.class.name
            && self.class.fields.iter().any(|declared| {
                declared.name == field.name && declared.descriptor == field.descriptor && declared.is(access::FINAL)
            });
        if opcode == GETSTATIC {
            let is_accessor = field.descriptor.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";"));
            return Ok(is_final || is_accessor.is_some_and(|name| name == VAR_HANDLE || UNSAFES.contains(&name)));
        }
        if !matches!(opcode, GETFIELD | PUTFIELD)
            || field.owner != self.class.name
            || self.is_own_kind(field.descriptor)
        {
            return Ok(false);
        }
        match opcode {
            PUTFIELD => found.write(pc),
            _ if !is_final => found.read(pc),
            _ => {}
        }
        found.has_references |= opcode == GETFIELD && matches!(field.descriptor.first(), Some(b'L' | b'['));
        Ok(true)
    }

    /// Is it a fence, or an access of the receiver through a VarHandle or Unsafe?
    fn is_own_call(&self, body: &Body<'a>, pc: usize, opcode: u8, found: &mut OwnAccesses) -> Result<bool, Skipped> {
        let method = self.class.pool.method_ref(Self::operand(body, pc)?)?;
        if hooks::fence(method.owner, method.name, method.descriptor).is_some() {
            return Ok(true);
        }
        let by_handle = method.owner == VAR_HANDLE
            && Parameters::of(method.descriptor)?.next()?.is_some_and(|first| self.is_own_kind(first))
            && !method.descriptor.split(|&byte| byte == b')').nth(1).is_some_and(|given| self.is_own_kind(given));
        let by_unsafe = UNSAFES.contains(&method.owner) && method.descriptor.starts_with(b"(Ljava/lang/Object;J");
        if opcode != INVOKEVIRTUAL || !by_handle && !by_unsafe {
            return Ok(false);
        }
        found.has_unsafe |= by_unsafe;
        let reads = method.name.starts_with(b"get");
        if !method.name.starts_with(b"set") && !method.name.starts_with(b"put") {
            found.read(pc);
        }
        if !reads || method.name.starts_with(b"getAnd") {
            found.write(pc);
        }
        Ok(true)
    }
}
