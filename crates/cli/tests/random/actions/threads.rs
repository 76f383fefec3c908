//! Threads start each other, wait for each other's end, and look whether they live.

use model::{Op, ThreadId};

use super::Group;
use crate::machine::Machine;

pub(crate) const THREADS: Group = Group {
    name: "threads",
    actions: &[("thread.start", start), ("thread.join", join), ("thread.lives", lives)],
    passes: &[],
    guards: &[],
};

fn start(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    let child = machine.unborn()?;
    machine.begin(child);
    machine.both(me, Op::Fork(ThreadId(child as u32)));
    machine.step(me, &format!("w{child}.start();"));
    Some(())
}

fn join(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let ended = machine.joinable(me, operand)?;
    machine.calm(me)?;
    machine.end(ended);
    let code = match operand / 8 % 3 {
        0 => format!("w{ended}.join();"),
        1 => format!("w{ended}.join(60_000);"),
        _ => format!("while (w{ended}.isAlive()) {{ Thread.yield(); }}"),
    };
    machine.step(me, &code);
    // Who joins waits for a notification of the thread's own monitor.
    machine.may_touch(me, &format!("monitor of {ended}"));
    machine.both(me, Op::Join(ThreadId(ended as u32)));
    Some(())
}

/// A thread that lives hands nothing over.
fn lives(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let other = machine.partner(me, operand)?;
    machine.step(me, &format!("Turn.check(w{other}.isAlive());"));
    Some(())
}
