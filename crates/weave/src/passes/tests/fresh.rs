//! Which writes of a constructor are to an object that nobody else can know.

use super::weave;
use crate::Passes;
use crate::assemble::{Assembly, Body};

const PUBLIC: u16 = 1;
const RETURN: u8 = 0xb1;

/// The instructions of a constructor, by what the test wants to say.
struct Parts {
    root: [u8; 3],
    put: [u8; 3],
    put_static: [u8; 3],
    pass: [u8; 3],
    keep: [u8; 3],
    other_root: [u8; 3],
}

/// In order, for each write of `x` in a constructor that these make: is it a fresh one?
fn fresh(code: impl FnOnce(&Parts) -> Vec<Vec<u8>>) -> Vec<bool> {
    let mut assembly = Assembly::new(50, "T");
    assembly.field(PUBLIC, "x", "I");
    assembly.field(PUBLIC | 8, "last", "LT;");
    let mut three = |opcode: u8, tag: u8, owner: &str, name: &str, descriptor: &str| {
        let [high, low] = assembly.member(tag, owner, name, descriptor);
        [opcode, high, low]
    };
    let parts = Parts {
        root: three(0xb7, 10, "java/lang/Object", "<init>", "()V"),
        put: three(0xb5, 9, "T", "x", "I"),
        put_static: three(0xb3, 9, "T", "last", "LT;"),
        pass: three(0xb8, 10, "T", "pass", "(LT;)V"),
        keep: three(0xb8, 10, "T", "keep", "(I)I"),
        other_root: three(0xb7, 10, "U", "<init>", "()V"),
    };
    let code: Vec<u8> = code(&parts).concat();
    let body = Body { stack: 4, locals: 2, code, ..Body::default() };
    assembly.method(PUBLIC, "<init>", "(I)V", body);
    let class = assembly.finish();
    let found = of_words(&class, Passes::FIELDS | Passes::FRESH, &parts.put);
    let first = of_words(&class, Passes::FIELDS | Passes::FRESH | Passes::FIRST, &parts.put);
    assert_eq!(found, first, "the same writes are, whichever word is theirs");
    found
}

/// In order, for each of these writes: does a word that is put in place follow it?
fn of_words(class: &[u8], passes: Passes, put: &[u8]) -> Vec<bool> {
    let (woven, _) = weave(class, passes);
    super::with_code(&woven, |_, code| {
        let mut found = Vec::new();
        let mut pc = 0;
        while pc < code.instructions.len() {
            let (_, opcode, length) = super::instruction(code.instructions, pc).expect("an instruction");
            let is_put = code.instructions[pc..].starts_with(put);
            if is_put {
                found.push(false);
            } else if opcode == super::PUTFIELD {
                // A constructor's own write of a shadow follows the write that it stands for.
                *found.last_mut().expect("a write before its word") = true;
            }
            pc += length;
        }
        found
    })
}

const THIS: u8 = 0x2a;
const ARGUMENT: u8 = 0x1b;

fn write(parts: &Parts) -> Vec<u8> {
    [&[THIS, ARGUMENT][..], &parts.put].concat()
}

fn start(parts: &Parts) -> Vec<u8> {
    [&[THIS][..], &parts.root].concat()
}

#[test]
fn writes_before_the_object_is_shown_are() {
    let straight = |parts: &Parts| {
        let called = [&[THIS, ARGUMENT][..], &parts.keep, &parts.put].concat();
        let shown = [&[THIS][..], &parts.put_static].concat();
        vec![start(parts), write(parts), called, shown, write(parts), vec![RETURN]]
    };
    assert_eq!(fresh(straight), [true, true, false]);
    let passed = |parts: &Parts| vec![start(parts), [&[THIS][..], &parts.pass].concat(), write(parts), vec![RETURN]];
    assert_eq!(fresh(passed), [false]);
    let of_another_class = |parts: &Parts| vec![[&[THIS][..], &parts.other_root].concat(), write(parts), vec![RETURN]];
    assert_eq!(fresh(of_another_class), [false]);
}

#[test]
fn what_may_run_again_is_not() {
    let looped = |parts: &Parts| {
        let body = write(parts);
        // iload_1, ifne back to the second write.
        let back = (-(body.len() as i16) - 1).to_be_bytes();
        vec![start(parts), write(parts), body, vec![ARGUMENT, 0x9a, back[0], back[1], RETURN]]
    };
    assert_eq!(fresh(looped), [true, false]);
    let moved = |parts: &Parts| vec![start(parts), write(parts), vec![0x01, 0x4b], write(parts), vec![RETURN]];
    assert_eq!(fresh(moved), [false, false], "local 0 may be another object");
}
