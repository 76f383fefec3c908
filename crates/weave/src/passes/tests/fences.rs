//! Whether a fence is for its method's receiver, which its hook then gets, or for any location.

use super::weave;
use crate::Passes;
use crate::assemble::{Assembly, Body};
use crate::classfile::{ClassFile, Code};

const ALOAD_0: u8 = 0x2a;
const ALOAD_1: u8 = 0x2b;
const ACONST_NULL: u8 = 0x01;
const ICONST_0: u8 = 0x03;
const POP: u8 = 0x57;
const RETURN: u8 = 0xb1;
const PUBLIC: u16 = 1;
const STATIC: u16 = 8;

/// An instruction of a method that is made.
#[derive(Clone, Copy)]
enum Step {
    Fence(&'static str),
    Read,
    Write,
    ReadStatic,
    Call,
    ReadThrough,
    ReadOfArgument,
}

use Step::{Call, Fence, Read, ReadOfArgument, ReadStatic, ReadThrough, Write};

/// What the hook of the method's only fence gets: is it the receiver?
fn is_bound(access: u16, parameter: &str, steps: &[Step]) -> bool {
    let mut assembly = Assembly::new(61, "T");
    assembly.field(PUBLIC, "x", "I");
    let x = assembly.member(9, "T", "x", "I");
    let shared = assembly.member(9, "T", "shared", "I");
    let next = assembly.member(9, "T", "next", "LT;");
    let other = assembly.member(10, "T", "other", "()V");
    let mut code = Vec::new();
    for step in steps {
        match step {
            Fence(name) => {
                let fence = assembly.member(10, "java/lang/invoke/VarHandle", name, "()V");
                code.extend([0xb8, fence[0], fence[1]]);
            }
            Read => code.extend([ALOAD_0, 0xb4, x[0], x[1], POP]),
            Write => code.extend([ALOAD_0, ICONST_0, 0xb5, x[0], x[1]]),
            ReadStatic => code.extend([0xb2, shared[0], shared[1], POP]),
            Call => code.extend([0xb8, other[0], other[1]]),
            ReadThrough => code.extend([ALOAD_0, 0xb4, next[0], next[1], 0xb4, x[0], x[1], POP]),
            ReadOfArgument => code.extend([ALOAD_1, 0xb4, x[0], x[1], POP]),
        }
    }
    code.push(RETURN);
    let before = code.clone();
    let body = Body { stack: 2, locals: 2, code, ..Body::default() };
    assembly.method(access, "m", &format!("({parameter})V"), body);
    let woven = weave(&assembly.finish(), Passes::CALLS).0;
    let class = ClassFile::read(&woven).unwrap();
    let method = class.methods.iter().find(|method| method.name == b"m").unwrap();
    let mut attributes = class.attributes_of(method);
    let attribute = attributes.next().unwrap().unwrap();
    let after = Code::read(attribute.body).unwrap().instructions.to_vec();
    let at = before.iter().zip(&after).position(|(before, after)| before != after).unwrap();
    assert!(matches!(after[at], ALOAD_0 | ACONST_NULL), "{after:x?}");
    after[at] == ALOAD_0
}

#[test]
fn a_fence_beside_fields_of_the_receiver_is_for_it() {
    assert!(is_bound(PUBLIC, "", &[Read, Fence("acquireFence")]));
    assert!(is_bound(PUBLIC, "I", &[Fence("releaseFence"), Write]));
    assert!(is_bound(PUBLIC, "", &[Write, Fence("fullFence")]));
    assert!(is_bound(PUBLIC, "Ljava/lang/Object;", &[Fence("storeStoreFence"), Write]));
}

#[test]
fn any_other_fence_may_be_for_any_location() {
    assert!(!is_bound(PUBLIC, "", &[Fence("acquireFence")]), "the caller reads");
    assert!(!is_bound(PUBLIC, "", &[Fence("acquireFence"), Read]), "the read comes later");
    assert!(!is_bound(PUBLIC, "", &[Write, Fence("releaseFence")]), "the write came before");
    assert!(!is_bound(PUBLIC, "", &[Read, ReadStatic, Fence("acquireFence")]), "a static field is read");
    assert!(!is_bound(PUBLIC, "", &[Read, Call, Fence("acquireFence")]), "what is called may read");
    assert!(!is_bound(PUBLIC, "", &[ReadThrough, Fence("acquireFence")]), "another object is read");
    assert!(!is_bound(PUBLIC, "LT;", &[Read, ReadOfArgument, Fence("acquireFence")]), "an argument is read");
    assert!(!is_bound(PUBLIC | STATIC, "LT;", &[ReadStatic, Fence("acquireFence")]), "there is no receiver");
}
