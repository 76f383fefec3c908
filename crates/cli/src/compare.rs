//! `autodrome compare`: the models side by side, as in table 5.3 of the thesis.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use model::Op;
use predict::{Concealed, Reason, Recording, Verdict};
use report::{ModelComparison, ModelResult, Operation, PredictedRace, Prediction, TraceAccess};

use crate::analyze::Format;
use crate::exit::Outcome;
use crate::predict::{Effort, ModelName, load, predict};
use crate::{Result, names, out, resources};

/// Compares happens-before, WCP, the maximal causal model and RDIT on one trace.
#[derive(Args)]
pub(crate) struct Compare {
    /// The trace; its format is known by its content.
    trace: PathBuf,

    /// The same program with nothing hidden: what mc finds there is the truth, and all else a false alarm.
    #[arg(long, value_name = "TRACE")]
    truth: Option<PathBuf>,

    /// The trace was recorded with `--hide` and `--reveal`: what mc finds in all of it is the truth, and the models get it
    /// without what hidden methods do.
    #[arg(long, conflicts_with = "truth")]
    conceal: bool,

    #[command(flatten)]
    effort: Effort,

    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Write the result to a file instead of stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Go on after a damaged part of the trace instead of refusing it.
    #[arg(long)]
    skip_damaged: bool,
}

/// A race as both traces name it: the two locations with their operations, and the variable if the traces are of two runs, which
/// the same numbers name differently.
type Named = (String, (String, Operation), (String, Operation));

const MODELS: [ModelName; 4] = [ModelName::Hb, ModelName::Wcp, ModelName::Mc, ModelName::Rdit];

impl Compare {
    pub(crate) fn run(&self) -> Result {
        let mut notes = vec!["wcp stands for the CP of the thesis: every race of CP is one of WCP".to_owned()];
        let truth = match &self.truth {
            Some(path) => Some(self.truth_of(&self.load(path, &mut notes)?, by_variable)),
            None => None,
        };
        let recording = self.load(&self.trace, &mut notes)?;
        let (truth, results) =
            if self.conceal { self.concealed(&recording, &mut notes)? } else { self.side_by_side(&recording, truth) };
        let found = results.iter().any(|result| result.races > 0);
        let mut comparison = ModelComparison::new(truth, results, notes);
        comparison.header.events = recording.events.len() as u64;
        comparison.header.cpu_seconds = resources::process_cpu_seconds();
        comparison.header.peak_kilobytes = resources::peak_kilobytes();
        let text = match self.format {
            Format::Text => comparison.to_string(),
            Format::Json => comparison.to_json()?,
        };
        out::write(self.out.as_deref(), &text)?;
        Ok(if found { Outcome::Races } else { Outcome::Clean })
    }

    fn load(&self, path: &std::path::Path, notes: &mut Vec<String>) -> anyhow::Result<Recording> {
        let (recording, ending) = load(path, self.skip_damaged)?;
        notes.extend(names::notes(path, &ending));
        Ok(recording)
    }

    /// What mc finds in a complete trace.
    fn truth_of(&self, complete: &Recording, name: fn(&PredictedRace) -> Named) -> BTreeSet<Named> {
        named(&predict(complete, ModelName::Mc, &self.effort), name)
    }

    fn side_by_side(&self, recording: &Recording, truth: Option<BTreeSet<Named>>) -> (Option<u64>, Vec<ModelResult>) {
        let results = MODELS.map(|model| {
            let prediction = predict(recording, model, &self.effort);
            let races = named(&prediction, by_variable);
            let wrong = truth.as_ref().map(|truth| races.difference(truth).map(described).collect());
            result(&prediction, races.len(), wrong, 0)
        });
        (truth.map(|truth| truth.len() as u64), results.into())
    }

    /// The models on what is left of a trace without what hidden methods do. A race that mc does not find in the windows of
    /// the complete trace is asked for there again, in one window that has both accesses.
    fn concealed(
        &self,
        complete: &Recording,
        notes: &mut Vec<String>,
    ) -> anyhow::Result<(Option<u64>, Vec<ModelResult>)> {
        let Concealed { recording, places } = complete.conceal();
        if places.len() == complete.events.len() {
            bail!("{} has nothing to conceal: record it with --hide and --reveal", self.trace.display());
        }
        let (all, left) = (complete.events.len(), places.len());
        notes.push(format!(
            "{all} events, {left} without hidden methods, which were called {} times",
            recording.reach.len()
        ));
        let mut truth = BTreeMap::new();
        for race in &predict(complete, ModelName::Mc, &self.effort).races {
            let place = |event: u64| (event - complete.first.0) as usize;
            truth.entry(by_place(race)).or_insert((place(race.race.earlier.event), place(race.race.later.event)));
        }
        let settings = self.effort.settings(::predict::Model::Mc);
        let (mut results, mut found) = (Vec::new(), Vec::new());
        for model in MODELS {
            let prediction = predict(&recording, model, &self.effort);
            let (mut wrong, mut open) = (BTreeMap::new(), BTreeSet::new());
            for race in prediction.races.iter().filter(|race| !truth.contains_key(&by_place(race))).collect::<Vec<_>>()
            {
                let place = |event: u64| places[(event - recording.first.0) as usize];
                let pair = (place(race.race.earlier.event), place(race.race.later.event));
                match ::predict::ask(complete, &settings, pair, settings.window) {
                    Verdict::Race => drop(truth.insert(by_place(race), pair)),
                    Verdict::NoRace => drop(wrong.insert(by_place(race), described(&by_variable(race)))),
                    Verdict::Undecided => drop(open.insert(by_place(race))),
                }
            }
            // Two locations may have one name.
            open.retain(|race| !truth.contains_key(race));
            wrong.retain(|race, _| !truth.contains_key(race) && !open.contains(race));
            let races = named(&prediction, by_place);
            results.push(result(&prediction, races.len(), Some(wrong.into_values().collect()), open.len() as u64));
            found.push(races);
        }
        let missed = Missed::new(complete, &recording, &places);
        for ((result, races), model) in results.iter_mut().zip(found).zip(MODELS) {
            let settings = match model {
                ModelName::Mc => Some(self.effort.settings(::predict::Model::Mc)),
                ModelName::Rdit => Some(self.effort.settings(::predict::Model::Rdit)),
                _ => None,
            };
            let lacks = truth.iter().filter(|(race, _)| !races.contains(race));
            result.missed = lacks.map(|(race, &pair)| missed.explain(race, pair, settings.as_ref())).collect();
        }
        Ok((Some(truth.len() as u64), results))
    }
}

/// Explains why a model lacks races of the complete trace.
struct Missed<'a> {
    complete: &'a Recording,
    concealed: &'a Recording,
    places: &'a [usize],
    /// The locations that are left.
    left: BTreeSet<(String, Operation)>,
}

impl<'a> Missed<'a> {
    fn new(complete: &'a Recording, concealed: &'a Recording, places: &'a [usize]) -> Self {
        let left = concealed.events.iter().filter_map(|event| {
            let (_, kind) = event.op.access()?;
            Some((concealed.tables.site_name(event.site), names::operation(kind)))
        });
        Missed { complete, concealed, places, left: left.collect() }
    }

    fn explain(&self, race: &Named, pair: (usize, usize), settings: Option<&::predict::Settings>) -> String {
        let why = match settings {
            _ if !self.left.contains(&race.1) || !self.left.contains(&race.2) => "one is in a hidden method".to_owned(),
            Some(settings) => self.why(pair, settings),
            None => "ordered by what is left".to_owned(),
        };
        let variable = self.complete.events[pair.0].op.access().map(|(var, _)| self.complete.tables.var_name(var));
        format!("{}: {why}", described(&(variable.unwrap_or_default(), race.1.clone(), race.2.clone())))
    }

    fn why(&self, (earlier, later): (usize, usize), settings: &::predict::Settings) -> String {
        let place = |at: usize| self.places.binary_search(&at).ok();
        let (Some(earlier), Some(later)) = (place(earlier), place(later)) else {
            return "one was in a hidden method this time".to_owned();
        };
        let ties = ::predict::ties(self.concealed, settings, (earlier, later), settings.window);
        let Some(ties) = ties else { return "no edge, but sections or values keep them apart".to_owned() };
        let tables = &self.concealed.tables;
        let hidden = ties.iter().filter(|tie| tie.reason == Reason::HiddenMethod);
        let methods = hidden.flat_map(|tie| [tie.from, tie.to]).filter_map(|at| match self.concealed.events[at].op {
            Op::MethodBegin(method) | Op::MethodEnd(method) => Some(tables.method_name(method)),
            _ => None,
        });
        let methods: BTreeSet<String> = methods.collect();
        match methods.len() {
            0 if ties.iter().any(|tie| tie.reason == Reason::HiddenMethod) => {
                "hidden methods that run meanwhile may order them".to_owned()
            }
            0 => "what is left orders them".to_owned(),
            _ => format!("hidden methods may order them: {}", methods.into_iter().collect::<Vec<_>>().join(", ")),
        }
    }
}

fn result(prediction: &Prediction, races: usize, wrong: Option<Vec<String>>, doubtful: u64) -> ModelResult {
    ModelResult {
        model: prediction.model.clone(),
        races: races as u64,
        false_alarms: wrong.as_ref().map(|wrong| wrong.len() as u64),
        doubtful,
        alarms: wrong.unwrap_or_default(),
        missed: Vec::new(),
        undecided: prediction.undecided,
        seconds: prediction.header.seconds,
    }
}

fn by_variable(race: &PredictedRace) -> Named {
    let (_, one, two) = by_place(race);
    (race.race.variable.clone(), one, two)
}

fn by_place(race: &PredictedRace) -> Named {
    let side = |access: &TraceAccess| (access.location.clone(), access.op);
    let (one, two) = (side(&race.race.earlier), side(&race.race.later));
    (String::new(), one.clone().min(two.clone()), one.max(two))
}

fn described((variable, one, two): &Named) -> String {
    format!("{variable}: {} at {} and {} at {}", one.1.name(), one.0, two.1.name(), two.0)
}

fn named(prediction: &Prediction, name: fn(&PredictedRace) -> Named) -> BTreeSet<Named> {
    prediction.races.iter().map(name).collect()
}
