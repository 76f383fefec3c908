//! What each instruction does to the shadows.

use super::calls::BoundCall;
use super::heights::{return_words, switch_keys};
use super::{Body, Shadower, hooks, method_tag};
use crate::Skipped;
use crate::bytes::u16_at;
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;
use crate::passes::Receiver;

/// Numbers of operations, as crates/concolic has them.
const ADD: u8 = 2;
const NEG: u8 = 13;
const WIDEN: u8 = 14;
const NARROW: u8 = 15;
const BYTE: u8 = 16;
const CHAR: u8 = 17;
const SHORT: u8 = 18;
const COMPARE: u8 = 19;

/// The number of an arithmetic operation, by its opcode without the type.
fn operation(opcode: u8) -> u8 {
    match opcode {
        0x60..=0x73 => ADD + (opcode - 0x60) / 4,
        0x78..=0x7d => 10 + (opcode - 0x78) / 2,
        _ => 7 + (opcode - 0x7e) / 2,
    }
}

/// The type that an arithmetic instruction works on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Int,
    Long,
    Float,
    Double,
}

impl Number {
    fn of(index: u8) -> Number {
        [Number::Int, Number::Long, Number::Float, Number::Double][usize::from(index % 4)]
    }

    fn words(self) -> u16 {
        if matches!(self, Number::Long | Number::Double) { 2 } else { 1 }
    }
}

impl<'a> Shadower<'_, 'a> {
    /// The shadow code of one instruction.
    pub(super) fn values(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        kind: Kind,
        opcode: u8,
        receiver: Receiver,
        early: &mut usize,
    ) -> Result<(), Skipped> {
        match kind {
            Kind::Field => return self.field(body, pc, opcode, receiver, early),
            Kind::ArrayLoad => return self.load(body, pc),
            Kind::ArrayStore => return self.store(body, pc, opcode),
            Kind::Jump | Kind::LongJump => return self.jump(body, pc, opcode),
            Kind::Switch => return self.switch(body, pc, opcode),
            Kind::Return => return self.give(body, opcode),
            Kind::New => self.zero(body.top(0)?),
            Kind::Call => {
                let call = BoundCall::of(self.class, body, pc, opcode)?;
                return self.bound_call(body, pc, &call);
            }
            _ => {}
        }
        let operand = if opcode == WIDE { Self::byte(body, pc + 1)? } else { opcode };
        match opcode {
            0x01..=0x14 => self.zero(body.top(0)?),
            WIDE | ILOAD..=ALOAD | ILOAD_0..=0x2d | ISTORE..=ASTORE | ISTORE_0..=ASTORE_3 | IINC => {
                self.moves(body, pc, operand)?;
            }
            DUP..=SWAP => self.duplicate(body, opcode)?,
            0x60..=0x83 => self.arithmetic(body, pc, opcode)?,
            0x85..=0x98 => self.convert(body, opcode)?,
            NEWARRAY | ANEWARRAY => {
                self.patch.assembler.op(DUP);
                self.patch.assembler.load(ILOAD, body.top(1)?);
                self.site(body, pc)?;
                self.call(hooks::SIZE)?;
                self.zero(body.top(1)?);
            }
            0xc5 => {
                let dimensions = u16::from(Self::byte(body, pc + 3)?);
                for dimension in 1..=dimensions {
                    self.patch.assembler.load(ILOAD, body.top(dimension)?);
                    self.site(body, pc)?;
                    self.call(hooks::LOST)?;
                }
                self.zero(body.top(dimensions)?);
            }
            // The length was made concrete where the array was made; the class of an object depends on no number in it.
            ARRAYLENGTH | 0xc1 => self.zero(body.top(1)?),
            _ => {}
        }
        Ok(())
    }

    /// Loads and stores of locals, and the counting of one.
    fn moves(&mut self, body: &Body<'a>, pc: usize, operand: u8) -> Result<(), Skipped> {
        let code = body.code.instructions;
        if operand == IINC {
            let (local, by) = if Self::byte(body, pc)? == WIDE {
                (u16_at(code, pc + 2)?, i32::from(u16_at(code, pc + 4)? as i16))
            } else {
                (u16::from(Self::byte(body, pc + 1)?), i32::from(Self::byte(body, pc + 2)? as i8))
            };
            self.patch.assembler.load(ILOAD, local);
            self.number(by as u32)?;
            self.patch.assembler.load(ILOAD, body.local(local));
            self.patch.assembler.zero();
            self.number(u32::from(ADD))?;
            self.call(hooks::BINARY)?;
            self.patch.assembler.store(ILOAD, body.local(local));
            return Ok(());
        }
        for load in ILOAD..=ALOAD {
            if let Some(local) = local_at(code, pc, load) {
                self.copy(body.local(local), body.top(0)?);
            } else if let Some(local) = local_at(code, pc, load - ILOAD + ISTORE) {
                let words = if matches!(load, LLOAD | DLOAD) { 2 } else { 1 };
                self.copy(body.top(words)?, body.local(local));
            }
        }
        Ok(())
    }

    fn duplicate(&mut self, body: &Body<'a>, opcode: u8) -> Result<(), Skipped> {
        // From and to, as places above the top (negative) and below it, in an order in which nothing is lost.
        let moves: &[(i32, i32)] = match opcode {
            DUP => &[(1, 0)],
            DUP_X1 => &[(1, 0), (2, 1), (0, 2)],
            DUP_X2 => &[(1, 0), (2, 1), (3, 2), (0, 3)],
            DUP2 => &[(2, 0), (1, -1)],
            DUP2_X1 => &[(1, -1), (2, 0), (3, 1), (-1, 2), (0, 3)],
            DUP2_X2 => &[(1, -1), (2, 0), (3, 1), (4, 2), (-1, 3), (0, 4)],
            _ => {
                let (one, other) = (body.top(1)?, body.top(2)?);
                for shadow in [one, other] {
                    self.patch.assembler.load(ILOAD, shadow);
                }
                for shadow in [one, other] {
                    self.patch.assembler.store(ILOAD, shadow);
                }
                return Ok(());
            }
        };
        for &(from, to) in moves {
            let place = |below: i32| body.slot(i32::from(body.height) - below);
            self.copy(place(from)?, place(to)?);
        }
        Ok(())
    }

    fn arithmetic(&mut self, body: &Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        let number = match opcode {
            0x60..=0x77 => Number::of(opcode),
            _ => Number::of(opcode % 2),
        };
        if (0x74..=0x77).contains(&opcode) {
            return match number {
                Number::Int | Number::Long => self.unary(body, number, NEG),
                _ => self.opaque(body, &[number.words()]),
            };
        }
        let divides = (0x6c..=0x73).contains(&opcode);
        let shifts = (0x78..=0x7d).contains(&opcode);
        match number {
            Number::Int => {
                self.patch.assembler.op(DUP2);
                self.patch.assembler.load(ILOAD, body.top(2)?);
                self.patch.assembler.load(ILOAD, body.top(1)?);
                self.number(u32::from(operation(opcode)))?;
                if divides {
                    self.site(body, pc)?;
                }
                self.call(if divides { hooks::DIVIDE } else { hooks::BINARY })?;
                self.patch.assembler.store(ILOAD, body.top(2)?);
            }
            Number::Long if shifts => {
                self.twice(body, &[LLOAD, ILOAD]);
                self.patch.assembler.load(ILOAD, body.top(3)?);
                self.patch.assembler.load(ILOAD, body.top(1)?);
                self.number(u32::from(operation(opcode)))?;
                self.call(hooks::LONG_SHIFT)?;
                self.patch.assembler.store(ILOAD, body.top(3)?);
            }
            Number::Long => {
                self.longs(body)?;
                self.number(u32::from(operation(opcode)))?;
                if divides {
                    self.site(body, pc)?;
                }
                self.call(if divides { hooks::LONG_DIVIDE } else { hooks::LONG_BINARY })?;
                self.patch.assembler.store(ILOAD, body.top(4)?);
            }
            Number::Float => self.opaque(body, &[2, 1])?,
            Number::Double => self.opaque(body, &[4, 2])?,
        }
        Ok(())
    }

    /// Puts copies of the topmost values, by their loads from the lower one to the higher, on the stack.
    fn twice(&mut self, body: &Body<'a>, loads: &[u8]) {
        let mut local = body.scratch;
        for &load in loads.iter().rev() {
            self.patch.assembler.store(load, local);
            local += if load == LLOAD { 2 } else { 1 };
        }
        for _ in 0..2 {
            let mut local = local;
            for &load in loads {
                local -= if load == LLOAD { 2 } else { 1 };
                self.patch.assembler.load(load, local);
            }
        }
    }

    /// Two longs and their shadows, for the shim.
    fn longs(&mut self, body: &Body<'a>) -> Result<(), Skipped> {
        self.twice(body, &[LLOAD, LLOAD]);
        self.patch.assembler.load(ILOAD, body.top(4)?);
        self.patch.assembler.load(ILOAD, body.top(2)?);
        Ok(())
    }

    fn unary(&mut self, body: &Body<'a>, number: Number, operation: u8) -> Result<(), Skipped> {
        let (copy, hook) = if number == Number::Long { (DUP2, hooks::LONG_UNARY) } else { (DUP, hooks::UNARY) };
        let shadow = body.top(number.words())?;
        self.patch.assembler.op(copy);
        self.patch.assembler.load(ILOAD, shadow);
        self.number(u32::from(operation))?;
        self.call(hook)?;
        self.patch.assembler.store(ILOAD, shadow);
        Ok(())
    }

    /// The result, which lies where the first operand did, is not followed. Operands by how deep they lie.
    fn opaque(&mut self, body: &Body<'a>, operands: &[u16]) -> Result<(), Skipped> {
        let Some(&first) = operands.first() else { return Ok(()) };
        self.patch.assembler.load(ILOAD, body.top(first)?);
        match operands.get(1) {
            Some(&second) => self.patch.assembler.load(ILOAD, body.top(second)?),
            None => self.patch.assembler.zero(),
        }
        self.call(hooks::OPAQUE)?;
        self.patch.assembler.store(ILOAD, body.top(first)?);
        Ok(())
    }

    fn convert(&mut self, body: &Body<'a>, opcode: u8) -> Result<(), Skipped> {
        match opcode {
            0x85 => self.unary(body, Number::Int, WIDEN),
            0x88 => self.unary(body, Number::Long, NARROW),
            0x91 => self.unary(body, Number::Int, BYTE),
            0x92 => self.unary(body, Number::Int, CHAR),
            0x93 => self.unary(body, Number::Int, SHORT),
            0x94 => {
                self.longs(body)?;
                self.number(u32::from(COMPARE))?;
                self.call(hooks::LONG_BINARY)?;
                self.patch.assembler.store(ILOAD, body.top(4)?);
                Ok(())
            }
            0x95 | 0x96 => self.opaque(body, &[2, 1]),
            0x97 | 0x98 => self.opaque(body, &[4, 2]),
            // To and from floating point; long, double: two words.
            0x89 | 0x8a | 0x8e | 0x8f | 0x90 => self.opaque(body, &[2]),
            _ => self.opaque(body, &[1]),
        }
    }

    fn jump(&mut self, body: &Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        match opcode {
            IFEQ..=0x9e => {
                self.patch.assembler.op(DUP);
                self.patch.assembler.load(ILOAD, body.top(1)?);
                self.number(u32::from(opcode - IFEQ))?;
                self.site(body, pc)?;
                self.call(hooks::TEST)
            }
            0x9f..IF_ACMPEQ => {
                self.patch.assembler.op(DUP2);
                self.patch.assembler.load(ILOAD, body.top(2)?);
                self.patch.assembler.load(ILOAD, body.top(1)?);
                self.number(u32::from(opcode - 0x9f))?;
                self.site(body, pc)?;
                self.call(hooks::COMPARE)
            }
            IF_ACMPEQ | IF_ACMPNE => {
                self.patch.assembler.load(ILOAD, body.top(2)?);
                self.patch.assembler.load(ILOAD, body.top(1)?);
                self.site(body, pc)?;
                self.call(hooks::SAME)
            }
            _ => Ok(()),
        }
    }

    fn switch(&mut self, body: &Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        let mut keys = Vec::new();
        for key in switch_keys(body.code.instructions, pc, opcode)? {
            put_letter(&mut keys, (key as u32 >> 16) as u16);
            put_letter(&mut keys, key as u16);
        }
        let keys = self.constants.string(&keys)?;
        self.patch.assembler.op(DUP);
        self.patch.assembler.load(ILOAD, body.top(1)?);
        self.patch.assembler.load_constant(keys);
        self.site(body, pc)?;
        self.call(hooks::CHOOSE)
    }

    fn give(&mut self, body: &Body<'a>, opcode: u8) -> Result<(), Skipped> {
        if opcode == RETURN || body.input.is_some() {
            return Ok(());
        }
        self.patch.assembler.load(ILOAD, body.top(return_words(opcode))?);
        self.number(method_tag(body.member.name, body.member.descriptor))?;
        self.call(hooks::GIVE)
    }

    fn load(&mut self, body: &Body<'a>, pc: usize) -> Result<(), Skipped> {
        self.patch.assembler.op(DUP2);
        self.patch.assembler.load(ILOAD, body.top(1)?);
        self.site(body, pc)?;
        self.call(hooks::LOAD)?;
        self.patch.assembler.store(ILOAD, body.top(2)?);
        Ok(())
    }

    fn store(&mut self, body: &Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        let words = if matches!(opcode - IASTORE, 1 | 3) { 2 } else { 1 };
        let copies: &[u8] = if words == 2 { &[DUP2_X2, POP2, DUP2_X2] } else { &[DUP_X2, POP, DUP2_X1] };
        self.patch.assembler.ops(copies);
        self.patch.assembler.load(ILOAD, body.top(words + 1)?);
        self.patch.assembler.load(ILOAD, body.top(words)?);
        self.site(body, pc)?;
        self.call(hooks::STORE)
    }

    fn field(
        &mut self,
        body: &mut Body<'a>,
        pc: usize,
        opcode: u8,
        receiver: Receiver,
        early: &mut usize,
    ) -> Result<(), Skipped> {
        let field = self.class.pool.field_ref(Self::operand(body, pc)?)?;
        let words = Width::of(field.descriptor.first().copied().unwrap_or_default()).words();
        let number = match opcode {
            GETFIELD | PUTFIELD => method_tag(field.name, field.descriptor),
            _ => method_tag(&[field.owner, b".", field.name].concat(), field.descriptor),
        };
        match opcode {
            GETFIELD => {
                self.patch.assembler.op(DUP);
                self.number(number)?;
                self.call(hooks::GET_FIELD)?;
                self.patch.assembler.store(ILOAD, body.top(1)?);
            }
            PUTFIELD if receiver == Receiver::Incomplete && field.owner == self.class.name => {
                self.copy(body.top(words)?, body.early(*early));
                *early += 1;
            }
            PUTFIELD => {
                self.patch.assembler.ops(if words == 2 { &[DUP2_X1, POP2, DUP_X2] } else { &[DUP2, POP] });
                self.patch.assembler.load(ILOAD, body.top(words)?);
                self.number(number)?;
                self.call(hooks::PUT_FIELD)?;
            }
            GETSTATIC => {
                self.number(number)?;
                self.call(hooks::GET_STATIC)?;
                self.patch.assembler.store(ILOAD, body.top(0)?);
            }
            _ => {
                self.patch.assembler.load(ILOAD, body.top(words)?);
                self.number(number)?;
                self.call(hooks::PUT_STATIC)?;
            }
        }
        Ok(())
    }

    /// What a constructor wrote before its object was complete.
    pub(super) fn write_early(&mut self, body: &Body<'a>) -> Result<(), Skipped> {
        self.patch.assembler.original_at_last(0);
        for (place, &field) in body.early.iter().enumerate() {
            self.patch.assembler.load(ALOAD, 0);
            self.patch.assembler.load(ILOAD, body.early(place));
            self.number(field)?;
            self.call(hooks::PUT_FIELD)?;
        }
        Ok(())
    }
}

/// A letter in modified UTF-8 (JVMS §4.4.7).
fn put_letter(out: &mut Vec<u8>, letter: u16) {
    match letter {
        1..=0x7f => out.push(letter as u8),
        0 | 0x80..=0x7ff => out.extend([0xc0 | (letter >> 6) as u8, 0x80 | (letter & 0x3f) as u8]),
        _ => {
            let middle = 0x80 | (letter >> 6 & 0x3f) as u8;
            out.extend([0xe0 | (letter >> 12) as u8, middle, 0x80 | (letter & 0x3f) as u8]);
        }
    }
}
