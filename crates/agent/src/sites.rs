//! The woven sites by number: what they are, and what is found out about their fields when they first run.

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use model::SiteId;
use report::{StackFrame, VariableKind};
use weave::{Action, SiteSink};

use crate::scope;

/// A field as an instruction names it; names are as in class files, made valid UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FieldName {
    pub(crate) owner: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

/// A field that was found: by its declaring class, and what it is a field of.
#[derive(Clone, Debug)]
pub(crate) struct FoundField {
    /// The internal name of the class that declares it.
    pub(crate) class: String,
    pub(crate) kind: VariableKind,
    /// The tag of the declaring class of a static field, else 0.
    pub(crate) class_tag: u64,
    /// The number of the field among all fields of volatile accesses.
    pub(crate) number: u32,
}

/// How an access may be torn or reordered: atomic ones do not race with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AccessMode {
    Plain,
    Atomic,
}

/// What class files say of a site: the same however often its class is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SiteNames {
    /// The internal name of its class.
    pub(crate) class: Arc<str>,
    pub(crate) method: String,
    pub(crate) source: Option<Arc<str>>,
    pub(crate) line: Option<u32>,
    pub(crate) field: Option<FieldName>,
    /// Does it write what it accesses?
    pub(crate) writes: bool,
}

/// A woven instruction, or a call of the program's that accesses something inside the JDK. Each class that a loader defines
/// has its own, also if another loader has defined the same.
pub(crate) struct SiteInfo {
    names: Arc<SiteNames>,
    pub(crate) found: OnceLock<Box<FoundField>>,
    pub(crate) mode: AccessMode,
}

impl Deref for SiteInfo {
    type Target = SiteNames;

    fn deref(&self) -> &SiteNames {
        &self.names
    }
}

impl SiteInfo {
    /// Is the instruction the JDK's?
    pub(crate) fn is_of_jdk(&self) -> bool {
        scope::is_jdk(&self.class)
    }
}

/// All sites; they never move, so a reader holds one without the lock.
#[derive(Default)]
pub(crate) struct Sites {
    rows: RwLock<Vec<Arc<SiteInfo>>>,
    /// Each once: a program may load a class any number of times.
    names: RwLock<HashSet<Arc<SiteNames>>>,
    /// Classes that wait or notify.
    waiting: RwLock<HashSet<Arc<str>>>,
    /// Classes with a static initializer.
    initializing: RwLock<HashSet<Arc<str>>>,
}

impl Sites {
    pub(crate) fn get(&self, site: SiteId) -> Option<Arc<SiteInfo>> {
        self.rows.read().unwrap_or_else(PoisonError::into_inner).get(site.index()).cloned()
    }

    /// Which of its method's sites it is, counted from 0.
    pub(crate) fn nth(&self, site: SiteId) -> u32 {
        let rows = self.rows.read().unwrap_or_else(PoisonError::into_inner);
        let Some(mine) = rows.get(site.index()) else { return 0 };
        let before = rows.iter().take(site.index());
        let same = before.filter(|other| other.class == mine.class && other.method == mine.method);
        u32::try_from(same.count()).unwrap_or(u32::MAX)
    }

    /// Is the site in a class that waits or notifies?
    pub(crate) fn is_in_waiting(&self, site: SiteId) -> bool {
        let waiting = self.waiting.read().unwrap_or_else(PoisonError::into_inner);
        self.get(site).is_some_and(|site| waiting.contains(&site.class))
    }

    /// Has a class, by internal name, a static initializer? One of that name, if loaders have several.
    pub(crate) fn has_initializer(&self, class: &str) -> bool {
        self.initializing.read().unwrap_or_else(PoisonError::into_inner).contains(class)
    }

    /// A call that is no woven instruction, as a site.
    pub(crate) fn add_frame(&self, frame: &StackFrame) -> SiteId {
        let names = SiteNames {
            class: frame.class.replace('.', "/").into(),
            method: frame.method.clone(),
            source: frame.file.as_deref().map(Arc::from),
            line: frame.line,
            field: None,
            writes: false,
        };
        self.add(names, OnceLock::new(), AccessMode::Plain)
    }

    /// A write that was noticed without a hook, to what another site accesses.
    pub(crate) fn add_write(&self, frame: &StackFrame, other: &SiteInfo) -> SiteId {
        let names = SiteNames {
            class: frame.class.replace('.', "/").into(),
            method: frame.method.clone(),
            source: frame.file.as_deref().map(Arc::from),
            line: frame.line,
            field: other.field.clone(),
            writes: true,
        };
        self.add(names, other.found.clone(), AccessMode::Plain)
    }

    pub(crate) fn add(&self, names: SiteNames, found: OnceLock<Box<FoundField>>, mode: AccessMode) -> SiteId {
        let info = Arc::new(SiteInfo { names: self.shared(names), found, mode });
        let mut rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
        rows.push(info);
        SiteId(u32::try_from(rows.len() - 1).unwrap_or(u32::MAX))
    }

    fn shared(&self, names: SiteNames) -> Arc<SiteNames> {
        let mut all = self.names.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(&names) {
            return Arc::clone(known);
        }
        let names = Arc::new(names);
        all.insert(Arc::clone(&names));
        names
    }

    /// A sink for the sites of one class.
    pub(crate) fn of_class<'a>(&'a self, class: &str, source: Option<&str>) -> ClassSites<'a> {
        ClassSites { sites: self, class: class.into(), source: source.map(Arc::from) }
    }
}

/// Numbers the sites of one class.
pub(crate) struct ClassSites<'a> {
    sites: &'a Sites,
    class: Arc<str>,
    source: Option<Arc<str>>,
}

impl SiteSink for ClassSites<'_> {
    fn add(&mut self, site: &weave::Site<'_>) -> SiteId {
        if matches!(&site.action, Action::Call(called) if matches!(called.name, b"wait" | b"notify" | b"notifyAll")) {
            let mut waiting = self.sites.waiting.write().unwrap_or_else(PoisonError::into_inner);
            waiting.insert(Arc::clone(&self.class));
        }
        if site.action == Action::ReturnFromInitializer {
            let mut initializing = self.sites.initializing.write().unwrap_or_else(PoisonError::into_inner);
            initializing.insert(Arc::clone(&self.class));
        }
        let names = SiteNames {
            class: Arc::clone(&self.class),
            method: text(site.method),
            source: self.source.clone(),
            line: site.line.map(u32::from),
            field: field(&site.action),
            writes: writes(&site.action),
        };
        self.sites.add(names, OnceLock::new(), AccessMode::Plain)
    }
}

fn writes(action: &Action<'_>) -> bool {
    matches!(action, Action::WriteField(_) | Action::WriteVolatile(_) | Action::WriteLate(_) | Action::WriteElement(_))
}

fn field(action: &Action<'_>) -> Option<FieldName> {
    match action {
        Action::ReadField(member)
        | Action::WriteField(member)
        | Action::ReadVolatile(member)
        | Action::WriteVolatile(member)
        | Action::ReadLate(member)
        | Action::WriteLate(member)
        | Action::EnterMonitorOf(member) => {
            Some(FieldName { owner: text(member.owner), name: text(member.name), descriptor: text(member.descriptor) })
        }
        _ => None,
    }
}

/// Modified UTF-8 as text; what is not valid UTF-8 (surrogates, the zero character) is replaced.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An internal name as Java writes it.
pub(crate) fn dotted(class: &str) -> String {
    class.replace('/', ".")
}
