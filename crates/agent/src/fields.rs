//! Finding the field that a site accesses, when it first runs: its class is loaded then, and the JVM knows all about it.

use std::collections::HashMap;
use std::sync::Mutex;

use model::SiteId;
use report::VariableKind;
use runtime::layout::{FIELD_CELLED, FIELD_NOT_READY, FIELD_PLAIN, FIELD_UNWATCHED, FIELD_VOLATILE};
use weave::hooks::{FREEZE_WORD, SHADOW_MARK, Shadow, shadow_name};

use crate::agent::{Agent, lock};
use crate::ffi::{FieldId, Jni, Object, Scope};
use crate::scope;
use crate::sites::{FieldName, FoundField, SiteInfo, dotted, text};

const STATIC: i32 = 0x8;
pub(crate) const FINAL: i32 = 0x10;
pub(crate) const VOLATILE: i32 = 0x40;
pub(crate) const INITIALIZED: i32 = 4;

/// The fields of a thread that hold what the program gave it: in JDK 17, from 19 on, and in both.
const OF_THREADS: [&str; 3] = ["target", "holder", "uncaughtExceptionHandler"];

/// What an access to a field is, as the shim's `find` returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum FieldAccess {
    /// Its class is not initialized yet.
    NotReady = FIELD_NOT_READY,
    /// Final, or without shadow words.
    Unwatched = FIELD_UNWATCHED,
    /// A synchronization.
    Volatile = FIELD_VOLATILE,
    /// A plain field with shadow words.
    Plain = FIELD_PLAIN,
    /// A synchronization on a field that has a cell.
    Celled = FIELD_CELLED,
}

/// The fields of volatile accesses, by number.
#[derive(Default)]
pub(crate) struct FieldNumbers {
    numbers: Mutex<HashMap<(String, String, String), u32>>,
    /// Classes by tag: dense, because threads keep a bit for each.
    classes: Mutex<HashMap<u64, i32>>,
}

impl FieldNumbers {
    pub(crate) fn number(&self, class: &str, field: &FieldName) -> u32 {
        let mut numbers = lock(&self.numbers);
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry((class.to_owned(), field.name.clone(), field.descriptor.clone())).or_insert(next)
    }

    fn class_number(&self, tag: u64) -> i32 {
        let mut classes = lock(&self.classes);
        let next = i32::try_from(classes.len() + 1).unwrap_or(i32::MAX);
        *classes.entry(tag).or_insert(next)
    }
}

impl Agent {
    /// Finds the field of a site and puts the fields of its shadow words into `words`.
    pub(crate) fn find_field<'a>(
        &self,
        jni: Jni<'a>,
        site: SiteId,
        receiver: Option<Object<'a>>,
        words: Object<'a>,
    ) -> FieldAccess {
        let Some(info) = self.sites.get(site) else { return FieldAccess::Unwatched };
        let Some(name) = &info.field else { return FieldAccess::Unwatched };
        let Some((class, scope)) = self.owner(jni, &info, name, receiver) else { return FieldAccess::Unwatched };
        if scope == Scope::Static && self.jvmti.class_status(class).is_none_or(|status| status & INITIALIZED == 0) {
            // The shim asks again. While the class runs its own initializer, its accesses are those of one thread.
            return if self.is_caller(&info, class) {
                self.find_in(jni, &info, name, class, scope, words)
            } else {
                FieldAccess::NotReady
            };
        }
        self.find_in(jni, &info, name, class, scope, words)
    }

    fn find_in<'a>(
        &self,
        jni: Jni<'a>,
        info: &SiteInfo,
        name: &FieldName,
        class: Object<'a>,
        scope: Scope,
        words: Object<'a>,
    ) -> FieldAccess {
        let Some((declaring, field)) = self.declared(jni, class, name, scope) else { return FieldAccess::Unwatched };
        self.remember(info, name, declaring, scope);
        let put = |shadows: &[Shadow]| self.put_shadows(jni, name, declaring, scope, shadows, words).is_some();
        match self.jvmti.field_flags(declaring, field) {
            Some(flags) if flags & FINAL != 0 => FieldAccess::Unwatched,
            // A field that is not volatile may have a cell too, if it counts as such.
            Some(_) if put(&[Shadow::Cell]) => FieldAccess::Celled,
            Some(flags) if flags & VOLATILE != 0 => FieldAccess::Volatile,
            Some(_) if self.watches_found(info, name) && put(&Shadow::WORDS) => FieldAccess::Plain,
            _ => FieldAccess::Unwatched,
        }
    }

    /// The field of a site itself; `None` also if its class is not initialized yet.
    pub(crate) fn field_of<'a>(&self, jni: Jni<'a>, site: SiteId, receiver: Option<Object<'a>>) -> Option<Object<'a>> {
        let info = self.sites.get(site)?;
        let name = info.field.as_ref()?;
        let (class, scope) = self.owner(jni, &info, name, receiver)?;
        if scope == Scope::Static && self.jvmti.class_status(class)? & INITIALIZED == 0 {
            return None;
        }
        let (declaring, field) = self.declared(jni, class, name, scope)?;
        jni.reflected(declaring, field, scope)
    }

    fn watches_found(&self, info: &SiteInfo, name: &FieldName) -> bool {
        info.found.get().is_none_or(|found| self.watches(&found.class, &name.name))
    }

    /// The class that the instruction names, and what the field belongs to.
    pub(crate) fn owner<'a>(
        &self,
        jni: Jni<'a>,
        info: &SiteInfo,
        name: &FieldName,
        receiver: Option<Object<'a>>,
    ) -> Option<(Object<'a>, Scope)> {
        if let Some(receiver) = receiver {
            let mut class = jni.class_of(receiver)?;
            while self.jvmti.class_name(class)? != name.owner {
                class = jni.superclass(class)?;
            }
            return Some((class, Scope::Instance));
        }
        let caller = self.methods.caller(self.jvmti)?;
        let class: Object<'a> = self.jvmti.declaring_class(caller)?;
        if *name.owner == *info.class {
            return Some((class, Scope::Static));
        }
        let loader = self.jvmti.class_loader(class)?;
        Some((jni.class_for_name(&dotted(&name.owner), loader)?, Scope::Static))
    }

    pub(crate) fn is_caller(&self, info: &SiteInfo, class: Object<'_>) -> bool {
        self.jvmti.class_name(class).is_some_and(|name| *name == *info.class)
    }

    pub(crate) fn declared<'a>(
        &self,
        jni: Jni<'a>,
        class: Object<'a>,
        name: &FieldName,
        scope: Scope,
    ) -> Option<(Object<'a>, FieldId)> {
        let field = jni.field(class, &name.name, &name.descriptor, scope)?;
        Some((self.jvmti.field_class(class, field)?, field))
    }

    pub(crate) fn remember(&self, info: &SiteInfo, name: &FieldName, declaring: Object<'_>, scope: Scope) {
        let Some(class) = self.jvmti.class_name(declaring) else { return };
        let number = self.field_numbers.number(&class, name);
        let (kind, class_tag) = match scope {
            Scope::Instance => (VariableKind::Field, 0),
            Scope::Static => (VariableKind::Static, self.identity(declaring).unwrap_or(0)),
        };
        info.found.get_or_init(|| Box::new(FoundField { class, kind, class_tag, number }));
    }

    fn put_shadows<'a>(
        &self,
        jni: Jni<'a>,
        name: &FieldName,
        declaring: Object<'a>,
        scope: Scope,
        shadows: &[Shadow],
        words: Object<'a>,
    ) -> Option<()> {
        for (index, &of) in (0..).zip(shadows) {
            let shadow = text(&shadow_name(name.name.as_bytes(), name.descriptor.as_bytes(), of));
            let field = self.jvmti.own_field(declaring, &shadow, of.descriptor())?;
            jni.set_element(words, index, jni.reflected(declaring, field, scope)?);
        }
        Some(())
    }

    /// What a field belongs to.
    pub(crate) fn scope_of(&self, declaring: Object<'_>, field: FieldId) -> Option<Scope> {
        let is_static = self.jvmti.field_flags(declaring, field)? & STATIC != 0;
        Some(if is_static { Scope::Static } else { Scope::Instance })
    }

    /// The fields of a class, and of those that it extends, that have all of these shadows: each followed by them.
    pub(crate) fn shadowed_fields<'a>(
        &self,
        jni: Jni<'a>,
        class: Object<'a>,
        scope: Scope,
        shadows: &[Shadow],
    ) -> Option<Object<'a>> {
        let mut found = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            let mut fields: HashMap<(String, String), FieldId> = HashMap::new();
            for field in self.jvmti.class_fields(class) {
                if self.scope_of(class, field)? == scope {
                    fields.insert(self.jvmti.field_name(class, field)?, field);
                }
            }
            for ((name, descriptor), &field) in &fields {
                let shadow = |&of: &Shadow| {
                    let shadow = text(&shadow_name(name.as_bytes(), descriptor.as_bytes(), of));
                    fields.get(&(shadow, of.descriptor().to_owned())).copied()
                };
                if let Some(shadows) = shadows.iter().map(shadow).collect::<Option<Vec<FieldId>>>() {
                    for field in [field].into_iter().chain(shadows) {
                        found.push(jni.reflected(class, field, scope)?);
                    }
                }
            }
            next = if scope == Scope::Instance { jni.superclass(class) } else { None };
        }
        jni.array_of("java/lang/reflect/Field", &found)
    }

    /// The shadows that an object of a class has, also those of the classes that it extends.
    pub(crate) fn shadows_of<'a>(&self, jni: Jni<'a>, class: Object<'a>) -> Option<Object<'a>> {
        let mut found = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            for field in self.jvmti.class_fields(class) {
                let (name, _) = self.jvmti.field_name(class, field)?;
                // A copy has what the original's final fields have, and may be published as it may.
                let is_cleared = name.contains(SHADOW_MARK) && name != FREEZE_WORD;
                if is_cleared && self.scope_of(class, field)? == Scope::Instance {
                    found.push(jni.reflected(class, field, Scope::Instance)?);
                }
            }
            next = jni.superclass(class);
        }
        jni.array_of("java/lang/reflect/Field", &found)
    }

    /// The fields of a class's objects that hold references of the program's, also those of the classes that it extends. Of
    /// what the JDK keeps in a thread, all but a few would lead to every other thread.
    pub(crate) fn references_of<'a>(&self, jni: Jni<'a>, class: Object<'a>) -> Option<Object<'a>> {
        let mut found = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            let is_thread = self.jvmti.class_name(class)? == weave::boot::HOME;
            for field in self.jvmti.class_fields(class) {
                let (name, descriptor) = self.jvmti.field_name(class, field)?;
                let is_ours = name.contains(SHADOW_MARK) || name.starts_with(weave::boot::MARK);
                let is_followed = !is_ours && (!is_thread || OF_THREADS.contains(&name.as_str()));
                let is_reference = descriptor.starts_with(['L', '[']);
                if is_reference && is_followed && self.scope_of(class, field)? == Scope::Instance {
                    found.push(jni.reflected(class, field, Scope::Instance)?);
                }
            }
            next = jni.superclass(class);
        }
        jni.array_of("java/lang/reflect/Field", &found)
    }

    /// What a volatile access of a site synchronizes on: the object, or the class, and the field.
    pub(crate) fn volatile<'a>(
        &self,
        jni: Jni<'a>,
        site: SiteId,
        receiver: Option<Object<'a>>,
    ) -> Option<runtime::Message> {
        let info = self.sites.get(site)?;
        let name = info.field.as_ref()?;
        if info.found.get().is_none() {
            let (class, scope) = self.owner(jni, &info, name, receiver)?;
            let (declaring, _) = self.declared(jni, class, name, scope)?;
            self.remember(&info, name, declaring, scope);
        }
        let found = info.found.get()?;
        let object = match receiver {
            Some(receiver) => self.identity(receiver)?,
            None => found.class_tag,
        };
        Some(runtime::Message::Field { object, field: found.number })
    }

    /// The number of the class that declares a site's static field; 0 for the JDK's, whose initializers are not seen.
    pub(crate) fn class_of_site(&self, site: SiteId) -> i32 {
        let found = self.sites.get(site).and_then(|info| info.found.get().cloned());
        match found {
            Some(found) if found.class_tag != 0 && !scope::is_jdk(&found.class) => self.class_number(found.class_tag),
            _ => 0,
        }
    }

    /// Has a class of the program a static initializer?
    pub(crate) fn has_initializer(&self, class: Option<Object<'_>>) -> bool {
        let name = class.and_then(|class| self.jvmti.class_name(class));
        name.is_some_and(|name| self.sites.has_initializer(&name.replace('.', "/")))
    }

    /// A small number for a class, from 1.
    pub(crate) fn class_number(&self, tag: u64) -> i32 {
        self.field_numbers.class_number(tag)
    }
}
