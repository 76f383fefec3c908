//! Instructions: what each opcode is to a rewriter, and how long it is (JVMS §6.5).

use std::ops::RangeInclusive;

use crate::Skipped;
use crate::bytes::{i32_at, u8_at};

pub(crate) const ACONST_NULL: u8 = 0x01;
pub(crate) const ICONST_0: u8 = 0x03;
pub(crate) const LCONST_0: u8 = 0x09;
pub(crate) const BIPUSH: u8 = 0x10;
pub(crate) const SIPUSH: u8 = 0x11;
pub(crate) const LDC: u8 = 0x12;
pub(crate) const LDC_W: u8 = 0x13;
pub(crate) const LDC2_W: u8 = 0x14;
pub(crate) const ILOAD: u8 = 0x15;
pub(crate) const LLOAD: u8 = 0x16;
pub(crate) const FLOAD: u8 = 0x17;
pub(crate) const DLOAD: u8 = 0x18;
pub(crate) const ALOAD: u8 = 0x19;
pub(crate) const ILOAD_0: u8 = 0x1a;
pub(crate) const ALOAD_0: u8 = 0x2a;
pub(crate) const IALOAD: u8 = 0x2e;
pub(crate) const AALOAD: u8 = 0x32;
pub(crate) const ISTORE: u8 = 0x36;
pub(crate) const ASTORE: u8 = 0x3a;
pub(crate) const ASTORE_0: u8 = 0x4b;
pub(crate) const ASTORE_3: u8 = 0x4e;
pub(crate) const ISTORE_0: u8 = 0x3b;
pub(crate) const IASTORE: u8 = 0x4f;
pub(crate) const AASTORE: u8 = 0x53;
pub(crate) const POP: u8 = 0x57;
pub(crate) const POP2: u8 = 0x58;
pub(crate) const DUP: u8 = 0x59;
pub(crate) const DUP_X1: u8 = 0x5a;
pub(crate) const DUP_X2: u8 = 0x5b;
pub(crate) const DUP2: u8 = 0x5c;
pub(crate) const DUP2_X1: u8 = 0x5d;
pub(crate) const DUP2_X2: u8 = 0x5e;
pub(crate) const SWAP: u8 = 0x5f;
pub(crate) const IADD: u8 = 0x60;
pub(crate) const ISUB: u8 = 0x64;
pub(crate) const IINC: u8 = 0x84;
pub(crate) const IFEQ: u8 = 0x99;
pub(crate) const IF_ACMPEQ: u8 = 0xa5;
pub(crate) const IF_ACMPNE: u8 = 0xa6;
pub(crate) const GOTO: u8 = 0xa7;
pub(crate) const JSR: u8 = 0xa8;
pub(crate) const RET: u8 = 0xa9;
pub(crate) const TABLESWITCH: u8 = 0xaa;
pub(crate) const LOOKUPSWITCH: u8 = 0xab;
pub(crate) const IRETURN: u8 = 0xac;
pub(crate) const RETURN: u8 = 0xb1;
pub(crate) const GETSTATIC: u8 = 0xb2;
pub(crate) const GETFIELD: u8 = 0xb4;
pub(crate) const PUTFIELD: u8 = 0xb5;
pub(crate) const INVOKEVIRTUAL: u8 = 0xb6;
pub(crate) const INVOKESPECIAL: u8 = 0xb7;
pub(crate) const NEWARRAY: u8 = 0xbc;
pub(crate) const ANEWARRAY: u8 = 0xbd;
pub(crate) const ARRAYLENGTH: u8 = 0xbe;
pub(crate) const INVOKESTATIC: u8 = 0xb8;
pub(crate) const INVOKEDYNAMIC: u8 = 0xba;
pub(crate) const ATHROW: u8 = 0xbf;
pub(crate) const MONITORENTER: u8 = 0xc2;
pub(crate) const MONITOREXIT: u8 = 0xc3;
pub(crate) const WIDE: u8 = 0xc4;
pub(crate) const IFNULL: u8 = 0xc6;
pub(crate) const IFNONNULL: u8 = 0xc7;
pub(crate) const GOTO_W: u8 = 0xc8;
pub(crate) const JSR_W: u8 = 0xc9;

/// What an instruction is to the rewriter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Copied as it is.
    Plain,
    /// No instruction of a class file.
    Unknown,
    /// A jump with a 16-bit offset.
    Jump,
    /// A jump with a 32-bit offset.
    LongJump,
    /// `tableswitch` or `lookupswitch`.
    Switch,
    /// A return of any type.
    Return,
    /// `athrow` or `ret`: copied, but what follows is not reached from it.
    Away,
    /// An access to a field.
    Field,
    /// A load of an array element.
    ArrayLoad,
    /// A store to an array element.
    ArrayStore,
    /// `monitorenter` or `monitorexit`.
    Monitor,
    /// A call of any kind.
    Call,
    /// `new`.
    New,
}

/// What each opcode is, and its length; 0 where the length depends on the operands.
pub(crate) static INSTRUCTIONS: [(Kind, u8); 256] = {
    let mut table = [(Kind::Unknown, 1); 256];
    let mut opcode = 0;
    while opcode <= JSR_W as usize {
        let length = match opcode {
            0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 2,
            0x11 | 0x13 | 0x14 | 0x84 | 0x99..=0xa8 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 | 0xc6 | 0xc7 => 3,
            0xc5 => 4,
            0xb9 | 0xba | 0xc8 | 0xc9 => 5,
            0xaa | 0xab | 0xc4 => 0,
            _ => 1,
        };
        let kind = match opcode {
            0x2e..=0x35 => Kind::ArrayLoad,
            0x4f..=0x56 => Kind::ArrayStore,
            0x99..=0xa8 | 0xc6 | 0xc7 => Kind::Jump,
            0xa9 | 0xbf => Kind::Away,
            0xaa | 0xab => Kind::Switch,
            0xac..=0xb1 => Kind::Return,
            0xb2..=0xb5 => Kind::Field,
            0xb6..=0xba => Kind::Call,
            0xbb => Kind::New,
            0xc2 | 0xc3 => Kind::Monitor,
            0xc8 | 0xc9 => Kind::LongJump,
            _ => Kind::Plain,
        };
        table[opcode] = (kind, length);
        opcode += 1;
    }
    table
};

/// The length of each instruction that no pass looks at, and 0 for all others: most of a method is stepped over by this.
static PLAIN: [u8; 256] = {
    let mut table = [0; 256];
    let mut opcode = 0;
    while opcode < 256 {
        if let (Kind::Plain | Kind::Away, length) = INSTRUCTIONS[opcode] {
            table[opcode] = length;
        }
        opcode += 1;
    }
    table
};

/// The first offset from `pc` on where an instruction is not plain; beyond the end if there is none.
// Inlined into a walk, it would have no registers left.
#[inline(never)]
pub(crate) fn skip_plain(code: &[u8], mut pc: usize) -> usize {
    while let Some(&opcode) = code.get(pc) {
        match PLAIN[usize::from(opcode)] {
            0 => break,
            length => pc += usize::from(length),
        }
    }
    pc
}

/// A method whose last instruction has too few bytes.
pub(crate) const CUT_OFF: Skipped = Skipped::Malformed("a method's last instruction is cut off");

/// The kind, opcode and length of the instruction at `pc`, which lies inside `code` as a whole.
#[inline]
pub(crate) fn instruction(code: &[u8], pc: usize) -> Result<(Kind, u8, usize), Skipped> {
    let opcode = u8_at(code, pc)?;
    let (kind, length) = INSTRUCTIONS[usize::from(opcode)];
    let length = if length == 0 { variable_length(code, pc, opcode)? } else { usize::from(length) };
    if kind == Kind::Unknown {
        return Err(Skipped::Malformed("a method has an unknown instruction"));
    }
    if length > code.len() - pc {
        return Err(CUT_OFF);
    }
    Ok((kind, opcode, length))
}

/// What the instructions of a method do, as far as it shows which passes have nothing to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deeds(u8);

impl Deeds {
    /// An array of one dimension is made.
    pub(crate) const MAKES_ARRAY: Deeds = Deeds(1);
    /// An element is accessed.
    pub(crate) const ACCESSES_ELEMENT: Deeds = Deeds(2);
    /// A local may be counted up or down.
    pub(crate) const COUNTS: Deeds = Deeds(4);
    /// Another method is called.
    pub(crate) const CALLS: Deeds = Deeds(8);

    /// By opcode, with the length as in [`INSTRUCTIONS`], but 0 for what is no instruction too.
    const TABLE: [(Deeds, u8); 256] = {
        let mut table = [(Deeds(0), 0); 256];
        let mut opcode = 0;
        while opcode <= JSR_W as usize {
            let (kind, length) = INSTRUCTIONS[opcode];
            let deeds = match (opcode as u8, kind) {
                (NEWARRAY | ANEWARRAY, _) => Deeds::MAKES_ARRAY,
                (IINC | WIDE, _) => Deeds::COUNTS,
                (_, Kind::ArrayLoad | Kind::ArrayStore) => Deeds::ACCESSES_ELEMENT,
                (_, Kind::Call) => Deeds::CALLS,
                _ => Deeds(0),
            };
            table[opcode] = (deeds, length);
            opcode += 1;
        }
        table
    };

    /// Those of a whole method.
    #[inline(never)]
    pub(crate) fn of(code: &[u8]) -> Result<Deeds, Skipped> {
        static TABLE: [(Deeds, u8); 256] = Deeds::TABLE;
        let (mut all, mut pc) = (0, 0);
        while let Some(&opcode) = code.get(pc) {
            let (deeds, length) = TABLE[usize::from(opcode)];
            all |= deeds.0;
            pc += if length == 0 { instruction(code, pc)?.2 } else { usize::from(length) };
        }
        if pc > code.len() { Err(CUT_OFF) } else { Ok(Deeds(all)) }
    }

    /// Are all of `others` among them?
    pub(crate) fn has(self, others: Deeds) -> bool {
        self.0 & others.0 == others.0
    }

    /// Is any of `others` among them?
    pub(crate) fn meets(self, others: Deeds) -> bool {
        self.0 & others.0 != 0
    }

    /// Both together.
    pub(crate) const fn with(self, others: Deeds) -> Deeds {
        Deeds(self.0 | others.0)
    }
}

/// Where a switch at `pc` has its first operand: the next multiple of four.
#[inline]
pub(crate) fn switch_operands(pc: usize) -> usize {
    (pc + 4) & !3
}

fn variable_length(code: &[u8], pc: usize, opcode: u8) -> Result<usize, Skipped> {
    const BAD: Skipped = Skipped::Malformed("a switch has a negative or huge number of cases");
    let operands = switch_operands(pc);
    let (head, cases, size) = match opcode {
        TABLESWITCH => {
            let (low, high) = (i32_at(code, operands + 4)?, i32_at(code, operands + 8)?);
            (12, i64::from(high) - i64::from(low) + 1, 4)
        }
        LOOKUPSWITCH => (8, i64::from(i32_at(code, operands + 4)?), 8),
        // wide
        _ => return Ok(if u8_at(code, pc + 1)? == IINC { 6 } else { 4 }),
    };
    // More cases than bytes cannot be; the caller checks the exact end.
    let cases = usize::try_from(cases).ok().filter(|&cases| cases <= code.len()).ok_or(BAD)?;
    if opcode == TABLESWITCH && cases == 0 {
        return Err(BAD);
    }
    Ok(operands - pc + head + size * cases)
}

/// Does control never go from the instruction to the one that follows it?
pub(crate) fn leaves(kind: Kind, opcode: u8) -> bool {
    matches!(kind, Kind::Switch | Kind::Return | Kind::Away) || opcode == GOTO || opcode == GOTO_W
}

/// The local of the instruction at `pc` if that is this load or store, in any of its forms.
pub(crate) fn local_at(code: &[u8], pc: usize, long: u8) -> Option<u16> {
    let operand = |at: usize| code.get(pc + at).copied().unwrap_or_default();
    let short = if long < ISTORE { ILOAD_0 + 4 * (long - ILOAD) } else { ISTORE_0 + 4 * (long - ISTORE) };
    match operand(0) {
        WIDE if operand(1) == long => Some(u16::from_be_bytes([operand(2), operand(3)])),
        opcode if opcode == long => Some(u16::from(operand(1))),
        opcode if (short..short + 4).contains(&opcode) => Some(u16::from(opcode - short)),
        _ => None,
    }
}

/// The locals that the instruction at `pc` stores to.
pub(crate) fn stored_locals(code: &[u8], pc: usize) -> Option<RangeInclusive<u16>> {
    let operand = |at: usize| code.get(pc + at).copied().unwrap_or_default();
    let (kind, first) = match operand(0) {
        opcode @ ISTORE..=ASTORE => (opcode - ISTORE, u16::from(operand(1))),
        opcode @ ISTORE_0..IASTORE => ((opcode - ISTORE_0) / 4, u16::from((opcode - ISTORE_0) % 4)),
        WIDE if (ISTORE..=ASTORE).contains(&operand(1)) => {
            (operand(1) - ISTORE, u16::from_be_bytes([operand(2), operand(3)]))
        }
        _ => return None,
    };
    // The second and the fourth type, long and double, take the next local too.
    Some(first..=if kind % 2 == 1 { first.saturating_add(1) } else { first })
}

/// Does any instruction store to this local?
pub(crate) fn writes_local(code: &[u8], local: u8) -> Result<bool, Skipped> {
    let mut pc = 0;
    while pc < code.len() {
        let (_, _, length) = instruction(code, pc)?;
        if stored_locals(code, pc).is_some_and(|stored| stored.contains(&u16::from(local))) {
            return Ok(true);
        }
        pc += length;
    }
    Ok(false)
}

/// How many words a plain instruction, or an access to an element, takes from the stack and how many it puts there. `None`
/// where that is not all: copies, `wide`, what is not plain.
pub(crate) fn effect(opcode: u8) -> Option<(u16, u16)> {
    // By type, in the order of the instruction set: int, long, float, double, reference.
    let words = |number: u8| if number % 4 == 1 || number % 4 == 3 { 2 } else { 1 };
    Some(match opcode {
        0x00 | IINC => (0, 0),
        0x01..=0x08 | 0x0b..=0x0d | BIPUSH | SIPUSH | LDC | LDC_W => (0, 1),
        0x09 | 0x0a | 0x0e | 0x0f | LDC2_W => (0, 2),
        ILOAD..=DLOAD => (0, words(opcode - ILOAD)),
        ALOAD => (0, 1),
        ILOAD_0..=0x29 => (0, words((opcode - ILOAD_0) / 4)),
        0x2a..=0x2d => (0, 1),
        IALOAD..=0x31 => (2, words(opcode - IALOAD)),
        0x32..=0x35 => (2, 1),
        ISTORE..=0x39 => (words(opcode - ISTORE), 0),
        ASTORE => (1, 0),
        ISTORE_0..=0x4a => (words((opcode - ISTORE_0) / 4), 0),
        0x4b..=0x4e => (1, 0),
        IASTORE..=0x52 => (2 + words(opcode - IASTORE), 0),
        0x53..=0x56 => (3, 0),
        // add, sub, mul, div, rem; neg
        0x60..=0x73 => (2 * words(opcode), words(opcode)),
        0x74..=0x77 => (words(opcode), words(opcode)),
        // shl, shr, ushr; and, or, xor
        0x78..=0x7d => (words(opcode % 2) + 1, words(opcode % 2)),
        0x7e..=0x83 => (2 * words(opcode % 2), words(opcode % 2)),
        // Conversions and comparisons.
        0x85 | 0x87 | 0x8c | 0x8d => (1, 2),
        0x86 | 0x8b | 0x91..=0x93 => (1, 1),
        0x88 | 0x89 | 0x8e | 0x90 => (2, 1),
        0x8a | 0x8f => (2, 2),
        0x94 | 0x97 | 0x98 => (4, 1),
        0x95 | 0x96 => (2, 1),
        // newarray, anewarray, arraylength, checkcast, instanceof
        0xbc..=0xbe | 0xc0 | 0xc1 => (1, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(code: &[u8]) -> Result<usize, Skipped> {
        instruction(code, 0).map(|(_, _, length)| length)
    }

    #[test]
    fn lengths_follow_the_specification() {
        assert_eq!(length(&[0x00]), Ok(1));
        assert_eq!(length(&[WIDE, ILOAD, 1, 0]), Ok(4));
        assert_eq!(length(&[WIDE, IINC, 1, 0, 0, 1]), Ok(6));
        assert_eq!(length(&[0xb9, 0, 1, 1, 0]), Ok(5));
        assert_eq!(length(&[GOTO_W, 0, 0, 0, 5]), Ok(5));
        let mut table = vec![TABLESWITCH, 0, 0, 0];
        for word in [20_i32, 3, 4, 20, 20] {
            table.extend_from_slice(&word.to_be_bytes());
        }
        assert_eq!(length(&table), Ok(24));
        let mut lookup = vec![LOOKUPSWITCH, 0, 0, 0];
        for word in [20_i32, 1, 7, 20] {
            lookup.extend_from_slice(&word.to_be_bytes());
        }
        assert_eq!(length(&lookup), Ok(20));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        assert!(length(&[SIPUSH, 0]).is_err());
        assert!(length(&[WIDE]).is_err());
        assert!(length(&[0xca]).is_err());
        assert!(length(&[TABLESWITCH, 0, 0, 0, 0, 0]).is_err());
        let mut backwards = vec![TABLESWITCH, 0, 0, 0];
        for word in [20_i32, i32::MAX, i32::MIN] {
            backwards.extend_from_slice(&word.to_be_bytes());
        }
        assert!(length(&backwards).is_err());
        assert!(length(&[LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]).is_err());
    }
}
