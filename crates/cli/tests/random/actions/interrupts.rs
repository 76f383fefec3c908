//! Interrupts: sent by one thread, received by whoever notices.

use model::Op;

use super::Group;
use crate::machine::Machine;

pub(crate) const INTERRUPTS: Group = Group {
    name: "interrupts",
    actions: &[
        ("interrupt.send", send),
        ("interrupt.look", look),
        ("interrupt.clear", clear),
        ("interrupt.sleep", sleep),
    ],
    passes: &[("interrupt.send", "interrupt.clear"), ("interrupt.send", "interrupt.sleep")],
    guards: &[],
};

fn name(thread: usize) -> String {
    format!("interrupt of {thread}")
}

/// A thread interrupts another. That a notice clears the interrupt is the model's only reason to start a new message.
pub(crate) fn sent(machine: &mut Machine, me: usize, other: usize) {
    let message = match machine.updates.get(&name(other)) {
        Some(&message) if machine.interrupted[other] => message,
        _ => machine.fresh(),
    };
    machine.updates.insert(name(other), message);
    machine.interrupted[other] = true;
    machine.must(me, Op::Send(message));
    machine.may_touch(me, &name(other));
}

/// A thread notices that a thread is interrupted; if it is its own interrupt that it takes, it is gone.
pub(crate) fn taken(machine: &mut Machine, me: usize, other: usize) {
    noticed(machine, me, other);
    machine.interrupted[other] = false;
}

fn noticed(machine: &mut Machine, me: usize, other: usize) {
    if let Some(&message) = machine.updates.get(&name(other)) {
        machine.must(me, Op::Receive(message));
    }
    machine.may_touch(me, &name(other));
}

fn send(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let other = machine.partner(me, operand)?;
    machine.step(me, &format!("w{other}.interrupt();"));
    sent(machine, me, other);
    Some(())
}

/// Looks whether a thread, perhaps oneself, is interrupted.
fn look(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let other = if operand % 2 == 0 { me } else { machine.partner(me, operand / 2)? };
    let foreseen = machine.interrupted[other];
    machine.step(me, &format!("Turn.check(w{other}.isInterrupted() == {foreseen});"));
    if foreseen {
        noticed(machine, me, other);
    } else {
        machine.may_look(me, &name(other));
    }
    Some(())
}

fn clear(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    let foreseen = machine.interrupted[me];
    machine.step(me, &format!("Turn.check(Thread.interrupted() == {foreseen});"));
    if foreseen {
        taken(machine, me, me);
    } else {
        machine.may_look(me, &name(me));
    }
    Some(())
}

/// A sleep that an interrupt ends: one that came before, or else one that comes now.
fn sleep(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let sleep = "try { Thread.sleep(60_000); Turn.check(false); } catch (InterruptedException expected) {}";
    if machine.interrupted[me] {
        machine.step(me, sleep);
    } else {
        let other = machine.partner(me, operand)?;
        machine.hand_over(me, sleep, other, &format!("w{me}.interrupt();"));
        sent(machine, other, me);
    }
    taken(machine, me, me);
    Some(())
}
