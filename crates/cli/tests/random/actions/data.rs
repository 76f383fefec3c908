//! Plain accesses, each in a method of its own that is named after the variable: `write12_x3`.

use model::{AccessKind, Op, VarId};

use super::Group;
use crate::machine::Machine;

pub(crate) const DATA: Group = Group {
    name: "data",
    actions: &[("data.read", read), ("data.write", write), ("data.add", add)],
    passes: &[],
    guards: &[],
};

/// Variables of a program.
const VARIABLES: usize = 24;

/// How a variable is declared, where it is, and how a number becomes its value; `#` is the variable's number.
struct Form {
    declaration: &'static str,
    place: &'static str,
    cast: &'static str,
}

/// The forms that variables take in turn: small fields beside each other, statics, elements of a few arrays.
const FORMS: [Form; 8] = [
    Form { declaration: "int x#;", place: "x#", cast: "int" },
    Form { declaration: "static long x#;", place: "x#", cast: "long" },
    Form { declaration: "final int[] ints = new int[24];", place: "ints[#]", cast: "int" },
    Form { declaration: "Object x#;", place: "x#", cast: "Object" },
    Form { declaration: "byte x#;", place: "x#", cast: "byte" },
    Form { declaration: "static final Object[] objects = new Object[24];", place: "objects[#]", cast: "Object" },
    Form { declaration: "static double x#;", place: "x#", cast: "double" },
    Form { declaration: "final byte[] bytes = new byte[24];", place: "bytes[#]", cast: "byte" },
];

fn read(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    access(machine, me, operand, &[AccessKind::Read]);
    Some(())
}

fn write(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    access(machine, me, operand, &[AccessKind::Write]);
    Some(())
}

fn add(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    access(machine, me, operand, &[AccessKind::Read, AccessKind::Write]);
    Some(())
}

fn access(machine: &mut Machine, me: usize, operand: usize, kinds: &[AccessKind]) {
    let call = method(machine, operand, kinds);
    events(machine, me, operand, kinds);
    machine.step(me, &call);
}

/// Notes the accesses in both traces.
pub(crate) fn events(machine: &mut Machine, me: usize, operand: usize, kinds: &[AccessKind]) {
    let var = variable(machine, operand);
    for kind in kinds {
        let op = match kind {
            AccessKind::Read => Op::Read(var),
            AccessKind::Write => Op::Write(var),
        };
        machine.both(me, op);
    }
}

pub(crate) fn variable(machine: &mut Machine, operand: usize) -> VarId {
    machine.variable(&name(operand))
}

fn name(operand: usize) -> String {
    format!("x{}", operand % VARIABLES)
}

/// Adds a method with the accesses; gives its call.
pub(crate) fn method(machine: &mut Machine, operand: usize, kinds: &[AccessKind]) -> String {
    let Form { place, cast, .. } = FORMS[operand % VARIABLES % FORMS.len()];
    let place = of_variable(place, operand);
    let (read, write) = (format!("Object it = {place};"), format!("{place} = ({cast}) {};", machine.turn() % 100));
    match kinds {
        [kind @ AccessKind::Read] => method_with(machine, operand, *kind, &read),
        [kind] => method_with(machine, operand, *kind, &write),
        _ => method_with(machine, operand, AccessKind::Write, &(read + " " + &write)),
    }
}

/// Adds a method with a body that makes an access; gives its call.
pub(crate) fn method_with(machine: &mut Machine, operand: usize, kind: AccessKind, body: &str) -> String {
    let declaration = of_variable(FORMS[operand % VARIABLES % FORMS.len()].declaration, operand);
    machine.declare(&declaration, &declaration);
    let verb = match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    };
    let call = format!("{verb}{}_{}()", machine.turn(), name(operand));
    machine.method(format!("private void {call} {{ {body} }}"));
    call + ";"
}

fn of_variable(text: &str, operand: usize) -> String {
    text.replace('#', &(operand % VARIABLES).to_string())
}
