//! What the program declares of its fields and methods: the annotations that say something of threads.

use std::collections::HashMap;
use std::sync::Mutex;

use report::Annotation;
use weave::{Annotations, Channel};

use crate::agent::lock;
use crate::sites::{dotted, text};

/// Hidden methods may synchronize through the static field (Rajagopalan's thesis, section 4.3, caveat 5).
pub(crate) const GLOBAL: &str = "Global";

/// By simple name: every library has its own.
const OF_THREADS: &[&str] = &[GLOBAL, "LazyInit", "BenignRace", "GuardedBy", "NotThreadSafe", "ThreadConfined"];

/// The annotations of the woven classes' fields.
#[derive(Default)]
pub(crate) struct Declared {
    /// By class with dots, those of the class and those of its fields by name.
    classes: Mutex<HashMap<String, OfClass>>,
}

#[derive(Default)]
struct OfClass {
    class: Vec<Annotation>,
    fields: HashMap<String, Vec<Annotation>>,
}

impl Declared {
    /// Takes in what a class that is loaded declares; most have nothing to say.
    pub(crate) fn add(&self, name: &str, found: &Annotations) {
        let of_class = of_threads(&found.class);
        let fields = found.fields.iter().map(|(field, annotations)| (text(field), of_threads(annotations)));
        let fields: HashMap<String, Vec<Annotation>> = fields.filter(|(_, found)| !found.is_empty()).collect();
        if !of_class.is_empty() || !fields.is_empty() {
            lock(&self.classes).insert(dotted(name), OfClass { class: of_class, fields });
        }
    }

    /// The fields of a class that have an annotation.
    pub(crate) fn fields_with(&self, class: &str, annotation: &str) -> Vec<String> {
        let classes = lock(&self.classes);
        let fields = classes.get(class).into_iter().flat_map(|found| &found.fields);
        let has = |annotations: &[Annotation]| annotations.iter().any(|found| found.name == annotation);
        fields.filter(|(_, annotations)| has(annotations)).map(|(field, _)| field.clone()).collect()
    }

    /// What is declared of a field, and of its class.
    pub(crate) fn of(&self, class: &str, field: &str) -> Vec<Annotation> {
        let classes = lock(&self.classes);
        let Some(found) = classes.get(class) else { return Vec::new() };
        found.fields.get(field).into_iter().flatten().chain(&found.class).cloned().collect()
    }
}

/// Does a method of the class pass messages between threads, as it says itself (O'Callahan and Choi 2003, section 4.1)?
pub(crate) fn channel(declared: &Annotations, method: &[u8], descriptor: &[u8]) -> Option<Channel> {
    let (_, _, found) = declared.methods.iter().find(|(name, typed, _)| name == method && typed == descriptor)?;
    found.iter().find_map(|annotation| match annotation.name.as_slice() {
        b"Send" => Some(Channel::Sends),
        b"Receive" => Some(Channel::Receives),
        _ => None,
    })
}

fn of_threads(annotations: &[weave::Annotation]) -> Vec<Annotation> {
    let named = annotations
        .iter()
        .map(|annotation| Annotation { name: text(&annotation.name), value: annotation.value.as_deref().map(text) });
    named.filter(|annotation| OF_THREADS.contains(&annotation.name.as_str())).collect()
}
