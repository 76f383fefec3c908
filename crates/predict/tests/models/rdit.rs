//! With hidden methods: no false alarm, exact by the definition, and the same as `mc` if nothing is hidden.

use std::collections::BTreeMap;

use model::{Event, LockId, Op, Value, VarId};
use predict::{Model, Recording, oracle};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use testkit::{Shape, acquire, read, release, step, write};
use trace::{Header, Recorded, Tables};

use crate::mc::{every_pair, pairs};
use crate::traces::{Content, Hidden, hidden, hide, recordings};

const SHAPE: Shape = Shape { steps: 20, threads: 3, vars: 2, locks: 1, messages: 2, sites: 2, read_locks: true };
const ACCESSES: Shape = Shape { steps: 16, threads: 4, vars: 3, locks: 1, messages: 1, sites: 2, read_locks: false };

/// Every race of the visible part is one of the complete trace.
fn is_sound(hidden: &Hidden) -> Result<(), TestCaseError> {
    let truth = pairs(&every_pair(&hidden.complete, Model::Mc));
    for (one, two) in pairs(&every_pair(&hidden.visible, Model::Rdit)) {
        let pair = (hidden.places[one], hidden.places[two]);
        let (Some(earlier), Some(later)) = pair else { return Err(TestCaseError::fail("a race of no access")) };
        prop_assert!(truth.contains(&(earlier, later)), "{:?} is no race of the complete trace", (one, two));
    }
    Ok(())
}

fn is_exact(hidden: &Hidden) -> Result<(), TestCaseError> {
    let found = pairs(&every_pair(&hidden.visible, Model::Rdit));
    prop_assert_eq!(found, oracle::races(&hidden.visible, Model::Rdit));
    Ok(())
}

proptest! {
    #![proptest_config(testkit::config(20_000))]

    #[test]
    fn no_false_alarm_without_values(hidden in hidden(SHAPE, Content::Events)) {
        is_sound(&hidden)?;
    }

    #[test]
    fn no_false_alarm_with_values(hidden in hidden(ACCESSES, Content::Values)) {
        is_sound(&hidden)?;
    }

    #[test]
    fn no_false_alarm_with_branches(hidden in hidden(ACCESSES, Content::Branches)) {
        is_sound(&hidden)?;
    }

    #[test]
    fn no_false_alarm_with_branches_and_locks(hidden in hidden(SHAPE, Content::Branches)) {
        is_sound(&hidden)?;
    }
}

proptest! {
    #![proptest_config(testkit::config(5000))]

    #[test]
    fn exact_without_values(hidden in hidden(SHAPE, Content::Events)) {
        is_exact(&hidden)?;
    }

    #[test]
    fn exact_with_values(hidden in hidden(ACCESSES, Content::Values)) {
        is_exact(&hidden)?;
    }

    #[test]
    fn exact_with_branches(hidden in hidden(SHAPE, Content::Branches)) {
        is_exact(&hidden)?;
    }

    #[test]
    fn nothing_hidden_is_mc(recording in recordings(SHAPE, Content::Branches)) {
        prop_assert_eq!(every_pair(&recording, Model::Rdit), every_pair(&recording, Model::Mc));
    }
}

/// The traces above can show a false alarm, and have true races left to find.
#[test]
fn hidden_methods_matter() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut false_alarms, mut found) = (0, 0);
    for content in [Content::Events, Content::Values, Content::Branches] {
        let traces = hidden(SHAPE, content);
        for _ in 0..500 {
            let hidden = traces.new_tree(&mut runner).expect("a trace can be made").current();
            let truth = pairs(&every_pair(&hidden.complete, Model::Mc));
            let blind = pairs(&every_pair(&hidden.visible, Model::Mc));
            let place = |&(one, two): &(usize, usize)| hidden.places[one].zip(hidden.places[two]);
            false_alarms += blind.iter().filter_map(place).filter(|pair| !truth.contains(pair)).count();
            found += pairs(&every_pair(&hidden.visible, Model::Rdit)).len();
        }
    }
    assert!(false_alarms > 20 && found > 500, "{false_alarms} false alarms without pairs, {found} races with them");
}

const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const Q: VarId = VarId(2);
const Z: VarId = VarId(3);
const P: VarId = VarId(4);

/// A recording of events with their values.
fn complete(events: &[(Event, u64)], branches: Recorded) -> Recording {
    let header = Header { values: Recorded::Yes, branches, ..Header::default() };
    let values = events.iter().map(|&(event, value)| event.op.access().map(|_| Value(value))).collect();
    let events = events.iter().map(|&(event, _)| event).collect();
    Recording::new(header, events, values, BTreeMap::new(), Tables::default())
}

/// Nothing of these threads is seen but that they call a hidden method. Does the race on Z, the only one that can be
/// seen, turn out to be none?
#[track_caller]
fn no_race_on_z(events: &[(Event, u64)], hidden_threads: &[u8]) {
    let complete = complete(events, Recorded::No);
    let calls: Vec<(u8, u8, u8, u8)> = hidden_threads.iter().map(|&thread| (thread, 0, 99, 128)).collect();
    let hidden = hide(complete, &calls);
    let on_z = |recording: &Recording, model: Model| {
        let found = every_pair(recording, model);
        found.races.iter().filter(|race| race.var == Z).count()
    };
    assert_eq!(on_z(&hidden.complete, Model::Mc), 0, "the complete trace has no race");
    assert_eq!(on_z(&hidden.visible, Model::Mc), 1, "without pairs there seems to be one");
    assert_eq!(on_z(&hidden.visible, Model::Rdit), 0);
}

#[test]
fn a_hidden_method_waits_for_one_event_and_allows_another() {
    // Thread 0 is hidden: it sees X and sets Y. The writer of X and the reader of Y are both inside its pair.
    no_race_on_z(
        &[
            (read(0, Q), 0),
            (write(1, Z), 1),
            (write(1, X), 1),
            (read(0, X), 1),
            (write(0, Y), 1),
            (read(2, Y), 1),
            (write(2, Z), 2),
            (write(0, Q), 1),
        ],
        &[0],
    );
}

#[test]
fn overlapping_hidden_methods_hand_on_an_order() {
    // Threads 0 and 3 are hidden: the first sees X and sets P, the second sees P and sets Y.
    no_race_on_z(
        &[
            (read(0, Q), 0),
            (read(3, Q), 0),
            (write(1, Z), 1),
            (write(1, X), 1),
            (read(0, X), 1),
            (write(0, P), 1),
            (read(3, P), 1),
            (write(3, Y), 1),
            (read(2, Y), 1),
            (write(2, Z), 2),
            (read(0, P), 1),
            (read(3, P), 1),
        ],
        &[0, 3],
    );
}

#[test]
fn a_hidden_method_finds_what_it_found() {
    // Thread 0 is hidden and sets Y because it finds 1 in Q and 2 in X. For the race thread 1 must be in its section, and so
    // thread 3 must have left its own: then the method would find 1.
    let lock = LockId(0);
    no_race_on_z(
        &[
            (acquire(1, lock), 0),
            (write(1, X), 1),
            (write(1, Q), 1),
            (write(1, Z), 1),
            (release(1, lock), 0),
            (acquire(3, lock), 0),
            (write(3, X), 2),
            (release(3, lock), 0),
            (read(0, Q), 1),
            (read(0, X), 2),
            (write(0, Y), 1),
            (read(2, Y), 1),
            (write(2, Z), 2),
        ],
        &[0],
    );
}

#[test]
fn a_callback_depends_on_what_the_method_has_read() {
    // The second read of thread 0 is behind a branch that is not seen, which depends on the first one.
    let events = [(write(1, X), 1), (read(0, X), 1), (step(0, Op::Branch), 0), (read(0, X), 1)];
    let hidden = hide(complete(&events, Recorded::Yes), &[(0, 0, 3, 0b101)]);
    assert_eq!(pairs(&every_pair(&hidden.visible, Model::Rdit)), [(0, 2)].into());
    is_sound(&hidden).expect("the first read races, the second does not");
}

#[test]
fn what_a_method_did_before_it_called_back_counts() {
    // Thread 0 is hidden but for its last read; the one before it saw what thread 1 wrote, so the last one does not race.
    let events = [(read(0, Q), 0), (write(1, X), 1), (read(0, X), 1), (read(0, X), 1)];
    for start in [0, 129] {
        let hidden = hide(complete(&events, Recorded::No), &[(0, start, 4, 0b100)]);
        assert_eq!(
            hidden.visible.events.len(),
            if start == 0 { 4 } else { 6 },
            "a callback has a begin and an end or not"
        );
        assert_eq!(pairs(&every_pair(&hidden.visible, Model::Rdit)), [].into());
        assert_eq!(pairs(&every_pair(&hidden.visible, Model::Mc)).len(), 1, "without pairs it seems to");
    }
}

#[test]
fn a_method_that_calls_back_orders_nothing_meanwhile() {
    // Both threads are hidden but for two events each, at the same time; the hidden methods have X in common.
    let events = [
        (read(0, X), 0),
        (read(1, X), 0),
        (read(0, P), 0),
        (read(1, P), 0),
        (write(0, Z), 1),
        (write(1, Z), 2),
        (read(0, X), 0),
        (read(1, X), 0),
    ];
    for (start, races) in [(0, 0), (128, 1)] {
        let calls = [(0, start, 4, 0b0110), (1, start, 4, 0b0110)];
        let hidden = hide(complete(&events, Recorded::No), &calls);
        assert_eq!(pairs(&every_pair(&hidden.visible, Model::Rdit)).len(), races);
        is_sound(&hidden).expect("the complete trace has the race");
    }
}
