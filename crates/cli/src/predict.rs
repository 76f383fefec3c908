//! `autodrome predict`: races of other schedules, from one trace.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use detect::catalog::{Algorithm, Pipeline};
use model::{AccessKind, Event, Grade};
use predict::{Gap, Location, LocationPair, Model, Origin, Predicted, Recording, Scope, Shard};
use report::{EventRange, Format, FoundIn, PartOf, PredictedRace, Prediction, Run, Step, UndecidedLocations};
use trace::{Damage, Ending, Header, Recorded, Tables};

use crate::detected::Detected;
use crate::gate::Gate;
use crate::progress::Display;
use crate::{Result, analyze, names, out, resources, schedule};

/// Predicts the races of other schedules from a recorded trace, each with a run that shows it.
#[derive(Args)]
pub(crate) struct Predict {
    /// The trace: binary (.adt), readable text, or RAPID's STD; known by its content.
    trace: PathBuf,

    /// Which reorderings count: mc (the maximal causal model), rdit (mc, with calls of hidden methods as barriers), hb,
    /// wcp, syncp (the detectors of `analyze`).
    #[arg(long, value_enum, default_value_t = ModelName::Rdit)]
    model: ModelName,

    #[command(flatten)]
    effort: Effort,

    /// How the result is written: text, json (autodrome.predict/1), sarif, junit, github, markdown, html.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Write the result to a file instead of stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the run that shows each race to a file of its own in this folder.
    #[arg(long, value_name = "FOLDER")]
    schedules: Option<PathBuf>,

    /// Go on after a damaged part of the trace instead of refusing it.
    #[arg(long)]
    skip_damaged: bool,

    #[command(flatten)]
    gate: Gate,
}

/// How much work prediction may be.
#[derive(Args, Clone, Debug)]
pub(crate) struct Effort {
    /// How many events are looked at together; 0 for the whole trace.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    window: usize,

    /// Which part of the windows is looked at, as 1/4 for the first of four; `autodrome merge` joins the results of all parts.
    #[arg(long, value_name = "I/N", value_parser = shard, default_value = "1/1", hide_default_value = true)]
    shard: Shard,

    /// How many threads work on it [default: one for each processor].
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,

    /// Stop after this time (30s, 5m, 1h) and list what was not looked at.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,

    /// Ask for every N-th pair of events, and report each, instead of one race for each two program locations.
    #[arg(long, value_name = "N")]
    every: Option<usize>,

    /// Give up a question after as many conflicts.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    conflicts: u64,
}

/// Events that a window can have: their places are numbers of 32 bits.
const LARGEST_WINDOW: usize = u32::MAX as usize - 2;

impl Effort {
    /// The same for the predictor; a budget counts from now on.
    pub(crate) fn settings(&self, model: Model) -> predict::Settings {
        let mut settings = predict::Settings::new(model);
        settings.window = if self.window == 0 { LARGEST_WINDOW } else { self.window.min(LARGEST_WINDOW) };
        settings.shard = self.shard;
        settings.jobs = self.jobs;
        if let Some(step) = self.every {
            settings.scope = Scope::Pairs(step);
        }
        settings.conflicts = self.conflicts;
        settings.deadline = self.deadline();
        settings
    }

    /// What its result says of a shard, so that it can be joined with the others.
    fn part(&self, trace: &Path, settings: &predict::Settings) -> Option<PartOf> {
        (self.shard != Shard::ALL).then(|| PartOf {
            shards: vec![self.shard.number()],
            of: self.shard.of(),
            trace: trace.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            window: settings.window as u64,
            stretch: settings.stretch() as u64,
            every: self.every.map(|step| step as u64),
        })
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.budget.and_then(|budget| Instant::now().checked_add(budget))
    }
}

/// A part of the work: its number, from 1 on, and how many there are.
fn shard(text: &str) -> std::result::Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    let shard = numbers.and_then(|(number, of)| Shard::new(number, of));
    shard.ok_or_else(|| "expected a number and how many there are, as in 1/4".to_owned())
}

/// A model by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelName {
    Mc,
    Rdit,
    Hb,
    Wcp,
    Syncp,
}

impl ModelName {
    fn kind(self) -> Kind {
        match self {
            ModelName::Mc => Kind::Solver(Model::Mc),
            ModelName::Rdit => Kind::Solver(Model::Rdit),
            ModelName::Hb => Kind::Detector(Algorithm::Djit),
            ModelName::Wcp => Kind::Detector(Algorithm::Wcp),
            ModelName::Syncp => Kind::Detector(Algorithm::SyncP),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            ModelName::Mc => "mc",
            ModelName::Rdit => "rdit",
            ModelName::Hb => "hb",
            ModelName::Wcp => "wcp",
            ModelName::Syncp => "syncp",
        }
    }
}

/// Who looks for races.
enum Kind {
    Solver(Model),
    Detector(Algorithm),
}

/// A number and a unit: ms, s, m or h; seconds without one.
fn duration(text: &str) -> std::result::Result<Duration, String> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let wrong = || "expected a number and a unit, ms, s, m or h, as in 30s".to_owned();
    let seconds = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|error| error.to_string())
}

impl Predict {
    pub(crate) fn run(&self) -> Result {
        let judge = self.gate.judge()?;
        let started = Instant::now();
        let mut source = analyze::open(&self.trace, self.skip_damaged)?;
        let damage = if self.skip_damaged { Damage::Skip } else { Damage::Refuse };
        let reopen = || trace::open_again(&self.trace, damage);
        let mut display = Display::new(self.model.name());
        let mut progress = |progress, races| display.update(progress, races);
        let mut prediction = Prediction::new(self.model.name());
        let races = match self.model.kind() {
            Kind::Solver(model) => {
                let mut settings = self.effort.settings(model);
                settings.with_steps = self.schedules.is_some();
                let found = predict::predict_source(source.as_mut(), &reopen, &settings, &mut progress);
                let found = found.context("cannot read the trace")?;
                fill(&mut prediction, &found, source.header(), source.tables(), &settings);
                prediction.shard = self.effort.part(&self.trace, &settings);
                found.races
            }
            Kind::Detector(algorithm) => {
                if self.effort.shard != Shard::ALL {
                    bail!("--shard is for the models mc and rdit: {} reads the trace as a whole", self.model.name());
                }
                let (with_steps, source) = (self.schedules.is_some(), source.as_mut());
                let found = Detected::in_trace(source, &reopen, algorithm, &self.effort, with_steps, &mut progress)?;
                found.fill(&mut prediction, source.tables())
            }
        };
        drop(display);
        finish(&mut prediction, started);
        let notes = &mut prediction.header.notes;
        notes.extend(names::notes(&self.trace, source.ending()));
        if !source.ending().damaged.is_empty() {
            notes.push("events are numbered without those skipped, and a race may be none".to_owned());
        }
        if let Some(folder) = &self.schedules {
            write_schedules(folder, source.tables(), &races)?;
        }
        self.gate.conclude(judge, &mut prediction, self.format, self.out.as_deref())
    }
}

fn write_schedules(folder: &Path, tables: &Tables, races: &[Predicted]) -> Result<()> {
    if races.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (number, race) in (1..).zip(races) {
        let path = folder.join(format!("race-{number}.schedule.json"));
        out::write(Some(&path), &schedule::json(tables, race)?)?;
    }
    Ok(())
}

/// Reads a whole trace.
pub(crate) fn load(path: &Path, skip_damaged: bool) -> Result<(Recording, Ending)> {
    let mut source = analyze::open(path, skip_damaged)?;
    let mut display = Display::new("reading");
    let recording = Recording::load(source.as_mut(), |source| display.update(source.progress(), 0));
    let recording = recording.context("cannot read the trace")?;
    if u32::try_from(recording.events.len()).is_err() {
        bail!("{}: more events than can be compared in memory", path.display());
    }
    Ok((recording, source.ending().clone()))
}

/// Predicts by a model that needs no witness of a detector.
pub(crate) fn predict(recording: &Recording, model: ModelName, effort: &Effort) -> Prediction {
    let started = Instant::now();
    let mut result = Prediction::new(model.name());
    match model.kind() {
        Kind::Solver(model) => {
            let settings = effort.settings(model);
            let mut display = Display::of_events(result.model.clone());
            let found = predict::predict(recording, &settings, &mut |progress, races| display.update(progress, races));
            fill(&mut result, &found, recording.header, &recording.tables, &settings);
        }
        Kind::Detector(algorithm) => {
            let mut detected = Detected::new(recording.first);
            let mut pipeline = Pipeline::new(algorithm, detect::catalog::Settings::default());
            detected.observe(&mut pipeline, recording.first, &recording.events, &recording.tables);
            detected.fill(&mut result, &recording.tables);
        }
    }
    finish(&mut result, started);
    result
}

fn finish(result: &mut Prediction, started: Instant) {
    result.header.seconds = started.elapsed().as_secs_f64();
    result.header.cpu_seconds = resources::process_cpu_seconds();
    result.header.peak_kilobytes = resources::peak_kilobytes();
}

fn fill(
    result: &mut Prediction,
    found: &predict::Prediction,
    header: Header,
    tables: &Tables,
    settings: &predict::Settings,
) {
    let is_part = settings.shard != Shard::ALL;
    result.header.events = found.events;
    result.windows = found.windows;
    result.queries = found.queries;
    result.undecided = found.undecided.iter().map(|open| open.count).sum();
    result.undecided_locations = (found.undecided.iter())
        .map(|open| UndecidedLocations {
            locations: [tables.site_name(open.locations.0.0), tables.site_name(open.locations.1.0)],
            count: open.count,
            example: open.example.map(|(one, two)| [one, two]),
            pair: is_part.then(|| pair(open.locations)),
        })
        .collect();
    result.not_looked_at = found.not_looked_at.iter().map(|&Gap { from, to }| EventRange { from, to }).collect();
    let is_followed = settings.model == Model::Rdit && header.followed == Recorded::Yes && found.has_hidden;
    let race = |race: &Predicted| PredictedRace {
        assumes: is_followed.then(|| FOLLOWED.to_owned()),
        part: is_part.then(|| FoundIn {
            pair: pair(LocationPair::new((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind))),
            window: match race.origin {
                Origin::Stretch => None,
                Origin::Window(number) => Some(number),
            },
        }),
        ..named(race, Grade::Predicted, found.first, true, tables)
    };
    result.races = found.races.iter().map(race).collect();
}

/// Two locations as the shards of a trace number them.
fn pair(LocationPair(one, two): LocationPair) -> [u64; 4] {
    let side = |(site, kind): Location| [u64::from(site.0), u64::from(kind == AccessKind::Write)];
    let ([one, one_writes], [two, two_writes]) = (side(one), side(two));
    [one, one_writes, two, two_writes]
}

/// §4.4.3 of the thesis: what it asks of hidden methods if objects are walked once.
const FOLLOWED: &str = "hidden methods do not synchronize through objects that they themselves have made reachable";

/// A race by name, in a trace that begins with an event.
pub(crate) fn named(race: &Predicted, grade: Grade, first: u64, is_proved: bool, tables: &Tables) -> PredictedRace {
    let accesses = [race.earlier, race.later];
    PredictedRace {
        race: names::trace_race(race.var, grade, accesses, tables),
        after: is_proved.then_some(race.witness.after),
        witness: is_proved.then(|| race.witness.order.clone()),
        assumes: None,
        run: is_proved.then(|| run(race, first, tables)),
        part: None,
    }
}

/// The end of a witness by name. What runs as it did is shown too, as far as there is room: it says how the threads started.
fn run(race: &Predicted, first: u64, tables: &Tables) -> Run {
    let step = |event: u64, taken: &Event| -> Step {
        let (thread, at) = (names::thread(taken.thread, tables), tables.site_name(taken.site));
        Step { event, thread, does: names::deed(taken.op, tables), at }
    };
    let all = race.witness.after - first + race.witness.order.len() as u64;
    let steps: Vec<Step> = race.tail.iter().map(|(at, event)| step(*at, event)).collect();
    let next = [race.earlier, race.later].map(|access| step(access.at.0, &schedule::event(race.var, access)));
    Run { before: all - steps.len() as u64, steps, next: next.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        assert!(duration("5 parsecs").is_err());
        assert!(duration("soon").is_err());
    }
}
