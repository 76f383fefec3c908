//! The maximal causal model finds exactly what some feasible run shows.

use std::collections::BTreeSet;

use predict::{Model, Prediction, Recording, Scope, Settings, oracle, predict};
use proptest::prelude::*;
use testkit::Shape;

use crate::traces::{Content, recordings};

/// All pairs of events that race, in one window.
pub(crate) fn every_pair(recording: &Recording, model: Model) -> Prediction {
    let settings = Settings { scope: Scope::Pairs(1), jobs: 1, pairs: usize::MAX, ..Settings::new(model) };
    predict(recording, &settings, &mut |_, _| {})
}

pub(crate) fn pairs(prediction: &Prediction) -> BTreeSet<(usize, usize)> {
    prediction.races.iter().map(|race| (race.earlier.at.0 as usize, race.later.at.0 as usize)).collect()
}

fn is_exact(recording: &Recording) -> Result<(), TestCaseError> {
    let prediction = every_pair(recording, Model::Mc);
    prop_assert!(prediction.undecided.is_empty());
    prop_assert_eq!(pairs(&prediction), oracle::races(recording, Model::Mc));
    Ok(())
}

const SHAPE: Shape = Shape { steps: 18, threads: 3, vars: 2, locks: 2, messages: 2, sites: 2, read_locks: true };
/// Little but accesses.
const ACCESSES: Shape = Shape { steps: 16, threads: 4, vars: 2, locks: 1, messages: 1, sites: 2, read_locks: false };

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn events_alone_are_exact(recording in recordings(SHAPE, Content::Events)) {
        is_exact(&recording)?;
    }

    #[test]
    fn values_are_exact(recording in recordings(SHAPE, Content::Values)) {
        is_exact(&recording)?;
    }

    #[test]
    fn branches_are_exact(recording in recordings(SHAPE, Content::Branches)) {
        is_exact(&recording)?;
    }

    #[test]
    fn many_accesses_are_exact(recording in recordings(ACCESSES, Content::Branches)) {
        is_exact(&recording)?;
    }

    #[test]
    fn many_values_are_exact(recording in recordings(ACCESSES, Content::Values)) {
        is_exact(&recording)?;
    }
}
