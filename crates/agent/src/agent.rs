//! The agent: what one JVM's tables and counters are, and what becomes of its classes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use model::ThreadId;
use report::{Accesses, Jvm, Line};
use runtime::{Collector, Depot, Filter, Runtime, Spans, StackId};

use crate::accesses::AccessSites;
use crate::annotations::Declared;
use crate::arrays::Arrays;
use crate::debug::Debug;
use crate::depth::Depth;
use crate::entry::{is_off, panic_in};
use crate::ffi::{FieldId, Jni, Jvmti, Object, Scope as FieldScope};
use crate::fields::FieldNumbers;
use crate::locks::LockNames;
use crate::locksets::{self, Locksets};
use crate::options::{ArrayIds, AtRace, Constants, Elements, LazyFields, Mode, Options, Pairs};
use crate::output::{Output, message};
use crate::owners::Owners;
use crate::pause::Pause;
use crate::record::Recorder;
use crate::scope::{self, Scope};
use crate::sites::Sites;
use crate::stacks::Methods;

pub(crate) const SHIM: &str = "java/lang/AutodromeShim";

macro_rules! shim_class {
    ($name:literal) => {
        (
            concat!("java/lang/", $name),
            include_bytes!(concat!(env!("OUT_DIR"), "/shim/java/lang/", $name, ".class")).as_slice(),
        )
    };
}

/// The shim's classes: name and bytes.
const SHIM_CLASSES: &[(&str, &[u8])] = &[
    shim_class!("AutodromeThread"),
    shim_class!("AutodromePasts"),
    shim_class!("AutodromeCells"),
    shim_class!("AutodromeCells$Numbered"),
    shim_class!("AutodromeUnsafe"),
    shim_class!("AutodromeClones"),
    shim_class!("AutodromeAccesses"),
    shim_class!("AutodromeAccesses$Words"),
    shim_class!("AutodromeWords"),
    shim_class!("AutodromeTree"),
    shim_class!("AutodromeValues"),
    shim_class!("AutodromeSites"),
    shim_class!("AutodromeNumbers"),
    shim_class!("AutodromePools"),
    shim_class!("AutodromeArrays"),
    shim_class!("AutodromeLoops"),
    shim_class!("AutodromeRenewal"),
    shim_class!("AutodromeRuns"),
    shim_class!("AutodromeRuns$Watched"),
    shim_class!("AutodromeRuns$Run"),
    shim_class!("AutodromeHidden"),
    shim_class!("AutodromeHidden$Walk"),
    shim_class!("AutodromeRecord"),
    shim_class!("AutodromeElements"),
    shim_class!("AutodromeRanges"),
    shim_class!("AutodromeCalls"),
    shim_class!("AutodromeLocks"),
    shim_class!("AutodromeLocksets"),
    shim_class!("AutodromeSimple"),
    shim_class!("AutodromeJdk"),
    shim_class!("AutodromeOptimism"),
    shim_class!("AutodromeOptimism$Held"),
    shim_class!("AutodromeShim"),
];

/// What the shim keeps in every thread (shim/stub/java/lang/Thread.java).
pub(crate) const THREAD_FIELDS: &[(&str, &str)] = &[
    ("autodrome$id", "I"),
    ("autodrome$epoch", "I"),
    ("autodrome$context", "I"),
    ("autodrome$locks", "I"),
    ("autodrome$used", "I"),
    ("autodrome$contexts", "[I"),
    ("autodrome$shared", "[J"),
    ("autodrome$initialized", "[J"),
    ("autodrome$medium", "J"),
    ("autodrome$past", "[I"),
    ("autodrome$sent", "[I"),
    ("autodrome$clock", "J"),
    ("autodrome$waits", "Ljava/lang/Object;"),
    ("autodrome$quiet", "I"),
    ("autodrome$optimistic", "[Ljava/lang/Object;"),
    ("autodrome$converting", "[Ljava/lang/Object;"),
    ("autodrome$held", "[Ljava/lang/Object;"),
    ("autodrome$taken", "[I"),
    ("autodrome$depth", "I"),
    ("autodrome$sets", "[I"),
    ("autodrome$ring", "J"),
    ("autodrome$stripe", "J"),
    ("autodrome$step", "I"),
    ("autodrome$operand", "I"),
    ("autodrome$index", "I"),
    ("autodrome$accessed", "[Ljava/lang/Object;"),
    ("autodrome$callers", "[J"),
    ("autodrome$token", "I"),
    ("autodrome$lockset", "I"),
    ("autodrome$tokens", "[I"),
    ("autodrome$locksets", "[I"),
    ("autodrome$runs", "[Ljava/lang/AutodromeRuns$Run;"),
    ("autodrome$running", "Ljava/lang/AutodromeRuns$Run;"),
    ("autodrome$ordered", "[J"),
    ("autodrome$finalizers", "I"),
    ("autodrome$dependent", "I"),
    ("autodrome$hidden", "I"),
    ("autodrome$arguments", "[Ljava/lang/Object;"),
    ("autodrome$argumentCount", "I"),
    ("autodrome$received", "[I"),
    ("autodrome$valued", "I"),
    ("autodrome$value", "J"),
    ("autodrome$reference", "Ljava/lang/Object;"),
    ("autodrome$collections", "I"),
];

/// What the shim keeps in every class (shim/stub/java/lang/Class.java): where the shadows of its fields lie.
pub(crate) const CLASS_FIELDS: &[(&str, &str)] = &[
    ("autodrome$cells", "[I"),
    ("autodrome$statics", "[I"),
    ("autodrome$number", "I"),
    ("autodrome$words", "Ljava/lang/Object;"),
    ("autodrome$staticWords", "Ljava/lang/Object;"),
    ("autodrome$shadows", "[J"),
    ("autodrome$references", "[J"),
    ("autodrome$watched", "I"),
];

static AGENT: OnceLock<Agent> = OnceLock::new();

/// The loader that a class comes from, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loader {
    Boot,
    Other,
}

/// What is known of a thread beside its clock.
#[derive(Clone, Debug)]
pub(crate) struct ThreadInfo {
    pub(crate) java_id: u64,
    pub(crate) name: String,
    /// The number of the thread as an object, in recordings.
    pub(crate) object: Option<u64>,
}

#[derive(Default)]
pub(crate) struct ClassCounts {
    pub(crate) woven: u64,
    pub(crate) skipped: BTreeMap<String, u64>,
    pub(crate) methods_skipped: BTreeMap<String, u64>,
    pub(crate) out_of_scope: u64,
}

/// The one agent of the process.
pub(crate) struct Agent {
    pub(crate) jvmti: Jvmti,
    pub(crate) mode: Mode,
    pub(crate) runtime: Runtime,
    pub(crate) depot: Depot,
    pub(crate) collector: Collector,
    pub(crate) sites: Sites,
    pub(crate) methods: Methods,
    pub(crate) field_numbers: FieldNumbers,
    pub(crate) lock_names: LockNames,
    pub(crate) access_sites: AccessSites,
    pub(crate) arrays: Option<Arrays>,
    pub(crate) owners: Owners,
    pub(crate) array_ids: ArrayIds,
    pub(crate) recorder: Option<Recorder>,
    /// TREE in front of FastTrack, if it is there.
    pub(crate) spans: Option<Spans>,
    /// In the lockset modes.
    pub(crate) locksets: Option<Locksets>,
    pub(crate) elements: Elements,
    pub(crate) pairs: Pairs,
    /// How the shim goes about accesses in the lockset modes.
    pub(crate) way: locksets::Way,
    /// If threads wait at races.
    pub(crate) pause: Option<Pause>,
    pub(crate) output: Output,
    pub(crate) declared: Declared,
    pub(crate) lazy: LazyFields,
    pub(crate) constants: Constants,
    pub(crate) debug: Debug,
    depth: Depth,
    pub(crate) slow: AtomicU64,
    medium: AtomicU64,
    pub(crate) unwatched: AtomicU64,
    /// Accesses of races that are shown with their stack, and without.
    pub(crate) whole_stacks: AtomicU64,
    pub(crate) sites_alone: AtomicU64,
    pub(crate) scope: Scope,
    /// The classes whose methods are hidden in recordings, if any are.
    pub(crate) hidden: Option<Scope>,
    pub(crate) classes: Mutex<ClassCounts>,
    threads: Mutex<Vec<Option<ThreadInfo>>>,
    next_tag: Mutex<u64>,
    pub(crate) thread_fields: OnceLock<ThreadFieldIds>,
}

pub(crate) struct ThreadFieldIds {
    id: FieldId,
    medium: FieldId,
    java_id: FieldId,
}

/// A lock of the agent; after a panic the tables are still of use for the last report.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Agent {
    /// The agent, if it was loaded and is not switched off.
    pub(crate) fn get() -> Option<&'static Agent> {
        AGENT.get()
    }

    /// Makes the agent of this JVM, unless the JVM is that of a build tool; `listen` switches events on. Arrays have
    /// `tags` to themselves.
    pub(crate) fn load(jvmti: Jvmti, tags: Jvmti, options: &str, listen: impl FnOnce() -> Option<()>) {
        let command = jvmti.system_property("sun.java.command").unwrap_or_default();
        let options = Options::parse(options, std::process::id());
        if scope::is_build_tool(&command) {
            let debug = options.ok().and_then(|options| Debug::open(options.debug.as_deref()).ok());
            if let Some(debug) = debug {
                debug.say(|| format!("left alone, a build tool: {command}"));
            }
            return;
        }
        let globals = options.as_ref().map_or_else(|_| Vec::new(), |options| options.globals.clone());
        let agent = options.and_then(|options| Agent::new(jvmti, tags, options).map_err(|error| error.to_string()));
        match agent {
            Ok(agent) => {
                globals.into_iter().for_each(|field| agent.add_global(field));
                if AGENT.set(agent).is_ok() && listen().is_none() {
                    message("autodrome: this JVM lacks what detection needs; it is not watched");
                }
                if let Some((agent, recorder)) = AGENT.get().and_then(|agent| Some((agent, agent.recorder.as_ref()?))) {
                    recorder.start(agent);
                }
            }
            Err(error) => message(&format!("autodrome: {error}; this JVM is not watched")),
        }
    }

    fn new(jvmti: Jvmti, tags: Jvmti, options: Options) -> std::io::Result<Agent> {
        panic_in(options.panic);
        Ok(Agent {
            jvmti,
            mode: options.mode,
            runtime: Runtime::default(),
            depot: Depot::default(),
            collector: Collector::default(),
            sites: Sites::default(),
            methods: Methods::default(),
            field_numbers: FieldNumbers::default(),
            lock_names: LockNames::default(),
            access_sites: AccessSites::default(),
            arrays: Arrays::new(tags, options.shadows()),
            owners: Owners::default(),
            array_ids: options.arrays,
            recorder: options.recorded_to(std::process::id()).map(|path| Recorder::open(path, &options)).transpose()?,
            spans: (options.mode == Mode::Detect && options.filter == Filter::Tree).then(Spans::default),
            locksets: Locksets::new(&options, options.fields.as_deref().map(locksets::race_prone).transpose()?),
            elements: options.elements,
            pairs: options.pairs,
            way: locksets::Way::of(&options),
            pause: (options.at_race == AtRace::Wait).then(|| Pause::new(options.out.as_deref())),
            output: Output::open(options.out.as_deref(), options.text)?,
            declared: Declared::default(),
            lazy: options.lazy,
            constants: options.constants,
            debug: Debug::open(options.debug.as_deref())?,
            depth: Depth::new(options.stack),
            slow: AtomicU64::new(0),
            medium: AtomicU64::new(0),
            unwatched: AtomicU64::new(0),
            whole_stacks: AtomicU64::new(0),
            sites_alone: AtomicU64::new(0),
            scope: Scope::new(&options.include, &options.exclude),
            hidden: (!options.hide.is_empty()).then(|| Scope::new(&options.hide, &[])),
            classes: Mutex::default(),
            threads: Mutex::default(),
            next_tag: Mutex::new(1),
            thread_fields: OnceLock::new(),
        })
    }

    /// The JVM can define classes: the shim.
    pub(crate) fn start(&self, jni: Jni<'_>) {
        if !SHIM_CLASSES.iter().all(|(name, bytes)| jni.define_class(name, bytes).is_some()) {
            message("autodrome: the JVM does not take the shim; it is not watched");
        }
    }

    /// The JVM is ready to run the program.
    pub(crate) fn initialize(&self, jni: Jni<'_>) {
        let ids = jni.find_class("java/lang/Thread").and_then(|thread| {
            self.depth.initialize(jni, thread);
            let field = |name, descriptor| jni.field(thread, name, descriptor, FieldScope::Instance);
            Some(ThreadFieldIds {
                id: field("autodrome$id", "I")?,
                medium: field("autodrome$medium", "J")?,
                java_id: field("tid", "J")?,
            })
        });
        let shim = jni.find_class(SHIM);
        match ids.filter(|_| shim.is_some()) {
            Some(ids) => {
                // Set once, here: the event comes once.
                let _ = self.thread_fields.set(ids);
                // The shim is initialized before the JDK's own code may call it, and asks us for numbers that it relies on.
                if self.mode != Mode::Count && shim.is_some_and(|shim| jni.initialize(shim)) && !is_off() {
                    jni.set_flag(weave::boot::HOME, weave::boot::ON);
                }
                self.output.write(&Line::Jvm(self.describe()));
                let command = || self.jvmti.system_property("sun.java.command").unwrap_or_default();
                self.debug.say(|| format!("watched: {}", command()));
            }
            None => message("autodrome: java.lang.Thread is not as expected; this JVM is not watched"),
        }
    }

    /// An array is gone.
    pub(crate) fn array_freed(&self, tag: u64) {
        if let (Some(locksets), Ok(number)) = (&self.locksets, u32::try_from(tag)) {
            locksets.object_freed(number);
        }
        if let Some(arrays) = &self.arrays {
            arrays.free(tag, &self.runtime);
        }
    }

    /// The program has ended; daemon threads may still run.
    pub(crate) fn finish(&self, jni: Jni<'_>) {
        if let Some(fields) = self.thread_fields.get() {
            for thread in self.jvmti.live_threads() {
                self.add_medium(jni, thread, fields);
            }
        }
        if let Some(recorder) = &self.recorder {
            recorder.finish();
        }
        let name = |fingerprint| report::Fingerprint(fingerprint).to_string();
        let counts = self.collector.counts().into_iter().map(|(id, count)| (name(id), count)).collect();
        self.output.write(&Line::End { jvm: self.describe(), counts });
    }

    fn describe(&self) -> Jvm {
        let classes = lock(&self.classes);
        Jvm {
            pid: std::process::id(),
            jdk: self.jvmti.system_property("java.vm.version").unwrap_or_default(),
            classes_woven: classes.woven,
            classes_skipped: classes.skipped.clone(),
            methods_skipped: classes.methods_skipped.clone(),
            classes_out_of_scope: classes.out_of_scope,
            threads: u64::from(self.runtime.thread_count()),
            accesses: Accesses {
                medium: self.medium.load(Ordering::Relaxed),
                slow: self.slow.load(Ordering::Relaxed),
                unwatched: self.unwatched.load(Ordering::Relaxed),
            },
            arrays: self.arrays.as_ref().map_or_else(report::Arrays::default, Arrays::counts),
            stacks: report::Stacks {
                whole: self.whole_stacks.load(Ordering::Relaxed),
                site_alone: self.sites_alone.load(Ordering::Relaxed),
            },
            fault: None,
            trace: self.recorder.as_ref().map(Recorder::describe),
            locksets: self.locksets.as_ref().map_or_else(report::Locksets::default, Locksets::describe),
            tree: self.tree(),
        }
    }

    /// Is the field watched, by internal name of its class and name?
    pub(crate) fn watches(&self, class: &str, field: &str) -> bool {
        self.locksets.as_ref().is_none_or(|locksets| locksets.watches_field(class, field))
    }

    /// The number of an object: the same whenever it is asked for, and of no other object.
    pub(crate) fn identity(&self, object: Object<'_>) -> Option<u64> {
        let known = self.jvmti.tag(object)?;
        if known != 0 {
            return Some(known);
        }
        // Two threads may come here with one object. The JVM does not call back from these two functions, and does
        // not need this lock to end what they may wait for.
        let mut next = lock(&self.next_tag);
        let known = self.jvmti.tag(object)?;
        if known != 0 {
            return Some(known);
        }
        let tag = *next;
        self.jvmti.set_tag(object, tag)?;
        *next += 1;
        Some(tag)
    }

    /// A number that no object has.
    pub(crate) fn new_identity(&self) -> u64 {
        let mut next = lock(&self.next_tag);
        *next += 1;
        *next - 1
    }

    /// A thread that runs without having been seen to start.
    pub(crate) fn attach(&self, jni: Jni<'_>, thread: Object<'_>) -> ThreadId {
        let id = self.runtime.attach();
        self.name_thread(jni, id, thread);
        id
    }

    /// A thread is about to start another, which may have been about to start before.
    pub(crate) fn fork(&self, jni: Jni<'_>, me: ThreadId, child: Object<'_>, known: Option<ThreadId>) -> ThreadId {
        match known {
            Some(known) => {
                if self.jvmti.thread_state(child) == Some(0) {
                    self.runtime.fork_again(me, known);
                }
                known
            }
            None => {
                let id = self.runtime.fork(me, self.stack_of_start());
                self.name_thread(jni, id, child);
                self.depth.widen(jni, child);
                id
            }
        }
    }

    pub(crate) fn thread_ended(&self, jni: Jni<'_>, thread: Object<'_>) {
        let Some(fields) = self.thread_fields.get() else { return };
        if let Some(id) = thread_id(jni.int_field(thread, fields.id)) {
            // It may have got its name after it was first seen.
            self.name_thread(jni, id, thread);
            self.runtime.end(id);
            if let Some(recorder) = &self.recorder {
                recorder.end(id);
            }
            self.add_medium(jni, thread, fields);
        }
    }

    /// Threads count what they decide themselves; the sum is taken when they end.
    fn add_medium(&self, jni: Jni<'_>, thread: Object<'_>, fields: &ThreadFieldIds) {
        let count = u64::try_from(jni.long_field(thread, fields.medium)).unwrap_or(0);
        self.medium.fetch_add(count, Ordering::Relaxed);
    }

    fn name_thread(&self, jni: Jni<'_>, id: ThreadId, thread: Object<'_>) {
        let java_id = self.thread_fields.get().map_or(0, |fields| jni.long_field(thread, fields.java_id));
        let name = self.jvmti.thread_name(thread).unwrap_or_default();
        let object = self.recorder.as_ref().and_then(|_| self.identity(thread));
        let mut threads = lock(&self.threads);
        if id.index() >= threads.len() {
            threads.resize(id.index() + 1, None);
        }
        if let Some(row) = threads.get_mut(id.index()) {
            *row = Some(ThreadInfo { java_id: java_id as u64, name, object });
        }
    }

    pub(crate) fn thread_info(&self, id: ThreadId) -> Option<ThreadInfo> {
        lock(&self.threads).get(id.index()).cloned().flatten()
    }

    /// The stack from which a thread is started, without `Thread.start` itself.
    fn stack_of_start(&self) -> StackId {
        let frames = self.methods.frames(self.jvmti).into_iter();
        let is_start = |frame: &runtime::Frame| {
            self.methods
                .shown(*frame)
                .is_some_and(|frame| matches!(&*frame.class, "java.lang.Thread" | "java.lang.VirtualThread"))
        };
        let frames: Vec<_> = frames.skip_while(is_start).collect();
        self.depot.stack(frames.into_iter().rev())
    }

    /// The stack of the current thread, without the shim's frames.
    pub(crate) fn current_stack(&self) -> StackId {
        let frames = self.methods.frames(self.jvmti);
        self.depot.stack(frames.into_iter().rev())
    }
}

/// The shim's number of a thread; 0 is none.
pub(crate) fn thread_id(number: i32) -> Option<ThreadId> {
    u32::try_from(number).ok()?.checked_sub(1).map(ThreadId)
}
