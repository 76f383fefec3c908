//! Windows and the cheap tier: what they find is in the trace as a whole.

use std::collections::BTreeSet;

use predict::{LocationPair, Model, Predicted, Recording, Settings, predict};
use proptest::prelude::*;
use testkit::Shape;

use crate::mc::{every_pair, pairs};
use crate::traces::{Content, recordings};

const SHAPE: Shape = Shape { steps: 60, threads: 4, vars: 3, locks: 2, messages: 2, sites: 3, read_locks: true };

fn locations(races: &[Predicted]) -> BTreeSet<LocationPair> {
    races
        .iter()
        .map(|race| LocationPair::new((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind)))
        .collect()
}

fn agree(recording: &Recording, window: usize) -> Result<(), TestCaseError> {
    let whole = every_pair(recording, Model::Mc);
    let settings = Settings { window, jobs: 1, ..Settings::new(Model::Mc) };
    let found = predict(recording, &settings, &mut |_, _| {});
    let truth = pairs(&whole);
    for race in &found.races {
        let pair = (race.earlier.at.0 as usize, race.later.at.0 as usize);
        prop_assert!(truth.contains(&pair), "{:?} is no race of the whole trace", pair);
        prop_assert!(race.witness.order.iter().all(|&event| event >= race.witness.after));
    }
    prop_assert_eq!(locations(&found.races).len(), found.races.len(), "one race for each two locations");
    if window >= recording.events.len() {
        prop_assert_eq!(locations(&found.races), locations(&whole.races));
    }
    Ok(())
}

proptest! {
    #![proptest_config(testkit::config(1000))]

    #[test]
    fn windows_find_part_of_the_whole(recording in recordings(SHAPE, Content::Branches), window in 5..30usize) {
        agree(&recording, window)?;
    }

    #[test]
    fn windows_without_values_do_so_too(recording in recordings(SHAPE, Content::Events), window in 5..30usize) {
        agree(&recording, window)?;
    }

    #[test]
    fn one_window_finds_all_locations(recording in recordings(SHAPE, Content::Values)) {
        agree(&recording, 1000)?;
    }
}
