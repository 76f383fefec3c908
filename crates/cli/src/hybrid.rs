//! `autodrome run --detector hybrid`: the command runs twice (hybrid.txt §6.1).
//!
//! The first run, in Simple mode, finds the race-prone fields and the size of the largest lockset; the second looks at
//! those fields in detail. If a thread held more locks than expected then, the second run is repeated with that number.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use report::{RaceProne, Report};

use crate::collect::{Collected, Folder, Shown};
use crate::out;
use crate::run::{Online, Run, pattern};

/// By how much the second run may pass the largest lockset of the first.
const MARGIN: usize = 2;

/// How often the second run is made at most.
const ROUNDS: usize = 3;

/// What only the lockset detectors know.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct HybridOptions {
    /// For hybrid: look at the fields in this file, and do without the first run.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["save_fields", "all_fields"])]
    pub(crate) fields: Option<PathBuf>,

    /// For eraser and hybrid: keep the race-prone fields in this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) save_fields: Option<PathBuf>,

    /// For hybrid: look at all fields, and do without the first run.
    #[arg(long, conflicts_with = "save_fields")]
    pub(crate) all_fields: bool,

    /// For eraser and hybrid: what of an array is a variable, the whole array or each element.
    #[arg(long, value_name = "WHAT", default_value = "whole")]
    pub(crate) elements: Elements,

    /// For hybrid: a method whose start sends a message to those that --receive names, on the same object, such as
    /// com.acme.Queue.put; can be given many times.
    #[arg(long, value_name = "METHOD", value_parser = pattern)]
    pub(crate) send: Vec<String>,

    /// For hybrid: a method whose return receives what methods named by --send have sent; can be given many times.
    #[arg(long, value_name = "METHOD", value_parser = pattern)]
    pub(crate) receive: Vec<String>,

    /// For hybrid: a field by which threads tell each other what is ready, such as com.acme.Main.ready: its accesses are
    /// messages; can be given many times.
    #[arg(long, value_name = "FIELD", value_parser = pattern)]
    pub(crate) flag: Vec<String>,

    /// For fasttrack, eraser and hybrid: drop accesses from which the detector would learn nothing.
    #[arg(long, value_name = "NAME")]
    pub(crate) filter: Option<LiveFilter>,

    /// For fasttrack, eraser and hybrid: ignore writes of the value that is there already.
    #[arg(long)]
    pub(crate) constant_writes: bool,

    /// For hybrid: leave a part of it out, to see what it is worth.
    #[arg(long, value_name = "PART", hide = true)]
    pub(crate) without: Option<Part>,

    /// For hybrid: write all pairs of places that may race to this file, a JSON value each.
    #[arg(long, value_name = "FILE")]
    pub(crate) candidates: Option<PathBuf>,

    /// A thread that has made the second access of a race waits there for a debugger; the process is told.
    #[arg(long = "break")]
    pub(crate) breaks: bool,
}

/// What can stand in front of a detector in a JVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LiveFilter {
    Tree,
}

/// A part of hybrid detection that the paper measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// The order of messages; a thread-locality check stands in for it.
    Hb,
    /// The oversized-lockset rule.
    Oversized,
    /// Both rules about redundant accesses.
    Opts,
}

/// What of an array is a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Elements {
    #[default]
    Whole,
    Each,
}

impl HybridOptions {
    /// What the agent is told in every lockset mode.
    pub(crate) fn agent_options(&self) -> String {
        let mut options = String::new();
        for (wanted, option) in [
            (self.elements == Elements::Each, ",elements=each"),
            (self.filter == Some(LiveFilter::Tree), ",filter=tree"),
            (self.candidates.is_some(), ",pairs=all"),
            (self.constant_writes, ",constants=ignore"),
        ] {
            options += if wanted { option } else { "" };
        }
        if let Some(part) = self.without.and_then(|part| part.to_possible_value()) {
            options += &format!(",without={}", part.get_name());
        }
        for (key, names) in [("send", &self.send), ("receive", &self.receive), ("flag", &self.flag)] {
            names.iter().for_each(|name| options += &format!(",{key}={name}"));
        }
        options
    }

    /// Tells what is wrong before anything runs.
    pub(crate) fn check(&self, detector: Online) -> anyhow::Result<()> {
        let is_hybrid = detector == Online::Hybrid;
        let for_hybrid = [
            (self.fields.is_some(), "--fields"),
            (self.all_fields, "--all-fields"),
            (!self.send.is_empty(), "--send"),
            (!self.receive.is_empty(), "--receive"),
            (!self.flag.is_empty(), "--flag"),
            (self.without.is_some(), "--without"),
            (self.candidates.is_some(), "--candidates"),
        ];
        if let Some((_, option)) = for_hybrid.iter().find(|(given, _)| *given && !is_hybrid) {
            bail!("{option} is for --detector hybrid");
        }
        let has_locksets = is_hybrid || detector == Online::Eraser;
        if self.save_fields.is_some() && !has_locksets {
            bail!("--save-fields goes with --detector eraser or hybrid");
        }
        for (given, option) in [(self.filter.is_some(), "--filter"), (self.constant_writes, "--constant-writes")] {
            if given && !(has_locksets || detector == Online::Fasttrack) {
                bail!("{option} goes with --detector fasttrack, eraser or hybrid");
            }
        }
        for path in [&self.save_fields, &self.candidates].into_iter().flatten() {
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
    let simple = run.watch("simple", folder, shown)?;
    if let Some(path) = &run.hybrid.save_fields {
        out::write(Some(path), RaceProne::of(&simple.1.report).to_string().trim_end())?;
    }
    Ok(simple)
}

/// Both runs: how the last one ended, and what it found.
pub(crate) fn run(run: &Run, folder: &Folder) -> anyhow::Result<(ExitStatus, Collected)> {
    let prone = match &run.hybrid.fields {
        Some(file) => Some(read(file)?),
        None if run.hybrid.all_fields => None,
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
    let file = folder.path.join("fields");
    let mut mode = String::from("detailed");
    let mut most = 16;
    if let Some(prone) = prone {
        most = prone.locks + MARGIN;
        fs::write(&file, prone.to_string()).with_context(|| format!("cannot write {}", file.display()))?;
        let Some(file) = file.to_str() else { bail!("{}: not valid UTF-8", file.display()) };
        mode += &format!(",fields={file}");
    }
    for round in 1.. {
        let (status, collected) = run.watch(&format!("{mode},locks={most}"), folder, Shown::Races)?;
        let held = collected.report.jvms.iter().map(|jvm| jvm.locksets.largest).max().unwrap_or(0);
        let held = usize::try_from(held).unwrap_or(usize::MAX);
        if held <= most || round == ROUNDS {
            write_candidates(run, &collected.report)?;
            return Ok((status, collected));
        }
        eprintln!(
            "autodrome: a thread held {held} locks at once, more than {most}: races may be missing, so once more"
        );
        most = held + MARGIN;
    }
    bail!("the command was not run")
}

fn write_candidates(run: &Run, report: &Report) -> anyhow::Result<()> {
    let Some(path) = &run.hybrid.candidates else { return Ok(()) };
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
