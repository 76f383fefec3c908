//! Properties of every scheduler on random programs.

use std::time::Duration;

use proptest::prelude::*;
use schedule::{Candidate, First, Plan, Scheduler, Settings, Symbols};

use crate::machine::{Do, Program, Run, run, site};

const KINDS: [&str; 2] = ["A", "B"];
const METHODS: [&str; 3] = ["f", "g", "h"];

/// Turns bytes into what a thread does: sections that nest properly. Locks are taken in ascending order if `ordered`, so that
/// no deadlock is possible.
fn thread(bytes: &[u8], ordered: bool) -> Vec<Do> {
    let mut steps = Vec::new();
    let mut open: Vec<Option<u32>> = Vec::new();
    for &byte in bytes {
        let operand = u32::from(byte / 8);
        match byte % 8 {
            0 | 1 => {
                let lock = operand % 4;
                let highest = open.iter().flatten().max().copied();
                let is_held = open.contains(&Some(lock));
                if !ordered || is_held || highest.is_none_or(|highest| lock > highest) {
                    steps.push(Do::Lock(lock, KINDS[lock as usize % 2]));
                    open.push(Some(lock));
                }
            }
            2 => {
                steps.push(Do::Enter(METHODS[operand as usize % 3]));
                open.push(None);
            }
            3 | 4 => close(&mut steps, &mut open),
            5 => steps.push(Do::Read(operand % 3)),
            6 => steps.push(Do::Write(operand % 3)),
            _ => steps.push(Do::Work(u64::from(operand) * 300)),
        }
    }
    while !open.is_empty() {
        close(&mut steps, &mut open);
    }
    steps
}

fn close(steps: &mut Vec<Do>, open: &mut Vec<Option<u32>>) {
    match open.pop() {
        Some(Some(lock)) => steps.push(Do::Unlock(lock)),
        Some(None) => steps.push(Do::Leave),
        None => {}
    }
}

fn programs(ordered: bool) -> impl Strategy<Value = Program> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 0..25), 1..5).prop_map(move |threads| {
        let count = threads.len();
        let mut main: Vec<Do> = (1..=count).map(Do::Start).collect();
        main.extend((1..=count).map(Do::Join));
        let threads = threads.iter().map(|bytes| thread(bytes, ordered));
        std::iter::once(main).chain(threads).collect()
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    (any::<bool>(), 0_u64..40, 1_u64..12).prop_map(|(any_frame, start_delay_ms, depth)| Settings {
        any_frame,
        start_delay_ms,
        depth,
        hold_ms: 40,
        ..Settings::default()
    })
}

fn schedulers() -> impl Strategy<Value = Scheduler> {
    prop_oneof![
        1 => Just(Scheduler::None),
        3 => Just(Scheduler::DrFinder),
        1 => Just(Scheduler::ConTest),
        2 => Just(Scheduler::RaceFuzzer),
    ]
}

/// Runs a program by a scheduler that knows all about it: the relation of a run, all accesses as candidates.
fn made(program: &Program, scheduler: Scheduler, settings: Settings, seed: u64) -> (Run, schedule::Counts) {
    let mut symbols = Symbols::default();
    let plain = Plan::new(Scheduler::None, seed, settings);
    let mut gate = plain.gate(&mut symbols);
    let depth = settings.depth as usize;
    run(program, &mut gate, &mut symbols, seed, depth);
    let mut plan = Plan::new(scheduler, seed, settings);
    plan.relation = gate.collected().named(&symbols);
    let name = |number: u32| Candidate {
        race: String::new(),
        variable: number.to_string(),
        first: String::new(),
        second: String::new(),
    };
    plan.candidates = (0..3).map(name).collect();
    plan.first = if seed % 2 == 0 { First::First } else { First::Second };
    let mut gate = plan.gate(&mut symbols);
    for (number, thread) in program.iter().enumerate() {
        for (step, action) in thread.iter().enumerate() {
            if let Do::Read(variable) | Do::Write(variable) = *action {
                gate.place(site(number, step), variable as usize, First::First);
                gate.place(site(number, step), variable as usize, First::Second);
            }
        }
    }
    let run = run(program, &mut gate, &mut symbols, seed, depth);
    (run, gate.counts())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The machine checks that no wake-up is lost. A program without deadlocks ends, and nobody is held for too long.
    #[test]
    fn every_thread_ends(program in programs(true), scheduler in schedulers(), settings in settings(), seed in any::<u64>()) {
        let (run, counts) = made(&program, scheduler, settings, seed);
        prop_assert!(run.stuck.is_empty(), "{:?}", run.stuck);
        prop_assert!(run.longest_hold <= Duration::from_millis(settings.hold_ms), "{:?}", run.longest_hold);
        prop_assert!(run.deadlocks.is_empty());
        if scheduler == Scheduler::None {
            prop_assert_eq!((counts.holds, counts.delays), (0, 0));
        }
    }

    /// A deadlock is found if and only if threads are stuck, and its circle is of threads that are.
    #[test]
    fn a_deadlock_is_recognised(program in programs(false), scheduler in schedulers(), settings in settings(), seed in any::<u64>()) {
        let (run, _) = made(&program, scheduler, settings, seed);
        prop_assert_eq!(run.stuck.is_empty(), run.deadlocks.is_empty());
        for deadlock in &run.deadlocks {
            prop_assert!(deadlock.circle.len() >= 2);
            prop_assert!(deadlock.circle.iter().all(|waiting| run.stuck.contains(&waiting.thread.index())));
        }
        prop_assert!(run.longest_hold <= Duration::from_millis(settings.hold_ms), "{:?}", run.longest_hold);
    }

    /// What is caught conflicts, and is on one variable, by two threads.
    #[test]
    fn what_is_caught_is_a_race(program in programs(true), settings in settings(), seed in any::<u64>()) {
        let (run, _) = made(&program, Scheduler::RaceFuzzer, settings, seed);
        let racy = run.racy();
        for catch in &run.catches {
            let ((held, one), (came, other)) = (catch.held, catch.came);
            prop_assert_ne!(held, came);
            prop_assert_eq!(one.variable, other.variable);
            prop_assert!(one.kind.conflicts_with(other.kind));
            prop_assert_eq!(catch.candidate as u64, one.variable);
            prop_assert!(racy.contains(&(one.variable as u32)), "FastTrack sees it too");
        }
    }
}
