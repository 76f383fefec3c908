//! The agent: what one JVM's tables and counters are, and what becomes of its classes.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use control::{AgentOptions, AtRace, FileName, Process};
use model::ThreadId;
use report::{Accesses, Jvm, Line};
use runtime::{Collector, Depot, Runtime, StackId};
use weave::hooks::Hook;

use crate::accesses::AccessSites;
use crate::annotations::Declared;
use crate::archive;
use crate::arrays::Arrays;
use crate::covered::Covered;
use crate::debug::Debug;
use crate::depth::Depth;
use crate::engine::Engines;
use crate::engine::sample::Sample;
use crate::entry::{is_off, panic_in};
use crate::ffi::{FieldId, Jni, Jvmti, Object, Scope as FieldScope};
use crate::fields::FieldNumbers;
use crate::frozen::Frozen;
use crate::given::Given;
use crate::io;
use crate::java_version;
use crate::locks::LockNames;
use crate::nesting::StableNames;
use crate::objects::DataClasses;
use crate::options;
use crate::output::{Output, message};
use crate::owners::Owners;
use crate::pause::Pause;
use crate::scope::{self, Scope};
use crate::sites::Sites;
use crate::stacks::Methods;

/// The class of the shim that is initialized first: it makes sure that hooks can run.
const START: &str = "java/lang/AutodromeStart";

/// The environments of the JVM that the agent uses. Each has tags of its own.
pub(crate) struct Environments {
    pub(crate) jvmti: Jvmti,
    /// The numbers of arrays.
    pub(crate) tags: Jvmti,
    /// Searches through the heap.
    pub(crate) searches: Jvmti,
}

include!(concat!(env!("OUT_DIR"), "/shim_classes.rs"));

static AGENT: OnceLock<Agent> = OnceLock::new();

/// Whose class is loaded: its loader and its name together say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loader {
    /// The boot loader, or the JDK's own loaders for a class of the JDK's image.
    Jdk,
    /// Any loader, for a class that is none of the JDK's.
    Program,
}

/// What is known of a thread beside its clock, for ever: there may be a million.
#[derive(Clone, Debug)]
pub(crate) struct ThreadInfo {
    pub(crate) java_id: u64,
    pub(crate) name: Box<str>,
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
    /// The JDK's, such as 17.
    pub(crate) version: u32,
    pub(crate) options: AgentOptions,
    /// What decides, and what records.
    pub(crate) engines: Engines,
    pub(crate) runtime: Runtime,
    pub(crate) depot: Depot,
    pub(crate) collector: Collector,
    pub(crate) sites: Sites,
    pub(crate) stable_names: StableNames,
    pub(crate) methods: Methods,
    pub(crate) field_numbers: FieldNumbers,
    pub(crate) lock_names: LockNames,
    pub(crate) access_sites: AccessSites,
    pub(crate) arrays: Option<Arrays>,
    pub(crate) owners: Owners,
    pub(crate) frozen: Frozen,
    /// If threads wait at races.
    pub(crate) pause: Option<Pause>,
    pub(crate) output: Output,
    pub(crate) declared: Declared,
    pub(crate) data_classes: DataClasses,
    /// In recordings.
    pub(crate) covered: Covered,
    /// What descriptors hand data over through.
    pub(crate) io: Mutex<io::Cells>,
    pub(crate) debug: Debug,
    depth: Depth,
    pub(crate) slow: AtomicU64,
    medium: AtomicU64,
    pub(crate) unwatched: AtomicU64,
    /// Accesses of races that are shown with their stack, and without.
    pub(crate) whole_stacks: AtomicU64,
    pub(crate) sites_alone: AtomicU64,
    pub(crate) scope: Scope,
    pub(crate) given: Given,
    /// The classes whose methods are hidden in recordings, if any are.
    pub(crate) hidden: Option<Scope>,
    pub(crate) classes: Mutex<ClassCounts>,
    threads: Mutex<Vec<Option<ThreadInfo>>>,
    /// The numbers of threads as objects, in recordings.
    thread_objects: Mutex<HashMap<ThreadId, u64>>,
    next_tag: Mutex<u64>,
    pub(crate) thread_fields: OnceLock<ThreadFieldIds>,
}

pub(crate) struct ThreadFieldIds {
    id: FieldId,
    medium: FieldId,
    clock: FieldId,
    last: FieldId,
    java_id: FieldId,
    left: FieldId,
    granted: FieldId,
}

/// Initializes the shim: what hooks rely on, then each class that has hooks, which must not happen inside a hook.
fn start_shim(jni: Jni<'_>) -> bool {
    let first = (START, ("link", "()V"));
    let callers = Hook::ALL.iter().flat_map(|&hook| hook.callers().iter().map(move |&caller| (hook, caller)));
    let hooks: BTreeMap<&str, (&str, &str)> =
        callers.map(|(hook, caller)| (hook.owner(caller), (hook.name(), hook.descriptor(caller)))).collect();
    jni.expect_references(1 + hooks.len());
    [first].into_iter().chain(hooks).all(|(class, (method, descriptor))| {
        jni.find_class(class).is_some_and(|found| jni.initialize(found, method, descriptor))
    })
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
    pub(crate) fn load(environments: Environments, options: &str, listen: impl FnOnce() -> Option<()>) {
        let command = environments.jvmti.system_property("sun.java.command").unwrap_or_default();
        scope::set_home(&environments.jvmti.system_property("java.home").unwrap_or_default());
        let options = options::read(options);
        let process = options::this_process();
        if scope::is_build_tool(&command) {
            let debug = options.ok().and_then(|options| Debug::open(resolved(&options.debug, process).as_deref()).ok());
            if let Some(debug) = debug {
                debug.say(|| format!("left alone, a build tool: {command}"));
            }
            return;
        }
        let specification = environments.jvmti.system_property("java.vm.specification.version").unwrap_or_default();
        if let Some(why) = java_version::too_old(&specification).or_else(archive::writes) {
            return message(&why);
        }
        let globals = options.as_ref().map_or_else(|_| Vec::new(), |options| options.recording.globals.clone());
        let agent =
            options.and_then(|options| Agent::new(environments, options, process).map_err(|error| error.to_string()));
        match agent {
            Ok(agent) => {
                if let Some(why) = archive::end_of_jvm() {
                    message(&why);
                }
                globals.into_iter().for_each(|field| agent.add_global(field.to_string()));
                if AGENT.set(agent).is_ok() && listen().is_none() {
                    message("autodrome: this JVM lacks what detection needs; it is not watched");
                }
                if let Some(agent) = AGENT.get() {
                    agent.engines.start(agent);
                }
            }
            Err(error) => message(&format!("autodrome: {}; this JVM is not watched", report::plain(&error))),
        }
    }

    fn new(environments: Environments, options: AgentOptions, process: Process) -> std::io::Result<Agent> {
        panic_in(options.panic);
        let Environments { jvmti, tags, searches } = environments;
        let version = jvmti.system_property("java.vm.specification.version").unwrap_or_default();
        let resolved = |file| resolved(file, process);
        let (out, recording) = (resolved(&options.out), &options.recording);
        let engines = Engines::new(&options, process)?;
        Ok(Agent {
            jvmti,
            version: java_version::feature(&version),
            runtime: Runtime::default(),
            depot: Depot::default(),
            collector: Collector::default(),
            sites: Sites::default(),
            stable_names: StableNames::default(),
            methods: Methods::default(),
            field_numbers: FieldNumbers::default(),
            lock_names: LockNames::default(),
            access_sites: AccessSites::default(),
            arrays: Arrays::new(tags, engines.shadows()),
            owners: Owners::default(),
            frozen: Frozen::new(searches),
            pause: (options.at_race == AtRace::Wait).then(|| Pause::new(out.as_deref())),
            output: Output::open(out.as_deref(), options.text, options.otlp.as_ref())?,
            declared: Declared::default(),
            data_classes: DataClasses::default(),
            covered: Covered::default(),
            io: Mutex::default(),
            debug: Debug::open(resolved(&options.debug).as_deref())?,
            depth: Depth::new(options.stack.and_then(|size| i64::try_from(size).ok())),
            slow: AtomicU64::new(0),
            medium: AtomicU64::new(0),
            unwatched: AtomicU64::new(0),
            whole_stacks: AtomicU64::new(0),
            sites_alone: AtomicU64::new(0),
            given: Given::new(&options),
            scope: Scope::new(&options.include, &options.exclude),
            hidden: (!recording.hide.is_empty()).then(|| Scope::new(&recording.hide, &[])),
            classes: Mutex::default(),
            threads: Mutex::default(),
            thread_objects: Mutex::default(),
            next_tag: Mutex::new(1),
            thread_fields: OnceLock::new(),
            engines,
            options,
        })
    }

    /// The JVM can define classes: the shim.
    pub(crate) fn start(&self, jni: Jni<'_>) {
        if !SHIM_CLASSES.iter().all(|(name, bytes)| jni.defines_class(name, bytes)) {
            message("autodrome: the JVM does not take the shim; it is not watched");
        }
    }

    /// The JVM is ready to run the program.
    pub(crate) fn initialize(&'static self, jni: Jni<'_>, main: Object<'_>) {
        let ids = jni.find_class("java/lang/Thread").and_then(|thread| {
            self.depth.initialize(jni, thread);
            let field = |name, descriptor| jni.field(thread, name, descriptor, FieldScope::Instance);
            Some(ThreadFieldIds {
                id: field("autodrome$id", "I")?,
                medium: field("autodrome$medium", "J")?,
                clock: field("autodrome$clock", "J")?,
                last: field("autodrome$last", "[I")?,
                java_id: field("tid", "J")?,
                left: field("autodrome$left", "I")?,
                granted: field("autodrome$granted", "I")?,
            })
        });
        match ids.filter(|_| jni.find_class(START).is_some()) {
            Some(ids) => {
                // Set once, here: the event comes once.
                let _ = self.thread_fields.set(ids);
                // The shim is initialized before the JDK's own code may call it, and asks us for numbers that it relies on.
                if self.engines.run_hooks() && start_shim(jni) && !is_off() {
                    jni.set_flag(weave::boot::HOME, weave::boot::ON);
                }
                if let Some(sample) = self.engines.get::<Sample>() {
                    self.thread_started(jni, main);
                    sample.begin(self, jni);
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
        if let Ok(number) = u32::try_from(tag) {
            self.engines.object_freed(number);
        }
        if let Some(arrays) = &self.arrays {
            arrays.free(tag, &self.runtime);
        }
    }

    /// The program has ended; daemon threads may still run.
    pub(crate) fn finish(&self, jni: Jni<'_>) {
        if let Some(fields) = self.thread_fields.get() {
            let threads = self.jvmti.live_threads();
            jni.expect_references(threads.len());
            for thread in threads {
                self.add_medium(jni, thread, fields);
            }
        }
        self.report_hits(jni);
        self.engines.finish();
        let name = |fingerprint| report::Fingerprint(fingerprint).to_string();
        let counts = self.collector.counts().into_iter().map(|(id, count)| (name(id), count)).collect();
        self.output.write(&Line::End { jvm: self.describe(), counts });
        self.output.finish();
    }

    fn describe(&self) -> Jvm {
        let classes = lock(&self.classes);
        let mut jvm = Jvm {
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
            died: false,
            unmatched: self.given.unmatched(),
            trace: None,
            locksets: report::Locksets::default(),
            tree: None,
            sampling: None,
            withheld_by_final_fields: self.frozen.withheld(),
        };
        self.engines.describe(&mut jvm);
        jvm
    }

    /// Is the field watched, by internal name of its class and name?
    pub(crate) fn watches(&self, class: &str, field: &str) -> bool {
        self.engines.watches(class, field)
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
    pub(crate) fn fork(
        &'static self,
        jni: Jni<'_>,
        me: ThreadId,
        child: Object<'_>,
        known: Option<ThreadId>,
    ) -> ThreadId {
        match known {
            Some(known) => {
                if self.jvmti.thread_state(child) == Some(0) {
                    self.runtime.fork_again(me, known);
                }
                known
            }
            None => {
                let id = self.runtime.prepare(me, self.stack_of_start());
                self.name_thread(jni, id, child);
                self.depth.widen(jni, child);
                if let Some(hunt) = self.hunt() {
                    hunt.starts(me, id);
                }
                if let Some(control) = self.control() {
                    control.starts(self, jni, me, id, child);
                }
                id
            }
        }
    }

    /// The number of the current thread, which gets one now if it has none.
    pub(crate) fn number_of(&self, jni: Jni<'_>, thread: Object<'_>, fields: &ThreadFieldIds) -> ThreadId {
        thread_id(jni.int_field(thread, fields.id)).unwrap_or_else(|| {
            let id = self.attach(jni, thread);
            jni.set_int_field(thread, fields.id, i32::try_from(id.0).unwrap_or(i32::MAX).saturating_add(1));
            id
        })
    }

    pub(crate) fn thread_ended(&'static self, jni: Jni<'_>, thread: Object<'_>) {
        let Some(fields) = self.thread_fields.get() else { return };
        if let Some(id) = thread_id(jni.int_field(thread, fields.id)) {
            // It may have got its name after it was first seen.
            self.name_thread(jni, id, thread);
            self.keep_end(jni, id, thread, fields);
            self.engines.thread_ended(id);
            if let Some(hunt) = self.hunt() {
                hunt.ended(self, jni, id);
            }
            if let Some(control) = self.control() {
                control.ended(self, jni, id, thread);
            }
            self.add_medium(jni, thread, fields);
        }
    }

    /// The thread object itself keeps what comes before a join, so the collector takes it.
    fn keep_end(&self, jni: Jni<'_>, id: ThreadId, thread: Object<'_>, fields: &ThreadFieldIds) {
        jni.set_long_field(thread, fields.clock, 0);
        let Some(clock) = self.runtime.end(id) else { return };
        if let Some(past) = jni.past(&clock) {
            jni.set_object_field(thread, fields.last, past);
        }
    }

    /// Threads count what they decide themselves; the sum is taken when they end.
    fn add_medium(&self, jni: Jni<'_>, thread: Object<'_>, fields: &ThreadFieldIds) {
        let count = u64::try_from(jni.long_field(thread, fields.medium)).unwrap_or(0);
        self.medium.fetch_add(count, Ordering::Relaxed);
    }

    /// The id of a thread, if it has one.
    pub(crate) fn id_of<'a>(&self, jni: Jni<'a>, thread: Object<'a>) -> Option<ThreadId> {
        thread_id(jni.int_field(thread, self.thread_fields.get()?.id))
    }

    /// Controlled runs: how many points a thread has passed without asking; it asks before the next one.
    pub(crate) fn take_budget(&self, jni: Jni<'_>, thread: Object<'_>) -> u32 {
        let Some(fields) = self.thread_fields.get() else { return 0 };
        let passed = jni.int_field(thread, fields.granted).saturating_sub(jni.int_field(thread, fields.left));
        jni.set_int_field(thread, fields.left, 0);
        jni.set_int_field(thread, fields.granted, 0);
        u32::try_from(passed).unwrap_or(0)
    }

    /// The number of an object that has one.
    pub(crate) fn known_identity(&self, object: Object<'_>) -> Option<u64> {
        self.jvmti.tag(object).filter(|&tag| tag != 0)
    }

    fn name_thread(&self, jni: Jni<'_>, id: ThreadId, thread: Object<'_>) {
        let java_id = self.thread_fields.get().map_or(0, |fields| jni.long_field(thread, fields.java_id));
        let name = self.jvmti.thread_name(thread).unwrap_or_default();
        if let Some(object) = self.recorder().and_then(|_| self.identity(thread)) {
            lock(&self.thread_objects).insert(id, object);
        }
        let mut threads = lock(&self.threads);
        if id.index() >= threads.len() {
            threads.resize(id.index() + 1, None);
        }
        if let Some(row) = threads.get_mut(id.index()) {
            *row = Some(ThreadInfo { java_id: java_id as u64, name: name.into() });
        }
    }

    pub(crate) fn thread_info(&self, id: ThreadId) -> Option<ThreadInfo> {
        lock(&self.threads).get(id.index()).cloned().flatten()
    }

    pub(crate) fn thread_object(&self, id: ThreadId) -> Option<u64> {
        lock(&self.thread_objects).get(&id).copied()
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

/// The path of a file in a process.
fn resolved(file: &Option<FileName>, process: Process) -> Option<PathBuf> {
    file.as_ref().map(|file| file.resolve(process))
}

/// The shim's number of a thread; 0 is none.
pub(crate) fn thread_id(number: i32) -> Option<ThreadId> {
    u32::try_from(number).ok()?.checked_sub(1).map(ThreadId)
}
