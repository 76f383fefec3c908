//! `autodrome run`: watches every JVM that a command starts.
//!
//! The agent gets into each JVM of the process tree by JAVA_TOOL_OPTIONS and writes lines into a folder of ours; races are
//! shown as they come, each once, and joined into one report at the end. The program's stdout is its own.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use report::{Report, Status};

use crate::collect::{Collected, Folder, Shown};
use crate::exit::{Outcome, Silence};
use crate::gate::Gate;
use crate::hybrid::{self, HybridOptions};
use crate::show::Wanted;
use crate::signals::Passing;
use crate::{Result, out, record};

const LIBRARY: &str = "libautodrome.so";
const OPTIONS: &str = "JAVA_TOOL_OPTIONS";
/// Options for the `java` launcher alone, which makes the main thread; what the user says there or after `java` comes later
/// and counts.
const LAUNCHER_OPTIONS: &str = "JDK_JAVA_OPTIONS";

/// The main thread's stack in megabytes: four times the usual one, because woven frames are larger (ADR 0030).
const STACK: u32 = if cfg!(target_arch = "aarch64") { 8 } else { 4 };

/// How often the folder is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Runs a command and finds the races of every JVM that it starts.
#[derive(Args, Default)]
pub(crate) struct Run {
    /// Watch only these classes or packages, such as com.acme or com.acme.Main; can be given many times [default: all
    /// but the JDK's].
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    pub(crate) include: Vec<String>,

    /// Do not watch these; can be given many times.
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    pub(crate) exclude: Vec<String>,

    /// Which detector; djit adds every racy pair of accesses at the end, from a recording; eraser asks only for locks held in
    /// common; hybrid runs the command twice, first as eraser, then with a closer look at the fields found; none weaves
    /// classes and counts them only.
    #[arg(long, value_name = "NAME", default_value = "fasttrack")]
    pub(crate) detector: Online,

    /// Record what happens to this file too, a binary trace for `analyze`; each JVM after the first writes one with its
    /// process number before the extension.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Where the number of an array is kept; tags are slow, and are used by themselves where a header has no room.
    #[arg(long, value_name = "PLACE", default_value = "header", hide = true)]
    pub(crate) arrays: ArrayNumbers,

    /// Write the report as JSON (autodrome.report/1) to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write the report in a form to a file, such as html=races.html, sarif=races.sarif, junit=races.xml; or github,
    /// for annotations and a summary of the step; can be given many times.
    #[arg(long, value_name = "FORMAT=FILE")]
    pub(crate) report: Vec<Wanted>,

    #[command(flatten)]
    pub(crate) gate: Gate,

    /// Write what the agents did and left alone to this file: which JVMs, which classes, and why.
    #[arg(long, value_name = "FILE")]
    pub(crate) debug: Option<PathBuf>,

    /// Let the agent panic at the end of this call of each JVM, to see what becomes of the program.
    #[arg(long, value_name = "CALL", hide = true)]
    pub(crate) panic: Option<u64>,

    #[command(flatten)]
    pub(crate) hybrid: HybridOptions,

    /// What `record` asks for.
    #[arg(skip)]
    pub(crate) traced: record::Traced,

    /// The command.
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
}

/// The detectors that can run inside a JVM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Online {
    #[default]
    Fasttrack,
    Djit,
    Eraser,
    Hybrid,
    None,
    /// None, and all is recorded.
    #[value(skip)]
    Record,
}

/// Where the number of an array is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArrayNumbers {
    #[default]
    Header,
    Tags,
}

/// A pattern goes into a comma list inside a list of words.
pub(crate) fn pattern(text: &str) -> std::result::Result<String, String> {
    if text.is_empty() || text.contains([',', '"', '\'', '=']) || text.contains(char::is_whitespace) {
        return Err("a class or package name, perhaps with * at its end".to_owned());
    }
    Ok(text.to_owned())
}

impl Run {
    pub(crate) fn run(mut self) -> Result {
        self.report.extend(self.out.as_deref().map(Wanted::json));
        self.report.iter().try_for_each(Wanted::check)?;
        if let Some(path) = &self.record {
            if self.detector == Online::None {
                bail!("--record needs a detector: without one nothing but classes is counted; see autodrome record");
            }
            out::check(path)?;
        }
        self.hybrid.check(self.detector)?;
        let folder = Folder::new()?;
        if self.detector == Online::Djit && self.record.is_none() {
            self.record = Some(folder.path.join("trace.adt"));
        }
        let (status, collected) = match self.detector {
            Online::Hybrid => hybrid::run(&self, &folder)?,
            Online::Eraser => hybrid::first_run(&self, &folder, Shown::Races)?,
            Online::Fasttrack | Online::Djit => self.watch("detect", &folder, Shown::Races)?,
            Online::None => self.watch("count", &folder, Shown::Races)?,
            Online::Record => self.watch("record", &folder, Shown::Races)?,
        };
        let Collected { mut report, judge, .. } = collected;
        judge.close(&mut report);
        if self.detector == Online::Djit {
            report.analyses = record::every_pair(&report)?;
        }
        if self.record.as_ref().is_some_and(|file| file.starts_with(&folder.path)) {
            // Nobody asked for it, and it goes with the folder.
            report.jvms.iter_mut().for_each(|jvm| jvm.trace = None);
        }
        record::closing_lines(&report).iter().for_each(|line| eprintln!("{line}"));
        if self.detector != Online::Record {
            new_once_more(&report).iter().chain(&report.end_lines()).for_each(|line| eprintln!("{line}"));
            eprintln!("{}", report.closing_line());
        }
        self.report.iter().try_for_each(|wanted| wanted.write(&report, judge.sources()))?;
        Ok(outcome(status, &report, &self.gate))
    }

    /// Runs the command with an agent of this mode: how it ended, and what was found.
    pub(crate) fn watch(&self, mode: &str, folder: &Folder, shown: Shown) -> anyhow::Result<(ExitStatus, Collected)> {
        let place = folder.part()?;
        let mut collected = Collected::new(self.gate.judge()?, shown);
        let mut signals = Passing::new()?;
        let Some((program, arguments)) = self.command.split_first() else { bail!("there is no command") };
        let mut child = Command::new(program)
            .args(arguments)
            .env(OPTIONS, self.tool_options(&library()?, &place, mode)?)
            .env(LAUNCHER_OPTIONS, in_front(&format!("-Xss{STACK}m"), LAUNCHER_OPTIONS))
            .spawn()
            .with_context(|| format!("cannot start {}", program.to_string_lossy()))?;
        let status = loop {
            signals.pass_on(&child);
            let ended = child.try_wait().context("cannot wait for the command")?;
            collected.look(&place)?;
            match ended {
                Some(status) => break status,
                None => std::thread::sleep(BETWEEN_LOOKS),
            }
        };
        Ok((status, collected))
    }

    /// What the environment had, and the agent.
    fn tool_options(&self, library: &Path, folder: &Path, mode: &str) -> anyhow::Result<OsString> {
        let (Some(library), Some(folder)) = (library.to_str(), folder.to_str()) else {
            bail!("the paths of {LIBRARY} and of the temporary folder must be valid UTF-8");
        };
        if library.contains(['"', '=']) || folder.contains(['"', ',']) {
            bail!("{library} or {folder}: such a path cannot be passed to a JVM");
        }
        let stack = STACK << 20;
        let mut agent = format!("-agentpath:{library}=mode={mode},text=none,stack={stack},out={folder}/%p.jsonl");
        if matches!(self.detector, Online::Fasttrack | Online::Eraser | Online::Hybrid) {
            agent += &self.hybrid.agent_options();
        }
        if self.hybrid.breaks && (mode != "simple" || self.detector == Online::Eraser) {
            agent += ",race=wait";
        }
        if let Some(call) = self.panic {
            agent += &format!(",panic={call}");
        }
        if self.arrays == ArrayNumbers::Tags {
            agent += ",arrays=tags";
        }
        if let Some(file) = &self.debug {
            agent += &format!(",debug={}", passable(file)?);
        }
        if self.gate.no_default_suppressions {
            agent += ",lazy=report";
        }
        if let Some(file) = &self.record {
            agent += &record::options(file, folder)?;
            agent += &self.traced.agent_options();
        }
        for (key, patterns) in [("include", &self.include), ("exclude", &self.exclude)] {
            for pattern in patterns {
                agent += &format!(",{key}={pattern}");
            }
        }
        let mut options = env::var_os(OPTIONS).unwrap_or_default();
        if !options.is_empty() {
            options.push(" ");
        }
        // The JVM splits the variable at blanks outside quotes.
        options.push(if agent.contains(char::is_whitespace) { format!("\"{agent}\"") } else { agent });
        Ok(options)
    }
}

/// Several new races, a line each: in full they stand further up, between what the program said.
fn new_once_more(report: &Report) -> Vec<String> {
    let new = report.of(Status::New).map(|race| format!("autodrome: new: [{}] {}", race.id, race.headline()));
    let new: Vec<String> = new.collect();
    if new.len() > 1 { new } else { Vec::new() }
}

/// An option, and what the environment has in a variable after it.
fn in_front(option: &str, variable: &str) -> OsString {
    let mut options = OsString::from(option);
    if let Some(own) = env::var_os(variable).filter(|own| !own.is_empty()) {
        options.push(" ");
        options.push(own);
    }
    options
}

/// A file as every JVM finds it, wherever it runs.
fn passable(file: &Path) -> anyhow::Result<String> {
    let file = std::path::absolute(file).with_context(|| format!("cannot tell where {} is", file.display()))?;
    match file.to_str() {
        Some(name) if !name.contains(['"', ',']) => Ok(name.to_owned()),
        _ => bail!("{}: such a path cannot be passed to a JVM", file.display()),
    }
}

/// 66 replaces only the program's 0: its own failure is worth more. 69 says that the silence means nothing.
fn outcome(status: ExitStatus, report: &Report, gate: &Gate) -> Outcome {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    match (u8::try_from(code).unwrap_or(1), Silence::of(report)) {
        (0, Some(silence)) => Outcome::NotWatched(silence),
        (0, None) => gate.outcome(report),
        (code, silence) => {
            // Without a class it may have failed before the first.
            silence.iter().filter(|&&silence| silence == Silence::NoJvm).for_each(|silence| eprintln!("{silence}"));
            Outcome::Program(code)
        }
    }
}

/// Where the agent's library is: named by AUTODROME_AGENT, beside this program, or in ../lib.
fn library() -> anyhow::Result<PathBuf> {
    if let Some(named) = env::var_os("AUTODROME_AGENT") {
        let named = PathBuf::from(named);
        return named.canonicalize().with_context(|| format!("AUTODROME_AGENT: {}", named.display()));
    }
    let program = env::current_exe().context("cannot tell where this program is")?;
    let folder = program.parent().unwrap_or(Path::new("."));
    let places = [folder.join(LIBRARY), folder.join("../lib").join(LIBRARY)];
    match places.iter().find(|place| place.exists()) {
        Some(place) => place.canonicalize().with_context(|| place.display().to_string()),
        None => bail!("{LIBRARY} is neither beside {} nor in ../lib; set AUTODROME_AGENT", program.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::Line;

    fn run(include: &[&str]) -> Run {
        Run { include: include.iter().map(|&text| text.to_owned()).collect(), ..Run::default() }
    }

    #[test]
    fn a_path_with_blanks_is_quoted() {
        let options = run(&["a.b"]).tool_options(Path::new("/o p/l.so"), Path::new("/tmp/x"), "detect").unwrap();
        let expected = "\"-agentpath:/o p/l.so=mode=detect,text=none,stack=4194304,out=/tmp/x/%p.jsonl,include=a.b\"";
        assert!(options.to_string_lossy().ends_with(expected), "{options:?}");
    }

    #[test]
    fn the_programs_own_failure_survives() {
        let report = |races: bool, jvms: bool| {
            let mut report = Report::default();
            if jvms {
                report.add(Line::Jvm(report::Jvm { classes_woven: 1, ..report::Jvm::default() }));
            }
            if races {
                let race = r#"{"race":{"id":"R-1","grade":"unordered","pid":1,"variable":{"kind":"field","class":"A",
                    "field":"f","type":"I"},"count":1,
                    "earlier":{"op":"read","thread":{"id":1,"name":"a"},"locks":[],"stack":[]},
                    "later":{"op":"write","thread":{"id":2,"name":"b"},"locks":[],"stack":[]}}}"#;
                report.add(serde_json::from_str(race).unwrap());
            }
            report
        };
        let exited = |code: i32| ExitStatus::from_raw(code << 8);
        assert_eq!(outcome(exited(0), &report(true, true), &Gate::default()), Outcome::Races);
        assert_eq!(outcome(exited(3), &report(true, true), &Gate::default()), Outcome::Program(3));
        assert_eq!(outcome(exited(0), &report(false, true), &Gate::default()), Outcome::Clean);
        assert_eq!(outcome(exited(0), &report(false, false), &Gate::default()), Outcome::NotWatched(Silence::NoJvm));
        let mut unwoven = Report::default();
        unwoven.add(Line::Jvm(report::Jvm::default()));
        assert_eq!(outcome(exited(0), &unwoven, &Gate::default()), Outcome::NotWatched(Silence::NoClass));
        let mut killed = report(true, false);
        killed.add(Line::Jvm(report::Jvm::default()));
        assert_eq!(outcome(exited(0), &killed, &Gate::default()), Outcome::Races, "it could not count its classes");
        assert_eq!(outcome(ExitStatus::from_raw(9), &report(false, true), &Gate::default()), Outcome::Program(137));
    }

    #[test]
    fn patterns_cannot_break_out_of_the_list() {
        assert!(pattern("com.acme.*").is_ok());
        assert!(["", "a,out=/x", "a b", "a\"b", "a=b"].into_iter().all(|text| pattern(text).is_err()));
    }
}
