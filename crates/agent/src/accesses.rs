//! Accesses that no woven instruction makes: through VarHandles, reflection, method handles and Unsafe. Their sites are the
//! program's calls.
//!
//! A site is made once for each frame, field and mode, and found again by the calling-context value, which identifies the call.
//! What it can miss: code of the JDK that calls the program back and accesses on its behalf afterwards has the value of the
//! callback. The tables are the agent's.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use model::SiteId;
use report::VariableKind;
use runtime::Frame;

use crate::agent::{Agent, lock};
use crate::ffi::{Jni, Object, Scope};
use crate::jdk;
use crate::scope;
use crate::sites::{AccessMode, FieldName, FoundField, SiteNames};

/// The sites made so far; elements have no field.
#[derive(Default)]
pub(crate) struct AccessSites {
    tables: Mutex<AccessTables>,
}

#[derive(Default)]
struct AccessTables {
    by_value: HashMap<(u32, Option<u32>, AccessMode), Option<SiteId>>,
    by_frame: HashMap<(Frame, Option<u32>, AccessMode), SiteId>,
}

impl Agent {
    /// The site of an access to a field of a class, or to an element if there is none; `None` if it is none of the
    /// program's.
    pub(crate) fn access_site<'a>(
        &self,
        jni: Jni<'a>,
        class: Object<'a>,
        field: Option<Object<'a>>,
        mode: AccessMode,
        value: u32,
    ) -> Option<SiteId> {
        let named = match field {
            Some(field) => Some(self.named(jni, class, field)?),
            None => None,
        };
        let number = named.as_ref().map(|(_, found)| found.number);
        let key = (value, number, mode);
        if let Some(&known) = lock(&self.access_sites.tables).by_value.get(&key) {
            return known;
        }
        let frame = self.accessing_frame();
        let site = frame.and_then(|frame| self.site_at(frame, named, mode));
        lock(&self.access_sites.tables).by_value.insert(key, site);
        site
    }

    /// The frame that called what accesses for others; `None` if it is the JDK's.
    fn accessing_frame(&self) -> Option<Frame> {
        for frame in self.methods.frames(self.jvmti) {
            let class = self.methods.shown(frame)?.class.replace('.', "/");
            if !scope::is_jdk(&class) {
                return Some(frame);
            }
            if !jdk::is_accessor(&class) {
                return None;
            }
        }
        None
    }

    fn site_at(&self, frame: Frame, named: Option<(FieldName, FoundField)>, mode: AccessMode) -> Option<SiteId> {
        let key = (frame, named.as_ref().map(|(_, found)| found.number), mode);
        if let Some(&known) = lock(&self.access_sites.tables).by_frame.get(&key) {
            return Some(known);
        }
        let shown = self.methods.shown(frame)?;
        let (field, found) = named.unzip();
        let names = SiteNames {
            class: shown.class.replace('.', "/").into(),
            method: shown.method,
            source: shown.file.as_deref().map(Into::into),
            line: shown.line,
            field,
            writes: false,
        };
        let found = found.map_or_else(OnceLock::new, |found| OnceLock::from(Box::new(found)));
        let add = || self.sites.add(names, found, mode);
        Some(*lock(&self.access_sites.tables).by_frame.entry(key).or_insert_with(add))
    }

    /// A field as sites name it.
    fn named<'a>(&self, jni: Jni<'a>, class: Object<'a>, field: Object<'a>) -> Option<(FieldName, FoundField)> {
        let id = jni.field_of(field)?;
        let declaring: Object<'a> = self.jvmti.field_class(class, id)?;
        let (name, descriptor) = self.jvmti.field_name(declaring, id)?;
        let owner = self.jvmti.class_name(declaring)?;
        let (kind, class_tag) = match self.scope_of(declaring, id)? {
            Scope::Instance => (VariableKind::Field, 0),
            Scope::Static => (VariableKind::Static, self.identity(declaring).unwrap_or(0)),
        };
        let name = FieldName { owner: owner.clone(), name, descriptor };
        let number = self.field_numbers.number(&owner, &name);
        Some((name, FoundField { class: owner, kind, class_tag, number }))
    }
}
