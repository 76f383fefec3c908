//! Which races matter: the options that `run`, `analyze`, `predict` and `report` have in common.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use report::{Date, FailOn, Format, Judge, Offline, Report, Sources, Suppressions, plain};

use crate::exit::{Outcome, Silence};
use crate::out;

/// Rules of this file in the current folder are used without being asked for.
pub(crate) const OWN_RULES: &str = "autodrome.suppressions";

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Gate {
    /// Races of this report (JSON) are known; those that do not come again are listed as fixed.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Which races make the exit code 66: those that the baseline lacks, any, or none [default: new].
    #[arg(long, value_name = "WHICH")]
    fail_on: Option<Failing>,

    /// A file of suppressions; can be given many times [default: autodrome.suppressions, if there is one].
    #[arg(long, value_name = "FILE")]
    suppressions: Vec<PathBuf>,

    /// Report also what `autodrome suppressions` lists as built in.
    #[arg(long)]
    pub(crate) no_default_suppressions: bool,

    /// The exit code when races are found, instead of 66.
    #[arg(long, value_name = "CODE")]
    exit_code: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Failing {
    New,
    Any,
    None,
}

impl From<Failing> for FailOn {
    fn from(failing: Failing) -> FailOn {
        match failing {
            Failing::New => FailOn::New,
            Failing::Any => FailOn::Any,
            Failing::None => FailOn::None,
        }
    }
}

impl Gate {
    /// A judge who knows the baseline and the suppressions; what is wrong with them is reported now.
    pub(crate) fn judge(&self) -> anyhow::Result<Judge> {
        let folder = env::current_dir().context("the current folder is not known")?;
        let mut judge = Judge::new(self.rules()?, Sources::under(&folder), Date::today());
        if let Some(path) = &self.baseline {
            let baseline = read(path)?;
            if baseline == Report::default() {
                // An agent's file may be empty if its JVM was killed; what was to be kept may not.
                bail!("{}: the baseline is empty, not even a JVM is in it", path.display());
            }
            judge.compare_with(&baseline);
        }
        Ok(judge)
    }

    /// All suppressions, built in and the user's.
    pub(crate) fn rules(&self) -> anyhow::Result<Suppressions> {
        let mut rules = if self.no_default_suppressions { Suppressions::default() } else { Suppressions::built_in() };
        let own = Path::new(OWN_RULES);
        let files =
            if self.suppressions.is_empty() && own.exists() { &[own.to_path_buf()] } else { &*self.suppressions };
        for file in files {
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            rules.add(&file.to_string_lossy(), &text)?;
        }
        Ok(rules)
    }

    /// How a command ends that has found this.
    pub(crate) fn outcome(&self, report: &Report) -> Outcome {
        self.outcome_by(report, Failing::New)
    }

    /// The same for a command that fails only if asked to; then nothing to look at is no reason to be content.
    pub(crate) fn outcome_if_asked(&self, report: &Report) -> Outcome {
        match Silence::of(report) {
            Some(silence) if self.fail_on.is_some() => Outcome::NotWatched(silence),
            _ => self.outcome_by(report, Failing::None),
        }
    }

    /// Judges what was found in a trace, writes it in a form, and says how the command ends.
    pub(crate) fn conclude(
        &self,
        mut judge: Judge,
        result: &mut impl Offline,
        format: Format,
        file: Option<&Path>,
    ) -> crate::Result {
        let mut report = judge.judge_offline(result);
        judge.close(&mut report);
        let text = match format {
            Format::Text => {
                // What the trace itself is about stands in the result.
                let is_of_trace =
                    |line: &&String| result.header().notes.iter().any(|note| line.ends_with(&plain(note).to_string()));
                report.end_lines().iter().filter(|line| !is_of_trace(line)).for_each(|line| eprintln!("{line}"));
                result.to_string()
            }
            Format::Json => result.to_json()?,
            other => other.render(&report, judge.sources())?,
        };
        out::write(file, &text)?;
        Ok(self.outcome(&report))
    }

    /// How a command ends if the program failed by itself and no race was found.
    pub(crate) fn failed(&self) -> Outcome {
        match (self.fail_on, self.exit_code) {
            (Some(Failing::None), _) => Outcome::Clean,
            (_, None) => Outcome::Races,
            (_, Some(code)) => Outcome::RacesAs(code),
        }
    }

    fn outcome_by(&self, report: &Report, otherwise: Failing) -> Outcome {
        match (report.fails(self.fail_on.unwrap_or(otherwise).into()), self.exit_code) {
            (false, _) if report.has_fault() => Outcome::Fault,
            (false, _) => Outcome::Clean,
            (true, None) => Outcome::Races,
            (true, Some(code)) => Outcome::RacesAs(code),
        }
    }
}

/// Reads a report of any kind.
pub(crate) fn read(path: &Path) -> anyhow::Result<Report> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    report::read(&text).with_context(|| path.display().to_string())
}
