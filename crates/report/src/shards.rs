//! Parts of a prediction, joined.
//!
//! Each shard has looked at every so many-th window of one trace. What all of them found together is what one prediction of the
//! whole trace finds: of each two program locations the race that it would have come to first. *Invariant:* in whatever order
//! shards are joined, the result is the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::offline::TraceResult;
use crate::prediction::{PredictedRace, Prediction, UndecidedLocations};
use crate::report::Report;

/// Which part of the work a prediction is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartOf {
    /// The numbers of the shards, from 1 on, ascending.
    pub shards: Vec<u64>,
    /// How many shards there are.
    pub of: u64,
    /// The name of the trace's file.
    pub trace: String,
    /// Events in a window.
    pub window: u64,
    /// Events in a stretch, in which sync-preserving races are looked for.
    pub stretch: u64,
    /// Which pairs are asked for, if not one for each two program locations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
}

impl PartOf {
    /// Can the two be parts of one prediction, and no part is in both?
    fn goes_with(&self, other: &PartOf) -> bool {
        let same = |part: &PartOf| PartOf { shards: Vec::new(), ..part.clone() };
        same(self) == same(other) && other.shards.iter().all(|shard| !self.shards.contains(shard))
    }

    /// The shards that are missing.
    fn missing(&self) -> Vec<u64> {
        (1..=self.of).filter(|shard| !self.shards.contains(shard)).collect()
    }
}

impl fmt::Display for PartOf {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shards: Vec<String> = self.shards.iter().map(u64::to_string).collect();
        let noun = if shards.len() == 1 { "shard" } else { "shards" };
        write!(out, "{noun} {} of {}", shards.join(", "), self.of)
    }
}

/// Where a race of a shard was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundIn {
    /// The two locations as all shards of a trace number them, and whether each of them writes.
    pub pair: [u64; 4],
    /// The window; absent if it is a sync-preserving race of a stretch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
}

/// What tells the races of a prediction from each other: the locations, or the events if all pairs are asked for.
type Key = ([u64; 4], [u64; 2]);

fn key(race: &PredictedRace, shard: &PartOf) -> Key {
    let pair = race.part.map_or([0; 4], |part| part.pair);
    let events = [race.race.earlier.event, race.race.later.event];
    (pair, if shard.every.is_some() { events } else { [0; 2] })
}

/// What a prediction of the whole comes to first: stretch by stretch, and in each the sync-preserving races before the windows.
fn rank(race: &PredictedRace, shard: &PartOf) -> (u64, Option<u64>) {
    (race.after.unwrap_or(0) / shard.stretch.max(1), race.part.and_then(|part| part.window))
}

/// Joins two shards of one prediction.
fn join(one: Prediction, two: Prediction, shard: PartOf) -> Prediction {
    let mut races: BTreeMap<Key, PredictedRace> = BTreeMap::new();
    for race in one.races.into_iter().chain(two.races) {
        let key = key(&race, &shard);
        match races.get(&key) {
            Some(known) if rank(known, &shard) <= rank(&race, &shard) => {}
            _ => drop(races.insert(key, race)),
        }
    }
    let mut open: BTreeMap<Option<[u64; 4]>, UndecidedLocations> = BTreeMap::new();
    for locations in one.undecided_locations.into_iter().chain(two.undecided_locations) {
        match open.get_mut(&locations.pair) {
            Some(known) => {
                known.count += locations.count;
                known.example = known.example.into_iter().chain(locations.example).min();
            }
            None => drop(open.insert(locations.pair, locations)),
        }
    }
    if shard.every.is_none() {
        let decided: BTreeSet<[u64; 4]> = races.keys().map(|&(pair, _)| pair).collect();
        open.retain(|pair, _| pair.is_none_or(|pair| !decided.contains(&pair)));
    }
    let mut races: Vec<PredictedRace> = races.into_values().collect();
    races.sort_by_key(|race| (race.race.later.event, race.race.earlier.event));
    let mut header = one.header;
    header.events = header.events.max(two.header.events);
    header.seconds = header.seconds.max(two.header.seconds);
    header.cpu_seconds = header.cpu_seconds.zip(two.header.cpu_seconds).map(|(one, two)| one + two);
    header.peak_kilobytes = header.peak_kilobytes.max(two.header.peak_kilobytes);
    header.notes.extend(two.header.notes);
    header.notes.sort();
    header.notes.dedup();
    let mut not_looked_at = [one.not_looked_at, two.not_looked_at].concat();
    not_looked_at.sort_unstable();
    not_looked_at.dedup();
    Prediction {
        header,
        windows: one.windows + two.windows,
        queries: one.queries + two.queries,
        undecided: open.values().map(|locations| locations.count).sum(),
        undecided_locations: open.into_values().collect(),
        not_looked_at,
        shard: Some(shard),
        races,
        ..Prediction::new(one.model)
    }
}

/// The prediction that a report is made of, if that is a shard.
fn shard_of(report: &Report) -> Option<(Prediction, PartOf)> {
    match report.analyses.as_slice() {
        [TraceResult::Prediction(prediction)] => Some((prediction.clone(), prediction.shard.clone()?)),
        _ => None,
    }
}

impl Report {
    /// Joins reports: shards of one prediction to that prediction first, then all of them.
    #[must_use]
    pub fn joined(reports: Vec<Report>) -> Report {
        let mut all = Report::default();
        let mut predictions: Vec<(Prediction, PartOf)> = Vec::new();
        for report in reports {
            let Some((prediction, shard)) = shard_of(&report) else {
                all.merge(report);
                continue;
            };
            let fits = |known: &(Prediction, PartOf)| known.0.model == prediction.model && known.1.goes_with(&shard);
            match predictions.iter().position(fits) {
                Some(place) => {
                    let (known, mut parts) = predictions.swap_remove(place);
                    parts.shards.extend(shard.shards);
                    parts.shards.sort_unstable();
                    predictions.push((join(known, prediction, parts.clone()), parts));
                }
                None => predictions.push((prediction, shard)),
            }
        }
        for (prediction, shard) in predictions {
            all.merge(TraceResult::Prediction(closed(prediction, &shard)).into_report());
        }
        all
    }
}

/// A prediction that lacks no shard is one of the whole; else it says what it lacks.
fn closed(mut prediction: Prediction, shard: &PartOf) -> Prediction {
    let missing = shard.missing();
    prediction.header.notes.retain(|note| !note.ends_with(MISSING));
    if missing.is_empty() {
        prediction.shard = None;
        prediction.races.iter_mut().for_each(|race| race.part = None);
        prediction.undecided_locations.iter_mut().for_each(|locations| locations.pair = None);
    } else {
        let lacking = PartOf { shards: missing, ..shard.clone() };
        prediction.header.notes.push(format!("{}: {lacking} {MISSING}", shard.trace));
    }
    prediction
}

const MISSING: &str = "missing: nothing was asked about their windows";
