//! `autodrome record`: a trace of every JVM that a command starts, for `autodrome analyze`.
//!
//! The first JVM that is watched gets the file itself, each further one a file with its process in the name: a trace is of
//! one run of one program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use control::{BarrierData, Branches, Insides, Name, RecordingOptions};
use report::{Report, TraceResult, TraceState, plain};

use crate::detector::{Online, choice};
use crate::run::Run;
use crate::{Result, analyze};

/// Runs a command and records what every JVM that it starts does.
#[derive(Args)]
pub(crate) struct Record {
    /// The trace, in binary form; each JVM after the first writes one with its process number before the extension.
    #[arg(short = 'o', long = "out", value_name = "FILE")]
    out: PathBuf,

    /// Record only these classes or packages, such as com.acme or com.acme.Main; can be given many times [default: all
    /// but the JDK's].
    #[arg(long, value_name = "PATTERN")]
    include: Vec<Name>,

    /// Do not record these; can be given many times.
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<Name>,

    #[command(flatten)]
    traced: Traced,

    /// The command.
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// What predictors need of a trace.
#[derive(Args, Default)]
pub(crate) struct Traced {
    /// Hide these classes or packages, and what they synchronize: a call of theirs is recorded with the objects that it can
    /// reach; can be given many times.
    #[arg(long, value_name = "PATTERN")]
    hide: Vec<Name>,

    /// How the objects are found that a hidden method can reach: each object is walked once and recorded writes are
    /// followed from then on, or all are walked at each call.
    #[arg(long, value_name = "HOW", default_value = "once", requires = "hide", value_parser = choice::<BarrierData>())]
    barrier_data: BarrierData,

    /// Hidden methods may synchronize through this static field, such as com.acme.Main.ready; can be given many times.
    #[arg(long, value_name = "CLASS.FIELD", requires = "hide")]
    global: Vec<Name>,

    /// Record what hidden methods do, too, between marks: `compare --conceal` hides it, and knows the truth.
    #[arg(long, requires = "hide")]
    reveal: bool,

    /// Record where a thread's path depends on what it has read: predictors may change what it reads elsewhere.
    #[arg(long)]
    branches: bool,
}

impl Traced {
    /// What they ask of an agent.
    pub(crate) fn ask(&self, options: &mut RecordingOptions) {
        options.hide.clone_from(&self.hide);
        options.globals.clone_from(&self.global);
        options.barriers = self.barrier_data;
        if self.reveal {
            options.insides = Insides::Revealed;
        }
        if self.branches {
            options.branches = Branches::Recorded;
        }
    }
}

impl Record {
    pub(crate) fn run(self) -> Result {
        Run {
            include: self.include,
            exclude: self.exclude,
            detector: Online::Record,
            record: Some(self.out),
            traced: self.traced,
            command: self.command,
            ..Run::default()
        }
        .run()
    }
}

/// The races of each trace as DJIT+ finds them: shown, and as JSON.
pub(crate) fn every_pair(report: &Report) -> anyhow::Result<Vec<TraceResult>> {
    let traces = report.jvms.iter().filter_map(|jvm| jvm.trace.as_ref());
    traces
        .map(|trace| {
            let analysis = analyze::every_pair(Path::new(&trace.file))?;
            eprintln!("{analysis}");
            Ok(analysis.into())
        })
        .collect()
}

/// Which traces there are now, a line each.
pub(crate) fn closing_lines(report: &Report) -> Vec<String> {
    let traces = report.jvms.iter().filter_map(|jvm| Some((jvm, jvm.trace.as_ref()?)));
    traces
        .map(|(jvm, trace)| {
            let file = plain(&trace.file);
            let lost = if trace.lost > 0 { format!("; {} were lost", trace.lost) } else { String::new() };
            match trace.state {
                TraceState::Open => format!("autodrome: recorded to {file}, which ends where the JVM was killed"),
                TraceState::Stopped => format!("autodrome: recorded to {file} until it could not be written any more"),
                TraceState::Closed => {
                    format!("autodrome: recorded {} events of {} threads to {file}{lost}", trace.events, jvm.threads)
                }
            }
        })
        .collect()
}
