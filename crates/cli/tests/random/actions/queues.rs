//! Queues: what was done before an element was put in comes before what is done after it was seen or taken out.

use model::Op;

use super::Group;
use crate::machine::Machine;

pub(crate) const QUEUES: Group = Group {
    name: "queues",
    actions: &[
        ("queue.put", put),
        ("queue.take", take),
        ("queue.peek", peek),
        ("queue.empty", empty),
        ("queue.wait", wait),
        ("queue.transfer", transfer),
        ("queue.synchronous", synchronous),
    ],
    passes: &[("queue.put", "queue.take"), ("queue.put", "queue.peek")],
    guards: &[],
};

/// A queue's name, how it is made, and whether its `take` waits.
const QUEUES_OF: [(&str, &str, bool); 7] = [
    ("abq", "BlockingQueue<Integer> abq = new ArrayBlockingQueue<>(100);", true),
    ("lbq", "BlockingQueue<Integer> lbq = new LinkedBlockingQueue<>();", true),
    ("lbd", "BlockingDeque<Integer> lbd = new LinkedBlockingDeque<>();", true),
    ("pbq", "BlockingQueue<Integer> pbq = new PriorityBlockingQueue<>();", true),
    ("ltq", "TransferQueue<Integer> ltq = new LinkedTransferQueue<>();", true),
    ("clq", "Queue<Integer> clq = new ConcurrentLinkedQueue<>();", false),
    ("cld", "Deque<Integer> cld = new ConcurrentLinkedDeque<>();", false),
];

fn queue(machine: &mut Machine, operand: usize) -> (&'static str, bool) {
    let (name, declaration, waits) = QUEUES_OF[operand % QUEUES_OF.len()];
    machine.declare(name, &format!("final {declaration}"));
    (name, waits)
}

/// A thread puts the next step's number into a queue.
fn inserts(machine: &mut Machine, me: usize, name: &str) -> usize {
    let (element, message) = (machine.turn(), machine.fresh());
    machine.queues.entry(name.to_owned()).or_default().push_back((element, message));
    machine.must(me, Op::Send(message));
    machine.may_touch(me, name);
    element
}

fn removes(machine: &mut Machine, me: usize, name: &str) -> Option<usize> {
    let (element, message) = machine.queues.get_mut(name)?.pop_front()?;
    machine.must(me, Op::Receive(message));
    machine.may_touch(me, name);
    Some(element)
}

fn put(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, _) = queue(machine, operand);
    let element = inserts(machine, me, name);
    let call = if operand / 8 % 2 == 0 { "add" } else { "offer" };
    machine.step(me, &format!("Turn.check({name}.{call}({element}));"));
    Some(())
}

fn take(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, waits) = queue(machine, operand);
    let element = removes(machine, me, name)?;
    let call = match operand / 8 % 3 {
        0 if waits && !machine.interrupted[me] => "take()",
        1 if waits && !machine.interrupted[me] => "poll(60, TimeUnit.SECONDS)",
        2 => "remove()",
        _ => "poll()",
    };
    machine.step(me, &format!("Turn.check({name}.{call} == {element});"));
    Some(())
}

fn peek(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, _) = queue(machine, operand);
    let &(element, message) = machine.queues.get(name)?.front()?;
    machine.step(me, &format!("Turn.check({name}.peek() == {element});"));
    machine.must(me, Op::Receive(message));
    machine.may_touch(me, name);
    Some(())
}

fn is_empty(machine: &Machine, name: &str) -> bool {
    machine.queues.get(name).is_none_or(|elements| elements.is_empty())
}

fn empty(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, _) = queue(machine, operand);
    is_empty(machine, name).then_some(())?;
    machine.step(me, &format!("Turn.check({name}.poll() == null);"));
    machine.may_touch(me, name);
    Some(())
}

/// Takes from an empty queue what another thread is about to put there.
fn wait(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, waits) = queue(machine, operand);
    let other = machine.partner(me, operand / 8)?;
    machine.calm(me)?;
    (waits && is_empty(machine, name)).then_some(())?;
    machine.may_touch(me, name);
    let element = inserts(machine, other, name);
    machine.hand_over(
        me,
        &format!("Turn.check({name}.take() == {element});"),
        other,
        &format!("Turn.check({name}.add({element}));"),
    );
    removes(machine, me, name)?;
    Some(())
}

/// Puts an element into a queue and waits until another thread has it. That the giver comes after the taker is not
/// promised.
fn hands(machine: &mut Machine, me: usize, operand: usize, name: &str, gives: &str) -> Option<()> {
    let other = machine.partner(me, operand / 8)?;
    machine.calm(me)?;
    machine.calm(other)?;
    is_empty(machine, name).then_some(())?;
    let element = inserts(machine, me, name);
    machine.hand_over(
        me,
        &format!("{name}.{gives}({element});"),
        other,
        &format!("Turn.check({name}.take() == {element});"),
    );
    removes(machine, other, name)?;
    machine.may_touch(me, name);
    Some(())
}

fn transfer(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, _) = queue(machine, 4);
    hands(machine, me, operand, name, "transfer")
}

fn synchronous(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let (name, fair) = if operand % 2 == 0 { ("sq", "") } else { ("sqf", "true") };
    machine.declare(name, &format!("final BlockingQueue<Integer> {name} = new SynchronousQueue<>({fair});"));
    hands(machine, me, operand, name, "put")
}
