//! Monitors of objects and classes, with `wait`.

use model::{Mode, Op};

use super::Group;
use crate::machine::{Exit, Hold, Machine};

pub(crate) const MONITORS: Group = Group {
    name: "monitors",
    actions: &[
        ("monitor.enter", enter),
        ("monitor.exit", exit),
        ("monitor.method", method),
        ("monitor.contend", contend),
        ("monitor.wait", wait),
        ("monitor.interrupted_wait", interrupted_wait),
    ],
    passes: &[("monitor.method", "monitor.method"), ("monitor.exit", "monitor.enter")],
    guards: &[("monitor.enter", "monitor.exit")],
};

const MONITORS_OF: [&str; 4] = ["m0", "m1", "this", "CLASS.class"];

/// A monitor's expression, declared.
fn monitor(machine: &mut Machine, operand: usize) -> &'static str {
    let name = MONITORS_OF[operand % MONITORS_OF.len()];
    if name.starts_with('m') {
        machine.declare(name, &format!("final Object {name} = new Object();"));
    }
    name
}

fn is_free(machine: &Machine, me: usize, monitor: &str) -> bool {
    machine.holders(monitor).iter().all(|&(holder, _)| holder == me)
}

fn enter(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let name = monitor(machine, operand);
    if !is_free(machine, me, name) || machine.held[me].len() > 3 {
        return None;
    }
    machine.open(me, name);
    acquire(machine, me, name);
    machine.held[me].push(Hold { name: name.to_owned(), mode: Mode::Write, exit: Exit::Block });
    Some(())
}

fn exit(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    let place = machine.held[me].iter().rposition(|hold| matches!(hold.exit, Exit::Block))?;
    machine.let_go(me, place);
    Some(())
}

/// A synchronized method that does nothing.
fn method(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, declaration, call) = match operand % 2 {
        0 => ("this", "synchronized void method() {}", "method();"),
        _ => ("CLASS.class", "static synchronized void classMethod() {}", "classMethod();"),
    };
    if !is_free(machine, me, name) {
        return None;
    }
    machine.declare(call, declaration);
    acquire(machine, me, name);
    release(machine, me, name);
    machine.step(me, call);
    Some(())
}

/// Enters a monitor that another thread is about to leave.
fn contend(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let name = monitor(machine, operand);
    let holders = machine.holders(name);
    let [(holder, _)] = holders[..] else { return None };
    let last = machine.held[holder].iter().rposition(|hold| matches!(hold.exit, Exit::Block))?;
    if holder == me || machine.held[holder][last].name != name {
        return None;
    }
    machine.held[holder].remove(last);
    release(machine, holder, name);
    machine.hand_over(me, &format!("synchronized ({name}) {{}}"), holder, "}");
    acquire(machine, me, name);
    release(machine, me, name);
    Some(())
}

/// The monitor that a thread took last, and how often it holds it.
fn held(machine: &Machine, me: usize) -> Option<(String, usize)> {
    let last = machine.held[me].iter().rev().find(|hold| matches!(hold.exit, Exit::Block))?;
    let depth = machine.held[me].iter().filter(|hold| hold.name == last.name).count();
    Some((last.name.clone(), depth))
}

fn wait(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, depth) = held(machine, me)?;
    let other = machine.partner(me, operand)?;
    machine.calm(me)?;
    let wakes = machine.turn() + 1;
    let wait = if operand / 8 % 2 == 0 { "wait()" } else { "wait(60_000)" };
    let notify = if operand / 16 % 2 == 0 { "notify()" } else { "notifyAll()" };
    machine.hand_over(
        me,
        &format!("while (!Turn.isSaid({wakes})) {{ {name}.{wait}; }}"),
        other,
        &format!("synchronized ({name}) {{ Turn.say({wakes}); {name}.{notify}; }}"),
    );
    (0..depth).for_each(|_| release(machine, me, &name));
    acquire(machine, other, &name);
    release(machine, other, &name);
    (0..depth).for_each(|_| acquire(machine, me, &name));
    Some(())
}

fn interrupted_wait(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, depth) = held(machine, me)?;
    let other = machine.partner(me, operand)?;
    machine.calm(me)?;
    machine.hand_over(
        me,
        &format!("try {{ for (;;) {{ {name}.wait(); }} }} catch (InterruptedException expected) {{}}"),
        other,
        &format!("w{me}.interrupt();"),
    );
    (0..depth).for_each(|_| release(machine, me, &name));
    super::interrupts::sent(machine, other, me);
    (0..depth).for_each(|_| acquire(machine, me, &name));
    super::interrupts::taken(machine, me, me);
    Some(())
}

fn acquire(machine: &mut Machine, me: usize, name: &str) {
    let lock = machine.lock(name);
    machine.both(me, Op::Acquire(lock, Mode::Write));
}

fn release(machine: &mut Machine, me: usize, name: &str) {
    let lock = machine.lock(name);
    machine.both(me, Op::Release(lock, Mode::Write));
}
