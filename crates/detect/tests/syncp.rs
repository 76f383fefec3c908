//! Sync-preserving races against the search through all reorderings.

use std::collections::{BTreeMap, BTreeSet};

use detect::Detector;
use detect::oracle::{self, conflicting, happens_before};
use detect::syncp::SyncP;
use model::{Event, EventIndex, Evidence, LockId, MessageId, Mode, Op, Race, SiteId, ThreadId, VarId};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use testkit::Shape;

fn races(events: &[Event]) -> (Vec<Race>, Vec<(&'static str, u64)>) {
    let mut detector = SyncP::new();
    let mut races = Vec::new();
    for (at, event) in events.iter().enumerate() {
        detector.observe(EventIndex(at as u64), event, &mut |race| races.push(race));
    }
    (races, detector.rules())
}

fn positions(race: &Race) -> (usize, usize) {
    (race.earlier.at.0 as usize, race.later.at.0 as usize)
}

fn is_proved(events: &[Event], race: &Race) -> Result<(), TestCaseError> {
    let (i, j) = positions(race);
    for (side, position) in [(race.earlier, i), (race.later, j)] {
        let event = events[position];
        prop_assert_eq!((side.thread, side.site), (event.thread, event.site));
        prop_assert_eq!(Some((race.var, side.kind)), event.op.access());
    }
    let Evidence::Witness(witness) = &race.evidence else {
        return Err(TestCaseError::fail("no witness"));
    };
    prop_assert_eq!(oracle::syncp::check(events, (i, j), witness), Ok(()), "{:?}", (i, j));
    Ok(())
}

fn agrees_with_enumeration(events: &[Event]) -> Result<(), TestCaseError> {
    let (races, _) = races(events);
    let found: BTreeSet<_> = races.iter().map(positions).collect();
    let all = oracle::syncp::races(events);
    for pair in &found {
        prop_assert!(all.contains(pair), "{pair:?} is no race");
    }
    let later = |pairs: &BTreeSet<(usize, usize)>| pairs.iter().map(|&(_, j)| j).collect::<BTreeSet<_>>();
    prop_assert_eq!(later(&found), later(&all), "every access that races with an earlier one is reported");
    races.iter().try_for_each(|race| is_proved(events, race))
}

/// The first happens-before race can always be reached without swapping sections.
fn has_the_first_happens_before_race(events: &[Event]) -> Result<(), TestCaseError> {
    let order = happens_before(events);
    let first = conflicting(events).into_iter().filter(|&(i, j)| !order.holds(i, j)).map(|(_, j)| j).min();
    if let Some(first) = first {
        prop_assert!(races(events).0.iter().any(|race| positions(race).1 == first), "nothing at {first}");
    }
    Ok(())
}

/// A trace that may stop anywhere: sections stay open.
fn cut(shape: Shape) -> impl Strategy<Value = Vec<Event>> {
    (testkit::traces(shape), any::<prop::sample::Index>()).prop_map(|(mut events, end)| {
        events.truncate(end.index(events.len() + 1));
        events
    })
}

/// Longer than tiny, with little but locks and accesses.
const LOCKS: Shape = Shape { steps: 28, threads: 3, vars: 2, locks: 2, messages: 0, sites: 2, read_locks: true };

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn tiny_traces_agree(events in testkit::traces(Shape::TINY)) {
        agrees_with_enumeration(&events)?;
    }

    #[test]
    fn tiny_traces_with_many_threads_agree(
        events in testkit::traces(Shape { steps: 20, threads: 8, locks: 1, ..Shape::TINY })
    ) {
        agrees_with_enumeration(&events)?;
    }

    #[test]
    fn traces_with_many_locks_agree(events in cut(LOCKS)) {
        agrees_with_enumeration(&events)?;
    }

    #[test]
    fn small_traces_are_proved(events in testkit::traces(Shape::SMALL)) {
        races(&events).0.iter().try_for_each(|race| is_proved(&events, race))?;
        has_the_first_happens_before_race(&events)?;
    }

    #[test]
    fn traces_with_open_sections_are_proved(events in cut(Shape::SMALL)) {
        races(&events).0.iter().try_for_each(|race| is_proved(&events, race))?;
        has_the_first_happens_before_race(&events)?;
    }

    #[test]
    fn a_crowd_is_proved(events in testkit::traces(Shape::CROWD)) {
        races(&events).0.iter().try_for_each(|race| is_proved(&events, race))?;
        has_the_first_happens_before_race(&events)?;
    }
}

#[test]
fn every_rule_fires() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut fired: BTreeMap<&'static str, u64> = BTreeMap::new();
    for _ in 0..3000 {
        let events = testkit::traces(Shape::SMALL).new_tree(&mut runner).expect("a trace").current();
        for (rule, count) in races(&events).1 {
            *fired.entry(rule).or_default() += count;
        }
    }
    assert_eq!(fired.len(), 6);
    assert!(fired.values().all(|&count| count > 0), "{fired:?}");
}

const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const L: LockId = LockId(0);
const M: LockId = LockId(1);

fn step(thread: u32, op: Op) -> Event {
    Event { thread: ThreadId(thread), site: SiteId(0), op }
}

fn acquire(thread: u32, lock: LockId) -> Event {
    step(thread, Op::Acquire(lock, Mode::Write))
}

fn release(thread: u32, lock: LockId) -> Event {
    step(thread, Op::Release(lock, Mode::Write))
}

fn read(thread: u32, var: VarId) -> Event {
    step(thread, Op::Read(var))
}

fn write(thread: u32, var: VarId) -> Event {
    step(thread, Op::Write(var))
}

#[track_caller]
fn check(events: &[Event], expected: &[(usize, usize)]) {
    let found: Vec<_> = races(events).0.iter().map(positions).collect();
    assert_eq!(found, expected);
    agrees_with_enumeration(events).expect("the oracle agrees");
}

#[test]
fn a_section_that_is_not_needed_is_left_out() {
    // Happens-before orders the two by the lock. Thread 1 need not have entered its section.
    let events = [write(1, X), acquire(1, L), release(1, L), acquire(2, L), release(2, L), write(2, X)];
    check(&events, &[(0, 5)]);
    let (races, _) = races(&events);
    let Evidence::Witness(witness) = &races[0].evidence else { panic!("no witness") };
    assert_eq!(*witness.prefix, [0, 0, 2]);
}

#[test]
fn sections_do_not_swap() {
    // The race on X needs thread 2's section before thread 1's: other methods find it, this one keeps the order.
    let events = [acquire(1, L), write(1, X), release(1, L), acquire(2, L), release(2, L), write(2, X)];
    check(&events, &[]);
}

#[test]
fn a_read_keeps_its_write() {
    // Thread 2 has read what thread 1 wrote after its access to X, under a lock or not.
    let events = [write(1, X), write(1, Y), read(2, Y), write(2, X)];
    check(&events, &[(1, 2)]);
    let other_variable = [&events[..2], &[write(2, VarId(2)), write(2, X)]].concat();
    check(&other_variable, &[(0, 3)]);
}

#[test]
fn a_section_that_was_entered_runs_to_its_end() {
    // Thread 3 reads Y from within thread 1's section on L and enters L itself: all of that section has run.
    let events =
        [acquire(1, L), write(1, Y), write(1, X), release(1, L), acquire(3, L), read(3, Y), release(3, L), write(3, X)];
    check(&events, &[]);
    let entered_before = [&events[..4], &[acquire(3, M), read(3, Y), release(3, M), write(3, X)]].concat();
    check(&entered_before, &[(1, 5), (2, 7)]);
}

#[test]
fn the_ideal_grows_from_lock_to_lock() {
    // Thread 3 needs thread 2's end of M, which needs thread 1's write of Y, which comes after its access to X.
    let events = [
        write(1, X),
        write(1, Y),
        acquire(2, M),
        write(2, VarId(2)),
        read(2, Y),
        release(2, M),
        acquire(3, M),
        read(3, VarId(2)),
        write(3, X),
    ];
    check(&events, &[(1, 4)]);
}

#[test]
fn an_earlier_access_that_is_out_of_reach_gives_way_to_a_later_one() {
    let events = [write(1, X), write(1, Y), read(2, Y), write(1, X), write(2, X)];
    check(&events, &[(1, 2), (3, 4)]);
}

#[test]
fn sections_for_reading_overlap() {
    let (acquire, release) = (Op::Acquire(L, Mode::Read), Op::Release(L, Mode::Read));
    let events = [step(1, acquire), write(1, X), step(1, release), step(2, acquire), write(2, X), step(2, release)];
    check(&events, &[(1, 4)]);
    let writer = [&events[..3], &[self::acquire(2, L), write(2, X), self::release(2, L)]].concat();
    check(&writer, &[]);
}

#[test]
fn messages_forks_and_joins_are_kept() {
    let message = MessageId(0);
    let events = [
        write(0, X),
        step(0, Op::Fork(ThreadId(1))),
        read(1, X),
        step(1, Op::Send(message)),
        step(0, Op::Receive(message)),
        write(0, X),
        write(1, Y),
        step(0, Op::Join(ThreadId(1))),
        write(0, Y),
    ];
    check(&events, &[]);
}

#[test]
fn a_reader_that_takes_the_slot_of_an_ended_one_is_a_reader_of_its_own() {
    // Thread 2 gets the slot of thread 1. Its read must not be taken for a repetition of thread 1's.
    let events = [
        step(0, Op::Fork(ThreadId(1))),
        read(1, X),
        step(0, Op::Join(ThreadId(1))),
        step(0, Op::Fork(ThreadId(2))),
        read(2, X),
        write(0, X),
    ];
    check(&events, &[(4, 5)]);
}

#[test]
fn nonsense_is_no_reason_to_panic() {
    let events = [
        release(1, L),
        acquire(1, L),
        acquire(2, L),
        write(1, X),
        write(2, X),
        release(2, L),
        release(1, L),
        step(1, Op::Fork(ThreadId(1))),
        step(1, Op::Join(ThreadId(1))),
        step(2, Op::Join(ThreadId(9))),
        step(2, Op::Join(ThreadId(1))),
        write(1, X),
        step(2, Op::Fork(ThreadId(1))),
        acquire(1, L),
        write(1, X),
        release(1, L),
    ];
    let (races, _) = races(&events);
    assert!(!races.is_empty());
}
