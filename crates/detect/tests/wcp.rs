//! Weak causal precedence against its definition.

mod common;

use common::{L, M, X, Y, later, pairs, position};
use detect::oracle::{self, happens_before, wcp::weakly_ordered};
use detect::wcp::Wcp;
use model::{Event, Evidence, LockId, MessageId, Mode, Op, Race, ThreadId, VarId};
use proptest::prelude::*;
use testkit::{Shape, acquire, read, release, step, write};

fn races(events: &[Event]) -> Vec<Race> {
    common::races(&mut Wcp::new(), events)
}

fn agrees_with_its_definition(events: &[Event]) -> Result<(), TestCaseError> {
    let expected = oracle::unordered(events, &weakly_ordered(events));
    let races = races(events);
    prop_assert!(races.iter().all(|race| race.evidence == Evidence::WeaklyUnordered));
    let found = pairs(&races);
    for pair in &found {
        prop_assert!(expected.contains(pair), "{pair:?} is weakly ordered, or no conflict");
    }
    prop_assert_eq!(later(found), later(expected), "every access that races with an earlier one is reported");
    Ok(())
}

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn small_traces_agree(events in testkit::traces(Shape::SMALL)) {
        agrees_with_its_definition(&events)?;
    }

    #[test]
    fn tiny_traces_agree(events in testkit::traces(Shape::TINY)) {
        agrees_with_its_definition(&events)?;
    }

    #[test]
    fn traces_with_open_sections_agree(events in testkit::cut_traces(Shape::SMALL)) {
        agrees_with_its_definition(&events)?;
    }

    #[test]
    fn a_crowd_agrees(events in testkit::traces(Shape::CROWD)) {
        agrees_with_its_definition(&events)?;
    }

    #[test]
    fn long_traces_agree(events in testkit::traces(Shape { steps: 150, messages: 0, threads: 3, ..Shape::SMALL })) {
        agrees_with_its_definition(&events)?;
    }

    #[test]
    fn weak_order_is_part_of_happens_before(events in testkit::traces(Shape::SMALL)) {
        let (weak, order) = (weakly_ordered(&events), happens_before(&events));
        for j in 0..events.len() {
            for i in 0..j {
                prop_assert!(order.holds(i, j) || !weak.holds(i, j), "{i} is weakly before {j}, but not before it");
            }
        }
    }
}

#[test]
fn every_rule_fires() {
    let fired = common::fired(testkit::traces(Shape::SMALL), 3000, Wcp::new);
    assert_eq!(fired.len(), 5);
    assert!(fired.values().all(|&count| count > 0), "{fired:?}");
}

const N: LockId = LockId(2);

#[track_caller]
fn check(events: &[Event], expected: &[(usize, usize)]) {
    let found: Vec<_> = races(events).iter().map(|race| (position(race.earlier), position(race.later))).collect();
    assert_eq!(found, expected);
    agrees_with_its_definition(events).expect("the oracle agrees");
}

#[test]
fn sections_that_share_nothing_can_swap() {
    // Happens-before sees no race here: the lock orders the two.
    let events = [
        write(1, Y),
        acquire(1, L),
        write(1, X),
        release(1, L),
        acquire(2, L),
        read(2, VarId(2)),
        release(2, L),
        read(2, Y),
    ];
    check(&events, &[(0, 7)]);
}

#[test]
fn rule_a_orders_what_conflicts_under_a_lock() {
    let events =
        [write(1, Y), acquire(1, L), write(1, X), release(1, L), acquire(2, L), read(2, X), release(2, L), read(2, Y)];
    check(&events, &[]);
    // Before the conflicting access nothing is ordered yet.
    let earlier = [&events[..5], &[read(2, Y), read(2, X), release(2, L)]].concat();
    check(&earlier, &[(0, 5)]);
}

#[test]
fn rule_a_asks_for_another_thread() {
    let events = [
        write(1, Y),
        acquire(1, M),
        release(1, M),
        acquire(2, M),
        acquire(2, L),
        write(2, X),
        release(2, L),
        acquire(2, L),
        write(2, X),
        release(2, L),
        release(2, M),
        write(2, Y),
    ];
    check(&events, &[(0, 11)]);
}

#[test]
fn rule_b_orders_the_ends_of_sections_that_are_ordered_inside() {
    // Thread 2 is inside L after thread 1 was, by the conflict on X under M; so all of thread 1's section on L is
    // before the end of thread 2's.
    let events = [
        acquire(1, L),
        acquire(1, M),
        write(1, X),
        release(1, M),
        write(1, Y),
        release(1, L),
        acquire(2, M),
        write(2, X),
        release(2, M),
        acquire(2, L),
        release(2, L),
        write(2, Y),
    ];
    check(&events, &[]);
    let without_conflict = [&events[..7], &[write(2, VarId(2))], &events[8..]].concat();
    check(&without_conflict, &[(4, 11)]);
}

#[test]
fn rule_b_holds_between_sections_of_one_thread() {
    // Thread 1's first section on L is weakly before its second by way of thread 2, so what came before the
    // first one's end (thread 3's write) is weakly before the second one's end.
    let events = [
        write(3, Y),
        acquire(3, N),
        release(3, N),
        acquire(1, L),
        acquire(1, M),
        write(1, X),
        release(1, M),
        acquire(2, M),
        write(2, X),
        release(2, M),
        acquire(1, M),
        release(1, M),
        acquire(1, N),
        release(1, N),
        release(1, L),
        acquire(1, L),
        release(1, L),
        write(1, Y),
    ];
    check(&events, &[]);
}

#[test]
fn rule_c_goes_on_through_happens_before() {
    // X orders 1 before 2 under L; the empty sections on M carry that on to 3, though they order nothing themselves.
    let events = [
        write(1, Y),
        acquire(1, L),
        write(1, X),
        release(1, L),
        acquire(2, L),
        write(2, X),
        release(2, L),
        acquire(2, M),
        release(2, M),
        acquire(3, M),
        release(3, M),
        write(3, Y),
    ];
    check(&events, &[]);
}

#[test]
fn hard_orders_are_kept() {
    let message = MessageId(0);
    let events = [
        write(0, X),
        step(0, Op::Fork(ThreadId(1))),
        read(1, X),
        step(1, Op::Send(message)),
        step(0, Op::Receive(message)),
        write(0, X),
        step(1, Op::Send(message)),
        step(0, Op::Join(ThreadId(1))),
        write(0, X),
    ];
    check(&events, &[]);
}

#[test]
fn sections_for_reading_do_not_order_each_other() {
    let (acquire, release) = (Op::Acquire(L, Mode::Read), Op::Release(L, Mode::Read));
    let events = [step(1, acquire), write(1, X), step(1, release), step(2, acquire), write(2, X), step(2, release)];
    check(&events, &[(1, 4)]);
    let writer = [&events[..3], &[self::acquire(2, L), write(2, X), self::release(2, L)]].concat();
    check(&writer, &[]);
}

#[test]
fn rule_b_goes_from_reader_to_reader() {
    // The writer's section is after thread 2's by the conflict on X; only the end of thread 2's section happens after
    // the begin of thread 1's, by way of N.
    let (acquire_shared, release_shared) = (Op::Acquire(L, Mode::Read), Op::Release(L, Mode::Read));
    let events = [
        step(1, acquire_shared),
        acquire(1, N),
        release(1, N),
        step(2, acquire_shared),
        acquire(2, M),
        write(2, X),
        release(2, M),
        acquire(2, N),
        release(2, N),
        step(2, release_shared),
        write(1, Y),
        step(1, release_shared),
        acquire(3, M),
        write(3, X),
        release(3, M),
        acquire(3, L),
        release(3, L),
        write(3, Y),
    ];
    check(&events, &[]);
    let without_n = [&events[..7], &events[9..]].concat();
    check(&without_n, &[(8, 15)]);
}

#[test]
fn inner_releases_end_no_section() {
    let events = [
        acquire(1, L),
        acquire(1, L),
        write(1, X),
        release(1, L),
        write(1, Y),
        release(1, L),
        acquire(2, L),
        read(2, X),
        read(2, Y),
        release(2, L),
    ];
    check(&events, &[]);
}

#[test]
fn nonsense_is_no_reason_to_panic() {
    assert!(!races(&common::nonsense()).is_empty());
}
