//! Which fields get cells, which get words, and which hooks their accesses get.

use super::{Count, RETURN, with_code};
use crate::assemble::{Assembly, Body};
use crate::bytes::u16_at;
use crate::classfile::opcode::*;
use crate::{Field, Home, Passes, Plan, SerialUid, Woven};

const ALOAD_0: u8 = 0x2a;

/// The class `T` with fields `f` and `volatile v` and a method that reads both, then a field `o` of another class.
fn class_with_fields() -> Vec<u8> {
    let mut assembly = Assembly::new(50, "T");
    assembly.field(0x1, "f", "I");
    assembly.field(0x41, "v", "J");
    let f = assembly.member(9, "T", "f", "I");
    let v = assembly.member(9, "T", "v", "J");
    let o = assembly.member(9, "U", "o", "I");
    let mut code = vec![ALOAD_0, GETFIELD, f[0], f[1], POP, ALOAD_0, GETFIELD, v[0], v[1], POP2];
    code.extend([GETSTATIC, o[0], o[1], POP, RETURN]);
    assembly.method(1, "m", "()V", Body { stack: 2, locals: 1, code, ..Body::default() });
    assembly.finish()
}

/// The names of the fields that weaving adds, and the methods that the last method then calls.
fn added_and_called(passes: Passes, relaxed: bool, other: Field) -> (Vec<String>, Vec<String>) {
    let original = class_with_fields();
    let plan = Plan {
        passes,
        home: Home::Boot,
        shim: Some("S"),
        fields: &|_, _, _| Some(other),
        relaxed: &|class, field| relaxed && class == b"T" && field == b"f",
        choices: &crate::Everything,
        serial_uid: SerialUid::Leave,
    };
    let Ok(Woven::Changed(woven, _)) = crate::weave(&original, &plan, &mut Count(0)) else { panic!("it is woven") };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    with_code(&woven, |class, code| {
        let added = class.fields.iter().skip(2).map(|field| text(field.name)).collect();
        let mut called = Vec::new();
        let mut pc = 0;
        while pc < code.instructions.len() {
            let (kind, _, length) = instruction(code.instructions, pc).expect("an instruction");
            if kind == Kind::Call {
                let constant = u16_at(code.instructions, pc + 1).expect("a constant");
                let method = class.pool.method_ref(constant).expect("a method");
                called.push(format!("{}.{}", text(method.owner), text(method.name)));
            }
            pc += length;
        }
        (added, called)
    })
}

#[test]
fn fields_that_synchronize_get_cells_and_others_get_words() {
    let passes = Passes::FIELDS | Passes::VOLATILES | Passes::LATE;
    let home =
        |hooks: &[&str]| hooks.iter().map(|hook| format!("java/lang/Thread.autodrome${hook}")).collect::<Vec<_>>();
    let (added, called) = added_and_called(passes, false, Field::Celled);
    assert_eq!(added, ["f$autodrome$rI", "f$autodrome$wI", "v$autodrome$vJ"]);
    assert_eq!(called, home(&["readField", "readVolatile", "readVolatileStatic"]));
    let (added, called) = added_and_called(passes, true, Field::Volatile);
    assert_eq!(added, ["f$autodrome$vI", "v$autodrome$vJ"]);
    assert_eq!(called, home(&["readVolatile", "readVolatile", "readLateStatic"]), "no cell is known: found out late");
    let (added, called) = added_and_called(Passes::VOLATILES, false, Field::Volatile);
    assert_eq!(added, ["v$autodrome$vJ"]);
    assert_eq!(called, home(&["readVolatile"]));
}
