//! Controlled runs of a hunt: what they are asked to do, what became of them, and the schedules that are stored.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use control::{FileName, Mode};
use model::Grade;
use report::{Execution, Report, plain};
use schedule::control::{Attempt, Controlled, Controls, Follow, Leg, Schedule, minimise};
use schedule::{Plan, Scheduler, Settings};

use super::Heard;
use crate::collect::{Collected, Folder, Shown};
use crate::run::Run;

/// Where schedules go if no file says where the results do.
pub(crate) const FOLDER: &str = "autodrome-schedules";

/// So often a schedule is replayed when a hunt has found a race.
const REPLAYS: u64 = 3;

/// Under these names a schedule's header keeps what was watched.
const INCLUDE: &str = "autodrome.include";
const EXCLUDE: &str = "autodrome.exclude";

/// What one JVM of a controlled run left.
pub(crate) struct Left {
    pub(crate) schedule: Schedule,
    pub(crate) result: Controlled,
}

/// What the JVMs of a controlled run left in a folder, those with the most steps first.
pub(crate) fn left(place: &Path) -> anyhow::Result<Vec<Left>> {
    let entries = fs::read_dir(place).with_context(|| format!("cannot read {}", place.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "controlled"));
    files.sort();
    let read = |file: &Path| fs::read(file).with_context(|| format!("cannot read {}", file.display()));
    let mut all = Vec::new();
    for file in files {
        let result = Controlled::parse(&read(&file)?)?;
        all.push(Left { schedule: Schedule::parse(&read(&file.with_extension("schedule"))?)?, result });
    }
    all.sort_by_key(|left| std::cmp::Reverse(left.result.steps));
    Ok(all)
}

/// Reads a schedule.
pub(crate) fn read(file: &Path) -> anyhow::Result<Schedule> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Schedule::parse(&bytes).with_context(|| file.display().to_string())
}

/// The virtual clock of a run begins with the real time.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A schedule that was stored for a race.
struct Stored {
    race: String,
    file: PathBuf,
}

/// The controlled runs of a hunt.
#[derive(Default)]
pub(super) struct Runs {
    /// Where schedules are stored.
    folder: PathBuf,
    /// Where those of all runs are.
    all: Option<PathBuf>,
    /// How many contested operations the last run had.
    length: Option<u64>,
    /// What was stored for races, by the run that showed them first.
    stored: Vec<(u64, Vec<Stored>)>,
    notes: Vec<String>,
}

impl Runs {
    /// Schedules go into a folder beside the results.
    pub(super) fn new(out: Option<&Path>, all: Option<PathBuf>) -> Runs {
        let beside = |out: &Path| out.with_extension("schedules");
        Runs { folder: out.map_or_else(|| PathBuf::from(FOLDER), beside), all, ..Runs::default() }
    }

    /// Completes the plan of a controlled run.
    pub(super) fn prepare(&self, plan: &mut Plan, watched: &Run) {
        plan.control = Controls { clock: now(), command: words(watched), ..Controls::default() };
        if let Some(length) = self.length {
            plan.control.length = length.max(1);
        }
    }

    /// Takes in what a run left, and stores the schedule of the races that it was the first to show.
    pub(super) fn take(&mut self, place: &Path, number: u64, watched: &Run, new: &[String]) -> anyhow::Result<()> {
        let all = left(place)?;
        let Some(main) = all.first() else {
            self.note(format!("run {number} left no schedule: its JVM did not come to its end"));
            return Ok(());
        };
        self.length = Some(main.result.contested);
        for left in &all {
            self.note_all(number, &left.result);
        }
        if all.len() > 1 && !new.is_empty() {
            self.note(format!(
                "run {number} had {} JVMs: the schedule of the one with most operations is stored",
                all.len()
            ));
        }
        let mut schedule = main.schedule.clone();
        watch_the_same(&mut schedule, watched);
        let mut stored = Vec::new();
        for race in new {
            stored.push(Stored { race: race.clone(), file: store(&self.folder, race, &schedule)? });
        }
        self.stored.push((number, stored));
        if let Some(folder) = &self.all {
            store(folder, &format!("run-{number}"), &schedule)?;
        }
        Ok(())
    }

    /// What was not controlled must not be silent.
    fn note_all(&mut self, number: u64, result: &Controlled) {
        if let Some(why) = result.given_up.as_ref().filter(|why| !why.is_empty()) {
            self.note(format!("run {number}: control was given up, and threads ran freely from there on: {why}"));
        }
        for (what, count) in &result.uncontrolled {
            self.note(format!("run {number}: not controlled: {what} ({count})"));
        }
        if result.outside > 0 {
            self.note(format!(
                "run {number}: a thread was blocked outside the model {} times, such as by input or output",
                result.outside
            ));
        }
        if !result.deadlock.is_empty() {
            self.note(format!("run {number}: no thread could go on: {}", result.deadlock.join("; ")));
        }
    }

    /// A schedule with fewer switches that shows the same races, and what it was before.
    fn minimised(
        &self,
        watched: &Run,
        folder: &Folder,
        file: &Path,
        races: &[String],
        budget: u32,
    ) -> anyhow::Result<Option<(Schedule, String)>> {
        let first = read(file)?;
        let place = folder.part()?;
        let mut failed = None;
        let minimised = minimise(&first, budget, &mut |legs| {
            let attempt = || -> anyhow::Result<Option<Attempt>> {
                let tried = place.join("tried.schedule");
                write(&tried, &Leg::schedule(&legs, &first).to_bytes())?;
                let followed = follow(watched, folder, &tried, Follow::ByLength, 1)?;
                let Some(run) = followed.runs.into_iter().next() else { return Ok(None) };
                let shows = run.is_controlled && races.iter().all(|race| run.races.contains(race));
                let header = first.header.clone();
                Ok(run.schedule.map(|schedule| Attempt { schedule: Schedule { header, ..schedule }, shows }))
            };
            let attempt = attempt().unwrap_or_else(|error| {
                failed = Some(error);
                None
            });
            attempt.unwrap_or_else(|| Attempt { schedule: first.clone(), shows: false })
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let (before, after) = (first.switches(), minimised.schedule.switches());
        let line = format!(
            "the schedule was minimised from {before} switches to {after} in {} runs{}",
            minimised.executions,
            if minimised.is_complete { "" } else { "; more runs may find a shorter one (--minimise)" }
        );
        Ok((after < before).then_some((minimised.schedule, line)))
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Looks for schedules with fewer switches, replays what was stored, and says in the report how often it was shown.
    pub(super) fn conclude(
        &mut self,
        watched: &Run,
        folder: &Folder,
        report: &mut Report,
        budget: u32,
    ) -> anyhow::Result<()> {
        for (run, stored) in std::mem::take(&mut self.stored) {
            // All races of a run have the same schedule.
            let Some(first) = stored.first() else { continue };
            let mut followed = follow(watched, folder, &first.file, Follow::Exactly, REPLAYS)?;
            let races: Vec<String> = stored.iter().map(|stored| stored.race.clone()).collect();
            if followed.all_show(&races) && budget > 0 {
                if let Some((shorter, line)) = self.minimised(watched, folder, &first.file, &races, budget)? {
                    let before = fs::read(&first.file)?;
                    for Stored { file, .. } in &stored {
                        write(file, &shorter.to_bytes())?;
                    }
                    let again = follow(watched, folder, &first.file, Follow::Exactly, REPLAYS)?;
                    if again.all_show(&races) {
                        followed = again;
                        self.note(format!("run {run}: {line}"));
                    } else {
                        stored.iter().try_for_each(|stored| write(&stored.file, &before))?;
                    }
                }
            }
            for Stored { race, file } in &stored {
                let execution = followed.execution(race, file);
                let (name, shown, runs) = (plain(&file.to_string_lossy()).to_string(), execution.shown, execution.runs);
                self.note(format!(
                    "[{race}] shown in {shown} of {runs} replays; Replay: autodrome replay --schedule {name}"
                ));
                award(report, race, execution);
            }
            if let Some(why) = followed.runs.iter().find_map(|run| run.failure.as_ref()) {
                let first = why.lines().next().unwrap_or_default();
                self.note(format!("run {run}: a replay did not follow its schedule: {first}"));
            }
        }
        report.notes.append(&mut self.notes);
        Ok(())
    }
}

/// Writes a schedule.
fn store(folder: &Path, name: &str, schedule: &Schedule) -> anyhow::Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let file = folder.join(format!("{name}.schedule"));
    write(&file, &schedule.to_bytes())?;
    Ok(file)
}

fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

/// The grade that runs of a schedule earn.
pub(crate) fn award(report: &mut Report, race: &str, execution: Execution) {
    let Some(race) = report.races.iter_mut().find(|other| other.id == race) else { return };
    if execution.shown == 0 {
        return;
    }
    let grade = if execution.shown == execution.runs { Grade::Replayed } else { Grade::Caught };
    race.grade = race.grade.max(grade);
    race.execution = Some(execution);
}

fn words(watched: &Run) -> Vec<String> {
    watched.command.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// A schedule's sites depend on which classes are watched.
fn watch_the_same(schedule: &mut Schedule, watched: &Run) {
    for (key, names) in [(INCLUDE, &watched.include), (EXCLUDE, &watched.exclude)] {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            schedule.header.environment.insert(key.to_owned(), names.join(" "));
        }
    }
}

/// The run that a schedule was recorded in: what it watched, and its command if no other one is given.
pub(crate) fn run_of(schedule: &Schedule, command: &[std::ffi::OsString]) -> anyhow::Result<Run> {
    let names = |key: &str| -> anyhow::Result<Vec<control::Name>> {
        let text = schedule.header.environment.get(key).map_or("", String::as_str);
        text.split_whitespace()
            .map(|name| name.parse().map_err(|_| anyhow::anyhow!("the schedule names no class: {name}")))
            .collect()
    };
    let own = || schedule.header.command.iter().map(std::ffi::OsString::from).collect();
    Ok(Run {
        include: names(INCLUDE)?,
        exclude: names(EXCLUDE)?,
        command: if command.is_empty() { own() } else { command.to_vec() },
        ..Run::default()
    })
}

/// One run that followed a schedule.
pub(crate) struct FollowedRun {
    /// The races that it showed.
    pub(crate) races: Vec<String>,
    /// Why it is no replay, if it is none.
    pub(crate) failure: Option<String>,
    /// Was it controlled to its end?
    is_controlled: bool,
    /// What it did.
    schedule: Option<Schedule>,
}

/// Runs that followed a schedule.
#[derive(Default)]
pub(crate) struct Followed {
    pub(crate) runs: Vec<FollowedRun>,
    /// All that they found.
    pub(crate) report: Report,
}

impl Followed {
    /// Did each run show all of these races?
    fn all_show(&self, races: &[String]) -> bool {
        self.runs.iter().all(|run| run.failure.is_none() && races.iter().all(|race| run.races.contains(race)))
    }

    /// How often they showed a race.
    pub(crate) fn execution(&self, race: &str, file: &Path) -> Execution {
        let shows = |run: &&FollowedRun| run.failure.is_none() && run.races.iter().any(|shown| shown == race);
        Execution {
            schedule: Some(file.to_string_lossy().into_owned()),
            input: None,
            shown: self.runs.iter().filter(shows).count() as u64,
            runs: self.runs.len() as u64,
        }
    }
}

/// Runs a command along a schedule.
pub(crate) fn follow(
    watched: &Run,
    folder: &Folder,
    file: &Path,
    follow: Follow,
    times: u64,
) -> anyhow::Result<Followed> {
    let schedule = read(file)?;
    let file = std::path::absolute(file).with_context(|| format!("cannot find out where {} is", file.display()))?;
    let mut all = Followed::default();
    for _ in 0..times {
        let mut plan = Plan::new(Scheduler::Replay, schedule.header.seed, Settings::default());
        plan.control = Controls {
            schedule: Some(file.to_string_lossy().into_owned()),
            follow,
            clock: schedule.header.clock.unwrap_or_else(now),
            command: words(watched),
            ..Controls::default()
        };
        let place = folder.part()?;
        let plan_file = place.join("plan.json");
        fs::write(&plan_file, plan.to_json()).with_context(|| format!("cannot write {}", plan_file.display()))?;
        let mut options = watched.agent_options(Mode::Detect)?;
        options.hunt.plan = Some(FileName::fixed(&plan_file)?);
        options.hunt.outcome = Some(FileName::of_each_process(&place, "outcome")?);
        let mut heard = Heard::default();
        let (_, collected) = watched.watch_and_hear(options, folder, Shown::Nothing, Some(&mut heard))?;
        let Collected { report, is_interrupted, .. } = collected;
        let races = report.races.iter().map(|race| race.id.clone()).collect();
        let left = left(&place)?;
        let failure = failure(&left, &schedule);
        let main = left.into_iter().next();
        let is_controlled = main.as_ref().is_some_and(|main| main.result.given_up.is_none());
        all.report.merge(report);
        all.runs.push(FollowedRun { races, failure, is_controlled, schedule: main.map(|main| main.schedule) });
        if is_interrupted {
            break;
        }
    }
    Ok(all)
}

/// Why a run did not follow its schedule to the end.
fn failure(all: &[Left], schedule: &Schedule) -> Option<String> {
    let Some(main) = all.first() else {
        return Some("the run left no schedule: its JVM did not come to its end".to_owned());
    };
    if let Some(divergence) = &main.result.divergence {
        return Some(divergence.clone());
    }
    if let Some(why) = main.result.given_up.as_ref().filter(|why| !why.is_empty()) {
        return Some(format!("control was given up: {why}"));
    }
    let at = schedule.difference(&main.schedule)?;
    Some(format!("stretch {} of the run is not that of the schedule", at + 1))
}
