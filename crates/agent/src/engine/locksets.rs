//! The lockset modes: which variables are watched, and what an access to one of them finds.
//!
//! Phase 1 watches all; phase 2 watches the race-prone fields of a file (O'Callahan and Choi 2003, section 6.1). A field that
//! is not among them is not woven where its class is, and not watched where it is accessed from elsewhere.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use control::{AgentOptions, Elements, Filter, LocksetOptions, Mode, Pairs, Part, Statics};
use model::{AccessKind, Grade, Mode as Hold, VarId};
use report::{Jvm, RaceProne};
use runtime::hybrid::{Messages, Redundancy, Report, Settings, Switch};
use runtime::layout::{EngineFlags, PENDING_FOR_ALL, PENDING_WRITES};
use runtime::{ContextId, FilterVerdict, FoldMap, Found, LockName, LocksetDetector, News, Seen, Word};
use weave::{Annotations, Channel, Choices, Element, Hooked, Passes};

use super::{ClassKind, Engine, Wish, accesses};
use crate::agent::{Agent, lock};
use crate::annotations;
use crate::arrays::{NumberedKind, Shadows};
use crate::ffi::{Jni, Object};
use crate::objects::Holder;
use crate::races::Access;
use crate::scope;
use crate::sites::{dotted, text};
use crate::weaving::OfJdk;

/// The detector of the lockset modes, and what it is asked about.
pub(crate) struct Locksets {
    detector: LocksetDetector,
    way: Way,
    elements: Elements,
    /// `None`: all.
    selected: Option<RaceProne>,
    /// What it asks of the shim.
    asked: EngineFlags,
    sends: Vec<Name>,
    receives: Vec<Name>,
    flags: Vec<Name>,
    /// By the number of an object, its variables, which go with it.
    variables: Mutex<FoldMap<u32, Vec<VarId>>>,
    /// Variables that were not watched for want of room.
    unwatched: AtomicU64,
    /// What raced of the JDK's objects, by their classes.
    insides: Mutex<BTreeMap<String, BTreeSet<String>>>,
}

/// A field or method, by internal name of its class and name.
type Name = (String, String);

/// `com.acme.Queue.put` as a name.
fn name(text: &str) -> Name {
    let (class, member) = text.rsplit_once('.').unwrap_or(("", text));
    (class.replace('.', "/"), member.to_owned())
}

fn has(names: &[Name], class: &[u8], member: &[u8]) -> bool {
    names.iter().any(|name| name.0.as_bytes() == class && name.1.as_bytes() == member)
}

/// What the options ask of the rules.
fn settings(options: &LocksetOptions) -> Settings {
    let mut settings = Settings {
        max_locks: usize::try_from(options.max_locks).unwrap_or(usize::MAX),
        report: match options.pairs {
            Pairs::First => Report::OnePerLocation,
            Pairs::All => Report::AllPairs,
        },
        ..Settings::default()
    };
    for part in &options.without {
        match part {
            Part::Hb => settings.messages = Messages::Ignored,
            Part::Oversized => settings.redundancy.oversized = Switch::Off,
            Part::Opts => settings.redundancy = Redundancy { subset: Switch::Off, oversized: Switch::Off },
        }
    }
    settings
}

/// How the shim goes about accesses (AutodromeLocksets.java).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A variable has an owner first, and time does not count.
    Owners,
    /// Each access is decided at its time.
    Times,
    /// The same, but the words of a variable stand for its accesses while only the last ones matter: it gets a number later.
    Pending,
}

impl Way {
    fn of(options: &AgentOptions, settings: &Settings) -> Way {
        match settings.messages {
            _ if options.mode == Mode::Simple => Way::Owners,
            // The paper's NoHB has the thread-locality check instead (section 7.3).
            Messages::Ignored => Way::Owners,
            Messages::Followed if settings.redundancy.subset == Switch::Off => Way::Times,
            Messages::Followed if options.locksets.pairs == Pairs::All => Way::Times,
            Messages::Followed => Way::Pending,
        }
    }

    fn flags(self) -> EngineFlags {
        match self {
            Way::Owners => EngineFlags::SIMPLE,
            Way::Times => EngineFlags::DETAILED,
            Way::Pending => EngineFlags::DETAILED | EngineFlags::PENDS,
        }
    }

    /// The passes that spare hooks whose accesses are redundant for this detector, in the program's classes.
    fn spares(self) -> Passes {
        match self {
            // The owner of an object that nobody else can know is the thread that makes it.
            Way::Owners => Passes::LOOPS | Passes::FRESH,
            Way::Pending => Passes::LOOPS,
            Way::Times => Passes::default(),
        }
    }
}

/// A word of a variable that has no number yet: an access without locks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingWord {
    pub(crate) kind: AccessKind,
    /// Empty if there was none.
    pub(crate) word: Word,
}

impl PendingWord {
    /// As AutodromeLocksets.java packs it: below the epoch whether it is a write, and the context.
    pub(crate) fn unpack(bits: u64) -> PendingWord {
        const WRITES: u64 = PENDING_WRITES as u64;
        const FOR_ALL: u64 = PENDING_FOR_ALL as u64;
        const CONTEXTS: u64 = FOR_ALL - 1;
        let kind = if bits & WRITES == 0 { AccessKind::Read } else { AccessKind::Write };
        // Of a context that is that of its site alone, the depot sets the highest bit.
        let for_all = if bits & FOR_ALL == 0 { 0 } else { 1 << 31 };
        PendingWord { kind, word: Word(bits >> 32 << 32 | bits & CONTEXTS | for_all) }
    }
}

/// What becomes of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    On(VarId),
    Settled,
}

impl Locksets {
    /// The detector of a mode; `fields` is the file of the race-prone fields.
    pub(crate) fn new(options: &AgentOptions, fields: Option<PathBuf>) -> std::io::Result<Locksets> {
        let filter = match options.filter {
            Some(Filter::Tree) => runtime::Filter::Tree,
            None => runtime::Filter::None,
        };
        let settings = settings(&options.locksets);
        let way = Way::of(options, &settings);
        let detector = match options.mode {
            Mode::Simple => LocksetDetector::simple(filter),
            _ => LocksetDetector::detailed(filter, settings),
        };
        let selected = fields.as_deref().map(race_prone).transpose()?;
        let mut asked = EngineFlags::ON | way.flags();
        asked.set(EngineFlags::BY_ELEMENT, options.locksets.elements == Elements::Each);
        asked.set(EngineFlags::SHARED_STATICS, way == Way::Owners && options.locksets.statics == Statics::Shared);
        asked.set(EngineFlags::SELECTS, selected.is_some());
        asked.set(EngineFlags::ALL_PAIRS, options.locksets.pairs == Pairs::All);
        let names = |names: &[control::Name]| names.iter().map(|full| name(full.as_str())).collect();
        Ok(Locksets {
            detector,
            way,
            elements: options.locksets.elements,
            selected,
            asked,
            sends: names(&options.locksets.sends),
            receives: names(&options.locksets.receives),
            flags: names(&options.locksets.flags),
            variables: Mutex::default(),
            unwatched: AtomicU64::new(0),
            insides: Mutex::default(),
        })
    }

    /// The number of a set of locks with one more.
    pub(crate) fn lockset(&self, before: u32, lock: LockName, mode: Hold) -> u32 {
        self.detector.lockset(before, lock, mode)
    }

    /// Nobody has seen this new variable.
    pub(crate) fn forget(&self, var: VarId) {
        self.detector.forget(var);
    }

    /// Is the field watched, by internal name of its class and name?
    fn watches_field(&self, class: &str, field: &str) -> bool {
        self.selected.as_ref().is_none_or(|selected| {
            let name = dotted(class);
            selected.has_field(&name, field) || scope::is_jdk(class) && selected.has_inside_field(&name, field)
        })
    }

    /// Which of the passes over accesses a class needs not have.
    fn needless(&self, home: ClassKind) -> Passes {
        let Some(selected) = &self.selected else { return Passes::default() };
        let has_insides = selected.inside_arrays().is_none_or(|mut arrays| arrays.next().is_some());
        let needs_elements = selected.has_arrays() || home == ClassKind::Jdk && has_insides;
        let elements = if needs_elements { Passes::default() } else { Passes::ARRAYS | Passes::RANGES };
        match home {
            ClassKind::Jdk if !selected.has_objects() => elements | Passes::FIELDS,
            ClassKind::Jdk | ClassKind::Program | ClassKind::OutOfScope => elements,
        }
    }

    /// Are elements of this kind watched, in a class of this home?
    fn watches_elements(&self, home: ClassKind, element: Element) -> bool {
        let is_of_kind = |array: &str| is_of(array, element);
        self.selected.as_ref().is_none_or(|selected| {
            let is_inside = || selected.inside_arrays().is_none_or(|mut arrays| arrays.any(is_of_kind));
            selected.arrays().any(is_of_kind) || home == ClassKind::Jdk && is_inside()
        })
    }

    /// Is an array of such elements watched, at some place of the program or of the JDK? The descriptor is that of the elements.
    fn watches_array(&self, descriptor: &str) -> bool {
        let is_watched = |selected: &RaceProne| selected.has_array(descriptor) || selected.has_inside_array(descriptor);
        self.selected.as_ref().is_none_or(is_watched)
    }

    /// An object of the JDK, by its class, has raced on this field or array.
    pub(crate) fn raced_inside(&self, object: String, inside: String) {
        lock(&self.insides).entry(object).or_default().insert(inside);
    }
}

impl Engine for Locksets {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn passes(&self, home: ClassKind, _usual: Passes) -> Wish {
        let needless = self.needless(home);
        match home {
            ClassKind::Program => Wish { with: accesses() | Passes::FIRST | self.way.spares(), without: needless },
            ClassKind::OutOfScope => Wish::default(),
            ClassKind::Jdk => Wish { with: Passes::FIRST, without: Passes::FREEZE | needless },
        }
    }

    fn choices<'a>(&'a self, declared: &'a Annotations, home: ClassKind) -> Option<Box<dyn Choices + 'a>> {
        Some(Box::new(OfClass { locksets: self, declared, home }))
    }

    /// Is the field a flag, whose accesses are messages (section 7.6)?
    fn is_flag(&self, class: &[u8], field: &[u8]) -> bool {
        has(&self.flags, class, field)
    }

    fn watches(&self, class: &str, field: &str) -> bool {
        self.watches_field(class, field)
    }

    fn shadows(&self) -> Shadows {
        match self.elements {
            Elements::Each => Shadows::OwnElements,
            Elements::Whole => Shadows::Whole,
        }
    }

    fn grade(&self) -> Option<Grade> {
        Some(Grade::Possible)
    }

    fn flags(&self) -> EngineFlags {
        self.asked
    }

    /// Its variables go with an object.
    fn object_freed(&self, number: u32) {
        let gone = lock(&self.variables).remove(&number);
        gone.into_iter().flatten().for_each(|var| self.detector.forget(var));
    }

    fn describe(&self, jvm: &mut Jvm) {
        let sizes = self.detector.sizes();
        jvm.locksets = report::Locksets {
            largest: sizes.largest as u64,
            locations: u64::from(sizes.locations),
            forgotten: u64::from(sizes.forgotten),
            unwatched: self.unwatched.load(Ordering::Relaxed),
            rules: self.detector.rules().into_iter().map(|(rule, count)| (rule.to_owned(), count)).collect(),
            insides: lock(&self.insides).clone(),
        };
        let did = self.detector.filtered();
        jvm.tree = did.map(|did| report::TreeUse { events: did.events, skipped: did.skipped, bytes: did.bytes });
    }
}

/// Does an instruction for such elements access this array, as a file of fields names it?
fn is_of(array: &str, element: Element) -> bool {
    let kind = match array {
        "int[]" => Element::Int,
        "long[]" => Element::Long,
        "float[]" => Element::Float,
        "double[]" => Element::Double,
        "byte[]" | "boolean[]" => Element::Byte,
        "char[]" => Element::Char,
        "short[]" => Element::Short,
        _ => Element::Reference,
    };
    kind == element
}

/// What of one class is wanted: by the options, and by what the class itself declares.
struct OfClass<'a> {
    locksets: &'a Locksets,
    declared: &'a Annotations,
    home: ClassKind,
}

impl Choices for OfClass<'_> {
    fn watches(&self, class: &[u8], field: &[u8]) -> bool {
        OfJdk.watches(class, field) && self.locksets.watches_field(&text(class), &text(field))
    }

    fn hooked(&self, class: &[u8], method: &[u8], descriptor: &[u8]) -> Hooked {
        OfJdk.hooked(class, method, descriptor)
    }

    fn watches_elements(&self, element: Element) -> bool {
        self.locksets.watches_elements(self.home, element)
    }

    fn channel(&self, class: &[u8], method: &[u8], descriptor: &[u8]) -> Option<Channel> {
        if has(&self.locksets.sends, class, method) {
            return Some(Channel::Sends);
        }
        if has(&self.locksets.receives, class, method) {
            return Some(Channel::Receives);
        }
        annotations::channel(self.declared, method, descriptor)
    }
}

/// What a report names a variable by.
pub(crate) enum Named<'a> {
    /// The array that it is of.
    Element(Jni<'a>, Object<'a>),
    /// The object that it is of.
    Field(Option<Holder<'a>>),
}

impl Agent {
    /// The lockset detector, if that is what decides.
    pub(crate) fn locksets(&self) -> Option<&Locksets> {
        self.engines.get()
    }

    /// May an array be watched, by its class?
    pub(crate) fn watches_array<'a>(&self, jni: Jni<'a>, array: Object<'a>) -> bool {
        let watches =
            |locksets: &Locksets| self.array(jni, array).is_some_and(|array| locksets.watches_array(&array.descriptor));
        self.locksets().is_some_and(watches)
    }

    /// A new variable of an object: a field, or an array. Its words stand for the accesses that it comes with.
    pub(crate) fn locate<'a>(
        &self,
        jni: Jni<'a>,
        array: Option<Object<'a>>,
        holder: Object<'a>,
        words: [PendingWord; 2],
        site: model::SiteId,
    ) -> Watch {
        let Some(locksets) = self.locksets() else { return Watch::Settled };
        if let (Some(array), Some(selected)) = (array, &locksets.selected) {
            let of_jdk = self.sites.get(site).is_some_and(|site| site.is_of_jdk());
            let is_watched = self.array(jni, array).is_some_and(|array| {
                selected.has_array(&array.descriptor) || of_jdk && selected.has_inside_array(&array.descriptor)
            });
            if !is_watched {
                return Watch::Settled;
            }
        }
        let Some(var) = locksets.detector.locate() else {
            locksets.unwatched.fetch_add(1, Ordering::Relaxed);
            return Watch::Settled;
        };
        let [first, write] = words;
        // A write that came last covers the other word.
        for word in if first.kind == AccessKind::Write { [None, Some(first)] } else { [Some(write), Some(first)] } {
            if let Some(PendingWord { kind, word }) = word.filter(|word| word.word != Word::EMPTY) {
                locksets.detector.adopt(&self.runtime, var, kind, word);
            }
        }
        let kind = if array.is_some() { NumberedKind::Array } else { NumberedKind::Object };
        if let Some(number) = self.arrays.as_ref().and_then(|arrays| arrays.number(jni, holder, kind)) {
            lock(&locksets.variables).entry(number).or_default().push(var);
        }
        Watch::On(var)
    }

    /// Decides an access to a variable, and reports what it races with; says what can still be learned of the variable.
    pub(crate) fn decide(&self, var: VarId, named: Named<'_>, access: &Access, held: u32) -> News {
        let Some(locksets) = self.locksets() else { return News::Nothing };
        let mut seen = Seen { thread: access.me, kind: access.kind, context: ContextId::UNKNOWN, held };
        if locksets.detector.judge(&self.runtime, var, access.site, seen) == FilterVerdict::Skip {
            return News::Threads;
        }
        self.slow.fetch_add(1, Ordering::Relaxed);
        seen.context = self.context(access);
        let Found { races, news } = locksets.detector.access(&self.runtime, var, seen);
        match named {
            Named::Element(jni, array) => self.report_element(jni, array, access, &races),
            Named::Field(holder) => self.report(access, holder, &races),
        }
        news
    }
}

/// Reads the file of race-prone fields.
fn race_prone(path: &Path) -> std::io::Result<RaceProne> {
    let wrong = |why: String| std::io::Error::other(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    RaceProne::parse(&text).map_err(wrong)
}
