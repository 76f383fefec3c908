//! RaceFuzzer on programs whose race the natural schedule keeps apart.

use model::{Op, VarId};
use schedule::{Candidate, First, Plan, Scheduler, Settings, Symbols};

use crate::machine::{Do, Program, Run, run, site};

/// Two threads access one variable, the second one much later.
fn apart() -> Program {
    let main = vec![Do::Start(1), Do::Start(2), Do::Join(1), Do::Join(2)];
    vec![main, vec![Do::Write(0)], vec![Do::Work(100_000), Do::Read(0)]]
}

fn caught(program: &Program, first: First, sides: &[(usize, usize, First)]) -> Run {
    let mut symbols = Symbols::default();
    let mut plan = Plan::new(Scheduler::RaceFuzzer, 1, Settings::default());
    plan.candidates = vec![Candidate {
        race: String::new(),
        variable: "x".to_owned(),
        first: "write".to_owned(),
        second: "read".to_owned(),
    }];
    plan.first = first;
    let mut gate = plan.gate(&mut symbols);
    for &(thread, step, side) in sides {
        gate.place(site(thread, step), 0, side);
    }
    run(program, &mut gate, &mut symbols, 1, 12)
}

#[test]
fn both_orders_follow_the_plan() {
    let sides = [(1, 0, First::First), (2, 1, First::Second)];
    for (first, expected) in [(First::First, [1, 2]), (First::Second, [2, 1])] {
        let run = caught(&apart(), first, &sides);
        assert_eq!(run.catches.len(), 1);
        let catch = run.catches[0];
        assert_eq!((catch.held.0.0, catch.came.0.0, catch.goes_first.0), (1, 2, expected[0]));
        assert_eq!((catch.sites.first, catch.sites.second), (site(1, 0), site(2, 1)));
        let accesses = run.events.iter().filter(|event| matches!(event.op, Op::Read(VarId(0)) | Op::Write(VarId(0))));
        assert_eq!(accesses.map(|event| event.thread.0).collect::<Vec<_>>(), expected);
    }
}

/// Two threads count: both reach their reads at once, and only a read and a write conflict.
#[test]
fn one_of_two_readers_goes_on_to_its_write() {
    let main = vec![Do::Start(1), Do::Start(2), Do::Work(1_000_000), Do::Join(1), Do::Join(2)];
    let count = vec![Do::Read(0), Do::Write(0)];
    let run = caught(
        &vec![main, count.clone(), count],
        First::First,
        &[(1, 1, First::First), (2, 1, First::First), (1, 0, First::Second), (2, 0, First::Second)],
    );
    assert_eq!(run.catches.len(), 1, "main works, so nothing thrashes: time alone lets one of them go");
}

#[test]
fn what_a_lock_keeps_apart_is_never_caught() {
    let mut program = apart();
    for (thread, access) in [(1, 0), (2, 1)] {
        program[thread].insert(access, Do::Lock(0, "L"));
        program[thread].push(Do::Unlock(0));
    }
    let run = caught(&program, First::First, &[(1, 1, First::First), (2, 2, First::Second)]);
    assert_eq!(run.catches.len(), 0);
    assert!(run.stuck.is_empty());
}

#[test]
fn another_candidates_side_or_a_site_that_nobody_named_is_no_partner() {
    for sides in [vec![(1, 0, First::First), (2, 1, First::First)], vec![(1, 0, First::First)]] {
        let run = caught(&apart(), First::First, &sides);
        assert_eq!((run.catches.len(), run.held.is_empty()), (0, false), "{sides:?}");
    }
}
