//! `autodrome hunt`: runs a command many times under schedules that it seldom has by itself, and joins what is found.

mod candidates;
pub(crate) mod controlled;
mod crew;
mod harm;
mod heard;
mod progress;
mod record;
mod table;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use control::{FileName, Mode, Name};
use model::Grade;
use report::{Execution, LiveRace, Report, Status};
use schedule::{Auto, Candidate, Explorer, Plan, Repeated, Run as Finished, Scheduler, Settings};

use crate::collect::{Collected, Folder, Shown};
use crate::exit::{Outcome, Silence};
use crate::gate::Gate;
use crate::run::{self, Run};
use crate::show::Wanted;
use crate::{Result, out};
pub(crate) use heard::Heard;
use progress::Progress;
use record::{Deadlock, HuntRecord, Known, RunRecord};

/// Who decides which threads are held back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// One plain run, then drfinder until it finds nothing new, then racefuzzer on what was found.
    #[default]
    Auto,
    /// Reverses the order in which threads take locks.
    Drfinder,
    /// Random delays before locks and accesses.
    Contest,
    /// Holds threads before the accesses of races that are known, until two meet.
    Racefuzzer,
    /// Control: any thread that can go on does.
    Random,
    /// Control: random priorities, which change at a few random points.
    Pct,
    /// Control: a random priority for each operation, and again for those that conflict with it.
    Pos,
    /// Nobody: the same run again and again.
    None,
}

/// What DrFinder tells locks apart by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LockKinds {
    /// Their type, as the paper does; where it says nothing, such as Object, the field that they are taken from, or the class.
    #[default]
    Place,
    /// Their type alone.
    Type,
}

/// Runs a command many times and holds threads back in it, to find races that the usual order of its threads hides.
#[derive(Args)]
pub(crate) struct Hunt {
    /// Who decides which threads are held back.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    scheduler: By,

    /// How many runs are made at most.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    runs: u64,

    /// No run begins after this time, such as 90s, 10m or 2h; a run that has begun ends by itself.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    budget: Duration,

    /// The seed of all random choices; another one is taken each time if none is given. Runs of one seed may still differ,
    /// because threads run freely while nobody is held.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// DrFinder: how many of a thread's innermost methods are looked at.
    #[arg(long, value_name = "N", default_value = "12", value_parser = clap::value_parser!(u64).range(1..=1024))]
    depth: u64,

    /// A scheduler ends after so many runs in a row that showed no new race.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u64).range(1..))]
    until_dry: u64,

    /// So many runs are made at once, after the first. What they print mixes, and they slow each other down.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,

    /// No thread is held longer than this at one place.
    #[arg(long, value_name = "TIME", default_value = "400ms", value_parser = hold)]
    hold: Duration,

    /// DrFinder: look only at the method that a thread executes, as the paper does, and not at those that called it.
    #[arg(long)]
    current_method: bool,

    /// DrFinder: do not delay threads at their start.
    #[arg(long)]
    no_start_delay: bool,

    /// DrFinder: what locks are told apart by.
    #[arg(long, value_name = "WHAT", default_value = "place")]
    lock_kinds: LockKinds,

    /// Racefuzzer: try the races of this file, a report of any kind or what `run --candidates` wrote.
    #[arg(long, value_name = "FILE")]
    candidates: Option<PathBuf>,

    /// Watch only these classes or packages, such as com.acme or com.acme.Main; can be given many times [default: all
    /// but the JDK's].
    #[arg(long, value_name = "PATTERN")]
    include: Vec<Name>,

    /// Do not watch these; can be given many times.
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<Name>,

    /// Write the hunt as JSON (autodrome.hunt/1) to this file: its runs, and the report of all of them together.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the report in a form to a file, such as json=races.json or html=races.html; or github; can be given many times.
    #[arg(long, value_name = "FORMAT=FILE")]
    report: Vec<Wanted>,

    /// Controlled runs: make so many runs at most to look for a schedule with fewer switches, for each run that showed a race
    /// first; 0 for none.
    #[arg(long, value_name = "N", default_value = "10")]
    minimise: u32,

    /// Store the schedules of all controlled runs in this folder, not only those of races.
    #[arg(long, value_name = "FOLDER")]
    schedules: Option<PathBuf>,

    #[command(flatten)]
    gate: Gate,

    /// Write what the agents did and left alone to this file.
    #[arg(long, value_name = "FILE")]
    debug: Option<PathBuf>,

    /// The command.
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// Reads a time such as 400ms, 90s, 10m or 2h.
pub(crate) fn duration(text: &str) -> std::result::Result<Duration, String> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let each = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err("a time is a number and ms, s, m or h, such as 400ms".to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| "a time begins with a number".to_owned())?;
    let milliseconds = number.checked_mul(each).ok_or("the time is too long")?;
    Ok(Duration::from_millis(milliseconds))
}

/// The same, of a hold.
fn hold(text: &str) -> std::result::Result<Duration, String> {
    let time = duration(text)?;
    let range = Duration::from_millis(1)..=Duration::from_secs(3600);
    if range.contains(&time) { Ok(time) } else { Err("a hold takes from 1ms to 1h".to_owned()) }
}

/// ConTest delays a thread at one place at most so often: any access is a place, and some are passed a million times.
const CONTEST_DELAYS: u32 = 50;

/// A run that is over.
struct Made {
    /// Where its files are.
    place: PathBuf,
    plan: Plan,
    outcome: schedule::Outcome,
    collected: Collected,
    status: ExitStatus,
    heard: Heard,
    took: Duration,
}

/// What all runs so far have shown.
struct Found {
    report: Report,
    record: HuntRecord,
    /// Candidates from outside.
    given: Vec<Candidate>,
    controlled: controlled::Runs,
}

impl Hunt {
    pub(crate) fn run(mut self) -> Result {
        let wanted: Vec<Wanted> = std::mem::take(&mut self.report);
        wanted.iter().try_for_each(Wanted::check)?;
        self.out.as_deref().map_or(Ok(()), out::check)?;
        let given = self.candidates.as_deref().map_or(Ok(Vec::new()), candidates::read)?;
        if self.scheduler == By::Racefuzzer && given.is_empty() {
            bail!(
                "--scheduler racefuzzer needs --candidates FILE with at least one race; without one, use --scheduler auto"
            );
        }
        let seed = self.seed.unwrap_or_else(fresh_seed);
        let record = HuntRecord::new(self.scheduler_name(), seed, self.hold, self.depth);
        let controlled = controlled::Runs::new(self.out.as_deref(), self.schedules.take());
        let mut found = Found { report: Report::default(), record, given, controlled };
        let watched = Run {
            include: std::mem::take(&mut self.include),
            exclude: std::mem::take(&mut self.exclude),
            gate: self.gate.clone(),
            debug: self.debug.take(),
            command: std::mem::take(&mut self.command),
            ..Run::default()
        };
        self.hunt(&watched, seed, &mut found)?;
        found.controlled.conclude(&watched, &Folder::new()?, &mut found.report, self.minimise)?;
        let mut judge = self.gate.judge()?;
        judge.judge_all(&mut found.report);
        self.conclude(&mut found);
        wanted.iter().try_for_each(|wanted| wanted.write(&found.report, judge.sources()))?;
        if let Some(file) = &self.out {
            out::write(Some(file), &found.record.to_json(&found.report)?)?;
        }
        Ok(self.outcome(&found))
    }

    fn scheduler_name(&self) -> String {
        self.scheduler.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings {
            hold_ms: u64::try_from(self.hold.as_millis()).unwrap_or(u64::MAX),
            depth: self.depth,
            any_frame: !self.current_method,
            kinds_by_place: self.lock_kinds == LockKinds::Place,
            ..Settings::default()
        };
        if self.scheduler == By::Contest {
            settings.holds_per_site = CONTEST_DELAYS;
        }
        if self.no_start_delay {
            settings.start_delay_ms = 0;
        }
        settings
    }

    /// All runs, one after the other.
    fn hunt(&self, watched: &Run, seed: u64, found: &mut Found) -> anyhow::Result<()> {
        let (settings, begun) = (self.settings(), Instant::now());
        let repeated = |scheduler| Box::new(Repeated::new(scheduler, settings, seed, self.runs, self.until_dry));
        let mut explorer: Box<dyn Explorer> = match self.scheduler {
            By::Auto => Box::new(Auto::new(settings, seed, self.runs, self.until_dry)),
            By::Drfinder => repeated(Scheduler::DrFinder),
            By::Contest => repeated(Scheduler::ConTest),
            By::Racefuzzer => repeated(Scheduler::RaceFuzzer),
            By::Random => repeated(Scheduler::Random),
            By::Pct => repeated(Scheduler::Pct),
            By::Pos => repeated(Scheduler::Pos),
            By::None => repeated(Scheduler::None),
        };
        crew::hunt(self, watched, explorer.as_mut(), begun, found)
    }

    /// Makes one run.
    fn one_run(watched: &Run, folder: &Folder, plan: Plan, heard: Heard) -> anyhow::Result<Made> {
        let begun = Instant::now();
        let place = folder.part()?;
        let file = place.join("plan.json");
        fs::write(&file, plan.to_json()).with_context(|| format!("cannot write {}", file.display()))?;
        let mut options = watched.agent_options(Mode::Detect)?;
        options.hunt.plan = Some(FileName::fixed(&file)?);
        options.hunt.outcome = Some(FileName::of_each_process(&place, "outcome")?);
        let mut heard = heard;
        let (status, collected) = watched.watch_and_hear(options, folder, Shown::Nothing, Some(&mut heard))?;
        let outcome = outcomes(&place)?;
        Ok(Made { place, plan, outcome, collected, status, heard, took: begun.elapsed() })
    }

    /// Takes in a run; says what it was, for the next ones.
    fn take_in(
        made: Made,
        watched: &Run,
        restarts: Option<u64>,
        progress: &Progress,
        found: &mut Found,
    ) -> anyhow::Result<Finished> {
        let Made { place, plan, outcome, collected, status, heard, took } = made;
        let Collected { report, is_interrupted, .. } = collected;
        let number = found.record.runs.len() as u64 + 1;
        let before = found.report.races.len();
        // What a rule suppresses is no find of the hunt: it neither prolongs it nor is shown.
        let counts = |race: &&LiveRace| matches!(race.verdict.status, Status::New | Status::Known);
        let shown: Vec<String> = report.races.iter().filter(counts).map(|race| race.id.clone()).collect();
        found.report.merge(report);
        let new = found.report.races.iter().skip(before).filter(counts).count() as u64;
        for race in found.report.races.iter().skip(before).filter(|race| race.verdict.status.is_new()) {
            progress.say(&format!("autodrome: run {number}: new: [{}] {}", race.id, race.headline()));
        }
        found.record.take_catches(number, &plan, &outcome, &found.report);
        if plan.scheduler.is_controlled() {
            let new: Vec<String> = found.report.races.iter().skip(before).map(|race| race.id.clone()).collect();
            found.controlled.take(&place, number, watched, &new)?;
        }
        found.take_catches(&plan, &outcome);
        let deadlocks: Vec<Deadlock> =
            outcome.deadlocks.iter().map(|deadlock| Deadlock::of(deadlock, number)).collect();
        let record = RunRecord {
            run: number,
            restarts,
            scheduler: plan.scheduler.name().to_owned(),
            seed: plan.seed,
            races: shown,
            new,
            counts: outcome.counts,
            deadlocks: deadlocks.len() as u64,
            caught: harm::caught(&plan, &outcome, &found.report),
            first: plan.first,
            exit_code: run::exit_code(status),
            interrupted: is_interrupted,
            failure: heard.failure(),
            output: heard.last_lines(),
            milliseconds: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        };
        progress.say(&format!("autodrome: {}", table::line(&record)));
        found.record.add(record, deadlocks, &outcome);
        Ok(Finished { plan, outcome, new_races: new })
    }

    /// What the end says.
    fn conclude(&self, found: &mut Found) {
        found.record.close(&mut found.report);
        found.report.notes.extend(found.record.notes());
        for race in found.report.of(report::Status::New) {
            eprintln!("{race}");
        }
        table::lines(&found.record).iter().for_each(|line| eprintln!("{line}"));
        found.report.end_lines().iter().for_each(|line| eprintln!("{line}"));
        eprintln!("{}", found.report.closing_line());
    }

    fn outcome(&self, found: &Found) -> Outcome {
        let first = found.record.runs.first().map_or(0, |run| run.exit_code);
        // With no plain run to compare, what all runs end with is no matter of schedules.
        let by_itself = match found.record.runs.iter().find(|run| run.scheduler == "none") {
            Some(plain) => plain.exit_code != 0,
            None => {
                first != 0
                    && found.record.deadlocks.is_empty()
                    && found.record.runs.iter().all(|run| run.exit_code == first)
            }
        };
        if let (Ok(code), true) = (u8::try_from(first), by_itself) {
            return Outcome::Program(code);
        }
        match Silence::of(&found.report) {
            Some(silence) if found.record.deadlocks.is_empty() => Outcome::NotWatched(silence),
            _ => match self.gate.outcome(&found.report) {
                Outcome::Clean if found.record.has_failures() => self.gate.failed(),
                outcome => outcome,
            },
        }
    }
}

impl Found {
    /// Races that were caught get the grade.
    fn take_catches(&mut self, plan: &Plan, outcome: &schedule::Outcome) {
        for tried in &outcome.tried {
            let Some(candidate) = plan.candidates.get(tried.candidate) else { continue };
            let race = self.report.races.iter_mut().find(|race| candidates::is_of(candidate, race));
            let name = race.as_ref().map_or_else(|| candidates::name(candidate), |race| race.id.clone());
            let known = self.record.tried.entry(name).or_default();
            *known = Known { runs: known.runs + 1, caught: known.caught + u64::from(tried.catches > 0) };
            let (shown, runs) = (known.caught, known.runs);
            if let Some(race) = race.filter(|_| shown > 0) {
                race.grade = race.grade.max(Grade::Caught);
                race.execution = Some(Execution { schedule: None, input: None, shown, runs });
            }
        }
    }
}

/// What the JVMs of a run wrote, together.
fn outcomes(place: &Path) -> anyhow::Result<schedule::Outcome> {
    let mut all = schedule::Outcome::default();
    let entries = fs::read_dir(place).with_context(|| format!("cannot read {}", place.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "outcome"));
    files.sort();
    for file in files {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        all.merge(schedule::Outcome::parse(&bytes)?);
    }
    Ok(all)
}

fn fresh_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as u64 % 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit() {
        assert_eq!(duration("400ms"), Ok(Duration::from_millis(400)));
        assert_eq!(duration("10m"), Ok(Duration::from_secs(600)));
        for wrong in ["", "10", "ms", "-1s", "1.5s", "1d", "99999999999999999999h", "18446744073709551615h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert!(hold("0ms").is_err() && hold("2h").is_err() && hold("1ms").is_ok());
    }
}
