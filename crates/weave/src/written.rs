//! What an instruction of a loaded method writes, for who knows it by its place in the code alone.

use crate::classfile::Pool;
use crate::classfile::opcode::{IASTORE, PUTFIELD, instruction};
use crate::passes::element;
use crate::site::{Action, Member};

const PUTSTATIC: u8 = 0xb3;
const SASTORE: u8 = IASTORE + 7;

/// Where the constants of a class file start.
const HEADER: usize = 10;

/// Looks at what the instruction at `at` writes: a field or an element. `pool` is the constant pool as a class file has it, without
/// the count of its indices. `None` if there is no such instruction.
pub fn written<T>(count: u16, pool: &[u8], code: &[u8], at: usize, look: impl FnOnce(Action<'_>) -> T) -> Option<T> {
    let opcode = *code.get(at)?;
    match opcode {
        PUTFIELD | PUTSTATIC => {
            let mut class = vec![0; HEADER - 2];
            class.extend_from_slice(&count.to_be_bytes());
            class.extend_from_slice(pool);
            let pool = Pool::read(&class).ok()?;
            let index = u16::from_be_bytes([*code.get(at + 1)?, *code.get(at + 2)?]);
            let field = pool.field_ref(index).ok()?;
            Some(look(Action::WriteField(Member {
                owner: field.owner,
                name: field.name,
                descriptor: field.descriptor,
            })))
        }
        IASTORE..=SASTORE => Some(look(Action::WriteElement(element(opcode - IASTORE).0))),
        _ => None,
    }
}

/// Where the last write stands that begins before `at`, at most `within` bytes: a hook of a write stands so soon behind it.
#[must_use]
pub fn write_before(code: &[u8], at: usize, within: usize) -> Option<usize> {
    let (mut pc, mut found) = (0, None);
    while pc < at {
        let (_, opcode, length) = instruction(code, pc).ok()?;
        if matches!(opcode, PUTFIELD | PUTSTATIC | IASTORE..=SASTORE) {
            found = Some(pc);
        }
        pc += length;
    }
    // Otherwise `at` is no instruction.
    found.filter(|found| pc == at && at - found <= within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Element;

    /// The constants of `a.B.c`, an `int`: three texts, a class, a name with a type, a field.
    const POOL: &[u8] =
        &[1, 0, 3, b'a', b'/', b'B', 1, 0, 1, b'c', 1, 0, 1, b'I', 7, 0, 1, 12, 0, 2, 0, 3, 9, 0, 4, 0, 5];

    fn at(code: &[u8], at: usize) -> Option<String> {
        written(7, POOL, code, at, |action| match action {
            Action::WriteField(field) => String::from_utf8_lossy(field.name).into_owned(),
            Action::WriteElement(Element::Short) => "short[]".to_owned(),
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn the_write_before_a_hook_is_found() {
        // aload_0, iconst_1, putfield, aload_0, sipush, invokestatic, return
        let code = [0x2a, 0x04, PUTFIELD, 0, 6, 0x2a, 0x11, 0, SASTORE, 0xb8, 0, 1, 0xb1];
        assert_eq!(write_before(&code, 9, 12), Some(2), "an operand is no instruction");
        assert_eq!(write_before(&code, 9, 6), None, "too far away");
        assert_eq!(write_before(&code, 2, 12), None, "nothing stands before it");
        assert_eq!(write_before(&code, 10, 12), None, "no instruction begins there");
        assert_eq!(write_before(&code, 100, 12), None);
    }

    #[test]
    fn writes_are_found_and_nothing_else() {
        let code = [0x2a, PUTFIELD, 0, 6, SASTORE, PUTSTATIC, 0, 5];
        assert_eq!(at(&code, 1).as_deref(), Some("c"));
        assert_eq!(at(&code, 4).as_deref(), Some("short[]"));
        for none in [0, 2, 3, 5, 6, 8, usize::MAX] {
            assert_eq!(at(&code, none), None, "{none}");
        }
        assert_eq!(at(&[PUTFIELD, 0], 0), None);
        assert_eq!(written(7, &[99], &code, 1, |_| ()), None);
    }
}
