//! Plain accesses that no field instruction makes: by VarHandle, MethodHandle, reflection, and arraycopy.

use model::AccessKind;

use super::{Group, data};
use crate::machine::Machine;

pub(crate) const HANDLES: Group = Group {
    name: "plain handles",
    actions: &[("handle.read", handle_read), ("handle.write", handle_write)],
    passes: &[],
    guards: &[],
};

pub(crate) const REFLECTION: Group = Group {
    name: "reflection",
    actions: &[("reflection.read", reflection_read), ("reflection.write", reflection_write)],
    passes: &[],
    guards: &[],
};

pub(crate) const METHOD_HANDLES: Group = Group {
    name: "method handles",
    actions: &[("getter.read", getter_read), ("setter.write", setter_write)],
    passes: &[],
    guards: &[],
};

pub(crate) const COPIES: Group = Group {
    name: "copies",
    actions: &[("copy.read", copy_read), ("copy.write", copy_write)],
    passes: &[],
    guards: &[],
};

/// An access to an int field by other means: `field` is its name.
fn field(machine: &mut Machine, me: usize, operand: usize, kind: AccessKind, body: impl Fn(&str) -> String) {
    let number = operand % 3 * 8;
    let body = body(&format!("x{number}"));
    let body = format!("try {{ {body} }} catch (Throwable unforeseen) {{ throw new AssertionError(unforeseen); }}");
    let call = data::method_with(machine, number, kind, &body);
    data::events(machine, me, number, &[kind]);
    machine.step(me, &call);
}

fn handle_read(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare_handles(machine, operand);
    field(machine, me, operand, AccessKind::Read, |x| format!("int it = (int) {}.get(this);", upper('V', x)));
    Some(())
}

fn handle_write(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare_handles(machine, operand);
    field(machine, me, operand, AccessKind::Write, |x| format!("{}.set(this, 7);", upper('V', x)));
    Some(())
}

fn reflection_read(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare_handles(machine, operand);
    field(machine, me, operand, AccessKind::Read, |x| format!("int it = {}.getInt(this);", upper('F', x)));
    Some(())
}

fn reflection_write(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare_handles(machine, operand);
    field(machine, me, operand, AccessKind::Write, |x| format!("{}.setInt(this, 7);", upper('F', x)));
    Some(())
}

fn getter_read(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare_handles(machine, operand);
    field(machine, me, operand, AccessKind::Read, |x| format!("int it = (int) {}.invokeExact(this);", upper('G', x)));
    Some(())
}

fn setter_write(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare_handles(machine, operand);
    field(machine, me, operand, AccessKind::Write, |x| format!("{}.invokeExact(this, 7);", upper('S', x)));
    Some(())
}

fn upper(kind: char, field: &str) -> String {
    format!("{kind}_{field}")
}

/// All the means to get at a field.
fn declare_handles(machine: &mut Machine, operand: usize) {
    let x = format!("x{}", operand % 3 * 8);
    let lookup = "MethodHandles.lookup()";
    for (kind, declaration) in [
        ('V', format!("VarHandle V_{x} = field({lookup}, \"{x}\", int.class)")),
        ('F', format!("java.lang.reflect.Field F_{x} = reflected(CLASS.class, \"{x}\")")),
        ('G', format!("MethodHandle G_{x} = getter({lookup}, \"{x}\", int.class)")),
        ('S', format!("MethodHandle S_{x} = setter({lookup}, \"{x}\", int.class)")),
    ] {
        machine.declare(&upper(kind, &x), &format!("static final {declaration};"));
    }
}

fn copy_read(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    copy(machine, me, operand, AccessKind::Read, |place| format!("System.arraycopy(ints, {place}, new int[1], 0, 1);"))
}

fn copy_write(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    copy(machine, me, operand, AccessKind::Write, |place| format!("System.arraycopy(new int[1], 0, ints, {place}, 1);"))
}

fn copy(
    machine: &mut Machine,
    me: usize,
    operand: usize,
    kind: AccessKind,
    body: impl Fn(usize) -> String,
) -> Option<()> {
    let number = operand % 3 * 8 + 2;
    let call = data::method_with(machine, number, kind, &body(number));
    data::events(machine, me, number, &[kind]);
    machine.step(me, &call);
    Some(())
}
