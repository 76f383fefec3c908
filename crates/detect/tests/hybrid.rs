//! The hybrid detector against its definition, and figures 1 and 4 of its paper.

use std::collections::BTreeSet;

use detect::hybrid::{Flags, Hybrid, Messages, Redundancy, Report, Settings, Switch};
use detect::lockset::LargestLockset;
use detect::{Detector, oracle};
use model::{AccessKind, Event, EventIndex, LockId, MessageId, Mode, Op, Race, SiteId, ThreadId, VarId};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use testkit::Shape;

/// A location and two places in the program, the lower first.
type Pair = (VarId, (SiteId, AccessKind), (SiteId, AccessKind));

fn run(detector: &mut Hybrid, events: &[Event]) -> Vec<Race> {
    let mut found = Vec::new();
    for (at, event) in events.iter().enumerate() {
        detector.observe(EventIndex(at as u64), event, &mut |race| found.push(race));
    }
    found
}

fn races(settings: &Settings, events: &[Event]) -> Vec<Race> {
    run(&mut Hybrid::new(settings.clone()), events)
}

fn pair(events: &[Event], i: usize, j: usize) -> Pair {
    let place = |i: usize| {
        let (var, kind) = events[i].op.access().expect("a race is between accesses");
        (var, (events[i].site, kind))
    };
    let ((var, one), (_, other)) = (place(i), place(j));
    (var, one.min(other), one.max(other))
}

fn pairs(events: &[Event], races: &[(usize, usize)]) -> BTreeSet<Pair> {
    races.iter().map(|&(i, j)| pair(events, i, j)).collect()
}

/// For each racy location, the first access that races with an earlier one.
fn first_races(events: &[Event], races: &[(usize, usize)]) -> BTreeSet<(VarId, usize)> {
    let mut first: Vec<(VarId, usize)> = Vec::new();
    for &(_, j) in races {
        let (var, _) = events[j].op.access().expect("a race is between accesses");
        match first.iter_mut().find(|(other, _)| *other == var) {
            Some((_, earliest)) => *earliest = j.min(*earliest),
            None => first.push((var, j)),
        }
    }
    first.into_iter().collect()
}

fn largest(events: &[Event]) -> usize {
    let mut largest = LargestLockset::default();
    events.iter().for_each(|event| largest.observe(event));
    largest.size()
}

fn all_settings(events: &[Event]) -> impl Iterator<Item = Settings> {
    let max_locks = largest(events);
    let switches = [Switch::On, Switch::Off];
    switches.into_iter().flat_map(move |subset| {
        switches.into_iter().flat_map(move |oversized| {
            [Messages::Followed, Messages::Ignored].into_iter().map(move |messages| Settings {
                messages,
                redundancy: Redundancy { subset, oversized },
                max_locks,
                ..Settings::default()
            })
        })
    })
}

fn agrees_with_the_definition(events: &[Event]) -> Result<(), TestCaseError> {
    let hybrid = oracle::hybrid_races(events);
    let lockset = oracle::lockset_races(events);
    for settings in all_settings(events) {
        let expected = if settings.messages == Messages::Followed { &hybrid } else { &lockset };

        let one = races(&settings, events);
        let later: BTreeSet<_> = one.iter().map(|race| (race.var, race.later.at.index())).collect();
        prop_assert_eq!(later, first_races(events, expected), "{:?}", settings);
        for race in &one {
            prop_assert!(expected.contains(&(race.earlier.at.index(), race.later.at.index())));
        }

        let settings = Settings { report: Report::AllPairs, ..settings };
        let all = races(&settings, events);
        let found: BTreeSet<_> =
            all.iter().map(|race| pair(events, race.earlier.at.index(), race.later.at.index())).collect();
        prop_assert_eq!(found.len(), all.len(), "each pair once");
        prop_assert_eq!(found, pairs(events, expected), "{:?}", settings);
    }
    Ok(())
}

/// More locks than usual, so that locksets differ.
const LOCKS: Shape = Shape { locks: 7, vars: 1, threads: 3, messages: 1, ..Shape::SMALL };

/// One location under so many locks that much of what is recorded becomes useless.
const MANY_LOCKS: Shape = Shape { steps: 200, locks: 12, vars: 1, threads: 2, messages: 1, ..Shape::SMALL };

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn agrees_with_the_definition_on_small_traces(events in testkit::traces(Shape::SMALL)) {
        agrees_with_the_definition(&events)?;
    }

    #[test]
    fn follows_flags(events in testkit::traces(Shape::SMALL), flag in 0..3u32) {
        let flags = [VarId(flag)];
        let written_out = oracle::with_flag_messages(&events, &flags);
        let expected = pairs(&written_out, &oracle::hybrid_races(&written_out));
        let settings = Settings {
            report: Report::AllPairs,
            max_locks: largest(&events),
            flags: flags.into_iter().collect(),
            ..Settings::default()
        };
        let found: BTreeSet<_> = races(&settings, &events)
            .iter()
            .map(|race| pair(&events, race.earlier.at.index(), race.later.at.index()))
            .collect();
        prop_assert_eq!(found, expected);
    }

    /// Theorem 1 of the paper, and what follows from it.
    #[test]
    fn happens_before_races_are_hybrid_races_are_lockset_races(events in testkit::traces(Shape::SMALL)) {
        let order = oracle::happens_before(&events);
        let hybrid = oracle::hybrid_races(&events);
        let lockset = oracle::lockset_races(&events);
        for (i, j) in oracle::conflicting(&events) {
            prop_assert!(order.holds(i, j) || hybrid.contains(&(i, j)));
        }
        prop_assert!(hybrid.iter().all(|pair| lockset.contains(pair)));
    }
}

proptest! {
    #![proptest_config(testkit::config(2_000))]

    #[test]
    fn agrees_with_the_definition_with_many_locks(events in testkit::traces(LOCKS)) {
        agrees_with_the_definition(&events)?;
    }

    #[test]
    fn agrees_with_the_definition_when_threads_come_and_go(events in testkit::traces(Shape::CROWD)) {
        agrees_with_the_definition(&events)?;
    }
}

proptest! {
    #![proptest_config(testkit::config(500))]

    #[test]
    fn agrees_with_the_definition_when_locks_are_many(events in testkit::traces(MANY_LOCKS)) {
        agrees_with_the_definition(&events)?;
    }
}

/// The random machine seldom leaves a location unraced for long. Here T0 and T1 access it under changing locks, mostly
/// reading, and send messages between; then T2 comes, after one of them.
fn late_visitor() -> impl Strategy<Value = Vec<Event>> {
    let x = VarId(0);
    let access = move |write: bool| if write { Op::Write(x) } else { Op::Read(x) };
    let visit = (0..2u32, 0..8u32, 0..8u32, prop::bool::weighted(0.1), prop::bool::weighted(0.3));
    let visit = visit.prop_map(move |(thread, one, other, write, send)| {
        let locks: BTreeSet<LockId> = [LockId(one), LockId(other)].into();
        let acquire = locks.iter().map(|&lock| Op::Acquire(lock, Mode::Write));
        let release = locks.iter().map(|&lock| Op::Release(lock, Mode::Write));
        let message = send.then_some(Op::Send(MessageId(thread)));
        let ops = acquire.chain([access(write)]).chain(release).chain(message);
        ops.map(|op| event(thread, u32::from(write), op)).collect::<Vec<_>>()
    });
    let locks = prop::sample::subsequence((0..8u32).collect::<Vec<_>>(), 0..3);
    let visits = prop::collection::vec(visit, 0..40);
    (visits, locks, any::<bool>(), 0..3u32).prop_map(move |(visits, locks, write, message)| {
        let receive = Op::Receive(MessageId(message));
        let acquire = locks.iter().map(|&lock| Op::Acquire(LockId(lock), Mode::Write));
        let ops = std::iter::once(receive).chain(acquire).chain([access(write)]);
        visits.concat().into_iter().chain(ops.map(|op| event(2, 5, op))).collect()
    })
}

proptest! {
    #![proptest_config(testkit::config(2_000))]

    #[test]
    fn agrees_with_the_definition_when_another_thread_comes_late(events in late_visitor()) {
        agrees_with_the_definition(&events)?;
    }
}

#[test]
fn every_rule_fires_on_random_traces() {
    let mut sums: Vec<(&str, u64)> = Vec::new();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..500 {
        let events = testkit::traces(LOCKS).new_tree(&mut runner).expect("a trace").current();
        let events: Vec<Event> = events.into_iter().chain(reads_under_many_locks(3)).collect();
        let mut detector = Hybrid::new(Settings {
            max_locks: 1,
            report: Report::OnePerLocation,
            flags: [VarId(0)].into_iter().collect(),
            ..Settings::default()
        });
        run(&mut detector, &events);
        sums.resize(detector.rules().len(), ("", 0));
        for (sum, (rule, count)) in sums.iter_mut().zip(detector.rules()) {
            *sum = (rule, sum.1 + count);
        }
    }
    assert!(sums.iter().all(|&(_, count)| count > 0), "{sums:?}");
}

fn event(thread: u32, site: u32, op: Op) -> Event {
    Event { thread: ThreadId(thread), site: SiteId(site), op }
}

fn under(lock: u32, thread: u32, site: u32, op: Op) -> [Event; 3] {
    let lock = LockId(lock);
    [Op::Acquire(lock, Mode::Write), op, Op::Release(lock, Mode::Write)].map(|op| event(thread, site, op))
}

/// §5.4: a thread reads one location under one lock after the other.
fn reads_under_many_locks(count: u32) -> Vec<Event> {
    (0..count).flat_map(|lock| under(lock, 0, 1, Op::Read(VarId(9)))).collect()
}

fn rule(detector: &Hybrid, name: &str) -> u64 {
    detector.rules().iter().find(|(rule, _)| *rule == name).expect("a rule of that name").1
}

#[test]
fn reads_under_more_locks_than_anyone_holds_are_redundant() {
    let mut detector = Hybrid::new(Settings { max_locks: 2, ..Settings::default() });
    run(&mut detector, &reads_under_many_locks(10));
    assert_eq!(rule(&detector, "recorded"), 3);
    assert_eq!(rule(&detector, "oversized-lockset"), 7);
    assert_eq!(detector.exceeded(), None);
}

#[test]
fn a_bound_that_was_too_low_is_remembered() {
    let nested = |lock| event(0, 0, Op::Acquire(LockId(lock), Mode::Write));
    let events: Vec<Event> = (0..5).map(nested).collect();
    let mut detector = Hybrid::new(Settings { max_locks: 4, ..Settings::default() });
    run(&mut detector, &events);
    assert_eq!(detector.exceeded(), Some(5));
    assert_eq!(largest(&events), 5);
}

#[test]
fn state_does_not_grow_with_the_number_of_messages() {
    let round = [Op::Write(VarId(0)), Op::Send(MessageId(0))].map(|op| event(0, 0, op));
    let events: Vec<Event> = round.iter().copied().cycle().take(2000).collect();
    let mut detector = Hybrid::new(Settings { report: Report::AllPairs, ..Settings::default() });
    run(&mut detector, &events);
    assert_eq!(rule(&detector, "recorded"), 1000);
    assert_eq!(rule(&detector, "forgotten"), 999, "one access is left");
}

#[test]
fn state_does_not_grow_with_the_number_of_locks() {
    let round =
        |i: u32| [under(10 + i, 0, 1, Op::Write(VarId(0))).into(), vec![event(0, 2, Op::Send(MessageId(0)))]].concat();
    let nested = |i| {
        [
            vec![event(0, 3, Op::Acquire(LockId(1), Mode::Write))],
            round(i),
            vec![event(0, 4, Op::Release(LockId(1), Mode::Write))],
        ]
        .concat()
    };
    let alone: Vec<Event> = (0..2000).flat_map(round).collect();
    let inside: Vec<Event> = (0..2000).flat_map(nested).collect();
    for events in [alone, inside] {
        let mut detector = Hybrid::new(Settings { max_locks: 2, ..Settings::default() });
        run(&mut detector, &events);
        assert_eq!(rule(&detector, "recorded"), 2000);
        assert!(rule(&detector, "forgotten") > 1980);
    }
}

/// Figure 1: main sets globalFlag, starts the child, and looks at childThread under its own lock; the child reads
/// globalFlag and clears childThread without a lock.
fn figure_1() -> (Vec<Event>, VarId, VarId) {
    let (global_flag, child_thread) = (VarId(0), VarId(1));
    let (main, child) = (0, 1);
    let this = LockId(0);
    let events = vec![
        event(main, 1, Op::Write(global_flag)),
        event(main, 2, Op::Write(child_thread)),
        event(main, 3, Op::Fork(ThreadId(child))),
        event(child, 10, Op::Read(global_flag)),
        event(main, 4, Op::Acquire(this, Mode::Write)),
        event(main, 5, Op::Read(child_thread)),
        event(main, 6, Op::Read(child_thread)),
        event(main, 7, Op::Release(this, Mode::Write)),
        event(child, 11, Op::Write(child_thread)),
    ];
    (events, global_flag, child_thread)
}

#[test]
fn figure_1_has_one_race_and_a_lockset_detector_sees_two() {
    let (events, global_flag, child_thread) = figure_1();
    let found = races(&Settings::default(), &events);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].var, child_thread);
    assert_eq!((found[0].earlier.site, found[0].later.site), (SiteId(5), SiteId(11)));

    let settings = Settings { messages: Messages::Ignored, ..Settings::default() };
    let vars: Vec<VarId> = races(&settings, &events).iter().map(|race| race.var).collect();
    assert_eq!(vars, [global_flag, child_thread]);
}

/// Figure 4: an unrelated critical section orders the two accesses of globalInt in this run, by chance.
fn figure_4() -> (Vec<Event>, VarId) {
    let (global_int, clock) = (VarId(0), VarId(1));
    let tick = |thread, site| {
        let lock = LockId(0);
        [Op::Acquire(lock, Mode::Write), Op::Read(clock), Op::Write(clock), Op::Release(lock, Mode::Write)]
            .map(|op| event(thread, site, op))
    };
    let events = [
        vec![event(0, 1, Op::Write(global_int))],
        tick(0, 2).into(),
        tick(1, 3).into(),
        vec![event(1, 4, Op::Read(global_int))],
    ];
    (events.concat(), global_int)
}

#[test]
fn figure_4_hides_its_race_from_happens_before_only() {
    let (events, global_int) = figure_4();
    let order = oracle::happens_before(&events);
    assert!(oracle::conflicting(&events).iter().all(|&(i, j)| order.holds(i, j)));
    let found = races(&Settings::default(), &events);
    assert_eq!(found.iter().map(|race| race.var).collect::<Vec<_>>(), [global_int]);
}

#[test]
fn a_flag_hands_data_over() {
    let (data, ready) = (VarId(0), VarId(1));
    let events = [
        vec![event(0, 1, Op::Write(data))],
        under(0, 0, 2, Op::Write(ready)).into(),
        under(0, 1, 3, Op::Read(ready)).into(),
        vec![event(1, 4, Op::Read(data))],
    ]
    .concat();
    assert_eq!(races(&Settings::default(), &events).len(), 1);
    let flags: Flags = [ready].into_iter().collect();
    assert!(races(&Settings { flags, ..Settings::default() }, &events).is_empty());
}
