//! All windows of a trace, in parallel, with a result that does not depend on how many threads there are.

use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

use model::{Access, AccessKind, VarId};
use rayon::prelude::*;

use crate::candidates::LocationPair;
use crate::query::{self, Open, Outcome, Scope};
use crate::recording::Recording;
use crate::window::{Window, Windows};
use crate::{Model, tier};

/// How to predict.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which reorderings count.
    pub model: Model,
    /// Events in a window.
    pub window: usize,
    /// How many pairs are asked for.
    pub scope: Scope,
    /// Conflicts after which a question is given up.
    pub conflicts: u64,
    /// Pairs of events at most that are asked for two program locations in one window.
    pub pairs: usize,
    /// When to stop asking.
    pub deadline: Option<Instant>,
    /// How many threads work on it; 0 for as many as there are processors.
    pub jobs: usize,
}

impl Settings {
    /// The windows of the thesis, one race for each two locations.
    #[must_use]
    pub fn new(model: Model) -> Self {
        Settings {
            model,
            window: 10_000,
            scope: Scope::Locations,
            conflicts: 20_000,
            pairs: 1000,
            deadline: None,
            jobs: 0,
        }
    }
}

/// A feasible run that ends just before both accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// All events before this position run first, as they did.
    pub after: u64,
    /// Then these, in this order.
    pub order: Vec<u64>,
}

/// A race that some feasible reordering shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicted {
    /// The location that both access.
    pub var: VarId,
    /// The access that came first in the trace.
    pub earlier: Access,
    /// The access that came second.
    pub later: Access,
    /// The run that shows it.
    pub witness: Witness,
}

/// Pairs of two program locations that could not be decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// The locations.
    pub locations: LocationPair,
    /// How many pairs of events.
    pub count: u64,
    /// One that was given up.
    pub example: Option<(u64, u64)>,
}

/// What was found in a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prediction {
    /// Windows looked at.
    pub windows: u64,
    /// Questions asked of the solver.
    pub queries: u64,
    /// Races, by the position of their later access.
    pub races: Vec<Predicted>,
    /// What was not decided, by locations.
    pub undecided: Vec<Undecided>,
}

/// Windows that are asked at once. Which location pairs are settled is looked at between batches only, so that the
/// result does not depend on who is faster.
const BATCH: usize = 16;

/// Predicts the races of a trace. Calls `progress` now and then, with the windows done, those in all, and the races.
pub fn predict(
    recording: &Recording,
    settings: &Settings,
    progress: &mut dyn FnMut(usize, usize, usize),
) -> Prediction {
    let mut prediction = Prediction::default();
    let mut settled: HashSet<LocationPair> = HashSet::new();
    if settings.scope == Scope::Locations && tier::is_sound(recording, settings.model) {
        for race in tier::races(recording, settings) {
            settled.insert(locations(&race));
            prediction.races.push(race);
        }
    }
    let pool = match settings.jobs {
        1 => None,
        jobs => rayon::ThreadPoolBuilder::new().num_threads(jobs).build().ok(),
    };
    let mut windows = Windows::new(recording, settings.model, settings.window);
    let count = windows.total();
    let mut open: BTreeMap<LocationPair, Undecided> = BTreeMap::new();
    loop {
        let batch: Vec<Window<'_>> = windows.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        let ask = |window: &Window<'_>| query::window(window, settings, &settled);
        let outcomes: Vec<Outcome> = match &pool {
            Some(pool) => pool.install(|| batch.par_iter().map(ask).collect()),
            // One thread is asked for, or none was to be had: this one can do it.
            None => batch.iter().map(ask).collect(),
        };
        for (window, outcome) in batch.iter().zip(outcomes) {
            prediction.windows += 1;
            prediction.queries += outcome.queries;
            take(&mut prediction.races, &mut settled, settings.scope, window, &outcome);
            note_undecided(&mut open, window, &outcome);
        }
        progress(prediction.windows as usize, count, prediction.races.len());
    }
    prediction.undecided = match settings.scope {
        Scope::Locations => open.into_values().filter(|open| !settled.contains(&open.locations)).collect(),
        Scope::Pairs(_) => open.into_values().collect(),
    };
    prediction.races.sort_by_key(|race| (race.later.at, race.earlier.at));
    prediction
}

/// What was answered to a question about two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Some feasible reordering has them next to each other.
    Race,
    /// None has, of those that change nothing outside the window.
    NoRace,
    /// The solver gave up.
    Undecided,
}

/// Asks whether two accesses, by their places, can race, in one window that begins `before` events earlier than both.
#[must_use]
pub fn ask(recording: &Recording, settings: &Settings, (earlier, later): (usize, usize), before: usize) -> Verdict {
    let window = spanning(recording, settings, (earlier, later), before);
    let start = window.range.start;
    query::pair(&window, settings, ((earlier - start) as u32, (later - start) as u32))
}

/// The window that begins `before` events earlier than two accesses and ends with the later one.
pub(crate) fn spanning<'a>(
    recording: &'a Recording,
    settings: &Settings,
    (earlier, later): (usize, usize),
    before: usize,
) -> Window<'a> {
    let start = earlier.saturating_sub(before);
    let mut windows = Windows::new(recording, settings.model, settings.window);
    windows.pass_to(start);
    windows.window(start..later + 1)
}

fn take(
    races: &mut Vec<Predicted>,
    settled: &mut HashSet<LocationPair>,
    scope: Scope,
    window: &Window<'_>,
    outcome: &Outcome,
) {
    for found in &outcome.races {
        if scope == Scope::Locations && !settled.insert(found.locations) {
            continue;
        }
        let start = window.range.start as u64 + window.recording.first.0;
        let side = |place| access(window.recording, window.range.start, place);
        let (Some((var, earlier)), Some((_, later))) = (side(found.pair.0), side(found.pair.1)) else { continue };
        let order = found.witness.iter().map(|&event| start + u64::from(event)).collect();
        races.push(Predicted { var, earlier, later, witness: Witness { after: start, order } });
    }
}

fn note_undecided(open: &mut BTreeMap<LocationPair, Undecided>, window: &Window<'_>, outcome: &Outcome) {
    let start = window.range.start as u64 + window.recording.first.0;
    for &Open { locations, count, example } in &outcome.undecided {
        let entry = open.entry(locations).or_insert(Undecided { locations, count: 0, example: None });
        entry.count += count;
        entry.example = entry.example.or(example.map(|(one, two)| (start + u64::from(one), start + u64::from(two))));
    }
}

/// One side of a race, by its place after `start`.
pub(crate) fn access(recording: &Recording, start: usize, place: u32) -> Option<(VarId, Access)> {
    let at = start + place as usize;
    let event = recording.events.get(at)?;
    let (var, kind): (VarId, AccessKind) = event.op.access()?;
    let at = model::EventIndex(recording.first.0 + at as u64);
    Some((var, Access { thread: event.thread, kind, site: event.site, at }))
}

fn locations(race: &Predicted) -> LocationPair {
    LocationPair::new((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind))
}
