//! The shapes of races that a run hides, and how many runs each policy takes to find them. The table is a part of
//! `docs/evaluation/control.md`, and this test fails when they differ.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use schedule::Random;
use schedule::control::{Conduct, Feedback, Pct, Policy, Pos, RandomWalk, Surw, Systematic, Weights};

use crate::machine::{Do, Program, Ran, World, run};

const X: u32 = 0;
const Y: u32 = 1;

fn section(lock: u32, inner: &[Do]) -> Vec<Do> {
    [&[Do::Lock(lock)], inner, &[Do::Unlock(lock)]].concat()
}

fn started(threads: Vec<Vec<Do>>) -> Program {
    let numbers = 1..=threads.len();
    let main = numbers.clone().map(Do::Start).chain(numbers.map(Do::Join)).collect();
    [vec![main], threads].concat()
}

/// Figure 2 of DrFinder (Cai and Cao, FSE 2015).
fn figure2() -> Program {
    let (k, n) = (1, 2);
    let t1 = [vec![Do::Write(X, 1)], section(k, &[]), section(11, &[]), vec![Do::Write(Y, 1)], section(n, &[])];
    let t2 = [section(12, &[]), section(13, &[]), section(n, &[]), vec![Do::Read(Y)]];
    let t3 = [section(14, &[]), section(15, &[]), section(k, &[]), vec![Do::Read(X)]];
    started(vec![t1.concat(), t2.concat(), t3.concat()])
}

/// A queue that a monitor guards: the number of its elements is variable 8.
fn put() -> Vec<Do> {
    section(1, &[Do::ReadVolatile(8), Do::WriteVolatile(8, 1), Do::NotifyAll(1)])
}

fn take() -> Vec<Do> {
    section(1, &[Do::ReadVolatile(8), Do::If(0, 1), Do::Wait(1, None), Do::WriteVolatile(8, 0)])
}

/// A shape: its name, the program, and the variables that have to race.
fn shapes() -> Vec<(&'static str, Program, Vec<u32>)> {
    let work = |steps: usize| vec![Do::Read(9); steps];
    let lock_order =
        vec![[vec![Do::Write(X, 1)], section(1, &[])].concat(), [work(3), section(1, &[]), vec![Do::Read(X)]].concat()];
    let check_outside = vec![
        section(1, &[Do::Read(2), Do::Write(X, 1)]),
        [section(1, &[Do::Read(2)]), vec![Do::Read(X), Do::If(0, 3)], section(1, &[Do::Write(2, 1)])].concat(),
    ];
    // The second thread writes only if it looks while the flag is up.
    let branch = vec![
        [work(2), vec![Do::WriteVolatile(3, 1), Do::WriteVolatile(3, 0), Do::Write(X, 1)]].concat(),
        [work(2), vec![Do::ReadVolatile(3), Do::If(1, 1), Do::Write(X, 2)]].concat(),
    ];
    // Whoever puts first lets the taker go on: it is ordered after the first producer, or after the second.
    let queue =
        vec![[vec![Do::Write(X, 1)], put()].concat(), [take(), vec![Do::Read(X)]].concat(), [work(4), put()].concat()];
    let input_and_order = vec![
        [vec![Do::Read(4), Do::If(0, 1), Do::Write(X, 1)], section(1, &[])].concat(),
        [work(2), section(1, &[]), vec![Do::Read(4), Do::If(0, 1), Do::Read(X)]].concat(),
    ];
    vec![
        ("figure 2, x", figure2(), vec![X]),
        ("figure 2, y", figure2(), vec![Y]),
        ("figure 2, both in one run", figure2(), vec![X, Y]),
        ("lock order hides", started(lock_order), vec![X]),
        ("input-triggered, with its input", started(vec![vec![Do::Write(X, 1)], vec![Do::Read(X)]]), vec![X]),
        ("check outside lock", started(check_outside), vec![X]),
        ("branch on schedule", started(branch), vec![X]),
        ("queue order hides", started(queue), vec![X]),
        ("input and order, with its input", started(input_and_order), vec![X]),
    ]
}

const POLICIES: [&str; 7] = ["random", "random, 1 in 8", "PCT(3)", "POS", "SURW", "feedback", "2 preemptions"];
const REPETITIONS: u64 = 101;
const CAP: u64 = 300;

/// How many runs it takes until the variables race in one of them. What a policy learns comes from the first of these runs,
/// which is a random walk for those that learn.
fn runs_to_find(policy: &str, seed: u64, program: &Program, wanted: &[u32]) -> u64 {
    let mut seeds = Random::new(seed);
    let mut feedback = Feedback::new(seed);
    let mut systematic = Systematic::new(2);
    let mut last: Option<Ran> = None;
    for number in 1..=CAP {
        let seed = seeds.bits();
        let chosen: Option<Box<dyn Policy>> = match (policy, &last) {
            ("random, 1 in 8", _) => Some(Box::new(RandomWalk::new(seed, 8))),
            ("PCT(3)", Some(last)) => Some(Box::new(Pct::new(seed, 3, last.contested))),
            ("POS", _) => Some(Box::new(Pos::new(seed))),
            ("SURW", Some(last)) => Some(Box::new(Surw::new(seed, Weights::of(&last.schedule)))),
            ("feedback", _) => Some(Box::new(feedback.next_run())),
            ("2 preemptions", _) => systematic.next_run().map(|branch| Box::new(branch) as Box<dyn Policy>),
            _ => Some(Box::new(RandomWalk::new(seed, 1))),
        };
        let Some(chosen) = chosen else { return CAP };
        let ran = run(program, chosen, World { seed, conduct: Conduct::default(), ..World::default() });
        feedback.finish(|site| site.0.into());
        let racy = ran.racy();
        if wanted.iter().all(|variable| racy.contains(variable)) {
            return number;
        }
        last = Some(ran);
    }
    CAP
}

/// Median, and the run by which nine of ten searches have found it.
fn row(policy: &str, program: &Program, wanted: &[u32]) -> (u64, u64) {
    let mut runs: Vec<u64> =
        (0..REPETITIONS).map(|seed| runs_to_find(policy, seed * 31 + 7, program, wanted)).collect();
    runs.sort_unstable();
    (runs[runs.len() / 2], runs[runs.len() * 9 / 10])
}

#[test]
fn the_table_of_runs_to_find_is_the_one_in_the_documents() {
    let mut table =
        format!("| median (9 of 10) | {} |\n|---|{}\n", POLICIES.join(" | "), "---|".repeat(POLICIES.len()));
    for (what, program, wanted) in shapes() {
        let _ = write!(table, "| {what} |");
        for policy in POLICIES {
            let (median, most) = row(policy, &program, &wanted);
            let shown = |runs: u64| if runs == CAP { "-".to_owned() } else { runs.to_string() };
            let _ = write!(table, " {} ({}) |", shown(median), shown(most));
            if ["random", "PCT(3)", "POS"].contains(&policy) {
                assert!(median < CAP, "{what} by {policy}");
            }
        }
        table.push('\n');
    }
    eprintln!("{table}");
    let document = include_str!("../../../../docs/evaluation/control.md");
    assert!(document.contains(&table), "docs/evaluation/control.md has another table than this one:\n{table}");
}

/// The shapes hide their races: a run in which the threads are not preempted shows none, in the order in which they are
/// started.
#[test]
fn an_unpreempted_run_hides_them() {
    for (what, program, wanted) in shapes() {
        let ran = run(&program, Box::new(schedule::control::Guide::new(Vec::new())), World::default());
        let racy = ran.racy();
        let is_hidden = what.starts_with("input-triggered") || !wanted.iter().any(|variable| racy.contains(variable));
        assert!(is_hidden, "{what}: {racy:?}");
        assert_eq!(ran.end.stuck, BTreeSet::new(), "{what}");
    }
}
