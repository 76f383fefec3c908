//! The agent's options: `mode=detect,include=com.acme.*,out=races-%p.jsonl`, a comma list of key=value.

use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use runtime::Filter;
use runtime::hybrid::{Messages, Redundancy, Switch};

use crate::arrays::Shadows;
use crate::{record, scope};

/// What the hooks do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// FastTrack.
    #[default]
    Detect,
    /// Nothing is decided, all is recorded.
    Record,
    /// Nothing: classes are woven and counted, to see what weaving alone does.
    Count,
    /// Eraser, phase 1 of hybrid detection.
    Simple,
    /// Hybrid detection, phase 2.
    Detailed,
}

/// What of an array is a variable in the lockset modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Elements {
    /// The array as a whole.
    #[default]
    Whole,
    /// Each element.
    Each,
}

/// Which races of a variable are told in the lockset modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// The first: the variable is not watched after it.
    #[default]
    First,
    /// One for each pair of places.
    All,
}

/// What a thread does that has made the second access of a race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AtRace {
    /// It goes on.
    #[default]
    GoOn,
    /// It waits, for a debugger.
    Wait,
}

/// How the objects are found that a hidden method can reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BarrierData {
    /// Each is walked once, and recorded writes are followed.
    #[default]
    Once,
    /// All are walked at each call.
    Full,
}

/// Whether what hidden methods do is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Insides {
    #[default]
    Hidden,
    /// All of it is, between marks: whoever reads the trace can hide it.
    Revealed,
}

/// Whether a recording has what a thread's path depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Branches {
    #[default]
    Unrecorded,
    Recorded,
}

/// N of hybrid.txt §5.4, if phase 1 has not told it.
const MAX_LOCKS: usize = 16;

/// Where races are shown as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Text {
    #[default]
    Stderr,
    None,
}

/// Where the shim finds the number of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ArrayIds {
    /// In the array's header, if this JVM's headers have room.
    #[default]
    Header,
    /// By the array's tag: slow, right on every JVM.
    Tags,
}

/// What becomes of races on fields of the JDK that are filled lazily on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LazyFields {
    #[default]
    Ignored,
    Reported,
}

/// What becomes of writes of the value that is there already (hybrid.txt §7.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Constants {
    #[default]
    Watched,
    Ignored,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) text: Text,
    pub(crate) arrays: ArrayIds,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) out: Option<PathBuf>,
    /// Where to log what is done and left alone.
    pub(crate) debug: Option<PathBuf>,
    pub(crate) lazy: LazyFields,
    pub(crate) constants: Constants,
    /// Where to record to.
    pub(crate) record: Option<PathBuf>,
    /// The file that the first JVM makes, which may record to the file itself.
    pub(crate) claim: Option<PathBuf>,
    /// Classes whose methods are hidden in recordings, how the objects are found that they reach, and the static fields
    /// that they may synchronize through.
    pub(crate) hide: Vec<String>,
    pub(crate) barriers: BarrierData,
    pub(crate) insides: Insides,
    pub(crate) globals: Vec<String>,
    pub(crate) branches: Branches,
    /// The race-prone fields; without, all are watched.
    pub(crate) fields: Option<PathBuf>,
    /// No thread is expected to hold more locks at once.
    pub(crate) max_locks: usize,
    pub(crate) elements: Elements,
    pub(crate) pairs: Pairs,
    pub(crate) filter: Filter,
    /// What of hybrid detection is left out, to be measured.
    pub(crate) messages: Messages,
    pub(crate) redundancy: Redundancy,
    /// Methods that send and receive messages, and fields that are messages.
    pub(crate) sends: Vec<String>,
    pub(crate) receives: Vec<String>,
    pub(crate) flags: Vec<String>,
    pub(crate) at_race: AtRace,
    /// The size in bytes that the launcher was asked to give to all stacks.
    pub(crate) stack: Option<i64>,
    /// Which call of the JVM is to panic; 0 is none.
    pub(crate) panic: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            mode: Mode::default(),
            text: Text::default(),
            arrays: ArrayIds::default(),
            include: Vec::new(),
            exclude: Vec::new(),
            out: None,
            record: None,
            claim: None,
            debug: None,
            lazy: LazyFields::default(),
            hide: Vec::new(),
            barriers: BarrierData::default(),
            insides: Insides::default(),
            globals: Vec::new(),
            branches: Branches::default(),
            constants: Constants::default(),
            fields: None,
            max_locks: MAX_LOCKS,
            elements: Elements::default(),
            pairs: Pairs::default(),
            filter: Filter::None,
            messages: Messages::Followed,
            redundancy: Redundancy::default(),
            sends: Vec::new(),
            receives: Vec::new(),
            flags: Vec::new(),
            at_race: AtRace::default(),
            stack: None,
            panic: 0,
        }
    }
}

impl Options {
    /// Reads the list; in a file name `%p` stands for the process and `%t` for the time: processes of containers have few numbers.
    pub(crate) fn parse(text: &str, pid: u32) -> Result<Options, String> {
        let mut options = Options::default();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let named = |file: &str| PathBuf::from(file.replace("%p", &pid.to_string()).replace("%t", &now.to_string()));
        let text = with_files(text)?;
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(format!("`{part}` is not key=value"));
            };
            let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{part}` is no number"));
            match (key, value) {
                ("mode", "detect") => options.mode = Mode::Detect,
                ("mode", "record") => options.mode = Mode::Record,
                ("mode", "count") => options.mode = Mode::Count,
                ("mode", "simple") => options.mode = Mode::Simple,
                ("mode", "detailed") => options.mode = Mode::Detailed,
                ("fields", file) => options.fields = Some(named(file)),
                ("locks", most) => options.max_locks = number(most)? as usize,
                ("filter", "tree") => options.filter = Filter::Tree,
                ("without", "hb") => options.messages = Messages::Ignored,
                ("without", "oversized") => options.redundancy.oversized = Switch::Off,
                ("without", "opts") => options.redundancy = Redundancy { subset: Switch::Off, oversized: Switch::Off },
                ("send", method) => options.sends.push(method.to_owned()),
                ("receive", method) => options.receives.push(method.to_owned()),
                ("flag", field) => options.flags.push(field.to_owned()),
                ("stack", size) => options.stack = Some(number(size)? as i64),
                ("panic", call) => options.panic = number(call)?,
                ("race", "wait") => options.at_race = AtRace::Wait,
                ("elements", "whole") => options.elements = Elements::Whole,
                ("elements", "each") => options.elements = Elements::Each,
                ("pairs", "first") => options.pairs = Pairs::First,
                ("pairs", "all") => options.pairs = Pairs::All,
                ("text", "stderr") => options.text = Text::Stderr,
                ("text", "none") => options.text = Text::None,
                ("arrays", "header") => options.arrays = ArrayIds::Header,
                ("arrays", "tags") => options.arrays = ArrayIds::Tags,
                ("lazy", "ignore") => options.lazy = LazyFields::Ignored,
                ("lazy", "report") => options.lazy = LazyFields::Reported,
                ("constants", "ignore") => options.constants = Constants::Ignored,
                ("debug", file) => options.debug = Some(named(file)),
                ("include", pattern) => options.include.push(pattern.to_owned()),
                ("exclude", pattern) => options.exclude.push(pattern.to_owned()),
                ("out", file) => options.out = Some(named(file)),
                ("record", file) => options.record = Some(named(file)),
                ("hide", pattern) if scope::is_jdk(&format!("{}/", pattern.replace('.', "/"))) => {
                    return Err(format!("`{part}`: classes of the JDK cannot be hidden, the agent sees inside them"));
                }
                ("hide", pattern) => options.hide.push(pattern.to_owned()),
                ("global", field) => options.globals.push(field.to_owned()),
                ("barriers", "once") => options.barriers = BarrierData::Once,
                ("barriers", "full") => options.barriers = BarrierData::Full,
                ("insides", "revealed") => options.insides = Insides::Revealed,
                ("branches", "yes") => options.branches = Branches::Recorded,
                ("claim", file) => options.claim = Some(named(file)),
                _ => return Err(format!("`{part}` is not known")),
            }
        }
        Ok(options)
    }

    /// What the shadow of an array has words for.
    pub(crate) fn shadows(&self) -> Shadows {
        match (self.mode, self.elements) {
            (Mode::Detect | Mode::Record | Mode::Count, _) => Shadows::Elements,
            (Mode::Simple | Mode::Detailed, Elements::Each) => Shadows::OwnElements,
            (Mode::Simple | Mode::Detailed, Elements::Whole) => Shadows::Whole,
        }
    }

    /// Where this JVM records to, if it does.
    pub(crate) fn recorded_to(&self, pid: u32) -> Option<PathBuf> {
        let path = self.record.as_ref().filter(|_| self.mode != Mode::Count)?;
        Some(record::claimed(path, self.claim.as_deref(), pid))
    }
}

/// The list, with what a file has in the place of `config=FILE`: an option on each line, `#` starts a comment.
fn with_files(text: &str) -> Result<String, String> {
    let parts = text.split(',').map(|part| match part.strip_prefix("config=") {
        None => Ok(part.to_owned()),
        Some(file) => {
            let text = fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
            let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
            Ok(lines.collect::<Vec<_>>().join(","))
        }
    });
    Ok(parts.collect::<Result<Vec<_>, String>>()?.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_a_comma_list() {
        let options = Options::parse(
            "mode=count,include=a.*,include=b,exclude=c,out=/tmp/r-%p.jsonl,text=none,arrays=tags,record=/t.adt,\
             lazy=report,debug=/tmp/log",
            7,
        );
        let expected = Options {
            mode: Mode::Count,
            text: Text::None,
            arrays: ArrayIds::Tags,
            include: vec!["a.*".to_owned(), "b".to_owned()],
            exclude: vec!["c".to_owned()],
            out: Some(PathBuf::from("/tmp/r-7.jsonl")),
            record: Some(PathBuf::from("/t.adt")),
            debug: Some(PathBuf::from("/tmp/log")),
            lazy: LazyFields::Reported,
            ..Options::default()
        };
        assert_eq!(options, Ok(expected));
        assert_eq!(Options::parse("", 1), Ok(Options::default()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for wrong in ["mode", "mode=fast", "colour=red", "hide=java.util", "hide=java", "hide=jdk.internal.*"] {
            assert!(Options::parse(wrong, 1).unwrap_err().contains(wrong));
        }
    }

    #[test]
    fn a_file_may_have_the_options_and_a_name_the_time() {
        let file = std::env::temp_dir().join(format!("agent-{}.options", std::process::id()));
        std::fs::write(&file, "# ours\ninclude=a\n\n  exclude=b\n").unwrap();
        let text = format!("text=none,config={},out=/tmp/r-%p-%t.jsonl", file.display());
        let options = Options::parse(&text, 7);
        std::fs::remove_file(&file).unwrap();
        let options = options.unwrap();
        assert_eq!((options.include, options.exclude), (vec!["a".to_owned()], vec!["b".to_owned()]));
        let name = options.out.unwrap().to_string_lossy().into_owned();
        let time = name.strip_prefix("/tmp/r-7-").and_then(|rest| rest.strip_suffix(".jsonl"));
        assert!(time.is_some_and(|time| time.parse::<u64>().is_ok()), "{name}");
        assert!(Options::parse("config=/no/such/file", 7).unwrap_err().starts_with("cannot read /no/such/file: "));
    }
}
