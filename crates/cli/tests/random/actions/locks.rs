//! ReentrantLock, fair or not, with its condition; ReentrantReadWriteLock.
//!
//! The state of a lock is one variable that every operation reads and most write: what two readers order by it is not
//! promised, and so only in `may`.

use model::{Mode, Op};

use super::Group;
use super::interrupts;
use crate::machine::{Exit, Hold, Machine};

pub(crate) const LOCKS: Group = Group {
    name: "locks",
    actions: &[
        ("lock.lock", lock),
        ("lock.unlock", unlock),
        ("lock.try_fails", try_fails),
        ("lock.contend", contend),
        ("lock.await", wait),
        ("lock.interrupted_await", interrupted_wait),
    ],
    passes: &[("lock.unlock", "lock.lock")],
    guards: &[("lock.lock", "lock.unlock")],
};

pub(crate) const READ_WRITE_LOCKS: Group = Group {
    name: "read-write locks",
    actions: &[
        ("rw.read", read),
        ("rw.write", write),
        ("rw.unlock", read_write_unlock),
        ("rw.try_fails", read_write_try_fails),
        ("rw.contend", read_write_contend),
    ],
    passes: &[("rw.unlock", "rw.write"), ("rw.unlock", "rw.read")],
    guards: &[("rw.write", "rw.unlock"), ("rw.read", "rw.unlock")],
};

/// The name of a lock's state, to which [`Machine::let_go`] counts what is done with it.
fn state(name: &str) -> String {
    format!("state of {name}")
}

pub(crate) fn acquire(machine: &mut Machine, me: usize, name: &str, mode: Mode) {
    let lock = machine.lock(name);
    machine.both(me, Op::Acquire(lock, mode));
    machine.may_touch(me, &state(name));
}

pub(crate) fn release(machine: &mut Machine, me: usize, name: &str, mode: Mode) {
    let lock = machine.lock(name);
    machine.both(me, Op::Release(lock, mode));
    machine.may_touch(me, &state(name));
}

/// A thread takes a lock and keeps it.
pub(crate) fn hold(machine: &mut Machine, me: usize, name: &str, mode: Mode, exit: String) {
    acquire(machine, me, name, mode);
    machine.held[me].push(Hold { name: name.to_owned(), mode, exit: Exit::Call(exit) });
}

/// A thread looks at a lock in vain.
pub(crate) fn look(machine: &mut Machine, me: usize, name: &str) {
    machine.may_look(me, &state(name));
}

/// A thread gives back a lock that another waits for, and that one gets it.
pub(crate) fn succeed(machine: &mut Machine, me: usize, holder: usize, blocks: &str) -> Option<Mode> {
    let hold = machine.held[holder].pop()?;
    let Exit::Call(unlock) = hold.exit else { return None };
    // To wait, a thread writes its name where the holder finds it.
    machine.may_touch(me, &state(&hold.name));
    release(machine, holder, &hold.name, hold.mode);
    machine.hand_over(me, blocks, holder, &unlock);
    Some(hold.mode)
}

/// The only holder of a lock, if it is not `me` and took nothing after it.
pub(crate) fn rival(machine: &Machine, me: usize, name: &str) -> Option<(usize, Mode)> {
    let holders = machine.holders(name);
    let [(holder, mode)] = holders[..] else { return None };
    let is_last = machine.held[holder].last().is_some_and(|hold| hold.name == name);
    (holder != me && is_last).then_some((holder, mode))
}

pub(crate) fn let_go_of(machine: &mut Machine, me: usize, is_it: impl Fn(&str) -> bool) -> Option<()> {
    let place = machine.held[me].iter().rposition(|hold| is_it(&hold.name))?;
    machine.let_go(me, place);
    Some(())
}

fn is_lock(name: &str) -> bool {
    name == "l0" || name == "l1"
}

fn lock_of(machine: &mut Machine, operand: usize) -> &'static str {
    let (name, fair) = if operand % 2 == 0 { ("l0", "") } else { ("l1", "true") };
    machine.declare(name, &format!("final ReentrantLock {name} = new ReentrantLock({fair});"));
    name
}

fn lock(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let name = lock_of(machine, operand);
    if machine.held[me].len() > 3 || machine.holders(name).iter().any(|&(holder, _)| holder != me) {
        return None;
    }
    let how = operand / 2 % 4;
    if how >= 2 {
        machine.calm(me)?;
    }
    let code = match how {
        0 => format!("{name}.lock();"),
        1 => format!("Turn.check({name}.tryLock());"),
        2 => format!("Turn.check({name}.tryLock(60, TimeUnit.SECONDS));"),
        _ => format!("{name}.lockInterruptibly();"),
    };
    machine.step(me, &code);
    hold(machine, me, name, Mode::Write, format!("{name}.unlock();"));
    Some(())
}

fn unlock(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    let_go_of(machine, me, is_lock)
}

fn try_fails(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let name = lock_of(machine, operand);
    machine.holders(name).iter().find(|&&(holder, _)| holder != me)?;
    machine.step(me, &format!("Turn.check(!{name}.tryLock());"));
    look(machine, me, name);
    Some(())
}

fn contend(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let name = lock_of(machine, operand);
    let (holder, _) = rival(machine, me, name)?;
    succeed(machine, me, holder, &format!("{name}.lock();"))?;
    hold(machine, me, name, Mode::Write, format!("{name}.unlock();"));
    Some(())
}

/// The lock that a thread took last, and how often it holds it.
fn held(machine: &Machine, me: usize) -> Option<(String, usize)> {
    let last = machine.held[me].iter().rev().find(|hold| is_lock(&hold.name))?;
    let depth = machine.held[me].iter().filter(|hold| hold.name == last.name).count();
    Some((last.name.clone(), depth))
}

fn wait(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, depth) = held(machine, me)?;
    let other = machine.partner(me, operand)?;
    machine.calm(me)?;
    let condition = condition(machine, &name);
    let wakes = machine.turn() + 1;
    let wait = ["await()", "awaitUninterruptibly()", "await(60, TimeUnit.SECONDS)"][operand / 4 % 3];
    let signal = ["signal()", "signalAll()"][operand / 16 % 2];
    machine.hand_over(
        me,
        &format!("while (!Turn.isSaid({wakes})) {{ {condition}.{wait}; }}"),
        other,
        &format!("{name}.lock(); Turn.say({wakes}); {condition}.{signal}; {name}.unlock();"),
    );
    (0..depth).for_each(|_| release(machine, me, &name, Mode::Write));
    acquire(machine, other, &name, Mode::Write);
    release(machine, other, &name, Mode::Write);
    (0..depth).for_each(|_| acquire(machine, me, &name, Mode::Write));
    Some(())
}

fn interrupted_wait(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, depth) = held(machine, me)?;
    let other = machine.partner(me, operand)?;
    machine.calm(me)?;
    let condition = condition(machine, &name);
    machine.hand_over(
        me,
        &format!("try {{ for (;;) {{ {condition}.await(); }} }} catch (InterruptedException expected) {{}}"),
        other,
        &format!("w{me}.interrupt();"),
    );
    (0..depth).for_each(|_| release(machine, me, &name, Mode::Write));
    interrupts::sent(machine, other, me);
    (0..depth).for_each(|_| acquire(machine, me, &name, Mode::Write));
    interrupts::taken(machine, me, me);
    Some(())
}

fn condition(machine: &mut Machine, lock: &str) -> String {
    let name = format!("{lock}c");
    machine.declare(&name, &format!("final Condition {name} = {lock}.newCondition();"));
    name
}

const READ_WRITE: &str = "rw";

fn declare_read_write(machine: &mut Machine) {
    machine.declare(READ_WRITE, "final ReentrantReadWriteLock rw = new ReentrantReadWriteLock();");
}

fn view(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "rw.readLock()",
        Mode::Write => "rw.writeLock()",
    }
}

/// May a thread lock in a mode now? Who writes may read too, but who reads may not write.
fn admits(machine: &Machine, me: usize, mode: Mode) -> bool {
    let holders = machine.holders(READ_WRITE);
    let writes = holders.contains(&(me, Mode::Write));
    writes || holders.iter().all(|&(_, held)| !held.excludes(mode))
}

fn read(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    read_write_lock(machine, me, operand, Mode::Read)
}

fn write(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    read_write_lock(machine, me, operand, Mode::Write)
}

fn read_write_lock(machine: &mut Machine, me: usize, operand: usize, mode: Mode) -> Option<()> {
    declare_read_write(machine);
    if machine.held[me].len() > 3 || !admits(machine, me, mode) {
        return None;
    }
    let view = view(mode);
    let code = if operand % 2 == 0 { format!("{view}.lock();") } else { format!("Turn.check({view}.tryLock());") };
    machine.step(me, &code);
    hold(machine, me, READ_WRITE, mode, format!("{view}.unlock();"));
    Some(())
}

fn read_write_unlock(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    let_go_of(machine, me, |name| name == READ_WRITE)
}

fn read_write_try_fails(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare_read_write(machine);
    let mode = if operand % 2 == 0 { Mode::Read } else { Mode::Write };
    if admits(machine, me, mode) {
        return None;
    }
    machine.step(me, &format!("Turn.check(!{}.tryLock());", view(mode)));
    look(machine, me, READ_WRITE);
    Some(())
}

fn read_write_contend(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare_read_write(machine);
    let (holder, held) = rival(machine, me, READ_WRITE)?;
    let mode = if held == Mode::Write && operand % 2 == 0 { Mode::Read } else { Mode::Write };
    succeed(machine, me, holder, &format!("{}.lock();", view(mode)))?;
    hold(machine, me, READ_WRITE, mode, format!("{}.unlock();", view(mode)));
    Some(())
}
