//! Which detector runs inside the JVMs, and the options that change what it does.

use std::path::PathBuf;

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use control::{AgentOptions, AtRace, Choice, Constants, Elements, Filter, Mode, Statics};

use crate::hybrid::HybridOptions;
use crate::out;

/// The detectors that can run inside a JVM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Online {
    #[default]
    Fasttrack,
    Djit,
    Eraser,
    Hybrid,
    None,
    /// None, and all is recorded.
    #[value(skip)]
    Record,
    /// Clock races of sampled places.
    #[value(skip)]
    Sample,
}

impl Online {
    /// Does it compare the locks that are held?
    fn has_locksets(self) -> bool {
        matches!(self, Online::Eraser | Online::Hybrid)
    }
}

/// What changes a detector.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DetectorOptions {
    /// For eraser and hybrid: keep the race-prone fields in this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) save_fields: Option<PathBuf>,

    /// For eraser and hybrid: what of an array is a variable, the whole array or each element.
    #[arg(long, value_name = "WHAT", default_value = "whole", value_parser = choice::<Elements>())]
    elements: Elements,

    #[command(flatten)]
    pub(crate) hybrid: HybridOptions,

    /// For fasttrack, eraser and hybrid: drop accesses from which the detector would learn nothing.
    #[arg(long, value_name = "NAME", value_parser = choice::<Filter>())]
    filter: Option<Filter>,

    /// For fasttrack, eraser and hybrid: ignore writes of the value that is there already.
    #[arg(long)]
    constant_writes: bool,

    /// A thread that has made the second access of a race waits there for a debugger; a line names the process.
    #[arg(long = "break")]
    breaks: bool,
}

impl DetectorOptions {
    /// Says what is wrong before anything runs.
    pub(crate) fn check(&self, detector: Online) -> anyhow::Result<()> {
        self.hybrid.check(detector)?;
        if self.save_fields.is_some() && !detector.has_locksets() {
            bail!("--save-fields goes with --detector eraser or hybrid");
        }
        for (given, option) in [(self.filter.is_some(), "--filter"), (self.constant_writes, "--constant-writes")] {
            if given && !(detector.has_locksets() || detector == Online::Fasttrack) {
                bail!("{option} goes with --detector fasttrack, eraser or hybrid");
            }
        }
        self.save_fields.iter().try_for_each(|path| out::check(path))
    }

    /// What they ask of an agent.
    pub(crate) fn ask(&self, detector: Online, options: &mut AgentOptions) {
        if detector.has_locksets() {
            options.locksets.elements = self.elements;
        }
        self.hybrid.ask(&mut options.locksets);
        options.filter = self.filter;
        if self.constant_writes {
            options.constants = Constants::Ignored;
        }
        // The first run of hybrid detection shows no races, but must not miss a field.
        let is_first_run = options.mode == Mode::Simple && detector == Online::Hybrid;
        if is_first_run {
            options.locksets.statics = Statics::Shared;
        } else if self.breaks {
            options.at_race = AtRace::Wait;
        }
    }
}

/// Reads one of a few values by its name; the help lists the names.
pub(crate) fn choice<T>() -> impl TypedValueParser<Value = T>
where
    T: Choice + std::str::FromStr<Err: std::error::Error + Send + Sync> + Send + Sync,
{
    PossibleValuesParser::new(T::ALL.iter().map(|(name, _)| *name)).try_map(|name| name.parse())
}
