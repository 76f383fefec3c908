//! The fields that arrays and collections are in, for reports: found when a race is reported first, by a walk through the heap.
//!
//! A walk stops the program, for about a second per gigabyte. So it is made only for a race that was not reported before, and
//! no more once all walks took as long as they may; then reports name the array by its type alone.

use std::sync::Mutex;
use std::time::Duration;

use crate::agent::{Agent, lock};
use crate::arrays::NumberedKind;
use crate::ffi::{Jni, Object, Referrer, Scope};
use crate::objects::Holder;
use crate::scope;
use crate::sites::dotted;
use crate::work::Begun;

/// The time budget of all walks over the heap together.
const BUDGET: Duration = Duration::from_secs(2);

/// Arrays of arrays are followed outwards so far.
const DEEPEST: usize = 3;

/// Walks for one array: through arrays outwards, and past classes of reference objects.
const MOST_WALKS: usize = 12;

/// What stands between a field and its collection: `Collections.synchronizedMap` and the like.
const WRAPPERS: &str = "java/util/Collections$";

/// How long the walks took.
#[derive(Default)]
pub(crate) struct Owners {
    walked: Mutex<Duration>,
}

/// A field that holds an array, or the array that holds it.
pub(crate) struct OwnerField {
    pub(crate) class: String,
    pub(crate) field: String,
}

impl Agent {
    /// The field that an array is in, or the path from the field of an array that contains it: `cells[][]`. What a reference
    /// object refers to is not in it.
    pub(crate) fn owner_field<'a>(&self, jni: Jni<'a>, array: Object<'a>) -> Option<OwnerField> {
        let arrays = self.arrays.as_ref()?;
        // One walk at a time: they share the tags of what they find.
        let mut walked = lock(&self.owners.walked);
        arrays.ignore_referrers(jni.find_class("java/lang/AutodromeRuns$Watched")?)?;
        let (mut inner, mut depth) = (array, 0);
        for _ in 0..MOST_WALKS {
            if *walked >= BUDGET {
                return None;
            }
            let begun = Begun::now();
            let referrer = arrays.referrer(jni, inner, NumberedKind::Array);
            *walked += begun.elapsed();
            match referrer? {
                Referrer::Field(object) if self.is_reference(jni, object) => {
                    arrays.ignore_referrers(jni.class_of(object)?)?;
                }
                Referrer::Field(object) => {
                    let owner = self.field_with(jni, object, inner)?;
                    let path = if depth == 0 { String::new() } else { "[]".repeat(depth + 1) };
                    return Some(OwnerField { field: owner.field + &path, ..owner });
                }
                Referrer::Element(_) if depth == DEEPEST => return None,
                Referrer::Element(outer) => (inner, depth) = (outer, depth + 1),
            }
        }
        None
    }

    /// The field that refers to an object of the JDK of which a race accessed a part: the object itself, its table, one of its
    /// nodes. Not if that is an element of another collection, or what refers to it is the JDK's: such a name would be another
    /// object's.
    pub(crate) fn holding_field(&self, part: Holder<'_>, class: &str) -> Option<String> {
        if self.options.recording.file.is_some() {
            // What a walk starts from gets a number, and the recording would have it as an array.
            return None;
        }
        let (arrays, Holder { jni, object: part }) = (self.arrays.as_ref()?, part);
        let mut walked = lock(&self.owners.walked);
        arrays.ignore_referrers(jni.find_class("java/lang/AutodromeRuns$Watched")?)?;
        let name = |object| self.jvmti.class_name(jni.class_of(object)?);
        let is_meant = |object| self.is_a(jni, object, class);
        let (mut inner, mut is_found, mut depth) = (part, is_meant(part), 0);
        for _ in 0..MOST_WALKS {
            if *walked >= BUDGET {
                return None;
            }
            let begun = Begun::now();
            let kind = if name(inner)?.starts_with('[') { NumberedKind::Array } else { NumberedKind::Object };
            let referrer = arrays.referrer(jni, inner, kind);
            *walked += begun.elapsed();
            match referrer? {
                Referrer::Field(object) if self.is_reference(jni, object) => {
                    arrays.ignore_referrers(jni.class_of(object)?)?;
                }
                // What is left behind must be a part: a collection that is none of the class may be an element.
                _ if !is_found && !is_part(&name(inner)?, class) => return None,
                Referrer::Field(object) if !is_found => (inner, is_found) = (object, is_meant(object)),
                Referrer::Field(object) if name(object)?.starts_with(WRAPPERS) => inner = object,
                Referrer::Field(object) => {
                    let owner = self.field_with(jni, object, inner)?;
                    let is_of_program = !scope::is_jdk(&owner.class.replace('.', "/"));
                    return is_of_program.then(|| format!("{}.{}{}", owner.class, owner.field, "[]".repeat(depth)));
                }
                Referrer::Element(_) if depth == DEEPEST => return None,
                Referrer::Element(outer) => (inner, depth) = (outer, depth + usize::from(is_found)),
            }
        }
        None
    }

    fn is_reference<'a>(&self, jni: Jni<'a>, object: Object<'a>) -> bool {
        self.is_a(jni, object, "java.lang.ref.Reference")
    }

    /// Is an object of this class, or of one that extends it?
    fn is_a<'a>(&self, jni: Jni<'a>, object: Object<'a>, name: &str) -> bool {
        let mut next = jni.class_of(object);
        while let Some(class) = next {
            if self.jvmti.class_name(class).is_some_and(|found| dotted(&found) == name) {
                return true;
            }
            next = jni.superclass(class);
        }
        false
    }

    /// The field of an object, or the static field of a class, that has this value.
    fn field_with<'a>(&self, jni: Jni<'a>, object: Object<'a>, value: Object<'a>) -> Option<OwnerField> {
        let class = jni.class_of(object)?;
        let (scope, mut next) = match self.jvmti.class_name(class)?.as_str() {
            "java/lang/Class" => (Scope::Static, Some(object)),
            _ => (Scope::Instance, Some(class)),
        };
        while let Some(class) = next {
            for field in self.jvmti.class_fields(class) {
                let (name, descriptor) = self.jvmti.field_name(class, field)?;
                // What an array can be in; our own fields are nobody's.
                let may_hold = descriptor.starts_with(['[', 'L']) && !name.starts_with("autodrome$");
                if may_hold && self.scope_of(class, field)? == scope && jni.has_value(object, field, scope, value) {
                    let class = self.jvmti.class_name(class)?;
                    // A hidden class, such as a lambda's, has a name that nobody gave it.
                    let is_hidden = class.contains('.');
                    return (!is_hidden).then(|| OwnerField { class: dotted(&class), field: name });
                }
            }
            next = if scope == Scope::Instance { jni.superclass(class) } else { None };
        }
        None
    }
}

/// Is an object, by its class, a part of a collection of another class: a table, a node, the map of a set? Iterators are none.
fn is_part(part: &str, collection: &str) -> bool {
    let is_nested = scope::is_jdk(part) && part.contains('$') && !part.contains("Itr") && !part.contains("terator");
    let is_map_of_set = scope::is_jdk(part) && part.ends_with("Map") && collection.ends_with("Set");
    part.starts_with('[') || is_nested || is_map_of_set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_and_iterators_are_no_parts() {
        assert!(is_part("[Ljava/util/HashMap$Node;", "java.util.HashMap"));
        assert!(is_part("java/util/TreeMap$Entry", "java.util.TreeMap"));
        assert!(is_part("java/util/HashMap", "java.util.HashSet"));
        let elements =
            ["java/util/ArrayList", "java/util/HashMap", "java/lang/Class", "a/Main$Node", "java/util/ArrayList$Itr"];
        assert!(elements.iter().all(|element| !is_part(element, "java.util.HashMap")));
    }
}
