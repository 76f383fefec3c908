//! Classes that no compiler of today writes, in real JVMs: `jsr`, and a synchronized method that loses its receiver.

use std::fs;

use weave::Passes;

use crate::assemble::{Assembly, Body};
use crate::stage::{Jdk, Stage};

const ICONST_0: u8 = 0x03;
const ICONST_1: u8 = 0x04;
const ICONST_3: u8 = 0x06;
const ILOAD_0: u8 = 0x1a;
const ILOAD_1: u8 = 0x1b;
const ISTORE_1: u8 = 0x3c;
const ACONST_NULL: u8 = 0x01;
const ALOAD_0: u8 = 0x2a;
const ASTORE_0: u8 = 0x4b;
const ASTORE_2: u8 = 0x4d;
const POP: u8 = 0x57;
const IADD: u8 = 0x60;
const IDIV: u8 = 0x6c;
const IFEQ: u8 = 0x99;
const JSR: u8 = 0xa8;
const RET: u8 = 0xa9;
const IRETURN: u8 = 0xac;
const RETURN: u8 = 0xb1;
const GETSTATIC: u8 = 0xb2;
const INVOKESPECIAL: u8 = 0xb7;

/// A class `Made` with a static field and four methods, the first two before version 50 and the third from then on:
/// - `sub(int)`: a subroutine, called over so many hooked accesses;
/// - `jump(int)`: a conditional jump over as many;
/// - `scoped(int)`: a conditional jump out of an exception range to where a local of its handler is gone;
/// - `lost(int)`: synchronized, overwrites its receiver, then divides by its argument.
fn made(major: u8, accesses: usize) -> Vec<u8> {
    let mut class = Assembly::new(major, "Made");
    class.field(0x9, "x", "I");
    let [high, low] = class.member(9, "Made", "x", "I");
    let [init_high, init_low] = class.member(10, "java/lang/Object", "<init>", "()V");
    let code = vec![ALOAD_0, INVOKESPECIAL, init_high, init_low, RETURN];
    class.method(1, "<init>", "()V", Body { stack: 1, locals: 1, code, ..Body::default() });
    let far = |code: &mut Vec<u8>| (0..accesses).for_each(|_| code.extend([GETSTATIC, high, low, POP]));
    let patch = |code: &mut Vec<u8>, jump: usize| {
        let by = (code.len() - jump) as u16;
        code[jump + 1..jump + 3].copy_from_slice(&by.to_be_bytes());
    };
    if major < 50 {
        let mut code = vec![ILOAD_0, ISTORE_1, JSR, 0, 0];
        far(&mut code);
        code.extend([ILOAD_1, IRETURN]);
        patch(&mut code, 2);
        code.extend([ASTORE_2, ILOAD_1, ICONST_1, IADD, ISTORE_1, RET, 2]);
        class.method(0x9, "sub", "(I)I", Body { stack: 2, locals: 3, code, ..Body::default() });
        let mut code =
            vec![ILOAD_0, IFEQ, 0, 0, ILOAD_0, IFEQ, 0, 5, ICONST_0, POP, ICONST_0, IFEQ, 0, 5, ICONST_1, IRETURN];
        far(&mut code);
        code.extend([ICONST_3, IRETURN]);
        patch(&mut code, 1);
        code.extend([ICONST_0, IRETURN]);
        class.method(0x9, "jump", "(I)I", Body { stack: 1, locals: 1, code, ..Body::default() });
    }
    if major >= 50 {
        let mut code = vec![ILOAD_0, ISTORE_1, ILOAD_0, IFEQ, 0, 0, ILOAD_0, IFEQ, 0, 5, ICONST_1, IRETURN];
        let body = code.len();
        far(&mut code);
        let end = code.len();
        code.extend([ILOAD_1, IRETURN]);
        let handler = code.len();
        code.extend([POP, ILOAD_1, IRETURN]);
        patch(&mut code, 3);
        let target = code.len();
        code.extend([ICONST_0, IRETURN]);
        let [throwable_high, throwable_low] = class.class("java/lang/Throwable").to_be_bytes();
        // append int; same locals, a Throwable; chop one.
        let mut frames = vec![0, 3, 252, 0, body as u8, 1, 247];
        frames.extend(((handler - body - 1) as u16).to_be_bytes());
        frames.extend([7, throwable_high, throwable_low, 250]);
        frames.extend(((target - handler - 1) as u16).to_be_bytes());
        let exceptions = vec![[2, end as u16, handler as u16, 0]];
        let attributes = vec![("StackMapTable", frames)];
        class.method(0x9, "scoped", "(I)I", Body { stack: 1, locals: 2, code, exceptions, attributes });
    }
    let code = vec![ACONST_NULL, ASTORE_0, ICONST_3, ILOAD_1, IDIV, IRETURN];
    class.method(0x21, "lost", "(I)I", Body { stack: 2, locals: 2, code, ..Body::default() });
    class.finish()
}

const DRIVER: &str = "
public class Driver {
    public static void main(String[] arguments) throws Exception {
        Class<?> made = Class.forName(\"Made\");
        for (java.lang.reflect.Method method : made.getDeclaredMethods()) {
            for (int given = 0; given < 3; given++) {
                try {
                    Object receiver = made.getDeclaredConstructor().newInstance();
                    System.out.println(method.getName() + \" \" + method.invoke(receiver, given));
                } catch (java.lang.reflect.InvocationTargetException e) {
                    System.out.println(method.getName() + \" \" + e.getCause());
                }
            }
        }
    }
}
";

#[test]
fn subroutines_far_jumps_and_lost_receivers_run_woven() {
    for jdk in Jdk::all() {
        let stage = Stage::new(&jdk);
        let source = stage.path("Driver.java");
        fs::write(&source, DRIVER).expect("a source can be written");
        stage.jdk.compile(&[], &[source], &stage.path("plain"));
        for (major, accesses) in [(45, 3), (48, 3_000), (49, 3), (50, 3), (55, 3_000)] {
            fs::write(stage.path("plain").join("Made.class"), made(major, accesses)).expect("a class can be written");
            let plain = stage.run_plain("Driver");
            for passes in [Passes::FIELDS | Passes::SYNCHRONIZED, Passes::ALL] {
                let (hooked, _) = stage.check(passes, &plain, "Driver", &[]);
                let entered = hooked.counts.iter().find(|(name, _)| name.starts_with("enterMethod"));
                let left = hooked.counts.iter().find(|(name, _)| name.starts_with("exitMethod"));
                assert_eq!(entered.map(|(_, count)| count), left.map(|(_, count)| count));
                assert_eq!(entered.map(|(_, &count)| count), Some(3), "two returns and an exception");
            }
        }
    }
}
