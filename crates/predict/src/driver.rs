//! All windows of a trace, in parallel, with a result that does not depend on how many threads there are.
//!
//! A trace is predicted in stretches of [`Settings::span`] events. A stretch is in memory; of what comes before it only the
//! locks that are held, what is stored in each variable, and the calls that have not returned. The windows of a stretch are asked
//! in batches, after its sync-preserving races (`tier`).
//!
//! *Misses* pairs of accesses in two windows, unless they are sync-preserving and lie in one stretch. What the time did not
//! suffice for is in [`Prediction::not_looked_at`].

use std::collections::{BTreeMap, HashSet};
use std::mem;
use std::time::Instant;

use model::{Access, AccessKind, Event, EventIndex, VarId};
use rayon::prelude::*;
use trace::Progress;

use crate::candidates::LocationPair;
use crate::hidden::{Calls, Hidden, Reach};
use crate::query::{self, Open, Outcome, Scope};
use crate::recording::{Recording, Stretch};
use crate::window::{State, Window, Windows};
use crate::{Model, tier};

/// How to predict.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which reorderings count.
    pub model: Model,
    /// Events in a window.
    pub window: usize,
    /// Events in memory at once, as many whole windows as they hold and one at least.
    pub span: usize,
    /// Which of the windows are looked at.
    pub shard: Shard,
    /// How many pairs are asked for.
    pub scope: Scope,
    /// Conflicts after which a question is given up.
    pub conflicts: u64,
    /// Pairs of events at most that are asked for two program locations in one window.
    pub pairs: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// How many threads work on it; 0 for as many as there are processors.
    pub jobs: usize,
    /// Whether each race comes with the events of its witness.
    pub with_steps: bool,
}

impl Settings {
    /// The windows of the thesis, one race for each two locations.
    #[must_use]
    pub fn new(model: Model) -> Self {
        Settings {
            model,
            window: 10_000,
            span: 1_000_000,
            shard: Shard::ALL,
            scope: Scope::Locations,
            conflicts: 20_000,
            pairs: 1000,
            deadline: None,
            jobs: 0,
            with_steps: false,
        }
    }

    /// Is the time up?
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Events in a stretch: whole windows.
    #[must_use]
    pub fn stretch(&self) -> usize {
        let window = self.window.max(1);
        window.saturating_mul((self.span / window).max(1))
    }
}

/// One of several parts of the work: every so many-th window, and every so many-th stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// All of the work.
    pub const ALL: Shard = Shard { index: 0, of: 1 };

    /// The part of a number from 1 to `of`; `None` if there is no such part.
    #[must_use]
    pub fn new(number: u64, of: u64) -> Option<Self> {
        let index = number.checked_sub(1)?;
        (index < of).then_some(Shard { index, of })
    }

    /// Its number, from 1 on.
    #[must_use]
    pub fn number(self) -> u64 {
        self.index + 1
    }

    /// How many parts there are.
    #[must_use]
    pub fn of(self) -> u64 {
        self.of
    }

    fn has(self, number: u64) -> bool {
        number % self.of == self.index
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

/// How many steps of a run each race has.
pub const TAIL: usize = 40;

/// What found a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The search for sync-preserving races in a stretch.
    Stretch,
    /// The questions about the window of this number.
    Window(u64),
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
    /// What found it.
    pub origin: Origin,
    /// The last [`TAIL`] steps of that run, with their positions.
    pub tail: Vec<(u64, Event)>,
    /// The events of the witness, if [`Settings::with_steps`] asks for them.
    pub steps: Vec<Event>,
}

impl Predicted {
    pub(crate) fn new(
        recording: Stretch<'_>,
        settings: &Settings,
        origin: Origin,
        var: VarId,
        [earlier, later]: [Access; 2],
        witness: Witness,
    ) -> Self {
        let step = |at: u64| recording.event(at).map(|event| (at, event));
        let run = witness.order.iter().rev().copied().chain((0..witness.after).rev().take(TAIL));
        let mut tail: Vec<(u64, Event)> = run.take(TAIL).map_while(step).collect();
        tail.reverse();
        let wanted = if settings.with_steps { witness.order.as_slice() } else { &[] };
        let steps = wanted.iter().filter_map(|&at| recording.event(at)).collect();
        Predicted { var, earlier, later, witness, origin, tail, steps }
    }
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

/// Events that nothing was asked about, by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The first.
    pub from: u64,
    /// The first after them; `None` if they go on to the end of the trace.
    pub to: Option<u64>,
}

/// What was found in a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prediction {
    /// The position of the first event.
    pub first: u64,
    /// Events read.
    pub events: u64,
    /// Windows looked at.
    pub windows: u64,
    /// Questions asked of the solver.
    pub queries: u64,
    /// Races, by the position of their later access.
    pub races: Vec<Predicted>,
    /// What was not decided, by locations.
    pub undecided: Vec<Undecided>,
    /// What nothing was asked about, because the time was up.
    pub not_looked_at: Vec<Gap>,
    /// Were methods hidden?
    pub has_hidden: bool,
}

/// Windows that are asked at once. Which location pairs are settled is looked at between batches only, so that the
/// result does not depend on who is faster.
const BATCH: usize = 16;

/// Predicts the races of a trace in memory. Calls `progress` now and then, with the events done and the races.
pub fn predict(recording: &Recording, settings: &Settings, progress: &mut dyn FnMut(Progress, usize)) -> Prediction {
    let mut engine = Engine::new(settings);
    let foresight = (settings.model == Model::Rdit && !recording.reach.is_empty()).then(|| recording.foresight());
    let mut calls = Calls::default();
    let (total, length) = (recording.events.len(), settings.stretch());
    let mut start = 0;
    while start < total && !settings.is_over() {
        let end = total.min(start.saturating_add(length));
        let whole = recording.whole();
        let (first, events) = (recording.first.0 + start as u64, &recording.events[start..end]);
        let reach: Reach =
            recording.reach.range(start..end).map(|(&at, objects)| (at - start, objects.clone())).collect();
        let hidden = match &foresight {
            Some(foresight) => calls.stretch(first, events, &reach, Some(foresight)),
            None => Hidden::default(),
        };
        let values = &recording.values[start.min(whole.values.len())..end.min(whole.values.len())];
        let recent = &recording.events[start.saturating_sub(TAIL)..start];
        let stretch = Stretch { first: EventIndex(first), events, values, hidden: &hidden, recent, ..whole };
        engine.stretch(stretch, &mut |done, races| {
            progress(Progress { read: (start + done) as u64, total: total as u64 }, races);
        });
        start = end;
    }
    let mut prediction = engine.finish(recording.first.0 + start as u64, start < total);
    prediction.first = recording.first.0;
    prediction.events = total as u64;
    prediction.has_hidden = !recording.reach.is_empty();
    prediction
}

/// What is found in a trace, stretch by stretch.
pub(crate) struct Engine<'s> {
    settings: &'s Settings,
    pool: Option<rayon::ThreadPool>,
    /// How things are when the next stretch starts.
    state: State,
    /// Events so far.
    passed: u64,
    settled: HashSet<LocationPair>,
    open: BTreeMap<LocationPair, Undecided>,
    prediction: Prediction,
}

impl<'s> Engine<'s> {
    pub(crate) fn new(settings: &'s Settings) -> Self {
        Engine {
            settings,
            pool: match settings.jobs {
                1 => None,
                // Where no threads are to be had, this one can do it.
                jobs => rayon::ThreadPoolBuilder::new().num_threads(jobs).build().ok(),
            },
            state: State::default(),
            passed: 0,
            settled: HashSet::new(),
            open: BTreeMap::new(),
            prediction: Prediction::default(),
        }
    }

    /// Looks at the next stretch. Calls `progress` now and then, with how many of its events are done, and the races.
    pub(crate) fn stretch(&mut self, stretch: Stretch<'_>, progress: &mut dyn FnMut(usize, usize)) {
        let settings = self.settings;
        let number = self.passed / settings.stretch() as u64;
        let is_asked = settings.scope == Scope::Locations && settings.shard.has(number);
        if is_asked && tier::is_sound(stretch, settings.model) {
            for race in tier::races(stretch, &self.state, settings, &self.settled) {
                self.settled.insert(locations(&race));
                self.prediction.races.push(race);
            }
        }
        let state = mem::take(&mut self.state);
        let mut windows = Windows::new(stretch, settings.model, settings.window, &state);
        while !settings.is_over() {
            let batch = self.batch(&mut windows);
            if batch.is_empty() {
                break;
            }
            self.ask(&batch);
            progress(windows.place(), self.prediction.races.len());
        }
        let end = stretch.events.len();
        if windows.place() < end {
            self.pass_over(stretch.first.0 + windows.place() as u64, stretch.first.0 + end as u64);
        }
        let changes = windows.finish();
        self.state = state;
        self.state.apply(changes);
        self.passed += end as u64;
    }

    /// The next windows of this shard.
    fn batch<'a>(&self, windows: &mut Windows<'a, '_>) -> Vec<(u64, Window<'a>)> {
        let length = self.settings.window.max(1);
        let mut batch = Vec::new();
        while batch.len() < BATCH && !windows.is_at_end() {
            let number = (self.passed + windows.place() as u64) / length as u64;
            if self.settings.shard.has(number) {
                batch.extend(windows.next().map(|window| (number, window)));
            } else {
                windows.pass_to(windows.place().saturating_add(length));
            }
        }
        batch
    }

    fn ask(&mut self, batch: &[(u64, Window<'_>)]) {
        let (settings, settled) = (self.settings, &self.settled);
        let ask = |(_, window): &(u64, Window<'_>)| query::window(window, settings, settled);
        let outcomes: Vec<Option<Outcome>> = match &self.pool {
            Some(pool) => pool.install(|| batch.par_iter().map(ask).collect()),
            None => batch.iter().map(ask).collect(),
        };
        for ((number, window), outcome) in batch.iter().zip(outcomes) {
            let Some(outcome) = outcome else {
                let first = window.recording.first.0;
                self.pass_over(first + window.range.start as u64, first + window.range.end as u64);
                continue;
            };
            self.prediction.windows += 1;
            self.prediction.queries += outcome.queries;
            self.take(*number, window, &outcome);
            note_undecided(&mut self.open, window, &outcome);
        }
    }

    fn take(&mut self, number: u64, window: &Window<'_>, outcome: &Outcome) {
        let settings = self.settings;
        let recording = window.recording;
        let start = window.range.start as u64 + recording.first.0;
        for found in &outcome.races {
            if settings.scope == Scope::Locations && !self.settled.insert(found.locations) {
                continue;
            }
            let side = |place| access(recording, window.range.start, place);
            let (Some((var, earlier)), Some((_, later))) = (side(found.pair.0), side(found.pair.1)) else { continue };
            let order = found.witness.iter().map(|&event| start + u64::from(event)).collect();
            let witness = Witness { after: start, order };
            let origin = Origin::Window(number);
            self.prediction.races.push(Predicted::new(recording, settings, origin, var, [earlier, later], witness));
        }
    }

    /// Nothing is asked about these events.
    fn pass_over(&mut self, from: u64, to: u64) {
        match self.prediction.not_looked_at.last_mut() {
            Some(gap) if gap.to == Some(from) => gap.to = Some(to),
            _ => self.prediction.not_looked_at.push(Gap { from, to: Some(to) }),
        }
    }

    /// What was found. If the trace goes on at a position, nothing was asked about the rest.
    pub(crate) fn finish(mut self, position: u64, goes_on: bool) -> Prediction {
        if goes_on {
            self.pass_over(position, position);
            self.prediction.not_looked_at.last_mut().into_iter().for_each(|gap| gap.to = None);
        }
        let Engine { settings, settled, open, mut prediction, passed, .. } = self;
        prediction.events = passed;
        prediction.undecided = match settings.scope {
            Scope::Locations => open.into_values().filter(|open| !settled.contains(&open.locations)).collect(),
            Scope::Pairs(_) => open.into_values().collect(),
        };
        prediction.races.sort_by_key(|race| (race.later.at, race.earlier.at));
        prediction
    }
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
    let state = State::default();
    let mut windows = Windows::new(recording.whole(), settings.model, settings.window, &state);
    windows.pass_to(start);
    windows.window(start..later + 1)
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
fn access(recording: Stretch<'_>, start: usize, place: u32) -> Option<(VarId, Access)> {
    let at = start + place as usize;
    let event = recording.events.get(at)?;
    let (var, kind): (VarId, AccessKind) = event.op.access()?;
    let at = model::EventIndex(recording.first.0 + at as u64);
    Some((var, Access { thread: event.thread, kind, site: event.site, at }))
}

fn locations(race: &Predicted) -> LocationPair {
    LocationPair::new((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind))
}
