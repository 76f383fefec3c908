//! The happens-before family against the definition: FastTrack, Djit, SHB and clock races.

mod common;

use common::{first_by_variable, later, pairs, races};
use detect::catalog::{Algorithm, Pipeline, Settings, TreeForm};
use detect::clock::{Clock, Definition};
use detect::djit::Djit;
use detect::fasttrack::FastTrack;
use detect::oracle;
use detect::shb::Shb;
use detect::tree::Locations;
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
        // Theorem 1, by the definition of happens-before and not by another detector.
        let unordered = oracle::unordered(&events, &oracle::happens_before(&events));
        assert_subset(&clock, &unordered);
        // Theorem 2: a collision is a pair with no step of the first thread in between.
        let collisions = oracle::clock::collisions(&events);
        prop_assert!(later(collisions).is_subset(&later(clock)));
    }

    #[test]
    fn the_symmetric_extension_adds_races_that_happens_before_leaves_unordered(events in shapes()) {
        let expected = oracle::clock::symmetric_races(&events);
        let symmetric = pairs(&races(&mut Clock::new(Definition::Symmetric), &events));
        assert_subset(&symmetric, &expected);
        prop_assert_eq!(later(symmetric.iter().copied()), later(expected));
        assert_subset(&symmetric, &oracle::unordered(&events, &oracle::happens_before(&events)));
        prop_assert!(later(oracle::clock::races(&events)).is_subset(&later(symmetric)));
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

#[test]
fn every_rule_fires() {
    let all = [
        (common::fired(shapes(), 300, FastTrack::default), 12),
        (common::fired(shapes(), 300, Djit::default), 3),
        (common::fired(shapes(), 300, Shb::default), 3),
        (common::fired(shapes(), 300, Clock::default), 3),
        (common::fired(shapes(), 300, || Clock::new(Definition::Symmetric)), 4),
    ];
    for (fired, rules) in all {
        assert_eq!(fired.len(), rules);
        assert!(fired.values().all(|&count| count > 0), "{fired:?}");
    }
}
