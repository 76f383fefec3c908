//! Figure 2 of the DrFinder paper: two races that two lock orders hide, and what section 3 says of them.

use std::collections::BTreeSet;

use schedule::{Explorer, Outcome, Repeated};
use schedule::{Plan, Relation, Run as Made, Scheduler, Settings, Symbols};

use crate::machine::{Do, Program, Run, run};

const X: u32 = 0;
const Y: u32 = 1;
const K: u32 = 1;
const N: u32 = 2;

/// A section on a lock of its own type.
fn section(lock: u32, kind: &'static str) -> [Do; 2] {
    [Do::Lock(lock, kind), Do::Unlock(lock)]
}

/// The program. `gap` is how much later than t1 the threads t2 and t3 reach their locks in the natural schedule.
pub(crate) fn program(gap: u64) -> Program {
    use Do::{Enter, Leave, Read, Start, Work, Write};
    let main = vec![Start(1), Start(2), Start(3), Do::Join(1), Do::Join(2), Do::Join(3)];
    let mut t1 = vec![Enter("f1"), Work(gap / 10), Write(X)];
    t1.extend(section(K, "k"));
    t1.push(Enter("f2"));
    t1.extend(section(11, "o1"));
    t1.push(Write(Y));
    t1.extend(section(N, "n"));
    t1.extend([Leave, Leave]);
    let mut t2 = vec![Enter("f3"), Work(gap), Enter("f4")];
    t2.extend(section(12, "o2"));
    t2.extend(section(13, "o3"));
    t2.extend([Work(gap), Enter("f5")]);
    t2.extend(section(N, "n"));
    t2.extend([Read(Y), Leave, Leave, Leave]);
    let mut t3 = vec![Enter("f6"), Work(gap), Enter("f7")];
    t3.extend(section(14, "o4"));
    t3.extend(section(15, "o5"));
    t3.extend([Work(gap), Enter("f8")]);
    t3.extend(section(K, "k"));
    t3.extend([Read(X), Leave, Leave, Leave]);
    vec![main, t1, t2, t3]
}

/// Table 1.
fn table() -> BTreeSet<Relation> {
    let rows: [(&str, &[&str]); 8] = [
        ("f1", &["k", "o1", "n"]),
        ("f2", &["o1", "n"]),
        ("f3", &["o2", "o3", "n"]),
        ("f4", &["o2", "o3", "n"]),
        ("f5", &["n"]),
        ("f6", &["o4", "o5", "k"]),
        ("f7", &["o4", "o5", "k"]),
        ("f8", &["k"]),
    ];
    let row = |&(method, locks): &(&str, &'static [&'static str])| {
        let method = method.to_owned();
        locks.iter().map(move |&lock| Relation { method: method.clone(), lock: lock.to_owned() }).collect::<Vec<_>>()
    };
    rows.iter().flat_map(row).collect()
}

fn literal() -> Settings {
    Settings { any_frame: false, start_delay_ms: 0, ..Settings::default() }
}

/// Runs the program by a plan; the relation has the methods of the figure only.
fn made(plan: &Plan, program: &Program, seed: u64) -> (Run, Outcome) {
    let mut symbols = Symbols::default();
    let mut gate = plan.gate(&mut symbols);
    let run = run(program, &mut gate, &mut symbols, seed, 12);
    let mut outcome = Outcome::of(&gate, &symbols, |site| site.0.to_string());
    outcome.relation.retain(|pair| pair.method != "run");
    (run, outcome)
}

#[test]
fn the_natural_schedule_hides_both_races_and_its_relation_is_table_1() {
    for seed in 0..50 {
        let plan = Plan::new(Scheduler::None, seed, literal());
        let (run, outcome) = made(&plan, &program(20_000), seed);
        assert_eq!(run.racy(), BTreeSet::new());
        assert_eq!(outcome.relation, table());
        assert_eq!((run.held.len(), outcome.counts), (0, schedule::Counts::default()));
    }
}

/// Section 3, step by step: t1 waits at e1 for t3, at e3 for t2, and nobody else is escorted.
#[test]
fn section_3() {
    let mut exposed = 0;
    for seed in 0..50 {
        let mut plan = Plan::new(Scheduler::DrFinder, seed, literal());
        plan.relation = table();
        let (run, outcome) = made(&plan, &program(20_000), seed);
        assert_eq!(run.held.first(), Some(&(1, Do::Lock(K, "k"))), "t1 waits at e1, since f6 may trigger k");
        let events = || run.events.iter().map(|event| (event.thread.0, event.op));
        let when = |thread: u32, lock: u32| {
            let wanted = model::Op::Acquire(model::LockId(lock), model::Mode::Write);
            events().position(|event| event == (thread, wanted)).unwrap()
        };
        assert!(when(3, K) < when(1, K), "e9 comes before e1 now");
        assert!(run.racy().contains(&X), "the race on x is exposed");
        assert!(outcome.counts.arrived >= 1);
        // The tie between e2 and e4 is a matter of chance: t1 may reach e3 before or after t2 has taken n.
        if when(2, N) < when(1, N) {
            assert!(run.racy().contains(&Y), "and so is that on y");
            exposed += 1;
        }
        assert!(run.stuck.is_empty());
    }
    assert!(exposed >= 10, "both in one run: {exposed} of 50");
}

fn until_both(settings: Settings, scheduler: Scheduler, program: &Program, seed: u64, runs: u64) -> Option<u64> {
    let mut explorer = Repeated::new(scheduler, settings, seed, runs, runs);
    let mut racy = BTreeSet::new();
    let mut last: Option<Made> = None;
    let mut count = 0;
    while let Some(plan) = explorer.next(last.as_ref(), &[]) {
        count += 1;
        let (run, outcome) = made(&plan, program, seed * 100 + count);
        racy.extend(run.racy());
        if racy == BTreeSet::from([X, Y]) {
            return Some(count);
        }
        last = Some(Made { plan, outcome, new_races: 0 });
    }
    None
}

#[test]
fn three_runs_expose_both_races_in_the_median_and_random_delays_do_not() {
    let mut runs: Vec<u64> = (0..21)
        .map(|seed| until_both(Settings::default(), Scheduler::DrFinder, &program(20_000), seed, 20).unwrap_or(99))
        .collect();
    runs.sort_unstable();
    assert!(runs[10] <= 3, "{runs:?}");
    let by_delays = (0..21)
        .filter(|&seed| until_both(Settings::default(), Scheduler::ConTest, &program(20_000), seed, 10).is_some());
    assert_eq!(by_delays.count(), 0, "a delay of 10 ms is too short for 40 ms of work");
}

/// In the figure with the work in helper methods, the current method of the other thread triggers nothing.
#[test]
fn a_thread_in_a_helper_is_found_by_any_of_its_frames_only() {
    let mut program = program(20_000);
    for thread in &mut program[2..] {
        let steps = std::mem::take(thread);
        for step in steps {
            match step {
                Do::Work(_) => thread.extend([Do::Enter("work"), step, Do::Leave]),
                _ => thread.push(step),
            }
        }
    }
    let settings = Settings { start_delay_ms: 0, ..Settings::default() };
    let found = |settings: Settings| {
        (0..20).filter(|&seed| until_both(settings, Scheduler::DrFinder, &program, seed, 5).is_some()).count()
    };
    let (any, current) = (found(settings), found(literal()));
    assert!(any >= 15, "{any} of 20");
    assert!(current < any, "{current} of 20");
}

#[test]
fn a_delay_at_the_start_is_for_threads_that_are_started_late() {
    let mut program = program(20_000);
    program[0].insert(1, Do::Work(10_000));
    let found = |settings: Settings| {
        (0..20).filter(|&seed| until_both(settings, Scheduler::DrFinder, &program, seed, 8).is_some()).count()
    };
    let without = Settings { start_delay_ms: 0, ..Settings::default() };
    let (with, without) = (found(Settings::default()), found(without));
    assert_eq!(without, 0, "t1 has passed its locks before t3 exists");
    assert!(with >= 10, "{with} of 20");
}
