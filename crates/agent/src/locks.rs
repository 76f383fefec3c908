//! The locks that threads hold, as reports show them: the class of each, how it is held, and where it was taken.
//!
//! A lock of java.util.concurrent is taken inside the JDK: where the program called it is found on the stack, once for each
//! calling-context value.

use std::collections::HashMap;
use std::sync::Mutex;

use model::{LockId, SiteId};
use runtime::{HeldLock, LocksetId};

use crate::agent::{Agent, lock};
use crate::ffi::{Jni, Object};
use crate::scope;
use crate::sites::dotted;

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockMode {
    Monitor,
    Write,
    Read,
}

#[derive(Default)]
pub(crate) struct LockNames {
    tables: Mutex<LockTables>,
}

#[derive(Default)]
struct LockTables {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
    /// By calling-context value and site inside the JDK: where the program called.
    callers: HashMap<(u32, SiteId), SiteId>,
    /// The names of monitors that a recording has.
    monitors: HashMap<LockId, u32>,
}

impl Agent {
    /// The set of locks with one more, taken at a site.
    pub(crate) fn lockset<'a>(
        &self,
        jni: Jni<'a>,
        before: LocksetId,
        object: Object<'a>,
        mode: LockMode,
        site: SiteId,
        value: u32,
    ) -> LocksetId {
        let taken_at = if mode == LockMode::Monitor { site } else { self.caller_of(site, value) };
        self.depot.lockset(before, HeldLock { class: self.lock_name(jni, object, mode), taken_at })
    }

    /// The number of a lock's name: its object's class, or the class itself if it is one; of the two views of a read-write
    /// lock, the lock.
    fn lock_name<'a>(&self, jni: Jni<'a>, object: Object<'a>, mode: LockMode) -> u32 {
        let class = jni.class_of(object).and_then(|class| self.jvmti.class_name(class)).unwrap_or_default();
        let mut name = match class.as_str() {
            "java/lang/Class" => self.jvmti.class_name(object).map(|name| dotted(&name) + ".class").unwrap_or_default(),
            // The two views of a read-write lock have this in common.
            class => {
                let view = class.split("$Sync").next().unwrap_or_default();
                dotted(view.trim_end_matches("$NonfairSync").trim_end_matches("$FairSync"))
            }
        };
        if mode == LockMode::Read {
            name += " for reading";
        }
        let mut tables = lock(&self.lock_names.tables);
        let next = u32::try_from(tables.names.len()).unwrap_or(u32::MAX);
        let number = *tables.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            tables.names.push(name);
        }
        number
    }

    /// Where the program called into the JDK.
    fn caller_of(&self, site: SiteId, value: u32) -> SiteId {
        if let Some(&known) = lock(&self.lock_names.tables).callers.get(&(value, site)) {
            return known;
        }
        let frames = self.methods.frames(self.jvmti).into_iter().filter_map(|frame| self.methods.shown(frame));
        let user = frames.into_iter().find(|frame| !scope::is_jdk(&frame.class.replace('.', "/")));
        let found = user.map_or(site, |frame| self.sites.add_frame(&frame));
        lock(&self.lock_names.tables).callers.insert((value, site), found);
        found
    }

    /// Keeps the name of a monitor that was taken, for the recording.
    pub(crate) fn remember_monitor<'a>(&self, jni: Jni<'a>, monitor: LockId, object: Object<'a>) {
        if !lock(&self.lock_names.tables).monitors.contains_key(&monitor) {
            let name = self.lock_name(jni, object, LockMode::Monitor);
            lock(&self.lock_names.tables).monitors.insert(monitor, name);
        }
    }

    /// The name of a monitor that was taken.
    pub(crate) fn name_of_monitor(&self, monitor: LockId) -> String {
        let number = lock(&self.lock_names.tables).monitors.get(&monitor).copied();
        number.map_or_else(String::new, |number| self.name_of_lock(number))
    }

    /// The name of a lock, by number.
    pub(crate) fn name_of_lock(&self, number: u32) -> String {
        lock(&self.lock_names.tables).names.get(number as usize).cloned().unwrap_or_default()
    }
}
