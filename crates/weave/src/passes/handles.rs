//! Getters and setters that are method handles: the JDK writes code for them when they are first made, into hidden classes
//! that nobody may weave. That code calls a method of Unsafe which `java.lang.invoke.DirectMethodHandle` looks up by name:
//! here the look-up is given the boot home's method of the same meaning, which is static and takes the Unsafe object first.

use super::{Body, Weaver};
use crate::classfile::opcode::{AASTORE, ALOAD, ANEWARRAY, DUP, INVOKESPECIAL, INVOKEVIRTUAL, POP};
use crate::classfile::tag;
use crate::{Passes, Skipped, boot};

/// The method that makes the code.
const MAKER: &[u8] = b"makePreparedFieldLambdaForm";

/// What it calls with the class, name, type and kind of what it looks up.
const OWNER: &[u8] = b"java/lang/invoke/MemberName";
const DESCRIPTOR: &[u8] = b"(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;B)V";

/// REF_invokeStatic (JVMS 4.4.8).
const STATIC: u32 = 6;

impl<'a> Weaver<'_, 'a> {
    /// Is it the call that names the method of Unsafe?
    pub(super) fn names_accessor(&self, body: &Body<'a>, pc: usize, opcode: u8) -> Result<bool, Skipped> {
        if !self.does(Passes::HANDLES) || opcode != INVOKESPECIAL || body.member.name != MAKER {
            return Ok(false);
        }
        let method = self.class.pool.method_ref(Self::operand(body, pc)?)?;
        Ok(method.owner == OWNER && method.descriptor == DESCRIPTOR)
    }

    /// Puts another method in the place of the one to be named: class, name, type and kind lie on the stack.
    pub(super) fn name_other_accessor(&mut self, body: &mut Body<'a>) -> Result<(), Skipped> {
        let class = self.first_scratch(body)?;
        let [name, of_type] = [1, 2].map(|more| class.checked_add(more));
        let (Some(name), Some(of_type)) = (name, of_type) else { return Err(Skipped::MethodTooLarge) };
        self.patch.scratch = self.patch.scratch.max(3);
        let constants = &mut self.constants;
        let home = constants.class(boot::HOME.as_bytes())?;
        let mark = constants.string(boot::MARK.as_bytes())?;
        let (string, classes) = (constants.class(b"java/lang/String")?, constants.class(b"java/lang/Class")?);
        let method_type = constants.class(b"java/lang/invoke/MethodType")?;
        let concat = constants.member(tag::METHOD_REF, string, b"concat", b"(Ljava/lang/String;)Ljava/lang/String;")?;
        let descriptor = b"(I[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;";
        let insert = constants.member(tag::METHOD_REF, method_type, b"insertParameterTypes", descriptor)?;

        let assembler = &mut self.patch.assembler;
        assembler.op(POP);
        [of_type, name, class].into_iter().for_each(|local| assembler.store(ALOAD, local));
        assembler.load_constant(home);
        assembler.load_constant(mark);
        assembler.load(ALOAD, name);
        assembler.with_constant(INVOKEVIRTUAL, concat, -1);
        // The type gets the class of the receiver as its first parameter.
        assembler.load(ALOAD, of_type);
        assembler.number(0, constants)?;
        assembler.number(1, constants)?;
        assembler.with_constant(ANEWARRAY, classes, 0);
        assembler.op(DUP);
        assembler.number(0, constants)?;
        assembler.load(ALOAD, class);
        assembler.op(AASTORE);
        assembler.with_constant(INVOKEVIRTUAL, insert, -2);
        assembler.number(STATIC, constants)
    }
}
