//! Simple mode against its definition.

use detect::eraser::Eraser;
use detect::locality::Locality;
use detect::{Detector, Filter, FilterVerdict, oracle};
use model::{Event, EventIndex, LockId, Mode, Op, Race, SiteId, ThreadId, VarId};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use testkit::Shape;

fn races(events: &[Event]) -> Vec<Race> {
    let mut found = Vec::new();
    let mut eraser = Eraser::default();
    for (at, event) in events.iter().enumerate() {
        eraser.observe(EventIndex(at as u64), event, &mut |race| found.push(race));
    }
    found
}

fn event(thread: u32, op: Op) -> Event {
    Event { thread: ThreadId(thread), site: SiteId(0), op }
}

const X: VarId = VarId(0);
const L: LockId = LockId(0);

/// Few of everything, so that threads often hold the same lock.
const ONE_LOCK: Shape = Shape { steps: 40, threads: 2, vars: 4, locks: 1, messages: 0, ..Shape::SMALL };

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn finds_each_race_of_the_definition_at_its_access(
        events in prop_oneof![testkit::traces(Shape::SMALL), testkit::traces(ONE_LOCK)],
    ) {
        let found: Vec<(usize, usize)> =
            races(&events).iter().map(|race| (race.earlier.at.index(), race.later.at.index())).collect();
        prop_assert_eq!(found, oracle::simple_races(&events));
    }

    #[test]
    fn misses_no_location_of_the_pairwise_check(events in testkit::traces(Shape::SMALL)) {
        let found: Vec<VarId> = races(&events).iter().map(|race| race.var).collect();
        for (_, later) in oracle::lockset_races(&events) {
            let (var, _) = events[later].op.access().expect("a race is between accesses");
            prop_assert!(found.contains(&var));
        }
    }
}

#[test]
fn every_rule_fires_on_random_traces() {
    let mut sums: Vec<(&str, u64)> = Vec::new();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..1000 {
        let events = testkit::traces(ONE_LOCK).new_tree(&mut runner).expect("a trace").current();
        let mut eraser = Eraser::default();
        for (at, event) in events.iter().enumerate() {
            eraser.observe(EventIndex(at as u64), event, &mut |_| {});
        }
        sums.resize(eraser.rules().len(), ("", 0));
        for (sum, (rule, count)) in sums.iter_mut().zip(eraser.rules()) {
            *sum = (rule, sum.1 + count);
        }
    }
    assert!(sums.iter().all(|&(_, count)| count > 0), "{sums:?}");
}

#[test]
fn a_write_under_a_lock_held_for_reading_is_not_protected() {
    let trace = |mode| {
        let hold = |thread, op| [Op::Acquire(L, mode), op, Op::Release(L, mode)].map(|op| event(thread, op));
        [hold(0, Op::Write(X)), hold(1, Op::Read(X))].concat()
    };
    assert!(races(&trace(Mode::Write)).is_empty());
    assert_eq!(races(&trace(Mode::Read)).len(), 1);
}

#[test]
fn reads_may_share_a_lock_that_writes_exclude() {
    let under = |thread, mode, op| [Op::Acquire(L, mode), op, Op::Release(L, mode)].map(|op| event(thread, op));
    let trace =
        [under(0, Mode::Write, Op::Write(X)), under(1, Mode::Read, Op::Read(X)), under(2, Mode::Read, Op::Read(X))];
    assert!(races(&trace.concat()).is_empty());
}

#[test]
fn the_locality_check_forgives_initialisation_and_misses_what_it_hides() {
    let init_then_protected =
        |thread| [Op::Acquire(L, Mode::Write), Op::Write(X), Op::Release(L, Mode::Write)].map(|op| event(thread, op));
    let forgiven =
        [vec![event(0, Op::Write(X))], init_then_protected(1).to_vec(), init_then_protected(0).to_vec()].concat();
    let missed = [event(0, Op::Write(X)), event(1, Op::Write(X))];
    for trace in [&forgiven[..], &missed[..]] {
        let mut locality = Locality::default();
        let kept: Vec<Event> =
            trace.iter().copied().filter(|event| locality.judge(EventIndex(0), event) == FilterVerdict::Keep).collect();
        assert_eq!(races(trace).len(), 1);
        assert!(races(&kept).is_empty());
    }
}
