//! `autodrome analyze`: any detector on a recorded trace.

use std::path::{Path, PathBuf};
use std::time::Instant;

use std::fs::{self, File};
use std::io::Read;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use detect::Incomplete;
use detect::catalog::{Algorithm, LocalityCheck, Pipeline, Settings, TreeForm};
use detect::clock::Definition;
use detect::hybrid::{self, Flags, Redundancy, Report, Switch};
use detect::lockset::LargestLockset;
use detect::tree::Locations;
use model::VarId;
use report::{Analysis, Comparison, FilterUse, Findings, Format as Form, Grouping, Report as Races};
use trace::{Batch, Damage, Source, Tables};

use crate::gate::Gate;
use crate::guards::Guards;
use crate::progress::Display;
use crate::{Result, names, out, resources};

/// Finds the races of a recorded trace.
#[derive(Args, Default)]
pub(crate) struct Analyze {
    /// The trace: binary (.adt), readable text, or RAPID's STD; known by its content.
    trace: PathBuf,

    /// Which detector: djit, fasttrack, shb, wcp, syncp, eraser, hybrid, nohb, clock; or all, for a table of each.
    #[arg(long, value_name = "NAME", default_value = "fasttrack")]
    detector: String,

    /// What stands in front of the detector: tree drops accesses that cannot add a race; tree=published is the filter
    /// of the thesis, which can lose one.
    #[arg(long, value_name = "FILTER")]
    filter: Option<FilterName>,

    /// For how many program locations the filter keeps history [default: all].
    #[arg(long, value_name = "N", requires = "filter")]
    tree_locations: Option<usize>,

    /// Report every pair of program locations, not one race for each variable.
    #[arg(long)]
    all: bool,

    /// eraser: watch a variable only from its second thread on.
    #[arg(long)]
    locality: bool,

    /// hybrid, nohb: the most locks that a thread holds at once [default: found by reading the trace first].
    #[arg(long, value_name = "N")]
    max_locks: Option<usize>,

    /// hybrid, nohb: how many locks to add to the most that were seen.
    #[arg(long, value_name = "N", default_value_t = 1)]
    lock_margin: usize,

    /// hybrid, nohb: leave out an optimisation, to see what it is worth.
    #[arg(long, value_name = "RULE")]
    without: Vec<Optimisation>,

    /// hybrid: a variable whose writes are messages to those who read it later; can be given many times.
    #[arg(long, value_name = "VARIABLE")]
    flag_field: Vec<String>,

    /// clock: report two accesses also if the second thread, instead of the first, has not synchronized in between.
    #[arg(long)]
    symmetric: bool,

    /// How the result is written: text, json (autodrome.analyze/1), sarif, junit, github, markdown, html.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Form,

    /// Write the result to a file instead of stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Go on after a damaged part of the trace instead of refusing it.
    #[arg(long)]
    skip_damaged: bool,

    #[command(flatten)]
    gate: Gate,
}

#[derive(Clone, Copy, ValueEnum)]
enum FilterName {
    Tree,
    #[value(name = "tree=published")]
    TreePublished,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Optimisation {
    /// Lockset-subset redundancy (O'Callahan and Choi 2003, section 5.2).
    Subset,
    /// Oversized-lockset redundancy (O'Callahan and Choi 2003, section 5.4).
    Oversized,
}

/// How a command that has nothing to do with reports writes its result.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
}

/// Every pair of accesses that happens-before does not order, as DJIT+ finds them.
pub(crate) fn every_pair(trace: &Path) -> Result<Analysis> {
    let analyze = Analyze { trace: trace.to_path_buf(), all: true, ..Analyze::default() };
    Ok(analyze.analyze(Algorithm::Djit)?.0)
}

impl Analyze {
    pub(crate) fn run(&self) -> Result {
        let algorithms = self.algorithms()?;
        let mut judge = self.gate.judge()?;
        if let [one] = algorithms.as_slice() {
            let (mut analysis, variables) = self.analyze(*one)?;
            self.find_guards(&mut analysis, &variables)?;
            return self.gate.conclude(judge, &mut analysis, self.format, self.out.as_deref());
        }
        let mut all = Races::default();
        let mut analyses: Vec<Analysis> =
            algorithms.iter().map(|&one| Ok(self.analyze(one)?.0)).collect::<Result<_>>()?;
        for analysis in &mut analyses {
            all.merge(judge.judge_offline(analysis));
        }
        let comparison = Comparison::new(analyses);
        let text = match self.format {
            Form::Text => comparison.to_string().trim_end().to_owned(),
            Form::Json => comparison.to_json()?,
            other => bail!("--detector all compares detectors: --format {} is of one detector", other.name()),
        };
        out::write(self.out.as_deref(), &text)?;
        Ok(self.gate.outcome(&all))
    }

    /// The detectors asked for. With `all`, a filter goes in front of those that can have it.
    fn algorithms(&self) -> Result<Vec<Algorithm>> {
        if self.detector == "all" {
            return Ok(Algorithm::ALL.to_vec());
        }
        let listed = |choice: &[Algorithm]| choice.iter().map(|one| one.name()).collect::<Vec<_>>().join(", ");
        let Some(algorithm) = Algorithm::from_name(&self.detector) else {
            bail!("unknown detector {}: expected one of {}, all", self.detector, listed(&Algorithm::ALL));
        };
        if self.filter.is_some() && algorithm.behind_tree().is_none() {
            let can: Vec<Algorithm> = Algorithm::ALL.into_iter().filter(|one| one.behind_tree().is_some()).collect();
            bail!(
                "--filter tree would make {} wrong, which needs every access: it goes with {}",
                algorithm.name(),
                listed(&can)
            );
        }
        Ok(vec![algorithm])
    }

    /// The races, and the variable of each.
    fn analyze(&self, algorithm: Algorithm) -> Result<(Analysis, Vec<VarId>)> {
        let started = Instant::now();
        let mut settings = self.settings(algorithm)?;
        let mut notes = Vec::new();
        loop {
            let mut pipeline = Pipeline::new(algorithm, settings.clone());
            let mut source = self.open()?;
            let (events, findings) = self.detect(algorithm, &mut pipeline, source.as_mut())?;
            if let Some(Incomplete::TooManyLocks(most)) = pipeline.incomplete() {
                notes.push(format!(
                    "a thread holds {most} locks, more than the {} expected: analysed again",
                    settings.hybrid.max_locks
                ));
                settings.hybrid.max_locks = most.saturating_add(self.lock_margin);
                continue;
            }
            let mut analysis = Analysis::new(algorithm.name());
            analysis.header.events = events;
            fill(&mut analysis, &pipeline, &findings, source.tables());
            notes.extend(names::notes(&self.trace, source.ending()));
            analysis.header.notes = notes;
            analysis.header.seconds = started.elapsed().as_secs_f64();
            analysis.header.cpu_seconds = resources::cpu_seconds();
            analysis.header.peak_kilobytes = resources::peak_kilobytes();
            let variables = findings.as_slice().iter().map(|finding| finding.race.var).collect();
            return Ok((analysis, variables));
        }
    }

    /// Reads the trace once more for the locks that seem to be meant for the racy variables.
    fn find_guards(&self, analysis: &mut Analysis, variables: &[VarId]) -> Result<()> {
        if variables.is_empty() {
            return Ok(());
        }
        let mut source = self.open()?;
        let mut display = Display::new("locks of racy variables");
        let mut batch = Batch::default();
        let mut guards = Guards::of(variables);
        while source.next_batch(&mut batch)? {
            batch.events.iter().for_each(|event| guards.observe(event));
            display.update(source.progress(), analysis.races.len());
        }
        for (race, &variable) in analysis.races.iter_mut().zip(variables) {
            race.guard = guards.guard(variable, source.tables());
        }
        Ok(())
    }

    fn detect(
        &self,
        algorithm: Algorithm,
        pipeline: &mut Pipeline,
        source: &mut dyn Source,
    ) -> Result<(u64, Findings)> {
        let mut findings = Findings::new(if self.all { Grouping::SitePair } else { Grouping::Location });
        let mut display = Display::new(algorithm.name());
        let mut batch = Batch::default();
        let mut events = 0;
        while source.next_batch(&mut batch)? {
            events += batch.events.len() as u64;
            let tables = source.tables();
            pipeline.observe(batch.first, &batch.events, &mut |race| {
                if !tables.are_of_platform(race.earlier.site, race.later.site) {
                    findings.add(race);
                }
            });
            display.update(source.progress(), findings.as_slice().len());
        }
        Ok((events, findings))
    }

    fn settings(&self, algorithm: Algorithm) -> Result<Settings> {
        let switch = |rule| if self.without.contains(&rule) { Switch::Off } else { Switch::On };
        let locations = self.tree_locations.map_or(Locations::All, Locations::MostRecent);
        let form = self.filter.map(|name| match name {
            FilterName::Tree => TreeForm::Sound,
            FilterName::TreePublished => TreeForm::Published,
        });
        let mut hybrid = hybrid::Settings {
            redundancy: Redundancy { subset: switch(Optimisation::Subset), oversized: switch(Optimisation::Oversized) },
            report: if self.all { Report::AllPairs } else { Report::OnePerLocation },
            ..hybrid::Settings::default()
        };
        if algorithm.needs_max_locks() {
            self.look_ahead(&mut hybrid)?;
        }
        Ok(Settings {
            tree: form.map(|form| (form, locations)),
            locality: if self.locality { LocalityCheck::On } else { LocalityCheck::Off },
            hybrid,
            clock: if self.symmetric { Definition::Symmetric } else { Definition::First },
        })
    }

    /// Reads the trace once to learn what the detector must know beforehand: the most locks held, and which
    /// variables the flag fields are.
    fn look_ahead(&self, hybrid: &mut hybrid::Settings) -> Result<()> {
        if let (Some(most), []) = (self.max_locks, self.flag_field.as_slice()) {
            hybrid.max_locks = most;
            return Ok(());
        }
        let mut source = self.open()?;
        let mut display = Display::new("locks");
        let mut batch = Batch::default();
        let mut largest = LargestLockset::default();
        while source.next_batch(&mut batch)? {
            batch.events.iter().for_each(|event| largest.observe(event));
            display.update(source.progress(), 0);
        }
        hybrid.max_locks = self.max_locks.unwrap_or_else(|| largest.size().saturating_add(self.lock_margin));
        hybrid.flags = self.flags(source.tables())?;
        Ok(())
    }

    fn flags(&self, tables: &Tables) -> Result<Flags> {
        let mut flags = Vec::new();
        for name in &self.flag_field {
            let before = flags.len();
            flags.extend(names::variables(tables, name));
            if flags.len() == before {
                bail!("--flag-field {name}: the trace has no variable of that name");
            }
        }
        Ok(flags.into_iter().collect())
    }

    fn open(&self) -> Result<Box<dyn Source>> {
        open(&self.trace, self.skip_damaged)
    }
}

/// Has somebody given what `run --out` or `analyze --format json` wrote? What is looked at in a pipe would be gone.
fn is_report(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let mut first = [0];
    let is_json = File::open(path).and_then(|mut file| file.read(&mut first)).is_ok_and(|_| first == *b"{");
    is_json && fs::read_to_string(path).is_ok_and(|text| report::read(&text).is_ok())
}

/// Opens a trace for reading.
pub(crate) fn open(path: &Path, skip_damaged: bool) -> Result<Box<dyn Source>> {
    let damage = if skip_damaged { Damage::Skip } else { Damage::Refuse };
    if is_report(path) {
        bail!("{0} is a report, not a trace: autodrome report {0} shows it", path.display());
    }
    trace::open(path, damage).context("cannot read the trace")
}

fn fill(analysis: &mut Analysis, pipeline: &Pipeline, findings: &Findings, tables: &Tables) {
    for (name, statistics) in pipeline.filters() {
        analysis.skipped += statistics.skipped;
        analysis.filters.push(FilterUse {
            name: name.to_owned(),
            events: statistics.events,
            skipped: statistics.skipped,
            bytes: statistics.bytes,
        });
    }
    analysis.racy_variables = findings.variables().into_iter().map(|var| tables.var_name(var)).collect();
    analysis.races = findings.as_slice().iter().map(|finding| names::race(finding, tables)).collect();
    analysis.rules = pipeline.rules().into_iter().map(|(rule, count)| (rule.to_owned(), count)).collect();
}
