//! Which classes are covered: all that their methods do with data of their own or of others is recorded, or is a call that has a
//! hook (crates/weave, passes/opaque.rs). Those of the program that are woven for the recording, and some of the JDK.
//!
//! Classes are known by name. Where loaders have two of one name, both must be covered.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use runtime::layout::{COVERED_ITSELF, COVERED_NOT, COVERED_WHOLE};
use weave::{Outline, hooks};

use crate::scope;
use crate::sites::text;

/// What is known of a class that was loaded.
struct Entry {
    is_covered: bool,
    /// What it extends and implements, by internal name.
    super_name: Option<String>,
    interfaces: Vec<String>,
}

/// The classes of which is known whether they are covered.
#[derive(Default)]
pub(crate) struct Covered(Mutex<HashMap<String, Entry>>);

impl Covered {
    /// A class is loaded.
    pub(crate) fn add(&self, name: &str, outline: Option<&Outline>, is_covered: bool) {
        let interfaces =
            outline.map_or_else(Vec::new, |outline| outline.interfaces.iter().map(|name| text(name)).collect());
        let super_name = outline.and_then(|outline| outline.super_name.as_deref()).map(text);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = all.remove(name);
        let is_same = before.as_ref().is_none_or(|before| {
            before.is_covered && before.super_name == super_name && before.interfaces == interfaces
        });
        all.insert(
            name.to_owned(),
            Entry { is_covered: is_covered && outline.is_some() && is_same, super_name, interfaces },
        );
    }

    /// How far a class, by internal name, and what it extends and implements are covered.
    pub(crate) fn level(&self, name: &str) -> i32 {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_covered(&all, name) {
            return COVERED_NOT;
        }
        let mut at = Some(name);
        while let Some(class) = at {
            if !is_covered(&all, class) {
                // Above a class of the JDK there are only such; above another there may be one whose method it overrides.
                return if scope::is_jdk(class) { COVERED_ITSELF } else { COVERED_NOT };
            }
            if !implements_covered(&all, class, 0) {
                return COVERED_ITSELF;
            }
            at = all.get(class).and_then(|entry| entry.super_name.as_deref());
        }
        COVERED_WHOLE
    }
}

fn is_covered(all: &HashMap<String, Entry>, class: &str) -> bool {
    // Of arrays only what Object has can be called; their copies are ranges.
    hooks::is_constant(class) || class.starts_with('[') || all.get(class).is_some_and(|entry| entry.is_covered)
}

/// A JVM has no such depth of interfaces.
const DEEPEST: usize = 64;

/// Are all interfaces of a class covered, from which it may inherit methods?
fn implements_covered(all: &HashMap<String, Entry>, class: &str, depth: usize) -> bool {
    let Some(entry) = all.get(class) else { return true };
    depth < DEEPEST
        && entry
            .interfaces
            .iter()
            .all(|interface| is_covered(all, interface) && implements_covered(all, interface, depth + 1))
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
        let covered = Covered::default();
        let add = |name: &str, above: &str, interfaces: &[&str], is_covered| {
            covered.add(name, Some(&outline(above, interfaces)), is_covered);
        };
        add("A", "java/lang/Object", &[], true);
        add("B", "A", &[], true);
        add("MyDate", "java/util/Date", &[], true);
        add("lib/Lib", "A", &[], false);
        add("C", "lib/Lib", &[], true);
        add("D", "java/lang/Object", &["lib/Interface"], true);
        add("Native", "java/lang/Object", &[], false);
        for (name, level) in [
            ("A", COVERED_WHOLE),
            ("B", COVERED_WHOLE),
            ("MyDate", COVERED_ITSELF),
            ("lib/Lib", COVERED_NOT),
            ("C", COVERED_NOT),
            ("D", COVERED_ITSELF),
            ("Native", COVERED_NOT),
            ("Nobody", COVERED_NOT),
            ("java/lang/String", COVERED_WHOLE),
            ("[I", COVERED_WHOLE),
        ] {
            assert_eq!(covered.level(name), level, "{name}");
        }
        add("A", "java/lang/Object", &[], false);
        assert_eq!(
            [covered.level("A"), covered.level("B")],
            [COVERED_NOT, COVERED_NOT],
            "another loader has one that is not"
        );
    }
}
