//! Engines: what an agent does with the program that it watches. FastTrack, the lockset detectors, the recorder and the
//! counting of classes are one file or folder each; the rest of the agent knows [`Engine`] only.
//!
//! An agent has the engine of its mode, and the recorder beside it if the run is to be recorded.
//!
//! To add one: a file or folder here that implements [`Engine`], a row in [`Engines::new`], a mode in `control::Mode` (and its
//! options in a group there). Native methods reach their engine by [`Engines::get`].

pub(crate) mod concolic;
pub(crate) mod control;
mod count;
mod fasttrack;
pub(crate) mod hunt;
pub(crate) mod locksets;
pub(crate) mod record;
pub(crate) mod sample;

use std::any::Any;
use std::io;
use std::path::PathBuf;

use ::control::{AgentOptions, ArrayIds, Constants, FileName, IoOrder, Mode, Process};
use model::{Grade, ThreadId};
use report::Jvm;
use runtime::layout::EngineFlags;
use weave::{Annotations, Choices, Passes};

use self::control::Control;
use crate::agent::Agent;
use crate::arrays::Shadows;
use concolic::Concolic;
use count::Count;
use fasttrack::FastTrack;
use hunt::Hunt;
use locksets::Locksets;
use record::Recorder;
use sample::Sample;

/// Whose class is woven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassKind {
    /// One of the program in which races are looked for.
    Program,
    /// One of the program in which only synchronization is watched.
    OutOfScope,
    /// One of the JDK.
    Jdk,
}

/// Which passes an engine wants for a class.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wish {
    /// Those that it needs, beside the usual ones.
    with: Passes,
    /// Those that it rules out, whoever needs them.
    without: Passes,
}

/// What an agent does with the program.
///
/// A thread has no beginning here: it is new to an engine when it first does something. An engine that keeps state for a thread
/// lets go of it in [`Engine::thread_ended`].
pub(crate) trait Engine: Any + Send + Sync {
    /// For [`Engines::get`].
    fn as_any(&self) -> &dyn Any;

    /// Which passes the engine wants for a class that has the `usual` ones by its kind.
    fn passes(&self, kind: ClassKind, usual: Passes) -> Wish;

    /// Which fields, elements and methods of a class the hooks are for; `None`: the usual ones of its kind.
    fn choices<'a>(&'a self, _declared: &'a Annotations, _kind: ClassKind) -> Option<Box<dyn Choices + 'a>> {
        None
    }

    /// Are accesses to this field synchronization, by internal name of its class and name?
    fn is_flag(&self, _class: &[u8], _field: &[u8]) -> bool {
        false
    }

    /// Is the field watched, by internal name of its class and name?
    fn watches(&self, _class: &str, _field: &str) -> bool {
        true
    }

    /// What the shadow of an array has words for.
    fn shadows(&self) -> Shadows {
        Shadows::Elements
    }

    /// How well its races are proved; `None` if it looks for none.
    fn grade(&self) -> Option<Grade>;

    /// Are the locks known that are held at an access?
    fn knows_locks(&self) -> bool {
        true
    }

    /// What it asks of the shim, beside [`EngineFlags::DETECTS`], which follows from its grade.
    fn flags(&self) -> EngineFlags {
        EngineFlags::ON
    }

    /// The agent is complete, and the program has not begun.
    fn start(&'static self, _agent: &'static Agent) {}

    /// An array or an object with a number is gone, and the number may become another's.
    fn object_freed(&self, _number: u32) {}

    /// A collection begins. What holds for [`Engine::collected`] holds here.
    fn collecting(&self) {}

    /// A collection has ended. Threads in Java code are stopped, and the JVM allows no call of its own in here.
    fn collected(&self) {}

    /// A thread has ended.
    fn thread_ended(&self, _thread: ThreadId) {}

    /// The program has ended; daemon threads may still run.
    fn finish(&self) {}

    /// Adds what it has to say of the run.
    fn describe(&self, jvm: &mut Jvm);
}

/// The engines of an agent.
pub(crate) struct Engines(Vec<Box<dyn Engine>>);

impl Engines {
    /// Those that the options ask for.
    pub(crate) fn new(options: &AgentOptions, process: Process) -> io::Result<Engines> {
        let resolved = |file: &Option<FileName>| file.as_ref().map(|file| file.resolve(process));
        let mut engines: Vec<Box<dyn Engine>> = match options.mode {
            Mode::Detect => vec![Box::new(FastTrack::new(options))],
            Mode::Simple | Mode::Detailed => {
                vec![Box::new(Locksets::new(options, resolved(&options.locksets.fields))?)]
            }
            Mode::Count => vec![Box::new(Count)],
            Mode::Sample => vec![Box::new(Sample::new(options, resolved(&options.sampling.sites))?)],
            Mode::Record | Mode::Concolic => Vec::new(),
        };
        if let Some(file) = resolved(&options.recording.file).filter(|_| options.mode != Mode::Count) {
            let claim: Option<PathBuf> = resolved(&options.recording.claim);
            let file = record::claimed(&file, claim.as_deref(), process.pid);
            let company = if engines.is_empty() { record::Company::None } else { record::Company::Detector };
            engines.push(Box::new(Recorder::open(file, &options.recording, company)?));
        }
        if let Some(inputs) = resolved(&options.concolic.inputs) {
            let (path, has_company) = (resolved(&options.concolic.path), !engines.is_empty());
            engines.push(Box::new(Concolic::new(&inputs, path, has_company)?));
        }
        if let Some(plan) = resolved(&options.hunt.plan) {
            let (read, outcome) = (hunt::read(&plan)?, resolved(&options.hunt.outcome));
            engines.push(match read.scheduler.is_controlled() {
                true => Box::new(Control::new(read, outcome)?),
                false => Box::new(Hunt::new(read, outcome)),
            });
        }
        Ok(Engines(engines))
    }

    fn all(&self) -> impl Iterator<Item = &dyn Engine> {
        self.0.iter().map(|engine| &**engine)
    }

    /// The engine of a type, if the agent has it.
    pub(crate) fn get<E: Engine>(&self) -> Option<&E> {
        self.all().find_map(|engine| engine.as_any().downcast_ref())
    }

    /// The passes for a class: the usual ones of its kind, and those that engines want and none rules out.
    pub(crate) fn passes(&self, kind: ClassKind, usual: Passes) -> Passes {
        let wishes = || self.all().map(|engine| engine.passes(kind, usual));
        let wanted = wishes().fold(usual, |passes, wish| passes | wish.with);
        wishes().fold(wanted, |passes, wish| passes.difference(wish.without))
    }

    pub(crate) fn choices<'a>(&'a self, declared: &'a Annotations, kind: ClassKind) -> Option<Box<dyn Choices + 'a>> {
        self.all().find_map(|engine| engine.choices(declared, kind))
    }

    pub(crate) fn is_flag(&self, class: &[u8], field: &[u8]) -> bool {
        self.all().any(|engine| engine.is_flag(class, field))
    }

    pub(crate) fn watches(&self, class: &str, field: &str) -> bool {
        self.all().all(|engine| engine.watches(class, field))
    }

    pub(crate) fn shadows(&self) -> Shadows {
        self.all().next().map_or(Shadows::Elements, Engine::shadows)
    }

    /// The grade of the races that are reported; `None` if none are looked for.
    pub(crate) fn grade(&self) -> Option<Grade> {
        self.all().find_map(Engine::grade)
    }

    pub(crate) fn knows_locks(&self) -> bool {
        self.all().all(Engine::knows_locks)
    }

    /// What the engines ask of the shim.
    pub(crate) fn flags(&self) -> EngineFlags {
        let detects = if self.grade().is_some() { EngineFlags::DETECTS } else { EngineFlags::empty() };
        self.all().map(Engine::flags).fold(detects, EngineFlags::union)
    }

    /// Do the hooks run?
    pub(crate) fn run_hooks(&self) -> bool {
        self.flags().contains(EngineFlags::ON)
    }

    pub(crate) fn start(&'static self, agent: &'static Agent) {
        self.all().for_each(|engine| engine.start(agent));
    }

    pub(crate) fn object_freed(&self, number: u32) {
        self.all().for_each(|engine| engine.object_freed(number));
    }

    pub(crate) fn collecting(&self) {
        self.all().for_each(Engine::collecting);
    }

    pub(crate) fn collected(&self) {
        self.all().for_each(Engine::collected);
    }

    pub(crate) fn thread_ended(&self, thread: ThreadId) {
        self.all().for_each(|engine| engine.thread_ended(thread));
    }

    pub(crate) fn finish(&self) {
        self.all().for_each(Engine::finish);
    }

    pub(crate) fn describe(&self, jvm: &mut Jvm) {
        self.all().for_each(|engine| engine.describe(jvm));
    }
}

impl Agent {
    /// What the shim is asked for: by the engines, and by options of the run.
    pub(crate) fn flags(&self) -> EngineFlags {
        let mut flags = self.engines.flags();
        flags.set(EngineFlags::COMPARES, self.options.constants == Constants::Ignored);
        flags.set(EngineFlags::HIDES, self.recorder().is_some() && self.hidden.is_some());
        flags.set(EngineFlags::ORDERS_IO, self.options.io_order == IoOrder::On);
        flags.set(EngineFlags::HEADERS, self.arrays.is_some() && self.options.arrays == ArrayIds::Header);
        flags
    }
}

/// What accesses need that a detector sees.
fn accesses() -> Passes {
    let fields = Passes::FIELDS | Passes::VOLATILES | Passes::LATE;
    fields | Passes::ARRAYS | Passes::RANGES | Passes::CONFINED | Passes::CONTEXTS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engines of these options; `FOLDER` is a folder of the test's.
    fn engines(options: &str) -> Engines {
        let folder = tempfile::tempdir().unwrap();
        let options = options.replace("FOLDER", folder.path().to_str().unwrap());
        Engines::new(&options.parse().unwrap(), Process { pid: 7, started: 0 }).unwrap()
    }

    #[test]
    fn a_recording_is_alone_or_beside_a_detector() {
        let [alone, beside] = ["mode=record,record=FOLDER/t.adt", "record=FOLDER/t.adt"].map(engines);
        let [mine, others] = [&alone, &beside].map(|engines| engines.passes(ClassKind::Program, Passes::MONITORS));
        assert!(mine.contains(Passes::RECORD) && mine.contains(Passes::VOLATILES) && !mine.contains(Passes::FIELDS));
        assert!(others.contains(Passes::RECORD) && others.contains(Passes::FIELDS) && !others.contains(Passes::LOOPS));
        let out_of_scope = Passes::MONITORS | Passes::CONTEXTS;
        assert!(alone.passes(ClassKind::OutOfScope, out_of_scope) == Passes::MONITORS);
        assert!(beside.passes(ClassKind::OutOfScope, out_of_scope) == out_of_scope);
        let data = Passes::FIELDS | Passes::FREEZE;
        assert!(alone.passes(ClassKind::Jdk, data) == Passes::RECORD);
        assert!(beside.passes(ClassKind::Jdk, data) == data | Passes::RECORD);
        assert_eq!((alone.grade(), beside.grade()), (None, Some(Grade::Unordered)));
    }

    #[test]
    fn what_one_engine_rules_out_is_no_matter_to_another() {
        let folder = tempfile::tempdir().unwrap();
        let fields = folder.path().join("fields");
        std::fs::write(&fields, "field a.B.c\n").unwrap();
        let file = fields.to_str().unwrap();
        let detailed = engines(&format!("mode=detailed,fields={file},record=FOLDER/t.adt"));
        let passes = detailed.passes(ClassKind::Jdk, Passes::FIELDS | Passes::ARRAYS | Passes::FREEZE);
        assert!(passes == Passes::FIRST | Passes::RECORD, "the JDK's data is recorded, and not watched");
        assert_eq!(detailed.grade(), Some(Grade::Possible));
        let detecting = EngineFlags::ON | EngineFlags::DETECTS;
        let asked = EngineFlags::DETAILED | EngineFlags::PENDS | EngineFlags::SELECTS | EngineFlags::RECORDING;
        assert_eq!(detailed.flags().difference(EngineFlags::ONCE | EngineFlags::REVEALS), detecting | asked);
        let simple = engines("mode=simple,elements=each,statics=shared");
        let asked = EngineFlags::SIMPLE | EngineFlags::BY_ELEMENT | EngineFlags::SHARED_STATICS;
        assert_eq!(simple.flags(), detecting | asked);
        assert_eq!(engines("filter=tree").flags(), detecting | EngineFlags::FILTERS);
    }

    #[test]
    fn sampling_keeps_what_synchronizes_and_adds_no_field() {
        let sample = engines("mode=sample,sample-rate=100%");
        let fields = Passes::FIELDS | Passes::ARRAYS | Passes::CLONES | Passes::FIRST | Passes::RECORD;
        let synchronizes = Passes::MONITORS | Passes::VOLATILES | Passes::METHOD_RULES | Passes::UNSAFE;
        for kind in [ClassKind::Program, ClassKind::OutOfScope, ClassKind::Jdk] {
            let passes = sample.passes(kind, fields | synchronizes);
            assert!(passes.contains(synchronizes | Passes::SAMPLE) && !passes.intersects(fields));
        }
        assert!(!sample.passes(ClassKind::Jdk, Passes::COUNTERS).contains(Passes::VOLATILES), "incidental ones stay");
        assert_eq!((sample.grade(), sample.knows_locks()), (Some(Grade::Caught), false));
    }

    #[test]
    fn counting_runs_nothing() {
        let count = engines("mode=count,record=FOLDER/t.adt");
        assert!(!count.run_hooks() && count.grade().is_none() && count.get::<Recorder>().is_none());
        assert!(engines("").run_hooks() && engines("").get::<FastTrack>().is_some());
    }
}
