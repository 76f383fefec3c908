//! JaCoCo's probes, as it sets them, beside a store of the program's own.

use super::{PUBLIC_STATIC, weave};
use crate::Passes;
use crate::assemble::{Assembly, Body};

const SYNTHETIC: u16 = 0x1000;
const RETURN: u8 = 0xb1;

/// How many instructions get a hook of a method that starts with `first`, puts it into local 1, sets two probes, and does
/// the same once to the array in local 0.
fn hooked(giver: u16, first: impl FnOnce(&mut Assembly) -> Vec<u8>) -> u32 {
    let mut assembly = Assembly::new(55, "T");
    assembly.field(PUBLIC_STATIC | SYNTHETIC, "$jacocoData", "[Z");
    let data = assembly.member(9, "T", "$jacocoData", "[Z");
    let given = Body { stack: 1, code: vec![0xb2, data[0], data[1], 0xb0], ..Body::default() };
    assembly.method(PUBLIC_STATIC | giver, "$jacocoInit", "()[Z", given);
    let mut code = first(&mut assembly);
    code.push(0x4c); // astore_1
    code.extend([0x2b, 0x03, 0x04, 0x54]); // aload_1, iconst_0, iconst_1, bastore
    code.extend([0x19, 1, 0x10, 77, 0x04, 0x54]); // aload 1, bipush 77, iconst_1, bastore
    code.extend([0x2a, 0x03, 0x04, 0x54, RETURN]); // aload_0, iconst_0, iconst_1, bastore
    assembly.method(PUBLIC_STATIC, "m", "([Z)V", Body { stack: 3, locals: 2, code, ..Body::default() });
    weave(&assembly.finish(), Passes::FIELDS | Passes::ARRAYS).1.sites
}

/// A constant that is made when it is first used, by the first bootstrap method, as two bytes for an instruction.
fn dynamic(assembly: &mut Assembly, name: &str, descriptor: &str) -> [u8; 2] {
    let (name, descriptor) = (assembly.utf8(name), assembly.utf8(descriptor));
    let pair = assembly.two(12, name, descriptor);
    assembly.two(17, 0, pair).to_be_bytes()
}

#[test]
fn only_the_programs_own_store_is_hooked() {
    let called = |assembly: &mut Assembly| {
        let [high, low] = assembly.member(10, "T", "$jacocoInit", "()[Z");
        vec![0xb8, high, low]
    };
    assert_eq!(hooked(SYNTHETIC, called), 1);
    let constant = |assembly: &mut Assembly| {
        let [high, low] = dynamic(assembly, "$jacocoData", "Ljava/lang/Object;");
        let [class_high, class_low] = assembly.class("[Z").to_be_bytes();
        vec![0x13, high, low, 0xc0, class_high, class_low]
    };
    assert_eq!(hooked(SYNTHETIC, constant), 1);
    assert_eq!(hooked(0, called), 3, "a method that a programmer wrote is not JaCoCo's");
    let null = |_: &mut Assembly| vec![0x01];
    assert_eq!(hooked(SYNTHETIC, null), 3, "the array is another one");
}
