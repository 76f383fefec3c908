//! StampedLock, with optimistic reads.
//!
//! A read that is validated counts as one under the lock for reading in `must`, and not at all in `may`; one that turns
//! out invalid likewise. A read that nobody validates is an access like any other.

use model::{AccessKind, Mode, Op};

use super::locks::{acquire, hold, let_go_of, look, release, rival, succeed};
use super::{Group, data};
use crate::machine::{Exit, Machine};

pub(crate) const STAMPED_LOCKS: Group = Group {
    name: "stamped locks",
    actions: &[
        ("stamp.read", read),
        ("stamp.write", write),
        ("stamp.unlock", unlock),
        ("stamp.convert", convert),
        ("stamp.try_fails", try_fails),
        ("stamp.contend", contend),
        ("stamp.optimistic", optimistic),
        ("stamp.invalid", invalid),
        ("stamp.unvalidated", unvalidated),
    ],
    passes: &[("stamp.unlock", "stamp.write"), ("stamp.unlock", "stamp.read")],
    guards: &[("stamp.write", "stamp.unlock"), ("stamp.read", "stamp.unlock")],
};

const LOCK: &str = "st";

fn declare(machine: &mut Machine) {
    machine.declare(LOCK, "final StampedLock st = new StampedLock();");
}

fn admits(machine: &Machine, mode: Mode) -> bool {
    machine.holders(LOCK).iter().all(|&(_, held)| !held.excludes(mode))
}

/// A local variable for a stamp.
fn stamp(machine: &mut Machine, me: usize) -> String {
    let name = format!("s{}", machine.turn());
    machine.local(me, &format!("long {name} = 0;"));
    name
}

fn word(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "Read",
        Mode::Write => "Write",
    }
}

fn read(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    lock(machine, me, operand, Mode::Read)
}

fn write(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    lock(machine, me, operand, Mode::Write)
}

fn lock(machine: &mut Machine, me: usize, operand: usize, mode: Mode) -> Option<()> {
    declare(machine);
    if machine.held[me].len() > 3 || !admits(machine, mode) {
        return None;
    }
    let kind = word(mode);
    if operand % 4 == 0 {
        machine.step(me, &format!("st.as{kind}Lock().lock();"));
        hold(machine, me, LOCK, mode, format!("st.as{kind}Lock().unlock();"));
        return Some(());
    }
    let stamp = stamp(machine, me);
    let call = if operand % 4 == 1 { format!("try{kind}Lock()") } else { format!("{}Lock()", kind.to_lowercase()) };
    machine.step(me, &format!("{stamp} = st.{call}; Turn.check({stamp} != 0);"));
    let exit = match operand / 4 % 3 {
        0 => format!("st.unlock({stamp});"),
        1 => format!("Turn.check(st.tryUnlock{kind}());"),
        _ => format!("st.unlock{kind}({stamp});"),
    };
    hold(machine, me, LOCK, mode, exit);
    Some(())
}

fn unlock(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    let_go_of(machine, me, |name| name == LOCK)
}

/// The only reader becomes the writer, or the writer a reader.
fn convert(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    let [(holder, mode)] = machine.holders(LOCK)[..] else { return None };
    let place = machine.held[me].iter().position(|hold| hold.name == LOCK)?;
    let Exit::Call(exit) = &machine.held[me][place].exit else { return None };
    let stamp = exit.rsplit_once('(')?.1.strip_suffix(");")?.to_owned();
    if holder != me || !stamp.starts_with('s') {
        return None;
    }
    let other = if mode == Mode::Read { Mode::Write } else { Mode::Read };
    machine.step(me, &format!("{stamp} = st.tryConvertTo{}Lock({stamp}); Turn.check({stamp} != 0);", word(other)));
    machine.held[me].remove(place);
    release(machine, me, LOCK, mode);
    hold(machine, me, LOCK, other, format!("st.unlock({stamp});"));
    Some(())
}

fn try_fails(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    let mode = if operand % 2 == 0 { Mode::Read } else { Mode::Write };
    if admits(machine, mode) {
        return None;
    }
    machine.step(me, &format!("Turn.check(st.try{}Lock() == 0);", word(mode)));
    look(machine, me, LOCK);
    Some(())
}

fn contend(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    let (holder, held) = rival(machine, me, LOCK)?;
    let mode = if held == Mode::Write && operand % 2 == 0 { Mode::Read } else { Mode::Write };
    let stamp = stamp(machine, me);
    succeed(machine, me, holder, &format!("{stamp} = st.{}Lock();", word(mode).to_lowercase()))?;
    hold(machine, me, LOCK, mode, format!("st.unlock({stamp});"));
    Some(())
}

/// A read of a variable that the lock vouches for.
fn vouched(machine: &mut Machine, me: usize, operand: usize) {
    let (var, lock) = (data::variable(machine, operand), machine.lock(LOCK));
    machine.must(me, Op::Acquire(lock, Mode::Read));
    machine.must(me, Op::Read(var));
    machine.must(me, Op::Release(lock, Mode::Read));
    look(machine, me, LOCK);
}

fn optimistic(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    if !admits(machine, Mode::Read) {
        return None;
    }
    let (stamp, read) = (stamp(machine, me), data::method(machine, operand, &[AccessKind::Read]));
    machine.step(me, &format!("{stamp} = st.tryOptimisticRead(); {read} Turn.check(st.validate({stamp}));"));
    vouched(machine, me, operand);
    Some(())
}

/// Another thread writes between an optimistic read's begin and its end.
fn invalid(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    let other = machine.partner(me, operand / 8)?;
    if !machine.holders(LOCK).is_empty() {
        return None;
    }
    let stamp = stamp(machine, me);
    machine.step(me, &format!("{stamp} = st.tryOptimisticRead(); Turn.check({stamp} != 0);"));
    look(machine, me, LOCK);
    let write = data::method(machine, operand, &[AccessKind::Write]);
    acquire(machine, other, LOCK, Mode::Write);
    data::events(machine, other, operand, &[AccessKind::Write]);
    release(machine, other, LOCK, Mode::Write);
    machine.step(other, &format!("st.asWriteLock().lock(); {write} st.asWriteLock().unlock();"));
    let read = data::method(machine, operand, &[AccessKind::Read]);
    machine.step(me, &format!("{read} Turn.check(!st.validate({stamp}));"));
    vouched(machine, me, operand);
    Some(())
}

/// A read that is never validated. The detector holds it until the thread hands something on, and counts what the thread
/// has learned in the meantime; so it hands something on at once.
fn unvalidated(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    let read = data::method(machine, operand, &[AccessKind::Read]);
    look(machine, me, LOCK);
    data::events(machine, me, operand, &[AccessKind::Read]);
    machine.step(me, &format!("st.tryOptimisticRead(); {read} synchronized (new Object()) {{}}"));
    Some(())
}
