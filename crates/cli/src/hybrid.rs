//! `autodrome run --detector hybrid`: the command runs twice (O'Callahan and Choi 2003, section 6.1).
//!
//! The first run, in Simple mode, finds the race-prone fields and the size of the largest lockset; the second looks at
//! those fields in detail. If a thread held more locks than expected then, the second run is repeated with that number.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use anyhow::{Context, bail};
use clap::Args;
use control::{FileName, LocksetOptions, Mode, Name, Pairs, Part};
use report::{RaceProne, Report};

use crate::collect::{Collected, Folder, Shown};
use crate::detector::{Online, choice};
use crate::out;
use crate::run::Run;

/// By how much the second run may pass the largest lockset of the first.
const MARGIN: u64 = 2;

/// How often the second run is made at most.
const ROUNDS: usize = 3;

/// What only hybrid detection knows.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct HybridOptions {
    /// For hybrid: look at the fields in this file, and do without the first run.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["save_fields", "all_fields"])]
    fields: Option<PathBuf>,

    /// For hybrid: look at all fields, and do without the first run.
    #[arg(long, conflicts_with = "save_fields")]
    all_fields: bool,

    /// For hybrid: a method whose start sends a message to those that --receive names, on the same object, such as
    /// com.acme.Queue.put; can be given many times.
    #[arg(long, value_name = "METHOD")]
    send: Vec<Name>,

    /// For hybrid: a method whose return receives what methods named by --send have sent; can be given many times.
    #[arg(long, value_name = "METHOD")]
    receive: Vec<Name>,

    /// For hybrid: a field by which threads signal what is ready, such as com.acme.Main.ready: its accesses are
    /// messages; can be given many times.
    #[arg(long, value_name = "FIELD")]
    flag: Vec<Name>,

    /// For hybrid: leave a part of it out, to see what it is worth.
    #[arg(long, value_name = "PART", hide = true, value_parser = choice::<Part>())]
    without: Option<Part>,

    /// For hybrid: write all pairs of places that may race to this file, a JSON value each.
    #[arg(long, value_name = "FILE")]
    candidates: Option<PathBuf>,
}

impl HybridOptions {
    /// What they ask of an agent.
    pub(crate) fn ask(&self, options: &mut LocksetOptions) {
        if self.candidates.is_some() {
            options.pairs = Pairs::All;
        }
        options.without = self.without.into_iter().collect();
        options.sends.clone_from(&self.send);
        options.receives.clone_from(&self.receive);
        options.flags.clone_from(&self.flag);
    }

    /// Says what is wrong before anything runs.
    pub(crate) fn check(&self, detector: Online) -> anyhow::Result<()> {
        let for_hybrid = [
            (self.fields.is_some(), "--fields"),
            (self.all_fields, "--all-fields"),
            (!self.send.is_empty(), "--send"),
            (!self.receive.is_empty(), "--receive"),
            (!self.flag.is_empty(), "--flag"),
            (self.without.is_some(), "--without"),
            (self.candidates.is_some(), "--candidates"),
        ];
        if let Some((_, option)) = for_hybrid.iter().find(|(given, _)| *given && detector != Online::Hybrid) {
            bail!("{option} is for --detector hybrid");
        }
        if let Some(path) = &self.candidates {
            out::check(path)?;
        }
        if let Some(path) = &self.fields {
            read(path)?;
        }
        Ok(())
    }
}

/// The run in Simple mode.
pub(crate) fn first_run(run: &Run, folder: &Folder, shown: Shown) -> anyhow::Result<(ExitStatus, Collected)> {
    let simple = run.watch(run.agent_options(Mode::Simple)?, folder, shown)?;
    if let Some(path) = &run.detection.save_fields {
        out::write(Some(path), RaceProne::of(&simple.1.report).to_string().trim_end())?;
    }
    Ok(simple)
}

/// Both runs: how the last one ended, and what it found.
pub(crate) fn run(run: &Run, folder: &Folder) -> anyhow::Result<(ExitStatus, Collected)> {
    let hybrid = &run.detection.hybrid;
    let prone = match &hybrid.fields {
        Some(file) => Some(read(file)?),
        None if hybrid.all_fields => None,
        None => {
            let simple = first_run(run, folder, Shown::Nothing)?;
            let prone = RaceProne::of(&simple.1.report);
            eprintln!(
                "autodrome: first run: {} race-prone, at most {} held at once",
                counted(prone.count(), "field"),
                counted(prone.locks, "lock")
            );
            if prone.count() == 0 {
                return Ok(simple);
            }
            Some(prone)
        }
    };
    let mut options = run.agent_options(Mode::Detailed)?;
    if let Some(prone) = prone {
        let file = folder.path().join("fields");
        fs::write(&file, prone.to_string()).with_context(|| format!("cannot write {}", file.display()))?;
        options.locksets.max_locks = prone.locks as u64 + MARGIN;
        options.locksets.fields = Some(FileName::fixed(&file)?);
    }
    for round in 1.. {
        let (status, collected) = run.watch(options.clone(), folder, Shown::Races)?;
        let held = collected.report.jvms.iter().map(|jvm| jvm.locksets.largest).max().unwrap_or(0);
        let most = options.locksets.max_locks;
        if held <= most || round == ROUNDS {
            write_candidates(run, &collected.report)?;
            return Ok((status, collected));
        }
        eprintln!(
            "autodrome: a thread held {held} locks at once, more than {most}: races may be missing, so once more"
        );
        options.locksets.max_locks = held + MARGIN;
    }
    bail!("the command was not run")
}

fn write_candidates(run: &Run, report: &Report) -> anyhow::Result<()> {
    let Some(path) = &run.detection.hybrid.candidates else { return Ok(()) };
    let lines = report.candidates.iter().map(serde_json::to_string);
    let text = lines.collect::<Result<Vec<String>, _>>()?.join("\n");
    eprintln!("autodrome: {} in {}", counted(report.candidates.len(), "candidate"), path.display());
    out::write(Some(path), &text)
}

fn read(path: &Path) -> anyhow::Result<RaceProne> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    RaceProne::parse(&text).map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
