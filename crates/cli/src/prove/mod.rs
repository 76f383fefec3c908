//! `autodrome prove`: searches inputs with which a program races, fails an assertion or throws.
//!
//! Each run with shadows says which decisions depended on inputs; a solver finds inputs that decide otherwise somewhere; those are
//! run next. With a target each failure is confirmed by a plain run with its input. Without one the program is run under
//! FastTrack with each input that takes a new path, and a race is reported with the input that showed it.
//!
//! What may be missed: races and failures of schedules that the runs did not have; see `concolic` for what is not followed.

mod command;
mod record;
mod runs;
mod target;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use concolic::{Inputs, Next, Search, Source, Spec, Z3};
use control::{Mode, Name};
use report::Report;

use crate::collect::{Folder, Shown};
use crate::exit::Outcome;
use crate::gate::Gate;
use crate::hunt::{Heard, duration};
use crate::run::Run;
use crate::show::Wanted;
use crate::signals::Passing;
use crate::{Result, out};
use command::JavaCommand;
use record::{ProveRecord, RaceInput, Verdict, Violation};
use runs::Runner;
use target::{Reach, Target};

/// Searches inputs with which a command races, fails an assertion or throws.
#[derive(Args)]
pub(crate) struct Prove {
    /// An input: args[0]:int, args[0]:int[1..64], prop:NAME:int, or return:CLASS.METHOD for what a method returns, where the
    /// method's name may end in *; can be given many times.
    #[arg(long, value_name = "INPUT", required = true)]
    symbolic: Vec<Spec>,

    /// Search an input that fails an assertion or ends a thread with an exception, instead of races.
    #[arg(long, value_name = "TARGET")]
    reach: Option<Reach>,

    /// Only failures in this class count: the first class on the stack that is not the JDK's.
    #[arg(long, value_name = "CLASS", requires = "reach")]
    class: Option<String>,

    /// Only failures in a method of this name count.
    #[arg(long, value_name = "METHOD", requires = "reach")]
    method: Option<String>,

    /// No run begins after this time, such as 90s, 10m or 2h.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    budget: Duration,

    /// How many runs follow inputs at most.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,

    /// A run that takes longer is ended; what it did until then counts.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    run_time: Duration,

    /// How long the solver may take for each size of inputs that it tries.
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration)]
    solver_time: Duration,

    /// The z3 program [default: AUTODROME_Z3, or the one on the PATH].
    #[arg(long, value_name = "PROGRAM")]
    z3: Option<PathBuf>,

    /// Watch only these classes or packages; can be given many times [default: all but the JDK's].
    #[arg(long, value_name = "PATTERN")]
    include: Vec<Name>,

    /// Do not watch these; can be given many times.
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<Name>,

    /// Write the result as JSON (autodrome.prove/1) to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the report of races in a form to a file, such as json=races.json or html=races.html; can be given many times.
    #[arg(long, value_name = "FORMAT=FILE")]
    report: Vec<Wanted>,

    #[command(flatten)]
    gate: Gate,

    /// The command.
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

impl Prove {
    pub(crate) fn run(self) -> Result {
        self.report.iter().try_for_each(Wanted::check)?;
        self.out.as_deref().map_or(Ok(()), out::check)?;
        let command = JavaCommand::new(self.command.clone());
        let start = command.inputs(&self.symbolic)?;
        let mut solver = Z3::start(&z3(self.z3.as_deref()), self.solver_time)?;
        let mut runner = Runner {
            command,
            specs: &self.symbolic,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            assertions: self.reach == Some(Reach::Assertion),
            limit: self.run_time,
            folder: Folder::new()?,
            signals: Passing::new()?,
        };
        let mut record = ProveRecord::new(&self.symbolic, self.reach);
        let mut report = Report::default();
        self.search(&mut runner, &mut solver, start, &mut record, &mut report)?;
        let mut judge = self.gate.judge()?;
        judge.judge_all(&mut report);
        for race in report.of(report::Status::New) {
            eprintln!("{race}");
        }
        record.lines().iter().for_each(|line| eprintln!("autodrome: {line}"));
        if self.reach.is_none() {
            eprintln!("{}", report.closing_line());
        }
        self.report.iter().try_for_each(|wanted| wanted.write(&report, judge.sources()))?;
        if let Some(file) = &self.out {
            out::write(Some(file), &record.to_json(self.reach.is_none().then_some(&report))?)?;
        }
        Ok(match (self.reach, record.verdict) {
            (Some(_), Verdict::Violated) => self.gate.failed(),
            (Some(_), _) => Outcome::Clean,
            (None, _) => self.gate.outcome(&report),
        })
    }

    fn search(
        &self,
        runner: &mut Runner<'_>,
        solver: &mut Z3,
        start: Inputs,
        record: &mut ProveRecord,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        let begun = Instant::now();
        let target = Target { reach: self.reach, class: self.class.clone(), method: self.method.clone() };
        let mut search = Search::default();
        let mut inputs = start;
        loop {
            let ran = runner.follow(&inputs)?;
            record.runs += 1;
            record.ended += u64::from(ran.was_ended);
            if ran.is_interrupted {
                record.ended_by = "signal";
                break;
            }
            if ran.traces.is_empty() && record.runs == 1 {
                bail!("no JVM was followed: the command started none, or it was a build tool's");
            }
            let mut is_new = false;
            let mut read = inputs.clone();
            for trace in ran.traces {
                read.0.extend(trace.variables.iter().map(|variable| (variable.key.clone(), variable.value)));
                record.note(&trace);
                is_new |= search.add(Rc::new(trace));
            }
            if let Some(thrown) = ran.thrown.iter().find(|thrown| target.is(thrown)) {
                let confirmed = runner.confirm(&read)?;
                record.confirmations += 1;
                let same = |other: &&target::Thrown| target.is(other) && other.class == thrown.class;
                if let Some(thrown) = confirmed.thrown.iter().find(same) {
                    record.violation = Some(Violation { input: read.words(), values: read, thrown: thrown.clone() });
                    record.verdict = Verdict::Violated;
                    record.close(&search);
                    return Ok(());
                }
                record.unconfirmed += 1;
            }
            if self.reach.is_none() && is_new && self.detect(runner, &read, record, report)? {
                record.ended_by = "signal";
                break;
            }
            if begun.elapsed() >= self.budget {
                record.ended_by = "budget";
                break;
            }
            if record.runs >= self.runs {
                record.ended_by = "runs";
                break;
            }
            match search.next(solver)? {
                Next::Run(next) => inputs = with_start(&inputs, next),
                Next::Done => {
                    record.ended_by = "done";
                    if search.is_exhausted()
                        && record.ended == 0
                        && record.unconfirmed == 0
                        && search.coverage().paths > 0
                    {
                        record.verdict = Verdict::Exhausted;
                    }
                    break;
                }
            }
        }
        record.close(&search);
        if record.inputs_read == 0 {
            record.doubts.push("the program has read none of the inputs".to_owned());
            record.verdict = Verdict::Unknown;
        }
        Ok(())
    }

    /// A run under FastTrack: are there races with this input? `true` if a signal came.
    fn detect(
        &self,
        runner: &Runner<'_>,
        inputs: &Inputs,
        record: &mut ProveRecord,
        report: &mut Report,
    ) -> anyhow::Result<bool> {
        let watched = Run {
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            gate: self.gate.clone(),
            command: runner.command.with(inputs, false),
            ..Run::default()
        };
        let mut options = watched.agent_options(Mode::Detect)?;
        if self.symbolic.iter().any(|spec| matches!(spec.source, Source::Return(_))) {
            options.concolic.inputs = Some(runner.write_inputs(&runner.folder.part()?, inputs)?);
        }
        let mut heard = Heard::default();
        let (_, collected) = watched.watch_and_hear(options, &runner.folder, Shown::Nothing, Some(&mut heard))?;
        record.detections += 1;
        let known = report.races.len();
        report.merge(collected.report);
        for race in report.races.iter_mut().skip(known) {
            let input = inputs.words();
            eprintln!("autodrome: new with {input}: [{}] {}", race.id, race.headline());
            record.races.push(RaceInput { id: race.id.clone(), input, values: inputs.clone(), run: record.runs });
        }
        Ok(collected.is_interrupted)
    }
}

/// The next inputs; those that the solver was not told of keep what they had.
fn with_start(start: &Inputs, next: Inputs) -> Inputs {
    let named = start.0.iter().filter(|(key, _)| !key.starts_with("return:"));
    let mut inputs = Inputs(named.map(|(key, &value)| (key.clone(), value)).collect());
    inputs.0.extend(next.0);
    inputs
}

/// The solver: the one that is named, the one of the project's set-up beside this program, or the one on the PATH.
fn z3(named: Option<&Path>) -> PathBuf {
    let set = || std::env::var_os("AUTODROME_Z3").map(PathBuf::from);
    let beside = || {
        let program = std::env::current_exe().ok()?;
        let own = program.ancestors().nth(2)?.join("tools/z3/bin/z3");
        own.is_file().then_some(own)
    };
    named.map(Path::to_owned).or_else(set).or_else(beside).unwrap_or_else(|| PathBuf::from("z3"))
}
