//! Which races matter: the options that `run`, `analyze`, `predict` and `report` have in common.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use report::{BaselineBy, Date, FailOn, Format, Judge, Offline, Report, Sources, Suppressions, plain};

use crate::exit::{Outcome, Silence};
use crate::out;

/// Rules of this file in the current folder, or in one above it up to the repository's root, are used without being asked for.
pub(crate) const OWN_RULES: &str = "autodrome.suppressions";

/// The baseline that is used without being asked for, if it is there.
const OWN_BASELINE: &str = "autodrome.baseline.json";

/// What marks the root of a repository.
const REPOSITORY: [&str; 3] = [".git", ".hg", ".svn"];

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Rules {
    /// A file of suppressions; can be given many times [default: autodrome.suppressions, if it is in this folder or in one
    /// above it, up to the repository's root].
    #[arg(long, value_name = "FILE")]
    suppressions: Vec<PathBuf>,

    /// Report also what `autodrome suppressions` lists as built in.
    #[arg(long)]
    pub(crate) no_default_suppressions: bool,
}

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Gate {
    /// Races of this report (JSON) are known; those that do not come again are listed as fixed [default:
    /// autodrome.baseline.json, if it is in this folder or in one above it, up to the repository's root].
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// What makes a race one of the baseline: a race on the same variable, or of the same two methods too [default: variable].
    #[arg(long, value_name = "WHAT")]
    baseline_by: Option<Comparing>,

    /// Which races make the exit code 66: those that the baseline lacks; of these, those that are not in test code (src/test);
    /// any; or none [default: new].
    #[arg(long, value_name = "WHICH")]
    fail_on: Option<Failing>,

    #[command(flatten)]
    pub(crate) rules: Rules,

    /// The exit code when races are found, instead of 66.
    #[arg(long, value_name = "CODE")]
    exit_code: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Failing {
    New,
    Main,
    Any,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Comparing {
    Variable,
    Pair,
}

impl From<Failing> for FailOn {
    fn from(failing: Failing) -> FailOn {
        match failing {
            Failing::New => FailOn::New,
            Failing::Main => FailOn::Main,
            Failing::Any => FailOn::Any,
            Failing::None => FailOn::None,
        }
    }
}

impl Gate {
    /// A judge who knows the baseline and the suppressions; what is wrong with them is reported now.
    pub(crate) fn judge(&self) -> anyhow::Result<Judge> {
        let folder = env::current_dir().context("the current folder is not known")?;
        let mut judge = Judge::new(self.rules.read()?, Sources::under(&folder), Date::today());
        let baseline = self.baseline.clone().or_else(|| upwards(&folder, OWN_BASELINE));
        if let Some(path) = &baseline {
            if !path.exists() {
                bail!(
                    "there is no baseline {0}; make one of the races that are known: autodrome run --fail-on none --out {0} -- CMD",
                    path.display()
                );
            }
            let baseline = read(path)?;
            if baseline == Report::default() {
                // An agent's file may be empty if its JVM was killed; what was to be kept may not.
                bail!("{}: the baseline is empty, not even a JVM is in it", path.display());
            }
            let by = match self.baseline_by {
                Some(Comparing::Pair) => BaselineBy::Pair,
                Some(Comparing::Variable) | None => BaselineBy::Variable,
            };
            judge.compare_with(&baseline, by);
        }
        Ok(judge)
    }

    /// Is anything to be judged, by an option that was given?
    pub(crate) fn is_asked(&self) -> bool {
        self.baseline.is_some() || self.fail_on.is_some() || !self.rules.suppressions.is_empty()
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

impl Rules {
    /// All suppressions, built in and the user's.
    pub(crate) fn read(&self) -> anyhow::Result<Suppressions> {
        let mut rules = if self.no_default_suppressions { Suppressions::default() } else { Suppressions::built_in() };
        let folder = env::current_dir().context("the current folder is not known")?;
        let own = if self.suppressions.is_empty() { upwards(&folder, OWN_RULES) } else { None };
        for file in own.iter().chain(&self.suppressions) {
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            let name = file.strip_prefix(&folder).unwrap_or(file);
            rules.add(&name.to_string_lossy(), &text)?;
        }
        Ok(rules)
    }
}

/// A file of this name in a folder, or in the nearest one above it, up to the root of the repository that the folder is in. Outside
/// a repository only the folder itself counts.
fn upwards(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_root = |folder: &&Path| REPOSITORY.iter().any(|mark| folder.join(mark).exists());
    let depth = folder.ancestors().position(|folder| is_root(&folder)).unwrap_or(0);
    folder.ancestors().take(depth + 1).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Reads a report of any kind.
pub(crate) fn read(path: &Path) -> anyhow::Result<Report> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    report::read(&text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_upwards_to_the_root_of_the_repository() {
        let outside = tempfile::tempdir().unwrap();
        let (root, module) = (outside.path().join("repository"), outside.path().join("repository/a/module"));
        fs::create_dir_all(&module).unwrap();
        fs::write(outside.path().join(OWN_RULES), "").unwrap();
        assert_eq!(upwards(&module, OWN_RULES), None, "in no repository: only the folder itself");
        fs::create_dir(root.join(".git")).unwrap();
        assert_eq!(upwards(&module, OWN_RULES), None, "what is outside the repository is not used");
        fs::write(root.join(OWN_RULES), "").unwrap();
        assert_eq!(upwards(&module, OWN_RULES), Some(root.join(OWN_RULES)));
        fs::write(module.join(OWN_RULES), "").unwrap();
        assert_eq!(upwards(&module, OWN_RULES), Some(module.join(OWN_RULES)));
    }
}
