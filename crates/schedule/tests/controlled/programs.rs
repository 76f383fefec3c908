//! Random programs, small enough for exhaustive search, and programs that wait in loops.

use proptest::prelude::*;

use crate::machine::{Do, Program};

const VARIABLES: u32 = 2;
const LOCKS: u32 = 2;

/// Steps of a thread, of which locks and waits go together.
#[derive(Clone, Debug)]
pub(crate) struct Steps(Vec<Do>);

fn access() -> impl Strategy<Value = Do> {
    (0..VARIABLES).prop_flat_map(|variable| {
        prop_oneof![
            Just(Do::Read(variable)),
            (1..3i64).prop_map(move |value| Do::Write(variable, value)),
            Just(Do::WriteNext(variable))
        ]
    })
}

/// Steps without waits, which always end unless a lock is waited for in a circle.
fn simple() -> impl Strategy<Value = Vec<Do>> {
    let section = |inner: Vec<Do>, lock: u32| [vec![Do::Lock(lock)], inner, vec![Do::Unlock(lock)]].concat();
    let accesses = || prop::collection::vec(access(), 1..3);
    prop_oneof![
        4 => accesses(),
        3 => (accesses(), 0..LOCKS).prop_map(move |(inner, lock)| section(inner, lock)),
        1 => (access(), 0..LOCKS, 0..LOCKS).prop_map(move |(inner, one, two)| section(section(vec![inner], two), one)),
        1 => (access(), 1..3i64).prop_map(|(then, value)| vec![Do::Read(0), Do::If(value, 1), then]),
    ]
}

fn timeout() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![2 => Just(None), 1 => (1..4u64).prop_map(|nanos| Some(nanos * 10))]
}

/// Steps that wait for other threads, or let them go on. Only a thread that was started before is named.
fn waiting(me: usize) -> impl Strategy<Value = Vec<Do>> {
    let in_monitor = |steps: Vec<Do>| [vec![Do::Lock(0)], steps, vec![Do::Unlock(0)]].concat();
    prop_oneof![
        2 => (timeout(), access()).prop_map(move |(timeout, then)| in_monitor(vec![Do::Wait(0, timeout), then])),
        3 => access().prop_map(move |first| in_monitor(vec![first, Do::Notify(0)])),
        1 => Just(in_monitor(vec![Do::NotifyAll(0)])),
        2 => timeout().prop_map(|timeout| vec![Do::Park(timeout)]),
        2 => (0..me).prop_map(|other| vec![Do::Unpark(other)]),
        1 => (0..me).prop_map(|other| vec![Do::Interrupt(other)]),
        1 => (1..me.max(2)).prop_map(move |other| if other < me { vec![Do::Join(other)] } else { vec![Do::Yield] }),
        1 => (1..4u64).prop_map(|nanos| vec![Do::Sleep(nanos * 10)]),
    ]
}

fn thread(me: usize, waits: bool, parts: usize) -> impl Strategy<Value = Steps> {
    let part = if waits { prop_oneof![1 => simple(), 1 => waiting(me)].boxed() } else { simple().boxed() };
    prop::collection::vec(part, 1..=parts).prop_map(|parts| Steps(parts.concat()))
}

/// The program with one yield or sleep in each thread at most: a second one may cost schedules.
pub(crate) fn with_one_yield(mut program: Program) -> Program {
    for steps in &mut program {
        let mut yields = 0;
        steps.retain(|step| {
            yields += usize::from(matches!(step, Do::Yield | Do::Sleep(_)));
            yields <= 1 || !matches!(step, Do::Yield | Do::Sleep(_))
        });
    }
    program
}

/// A first thread that starts the others, does something itself, and perhaps waits for their ends.
pub(crate) fn program(threads: usize, waits: bool, parts: usize) -> impl Strategy<Value = Program> {
    let workers: Vec<_> = (1..=threads).map(|me| thread(me, waits, parts)).collect();
    // The first thread can name no other one when it begins: its own steps come after the starts, as those of the last worker.
    (workers, thread(threads, waits, 1), any::<bool>()).prop_map(move |(workers, own, joins)| {
        let starts = (1..=threads).map(Do::Start);
        let joins = (1..=threads).filter(|_| joins).map(Do::Join);
        let first = starts.chain(own.0).chain(joins).collect();
        [vec![first], workers.into_iter().map(|steps| steps.0).collect()].concat()
    })
}

/// Loops that wait: the plain one, and those that say so. Each ends if, and only if, the others get to run.
pub(crate) fn loops() -> Vec<(&'static str, Program)> {
    use Do::{Join, Park, Spin, Start, Unpark, Write, WriteVolatile, Yield};
    let first = vec![Start(1), Start(2), Join(1), Join(2)];
    let spins = |yields: bool| {
        vec![first.clone(), vec![Spin(0, 1, yields), Write(1, 1)], vec![Yield, Write(0, 1), Spin(1, 1, yields)]]
    };
    let by_main = vec![vec![Start(1), Spin(0, 1, false), Join(1)], vec![Write(2, 2), Write(2, 3), WriteVolatile(0, 1)]];
    let two = vec![
        vec![Start(1), Start(2), Start(3), Join(1), Join(2), Join(3)],
        vec![Spin(0, 1, true)],
        vec![Spin(0, 1, true)],
        vec![Write(1, 1), Write(1, 2), Write(1, 3), Write(0, 1)],
    ];
    let polls = vec![vec![Start(1), Park(Some(1_000_000)), Spin(0, 1, true)], vec![Write(0, 1), Unpark(0)]];
    vec![("plain", spins(false)), ("yields", spins(true)), ("main spins", by_main), ("two spin", two), ("polls", polls)]
}
