//! Replays of what is not the same program, or does not run the same way: each is reported, none is passed over.

use schedule::control::{Conduct, Explained, Guide, Noted, RandomWalk, Replay, Schedule, SiteName, Turn};

use crate::machine::{Do, Program, Ran, World, name, run};

fn recorded(program: &Program, seed: u64) -> Ran {
    run(program, Box::new(RandomWalk::new(seed, 1)), World { seed: 0, ..World::default() })
}

fn replayed(program: &Program, schedule: &Schedule, world: World) -> Ran {
    run(program, Box::new(Replay::new(schedule.clone(), Box::new(name))), world)
}

/// Two threads with some work, one of which does something that is not the same each time.
fn depends_on(step: Do) -> Program {
    let work = vec![Do::Read(0), Do::Write(1, 1), Do::Read(0), Do::Write(1, 2)];
    let first =
        vec![Do::Start(1), Do::Read(0), step, Do::If(0, 2), Do::Write(2, 1), Do::Read(2), Do::Write(0, 5), Do::Join(1)];
    vec![first, work]
}

#[test]
fn what_is_not_controlled_is_reported_with_its_likely_reason() {
    let all =
        [Noted::IdentityHash, Noted::Random, Noted::Clock, Noted::InputOutput, Noted::Collection, Noted::SkippedRegion];
    for noted in all {
        let program = depends_on(Do::Noted(noted));
        for seed in 0..50 {
            let ran = recorded(&program, seed);
            // In another JVM the number is another one.
            let again = replayed(&program, &ran.schedule, World { seed: 1, ..World::default() });
            let divergence = again.divergence.unwrap_or_else(|| panic!("{noted:?}, seed {seed}: passed over"));
            assert_eq!(again.turn, Turn::Everybody);
            assert_eq!(divergence.noted, [noted], "{divergence}");
            assert_ne!(divergence.expected, divergence.actual);
            let text = Explained(&divergence, &ran.schedule).to_string();
            assert_eq!(text.lines().filter(|line| line.contains(" before ")).count(), divergence.run.min(8), "{text}");
            // In one that is the same it is not.
            assert_eq!(replayed(&program, &ran.schedule, World::default()).divergence, None);
        }
    }
}

#[test]
fn the_virtual_clock_and_recorded_numbers_do_not_differ() {
    for step in [Do::Time, Do::Random] {
        let program = depends_on(step);
        for seed in 0..50 {
            let ran = recorded(&program, seed);
            let again = replayed(&program, &ran.schedule, World { seed: 1, ..World::default() });
            assert_eq!((again.divergence, again.end), (None, ran.end));
        }
    }
}

#[test]
fn another_program_is_reported() {
    let program = depends_on(Do::Read(1));
    for seed in 0..50 {
        let ran = recorded(&program, seed);
        let mut changed: Vec<Program> = vec![program.clone(), program.clone(), program.clone()];
        changed[0][1].push(Do::Read(7));
        changed[1][1].remove(0);
        changed[2][0][0] = Do::Yield;
        changed[2][0][7] = Do::Yield;
        for (which, other) in changed.iter().enumerate() {
            let again = replayed(other, &ran.schedule, World::default());
            let differs = again.divergence.is_some() || ran.schedule.difference(&again.schedule).is_some();
            assert!(differs, "change {which}, seed {seed}");
        }
        let text = replayed(&changed[2], &ran.schedule, World::default()).divergence.expect("no thread").to_string();
        assert!(
            text.contains("expected  thread 0") && text.contains("the program or its input may have changed"),
            "{text}"
        );
    }
}

#[test]
fn a_divergence_says_where() {
    let program = vec![vec![Do::Start(1), Do::Read(0), Do::Join(1)], vec![Do::Read(0), Do::Write(0, 1)]];
    let schedule = recorded(&program, 3).schedule;
    let mut other = program.clone();
    other[1].insert(1, Do::Lock(4));
    let divergence = replayed(&other, &schedule, World::default()).divergence.expect("one more operation");
    assert!(divergence.to_string().starts_with("The run left the schedule at operation "), "{divergence}");
    assert_eq!(divergence.expected.thread, divergence.actual.thread);
    assert!(divergence.actual.site.is_some());
}

/// A replay waits for a thread that is outside, and gives up only when the driver does.
#[test]
fn a_thread_that_stays_outside_is_reported() {
    let program = vec![vec![Do::Start(1), Do::Outside, Do::Read(0)], vec![Do::Read(0)]];
    let stays = vec![vec![Do::Start(1), Do::Read(0)], vec![Do::Read(0)]];
    let schedule = recorded(&program, 1).schedule;
    assert_eq!(replayed(&program, &schedule, World { seed: 9, ..World::default() }).divergence, None);
    assert!(replayed(&stays, &schedule, World::default()).divergence.is_some());
}

/// A loose replay follows sites by method and number: lines may move, and points may come and go elsewhere.
#[test]
fn a_loose_replay_survives_edits() {
    let work = vec![Do::Read(1); 6];
    let program: Program = vec![
        [vec![Do::Start(1)], work.clone(), vec![Do::Read(0), Do::Read(0)], vec![Do::Join(1)]].concat(),
        [work, vec![Do::Write(0, 1)]].concat(),
    ];
    let between = |ran: &Ran| {
        let accesses = ran.events.iter().filter(|event| event.op.access().is_some_and(|(variable, _)| variable.0 == 0));
        accesses.map(|event| event.thread.0).eq([0, 1, 0])
    };
    let moved = |site: model::SiteId| SiteName { place: format!("Program.java:{}", site.0 % 1000 + 40), ..name(site) };
    let mut edited = program.clone();
    edited[1].extend([Do::Read(5), Do::Read(5)]);
    edited[0].extend([Do::Write(6, 1)]);
    let (mut exact, mut loose, mut all) = (0, 0, 0);
    for seed in 0..400 {
        let ran = recorded(&program, seed);
        if between(&ran) {
            all += 1;
            let world = World { conduct: Conduct::default(), ..World::default() };
            let policy = Replay::new(ran.schedule.clone(), Box::new(moved));
            exact += usize::from(run(&edited, Box::new(policy), world).divergence.is_none());
            let policy = Guide::loosely(&ran.schedule, Box::new(moved));
            loose += usize::from(between(&run(&edited, Box::new(policy), world)));
        }
    }
    assert!(all >= 20, "{all}");
    assert_eq!((exact, loose), (0, all));
}
