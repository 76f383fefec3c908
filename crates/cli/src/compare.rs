//! `autodrome compare`: the models side by side, as in table 5.3 of the thesis.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use report::{ModelComparison, ModelResult, Prediction};

use crate::analyze::Format;
use crate::exit::Outcome;
use crate::predict::{Effort, ModelName, load, predict};
use crate::{Result, names, out};

/// Compares happens-before, WCP, the maximal causal model and RDIT on one trace.
#[derive(Args)]
pub(crate) struct Compare {
    /// The trace; its format is known by its content.
    trace: PathBuf,

    /// The same run with nothing hidden: what mc finds there is the truth, and all else a false alarm.
    #[arg(long, value_name = "TRACE")]
    truth: Option<PathBuf>,

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

/// A race as both traces name it: the variable and the two locations with their operations.
type Named = (String, (String, &'static str), (String, &'static str));

const MODELS: [ModelName; 4] = [ModelName::Hb, ModelName::Wcp, ModelName::Mc, ModelName::Rdit];

impl Compare {
    pub(crate) fn run(&self) -> Result {
        let mut notes = vec!["wcp stands for the CP of the thesis: every race of CP is one of WCP".to_owned()];
        let truth = match &self.truth {
            Some(path) => {
                let (recording, ending) = load(path, self.skip_damaged)?;
                notes.extend(names::notes(path, &ending));
                Some(named(&predict(&recording, ModelName::Mc, &self.effort).0))
            }
            None => None,
        };
        let (recording, ending) = load(&self.trace, self.skip_damaged)?;
        notes.extend(names::notes(&self.trace, &ending));
        let mut found = false;
        let mut models = Vec::new();
        for model in MODELS {
            let (prediction, _) = predict(&recording, model, &self.effort);
            found |= !prediction.races.is_empty();
            let races = named(&prediction);
            models.push(ModelResult {
                model: model.name().to_owned(),
                races: races.len() as u64,
                false_alarms: truth.as_ref().map(|truth| races.difference(truth).count() as u64),
                undecided: prediction.undecided,
                seconds: prediction.seconds,
            });
        }
        let comparison = ModelComparison::new(truth.map(|truth| truth.len() as u64), models, notes);
        let text = match self.format {
            Format::Text => comparison.to_string(),
            Format::Json => comparison.to_json()?,
        };
        out::write(self.out.as_deref(), &text)?;
        Ok(if found { Outcome::Races } else { Outcome::Clean })
    }
}

fn named(prediction: &Prediction) -> BTreeSet<Named> {
    let races = prediction.races.iter().map(|race| {
        let side = |access: &report::AnalysisAccess| (access.location.clone(), access.op);
        let (one, two) = (side(&race.earlier), side(&race.later));
        (race.variable.clone(), one.clone().min(two.clone()), one.max(two))
    });
    races.collect()
}
