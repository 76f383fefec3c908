//! What the papers say of their policies, measured with fixed seeds. Expected values are exact: the test of a policy that has a
//! fault fails.

use std::collections::BTreeMap;

use schedule::control::{Feedback, Pct, Policy, Pos, RandomWalk, Surw, Turn, Weights};
use schedule::control::{Object, Op};

use crate::invariants::first;
use crate::machine::{Do, Program, Ran, World, run};

const RUNS: u64 = 20_000;

/// In how many runs of a policy something was seen.
fn share(program: &Program, policy: impl Fn(u64) -> Box<dyn Policy>, seen: impl Fn(&Ran) -> bool) -> f64 {
    let count = (0..RUNS).filter(|&seed| seen(&run(program, policy(seed * 7919 + 1), World::default()))).count();
    count as f64 / RUNS as f64
}

/// Within four standard deviations.
fn is_about(measured: f64, expected: f64) -> bool {
    let deviation = (expected * (1.0 - expected) / RUNS as f64).sqrt();
    (measured - expected).abs() <= 4.0 * deviation
}

/// A bug.
struct Example {
    what: &'static str,
    program: Program,
    depth: u32,
    /// `k`: what the changes are drawn from. So small that each has a place where it counts.
    length: u64,
    /// In how many ways it comes about.
    ways: f64,
    seen: fn(&Ran) -> bool,
}

/// The bugs that the PCT paper argues with: an ordering, an atomicity violation, a deadlock. With two threads and no
/// operation to spare, the theorem's bound is the probability of each way in which the bug comes about.
fn pct_examples() -> Vec<Example> {
    use Do::{Lock, Read, Start, Unlock, Write};
    let ordering = vec![vec![Start(1), Write(0, 1)], vec![Read(0)]];
    let atomicity = vec![vec![Start(1), Read(0), Read(0)], vec![Write(0, 1)]];
    let section = |one, two| vec![Lock(one), Lock(two), Unlock(two), Unlock(one)];
    let deadlock = vec![[vec![Start(1)], section(0, 1)].concat(), section(1, 0)];
    // One more constraint than the figures have: main's first write, a read, main's second write, a read.
    let twice = vec![vec![Start(1), Write(0, 1), Write(0, 2)], vec![Read(0), Do::If(1, 1), Read(0)]];
    let ordering: (_, fn(&Ran) -> bool) = (ordering, |ran| ran.end.registers[1] == 0);
    let atomicity: (_, fn(&Ran) -> bool) = (atomicity, |ran| {
        // The child's write is the last but one: between the two reads.
        ran.events.iter().position(|event| matches!(event.op, model::Op::Write(_))) == Some(2)
    });
    let deadlock: (_, fn(&Ran) -> bool) = (deadlock, |ran| ran.turn == Turn::Deadlock);
    let twice: (_, fn(&Ran) -> bool) = (twice, |ran| {
        let reads = ran.events.iter().filter(|event| matches!(event.op, model::Op::Read(_))).count();
        reads == 2 && ran.end.registers[1] == 2
    });
    let example = |what, (program, seen), depth, length, ways| Example { what, program, depth, length, ways, seen };
    vec![
        example("ordering", ordering, 1, 2, 1.0),
        example("atomicity", atomicity, 2, 3, 1.0),
        // Either thread may be the one that is interrupted between its locks.
        example("deadlock", deadlock, 2, 3, 2.0),
        example("twice", twice, 3, 4, 1.0),
    ]
}

#[test]
fn pct_finds_a_bug_with_the_probability_that_the_theorem_promises() {
    for Example { what, program, depth, length, ways, seen } in pct_examples() {
        let bound = 1.0 / (2.0 * (length as f64).powi(depth as i32 - 1));
        let measured = share(&program, |seed| Box::new(Pct::new(seed, depth, length)), seen);
        eprintln!("pct {what}: depth {depth}, k {length}, bound {bound:.4}, measured {measured:.4}");
        assert!(is_about(measured, ways * bound), "{what}: {measured} instead of {bound}");
        // Fewer changes than it takes find nothing.
        if depth > 1 {
            let shallow = share(&program, |seed| Box::new(Pct::new(seed, depth - 1, length)), seen);
            assert!(shallow < bound / 2.0, "{what}: {shallow} with one change fewer");
        }
    }
}

/// One write of main against the last of a child's operations, all others of which have nothing to do with it: the shape that
/// the POS paper argues with. The write comes last if its priority is the lowest of all; a random walk has to
/// choose the child each time.
#[test]
fn pos_does_not_sample_the_order_of_independent_operations() {
    let unrelated = 8;
    let child = [vec![Do::Read(1); unrelated], vec![Do::Read(0)]].concat();
    let program = vec![vec![Do::Start(1), Do::Write(0, 1)], child];
    let last = |ran: &Ran| matches!(ran.events.last().map(|event| event.op), Some(model::Op::Write(_)));
    // The child's begin, the unrelated reads, the read, and the write itself.
    let expected = 1.0 / (unrelated as f64 + 3.0);
    let measured = share(&program, |seed| Box::new(Pos::new(seed)), last);
    let walk = share(&program, |seed| Box::new(RandomWalk::new(seed, 1)), last);
    eprintln!("pos, one against the last: expected {expected:.4}, measured {measured:.4}; random walk {walk:.4}");
    assert!(is_about(measured, expected), "{measured} instead of {expected}");
    assert!(is_about(walk, 0.5f64.powi(unrelated as i32 + 2)), "{walk}");
}

/// Six conflicting accesses by turns (the POS paper: why priorities are reset). With resets each step is a new
/// coin, but for what the child's begin says about the first ones; without them the priorities would have to descend.
#[test]
fn pos_resets_the_priorities_of_conflicting_operations() {
    let program = vec![vec![Do::Start(1), Do::Write(0, 1), Do::Write(0, 2), Do::Write(0, 3)], vec![Do::Read(0); 3]];
    let by_turns = |ran: &Ran| {
        let accesses = ran.events.iter().filter(|event| event.op.access().is_some());
        accesses.map(|event| event.thread.0).eq([0, 1, 0, 1, 0, 1])
    };
    // The child begins before main's first write (1/2 * 1/3 * 2^-4), or between the first two (1/2 * 1/3 * 3/4 * 2^-3).
    let expected = 1.0 / 96.0 + 1.0 / 64.0;
    let measured = share(&program, |seed| Box::new(Pos::new(seed)), by_turns);
    eprintln!("pos, by turns: expected {expected:.4}, measured {measured:.4}");
    assert!(is_about(measured, expected), "{measured} instead of {expected}");
}

/// Pearson's statistic of how often each kind of run came, if all are equally likely.
fn chi_square(
    program: &Program,
    kinds: usize,
    policy: impl Fn(u64) -> Box<dyn Policy>,
    kind: impl Fn(&Ran) -> Vec<u32>,
) -> f64 {
    let mut counts: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for seed in 0..RUNS {
        *counts.entry(kind(&run(program, policy(seed * 104_729 + 3), World::default()))).or_default() += 1;
    }
    assert!(counts.len() <= kinds, "{} kinds", counts.len());
    let expected = RUNS as f64 / kinds as f64;
    let missing = (kinds - counts.len()) as f64 * expected;
    missing + counts.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum::<f64>()
}

/// With so many kinds, a statistic of equally likely ones is beyond this once in ten thousand times, at most.
fn limit(kinds: usize) -> f64 {
    let freedom = (kinds - 1) as f64;
    freedom + 4.0 * (2.0 * freedom).sqrt() + 8.0
}

fn accesses(ran: &Ran, variable: u32) -> Vec<u32> {
    let is_of = |event: &&model::Event| event.op.access().is_some_and(|(var, _)| var.0 == variable);
    ran.events.iter().filter(is_of).map(|event| event.thread.0).collect()
}

#[test]
fn surw_meets_all_interleavings_equally_often() {
    // Six writes against two reads; begin and end of a thread do not count.
    let program = vec![[vec![Do::Start(1)], vec![Do::Write(0, 1); 6]].concat(), vec![Do::Read(0); 2]];
    let weights = || {
        let last = first(&program, World::default());
        let mut weights = Weights::of(&last.schedule);
        weights.0.values_mut().zip([6, 2]).for_each(|(weight, accesses)| *weight = accesses);
        weights
    };
    let is_access: fn(&schedule::control::Pending) -> bool = |pending| matches!(pending.op, Op::Access { .. });
    let kinds = 28; // 8 over 2
    let surw = |seed| -> Box<dyn Policy> { Box::new(Surw::selective(seed, weights(), Box::new(is_access))) };
    let uniform = chi_square(&program, kinds, surw, |ran| accesses(ran, 0));
    let walk = chi_square(&program, kinds, |seed| Box::new(RandomWalk::new(seed, 1)), |ran| accesses(ran, 0));
    eprintln!("surw, 28 interleavings: chi-square {uniform:.1}, at most {:.1}; random walk {walk:.1}", limit(kinds));
    assert!(uniform < limit(kinds), "{uniform}");
    assert!(walk > 10.0 * limit(kinds), "{walk}: the test must be able to fail");
}

/// Only two operations of each thread are interesting, and one thread has many others.
#[test]
fn surw_is_selective() {
    let others = vec![Do::Read(1); 12];
    let main = [vec![Do::Start(1)], others, vec![Do::Write(0, 1); 2]].concat();
    let program = vec![main, vec![Do::Read(0); 2]];
    let is_interesting: fn(&schedule::control::Pending) -> bool =
        |pending| matches!(pending.op, Op::Access { variable: 0, .. });
    let paths = first(&program, World::default()).schedule.threads;
    let surw = |seed| -> Box<dyn Policy> {
        let weights = Weights(paths.iter().map(|thread| (thread.path.clone(), 2)).collect());
        Box::new(Surw::selective(seed, weights, Box::new(is_interesting)))
    };
    let uniform = chi_square(&program, 6, surw, |ran| accesses(ran, 0));
    let walk = chi_square(&program, 6, |seed| Box::new(RandomWalk::new(seed, 1)), |ran| accesses(ran, 0));
    eprintln!(
        "surw, 6 interleavings of 4 interesting operations: {uniform:.1}, at most {:.1}; random walk {walk:.1}",
        limit(6)
    );
    assert!(uniform < limit(6), "{uniform}");
    assert!(walk > 10.0 * limit(6), "{walk}");
}

#[test]
fn a_random_walk_switches_as_often_as_it_is_asked_to() {
    let program = vec![[vec![Do::Start(1)], vec![Do::Read(0); 4000]].concat(), vec![Do::Read(0); 4000]];
    for stretch in [1, 4, 16, 64] {
        let ran = run(&program, Box::new(RandomWalk::new(5, stretch)), World::default());
        // Half of the choices are for the thread that has the baton.
        let expected = ran.contested as f64 / f64::from(stretch) / 2.0;
        let measured = ran.schedule.switches() as f64;
        assert!(
            (measured - expected).abs() < 4.0 * expected.sqrt() + 4.0,
            "{stretch}: {measured} instead of {expected}"
        );
    }
}

/// A chain of branches, each of which only an order opens that the one before made possible.
fn chain(links: i64) -> Program {
    let mut writer = vec![Do::Start(1)];
    let mut reader = Vec::new();
    for link in 1..=links {
        writer.extend([Do::Write(0, link), Do::Write(0, 0)]);
    }
    for link in (1..=links).rev() {
        let rest = reader.len();
        reader = [vec![Do::Read(0), Do::If(link, rest + 1), Do::Write(10 + link as u32, 1)], reader].concat();
    }
    vec![writer, reader]
}

#[test]
fn feedback_climbs_where_a_random_walk_has_to_be_lucky() {
    let links = 5;
    let program = chain(links);
    let is_found = |ran: &Ran| ran.end.memory.contains_key(&(10 + links as u32));
    let cap = 3000u64;
    let median = |mut runs: Vec<u64>| {
        runs.sort_unstable();
        runs[runs.len() / 2]
    };
    let by_feedback = |seed: u64| {
        let mut feedback = Feedback::new(seed);
        let found = (1..=cap).find(|_| {
            let ran = run(&program, Box::new(feedback.next_run()), World::default());
            feedback.finish(|site| site.0.into());
            is_found(&ran)
        });
        found.unwrap_or(cap)
    };
    let by_walk = |seed: u64| {
        let policy = |number| Box::new(RandomWalk::new(seed * cap + number, 1));
        (1..=cap).find(|&number| is_found(&run(&program, policy(number), World::default()))).unwrap_or(cap)
    };
    let feedback = median((0..21).map(by_feedback).collect());
    let walk = median((0..21).map(by_walk).collect());
    eprintln!("feedback, a chain of {links}: {feedback} runs in the median of 21; random walk {walk}");
    assert!(feedback * 2 < walk, "{feedback} runs, {walk} by random walk");
}

#[test]
fn touches_that_only_look_do_not_conflict() {
    let touch = |writes| schedule::control::Touch { object: Object::Variable(1), writes };
    assert!(touch(true).conflicts_with(touch(false)) && !touch(false).conflicts_with(touch(false)));
}
