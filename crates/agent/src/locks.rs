//! The classes of locks, as reports show them: asked for when a lock is first taken.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use model::LockId;

use crate::agent::Agent;
use crate::ffi::{Jni, Object};
use crate::sites::dotted;

#[derive(Default)]
pub(crate) struct LockClasses {
    tables: RwLock<Tables>,
}

#[derive(Default)]
struct Tables {
    of_lock: HashMap<LockId, u32>,
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Agent {
    /// The number of the class of a lock's object; of a class used as a lock, the class itself.
    pub(crate) fn lock_class<'a>(&self, jni: Jni<'a>, lock: LockId, object: Object<'a>) -> u32 {
        let known = self.lock_classes.tables.read().unwrap_or_else(PoisonError::into_inner).of_lock.get(&lock).copied();
        if let Some(known) = known {
            return known;
        }
        let class = jni.class_of(object).and_then(|class| self.jvmti.class_name(class));
        let name = match class.as_deref() {
            Some("java/lang/Class") => self.jvmti.class_name(object).map(|name| dotted(&name) + ".class"),
            other => other.map(dotted),
        };
        let name = name.unwrap_or_default();
        let mut tables = self.lock_classes.tables.write().unwrap_or_else(PoisonError::into_inner);
        let next = u32::try_from(tables.names.len()).unwrap_or(u32::MAX);
        let number = *tables.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            tables.names.push(name);
        }
        tables.of_lock.insert(lock, number);
        number
    }

    /// The name of the class of a lock that was taken.
    pub(crate) fn lock_class_name(&self, lock: LockId) -> String {
        let tables = self.lock_classes.tables.read().unwrap_or_else(PoisonError::into_inner);
        let number = tables.of_lock.get(&lock).copied();
        number.and_then(|number| tables.names.get(number as usize)).cloned().unwrap_or_default()
    }

    /// The name of a lock's class.
    pub(crate) fn class_name(&self, number: u32) -> String {
        let tables = self.lock_classes.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.names.get(number as usize).cloned().unwrap_or_default()
    }
}
