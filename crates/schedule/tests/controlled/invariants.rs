//! What holds for every program and every policy. The machine itself asserts that one thread runs and that owners agree.

use std::collections::BTreeSet;

use model::SiteId;
use proptest::prelude::*;
use schedule::control::{
    Baton, Conduct, Feedback, Guide, Header, How, Leg, Op, Pct, Pending, Policy, Pos, RandomWalk, Replay, Schedule,
    Surw, Systematic, Tid, Turn, Weights,
};

use crate::machine::{Do, Final, Program, Ran, World, name, run};
use crate::oracle::ends;
use crate::programs::{loops, program, with_one_yield};

/// A policy of each kind.
pub(crate) fn policies(seed: u64, length: u64, last: &Schedule) -> Vec<Box<dyn Policy>> {
    vec![
        Box::new(RandomWalk::new(seed, 1)),
        Box::new(RandomWalk::new(seed, 8)),
        Box::new(Pct::new(seed, 3, length)),
        Box::new(Pos::new(seed)),
        Box::new(Surw::new(seed, Weights::of(last))),
        Box::new(Feedback::new(seed).next_run()),
        Box::new(Guide::new(Vec::new())),
        Box::new(Systematic::new(2).next_run().expect("a first run")),
    ]
}

/// A run that some policies learn from.
pub(crate) fn first(program: &Program, world: World) -> Ran {
    run(program, Box::new(RandomWalk::new(world.seed, 1)), world)
}

fn check_end(program: &Program, ran: &Ran, ends: &BTreeSet<Final>) {
    assert!(ends.contains(&ran.end), "{program:?} cannot end in {:?}, but in {ends:?}", ran.end);
    let expected = if ran.end.stuck.is_empty() { Turn::Over } else { Turn::Deadlock };
    assert_eq!(ran.turn, expected);
    let stuck = ran.deadlock.as_ref().map_or(0, |deadlock| deadlock.stuck.len());
    assert_eq!(stuck, ran.end.stuck.len());
}

fn replays(program: &Program, ran: &Ran, world: World) {
    let bytes = ran.schedule.to_bytes();
    let read = Schedule::parse(&bytes).expect("what is written is read");
    assert_eq!(read, ran.schedule);
    // The threads that nobody controls are others, and points are passed where they were not.
    let other = World { seed: world.seed.wrapping_add(1), passes: !world.passes, ..world };
    let again = run(program, Box::new(Replay::new(read, Box::new(name))), other);
    assert_eq!(again.divergence, None);
    assert_eq!(ran.schedule.difference(&again.schedule), None);
    assert_eq!((&again.end, &again.events, again.turn), (&ran.end, &ran.events, ran.turn));
}

/// Every end by the systematic search, without a bound or with one, and how many runs it took.
fn searched(program: &Program, bound: u32, most: u64) -> Option<(BTreeSet<Final>, u64)> {
    let mut search = Systematic::new(bound);
    let mut ends = BTreeSet::new();
    let mut runs = 0;
    while let Some(branch) = search.next_run() {
        runs += 1;
        if runs > most {
            return None;
        }
        let ran = run(program, Box::new(branch), World::default());
        if ran.turn != Turn::Everybody {
            ends.insert(ran.end);
        }
    }
    Some((ends, runs))
}

proptest! {
    #![proptest_config(testkit::config(1000))]

    /// Nobody is lost: a run ends as exhaustive search says that it can, and is stuck only in a state in which the program is.
    #[test]
    fn every_policy_ends_every_program_as_it_can_end(program in program(2, true, 2), seed in any::<u64>(), passes in any::<bool>()) {
        let ends = ends(&program);
        let world = World { seed, passes, ..World::default() };
        let first = first(&program, world);
        check_end(&program, &first, &ends);
        for policy in policies(seed, first.contested, &first.schedule) {
            check_end(&program, &run(&program, policy, world), &ends);
        }
    }

    #[test]
    fn every_recorded_run_is_replayed(
        program in program(3, true, 4), seed in any::<u64>(), passes in any::<bool>(), early in 0..3u32, outside in any::<prop::sample::Index>(),
        random in any::<prop::sample::Index>(),
    ) {
        let mut program = program;
        for (step, place) in [(Do::Outside, outside), (Do::Random, random)] {
            let thread = 1 + place.index(3);
            program[thread].insert(0, step);
            program[thread].push(step);
        }
        let world = World { seed, passes, conduct: Conduct { early_timeouts: early, seed, ..Conduct::default() } };
        let first = first(&program, world);
        replays(&program, &first, world);
        for policy in policies(seed, first.contested, &first.schedule) {
            replays(&program, &run(&program, policy, world), world);
        }
    }

    /// Legs without sites do what an exact replay does, as long as nothing is left out.
    #[test]
    fn a_guide_follows_a_whole_schedule(program in program(3, true, 3), seed in any::<u64>(), outside in 1..=3usize) {
        let mut program = program;
        program[outside].push(Do::Outside);
        program[outside].push(Do::Read(0));
        program[outside].insert(0, Do::Outside);
        let first = first(&program, World { seed, ..World::default() });
        // Whoever is outside comes back at another time.
        let world = World { seed: seed.wrapping_add(1), ..World::default() };
        let guided = run(&program, Box::new(Guide::new(Leg::all(&first.schedule, false))), world);
        prop_assert_eq!((guided.left_out, guided.schedule.difference(&first.schedule)), (0, None));
        let loosely = Guide::loosely(&first.schedule, Box::new(name));
        let loosely = run(&program, Box::new(loosely), world);
        prop_assert_eq!(loosely.left_out, 0);
    }
}

proptest! {
    #![proptest_config(testkit::config(3000))]

    #[test]
    fn systematic_search_sees_all_ends(program in program(2, true, 2).prop_map(with_one_yield)) {
        let ends = ends(&program);
        if let Some((seen, _)) = searched(&program, u32::MAX, 20_000) {
            prop_assert_eq!(&seen, &ends, "{:?}", program);
            let (bounded, _) = searched(&program, 1, 20_000).expect("fewer runs");
            prop_assert!(bounded.is_subset(&ends));
            let deadlocks = |ends: &BTreeSet<Final>| ends.iter().any(|end| !end.stuck.is_empty());
            prop_assert_eq!(deadlocks(&seen), deadlocks(&ends));
        }
    }
}

#[test]
fn loops_that_wait_end_under_every_policy() {
    for (what, program) in loops() {
        for seed in 0..20 {
            let world = World { seed, passes: seed % 2 == 0, ..World::default() };
            let first = first(&program, world);
            for policy in policies(seed, first.contested, &first.schedule) {
                let ran = run(&program, policy, world);
                assert_eq!((ran.turn, ran.end.stuck.len()), (Turn::Over, 0), "{what}");
                replays(&program, &ran, world);
            }
        }
    }
}

#[test]
fn daemons_do_not_keep_a_program_alive() {
    let forever = vec![vec![Do::StartDaemon(1), Do::Write(0, 1)], vec![Do::Spin(9, 1, true)]];
    let blocked = vec![vec![Do::StartDaemon(1), Do::Write(0, 1)], vec![Do::Park(None)]];
    for program in [forever, blocked] {
        for seed in 0..20 {
            assert_eq!(first(&program, World { seed, ..World::default() }).turn, Turn::Over);
        }
    }
}

/// A reference handler, say, unparks a thread: nobody who is controlled could.
#[test]
fn a_free_thread_lets_a_controlled_one_go_on() {
    let site = |thread| SiteId(thread);
    let park = Pending { op: Op::Park { timeout: None }, site: site(1) };
    let parked = |policy: Box<dyn Policy>| {
        let conduct = Conduct { has_free_threads: true, ..Conduct::default() };
        let mut baton = Baton::new(policy, conduct, site(0));
        assert!(matches!(baton.begin(), Turn::Run { thread: Tid(0), .. }));
        assert_eq!(baton.arrive(Tid(0), park), Turn::Nobody);
        baton
    };
    let walk = || Box::new(RandomWalk::new(1, 1));
    let mut late = parked(walk());
    assert_eq!(late.lose_patience(), Turn::Deadlock);
    assert_eq!(late.deadlock().map(|deadlock| deadlock.circle), Some(Vec::new()), "it waits for nobody in particular");
    assert!(matches!(late.unpark(Tid(0)), Turn::Run { thread: Tid(0), how: How::Done, .. }), "it was none after all");
    let mut recorded = parked(walk());
    recorded.unpark(Tid(0));
    recorded.end(Tid(0), site(2));
    let schedule = |baton: &Baton| Schedule::of(baton, Header::default(), &name, |_| String::new());
    let mut replayed = parked(Box::new(Replay::new(schedule(&recorded), Box::new(name))));
    replayed.unpark(Tid(0));
    assert_eq!(replayed.end(Tid(0), site(2)), Turn::Over);
    assert_eq!((replayed.divergence(), schedule(&replayed).difference(&schedule(&recorded))), (None, None));
    let mut given_up = parked(Box::new(Replay::new(schedule(&recorded), Box::new(name))));
    assert_eq!(given_up.lose_patience(), Turn::Deadlock);
}

/// A long sleep is not a yield: whoever sleeps for an hour does not move the clock by that while others have something to do.
#[test]
fn a_long_sleep_ends_when_nothing_else_can_go_on() {
    let hour = 3_600_000_000_000;
    let program = vec![vec![Do::Start(1), Do::Write(0, 1), Do::Write(0, 2)], vec![Do::Sleep(hour), Do::Read(0)]];
    for seed in 0..50 {
        assert_eq!(first(&program, World { seed, ..World::default() }).end.registers[1], 2);
    }
}

#[test]
fn a_baton_can_be_handed_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Baton>();
}
