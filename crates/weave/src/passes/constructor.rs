//! Where in a constructor its own object is still incomplete.
//!
//! Before the superclass's constructor has run, a constructor may write fields of its own class but neither read them
//! nor pass the object on, so no hook may stand at such a write. Whether it has run is known at each frame (JVMS §4.10.1
//! has a type for the incomplete object), and is followed from there: an `<init>` call completes an object that `new` made
//! if there is one left to complete, else the constructor's own. A constructor that completes its own object first is
//! taken for incomplete until the next frame: a hook is missed, never misplaced.
//!
//! Old classes have no frames. There the first `<init>` call that no `new` accounts for counts, unless the code
//! before it jumps or is inside an exception range: then all such writes stay without hooks.

use super::Receiver;
use crate::Skipped;
use crate::bytes::u16_at;
use crate::classfile::descriptor::Parameters;
use crate::classfile::frames::{Frames, Type};
use crate::classfile::opcode::{INVOKESPECIAL, Kind};
use crate::classfile::{ClassFile, Code, Member};

/// Follows a constructor from instruction to instruction.
pub(super) struct Construction<'a> {
    /// The frames, the next one read already; `None` for a constructor without.
    frames: Option<Frames<'a>>,
    /// Where the next frame stands.
    next: Option<usize>,
    receiver: Receiver,
    /// Objects that `new` made and no `<init>` call accounts for.
    incomplete: usize,
    /// The code jumped while the object was incomplete, and there are no frames to say where.
    lost: bool,
}

impl<'a> Construction<'a> {
    /// The constructor's start; `None` for any other method.
    pub(super) fn of(
        class: &ClassFile<'a>,
        method: &Member<'a>,
        code: &Code<'a>,
    ) -> Result<Option<Construction<'a>>, Skipped> {
        if method.name != b"<init>" {
            return Ok(None);
        }
        let mut frames = match code.attribute(&class.pool, b"StackMapTable")? {
            Some(table) => {
                // What the parameters are does not matter here, only how many there are.
                let mut locals = vec![Type::UNINITIALIZED_THIS];
                let mut parameters = Parameters::of(method.descriptor)?;
                while parameters.next()?.is_some() {
                    locals.push(Type::TOP);
                }
                Some(Frames::new(table.body, locals)?)
            }
            None => None,
        };
        let next = match &mut frames {
            Some(frames) => frames.advance()?,
            None => None,
        };
        Ok(Some(Construction { frames, next, receiver: Receiver::Incomplete, incomplete: 0, lost: false }))
    }

    /// Whether the object may be incomplete before the instruction last stepped to.
    pub(super) fn receiver(&self) -> Receiver {
        if self.lost { Receiver::Incomplete } else { self.receiver }
    }

    /// Steps to an instruction. Instructions that neither jump, make nor complete an object may be left out.
    pub(super) fn step(
        &mut self,
        class: &ClassFile<'a>,
        code: &Code<'a>,
        pc: usize,
        kind: Kind,
        opcode: u8,
    ) -> Result<(), Skipped> {
        while self.next.is_some_and(|next| next <= pc) {
            self.enter_frame()?;
        }
        if self.receiver == Receiver::Complete {
            return Ok(());
        }
        match kind {
            Kind::New => self.incomplete += 1,
            Kind::Jump | Kind::LongJump | Kind::Switch => self.lost |= self.frames.is_none(),
            Kind::Call if opcode == INVOKESPECIAL => {
                let called = class.pool.method_ref(u16_at(code.instructions, pc + 1)?)?;
                if called.name == b"<init>" {
                    match self.incomplete.checked_sub(1) {
                        Some(left) => self.incomplete = left,
                        None => self.complete(code, pc)?,
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn enter_frame(&mut self) -> Result<(), Skipped> {
        if let Some(frames) = &mut self.frames {
            let types = || frames.locals.iter().chain(&frames.stack);
            let incomplete = types().any(|&one| one == Type::UNINITIALIZED_THIS);
            self.receiver = if incomplete { Receiver::Incomplete } else { Receiver::Complete };
            let mut made: Vec<u16> =
                types().filter(|one| one.tag == Type::UNINITIALIZED).map(|one| one.operand).collect();
            made.sort_unstable();
            made.dedup();
            self.incomplete = made.len();
            self.next = frames.advance()?;
        }
        Ok(())
    }

    fn complete(&mut self, code: &Code<'a>, pc: usize) -> Result<(), Skipped> {
        self.receiver = Receiver::Complete;
        if self.frames.is_none() {
            for entry in code.exceptions.chunks_exact(8) {
                self.lost |= usize::from(u16_at(entry, 0)?) <= pc;
            }
        }
        Ok(())
    }
}
