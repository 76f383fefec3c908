//! `autodrome run`: watches every JVM that a command starts.
//!
//! The agent gets into each JVM of the process tree by JAVA_TOOL_OPTIONS and writes lines into a folder of ours; races are
//! shown as they come, each once, and joined into one report at the end. The program's stdout is its own.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use control::{AgentOptions, ArrayIds, Endpoint, FileName, IoOrder, LazyFields, Mode, Name, SamplingOptions, Text};
use report::{Date, Provenance, Report, Status, TraceState};

use crate::collect::{Collected, Folder, Shown};
use crate::detector::{DetectorOptions, Online, choice};
use crate::exit::{Outcome, Silence};
use crate::gate::Gate;
use crate::hunt::Heard;
use crate::hybrid;
use crate::show::Wanted;
use crate::signals::Passing;
use crate::{Result, out, record};

const LIBRARY: &str = "libautodrome.so";
pub(crate) const OPTIONS: &str = "JAVA_TOOL_OPTIONS";
/// Options for the `java` launcher alone, which makes the main thread; what the user says there or after `java` comes later
/// and counts.
const LAUNCHER_OPTIONS: &str = "JDK_JAVA_OPTIONS";

/// The main thread's stack in megabytes: four times the usual one, because woven frames are larger (ADR 0030).
const STACK: u64 = if cfg!(target_arch = "aarch64") { 8 } else { 4 };

/// How often the folder is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Runs a command and finds the races of every JVM that it starts.
#[derive(Args, Default)]
pub(crate) struct Run {
    /// Watch only these classes or packages, such as com.acme or com.acme.Main; can be given many times [default: all
    /// but the JDK's].
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<Name>,

    /// Do not watch these; can be given many times.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<Name>,

    /// Which detector; djit adds every racy pair of accesses at the end, from a recording; eraser asks only for locks held in
    /// common; hybrid runs the command twice, first as eraser, then with a closer look at the fields found; none weaves
    /// classes and counts them only.
    #[arg(long, value_name = "NAME", default_value = "fasttrack")]
    pub(crate) detector: Online,

    /// Record what happens to this file too, a binary trace for `analyze`; each JVM after the first writes one with its
    /// process number before the extension.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Whether data that is handed over through a socket, a pipe or a file of this machine orders the threads at its ends. The
    /// memory model does not promise it, but most programs rely on it.
    #[arg(long, value_name = "SWITCH", default_value = "on", value_parser = choice::<IoOrder>())]
    pub(crate) io_order: IoOrder,

    /// Where the number of an array is kept; tags are slow, and are used by themselves where a header has no room.
    #[arg(long, value_name = "PLACE", default_value = "header", hide = true, value_parser = choice::<ArrayIds>())]
    pub(crate) arrays: ArrayIds,

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
    pub(crate) detection: DetectorOptions,

    /// What `record` asks for.
    #[arg(skip)]
    pub(crate) traced: record::Traced,

    /// What `sample` asks for.
    #[arg(skip)]
    pub(crate) sampling: SamplingOptions,

    /// Where the agents send races, if `sample` asks for it.
    #[arg(skip)]
    pub(crate) otlp: Option<Endpoint>,

    /// The command.
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<OsString>,
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
        self.detection.check(self.detector)?;
        let folder = Folder::new()?;
        if self.detector == Online::Djit && self.record.is_none() {
            self.record = Some(folder.path().join("trace.adt"));
        }
        let (status, collected) = match self.detector {
            Online::Hybrid => hybrid::run(&self, &folder)?,
            Online::Eraser => hybrid::first_run(&self, &folder, Shown::Races)?,
            Online::Fasttrack | Online::Djit => self.watch(self.agent_options(Mode::Detect)?, &folder, Shown::Races)?,
            Online::None => self.watch(self.agent_options(Mode::Count)?, &folder, Shown::Races)?,
            Online::Record => self.watch(self.agent_options(Mode::Record)?, &folder, Shown::Races)?,
            Online::Sample => self.watch(self.agent_options(Mode::Sample)?, &folder, Shown::Races)?,
        };
        let Collected { mut report, judge, .. } = collected;
        judge.close(&mut report);
        report.provenance = vec![provenance(&self.command)];
        add_notes(&mut report);
        if self.detector == Online::Djit {
            report.analyses = record::every_pair(&report)?;
        }
        if self.record.as_ref().is_some_and(|file| file.starts_with(folder.path())) {
            // Nobody asked for it, and it goes with the folder.
            report.jvms.iter_mut().for_each(|jvm| jvm.trace = None);
        }
        record::closing_lines(&report).iter().for_each(|line| eprintln!("{line}"));
        if self.detector != Online::Record {
            new_once_more(&report).iter().for_each(|line| eprintln!("{line}"));
        }
        report.end_lines().iter().for_each(|line| eprintln!("{line}"));
        if self.detector != Online::Record {
            eprintln!("{}", report.closing_line());
        }
        self.report.iter().try_for_each(|wanted| wanted.write(&report, judge.sources()))?;
        Ok(outcome(status, &report, &self.gate))
    }

    /// Runs the command with such an agent in each JVM: how it ended, and what was found.
    pub(crate) fn watch(
        &self,
        options: AgentOptions,
        folder: &Folder,
        shown: Shown,
    ) -> anyhow::Result<(ExitStatus, Collected)> {
        self.watch_and_hear(options, folder, shown, None)
    }

    /// The same; and what the program says is passed on, and kept as far as somebody wants to hear it.
    pub(crate) fn watch_and_hear(
        &self,
        mut options: AgentOptions,
        folder: &Folder,
        shown: Shown,
        mut heard: Option<&mut Heard>,
    ) -> anyhow::Result<(ExitStatus, Collected)> {
        let place = folder.part()?;
        options.out = Some(FileName::of_each_process(&place, "jsonl")?);
        if options.recording.file.is_some() {
            options.recording.claim = Some(FileName::fixed(&place.join("claimed"))?);
        }
        let mut collected = Collected::new(self.gate.judge()?, shown);
        let mut signals = Passing::new()?;
        let Some((program, arguments)) = self.command.split_first() else { bail!("there is no command") };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env(OPTIONS, tool_options(&library()?, &options)?)
            .env(LAUNCHER_OPTIONS, in_front(&format!("-Xss{STACK}m"), LAUNCHER_OPTIONS));
        if heard.is_some() {
            Heard::ask(&mut command);
        }
        let mut child = command.spawn().with_context(|| format!("cannot start {}", program.to_string_lossy()))?;
        heard.iter_mut().for_each(|heard| heard.listen(&mut child));
        let status = loop {
            collected.is_interrupted |= signals.pass_on(&child);
            let ended = child.try_wait().context("cannot wait for the command")?;
            collected.look(&place)?;
            heard.iter_mut().for_each(|heard| heard.take());
            match ended {
                Some(status) => break status,
                None => std::thread::sleep(BETWEEN_LOOKS),
            }
        };
        heard.iter_mut().for_each(|heard| heard.finish());
        Ok((status, collected))
    }

    /// What is asked of an agent in this mode, but for where its lines go.
    pub(crate) fn agent_options(&self, mode: Mode) -> anyhow::Result<AgentOptions> {
        let mut options = AgentOptions {
            mode,
            text: Text::None,
            stack: Some(STACK << 20),
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            io_order: self.io_order,
            arrays: self.arrays,
            panic: self.panic.unwrap_or(0),
            sampling: self.sampling.clone(),
            otlp: self.otlp.clone(),
            debug: self.debug.as_deref().map(everywhere).transpose()?,
            ..AgentOptions::default()
        };
        self.detection.ask(self.detector, &mut options);
        if self.gate.rules.no_default_suppressions {
            options.lazy = LazyFields::Reported;
        }
        if let Some(file) = &self.record {
            options.recording.file = Some(everywhere(file)?);
            self.traced.ask(&mut options.recording);
        }
        Ok(options)
    }
}

/// What the environment had, and the agent.
pub(crate) fn tool_options(library: &Path, agent: &AgentOptions) -> anyhow::Result<OsString> {
    let Some(library) = library.to_str().filter(|library| !library.contains(['"', '='])) else {
        bail!("{}: an agent with such a path cannot be passed to a JVM", library.display());
    };
    let mut options = env::var_os(OPTIONS).unwrap_or_default();
    if options.to_string_lossy().contains(LIBRARY) || options.to_string_lossy().contains(library) {
        bail!(
            "this command is watched already: {OPTIONS} has the agent of another `autodrome run`, and two of them \
             cannot watch one JVM; leave out one of the two, or start this one with `env -u {OPTIONS}`"
        );
    }
    if !options.is_empty() {
        options.push(" ");
    }
    let agent = format!("-agentpath:{library}={agent}");
    // The JVM splits the variable at blanks outside quotes, of both kinds.
    options.push(if agent.contains(|letter: char| letter.is_whitespace() || letter == '\'') {
        format!("\"{agent}\"")
    } else {
        agent
    });
    Ok(options)
}

/// Several new races, by variable, a line each: in full they stand further up, between what the program said.
fn new_once_more(report: &Report) -> Vec<String> {
    if report.of(Status::New).count() < 2 {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for races in report.new_by_variable() {
        match races.as_slice() {
            [race] => lines.push(format!("autodrome: new: [{}] {}", race.id, race.headline())),
            races => {
                let variable = races.first().map(|race| race.variable.to_string()).unwrap_or_default();
                lines.push(format!("autodrome: new: {variable}: {} pairs of accesses", races.len()));
                lines.extend(races.iter().map(|race| format!("autodrome:   [{}] {}", race.id, race.accesses())));
            }
        }
    }
    lines
}

/// Where the report of this run comes from.
fn provenance(command: &[OsString]) -> Provenance {
    let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    let git = Command::new("git").args(["rev-parse", "HEAD"]).stdin(Stdio::null()).output();
    let commit = git.ok().filter(|output| output.status.success());
    Provenance {
        version: crate::VERSION.to_owned(),
        date: Date::now(),
        command: report::shown_command(words.iter().map(|word| &**word)),
        commit: commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()),
    }
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
pub(crate) fn everywhere(file: &Path) -> anyhow::Result<FileName> {
    let file = std::path::absolute(file).with_context(|| format!("cannot find out where {} is", file.display()))?;
    Ok(FileName::fixed(&file)?)
}

/// The exit code of a command, as a shell has it.
pub(crate) fn exit_code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1)
}

/// 66 replaces only the program's 0: its own failure is worth more. 69 says that the silence means nothing.
fn outcome(status: ExitStatus, report: &Report, gate: &Gate) -> Outcome {
    match (u8::try_from(exit_code(status)).unwrap_or(1), Silence::of(report)) {
        (0, Some(silence)) => Outcome::NotWatched(silence),
        (0, None) => match gate.outcome(report) {
            Outcome::Clean if is_cut_off(report) => Outcome::NotRecorded,
            outcome => outcome,
        },
        (code, silence) => {
            // Without a class it may have failed before the first.
            silence.iter().filter(|&&silence| silence == Silence::NoJvm).for_each(|silence| eprintln!("{silence}"));
            Outcome::Program(code)
        }
    }
}

/// Could a trace not be written to its end?
fn is_cut_off(report: &Report) -> bool {
    report.jvms.iter().filter_map(|jvm| jvm.trace.as_ref()).any(|trace| trace.state == TraceState::Stopped)
}

/// What the end shows of the JVMs: names that none of them has, and those that have not ended.
fn add_notes(report: &mut Report) {
    let mut notes: Vec<String> =
        report.unmatched().into_iter().map(|name| format!("{name} matches nothing that was loaded")).collect();
    for jvm in report.jvms.iter_mut().filter(|jvm| jvm.died) {
        if Path::new(&format!("/proc/{}", jvm.pid)).exists() {
            jvm.died = false;
            notes.push(format!("JVM {} still runs: what it does from now on is not in the report", jvm.pid));
        }
    }
    report.notes.extend(notes);
}

/// Where the agent's library is: named by AUTODROME_AGENT, beside this program, or in ../lib.
pub(crate) fn library() -> anyhow::Result<PathBuf> {
    if let Some(named) = env::var_os("AUTODROME_AGENT") {
        let named = PathBuf::from(named);
        return named.canonicalize().with_context(|| format!("AUTODROME_AGENT: {}", named.display()));
    }
    let program = env::current_exe().context("cannot find out where this program is")?;
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

    #[test]
    fn a_path_with_blanks_is_quoted() {
        let options = |folder: &str, include: &[&str]| {
            let include = include.iter().map(|text| text.parse().unwrap()).collect();
            let mut options = Run { include, ..Run::default() }.agent_options(Mode::Detect).unwrap();
            options.out = Some(FileName::of_each_process(Path::new(folder), "jsonl").unwrap());
            options
        };
        let odd = tool_options(Path::new("/o p/l.so"), &options("/tmp/x", &["a.b"])).unwrap();
        let expected = "\"-agentpath:/o p/l.so=text=none,stack=4194304,out=/tmp/x/%p.jsonl,include=a.b\"";
        assert!(odd.to_string_lossy().ends_with(expected), "{odd:?}");
        let odd = tool_options(Path::new("/l.so"), &options("/it's/100%p", &[])).unwrap();
        let expected = "\"-agentpath:/l.so=text=none,stack=4194304,out=/it's/100%%p/%p.jsonl\"";
        assert!(odd.to_string_lossy().ends_with(expected), "{odd:?}");
    }

    fn ended(classes_woven: u64) -> Line {
        let jvm = report::Jvm { classes_woven, ..report::Jvm::default() };
        Line::End { jvm, counts: std::collections::BTreeMap::new() }
    }

    #[test]
    fn the_programs_own_failure_survives() {
        let report = |races: bool, jvms: bool| {
            let mut report = Report::default();
            if jvms {
                report.add(ended(1));
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
        unwoven.add(ended(0));
        assert_eq!(outcome(exited(0), &unwoven, &Gate::default()), Outcome::NotWatched(Silence::NoClass));
        let mut dead = Report::default();
        dead.add(Line::Jvm(report::Jvm::default()));
        assert_eq!(outcome(exited(0), &dead, &Gate::default()), Outcome::NotWatched(Silence::Died));
        dead.add(ended(1));
        dead.jvms.push(report::Jvm { died: true, pid: 1, ..report::Jvm::default() });
        assert_eq!(outcome(exited(0), &dead, &Gate::default()), Outcome::Clean, "another one was watched");
        let trace = report::TraceFile { state: TraceState::Stopped, ..report::TraceFile::default() };
        dead.jvms[0].trace = Some(trace);
        assert_eq!(outcome(exited(0), &dead, &Gate::default()), Outcome::NotRecorded);
        let mut killed = report(true, false);
        killed.add(Line::Jvm(report::Jvm::default()));
        assert_eq!(outcome(exited(0), &killed, &Gate::default()), Outcome::Races, "it could not count its classes");
        assert_eq!(outcome(ExitStatus::from_raw(9), &report(false, true), &Gate::default()), Outcome::Program(137));
    }
}
