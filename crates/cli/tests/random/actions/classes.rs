//! Classes with static initializers: the first use runs them, every later use comes after them.

use std::collections::btree_map::Entry;

use model::Op;

use super::Group;
use crate::machine::Machine;

pub(crate) const CLASSES: Group = Group {
    name: "classes",
    actions: &[("class.read", read), ("class.write", write), ("class.instance", instance)],
    passes: &[("class.instance", "class.instance"), ("class.read", "class.read")],
    guards: &[],
};

fn read(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (number, turn) = (operand % 3, machine.turn());
    let var = used(machine, me, number);
    method(machine, number, &format!("void read{turn}_y{number}() {{ Object it = y{number}; }}"));
    machine.step(me, &format!("C{number}.read{turn}_y{number}();"));
    machine.both(me, Op::Read(var));
    Some(())
}

fn write(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (number, turn) = (operand % 3, machine.turn());
    let var = used(machine, me, number);
    method(machine, number, &format!("void write{turn}_y{number}() {{ y{number} = {turn}; }}"));
    machine.step(me, &format!("C{number}.write{turn}_y{number}();"));
    machine.both(me, Op::Write(var));
    Some(())
}

fn instance(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let number = operand % 3;
    used(machine, me, number);
    machine.step(me, &format!("new C{number}();"));
    Some(())
}

/// A thread uses a class. The initializer writes the class's variable.
fn used(machine: &mut Machine, me: usize, number: usize) -> model::VarId {
    let var = machine.variable(&format!("y{number}"));
    let message = machine.message(&format!("class {number}"));
    if let Entry::Vacant(vacant) = machine.initialized.entry(number) {
        vacant.insert(format!(
            "        static int y{number};\n        static {{ write_y{number}(); }}\n        \
             static void write_y{number}() {{ y{number} = 1; }}\n",
        ));
        // A class is loaded before it is initialized, and class loaders have locks and maps of their own.
        machine.may_touch(me, "class loader");
        machine.both(me, Op::Write(var));
        machine.both(me, Op::Send(message));
    }
    machine.both(me, Op::Receive(message));
    var
}

fn method(machine: &mut Machine, number: usize, text: &str) {
    if let Some(members) = machine.initialized.get_mut(&number) {
        *members += &format!("        static {text}\n");
    }
}
