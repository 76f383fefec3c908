//! What every detector's tests ask.

#![allow(dead_code, reason = "each test file is a crate of its own and asks only some of it")]

use std::collections::{BTreeMap, BTreeSet};

use detect::Detector;
use model::{Access, Event, EventIndex, LockId, Op, Race, ThreadId, VarId};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use testkit::{acquire, release, step, write};

pub(crate) const X: VarId = VarId(0);
pub(crate) const Y: VarId = VarId(1);
pub(crate) const L: LockId = LockId(0);
pub(crate) const M: LockId = LockId(1);

/// Runs a detector over a trace.
pub(crate) fn races(detector: &mut dyn Detector, events: &[Event]) -> Vec<Race> {
    let mut races = Vec::new();
    for (at, event) in events.iter().enumerate() {
        detector.observe(EventIndex(at as u64), event, &mut |race| races.push(race));
    }
    for race in &races {
        assert_names_events(events, race);
    }
    races
}

/// Both accesses of a race are what the trace has at their positions.
fn assert_names_events(events: &[Event], race: &Race) {
    for access in [race.earlier, race.later] {
        let event = events[position(access)];
        assert_eq!((access.thread, access.site), (event.thread, event.site), "{race:?}");
        assert_eq!(event.op.access(), Some((race.var, access.kind)), "{race:?}");
    }
}

pub(crate) fn position(access: Access) -> usize {
    access.at.0 as usize
}

/// The pairs of positions that a detector reported.
pub(crate) fn pairs(races: &[Race]) -> BTreeSet<(usize, usize)> {
    races.iter().map(|race| (position(race.earlier), position(race.later))).collect()
}

/// For each racy variable, the position of the first access that completes a race on it.
pub(crate) fn first_by_variable(
    events: &[Event],
    pairs: impl IntoIterator<Item = (usize, usize)>,
) -> BTreeMap<VarId, usize> {
    let mut first = BTreeMap::new();
    for (_, later) in pairs {
        if let Some((var, _)) = events[later].op.access() {
            first.entry(var).and_modify(|at: &mut usize| *at = (*at).min(later)).or_insert(later);
        }
    }
    first
}

/// The accesses that complete a race, each once.
pub(crate) fn later(pairs: impl IntoIterator<Item = (usize, usize)>) -> BTreeSet<usize> {
    pairs.into_iter().map(|(_, later)| later).collect()
}

/// How often each rule fires over many random traces, always the same ones. A rule that none of them reaches is tested
/// by no property.
pub(crate) fn fired<D: Detector>(
    traces: impl Strategy<Value = Vec<Event>>,
    count: usize,
    detector: impl Fn() -> D,
) -> BTreeMap<&'static str, u64> {
    let mut runner = TestRunner::deterministic();
    let mut fired = BTreeMap::new();
    for _ in 0..count {
        let events = traces.new_tree(&mut runner).expect("the machine takes any steps").current();
        let mut detector = detector();
        races(&mut detector, &events);
        for (rule, times) in detector.rules() {
            *fired.entry(rule).or_default() += times;
        }
    }
    fired
}

/// Steps that no program can make, with a race on X.
pub(crate) fn nonsense() -> [Event; 16] {
    [
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
    ]
}
