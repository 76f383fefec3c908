//! Writing hooks: instructions into a buffer, with the stack that they need.

use super::Constants;
use crate::Skipped;
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;

/// A buffer for the hooks of one method.
///
/// `height` is the stack's height against what it was before the hooked instruction, `need` the largest that any hook
/// of the method reached: the method's max_stack grows by it.
#[derive(Default)]
pub(crate) struct Assembler {
    bytes: Vec<u8>,
    height: i32,
    need: i32,
    /// Where the hooks before the current instruction end, once the pass has come to the instruction.
    middle: Option<usize>,
}

impl Assembler {
    /// No hooks, with room for so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Assembler {
        Assembler { bytes: Vec::with_capacity(bytes), ..Assembler::default() }
    }

    /// Starts a new method.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.need = 0;
        self.begin();
    }

    /// Starts the hooks of an instruction.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.height = 0;
        self.middle = None;
    }

    /// The hooked instruction itself stands here and changes the stack's height by `effect`.
    pub(crate) fn original(&mut self, effect: i32) {
        self.middle = Some(self.bytes.len());
        self.adjust(effect);
    }

    /// The same, if no pass has come to the instruction.
    pub(crate) fn original_at_last(&mut self, effect: i32) {
        if self.middle.is_none() {
            self.original(effect);
        }
    }

    /// Where the hooks before the current instruction end.
    #[inline]
    pub(crate) fn middle(&self) -> usize {
        self.middle.unwrap_or(self.bytes.len())
    }

    /// How many bytes are written.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.bytes.len()
    }

    /// All hooks of the method.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// By how much the stack must grow.
    pub(crate) fn need(&self) -> Result<u16, Skipped> {
        u16::try_from(self.need.max(0)).map_err(|_| Skipped::MethodTooLarge)
    }

    #[inline]
    fn adjust(&mut self, effect: i32) {
        self.height += effect;
        self.need = self.need.max(self.height);
    }

    /// An instruction that only moves stack words, `iadd`, `aastore`, `athrow`, or one of monitors.
    pub(crate) fn op(&mut self, opcode: u8) {
        self.bytes.push(opcode);
        self.adjust(match opcode {
            POP | ATHROW | IADD | MONITORENTER | MONITOREXIT => -1,
            POP2 => -2,
            AASTORE => -3,
            DUP | DUP_X1 | DUP_X2 => 1,
            DUP2 | DUP2_X1 | DUP2_X2 | LCONST_0 => 2,
            _ => 0,
        });
    }

    /// Several of them.
    pub(crate) fn ops(&mut self, opcodes: &[u8]) {
        opcodes.iter().for_each(|&opcode| self.op(opcode));
    }

    /// An instruction that names a constant and changes the stack's height by `effect`.
    pub(crate) fn with_constant(&mut self, opcode: u8, constant: u16, effect: i32) {
        let [high, low] = constant.to_be_bytes();
        self.bytes.extend_from_slice(&[opcode, high, low]);
        self.adjust(effect);
    }

    /// Loads a constant of one word.
    pub(crate) fn load_constant(&mut self, constant: u16) {
        match u8::try_from(constant) {
            Ok(short) => {
                self.bytes.extend_from_slice(&[LDC, short]);
                self.adjust(1);
            }
            Err(_) => self.with_constant(LDC_W, constant, 1),
        }
    }

    /// Loads a number, in the shortest way.
    pub(crate) fn number(&mut self, value: u32, constants: &mut Constants<'_>) -> Result<(), Skipped> {
        match value {
            0..=5 => self.bytes.push(ICONST_0 + value as u8),
            6..=127 => self.bytes.extend_from_slice(&[BIPUSH, value as u8]),
            128..=32767 => {
                let [_, _, high, low] = value.to_be_bytes();
                self.bytes.extend_from_slice(&[SIPUSH, high, low]);
            }
            _ => {
                let constant = constants.integer(value)?;
                self.load_constant(constant);
                return Ok(());
            }
        }
        self.adjust(1);
        Ok(())
    }

    /// Loads 0.
    pub(crate) fn zero(&mut self) {
        self.bytes.push(ICONST_0);
        self.adjust(1);
    }

    /// Loads null.
    pub(crate) fn null(&mut self) {
        self.bytes.push(ACONST_NULL);
        self.adjust(1);
    }

    /// Loads a local: `opcode` is the form with an index byte.
    pub(crate) fn load(&mut self, opcode: u8, local: u16) {
        self.local(opcode, ILOAD, ILOAD_0, local);
        self.adjust(if opcode == LLOAD || opcode == DLOAD { 2 } else { 1 });
    }

    /// Stores a local: `opcode` is the form with an index byte of the load of the same type.
    pub(crate) fn store(&mut self, load: u8, local: u16) {
        self.local(load - ILOAD + ISTORE, ISTORE, ISTORE_0, local);
        self.adjust(if load == LLOAD || load == DLOAD { -2 } else { -1 });
    }

    fn local(&mut self, opcode: u8, family: u8, family_0: u8, local: u16) {
        let [high, low] = local.to_be_bytes();
        match local {
            0..=3 => self.bytes.push(family_0 + 4 * (opcode - family) + low),
            4..=255 => self.bytes.extend_from_slice(&[opcode, low]),
            _ => self.bytes.extend_from_slice(&[WIDE, opcode, high, low]),
        }
    }

    /// Brings the reference below the topmost value to the top.
    pub(crate) fn lift_reference_below(&mut self, value: Width) {
        match value {
            Width::None => {}
            Width::One => self.op(SWAP),
            Width::Two => self.ops(&[DUP2_X1, POP2]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classfile::Pool;

    #[test]
    fn numbers_and_locals_take_their_shortest_form() {
        let class = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        let pool = Pool::read(&class).unwrap();
        let mut constants = Constants::new(&pool);
        let mut assembler = Assembler::default();
        for value in [5, 127, 128, 32767, 32768] {
            assembler.number(value, &mut constants).unwrap();
        }
        assert_eq!(assembler.bytes(), [8, BIPUSH, 127, SIPUSH, 0, 128, SIPUSH, 0x7f, 0xff, LDC, 1]);
        assert_eq!(assembler.need(), Ok(5));
        assembler.clear();
        assembler.load(ALOAD, 0);
        assembler.load(DLOAD, 3);
        assembler.store(LLOAD, 4);
        assembler.store(ILOAD, 256);
        assert_eq!(assembler.bytes(), [0x2a, 0x29, 0x37, 4, WIDE, ISTORE, 1, 0]);
        assert_eq!(assembler.need(), Ok(3));
    }
}
