//! `autodrome replay`: runs a stored schedule again and says how often it showed its race.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use report::plain_lines;
use schedule::control::Follow;

use crate::collect::Folder;
use crate::exit::Outcome;
use crate::gate::Gate;
use crate::hunt::controlled::{self, FOLDER};
use crate::{Result, out};

/// Runs a command along the schedule that a hunt has stored for a race, and says how often it shows the race.
#[derive(Args)]
pub(crate) struct Replay {
    /// The race, by its id in the report.
    #[arg(value_name = "RACE", required_unless_present = "schedule")]
    race: Option<String>,

    /// The report that names the race's schedule, as JSON [default: the folder autodrome-schedules].
    #[arg(long = "in", value_name = "FILE")]
    input: Option<PathBuf>,

    /// Follow the schedule of this file.
    #[arg(long, value_name = "FILE")]
    schedule: Option<PathBuf>,

    /// How often.
    #[arg(short = 'n', long = "times", value_name = "N", default_value = "20", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    times: u64,

    /// Follow it by methods and their n-th points, as far as it goes: after small edits of the program.
    #[arg(long)]
    loose: bool,

    /// Write the report, with the grade that the race has now, as JSON to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    gate: Gate,

    /// The command [default: that of the schedule].
    #[arg(last = true, value_name = "CMD")]
    command: Vec<OsString>,
}

impl Replay {
    pub(crate) fn run(&self) -> Result {
        self.out.as_deref().map_or(Ok(()), out::check)?;
        let file = self.file()?;
        let schedule = controlled::read(&file)?;
        let watched = controlled::run_of(&schedule, &self.command)?;
        if watched.command.is_empty() {
            bail!("{}: the schedule names no command; give one after --", file.display());
        }
        let folder = Folder::new()?;
        let how = if self.loose { Follow::Loosely } else { Follow::Exactly };
        let followed = controlled::follow(&watched, &folder, &file, how, self.times)?;
        let mut report = followed.report.clone();
        let wanted: Vec<String> = match self.race.clone().or_else(|| named(&file)) {
            Some(race) => vec![race],
            None => report.races.iter().map(|race| race.id.clone()).collect(),
        };
        for race in &wanted {
            let execution = followed.execution(race, &file);
            let grade = if execution.shown == execution.runs { "replayed" } else { "shown" };
            eprintln!("autodrome: [{race}] {grade} {}/{}", execution.shown, execution.runs);
            controlled::award(&mut report, race, execution);
        }
        let failed = followed.runs.iter().filter(|run| run.failure.is_some()).count();
        if let Some(why) = followed.runs.iter().find_map(|run| run.failure.as_ref()) {
            eprintln!(
                "autodrome: {failed} of {} runs did not follow the schedule. The first of them:",
                followed.runs.len()
            );
            eprintln!("{}", plain_lines(why));
        } else {
            eprintln!("autodrome: all {} runs followed the schedule", followed.runs.len());
        }
        let mut judge = self.gate.judge()?;
        judge.judge_all(&mut report);
        for race in report.races.iter().filter(|race| wanted.contains(&race.id)) {
            eprintln!("{race}");
        }
        eprintln!("{}", report.closing_line());
        if let Some(out) = &self.out {
            out::write(Some(out), &report.to_json()?)?;
        }
        Ok(self.outcome(&report))
    }

    fn outcome(&self, report: &report::Report) -> Outcome {
        match crate::exit::Silence::of(report) {
            Some(silence) => Outcome::NotWatched(silence),
            None => self.gate.outcome(report),
        }
    }

    /// The schedule's file.
    fn file(&self) -> anyhow::Result<PathBuf> {
        if let Some(file) = &self.schedule {
            return Ok(file.clone());
        }
        let race = self.race.as_deref().unwrap_or_default();
        let Some(input) = &self.input else {
            let file = Path::new(FOLDER).join(format!("{race}.schedule"));
            if !file.exists() {
                bail!("there is no {}; name the report with --in, or the schedule with --schedule", file.display());
            }
            return Ok(file);
        };
        let text = fs::read_to_string(input).with_context(|| format!("cannot read {}", input.display()))?;
        let report = report::read(&text).with_context(|| input.display().to_string())?;
        let Some(found) = report.races.iter().find(|other| other.id == race) else {
            bail!("{}: no race has the id {race}", input.display());
        };
        let Some(stored) = found.execution.as_ref().and_then(|execution| execution.schedule.as_ref()) else {
            bail!(
                "{}: no schedule is stored for {race}; `autodrome hunt --scheduler pct` stores one for each race that it finds",
                input.display()
            );
        };
        Ok(PathBuf::from(stored))
    }
}

/// The race that a schedule was stored for, by the name of its file.
fn named(file: &Path) -> Option<String> {
    let name = file.file_stem()?.to_str()?;
    name.starts_with("R-").then(|| name.to_owned())
}
