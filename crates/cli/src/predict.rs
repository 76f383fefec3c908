//! `autodrome predict`: races of other schedules, from one trace.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use detect::catalog::{Algorithm, Pipeline};
use model::{Access, Evidence, Grade, Race, VarId};
use predict::{LocationPair, Model, Predicted, Recording, Scope, Witness};
use report::{Format, PredictedRace, Prediction, Run, Step, UndecidedLocations};
use trace::{Ending, Recorded};

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

    /// How many threads work on it [default: one for each processor].
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,

    /// Stop asking after this time (30s, 5m, 1h) and count the rest as undecided.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,

    /// Ask for every N-th pair of events, and report each, instead of one race for each two program locations.
    #[arg(long, value_name = "N")]
    every: Option<usize>,

    /// Give up a question after as many conflicts.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    conflicts: u64,
}

impl Effort {
    /// The same for the predictor; a budget counts from now on.
    pub(crate) fn settings(&self, model: Model, recording: &Recording) -> predict::Settings {
        let mut settings = predict::Settings::new(model);
        settings.window = if self.window == 0 { recording.events.len() } else { self.window };
        settings.jobs = self.jobs;
        if let Some(step) = self.every {
            settings.scope = Scope::Pairs(step);
        }
        settings.conflicts = self.conflicts;
        settings.deadline = self.budget.and_then(|budget| Instant::now().checked_add(budget));
        settings
    }
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
        let (recording, ending) = load(&self.trace, self.skip_damaged)?;
        let (mut prediction, races) = predict(&recording, self.model, &self.effort);
        prediction.header.notes.extend(names::notes(&self.trace, &ending));
        if !ending.damaged.is_empty() {
            prediction
                .header
                .notes
                .push("events are numbered without those skipped, and a race may be none".to_owned());
        }
        if let Some(folder) = &self.schedules {
            write_schedules(folder, &recording, &races)?;
        }
        self.gate.conclude(judge, &mut prediction, self.format, self.out.as_deref())
    }
}

fn write_schedules(folder: &Path, recording: &Recording, races: &[Predicted]) -> Result<()> {
    if races.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (number, race) in (1..).zip(races) {
        let path = folder.join(format!("race-{number}.schedule.json"));
        out::write(Some(&path), &schedule::json(recording, race)?)?;
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
        bail!("{}: more events than prediction can number", path.display());
    }
    Ok((recording, source.ending().clone()))
}

/// Predicts by a model. Races with a run that shows them come in full, too.
pub(crate) fn predict(recording: &Recording, model: ModelName, effort: &Effort) -> (Prediction, Vec<Predicted>) {
    let started = Instant::now();
    let mut result = Prediction::new(model.name());
    result.header.events = recording.events.len() as u64;
    let races = match model {
        ModelName::Mc => by_solver(recording, Model::Mc, effort, &mut result),
        ModelName::Rdit => by_solver(recording, Model::Rdit, effort, &mut result),
        ModelName::Hb => by_detector(recording, Algorithm::Djit, &mut result),
        ModelName::Wcp => by_detector(recording, Algorithm::Wcp, &mut result),
        ModelName::Syncp => by_detector(recording, Algorithm::SyncP, &mut result),
    };
    result.header.seconds = started.elapsed().as_secs_f64();
    result.header.cpu_seconds = resources::process_cpu_seconds();
    result.header.peak_kilobytes = resources::peak_kilobytes();
    (result, races)
}

fn by_solver(recording: &Recording, model: Model, effort: &Effort, result: &mut Prediction) -> Vec<Predicted> {
    let settings = effort.settings(model, recording);
    let mut display = Display::of_windows(result.model.clone());
    let found = predict::predict(recording, &settings, &mut |done, all, races| {
        display.update(trace::Progress { read: done as u64, total: all as u64 }, races);
    });
    let tables = &recording.tables;
    result.windows = found.windows;
    result.queries = found.queries;
    result.undecided = found.undecided.iter().map(|open| open.count).sum();
    result.undecided_locations = (found.undecided.iter())
        .map(|open| UndecidedLocations {
            locations: [tables.site_name(open.locations.0.0), tables.site_name(open.locations.1.0)],
            count: open.count,
            example: open.example.map(|(one, two)| [one, two]),
        })
        .collect();
    result.races = found.races.iter().map(|race| by_name(recording, race, model)).collect();
    found.races
}

/// §4.4.3 of the thesis: what it asks of hidden methods if objects are walked once.
const FOLLOWED: &str = "hidden methods do not synchronize through objects that they themselves have made reachable";

fn by_name(recording: &Recording, race: &Predicted, model: Model) -> PredictedRace {
    let is_followed = model == Model::Rdit && recording.header.followed == Recorded::Yes && !recording.reach.is_empty();
    PredictedRace {
        assumes: is_followed.then(|| FOLLOWED.to_owned()),
        ..named(recording, race.var, Grade::Predicted, [race.earlier, race.later], Some(&race.witness))
    }
}

fn named(
    recording: &Recording,
    var: VarId,
    grade: Grade,
    accesses: [Access; 2],
    witness: Option<&Witness>,
) -> PredictedRace {
    PredictedRace {
        race: names::trace_race(var, grade, accesses, &recording.tables),
        after: witness.map(|witness| witness.after),
        witness: witness.map(|witness| witness.order.clone()),
        assumes: None,
        run: witness.map(|witness| run(recording, witness, accesses)),
    }
}

/// Steps that are told by name.
const TOLD: usize = 40;

/// The end of a witness by name. What runs as it did is told too, as far as there is room: it says how the threads started.
fn run(recording: &Recording, witness: &Witness, accesses: [Access; 2]) -> Run {
    let step = |event: u64| -> Option<Step> {
        let place = usize::try_from(event.checked_sub(recording.first.0)?).ok()?;
        let (tables, taken) = (&recording.tables, recording.events.get(place)?);
        let (thread, at) = (names::thread(taken.thread, tables), tables.site_name(taken.site));
        Some(Step { event, thread, does: names::deed(taken.op, tables), at })
    };
    let all = witness.after - recording.first.0 + witness.order.len() as u64;
    let mut steps: Vec<Step> = (witness.order.iter().rev().copied())
        .chain((recording.first.0..witness.after).rev())
        .take(TOLD)
        .filter_map(step)
        .collect();
    steps.reverse();
    let next = accesses.iter().filter_map(|access| step(access.at.0)).collect();
    Run { before: all - steps.len() as u64, steps, next }
}

/// The races of a detector, one for each two program locations.
fn by_detector(recording: &Recording, algorithm: Algorithm, result: &mut Prediction) -> Vec<Predicted> {
    let mut seen: HashSet<LocationPair> = HashSet::new();
    let mut found: Vec<Race> = Vec::new();
    let mut pipeline = Pipeline::new(algorithm, detect::catalog::Settings::default());
    pipeline.observe(recording.first, &recording.events, &mut |race| {
        let sides = ((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind));
        let is_told = !recording.tables.are_of_platform(race.earlier.site, race.later.site);
        if is_told && seen.insert(LocationPair::new(sides.0, sides.1)) {
            found.push(race);
        }
    });
    let mut proved = Vec::new();
    for race in found {
        let witness = match &race.evidence {
            Evidence::Witness(witness) => Some(in_full(recording, &witness.prefix)),
            _ => None,
        };
        let (grade, accesses) = (race.evidence.grade(), [race.earlier, race.later]);
        result.races.push(named(recording, race.var, grade, accesses, witness.as_ref()));
        proved.extend(witness.map(|witness| Predicted {
            var: race.var,
            earlier: race.earlier,
            later: race.later,
            witness,
        }));
    }
    proved
}

/// The first so many events of each thread, in the order of the trace.
fn in_full(recording: &Recording, prefix: &[u64]) -> Witness {
    let mut left = prefix.to_vec();
    let first = recording.first.0;
    let mut order = Vec::new();
    for (at, event) in (first..).zip(&recording.events) {
        if let Some(left) = left.get_mut(event.thread.index()).filter(|left| **left > 0) {
            *left -= 1;
            order.push(at);
        }
    }
    let head = order.iter().zip(first..).take_while(|(event, at)| *event == at).count();
    Witness { after: first + head as u64, order: order.split_off(head) }
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
