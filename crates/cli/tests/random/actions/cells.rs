//! Variables for atomic access: volatile fields, atomics, field updaters, VarHandles of fields and elements.
//!
//! A volatile read is ordered after all earlier volatile writes of the variable; an acquiring read after the write that
//! it sees, if that released. What modes mixed on one variable order beyond that is left to `may`.

use model::Op;

use super::Group;
use crate::machine::{Cell, Machine, pick};

pub(crate) const VOLATILES: Group = Group {
    name: "volatiles",
    actions: &[("volatile.read", volatile_read), ("volatile.write", volatile_write)],
    passes: &[("volatile.write", "volatile.read")],
    guards: &[],
};

/// How strong the read or the write of an operation is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Opaque,
    /// Acquire for reads, release for writes.
    HandOver,
    Volatile,
}

pub(crate) fn cell(machine: &mut Machine, name: &'static str) -> Cell {
    if let Some(&cell) = machine.cells.get(name) {
        return cell;
    }
    let message = machine.fresh();
    let cell = Cell { value: 0, by_volatile: message, by_acquire: message };
    machine.cells.insert(name, cell);
    cell
}

/// A thread sees the value of a cell.
pub(crate) fn sees(machine: &mut Machine, me: usize, name: &'static str, order: Order) {
    let cell = cell(machine, name);
    let message = match order {
        Order::Opaque => return,
        Order::HandOver => cell.by_acquire,
        Order::Volatile => cell.by_volatile,
    };
    machine.must(me, Op::Receive(message));
    machine.may_look(me, name);
}

/// A thread gives a cell a value, without a look at the old one.
pub(crate) fn sets(machine: &mut Machine, me: usize, name: &'static str, value: usize, order: Order) {
    let mut cell = cell(machine, name);
    cell.value = value;
    cell.by_acquire = machine.fresh();
    if order != Order::Volatile {
        cell.by_volatile = cell.by_acquire;
    }
    machine.cells.insert(name, cell);
    if order != Order::Opaque {
        sends(machine, me, name);
    }
}

/// A thread sends to those who will see the value of a cell.
pub(crate) fn sends(machine: &mut Machine, me: usize, name: &'static str) {
    let cell = cell(machine, name);
    machine.must(me, Op::Send(cell.by_volatile));
    machine.must(me, Op::Send(cell.by_acquire));
    let message = machine.message(name);
    machine.may(me, Op::Send(message));
}

const VOLATILE_FIELDS: [(&str, &str, &str); 3] = [
    ("v0", "volatile int v0;", "(int)"),
    ("v1", "static volatile long v1;", "(long)"),
    ("v2", "volatile Object v2 = 0;", "(Object)"),
];

fn volatile_read(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, declaration, _) = pick(&VOLATILE_FIELDS, operand)?;
    machine.declare(name, declaration);
    let value = cell(machine, name).value;
    let number = if name == "v2" { "(int) v2" } else { name };
    machine.step(me, &format!("Turn.check({number} == {value});"));
    sees(machine, me, name, Order::Volatile);
    Some(())
}

fn volatile_write(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, declaration, cast) = pick(&VOLATILE_FIELDS, operand)?;
    machine.declare(name, declaration);
    let value = machine.turn() % 100;
    sets(machine, me, name, value, Order::Volatile);
    machine.step(me, &format!("{name} = {cast} {value};"));
    Some(())
}
