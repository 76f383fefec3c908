//! The lockset modes: which variables are watched, and what an access to one of them finds.
//!
//! Phase 1 watches all; phase 2 watches the race-prone fields of a file (hybrid.txt §6.1). A field that is not among them
//! is not woven where its class is, and not watched where it is accessed from elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use model::{AccessKind, Mode as Hold, VarId};
use report::RaceProne;
use runtime::hybrid::{Messages, Switch};
use runtime::{ContextId, FoldMap, Found, Judged, LockName, LocksetDetector, News, Seen, Spans, Word};
use weave::{Annotations, Channel, Choices, Element, Passes};

use crate::agent::{Agent, lock};
use crate::annotations;
use crate::arrays::Kind;
use crate::ffi::{Jni, Object};
use crate::options::{Mode, Options, Pairs};
use crate::races::Access;
use crate::scope;
use crate::sites::{dotted, text};

/// The detector of the lockset modes, and what it is asked about.
pub(crate) struct Locksets {
    detector: LocksetDetector,
    /// `None`: all.
    selected: Option<RaceProne>,
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

/// How the shim goes about accesses (AutodromeLocksets.java).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Without lockset detection.
    None,
    /// A variable has an owner first, and time does not count.
    Owners,
    /// Each access is decided at its time.
    Times,
    /// The same, but the words of a variable tell of its accesses while only the last ones matter: it gets a number later.
    Pending,
}

impl Way {
    pub(crate) fn of(options: &Options) -> Way {
        match options.mode {
            Mode::Simple => Way::Owners,
            // The paper's NoHB has the thread-locality check instead (§7.3).
            Mode::Detailed if options.messages == Messages::Ignored => Way::Owners,
            Mode::Detailed if options.redundancy.subset == Switch::Off || options.pairs == Pairs::All => Way::Times,
            Mode::Detailed => Way::Pending,
            Mode::Detect | Mode::Record | Mode::Count => Way::None,
        }
    }

    /// Which word of a field woven code looks at, in all classes.
    pub(crate) fn words(self) -> Passes {
        if self == Way::None { Passes::default() } else { Passes::FIRST }
    }

    /// The passes that spare hooks whose accesses would tell this detector nothing, in the program's classes.
    pub(crate) fn spares(self) -> Passes {
        match self {
            // The owner of an object that nobody else can know is the thread that makes it.
            Way::Owners => Passes::LOOPS | Passes::FRESH,
            Way::Pending => Passes::LOOPS,
            Way::None | Way::Times => Passes::default(),
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
        const WRITES: u64 = 1 << 30;
        const FOR_ALL: u64 = 1 << 29;
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
    /// `None` in other modes.
    pub(crate) fn new(options: &Options, selected: Option<RaceProne>) -> Option<Locksets> {
        let detector = match options.mode {
            Mode::Simple => LocksetDetector::simple(options.filter),
            Mode::Detailed => LocksetDetector::detailed(
                options.filter,
                runtime::hybrid::Settings {
                    max_locks: options.max_locks,
                    report: match options.pairs {
                        Pairs::First => runtime::hybrid::Report::OnePerLocation,
                        Pairs::All => runtime::hybrid::Report::AllPairs,
                    },
                    messages: options.messages,
                    redundancy: options.redundancy,
                    ..runtime::hybrid::Settings::default()
                },
            ),
            Mode::Detect | Mode::Record | Mode::Count => return None,
        };
        let names = |texts: &[String]| texts.iter().map(|text| name(text)).collect();
        Some(Locksets {
            detector,
            selected,
            sends: names(&options.sends),
            receives: names(&options.receives),
            flags: names(&options.flags),
            variables: Mutex::default(),
            unwatched: AtomicU64::new(0),
            insides: Mutex::default(),
        })
    }

    /// The number of a set of locks with one more.
    pub(crate) fn lockset(&self, before: u32, lock: LockName, mode: Hold) -> u32 {
        self.detector.lockset(before, lock, mode)
    }

    /// An object is gone, and its variables with it.
    pub(crate) fn object_freed(&self, number: u32) {
        let gone = lock(&self.variables).remove(&number);
        gone.into_iter().flatten().for_each(|var| self.detector.forget(var));
    }

    /// Nobody has seen this new variable.
    pub(crate) fn forget(&self, var: VarId) {
        self.detector.forget(var);
    }

    /// Is the field watched, by internal name of its class and name?
    pub(crate) fn watches_field(&self, class: &str, field: &str) -> bool {
        self.selected.as_ref().is_none_or(|selected| {
            let name = dotted(class);
            selected.has_field(&name, field) || scope::is_jdk(class) && selected.has_inside_field(&name, field)
        })
    }

    /// Is the field a flag, whose accesses are messages (§7.6)?
    pub(crate) fn is_flag(&self, class: &[u8], field: &[u8]) -> bool {
        has(&self.flags, class, field)
    }

    /// Which of the passes over accesses a class needs not have.
    pub(crate) fn needless(&self, home: Home) -> Passes {
        let Some(selected) = &self.selected else { return Passes::default() };
        let has_insides = selected.inside_arrays().is_none_or(|mut arrays| arrays.next().is_some());
        let needs_elements = selected.has_arrays() || home == Home::Jdk && has_insides;
        let elements = if needs_elements { Passes::default() } else { Passes::ARRAYS | Passes::RANGES };
        match home {
            Home::Jdk if !selected.has_objects() => elements | Passes::FIELDS,
            Home::Jdk | Home::Program => elements,
        }
    }

    /// Are elements of this kind watched, in a class of this home?
    fn watches_elements(&self, home: Home, element: Element) -> bool {
        let is_of_kind = |array: &str| is_of(array, element);
        self.selected.as_ref().is_none_or(|selected| {
            let is_inside = || selected.inside_arrays().is_none_or(|mut arrays| arrays.any(is_of_kind));
            selected.arrays().any(is_of_kind) || home == Home::Jdk && is_inside()
        })
    }

    /// Is only a part of all arrays watched?
    pub(crate) fn selects_arrays(&self) -> bool {
        self.selected.is_some()
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

    /// What was seen, for the report.
    pub(crate) fn describe(&self) -> report::Locksets {
        let sizes = self.detector.sizes();
        report::Locksets {
            largest: sizes.largest as u64,
            locations: u64::from(sizes.locations),
            forgotten: u64::from(sizes.forgotten),
            unwatched: self.unwatched.load(Ordering::Relaxed),
            rules: self.detector.rules().into_iter().map(|(rule, count)| (rule.to_owned(), count)).collect(),
            insides: lock(&self.insides).clone(),
        }
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
pub(crate) struct OfClass<'a> {
    pub(crate) locksets: &'a Locksets,
    pub(crate) declared: &'a Annotations,
    pub(crate) home: Home,
}

impl Choices for OfClass<'_> {
    fn watches(&self, class: &[u8], field: &[u8]) -> bool {
        self.locksets.watches_field(&text(class), &text(field))
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

/// Whose class it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    Program,
    Jdk,
}

impl Agent {
    /// What TREE did, if it stands in front of a detector.
    pub(crate) fn tree(&self) -> Option<report::TreeUse> {
        let behind = self.locksets.as_ref().map(|locksets| &locksets.detector);
        let did = behind.and_then(LocksetDetector::filtered).or_else(|| self.spans.as_ref().map(Spans::statistics))?;
        Some(report::TreeUse { events: did.events, skipped: did.skipped, bytes: did.bytes })
    }

    /// May an array be watched, by its class?
    pub(crate) fn watches_array<'a>(&self, jni: Jni<'a>, array: Object<'a>) -> bool {
        let watches =
            |locksets: &Locksets| self.array(jni, array).is_some_and(|array| locksets.watches_array(&array.descriptor));
        self.locksets.as_ref().is_some_and(watches)
    }

    /// A new variable of an object: a field, or an array. Its words tell of the accesses that it comes with.
    pub(crate) fn locate<'a>(
        &self,
        jni: Jni<'a>,
        array: Option<Object<'a>>,
        holder: Object<'a>,
        words: [PendingWord; 2],
        site: model::SiteId,
    ) -> Watch {
        let Some(locksets) = &self.locksets else { return Watch::Settled };
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
        // A write that came last stands for what the other word tells.
        for word in if first.kind == AccessKind::Write { [None, Some(first)] } else { [Some(write), Some(first)] } {
            if let Some(PendingWord { kind, word }) = word.filter(|word| word.word != Word::EMPTY) {
                locksets.detector.adopt(&self.runtime, var, kind, word);
            }
        }
        let kind = if array.is_some() { Kind::Array } else { Kind::Object };
        if let Some(number) = self.arrays.as_ref().and_then(|arrays| arrays.number(jni, holder, kind)) {
            lock(&locksets.variables).entry(number).or_default().push(var);
        }
        Watch::On(var)
    }

    /// Decides an access to a variable, and reports what it races with; says what can still be learned of the variable.
    pub(crate) fn decide<'a>(
        &self,
        jni: Jni<'a>,
        var: VarId,
        array: Option<Object<'a>>,
        access: &Access,
        held: u32,
    ) -> News {
        let Some(locksets) = &self.locksets else { return News::Nothing };
        let mut seen = Seen { thread: access.me, kind: access.kind, context: ContextId::UNKNOWN, held };
        if locksets.detector.judge(&self.runtime, var, access.site, seen) == Judged::Skip {
            return News::Threads;
        }
        self.slow.fetch_add(1, Ordering::Relaxed);
        seen.context = self.context(access);
        let Found { races, news } = locksets.detector.access(&self.runtime, var, seen);
        match array {
            Some(array) => self.report_element(jni, array, access, &races),
            None => self.report(access, &races),
        }
        news
    }
}

/// Reads the file of race-prone fields.
pub(crate) fn race_prone(path: &Path) -> std::io::Result<RaceProne> {
    let wrong = |why: String| std::io::Error::other(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    RaceProne::parse(&text).map_err(wrong)
}
