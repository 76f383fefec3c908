//! The class that a report names an object of the JDK by: the one that the program made, as far as that is found out.
//!
//! A method that a class inherits is the superclass's on a stack: `DateFormat.format` of a SimpleDateFormat. The object's own
//! class is known by the object whose field raced, or by a method of a subclass further in. Where neither is there, such as
//! for an element of an array that a LinkedHashSet has inside, the report names the class that declares the method.

use std::collections::HashMap;
use std::sync::Mutex;

use weave::Outline;

use crate::agent::{Agent, lock};
use crate::ffi::{Jni, Object};
use crate::jdk;
use crate::scope;
use crate::sites::text;

const OBJECT: &str = "java/lang/Object";

/// Public, but every direct buffer extends it, whether it is mapped or not.
const MAPPED: &str = "java/nio/MappedByteBuffer";

/// The object that holds a field which is accessed; for a static field, what the JVM keeps it in.
#[derive(Clone, Copy)]
pub(crate) struct Holder<'a> {
    pub(crate) jni: Jni<'a>,
    pub(crate) object: Object<'a>,
}

impl Agent {
    /// The class of an object, or the first of the JDK that its class extends, by internal name.
    pub(crate) fn jdk_class(&self, holder: Holder<'_>) -> Option<String> {
        let mut class = holder.jni.class_of(holder.object)?;
        loop {
            let name = self.jvmti.class_name(class)?;
            if scope::is_jdk(&name) {
                return Some(name);
            }
            class = holder.jni.superclass(class)?;
        }
    }
}

/// The JDK's classes that hold data, as far as they are loaded, by internal name.
#[derive(Default)]
pub(crate) struct DataClasses {
    classes: Mutex<HashMap<String, DataClass>>,
}

#[derive(Clone)]
struct DataClass {
    superclass: String,
    is_public: bool,
}

impl DataClasses {
    pub(crate) fn add(&self, name: &str, outline: &Outline) {
        let superclass = outline.super_name.as_deref().map_or_else(|| OBJECT.to_owned(), text);
        let is_public = outline.is_public && name != MAPPED;
        lock(&self.classes).insert(name.to_owned(), DataClass { superclass, is_public });
    }

    /// The class of the object that the program called, by the classes of the methods `inside` the call, innermost first, and
    /// by that of the object whose field it was. `None` if neither says more than where the access is.
    pub(crate) fn of_object(&self, inside: &[String], holder: Option<&str>) -> Option<String> {
        let mut further_in = inside.iter().rev().filter(|class| jdk::is_named_for_data(class));
        let Some(called) = further_in.next() else {
            return holder
                .filter(|holder| jdk::is_data(holder) && !holder.contains('$'))
                .map(|class| self.public(class));
        };
        // An iterator's own field, or one of what it goes over.
        if let Some(holder) = holder.filter(|holder| self.is_a(holder, called) || self.is_a(holder, outer(called))) {
            return Some(self.public(holder));
        }
        let called = outer(called).to_owned();
        let of_object =
            further_in.fold(called, |known, class| if self.is_a(class, &known) { class.clone() } else { known });
        Some(self.public(outer(&of_object)))
    }

    fn get(&self, class: &str) -> Option<DataClass> {
        lock(&self.classes).get(class).cloned()
    }

    /// Is a class this one, or does it extend it?
    fn is_a(&self, class: &str, other: &str) -> bool {
        class == other || self.get(class).is_some_and(|class| self.is_a(&class.superclass, other))
    }

    /// The first class that a program can name, of this one and those that it extends; a nested one goes by its own name.
    fn public(&self, class: &str) -> String {
        match self.get(class) {
            Some(DataClass { superclass, is_public: false }) if superclass != OBJECT && !class.contains('$') => {
                self.public(&superclass)
            }
            _ => class.to_owned(),
        }
    }
}

fn outer(class: &str) -> &str {
    class.split('$').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(rows: &[(&str, &str, bool)]) -> DataClasses {
        let classes = DataClasses::default();
        for &(name, superclass, is_public) in rows {
            let superclass = superclass.to_owned();
            lock(&classes.classes).insert(name.to_owned(), DataClass { superclass, is_public });
        }
        classes
    }

    fn named(classes: &DataClasses, inside: &[&str], holder: Option<&str>) -> Option<String> {
        let inside: Vec<String> = inside.iter().map(|&class| class.to_owned()).collect();
        classes.of_object(&inside, holder)
    }

    #[test]
    fn a_subclass_further_in_or_the_holder_names_the_object() {
        let classes = classes(&[
            ("java/text/Format", OBJECT, true),
            ("java/text/DateFormat", "java/text/Format", true),
            ("java/text/SimpleDateFormat", "java/text/DateFormat", true),
            ("java/util/Calendar", OBJECT, true),
            ("java/util/GregorianCalendar", "java/util/Calendar", true),
        ]);
        let format = ["java/util/Calendar", "java/text/SimpleDateFormat", "java/text/DateFormat"];
        let holder = Some("java/util/GregorianCalendar");
        assert_eq!(named(&classes, &format, holder).as_deref(), Some("java/text/SimpleDateFormat"));
        assert_eq!(named(&classes, &["java/util/Calendar"], holder).as_deref(), holder);
        assert_eq!(named(&classes, &["java/util/Calendar"], None).as_deref(), Some("java/util/Calendar"));
    }

    #[test]
    fn an_iterator_is_named_if_its_own_field_raced() {
        let classes = classes(&[
            ("java/util/AbstractList", OBJECT, true),
            ("java/util/ArrayList", "java/util/AbstractList", true),
            ("java/util/ArrayList$Itr", OBJECT, false),
        ]);
        let next = ["java/util/ArrayList$Itr"];
        assert_eq!(named(&classes, &next, Some("java/util/ArrayList$Itr")).as_deref(), Some("java/util/ArrayList$Itr"));
        assert_eq!(named(&classes, &next, Some("java/util/ArrayList")).as_deref(), Some("java/util/ArrayList"));
        assert_eq!(named(&classes, &next, None).as_deref(), Some("java/util/ArrayList"));
    }

    #[test]
    fn classes_that_no_program_can_name_go_by_what_they_extend() {
        let classes = classes(&[
            ("java/nio/HeapByteBuffer", "java/nio/ByteBuffer", false),
            ("java/nio/ByteBuffer", "java/nio/Buffer", true),
            ("java/nio/Buffer", OBJECT, true),
        ]);
        let get = ["java/nio/Buffer", "java/nio/HeapByteBuffer"];
        assert_eq!(named(&classes, &get, None).as_deref(), Some("java/nio/ByteBuffer"));
        let remaining = ["java/nio/Buffer"];
        assert_eq!(
            named(&classes, &remaining, Some("java/nio/HeapByteBuffer")).as_deref(),
            Some("java/nio/ByteBuffer")
        );
    }

    #[test]
    fn what_works_for_others_does_not_name_the_object() {
        let classes = classes(&[("java/util/ArrayList", OBJECT, true)]);
        let sort = ["java/util/ArrayList", "java/util/Collections"];
        assert_eq!(named(&classes, &sort, None).as_deref(), Some("java/util/ArrayList"));
        assert_eq!(named(&classes, &["java/util/Collections$SetFromMap"], None), None);
    }
}
