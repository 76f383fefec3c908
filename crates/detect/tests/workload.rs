//! The workload that speed is measured with, at a length that every detector does in a moment: what the detectors find
//! in it, and that the filter drops much of it and loses nothing.

use std::collections::BTreeSet;
use std::path::Path;

use detect::catalog::{Algorithm, Pipeline, Settings, TreeForm};
use detect::hybrid::{self, Report};
use detect::tree::{Behind, Locations};
use model::{AccessKind, Event, EventIndex, Race, SiteId, VarId};
use testkit::Workload;
use trace::{Batch, Damage};

fn events() -> Vec<Event> {
    let mut text = Vec::new();
    Workload::of_length(50_000).write(&mut text).unwrap();
    let mut source = trace::read(text.as_slice(), Path::new("workload"), text.len() as u64, Damage::Refuse).unwrap();
    let (mut events, mut batch) = (Vec::new(), Batch::default());
    while source.next_batch(&mut batch).unwrap() {
        events.extend_from_slice(&batch.events);
    }
    events
}

fn settings(tree: Option<TreeForm>) -> Settings {
    Settings {
        tree: tree.map(|form| (form, Locations::All)),
        hybrid: hybrid::Settings { report: Report::AllPairs, ..hybrid::Settings::default() },
        ..Settings::default()
    }
}

/// The races, and how many events the filter dropped.
fn run(algorithm: Algorithm, tree: Option<TreeForm>, events: &[Event]) -> (Vec<Race>, u64) {
    let mut pipeline = Pipeline::new(algorithm, settings(tree));
    let mut races = Vec::new();
    pipeline.observe(EventIndex(0), events, &mut |race| races.push(race));
    let skipped = pipeline.filters().iter().filter(|(name, _)| *name == "tree").map(|(_, done)| done.skipped).sum();
    (races, skipped)
}

fn variables(races: &[Race]) -> BTreeSet<VarId> {
    races.iter().map(|race| race.var).collect()
}

fn site_pairs(races: &[Race]) -> BTreeSet<(VarId, [(SiteId, AccessKind); 2])> {
    let sides = |race: &Race| {
        let mut sides = [(race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind)];
        sides.sort_unstable();
        sides
    };
    races.iter().map(|race| (race.var, sides(race))).collect()
}

#[test]
fn the_filter_drops_something_and_loses_nothing() {
    let events = events();
    for algorithm in Algorithm::ALL.into_iter().filter(|one| one.behind_tree().is_some()) {
        let (plain, _) = run(algorithm, None, &events);
        let (filtered, skipped) = run(algorithm, Some(TreeForm::Sound), &events);
        // A span is short here and its variables are many: in front of happens-before little can be dropped.
        let least = if algorithm.behind_tree() == Some(Behind::HappensBefore) { 1 } else { events.len() as u64 / 20 };
        assert!(skipped >= least, "{}: {skipped} skipped", algorithm.name());
        assert!(!plain.is_empty(), "{}", algorithm.name());
        assert_eq!(variables(&filtered), variables(&plain), "{}", algorithm.name());
        if algorithm == Algorithm::Hybrid {
            assert_eq!(site_pairs(&filtered), site_pairs(&plain));
        }
    }
}

#[test]
fn the_happens_before_family_agrees() {
    let events = events();
    let found = |algorithm| variables(&run(algorithm, None, &events).0);
    let djit = found(Algorithm::Djit);
    assert_eq!(found(Algorithm::FastTrack), djit);
    assert!(found(Algorithm::Clock).is_subset(&djit));
    assert!(found(Algorithm::Shb).is_subset(&djit));
    assert!(djit.is_subset(&found(Algorithm::Wcp)));
    assert!(djit.is_subset(&found(Algorithm::Hybrid)));
}
