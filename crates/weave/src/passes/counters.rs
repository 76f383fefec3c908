//! Calls by which the JDK keeps accounts of its own. Counters: a static `AtomicInteger` or `AtomicLong` that a class
//! adds to in order to number, to seed or to count things. Such an addition hands nothing over, so it is quiet: else
//! every thread that logs or makes a timer would come after all that did so before.
//!
//! A counter is a static final field of the class itself whose value is taken right before the call. And look-ups:
//! [`hooks::LOOK_UP_CALLS`](crate::hooks::LOOK_UP_CALLS). Before either a hook makes sure of the stack, as before `monitorenter`:
//! nothing else can leave the call without its end being seen.

use super::{Body, Weaver};
use crate::classfile::access;
use crate::classfile::descriptor::{self, Width};
use crate::classfile::opcode::{self, GETSTATIC, INVOKEVIRTUAL, Kind};
use crate::hooks::{Hook, LOOK_UP_CALLS};
use crate::site::{Action, Member};
use crate::{Passes, Skipped};

const ATOMICS: [&[u8]; 2] = [b"java/util/concurrent/atomic/AtomicInteger", b"java/util/concurrent/atomic/AtomicLong"];
const ADDS: [&[u8]; 6] =
    [b"getAndIncrement", b"incrementAndGet", b"getAndDecrement", b"decrementAndGet", b"getAndAdd", b"addAndGet"];

impl<'a> Weaver<'_, 'a> {
    /// Where the method adds to counters, in order.
    pub(super) fn counted(&self, body: &Body<'a>) -> Result<Vec<usize>, Skipped> {
        let mut found = Vec::new();
        let has_counter =
            || self.class.fields.iter().any(|field| is_atomic(field.descriptor) && is_fixed(field.access));
        let looks_up = LOOK_UP_CALLS.iter().any(|row| row.0.as_bytes() == self.class.name);
        if !self.does(Passes::COUNTERS) || !looks_up && !has_counter() {
            return Ok(found);
        }
        let (code, mut pc, mut is_taken) = (body.code.instructions, 0, false);
        while pc < code.len() {
            let (kind, opcode, length) = opcode::instruction(code, pc)?;
            is_taken = match kind {
                Kind::Field => opcode == GETSTATIC && self.is_counter(Self::operand(body, pc)?)?,
                Kind::Call => {
                    let is_virtual = opcode == INVOKEVIRTUAL;
                    if is_virtual && is_taken && self.is_addition(Self::operand(body, pc)?)?
                        || is_virtual && looks_up && self.is_look_up(Self::operand(body, pc)?)?
                    {
                        found.push(pc);
                    }
                    false
                }
                _ => is_taken && is_constant(opcode),
            };
            pc += length;
        }
        Ok(found)
    }

    fn is_counter(&self, index: u16) -> Result<bool, Skipped> {
        let field = self.class.pool.field_ref(index)?;
        let declared = self.class.declared_field(field.name, field.descriptor);
        Ok(field.owner == self.class.name
            && is_atomic(field.descriptor)
            && declared.is_some_and(|declared| is_fixed(declared.access)))
    }

    fn is_addition(&self, index: u16) -> Result<bool, Skipped> {
        let method = self.class.pool.method_ref(index)?;
        Ok(ATOMICS.contains(&method.owner) && ADDS.contains(&method.name))
    }

    fn is_look_up(&self, index: u16) -> Result<bool, Skipped> {
        let method = self.class.pool.method_ref(index)?;
        let called = [self.class.name, method.owner, method.name];
        Ok(LOOK_UP_CALLS.iter().any(|row| [row.0, row.1, row.2].map(str::as_bytes) == called))
    }

    /// The hooks around such a call.
    pub(super) fn count(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let method = self.class.pool.method_ref(Self::operand(body, pc)?)?;
        let named = Member { owner: method.owner, name: method.name, descriptor: method.descriptor };
        let site = self.site(body, pc, Action::Call(named))?;
        self.hook(body, Hook::BeforeMonitor, site)?;
        let (before, after) = if ATOMICS.contains(&method.owner) {
            (Hook::EnterQuiet, Hook::ExitQuiet)
        } else {
            (Hook::BeginLookUp, Hook::EndLookUp)
        };
        self.hook(body, before, site)?;
        let result = Width::of(descriptor::result(method.descriptor)?).words();
        self.patch.assembler.original(i32::from(result) - i32::from(descriptor::words(method.descriptor)?) - 1);
        self.hook(body, after, site)
    }
}

fn is_atomic(descriptor: &[u8]) -> bool {
    let class = descriptor.strip_prefix(b"L").and_then(|rest| rest.strip_suffix(b";"));
    class.is_some_and(|class| ATOMICS.contains(&class))
}

fn is_fixed(flags: u16) -> bool {
    flags & (access::STATIC | access::FINAL) == access::STATIC | access::FINAL
}

/// Does the instruction push a constant: `iconst_m1` to `ldc2_w`?
fn is_constant(opcode: u8) -> bool {
    (0x02..=0x14).contains(&opcode)
}
