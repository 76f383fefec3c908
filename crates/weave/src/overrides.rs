//! Methods that a class of the JDK gets of its own, in front of inherited ones: those that [`OVERRIDES`] lists.
//!
//! They only call what they override. The rules for methods ([`hooks::METHODS`](crate::hooks::METHODS)) put the hooks
//! there, as into any other method.

use crate::bytes::{Gap, put_u16, put_u32};
use crate::classfile::opcode::{ALOAD, INVOKESPECIAL};
use crate::classfile::{ClassFile, access, descriptor, tag};
use crate::hooks::{OVERRIDES, Override};
use crate::inject::Additions;
use crate::patch::Assembler;
use crate::{Passes, Plan, Skipped};

/// The class with its overrides, if it gets any.
pub(crate) fn of(class: &ClassFile<'_>, plan: &Plan<'_>) -> Result<Option<Vec<u8>>, Skipped> {
    if !plan.passes.contains(Passes::METHOD_RULES) {
        return Ok(None);
    }
    let is_declared = |of: &Override| {
        let mut declared = class.methods.iter();
        declared.any(|own| own.name == of.name.as_bytes() && own.descriptor == of.descriptor.as_bytes())
    };
    let mut missing = OVERRIDES.iter().filter(|of| of.class.as_bytes() == class.name && !is_declared(of)).peekable();
    let Some(parent) = class.super_name.filter(|_| missing.peek().is_some()) else { return Ok(None) };
    let mut additions = Additions::to(class);
    for of in missing {
        add(&mut additions, parent, of)?;
    }
    additions.finish().map(Some)
}

fn add(additions: &mut Additions<'_, '_>, parent: &[u8], of: &Override) -> Result<(), Skipped> {
    let parent = additions.constants.class(parent)?;
    let (name, descriptor) = (of.name.as_bytes(), of.descriptor.as_bytes());
    let inherited = additions.constants.member(tag::METHOD_REF, parent, name, descriptor)?;
    let mut assembler = Assembler::default();
    assembler.load(ALOAD, 0);
    assembler.with_constant(INVOKESPECIAL, inherited, 0);
    assembler.op(descriptor::return_of(descriptor::result(descriptor)?));
    let mut out = Vec::new();
    put_u16(&mut out, additions.constants.utf8(b"Code")?);
    let length = Gap::four(&mut out);
    put_u16(&mut out, assembler.need()?);
    // The receiver.
    put_u16(&mut out, 1);
    put_u32(&mut out, u32::try_from(assembler.bytes().len()).map_err(|_| Skipped::MethodTooLarge)?);
    out.extend_from_slice(assembler.bytes());
    // Neither handlers nor attributes.
    put_u16(&mut out, 0);
    put_u16(&mut out, 0);
    length.fill_with_length(&mut out)?;
    additions.method(access::PUBLIC | access::SYNTHETIC, of.name, of.descriptor, &out)
}
