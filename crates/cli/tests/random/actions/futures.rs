//! Futures, and tasks that pools run.
//!
//! A task is a thread of its own in `must`; in `may` all tasks of a pool, which has one thread, are one.

use model::{AccessKind, MessageId, Op};

use super::{Group, data};
use crate::machine::{Machine, THREADS};

pub(crate) const FUTURES: Group = Group {
    name: "futures",
    actions: &[("future.complete", complete), ("future.join", join), ("future.wait", wait), ("task.run", run_task)],
    passes: &[("future.complete", "future.join")],
    guards: &[],
};

pub(crate) const POOLS: Group = Group {
    name: "pools",
    actions: &[("pool.submit", submit), ("pool.get", get)],
    passes: &[("pool.submit", "pool.get")],
    guards: &[],
};

/// A future by its number, and what was sent by who completed it.
fn future(machine: &mut Machine, operand: usize) -> (String, Option<MessageId>) {
    let name = format!("future{}", operand % 4);
    machine.declare(&name, &format!("final CompletableFuture<Integer> {name} = new CompletableFuture<>();"));
    let completed = machine.updates.get(&name).copied();
    (name, completed)
}

fn completes(machine: &mut Machine, me: usize, name: &str) {
    let message = machine.fresh();
    machine.updates.insert(name.to_owned(), message);
    machine.must(me, Op::Send(message));
    machine.may_touch(me, name);
}

fn complete(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, completed) = future(machine, operand);
    if completed.is_some() {
        machine.may_touch(me, &name);
    } else {
        completes(machine, me, &name);
    }
    machine.step(me, &format!("Turn.check({name}.complete(1) == {});", completed.is_none()));
    Some(())
}

fn join(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, completed) = future(machine, operand);
    let message = completed?;
    let call = ["join()", "getNow(2)", "get()"][if machine.interrupted[me] { 0 } else { operand / 4 % 3 }];
    machine.step(me, &format!("Turn.check({name}.{call} == 1);"));
    machine.must(me, Op::Receive(message));
    machine.may_touch(me, &name);
    Some(())
}

fn wait(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, completed) = future(machine, operand);
    let other = machine.partner(me, operand / 4)?;
    machine.calm(me)?;
    completed.is_none().then_some(())?;
    machine.may_touch(me, &name);
    completes(machine, other, &name);
    machine.hand_over(
        me,
        &format!("Turn.check({name}.join() == 1);"),
        other,
        &format!("Turn.check({name}.complete(1));"),
    );
    join(machine, me, operand)
}

/// A FutureTask that one thread runs and another waits for.
fn run_task(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let other = machine.partner(me, operand)?;
    machine.calm(me)?;
    let (name, message) = (format!("task{}", machine.turn()), machine.fresh());
    machine.declare(&name, &format!("final FutureTask<Integer> {name} = new FutureTask<>(() -> 1);"));
    machine.may_touch(me, &name);
    machine.must(other, Op::Send(message));
    machine.may_touch(other, &name);
    machine.hand_over(me, &format!("Turn.check({name}.get() == 1);"), other, &format!("{name}.run();"));
    machine.must(me, Op::Receive(message));
    machine.may_touch(me, &name);
    Some(())
}

/// Pools of one thread, and how they are made.
const POOLS_OF: [(&str, &str); 3] = [
    ("fixed", "final ExecutorService fixed = pool(Executors.newFixedThreadPool(1, DAEMONS));"),
    ("scheduled", "final ExecutorService scheduled = pool(Executors.newScheduledThreadPool(1, DAEMONS));"),
    ("forking", "final ExecutorService forking = pool(new ForkJoinPool(1));"),
];

fn done(task: usize) -> String {
    format!("end of task {task}")
}

/// Gives a pool a task that makes an access in the step after.
fn submit(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let place = operand / 32 % POOLS_OF.len();
    let (pool, declaration) = POOLS_OF[place];
    machine.declare(pool, declaration);
    let task = machine.tasks.len();
    let (given, ended) = (machine.fresh(), machine.fresh());
    machine.must(me, Op::Send(given));
    machine.may_touch(me, pool);
    machine.step(me, &format!("keep({task}, {pool}.submit(new script.Task(this, {task})));"));
    let kinds: &[AccessKind] = if operand % 2 == 0 { &[AccessKind::Write] } else { &[AccessKind::Read] };
    let call = data::method(machine, operand, kinds);
    let code = machine.task_step(&call);
    machine.tasks.push(code);
    let (own, of_pool) = (THREADS + POOLS_OF.len() + task, THREADS + place);
    let var = data::variable(machine, operand);
    let access = if kinds == [AccessKind::Write] { Op::Write(var) } else { Op::Read(var) };
    machine.must(own, Op::Receive(given));
    machine.must(own, access);
    machine.must(own, Op::Send(ended));
    machine.may_touch(of_pool, pool);
    machine.may(of_pool, access);
    machine.may_touch(of_pool, pool);
    machine.updates.insert(done(task), ended);
    machine.counts.insert(done(task), place);
    Some(())
}

/// Waits for the end of one of the last tasks.
fn get(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    machine.calm(me)?;
    let task = machine.tasks.len().checked_sub(1 + operand % 2)?;
    let (&message, &place) = (machine.updates.get(&done(task))?, machine.counts.get(&done(task))?);
    machine.step(me, &format!("future({task}).get();"));
    machine.must(me, Op::Receive(message));
    machine.may_touch(me, POOLS_OF[place].0);
    Some(())
}
