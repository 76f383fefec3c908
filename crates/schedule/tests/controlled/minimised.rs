//! Minimised schedules still show what they showed, with no more switches.

use proptest::prelude::*;
use schedule::control::{Attempt, Guide, Minimised, RandomWalk, Replay, Schedule, Turn, minimise};

use crate::machine::{Do, Program, Ran, World, name, run};
use crate::programs::program;

fn minimised(program: &Program, schedule: &Schedule, budget: u32, shows: &dyn Fn(&Ran) -> bool) -> Minimised {
    minimise(schedule, budget, &mut |legs| {
        let ran = run(program, Box::new(Guide::new(legs)), World::default());
        Attempt { shows: shows(&ran), schedule: ran.schedule }
    })
}

proptest! {
    #![proptest_config(testkit::config(300))]

    #[test]
    fn a_minimised_schedule_shows_the_same_with_no_more_switches(
        program in program(3, true, 4), seed in any::<u64>(), budget in 0..200u32,
    ) {
        let ran = run(&program, Box::new(RandomWalk::new(seed, 1)), World::default());
        let shows = |other: &Ran| other.end == ran.end && other.racy() == ran.racy();
        let least = minimised(&program, &ran.schedule, budget, &shows);
        prop_assert!(least.executions <= budget);
        prop_assert!(least.schedule.switches() <= ran.schedule.switches());
        let again = run(&program, Box::new(Replay::new(least.schedule.clone(), Box::new(name))), World::default());
        prop_assert_eq!(again.divergence.as_ref(), None);
        prop_assert!(shows(&again));
    }
}

/// Long schedules of bugs whose shortest is known.
#[test]
fn the_shortest_schedule_is_found() {
    let work = vec![Do::Read(9); 20];
    let with_work = |steps: Vec<Do>| [work.clone(), steps, work.clone()].concat();
    let section = |one, two| vec![Do::Lock(one), Do::Lock(two), Do::Unlock(two), Do::Unlock(one)];
    let main = vec![Do::Start(1), Do::Start(2), Do::Join(1), Do::Join(2)];
    let deadlock = vec![main.clone(), with_work(section(0, 1)), with_work(section(1, 0))];
    let lost =
        vec![main, with_work(vec![Do::Read(0), Do::WriteNext(0)]), with_work(vec![Do::Read(0), Do::WriteNext(0)])];
    let is_lost: &dyn Fn(&Ran) -> bool = &|ran| ran.turn == Turn::Over && ran.end.memory.get(&0) == Some(&1);
    let is_dead: &dyn Fn(&Ran) -> bool = &|ran| ran.turn == Turn::Deadlock;
    // main, one, the other; and if that is not the end: the one and the other once more.
    for (what, program, shows, fewest) in [("deadlock", deadlock, is_dead, 2), ("lost update", lost, is_lost, 4)] {
        let mut executions = Vec::new();
        let found = (0..).map(|seed| run(&program, Box::new(RandomWalk::new(seed, 1)), World::default()));
        for ran in found.filter(|ran| shows(ran)).take(20) {
            let least = minimised(&program, &ran.schedule, 500, shows);
            assert!(ran.schedule.switches() > 2 * fewest);
            assert!(least.is_complete);
            assert!(least.schedule.switches() == fewest, "{what}: {:?}", least.schedule.runs);
            executions.push(least.executions);
        }
        executions.sort_unstable();
        eprintln!("minimise {what}: {} executions in the median, {} at most", executions[10], executions[19]);
        assert!(executions[19] < 300);
    }
}
