//! The fields that a recording names: found when their site first runs, named when an object's is first accessed.

use model::SiteId;
use report::VariableKind;
use runtime::layout::{RECORDED_ELSEWHERE, RECORDED_NOT, RECORDED_NOT_READY, RECORDED_PLAIN, RECORDED_VOLATILE};
use trace::VarKind;
use weave::hooks::{Shadow, shadow_name};

use crate::agent::Agent;
use crate::ffi::{Jni, Object, Scope};
use crate::fields::{FINAL, INITIALIZED, VOLATILE};
use crate::sites::{FieldName, SiteInfo, dotted, text};

/// What an access to a field is, as the shim's `find` returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Kind {
    /// Its class is not initialized yet.
    NotReady = RECORDED_NOT_READY,
    Plain = RECORDED_PLAIN,
    Volatile = RECORDED_VOLATILE,
    /// Final.
    Final = RECORDED_NOT,
    /// Of a class that is not woven.
    Elsewhere = RECORDED_ELSEWHERE,
}

impl Agent {
    /// Finds the field of a site and puts the field of its name, if it has one, into `name`.
    pub(crate) fn find_name<'a>(
        &self,
        jni: Jni<'a>,
        site: SiteId,
        receiver: Option<Object<'a>>,
        name: Object<'a>,
    ) -> Kind {
        self.find_named(jni, site, receiver, name).unwrap_or(Kind::Elsewhere)
    }

    fn find_named<'a>(
        &self,
        jni: Jni<'a>,
        site: SiteId,
        receiver: Option<Object<'a>>,
        name: Object<'a>,
    ) -> Option<Kind> {
        let info = self.sites.get(site)?;
        let field = info.field.as_ref()?;
        let (class, scope) = self.owner(jni, &info, field, receiver)?;
        let is_ready = || self.jvmti.class_status(class).is_some_and(|status| status & INITIALIZED != 0);
        if scope == Scope::Static && !self.is_caller(&info, class) && !is_ready() {
            return Some(Kind::NotReady);
        }
        if scope == Scope::Instance {
            self.see_owner(jni, &info, field);
        }
        let (declaring, id) = self.declared(jni, class, field, scope)?;
        self.remember(&info, field, declaring, scope);
        let shadow = text(&shadow_name(field.name.as_bytes(), field.descriptor.as_bytes(), Shadow::Name));
        let place = self.jvmti.own_field(declaring, &shadow, Shadow::Name.descriptor());
        if let Some(shown) = place.and_then(|place| jni.reflected(declaring, place, scope)) {
            jni.set_element(name, 0, shown);
        }
        match self.jvmti.field_flags(declaring, id)? {
            flags if flags & VOLATILE != 0 => Some(Kind::Volatile),
            flags if flags & FINAL != 0 => Some(Kind::Final),
            _ if place.is_some() => Some(Kind::Plain),
            _ => Some(Kind::Elsewhere),
        }
    }

    /// When an instruction first runs the JVM may ask the class loader of its class for the class that it names, which is
    /// the program's code. It must not run while the variable is locked, so the loader is asked now.
    fn see_owner(&self, jni: Jni<'_>, info: &SiteInfo, field: &FieldName) {
        // The boot loader runs no code of the program's, nor any that we weave.
        if *field.owner == *info.class || info.is_of_jdk() {
            return;
        }
        let caller = self.methods.caller(self.jvmti).and_then(|method| self.jvmti.declaring_class(method));
        if let Some(loader) = caller.and_then(|class| self.jvmti.class_loader(class)) {
            jni.class_for_name(&dotted(&field.owner), loader);
        }
    }

    /// A new name for the field of an object, or for a static field.
    pub(crate) fn new_name(&self, site: SiteId, object: Option<Object<'_>>, kind: Kind) -> Option<u32> {
        let recorder = self.recorder()?;
        let info = self.sites.get(site)?;
        let (field, found) = (info.field.as_ref()?, info.found.get()?);
        let name = format!("{}.{}", dotted(&found.class), field.name);
        let object = match object {
            Some(object) => self.identity(object).unwrap_or(0),
            None => recorder.global(&name),
        };
        match (kind, found.kind) {
            (Kind::Volatile, _) => recorder.new_message(&name, object),
            (_, VariableKind::Static) => recorder.new_variable(&name, VarKind::Static, object),
            _ => recorder.new_variable(&name, VarKind::Field, object),
        }
    }

    /// The message of a volatile field whose class was not woven.
    pub(crate) fn unnamed_volatile<'a>(&self, jni: Jni<'a>, site: SiteId, receiver: Option<Object<'a>>) -> Option<u32> {
        self.recorder()?.message(self.volatile(jni, site, receiver)?)
    }
}
