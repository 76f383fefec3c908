//! How high the operand stack is before each instruction, in words: it is the same however control comes there (JVMS §4.10).

use crate::Skipped;
use crate::bytes::{i16_at, i32_at, u8_at, u16_at};
use crate::classfile::descriptor::{self, Width};
use crate::classfile::opcode::*;
use crate::classfile::{Code, Pool};

const BAD: Skipped = Skipped::Malformed("a method's stack has no height of its own");
const MULTIANEWARRAY: u8 = 0xc5;

/// By offset; `None` where control never comes.
pub(super) fn heights(pool: &Pool<'_>, code: &Code<'_>) -> Result<Vec<Option<u16>>, Skipped> {
    let bytes = code.instructions;
    let mut heights: Vec<Option<u16>> = vec![None; bytes.len()];
    let mut open = vec![(0_usize, 0_u16)];
    for entry in code.exceptions.chunks_exact(8) {
        open.push((usize::from(u16_at(entry, 4)?), 1));
    }
    while let Some((mut pc, mut height)) = open.pop() {
        loop {
            match heights.get_mut(pc) {
                Some(known @ None) => *known = Some(height),
                Some(Some(known)) if *known == height => break,
                _ => return Err(BAD),
            }
            if height > code.max_stack {
                return Err(BAD);
            }
            let (kind, opcode, length) = instruction(bytes, pc)?;
            let (takes, gives) = words(pool, bytes, pc, kind, opcode)?;
            height = height.checked_sub(takes).ok_or(BAD)?.checked_add(gives).ok_or(BAD)?;
            match kind {
                Kind::Jump => open.push((target(pc, i32::from(i16_at(bytes, pc + 1)?))?, height)),
                Kind::LongJump => open.push((target(pc, i32_at(bytes, pc + 1)?)?, height)),
                Kind::Switch => {
                    for by in switch_targets(bytes, pc, opcode)? {
                        open.push((target(pc, by)?, height));
                    }
                }
                _ => {}
            }
            if leaves(kind, opcode) {
                break;
            }
            pc += length;
        }
    }
    Ok(heights)
}

fn target(pc: usize, by: i32) -> Result<usize, Skipped> {
    usize::try_from(pc as i64 + i64::from(by)).map_err(|_| BAD)
}

/// The distances that a switch may go.
fn switch_targets(bytes: &[u8], pc: usize, opcode: u8) -> Result<Vec<i32>, Skipped> {
    let operands = switch_operands(pc);
    let mut targets = vec![i32_at(bytes, operands)?];
    let (first, step, count) = cases(bytes, operands, opcode)?;
    for case in 0..count {
        targets.push(i32_at(bytes, first + step * case + step - 4)?);
    }
    Ok(targets)
}

/// Where the cases of a switch start, how long each is, and how many there are.
fn cases(bytes: &[u8], operands: usize, opcode: u8) -> Result<(usize, usize, usize), Skipped> {
    if opcode == LOOKUPSWITCH {
        return Ok((operands + 8, 8, usize::try_from(i32_at(bytes, operands + 4)?).map_err(|_| BAD)?));
    }
    let (low, high) = (i32_at(bytes, operands + 4)?, i32_at(bytes, operands + 8)?);
    let count = usize::try_from(i64::from(high) - i64::from(low) + 1).map_err(|_| BAD)?;
    Ok((operands + 12, 4, count))
}

/// The values for which a switch has a case.
pub(super) fn switch_keys(bytes: &[u8], pc: usize, opcode: u8) -> Result<Vec<i32>, Skipped> {
    let operands = switch_operands(pc);
    let (first, step, count) = cases(bytes, operands, opcode)?;
    if opcode == LOOKUPSWITCH {
        return (0..count).map(|case| i32_at(bytes, first + step * case)).collect();
    }
    let low = i32_at(bytes, operands + 4)?;
    Ok((0..count).map(|case| low.wrapping_add(case as i32)).collect())
}

/// How many words an instruction takes from the stack, and how many it puts there.
fn words(pool: &Pool<'_>, bytes: &[u8], pc: usize, kind: Kind, opcode: u8) -> Result<(u16, u16), Skipped> {
    if let Some(effect) = effect(opcode) {
        return Ok(effect);
    }
    let operand = || u16_at(bytes, pc + 1);
    Ok(match kind {
        Kind::Field => {
            let field = pool.field_descriptor(operand()?)?;
            let value = Width::of(field.first().copied().unwrap_or_default()).words();
            match opcode {
                GETSTATIC => (0, value),
                GETFIELD => (1, value),
                PUTFIELD => (value + 1, 0),
                _ => (value, 0),
            }
        }
        Kind::Call => {
            let descriptor = called(pool, operand()?, opcode)?;
            let receiver = u16::from(!matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC));
            let arguments = descriptor::words(descriptor)?.saturating_add(receiver);
            (arguments, Width::of(descriptor::result(descriptor)?).words())
        }
        Kind::New => (0, 1),
        Kind::Monitor | Kind::Switch => (1, 0),
        Kind::Return => (return_words(opcode), 0),
        Kind::Jump if opcode == GOTO => (0, 0),
        Kind::Jump if (IFEQ..IFEQ + 6).contains(&opcode) || matches!(opcode, IFNULL | IFNONNULL) => (1, 0),
        Kind::Jump if opcode != JSR => (2, 0),
        Kind::LongJump if opcode == GOTO_W => (0, 0),
        _ => match opcode {
            POP => (1, 0),
            POP2 => (2, 0),
            DUP => (1, 2),
            DUP_X1 => (2, 3),
            DUP_X2 => (3, 4),
            DUP2 => (2, 4),
            DUP2_X1 => (3, 5),
            DUP2_X2 => (4, 6),
            SWAP => (2, 2),
            ATHROW => (1, 0),
            WIDE => match u8_at(bytes, pc + 1)? {
                RET => return Err(BAD),
                inner => effect(inner).ok_or(BAD)?,
            },
            MULTIANEWARRAY => (u16::from(u8_at(bytes, pc + 3)?), 1),
            // Subroutines, of old classes.
            _ => return Err(BAD),
        },
    })
}

/// How many words a return gives to its caller.
pub(super) fn return_words(opcode: u8) -> u16 {
    match opcode {
        RETURN => 0,
        0xad | 0xaf => 2,
        _ => 1,
    }
}

/// The descriptor of what a call calls.
pub(super) fn called<'a>(pool: &Pool<'a>, index: u16, opcode: u8) -> Result<&'a [u8], Skipped> {
    if opcode == INVOKEDYNAMIC { pool.dynamic_descriptor(index) } else { pool.method_descriptor(index) }
}
