//! Which classes get a freeze word, and which constructors write it.

use super::{RETURN, instruction, weave, with_code};
use crate::Passes;
use crate::assemble::{Assembly, Body};
use crate::bytes::u16_at;
use crate::classfile::opcode::*;
use crate::hooks::FREEZE_WORD;

const FINAL: u16 = 0x11;
const STATIC: u16 = 8;
const ACONST_NULL: u8 = 1;
const ASTORE_0: u8 = 0x4b;

/// What a constructor does with the field of its class.
#[derive(Clone, Copy, PartialEq)]
enum Does {
    Writes,
    /// Leaves it to another one of its class.
    Delegates,
    /// And loses its object.
    WritesAndForgets,
}

/// Has a class with this field a freeze word, and how often does its constructor, with two returns, write it?
fn freezes(access: u16, descriptor: &str, does: Does, passes: Passes) -> (bool, usize) {
    let mut assembly = Assembly::new(50, "T");
    assembly.field(access, "f", descriptor);
    let root = assembly.member(10, "java/lang/Object", "<init>", "()V");
    let own = assembly.member(10, "T", "<init>", "(I)V");
    let field = assembly.member(9, "T", "f", descriptor);
    let mut code = match does {
        Does::Delegates => vec![ALOAD_0, ICONST_0, INVOKESPECIAL, own[0], own[1]],
        _ => vec![ALOAD_0, INVOKESPECIAL, root[0], root[1], ALOAD_0, ACONST_NULL, PUTFIELD, field[0], field[1]],
    };
    if does == Does::WritesAndForgets {
        code.extend([ACONST_NULL, ASTORE_0]);
    }
    // iconst_0, ifeq to the second return.
    code.extend([ICONST_0, 0x99, 0, 4, RETURN, RETURN]);
    assembly.method(1, "<init>", "()V", Body { stack: 3, locals: 1, code, ..Body::default() });
    let (woven, _) = weave(&assembly.finish(), passes);
    with_code(&woven, |class, code| {
        let has_word = class.fields.iter().any(|field| field.name == FREEZE_WORD.as_bytes());
        let mut written = 0;
        let mut pc = 0;
        while pc < code.instructions.len() {
            let (_, opcode, length) = instruction(code.instructions, pc).expect("an instruction");
            if opcode == PUTFIELD {
                let constant = u16_at(code.instructions, pc + 1).expect("a constant");
                written += usize::from(class.pool.field_ref(constant).expect("a field").name == FREEZE_WORD.as_bytes());
            }
            pc += length;
        }
        (has_word, written)
    })
}

#[test]
fn final_references_are_frozen_at_every_return() {
    for descriptor in ["[I", "Ljava/util/List;", "LT;", "Ljava/lang/Object;"] {
        assert_eq!(freezes(FINAL, descriptor, Does::Writes, Passes::FREEZE), (true, 2), "{descriptor}");
    }
    assert_eq!(freezes(FINAL, "[I", Does::Writes, Passes::ALL), (true, 2));
    assert_eq!(freezes(FINAL, "[I", Does::Writes, Passes::FIELDS), (false, 0));
}

#[test]
fn other_fields_are_not() {
    assert_eq!(freezes(1, "[I", Does::Writes, Passes::FREEZE), (false, 0), "not final");
    assert_eq!(freezes(FINAL, "Ljava/lang/String;", Does::Writes, Passes::FREEZE), (false, 0), "nothing inside");
    assert_eq!(freezes(FINAL | STATIC, "[I", Does::Delegates, Passes::FREEZE), (false, 0), "of the class");
}

#[test]
fn who_writes_no_final_field_freezes_nothing() {
    assert_eq!(freezes(FINAL, "[I", Does::Delegates, Passes::FREEZE), (true, 0));
    assert_eq!(
        freezes(FINAL, "[I", Does::WritesAndForgets, Passes::FREEZE),
        (true, 0),
        "local 0 may be another object"
    );
}
