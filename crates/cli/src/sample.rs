//! `autodrome sample`: looks for clock races at few places of every JVM that a command starts, at little cost (CRSampler).

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use control::{Endpoint, FileName, Name, SampleLimit, SampleRate, SamplingOptions, WatchedBy};
use report::{Report, StackFrame};

use crate::detector::{Online, choice};
use crate::gate::Gate;
use crate::run::{Run, everywhere};
use crate::show::Wanted;
use crate::{Result, out};

/// Runs a command and samples few of its accesses for races: some places, for a short time each. What it finds has happened; most
/// races it misses. Run it often.
#[derive(Args)]
pub(crate) struct Sample {
    /// Which part of all places is sampled, such as 1% or 0.25%.
    #[arg(long, value_name = "PERCENT", default_value_t)]
    rate: SampleRate,

    /// For how long an access is watched, such as 15ms.
    #[arg(long, value_name = "TIME", default_value_t)]
    limit: SampleLimit,

    /// Sample less if sampling takes more than this part of the program's processor time, such as 1%. Watching the
    /// synchronization is not part of it.
    #[arg(long, value_name = "PERCENT", default_value_t)]
    max_overhead: SampleRate,

    /// Which places: the same ones for the same number [default: others in each JVM].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Sample these places instead: a report, whose races are looked for again, or a list with a place such as
    /// com.acme.Main.run:17 on each line.
    #[arg(long, value_name = "FILE", conflicts_with = "rate")]
    sites: Option<PathBuf>,

    /// What notices the second access to a place: the processor or woven code.
    #[arg(long, value_name = "WHAT", default_value = "any", value_parser = choice::<WatchedBy>())]
    watchpoints: WatchedBy,

    /// Sample only these classes or packages, such as com.acme or com.acme.Main; can be given many times [default: all
    /// but the JDK's].
    #[arg(long, value_name = "PATTERN")]
    include: Vec<Name>,

    /// Do not sample these; can be given many times.
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<Name>,

    /// Write the report as JSON (autodrome.report/1) to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the report in a form to a file, such as html=races.html, sarif=races.sarif, junit=races.xml; or github,
    /// for annotations and a summary of the step; can be given many times.
    #[arg(long, value_name = "FORMAT=FILE")]
    report: Vec<Wanted>,

    /// Send each new race to this collector as an OpenTelemetry log record (OTLP over HTTP), such as
    /// http://localhost:4318.
    #[arg(long, value_name = "URL")]
    otlp: Option<Endpoint>,

    #[command(flatten)]
    gate: Gate,

    /// Write what the agents did and left alone to this file: which JVMs, which classes, and why.
    #[arg(long, value_name = "FILE")]
    debug: Option<PathBuf>,

    /// The command.
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

impl Sample {
    pub(crate) fn run(self) -> Result {
        // Lives until the command has ended: each JVM reads the list when it starts.
        let folder = out::private_folder()?;
        let sites = self.sites.as_deref().map(|file| list(file, folder.path())).transpose()?;
        let sampling = SamplingOptions {
            rate: self.rate,
            limit: self.limit,
            seed: self.seed,
            sites,
            watched_by: self.watchpoints,
            overhead: self.max_overhead,
        };
        Run {
            include: self.include,
            exclude: self.exclude,
            detector: Online::Sample,
            out: self.out,
            report: self.report,
            gate: self.gate,
            debug: self.debug,
            sampling,
            otlp: self.otlp,
            command: self.command,
            ..Run::default()
        }
        .run()
    }
}

/// The list of places for the agents: the file itself, or that of a report's races.
fn list(file: &Path, folder: &Path) -> anyhow::Result<FileName> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    if !text.trim_start().starts_with('{') {
        return everywhere(file);
    }
    let report = report::read(&text).with_context(|| file.display().to_string())?;
    let places = places(&report);
    if places.is_empty() {
        bail!("{}: the report has no race with a line to sample", file.display());
    }
    let list = folder.join("sites");
    fs::write(&list, places.join("\n")).with_context(|| format!("cannot write {}", list.display()))?;
    everywhere(&list)
}

/// Where the races of a report are accessed. The JDK's code is not sampled: there it is the line that calls it.
fn places(report: &Report) -> Vec<String> {
    let sides = report.races.iter().flat_map(|race| [&race.earlier, &race.later]);
    let place = |frame: &StackFrame| Some(format!("{}.{}:{}", frame.class, frame.method, frame.line?));
    // A name may hold a line feed, and the list has a place in each line.
    let is_one_line = |place: &String| !place.contains(['\n', '\r']);
    let places: BTreeSet<String> = sides.filter_map(|side| place(side.stack.first()?)).filter(is_one_line).collect();
    places.into_iter().collect()
}
