//! The happens-before family against the definition: FastTrack, Djit, SHB and clock races.

mod common;

use common::{first_by_variable, later, pairs, races};
use detect::catalog::{Algorithm, Pipeline, Settings, TreeForm};
use detect::clock::Clock;
use detect::djit::Djit;
use detect::fasttrack::FastTrack;
use detect::shb::Shb;
use detect::tree::Locations;
use detect::{Detector, oracle};
use model::{Event, EventIndex};
use proptest::prelude::*;
use testkit::Shape;

fn shapes() -> impl Strategy<Value = Vec<Event>> {
    prop_oneof![3 => testkit::traces(Shape::SMALL), 1 => testkit::traces(Shape::CROWD), 1 => testkit::traces(Shape::TINY)]
}

fn assert_subset(found: &std::collections::BTreeSet<(usize, usize)>, allowed: &[(usize, usize)]) {
    for pair in found {
        assert!(allowed.contains(pair), "{pair:?} is ordered");
    }
}

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn fasttrack_and_djit_find_what_the_definition_gives(events in shapes()) {
        let expected = oracle::unordered(&events, &oracle::happens_before(&events));
        let fasttrack = pairs(&races(&mut FastTrack::default(), &events));
        let djit = pairs(&races(&mut Djit::default(), &events));
        assert_subset(&fasttrack, &expected);
        assert_subset(&djit, &expected);
        let first = first_by_variable(&events, expected.iter().copied());
        prop_assert_eq!(&first_by_variable(&events, fasttrack), &first);
        prop_assert_eq!(&first_by_variable(&events, djit.iter().copied()), &first);
        prop_assert_eq!(later(djit), later(expected), "djit sees every access that completes a race");
    }

    #[test]
    fn clocks_that_overflow_change_nothing(events in shapes(), limit in 1u32..5) {
        let expected = oracle::unordered(&events, &oracle::happens_before(&events));
        let fasttrack = pairs(&races(&mut FastTrack::with_clock_limit(limit), &events));
        let djit = pairs(&races(&mut Djit::with_clock_limit(limit), &events));
        assert_subset(&fasttrack, &expected);
        prop_assert_eq!(first_by_variable(&events, fasttrack), first_by_variable(&events, expected.iter().copied()));
        prop_assert_eq!(later(djit), later(expected));
    }

    #[test]
    fn shb_finds_what_its_definition_gives(events in shapes()) {
        let expected = oracle::shb::races(&events);
        let shb = pairs(&races(&mut Shb::default(), &events));
        assert_subset(&shb, &expected);
        prop_assert_eq!(later(shb.iter().copied()), later(expected));
        assert_subset(&shb, &oracle::unordered(&events, &oracle::happens_before(&events)));
    }

    #[test]
    fn clock_finds_what_its_definition_gives_and_only_happens_before_races(events in shapes()) {
        let expected = oracle::clock::races(&events);
        let clock = pairs(&races(&mut Clock::default(), &events));
        assert_subset(&clock, &expected);
        prop_assert_eq!(later(clock.iter().copied()), later(expected));
        let djit = later(pairs(&races(&mut Djit::default(), &events)));
        prop_assert!(later(clock).is_subset(&djit));
    }
}

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn tree_keeps_the_first_race_of_every_variable(events in shapes()) {
        let tree = Settings { tree: Some((TreeForm::Sound, Locations::All)), ..Settings::default() };
        for algorithm in [Algorithm::FastTrack, Algorithm::Djit] {
            let first = |settings: Settings| {
                let mut found = Vec::new();
                Pipeline::new(algorithm, settings).observe(EventIndex(0), &events, &mut |race| found.push(race));
                first_by_variable(&events, pairs(&found))
            };
            prop_assert_eq!(first(tree.clone()), first(Settings::default()));
        }
    }
}

/// A rule that no random trace reaches would be tested by none of the above.
#[test]
fn every_rule_fires() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut detectors: [(&str, Box<dyn Detector>); 4] = [
        ("fasttrack", Box::new(FastTrack::default())),
        ("djit", Box::new(Djit::default())),
        ("shb", Box::new(Shb::default())),
        ("clock", Box::new(Clock::default())),
    ];
    let mut fired = std::collections::BTreeMap::new();
    for _ in 0..300 {
        let events = shapes().new_tree(&mut runner).expect("shapes always give a trace").current();
        detectors[0].1 = Box::new(FastTrack::default());
        detectors[1].1 = Box::new(Djit::default());
        detectors[2].1 = Box::new(Shb::default());
        detectors[3].1 = Box::new(Clock::default());
        for (name, detector) in &mut detectors {
            races(detector.as_mut(), &events);
            for (rule, count) in detector.rules() {
                *fired.entry((*name, rule)).or_insert(0) += count;
            }
        }
    }
    assert!(fired.values().all(|&count| count > 0), "{fired:?}");
    assert_eq!(fired.len(), 12 + 3 + 3 + 3);
}
