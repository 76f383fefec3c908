//! Offsets after weaving, on classes made by hand.
//!
//! In these classes only `getstatic x` is hooked, with `getstatic shadow`, a site and a call after it, so the
//! instructions of the original can be found again in the woven code, one by one.

mod cells;
mod fences;
mod freeze;
mod fresh;
mod linking;
mod probes;

use model::SiteId;
use proptest::prelude::*;

use crate::assemble::{Assembly, Body};
use crate::bytes::{u16_at, u32_at};
use crate::classfile::opcode::*;
use crate::classfile::{ClassFile, Code};
use crate::{Home, Notes, Passes, Plan, SerialUid, Site, SiteSink, Skipped, Woven};

const PUBLIC_STATIC: u16 = 9;
const NOP: u8 = 0;
const ICONST_1: u8 = 4;
const IFEQ: u8 = 0x99;
const RETURN: u8 = 0xb1;
const NEW: u8 = 0xbb;

struct Count(u32);

impl SiteSink for Count {
    fn add(&mut self, _: &Site<'_>) -> SiteId {
        self.0 += 1;
        SiteId(self.0)
    }
}

fn weave(class: &[u8], passes: Passes) -> (Vec<u8>, Notes) {
    let plan = Plan {
        passes,
        home: Home::Shim,
        shim: Some("S"),
        fields: &|_, _, _| None,
        relaxed: &|_, _| false,
        choices: &crate::Everything,
        serial_uid: SerialUid::Leave,
    };
    match crate::weave(class, &plan, &mut Count(0)).expect("the class is well formed") {
        Woven::Changed(bytes, notes) => (bytes, notes),
        Woven::Unchanged(notes) => (class.to_vec(), notes),
    }
}

/// The class `T` with a static field `x` and a method `m`, whose code is made with the constant of `x`.
fn class(major: u8, body: impl FnOnce(&mut Assembly, [u8; 2]) -> Body<'static>) -> Vec<u8> {
    let mut assembly = Assembly::new(major, "T");
    assembly.field(PUBLIC_STATIC, "x", "I");
    let x = assembly.member(9, "T", "x", "I");
    let body = body(&mut assembly, x);
    assembly.method(PUBLIC_STATIC, "m", "()V", body);
    assembly.finish()
}

/// Calls `look` with the Code attribute of the last method.
fn with_code<T>(bytes: &[u8], look: impl FnOnce(&ClassFile<'_>, &Code<'_>) -> T) -> T {
    let class = ClassFile::read(bytes).expect("the woven class is well formed");
    let method = class.methods.last().expect("a method");
    let attribute = class.attributes_of(method).next().expect("a list").expect("a Code attribute");
    look(&class, &Code::read(attribute.body).expect("a Code attribute"))
}

fn attribute(bytes: &[u8], name: &[u8]) -> Vec<u8> {
    with_code(bytes, |class, code| {
        code.attribute(&class.pool, name).expect("a list").expect("the attribute is still there").body.to_vec()
    })
}

/// Where each instruction of the original stands in the woven code.
fn positions(original: &[u8], woven: &[u8]) -> Vec<(usize, usize)> {
    let (mut old, mut new) = (0, 0);
    let mut found = Vec::new();
    while old < original.len() {
        let (_, opcode, length) = instruction(original, old).expect("an instruction");
        // A goto_w for anything but a goto is a trampoline; none stands before a goto in these tests.
        while woven[new] == GOTO_W && opcode != GOTO {
            new += 5;
        }
        found.push((old, new));
        let (_, _, new_length) = instruction(woven, new).expect("an instruction");
        old += length;
        new += new_length;
        if opcode == GETSTATIC {
            for _ in 0..4 {
                new += instruction(woven, new).expect("a hook").2;
            }
        }
    }
    found
}

#[test]
fn a_hook_makes_room_and_everything_behind_it_moves() {
    let bytes = class(49, |_, [high, low]| Body {
        stack: 1,
        locals: 0,
        // 0: goto 7; 3: getstatic; 6: pop; 7: iconst_1; 8: ifeq 3; 11: return
        code: vec![GOTO, 0, 7, GETSTATIC, high, low, POP, ICONST_1, IFEQ, 0xff, 0xfb, RETURN],
        exceptions: vec![[3, 6, 11, 0], [6, 7, 11, 0]],
        attributes: vec![
            ("LineNumberTable", vec![0, 3, 0, 0, 0, 10, 0, 3, 0, 11, 0, 11, 0, 12]),
            ("LocalVariableTable", vec![0, 1, 0, 3, 0, 8, 0, 1, 0, 1, 0, 0]),
        ],
    });
    let (woven, notes) = weave(&bytes, Passes::FIELDS);
    assert_eq!((notes.sites, notes.skipped), (1, vec![]));
    // getstatic of both shadows (3 each), iconst_1 (1), invokestatic (3)
    let hook = 10;
    with_code(&woven, |_, code| {
        assert_eq!(code.max_stack, 1 + 6, "the value, two longs and a site, on top of any stack");
        let new = code.instructions;
        assert_eq!(new.len(), 12 + hook);
        assert_eq!(u16_at(new, 1), Ok(7 + hook as u16));
        assert_eq!(u16_at(new, 9 + hook), Ok((-5_i16 - hook as i16) as u16));
        let exceptions: Vec<u16> =
            code.exceptions.chunks(2).map(|word| u16::from_be_bytes([word[0], word[1]])).collect();
        let handler = 11 + hook as u16;
        assert_eq!(exceptions, [3, 6, handler, 0, 6, 7 + hook as u16, handler, 0], "ranges meet before the hook");
    });
    assert_eq!(attribute(&woven, b"LineNumberTable"), [0, 3, 0, 0, 0, 10, 0, 3, 0, 11, 0, 21, 0, 12]);
    assert_eq!(attribute(&woven, b"LocalVariableTable")[2..6], [0, 3, 0, 18]);
}

#[test]
fn switches_are_padded_anew() {
    for lead in 0..4 {
        let bytes = class(49, |_, [high, low]| {
            let mut code = vec![NOP; lead];
            code.extend([GETSTATIC, high, low]);
            let at = code.len();
            code.push(TABLESWITCH);
            code.resize(switch_operands(at), 0);
            let end = (code.len() + 20 - at) as u32;
            for word in [end, 5, 6, end + 1, end] {
                code.extend(u32::to_be_bytes(word));
            }
            code.extend([RETURN, ICONST_1]);
            let at = code.len();
            code.push(LOOKUPSWITCH);
            code.resize(switch_operands(at), 0);
            let end = (code.len() + 16 - at) as u32;
            for word in [end, 1, 1000, end] {
                code.extend(u32::to_be_bytes(word));
            }
            code.push(RETURN);
            Body { stack: 2, code, ..Body::default() }
        });
        let old = with_code(&bytes, |_, code| code.instructions.to_vec());
        let (woven, _) = weave(&bytes, Passes::FIELDS);
        let new = with_code(&woven, |_, code| code.instructions.to_vec());
        check_jumps(&old, &new);
    }
}

/// Every jump of the woven code goes where the original's goes, perhaps by a trampoline.
fn check_jumps(old: &[u8], new: &[u8]) {
    let positions = positions(old, new);
    let place = |target: usize| positions.iter().find(|&&(from, _)| from == target).expect("an instruction").1;
    let arrives = |from: usize, by: i64| {
        let to = usize::try_from(from as i64 + by).expect("inside the code");
        if new[to] == GOTO_W && !positions.iter().any(|&(_, at)| at == to) {
            let on = i64::from(u32_at(new, to + 1).expect("an offset") as i32);
            usize::try_from(to as i64 + on).expect("inside the code")
        } else {
            to
        }
    };
    for &(from, to) in &positions {
        let (kind, opcode, length) = instruction(old, from).expect("an instruction");
        let short = |code: &[u8], at: usize| i64::from(u16_at(code, at + 1).expect("an offset") as i16);
        let word = |code: &[u8], at: usize| i64::from(u32_at(code, at).expect("an offset") as i32);
        match kind {
            Kind::Jump => {
                let target = (from as i64 + short(old, from)) as usize;
                let by = if new[to] == opcode { short(new, to) } else { word(new, to + 1) };
                assert_eq!(arrives(to, by), place(target), "the jump at {from}");
            }
            Kind::Switch => {
                let (first, moved) = (switch_operands(from), switch_operands(to));
                let offsets = match opcode {
                    TABLESWITCH => (0..1).chain(3..(from + length - first) / 4).collect::<Vec<_>>(),
                    _ => (0..1).chain((3..(from + length - first) / 4).step_by(2)).collect(),
                };
                for nth in offsets {
                    let target = (from as i64 + word(old, first + 4 * nth)) as usize;
                    let goal = (to as i64 + word(new, moved + 4 * nth)) as usize;
                    assert_eq!(goal, place(target), "case {nth} of the switch at {from}");
                }
            }
            _ => assert_eq!(new[to], opcode, "the instruction at {from}"),
        }
    }
}

/// One piece of a random method.
#[derive(Clone, Debug)]
enum Piece {
    /// So many hooked accesses.
    Accesses(u16),
    Jump(prop::sample::Index),
    Goto(prop::sample::Index),
    Switch(Vec<prop::sample::Index>),
    Return,
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let target = any::<prop::sample::Index>;
    let piece = prop_oneof![
        4 => (1..4_u16).prop_map(Piece::Accesses),
        2 => (100..300_u16).prop_map(Piece::Accesses),
        4 => target().prop_map(Piece::Jump),
        3 => target().prop_map(Piece::Goto),
        1 => prop::collection::vec(target(), 2..6).prop_map(Piece::Switch),
        2 => Just(Piece::Return),
    ];
    prop::collection::vec(piece, 1..40)
}

/// The code of the pieces; jumps go to the starts of pieces.
fn code_of(pieces: &[Piece], [high, low]: [u8; 2]) -> Vec<u8> {
    let mut starts = Vec::new();
    let mut code = Vec::new();
    // Twice: the first time only to learn where the pieces start.
    for round in 0..2 {
        let known = std::mem::take(&mut starts);
        code.clear();
        for piece in pieces {
            starts.push(code.len());
            let to = |target: &prop::sample::Index, from: usize| {
                if round == 0 { 0 } else { *target.get(&known) as i32 - from as i32 }
            };
            match piece {
                Piece::Accesses(count) => (0..*count).for_each(|_| code.extend([GETSTATIC, high, low, POP])),
                Piece::Jump(target) => {
                    code.push(ICONST_1);
                    let by = to(target, code.len()) as i16;
                    code.push(IFEQ);
                    code.extend(by.to_be_bytes());
                }
                Piece::Goto(target) => {
                    code.push(NOP);
                    let by = to(target, code.len()) as i16;
                    code.push(GOTO);
                    code.extend(by.to_be_bytes());
                }
                Piece::Switch(targets) => {
                    code.push(ICONST_1);
                    let at = code.len();
                    code.push(TABLESWITCH);
                    code.resize(switch_operands(at), 0);
                    let head = [to(&targets[0], at), 7, 7 + targets.len() as i32 - 2];
                    let cases = targets[1..].iter().map(|target| to(target, at));
                    head.into_iter().chain(cases).for_each(|word| code.extend(word.to_be_bytes()));
                }
                Piece::Return => code.push(RETURN),
            }
        }
        code.push(RETURN);
    }
    code
}

proptest! {
    #![proptest_config(testkit::config(2_000))]
    #[test]
    fn every_jump_arrives(pieces in pieces()) {
        let mut code = Vec::new();
        let bytes = class(49, |_, x| {
            code = code_of(&pieces, x);
            Body { stack: 1, code: code.clone(), ..Body::default() }
        });
        prop_assume!(code.len() < 32_000);
        let (woven, notes) = weave(&bytes, Passes::FIELDS);
        if let Some(skipped) = notes.skipped.first() {
            prop_assert!(matches!(skipped.why, Skipped::MethodTooLarge | Skipped::JumpOverflow));
        } else {
            let new = with_code(&woven, |_, code| code.instructions.to_vec());
            check_jumps(&code, &new);
        }
    }
}

/// `ifeq` over so many hooked accesses, with or without a place for a trampoline near it.
fn far_jump(accesses: usize, exit_nearby: bool) -> Vec<u8> {
    class(49, |_, [high, low]| {
        let mut code = vec![ICONST_1, IFEQ, 0, 0];
        if exit_nearby {
            code.extend([ICONST_1, IFEQ, 0, 4, RETURN]);
        }
        (0..accesses).for_each(|_| code.extend([GETSTATIC, high, low, POP]));
        code.push(RETURN);
        let end = (code.len() - 1 - 1) as u16;
        code[2..4].copy_from_slice(&end.to_be_bytes());
        Body { stack: 1, code, ..Body::default() }
    })
}

#[test]
fn a_far_jump_needs_a_place_to_jump_on_from() {
    let (woven, notes) = weave(&far_jump(3_500, true), Passes::FIELDS);
    assert_eq!(notes.skipped, []);
    let old = with_code(&far_jump(3_500, true), |_, code| code.instructions.to_vec());
    let new = with_code(&woven, |_, code| code.instructions.to_vec());
    assert!(new.len() > 32_768);
    check_jumps(&old, &new);
    let (_, notes) = weave(&far_jump(3_500, false), Passes::FIELDS);
    assert_eq!(notes.skipped.first().map(|skipped| skipped.why), Some(Skipped::JumpOverflow));
    let (_, notes) = weave(&far_jump(7_000, true), Passes::FIELDS);
    assert_eq!(notes.skipped.first().map(|skipped| skipped.why), Some(Skipped::MethodTooLarge));
}

#[test]
fn one_method_too_large_leaves_the_others_woven() {
    let mut assembly = Assembly::new(49, "T");
    assembly.field(PUBLIC_STATIC, "x", "I");
    let [high, low] = assembly.member(9, "T", "x", "I");
    for (name, count) in [("small", 1), ("huge", 16_000), ("other", 2)] {
        let mut code = [GETSTATIC, high, low, POP].repeat(count);
        code.push(RETURN);
        assembly.method(PUBLIC_STATIC, name, "()V", Body { stack: 1, code, ..Body::default() });
    }
    let (_, notes) = weave(&assembly.finish(), Passes::FIELDS);
    assert_eq!((notes.methods, notes.sites), (2, 3));
    let names: Vec<_> = notes.skipped.iter().map(|skipped| (skipped.name.as_slice(), skipped.why)).collect();
    assert_eq!(names, [(&b"huge"[..], Skipped::MethodTooLarge)]);
}

/// A method that makes an object around a hooked access: 0: nop, 1: new, 4: getstatic, 7: ifeq 11, 10: nop, 11: pop,
/// 12: return. The frame at 11 has the new object on its stack.
fn new_around_access(frame: Vec<u8>, attributes: Vec<(&'static str, Vec<u8>)>) -> Vec<u8> {
    class(50, |assembly, [high, low]| {
        let [class_high, class_low] = assembly.class("java/lang/Object").to_be_bytes();
        let code = vec![NOP, NEW, class_high, class_low, GETSTATIC, high, low, IFEQ, 0, 4, NOP, POP, RETURN];
        let attributes = std::iter::once(("StackMapTable", frame)).chain(attributes).collect();
        Body { stack: 2, locals: 1, code, attributes, ..Body::default() }
    })
}

#[test]
fn frames_keep_their_form_and_new_objects_follow_their_instruction() {
    // same_locals_1_stack_item at 11, Uninitialized(1)
    let bytes = new_around_access(vec![0, 1, 64 + 11, 8, 0, 1], vec![]);
    let (woven, _) = weave(&bytes, Passes::FIELDS);
    assert_eq!(attribute(&woven, b"StackMapTable"), [0, 1, 64 + 21, 8, 0, 1], "the hook is behind the new");
}

#[test]
fn an_offset_that_no_longer_fits_gets_the_long_form() {
    let bytes = class(50, |_, [high, low]| {
        let mut code = [GETSTATIC, high, low, POP].repeat(10);
        code.extend([ICONST_1, IFEQ, 0, 4, NOP, RETURN]);
        // same_frame at 45
        let attributes = vec![("StackMapTable", vec![0, 1, 45])];
        Body { stack: 1, code, attributes, ..Body::default() }
    });
    let (woven, _) = weave(&bytes, Passes::FIELDS);
    let table = attribute(&woven, b"StackMapTable");
    let grown = 5 * 10 + 5 * 11;
    assert_eq!(table, [0, 1, 251, 0, 45 + grown], "five sites fit one byte, five need two");
}

#[test]
fn an_added_local_stands_in_every_frame() {
    let bytes = class(50, |assembly, _| {
        let [high, low] = assembly.member(10, "T", "m", "()V");
        let code = vec![ICONST_1, IFEQ, 0, 6, INVOKESTATIC, high, low, RETURN];
        let attributes = vec![("StackMapTable", vec![0, 1, 252, 0, 7, 1])];
        Body { stack: 1, locals: 3, code, attributes, ..Body::default() }
    });
    let (woven, _) = weave(&bytes, Passes::CONTEXTS);
    // Entry: invokestatic, istore_3. Before the call: iload_3, iconst_1, invokestatic.
    let position = 4 + 7 + 5;
    let (int, top) = (1, 0);
    assert_eq!(
        attribute(&woven, b"StackMapTable"),
        [0, 1, 255, 0, position, 0, 4, int, top, top, int, 0, 0],
        "the method's own local, padding, the new one"
    );
    with_code(&woven, |_, code| assert_eq!((code.max_stack, code.max_locals), (1 + 2, 4)));
}

#[test]
fn annotations_follow_their_instructions() {
    let annotation = [0, 0, 1, 0, 0];
    let mut table = vec![0, 4];
    // A variable alive from 4 to 12, a new at 1, a cast at 11, an argument at 12.
    table.extend([0x40, 0, 1, 0, 4, 0, 8, 0, 0]);
    table.extend(annotation);
    table.extend([0x44, 0, 1]);
    table.extend(annotation);
    table.extend([0x47, 0, 11, 2]);
    table.extend(annotation);
    table.extend([0x4b, 0, 12, 1]);
    // With a path of one step, and values of every kind.
    table.extend([1, 3, 0, 0, 1, 0, 3, 0, 1, b'I', 0, 1, 0, 1, b'e', 0, 1, 0, 1, 0, 1, b'[', 0, 1, b'@', 0, 1, 0, 0]);
    let bytes = new_around_access(vec![0, 1, 64 + 11, 8, 0, 1], vec![("RuntimeVisibleTypeAnnotations", table.clone())]);
    let (woven, notes) = weave(&bytes, Passes::FIELDS);
    assert_eq!(notes.skipped, []);
    let mut moved = table;
    // The variable lives through the hook; the new stands before it, the cast and the argument behind it.
    for at in [8, 26, 35] {
        moved[at] += 10;
    }
    assert_eq!(attribute(&woven, b"RuntimeVisibleTypeAnnotations"), moved);
}

#[test]
fn a_catch_clause_keeps_its_annotation() {
    let bytes = class(49, |_, [high, low]| Body {
        stack: 1,
        code: vec![GETSTATIC, high, low, POP, RETURN, ATHROW],
        exceptions: vec![[0, 3, 5, 0], [0, 4, 5, 0]],
        attributes: vec![("RuntimeInvisibleTypeAnnotations", vec![0, 1, 0x42, 0, 1, 0, 0, 1, 0, 0])],
        ..Body::default()
    });
    let (woven, _) = weave(&bytes, Passes::FIELDS);
    assert_eq!(attribute(&woven, b"RuntimeInvisibleTypeAnnotations")[2..5], [0x42, 0, 1]);
}

#[test]
fn a_woven_class_is_not_woven_again() {
    let (woven, _) = weave(&far_jump(1, false), Passes::FIELDS);
    let plan = Plan {
        passes: Passes::FIELDS,
        home: Home::Shim,
        shim: Some("S"),
        fields: &|_, _, _| None,
        relaxed: &|_, _| false,
        choices: &crate::Everything,
        serial_uid: SerialUid::Leave,
    };
    assert_eq!(crate::weave(&woven, &plan, &mut Count(0)), Err(Skipped::AlreadyWoven));
}

#[test]
fn versions_outside_the_known_ones_are_named() {
    let plan = Plan {
        passes: Passes::ALL,
        home: Home::Shim,
        shim: Some("S"),
        fields: &|_, _, _| None,
        relaxed: &|_, _| false,
        choices: &crate::Everything,
        serial_uid: SerialUid::Leave,
    };
    let mut bytes = far_jump(1, false);
    bytes[7] = 44;
    assert_eq!(crate::weave(&bytes, &plan, &mut Count(0)), Err(Skipped::TooOld));
    bytes[5..8].copy_from_slice(&[2, 0, 45]);
    assert_eq!(crate::weave(&bytes, &plan, &mut Count(0)), Err(Skipped::TooOld));
    bytes[7] = 70;
    assert_eq!(crate::weave(&bytes, &plan, &mut Count(0)), Err(Skipped::TooNew(70)));
}
