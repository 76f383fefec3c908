//! With hidden methods: no false alarm, exact by the definition, and the same as `mc` if nothing is hidden.

use predict::{Model, oracle};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use testkit::Shape;

use crate::mc::{every_pair, pairs};
use crate::traces::{Content, Hidden, hidden, recordings};

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
    assert!(false_alarms > 100 && found > 300, "{false_alarms} false alarms without pairs, {found} races with them");
}
