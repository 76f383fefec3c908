//! Threads that meet or wait for each other: Semaphore, CountDownLatch, CyclicBarrier, Phaser, Exchanger, park.

use model::{AccessKind, Op};

use super::{Group, data};
use crate::machine::Machine;

pub(crate) const SEMAPHORES: Group = Group {
    name: "semaphores",
    actions: &[
        ("semaphore.release", release),
        ("semaphore.acquire", acquire),
        ("semaphore.try_fails", try_fails),
        ("semaphore.wait", wait_for_permit),
    ],
    passes: &[("semaphore.release", "semaphore.acquire")],
    guards: &[],
};

pub(crate) const LATCHES: Group = Group {
    name: "latches",
    actions: &[("latch.count_down", count_down), ("latch.await", await_latch)],
    passes: &[("latch.count_down", "latch.await")],
    guards: &[],
};

pub(crate) const BARRIERS: Group = Group {
    name: "barriers",
    actions: &[
        ("barrier.await", barrier),
        ("phaser.meet", phaser_meet),
        ("phaser.arrive", phaser_arrive),
        ("phaser.await", phaser_await),
        ("exchanger.exchange", exchange),
    ],
    passes: &[("phaser.arrive", "phaser.await")],
    guards: &[],
};

pub(crate) const PARKING: Group =
    Group { name: "parking", actions: &[("park.park", park), ("park.permit", permit)], passes: &[], guards: &[] };

const SEMAPHORE: &str = "sem";

fn permits(machine: &mut Machine) -> usize {
    machine.declare(SEMAPHORE, "final Semaphore sem = new Semaphore(0);");
    *machine.counts.entry(SEMAPHORE.to_owned()).or_insert(0)
}

fn released(machine: &mut Machine, me: usize) {
    let message = machine.message("permits");
    machine.must(me, Op::Send(message));
    machine.may_touch(me, SEMAPHORE);
}

fn acquired(machine: &mut Machine, me: usize) {
    let message = machine.message("permits");
    machine.must(me, Op::Receive(message));
    machine.may_touch(me, SEMAPHORE);
}

fn release(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    let permits = permits(machine);
    machine.counts.insert(SEMAPHORE.to_owned(), permits + 1);
    released(machine, me);
    machine.step(me, "sem.release();");
    Some(())
}

fn acquire(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let left = permits(machine).checked_sub(1)?;
    let code = match operand % 3 {
        0 if !machine.interrupted[me] => "sem.acquire();",
        1 => "sem.acquireUninterruptibly();",
        _ => "Turn.check(sem.tryAcquire());",
    };
    machine.counts.insert(SEMAPHORE.to_owned(), left);
    machine.step(me, code);
    acquired(machine, me);
    Some(())
}

fn try_fails(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    (permits(machine) == 0).then_some(())?;
    machine.step(me, "Turn.check(!sem.tryAcquire());");
    machine.may_look(me, SEMAPHORE);
    Some(())
}

fn wait_for_permit(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    (permits(machine) == 0).then_some(())?;
    let other = machine.partner(me, operand)?;
    machine.calm(me)?;
    machine.may_touch(me, SEMAPHORE);
    released(machine, other);
    machine.hand_over(me, "sem.acquire();", other, "sem.release();");
    acquired(machine, me);
    Some(())
}

/// A latch by its number, and what is left to count.
fn latch(machine: &mut Machine, operand: usize) -> (String, usize) {
    let (number, count) = (operand % 4, 1 + operand % 2);
    let name = format!("latch{number}");
    machine.declare(&name, &format!("final CountDownLatch {name} = new CountDownLatch({count});"));
    let left = *machine.counts.entry(name.clone()).or_insert(count);
    (name, left)
}

fn counts_down(machine: &mut Machine, me: usize, name: &str, left: usize) {
    if left > 0 {
        let message = machine.message(&format!("{name} counted"));
        machine.must(me, Op::Send(message));
        machine.counts.insert(name.to_owned(), left - 1);
    }
    machine.may_touch(me, name);
}

fn count_down(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, left) = latch(machine, operand);
    counts_down(machine, me, &name, left);
    machine.step(me, &format!("{name}.countDown();"));
    Some(())
}

/// Waits for a latch that is open, or that another thread is about to open.
fn await_latch(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, left) = latch(machine, operand);
    machine.calm(me)?;
    match left {
        0 => machine.step(me, &format!("{name}.await();")),
        1 => {
            let other = machine.partner(me, operand / 4)?;
            machine.may_touch(me, &name);
            counts_down(machine, other, &name, left);
            machine.hand_over(me, &format!("{name}.await();"), other, &format!("{name}.countDown();"));
        }
        _ => return None,
    }
    let message = machine.message(&format!("{name} counted"));
    machine.must(me, Op::Receive(message));
    machine.may_touch(me, &name);
    Some(())
}

/// Two threads meet: what each did before comes before what both do after, and before what `between` does in between.
fn meet(machine: &mut Machine, me: usize, other: usize, object: &str, between: impl FnOnce(&mut Machine)) {
    let (arrived, left) = (machine.fresh(), machine.fresh());
    for thread in [me, other] {
        machine.must(thread, Op::Send(arrived));
        machine.may_touch(thread, object);
    }
    machine.must(other, Op::Receive(arrived));
    machine.may_touch(other, object);
    between(machine);
    machine.must(other, Op::Send(left));
    machine.may_touch(other, object);
    for thread in [me, other] {
        machine.must(thread, Op::Receive(left));
        machine.may_touch(thread, object);
    }
}

/// A barrier for two, whose action makes an access.
fn barrier(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let other = machine.partner(me, operand / 16)?;
    machine.calm(me)?;
    machine.calm(other)?;
    let name = format!("barrier{}", machine.turn());
    let call = data::method(machine, operand, &[AccessKind::Write]);
    let declaration = format!(
        "final CyclicBarrier {name} = new CyclicBarrier(2, new Runnable() {{ public void run() {{ {call} }} }});"
    );
    machine.declare(&name, &declaration);
    meet(machine, me, other, &name, |machine| data::events(machine, other, operand, &[AccessKind::Write]));
    machine.hand_over(me, &format!("{name}.await();"), other, &format!("{name}.await();"));
    Some(())
}

fn phaser_meet(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let other = machine.partner(me, operand)?;
    machine.declare("pairs", "final Phaser pairs = new Phaser(2);");
    meet(machine, me, other, "pairs", |_| ());
    machine.hand_over(me, "pairs.arriveAndAwaitAdvance();", other, "pairs.arriveAndAwaitAdvance();");
    Some(())
}

const PHASER: &str = "solo";

fn phase(machine: &mut Machine) -> usize {
    machine.declare(PHASER, "final Phaser solo = new Phaser(1);");
    *machine.counts.entry(PHASER.to_owned()).or_insert(0)
}

fn phaser_arrive(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    let phase = phase(machine);
    let message = machine.message(&format!("phase {phase}"));
    machine.counts.insert(PHASER.to_owned(), phase + 1);
    machine.must(me, Op::Send(message));
    machine.may_touch(me, PHASER);
    machine.step(me, &format!("Turn.check(solo.arrive() == {phase});"));
    Some(())
}

/// Waits for the end of a phase that has ended.
fn phaser_await(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let last = phase(machine).checked_sub(1)?;
    let message = machine.message(&format!("phase {last}"));
    let call = if operand % 2 == 0 { "awaitAdvance" } else { "awaitAdvanceInterruptibly" };
    if operand % 2 == 1 {
        machine.calm(me)?;
    }
    machine.step(me, &format!("solo.{call}({last});"));
    machine.must(me, Op::Receive(message));
    machine.may_touch(me, PHASER);
    Some(())
}

fn exchange(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let other = machine.partner(me, operand)?;
    machine.calm(me)?;
    machine.calm(other)?;
    machine.declare("exchanger", "final Exchanger<Integer> exchanger = new Exchanger<>();");
    meet(machine, me, other, "exchanger", |_| ());
    machine.hand_over(me, "Turn.check(exchanger.exchange(1) == 2);", other, "Turn.check(exchanger.exchange(2) == 1);");
    Some(())
}

/// Parking hands nothing over.
fn park(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let other = machine.partner(me, operand)?;
    machine.calm(me)?;
    let (wakes, park) = (machine.turn() + 1, ["park()", "park(this)"][operand / 8 % 2]);
    machine.hand_over(
        me,
        &format!("while (!Turn.isSaid({wakes})) {{ LockSupport.{park}; }}"),
        other,
        &format!("Turn.say({wakes}); LockSupport.unpark(w{me});"),
    );
    Some(())
}

/// A permit that is there before the thread parks.
fn permit(machine: &mut Machine, me: usize, _: usize) -> Option<()> {
    machine.step(me, &format!("LockSupport.unpark(w{me}); LockSupport.park();"));
    Some(())
}
