//! What bootstrap methods link: which instructions and which methods get hooks.

use super::{PUBLIC_STATIC, weave};
use crate::Passes;
use crate::assemble::{Assembly, Body};

const LINK: &str = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;";

/// How many hooks a method gets that makes a call and loads a constant, both linked by a method of this class.
fn hooked(owner: &str, constant: &str) -> u32 {
    let mut assembly = Assembly::new(55, "T");
    let [high, low] = assembly.member(10, owner, "link", LINK);
    // A handle of a static method.
    let [handle_high, handle_low] = assembly.constant(vec![15, 6, high, low]).to_be_bytes();
    let pair = |assembly: &mut Assembly, name: &str, descriptor: &str| {
        let (name, descriptor) = (assembly.utf8(name), assembly.utf8(descriptor));
        assembly.two(12, name, descriptor)
    };
    let called = pair(&mut assembly, "call", "()V");
    let [high, low] = assembly.two(18, 0, called).to_be_bytes();
    let loaded = pair(&mut assembly, constant, "J");
    let [wide_high, wide_low] = assembly.two(17, 0, loaded).to_be_bytes();
    // invokedynamic, ldc2_w, pop2, return
    let code = vec![0xba, high, low, 0, 0, 0x14, wide_high, wide_low, 0x58, 0xb1];
    assembly.method(PUBLIC_STATIC, "m", "()V", Body { stack: 2, code, ..Body::default() });
    let bootstraps = [0, 1, handle_high, handle_low, 0, 0];
    weave(&assembly.finish_with(&[("BootstrapMethods", &bootstraps)]), Passes::CALLS).1.sites
}

#[test]
fn calls_of_the_programs_own_and_all_constants_acquire() {
    assert_eq!(hooked("T", "c"), 2);
    assert_eq!(hooked("java/lang/invoke/LambdaMetafactory", "c"), 1, "a lambda hands nothing over");
    assert_eq!(hooked("T", "$jacocoData"), 1, "JaCoCo's array is no hand-over");
}

#[test]
fn a_bootstrap_method_is_heard() {
    let hooked = |access: u16, name: &str, descriptor: &str| {
        let mut assembly = Assembly::new(55, "T");
        let body = Body { stack: 1, locals: 4, code: vec![0x01, 0xb0], ..Body::default() };
        assembly.method(access, name, descriptor, body);
        weave(&assembly.finish(), Passes::CALLS).1.sites > 0
    };
    assert!(hooked(PUBLIC_STATIC, "link", LINK));
    assert!(!hooked(1, "link", LINK), "an instance method links nothing");
    assert!(!hooked(PUBLIC_STATIC, "link", "(Ljava/lang/String;)Ljava/lang/Object;"));
    assert!(!hooked(PUBLIC_STATIC | 0x1000, "$jacocoInit", LINK));
}
