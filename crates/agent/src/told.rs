//! Which classes are told: all that their methods do with data of their own or of others is recorded, or is a call that has a
//! hook (crates/weave, passes/opaque.rs). Those of the program that are woven for the recording, and some of the JDK.
//!
//! Classes are known by name. Where loaders have two of one name, both must be told.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use runtime::layout::{TOLD_ITSELF, TOLD_NOT, TOLD_WHOLE};
use weave::{Outline, hooks};

use crate::scope;
use crate::sites::text;

/// What is known of a class that was loaded.
struct Entry {
    is_told: bool,
    /// What it extends and implements, by internal name.
    super_name: Option<String>,
    interfaces: Vec<String>,
}

/// The classes of which is known whether they are told.
#[derive(Default)]
pub(crate) struct Told(Mutex<HashMap<String, Entry>>);

impl Told {
    /// A class is loaded.
    pub(crate) fn add(&self, name: &str, outline: Option<&Outline>, is_told: bool) {
        let interfaces =
            outline.map_or_else(Vec::new, |outline| outline.interfaces.iter().map(|name| text(name)).collect());
        let super_name = outline.and_then(|outline| outline.super_name.as_deref()).map(text);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = all.remove(name);
        let is_same = before
            .as_ref()
            .is_none_or(|before| before.is_told && before.super_name == super_name && before.interfaces == interfaces);
        all.insert(name.to_owned(), Entry { is_told: is_told && outline.is_some() && is_same, super_name, interfaces });
    }

    /// How far a class, by internal name, and what it extends and implements are told.
    pub(crate) fn level(&self, name: &str) -> i32 {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_told(&all, name) {
            return TOLD_NOT;
        }
        let mut at = Some(name);
        while let Some(class) = at {
            if !is_told(&all, class) {
                // Above a class of the JDK there are only such; above another there may be one whose method it overrides.
                return if scope::is_jdk(class) { TOLD_ITSELF } else { TOLD_NOT };
            }
            if !implements_told(&all, class, 0) {
                return TOLD_ITSELF;
            }
            at = all.get(class).and_then(|entry| entry.super_name.as_deref());
        }
        TOLD_WHOLE
    }
}

fn is_told(all: &HashMap<String, Entry>, class: &str) -> bool {
    // Of arrays only what Object has can be called; their copies are ranges.
    hooks::is_constant(class) || class.starts_with('[') || all.get(class).is_some_and(|entry| entry.is_told)
}

/// A JVM has no such depth of interfaces.
const DEEPEST: usize = 64;

/// Are all interfaces of a class told, from which it may inherit methods?
fn implements_told(all: &HashMap<String, Entry>, class: &str, depth: usize) -> bool {
    let Some(entry) = all.get(class) else { return true };
    depth < DEEPEST
        && entry
            .interfaces
            .iter()
            .all(|interface| is_told(all, interface) && implements_told(all, interface, depth + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(super_name: &str, interfaces: &[&str]) -> Outline {
        Outline {
            name: Vec::new(),
            super_name: Some(super_name.into()),
            interfaces: interfaces.iter().map(|&name| name.into()).collect(),
            is_interface: false,
            has_natives: false,
            is_public: true,
            source: None,
            fields: Vec::new(),
            methods: Vec::new(),
        }
    }

    #[test]
    fn a_class_is_as_good_as_what_it_extends() {
        let told = Told::default();
        let add = |name: &str, above: &str, interfaces: &[&str], is_told| {
            told.add(name, Some(&outline(above, interfaces)), is_told);
        };
        add("A", "java/lang/Object", &[], true);
        add("B", "A", &[], true);
        add("MyDate", "java/util/Date", &[], true);
        add("lib/Lib", "A", &[], false);
        add("C", "lib/Lib", &[], true);
        add("D", "java/lang/Object", &["lib/Interface"], true);
        add("Native", "java/lang/Object", &[], false);
        for (name, level) in [
            ("A", TOLD_WHOLE),
            ("B", TOLD_WHOLE),
            ("MyDate", TOLD_ITSELF),
            ("lib/Lib", TOLD_NOT),
            ("C", TOLD_NOT),
            ("D", TOLD_ITSELF),
            ("Native", TOLD_NOT),
            ("Nobody", TOLD_NOT),
            ("java/lang/String", TOLD_WHOLE),
            ("[I", TOLD_WHOLE),
        ] {
            assert_eq!(told.level(name), level, "{name}");
        }
        add("A", "java/lang/Object", &[], false);
        assert_eq!([told.level("A"), told.level("B")], [TOLD_NOT, TOLD_NOT], "another loader has one that is not");
    }
}
