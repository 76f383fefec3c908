//! Names of classes and methods that stay the same when other parts of a file are edited, for the ids of races.
//!
//! `Main$7` becomes `Main$go()V#2`: the second anonymous class in the code of `go`. `Main.lambda$go$5` becomes
//! `Main.go()V#lambda1`. Fallback: without the outer class, the method that the class itself says it stands in; without that the
//! name stays, and [`report::Fingerprint`] leaves its numbers out.
//!
//! By name alone: of two classes of one name the later loaded one counts. The table is never pruned, like that of sites.

use std::collections::HashMap;
use std::sync::Mutex;

use report::{Variable, VariableKind};
use weave::{Made, Nested, Nesting};

use crate::agent::lock;
use crate::scope;
use crate::sites::{dotted, text};

/// Classes nested deeper than this keep their name; a class file may say that it is nested in itself.
const DEEPEST: usize = 32;

/// How the JVM starts the names of the classes that it makes of lambdas and method references; an address follows.
const PROXY: &str = "$$Lambda";

/// The classes that are nested, or make what is.
#[derive(Default)]
pub(crate) struct StableNames {
    /// By name with dots.
    classes: Mutex<HashMap<String, OfClass>>,
}

#[derive(Default)]
struct OfClass {
    nested: Option<NestedIn>,
    /// By name with dots.
    classes: HashMap<String, Origin>,
    lambdas: HashMap<String, Origin>,
}

/// The outer class, with dots, and what the inner one is there.
struct NestedIn {
    outer: String,
    /// Empty if it is anonymous.
    name: String,
    /// `None` for a member of the outer class, else the method that it stands in, with its descriptor.
    within: Option<String>,
}

/// The code that makes something.
struct Origin {
    /// The method's name.
    method: String,
    descriptor: String,
    position: u32,
}

impl StableNames {
    /// Takes in a class that is loaded; most are neither nested nor make what is.
    pub(crate) fn add(&self, name: &str, class: &[u8]) {
        if scope::is_jdk(name) {
            return;
        }
        // A class that cannot be read is not woven either: it has no sites.
        let Ok(found) = Nesting::read(class) else { return };
        if found == Nesting::default() {
            return;
        }
        let of_class = OfClass {
            nested: found.nested.map(nested_in),
            classes: found.classes.iter().map(|made| (dotted(&text(&made.name)), origin(made))).collect(),
            lambdas: found.lambdas.iter().map(|made| (text(&made.name), origin(made))).collect(),
        };
        lock(&self.classes).insert(dotted(name), of_class);
    }

    /// The stable name of a class, by its name with dots.
    pub(crate) fn class(&self, name: &str) -> String {
        match name.find(PROXY) {
            Some(end) => class_of(&lock(&self.classes), &name[..end], DEEPEST) + PROXY,
            None => class_of(&lock(&self.classes), name, DEEPEST),
        }
    }

    /// The stable name of a method, with that of its class, by names with dots.
    pub(crate) fn method(&self, class: &str, method: &str) -> String {
        let classes = lock(&self.classes);
        let lambda = classes.get(class).and_then(|of_class| lambda(of_class, method, DEEPEST));
        drop(classes);
        format!("{}.{}", self.class(class), lambda.as_deref().unwrap_or(method))
    }

    /// What the ids of races know a variable by.
    pub(crate) fn variable(&self, variable: &Variable) -> String {
        match variable.kind {
            VariableKind::Field | VariableKind::Static => format!("{}.{}", self.class(&variable.class), variable.field),
            _ => variable.identity(),
        }
    }
}

fn class_of(classes: &HashMap<String, OfClass>, name: &str, deepest: usize) -> String {
    let nested = classes.get(name).and_then(|of_class| of_class.nested.as_ref());
    let (Some(nested), Some(deepest)) = (nested, deepest.checked_sub(1)) else { return name.to_owned() };
    let outer = class_of(classes, &nested.outer, deepest);
    let of_outer = classes.get(&nested.outer);
    let origin = of_outer.and_then(|of_outer| Some((of_outer, of_outer.classes.get(name)?)));
    match (&nested.within, origin) {
        (None, _) => format!("{outer}${}", nested.name),
        (Some(_), Some((of_outer, origin))) => {
            format!("{outer}${}#{}{}", place(of_outer, origin, deepest), origin.position, nested.name)
        }
        (Some(method), None) => format!("{outer}${method}#{}", nested.name),
    }
}

/// The method whose code makes something.
fn place(of_class: &OfClass, origin: &Origin, deepest: usize) -> String {
    let of_lambda = deepest.checked_sub(1).and_then(|deepest| lambda(of_class, &origin.method, deepest));
    of_lambda.unwrap_or_else(|| format!("{}{}", origin.method, origin.descriptor))
}

/// What stands for the method of a lambda, without its class.
fn lambda(of_class: &OfClass, method: &str, deepest: usize) -> Option<String> {
    let origin = of_class.lambdas.get(method)?;
    Some(format!("{}#lambda{}", place(of_class, origin, deepest), origin.position))
}

fn nested_in(nested: Nested) -> NestedIn {
    match nested {
        Nested::Member { outer, name } => NestedIn { outer: dotted(&text(&outer)), name: text(&name), within: None },
        Nested::Local { outer, method, name } => {
            let within = method.map_or_else(String::new, |(name, typed)| text(&name) + &text(&typed));
            NestedIn { outer: dotted(&text(&outer)), name: text(&name), within: Some(within) }
        }
    }
}

fn origin(made: &Made) -> Origin {
    Origin { method: text(&made.method), descriptor: text(&made.descriptor), position: made.position }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(method: &str, position: u32) -> Origin {
        Origin { method: method.to_owned(), descriptor: "()V".to_owned(), position }
    }

    fn nested(outer: &str, name: &str, within: Option<&str>) -> Option<NestedIn> {
        let within = within.map(str::to_owned);
        Some(NestedIn { outer: outer.to_owned(), name: name.to_owned(), within })
    }

    #[test]
    fn numbers_give_way_to_the_methods_that_make_what_they_number() {
        let names = StableNames::default();
        let class = |nested| OfClass { nested, ..OfClass::default() };
        let made = |name: &str, method, position| (name.to_owned(), origin(method, position));
        let main = OfClass {
            nested: None,
            classes: [made("a.Main$1", "go", 1), made("a.Main$2", "lambda$go$0", 1), made("a.Main$1Own", "go", 1)]
                .into(),
            lambdas: [made("lambda$go$1", "go", 2), made("lambda$go$0", "lambda$go$1", 1)].into(),
        };
        let all = [
            ("a.Main", main),
            ("a.Main$1", class(nested("a.Main", "", Some("go()V")))),
            ("a.Main$1$Part", class(nested("a.Main$1", "Part", None))),
            ("a.Main$2", class(nested("a.Main", "", Some("go()V")))),
            ("a.Main$1Own", class(nested("a.Main", "Own", Some("go()V")))),
            ("b.Lost$3", class(nested("b.Lost", "", Some("go()V")))),
            ("c.Own", class(nested("c.Own", "Own", None))),
        ];
        lock(&names.classes).extend(all.map(|(name, of_class)| (name.to_owned(), of_class)));
        let same = [
            ("a.Main", "a.Main"),
            ("a.Main$1", "a.Main$go()V#1"),
            ("a.Main$1$Part", "a.Main$go()V#1$Part"),
            ("a.Main$2", "a.Main$go()V#lambda2#lambda1#1"),
            ("a.Main$1Own", "a.Main$go()V#1Own"),
            ("b.Lost$3", "b.Lost$go()V#"),
            ("x.Unknown$1", "x.Unknown$1"),
            ("a.Main$$Lambda.0x00007f8b3c000c00", "a.Main$$Lambda"),
        ];
        for (name, stable) in same {
            assert_eq!(names.class(name), stable);
        }
        assert!(names.class("c.Own").len() < 200, "a class that is nested in itself ends somewhere");
        assert_eq!(names.method("a.Main", "lambda$go$0"), "a.Main.go()V#lambda2#lambda1");
        assert_eq!(names.method("a.Main$1", "run"), "a.Main$go()V#1.run");
    }
}
