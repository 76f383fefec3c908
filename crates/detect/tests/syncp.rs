//! Sync-preserving races against the search through all reorderings.

mod common;

use common::{L, M, X, Y, later, pairs, position};
use detect::oracle;
use detect::syncp::SyncP;
use model::{Event, Evidence, MessageId, Mode, Op, Race, ThreadId, VarId};
use proptest::prelude::*;
use testkit::{Shape, acquire, read, release, step, write};

fn races(events: &[Event]) -> Vec<Race> {
    common::races(&mut SyncP::new(), events)
}

fn are_proved(events: &[Event], races: &[Race]) -> Result<(), TestCaseError> {
    for race in races {
        let Evidence::Witness(witness) = &race.evidence else {
            return Err(TestCaseError::fail("no witness"));
        };
        let pair = (position(race.earlier), position(race.later));
        prop_assert_eq!(oracle::syncp::check(events, pair, witness), Ok(()), "{:?}", pair);
    }
    Ok(())
}

fn agrees_with_enumeration(events: &[Event]) -> Result<(), TestCaseError> {
    let races = races(events);
    let (found, all) = (pairs(&races), oracle::syncp::races(events));
    for pair in &found {
        prop_assert!(all.contains(pair), "{pair:?} is no race");
    }
    prop_assert_eq!(later(found), later(all), "every access that races with an earlier one is reported");
    are_proved(events, &races)
}

/// The first happens-before race can always be reached without swapping sections.
fn has_the_first_happens_before_race(events: &[Event], races: &[Race]) -> Result<(), TestCaseError> {
    let first = later(oracle::unordered(events, &oracle::happens_before(events))).into_iter().next();
    if let Some(first) = first {
        prop_assert!(later(pairs(races)).contains(&first), "nothing at {first}");
    }
    Ok(())
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
    fn traces_with_many_locks_agree(events in testkit::cut_traces(LOCKS)) {
        agrees_with_enumeration(&events)?;
    }

    #[test]
    fn small_traces_are_proved(events in testkit::traces(Shape::SMALL)) {
        let races = races(&events);
        are_proved(&events, &races)?;
        has_the_first_happens_before_race(&events, &races)?;
    }

    #[test]
    fn traces_with_open_sections_are_proved(events in testkit::cut_traces(Shape::SMALL)) {
        let races = races(&events);
        are_proved(&events, &races)?;
        has_the_first_happens_before_race(&events, &races)?;
    }

    #[test]
    fn a_crowd_is_proved(events in testkit::traces(Shape::CROWD)) {
        let races = races(&events);
        are_proved(&events, &races)?;
        has_the_first_happens_before_race(&events, &races)?;
    }
}

#[test]
fn every_rule_fires() {
    let fired = common::fired(testkit::traces(Shape::SMALL), 3000, SyncP::new);
    assert_eq!(fired.len(), 6);
    assert!(fired.values().all(|&count| count > 0), "{fired:?}");
}

#[track_caller]
fn check(events: &[Event], expected: &[(usize, usize)]) {
    let found: Vec<_> = races(events).iter().map(|race| (position(race.earlier), position(race.later))).collect();
    assert_eq!(found, expected);
    agrees_with_enumeration(events).expect("the oracle agrees");
}

#[test]
fn a_section_that_is_not_needed_is_left_out() {
    // Happens-before orders the two by the lock. Thread 1 need not have entered its section.
    let events = [write(1, X), acquire(1, L), release(1, L), acquire(2, L), release(2, L), write(2, X)];
    check(&events, &[(0, 5)]);
    let races = races(&events);
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
    assert!(!races(&common::nonsense()).is_empty());
}
