//! One run of the command with given inputs: with shadows, or plain to confirm what was found.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use concolic::{Inputs, Source, Spec, Trace};
use control::{AgentOptions, FileName, Mode, Name, Text};

use super::command::JavaCommand;
use super::target::{Thrown, thrown};
use crate::collect::Folder;
use crate::run::{self, OPTIONS};
use crate::signals::Passing;

/// How often a run is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// So much of what a program writes to stderr is looked at.
const HEARD: u64 = 1 << 20;

/// How runs are made.
pub(super) struct Runner<'a> {
    pub(super) command: JavaCommand,
    pub(super) specs: &'a [Spec],
    pub(super) include: Vec<Name>,
    pub(super) exclude: Vec<Name>,
    pub(super) assertions: bool,
    /// A run that takes longer is ended.
    pub(super) limit: Duration,
    pub(super) folder: Folder,
    pub(super) signals: Passing,
}

/// What came of a run.
pub(super) struct Ran {
    pub(super) thrown: Vec<Thrown>,
    /// Did it take too long?
    pub(super) was_ended: bool,
    /// Has a signal come that ends the search?
    pub(super) is_interrupted: bool,
    /// The paths of its JVMs.
    pub(super) traces: Vec<Trace>,
}

impl Runner<'_> {
    /// A run that records its path.
    pub(super) fn follow(&mut self, inputs: &Inputs) -> anyhow::Result<Ran> {
        let place = self.folder.part()?;
        let mut options = self.options(&place, inputs)?;
        options.concolic.path = Some(FileName::of_each_process(&place, "path")?);
        let mut ran = self.run(inputs, Some(&options))?;
        let entries = fs::read_dir(&place).with_context(|| format!("cannot read {}", place.display()))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "path"));
        for file in files {
            let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let trace = Trace::read(&String::from_utf8_lossy(&text));
            ran.traces.push(trace.with_context(|| file.display().to_string())?);
        }
        // What a run has left would fill the disk in a long search.
        let _ = fs::remove_dir_all(&place);
        Ok(ran)
    }

    /// A plain run: the agent is there only if methods are inputs, and then it does nothing else.
    pub(super) fn confirm(&mut self, inputs: &Inputs) -> anyhow::Result<Ran> {
        if !self.specs.iter().any(|spec| matches!(spec.source, Source::Return(_))) {
            return self.run(inputs, None);
        }
        let place = self.folder.part()?;
        let options = self.options(&place, inputs)?;
        self.run(inputs, Some(&options))
    }

    /// What an agent is asked that gives inputs.
    pub(super) fn options(&self, place: &Path, inputs: &Inputs) -> anyhow::Result<AgentOptions> {
        let mut options = AgentOptions {
            mode: Mode::Concolic,
            text: Text::None,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            ..AgentOptions::default()
        };
        options.concolic.inputs = Some(self.write_inputs(place, inputs)?);
        Ok(options)
    }

    /// The file of inputs for an agent.
    pub(super) fn write_inputs(&self, place: &Path, inputs: &Inputs) -> anyhow::Result<FileName> {
        let file = place.join("inputs");
        let specs: String = self.specs.iter().map(|spec| format!("input {spec}\n")).collect();
        let values: String = inputs.to_lines().lines().map(|line| format!("value {line}\n")).collect();
        fs::write(&file, specs + &values).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(FileName::fixed(&file)?)
    }

    fn run(&mut self, inputs: &Inputs, options: Option<&AgentOptions>) -> anyhow::Result<Ran> {
        let words: Vec<OsString> = self.command.with(inputs, self.assertions);
        let Some((program, arguments)) = words.split_first() else { bail!("there is no command") };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        if let Some(options) = options {
            command.env(OPTIONS, run::tool_options(&run::library()?, options)?);
        }
        let mut child = command.spawn().with_context(|| format!("cannot start {}", program.to_string_lossy()))?;
        let heard = hear(&mut child);
        let begun = Instant::now();
        let (mut was_ended, mut is_interrupted) = (false, false);
        loop {
            is_interrupted |= self.signals.pass_on(&child);
            if child.try_wait().context("cannot wait for the command")?.is_some() {
                break;
            }
            if begun.elapsed() > self.limit && !was_ended {
                was_ended = true;
                // It may just have ended by itself.
                let _ = child.kill();
            }
            thread::sleep(BETWEEN_LOOKS);
        }
        let stderr = heard.and_then(|heard| heard.join().ok()).unwrap_or_default();
        Ok(Ran { thrown: thrown(&stderr), was_ended, is_interrupted, traces: Vec::new() })
    }
}

/// Reads what a program writes to stderr, on a thread of its own.
fn hear(child: &mut Child) -> Option<JoinHandle<String>> {
    let mut stderr = child.stderr.take()?;
    Some(thread::spawn(move || {
        let mut text = Vec::new();
        // What was read before an error counts.
        let _ = stderr.by_ref().take(HEARD).read_to_end(&mut text);
        let _ = std::io::copy(&mut stderr, &mut std::io::sink());
        String::from_utf8_lossy(&text).into_owned()
    }))
}
