//! A trace that is predicted while it is read, or in shards, has the races that it has in memory and in one piece.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use model::EventIndex;
use predict::{
    Gap, LocationPair, Model, Origin, Predicted, Prediction, Recording, Scope, Settings, Shard, Undecided, predict,
    predict_source,
};
use proptest::prelude::*;
use testkit::Shape;
use trace::{Batch, Ending, Error, Format, Header, Progress, Source, Tables};

use crate::mc::{every_pair, pairs};
use crate::traces::{Content, hidden, recordings};

const SHAPE: Shape = Shape { steps: 60, threads: 4, vars: 3, locks: 2, messages: 2, sites: 3, read_locks: true };

/// Hands out a recording in batches of so many events.
pub(crate) struct Slices<'a> {
    recording: &'a Recording,
    next: usize,
    length: usize,
    ending: Ending,
}

impl<'a> Slices<'a> {
    pub(crate) fn new(recording: &'a Recording, length: usize) -> Self {
        Slices { recording, next: 0, length, ending: Ending::default() }
    }
}

impl Source for Slices<'_> {
    fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        batch.clear();
        let (start, all) = (self.next, self.recording);
        let end = all.events.len().min(start + self.length);
        batch.first = EventIndex(all.first.0 + start as u64);
        batch.events.extend_from_slice(&all.events[start..end]);
        let values = (0..).zip(start..end).filter_map(|(place, at)| Some((place, (*all.values.get(at)?)?)));
        batch.values.extend(values);
        let reach = all.reach.range(start..end);
        batch.reach.extend(reach.map(|(&at, objects)| ((at - start) as u32, Box::from(&**objects))));
        self.next = end;
        Ok(end > start)
    }

    fn tables(&self) -> &Tables {
        &self.recording.tables
    }

    fn header(&self) -> Header {
        self.recording.header
    }

    fn format(&self) -> Format {
        Format::Std
    }

    fn progress(&self) -> Progress {
        Progress { read: self.next as u64, total: self.recording.events.len() as u64 }
    }

    fn ending(&self) -> &Ending {
        &self.ending
    }
}

fn streamed(recording: &Recording, settings: &Settings, batch: usize) -> Prediction {
    // A source that is opened again is one for ever: a copy that nobody frees.
    let reopen = || -> Result<Box<dyn Source>, Error> {
        let copy: &'static Recording = Box::leak(Box::new(recording.clone()));
        Ok(Box::new(Slices::new(copy, batch)))
    };
    let mut source = Slices::new(recording, batch);
    predict_source(&mut source, &reopen, settings, &mut |_, _| {}).expect("a recording can be read")
}

fn in_memory(recording: &Recording, settings: &Settings) -> Prediction {
    predict(recording, settings, &mut |_, _| {})
}

fn settings(model: Model, window: usize, span: usize) -> Settings {
    Settings { window, span, jobs: 1, ..Settings::new(model) }
}

fn locations(race: &Predicted) -> LocationPair {
    LocationPair::new((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind))
}

/// All races of a trace that is read in small pieces are races of the complete trace, and its windows' are all found. `places` says
/// where an event is in the complete trace.
fn pieces_agree(
    recording: &Recording,
    (complete, places): (&Recording, &dyn Fn(usize) -> Option<usize>),
    settings: &Settings,
    batch: usize,
) -> Result<(), TestCaseError> {
    let found = in_memory(recording, settings);
    prop_assert_eq!(&streamed(recording, settings, batch), &found);
    let truth = pairs(&every_pair(complete, Model::Mc));
    for (earlier, later) in pairs(&found) {
        let is_true = places(earlier).zip(places(later)).is_some_and(|pair| truth.contains(&pair));
        prop_assert!(is_true, "{:?} is no race of the complete trace", (earlier, later));
    }
    // The windows of one stretch, all in memory, without the races that lie further apart.
    let every = Settings { scope: Scope::Pairs(1), ..settings.clone() };
    let whole = in_memory(recording, &Settings { span: usize::MAX, ..every.clone() });
    prop_assert_eq!(in_memory(recording, &every), whole);
    Ok(())
}

/// What the shards of a prediction give together.
fn joined(parts: Vec<Prediction>, stretch: u64) -> (Vec<Predicted>, Vec<Undecided>) {
    let mut races: BTreeMap<LocationPair, Predicted> = BTreeMap::new();
    let mut open: BTreeMap<LocationPair, Undecided> = BTreeMap::new();
    let rank = |race: &Predicted| match race.origin {
        Origin::Stretch => (race.witness.after / stretch, None),
        Origin::Window(number) => (race.witness.after / stretch, Some(number)),
    };
    for part in parts {
        for race in part.races {
            match races.get(&locations(&race)) {
                Some(known) if rank(known) <= rank(&race) => {}
                _ => drop(races.insert(locations(&race), race)),
            }
        }
        for one in part.undecided {
            open.entry(one.locations).and_modify(|known| known.count += one.count).or_insert(one);
        }
    }
    open.retain(|pair, _| !races.contains_key(pair));
    let mut races: Vec<Predicted> = races.into_values().collect();
    races.sort_by_key(|race| (race.later.at, race.earlier.at));
    (races, open.into_values().collect())
}

fn shards_agree(recording: &Recording, settings: &Settings, of: u64) -> Result<(), TestCaseError> {
    let whole = in_memory(recording, settings);
    let part = |number| {
        let shard = Shard::new(number, of).expect("there is such a shard");
        in_memory(recording, &Settings { shard, ..settings.clone() })
    };
    let parts: Vec<Prediction> = (1..=of).map(part).collect();
    prop_assert_eq!(parts.iter().map(|part| part.windows).sum::<u64>(), whole.windows);
    let stretch = (settings.window * (settings.span / settings.window).max(1)) as u64;
    let (races, undecided) = joined(parts, stretch);
    let known = |race: &Predicted| (race.earlier, race.later, race.origin);
    prop_assert_eq!(races.iter().map(known).collect::<Vec<_>>(), whole.races.iter().map(known).collect::<Vec<_>>());
    let counts = |all: &[Undecided]| all.iter().map(|one| (one.locations, one.count)).collect::<BTreeSet<_>>();
    prop_assert_eq!(counts(&undecided), counts(&whole.undecided));
    Ok(())
}

proptest! {
    #![proptest_config(testkit::config(600))]

    #[test]
    fn pieces_find_what_is_found_in_memory(
        recording in recordings(SHAPE, Content::Values),
        (window, span, batch) in (4..20usize, 4..50usize, 1..30usize),
    ) {
        pieces_agree(&recording, (&recording, &Some), &settings(Model::Mc, window, span), batch)?;
    }

    #[test]
    fn pieces_with_branches_do_so_too(
        recording in recordings(SHAPE, Content::Branches),
        (window, span, batch) in (4..20usize, 4..50usize, 1..30usize),
    ) {
        pieces_agree(&recording, (&recording, &Some), &settings(Model::Mc, window, span), batch)?;
    }

    #[test]
    fn pieces_with_hidden_methods_do_so_too(
        hidden in hidden(SHAPE, Content::Values),
        (window, span, batch) in (4..20usize, 4..50usize, 1..30usize),
    ) {
        let place = |at: usize| hidden.places[at];
        pieces_agree(&hidden.visible, (&hidden.complete, &place), &settings(Model::Rdit, window, span), batch)?;
    }

    #[test]
    fn shards_find_together_what_one_finds(
        recording in recordings(SHAPE, Content::Values),
        (window, span, of) in (4..20usize, 4..50usize, 1..5u64),
    ) {
        shards_agree(&recording, &settings(Model::Mc, window, span), of)?;
    }

    #[test]
    fn shards_with_hidden_methods_do_so_too(
        hidden in hidden(SHAPE, Content::Branches),
        (window, span, of) in (4..20usize, 4..50usize, 1..5u64),
    ) {
        shards_agree(&hidden.visible, &settings(Model::Rdit, window, span), of)?;
    }
}

#[test]
fn what_there_was_no_time_for_is_listed() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let recording = proptest::strategy::Strategy::new_tree(&recordings(SHAPE, Content::Values), &mut runner);
    let recording = proptest::strategy::ValueTree::current(&recording.expect("a trace can be made"));
    let over = Settings { deadline: Some(Instant::now()), ..settings(Model::Mc, 5, 10) };
    for found in [in_memory(&recording, &over), streamed(&recording, &over, 7)] {
        assert_eq!((found.windows, found.races.len()), (0, 0));
        assert_eq!(found.not_looked_at, [Gap { from: 0, to: None }]);
    }
}

#[test]
fn shards_are_numbered_from_one() {
    assert_eq!(Shard::new(1, 1), Some(Shard::ALL));
    assert_eq!(Shard::new(3, 3).map(Shard::number), Some(3));
    assert_eq!((Shard::new(0, 3), Shard::new(4, 3), Shard::new(1, 0)), (None, None, None));
}
