//! Names that the user gave and that nothing in the program has: they are listed at the end, or a typing error looks like silence.
//!
//! A class counts when it is loaded. A field or a method counts when its class declares it; if the class inherits from another one,
//! it may have it from there, and that is taken for granted: a wrong name may go unnoticed then.

use std::sync::atomic::{AtomicBool, Ordering};

use weave::Outline;

use crate::scope::{self, Pattern};
use crate::sites::text;
use control::{AgentOptions, Mode};

/// The names of a JVM's options.
#[derive(Default)]
pub(crate) struct Given {
    names: Vec<Name>,
}

struct Name {
    /// As on the command line.
    shown: String,
    what: What,
    is_matched: AtomicBool,
}

enum What {
    /// Classes of the program.
    Classes(Pattern),
    /// A field or a method, by internal name of its class and name.
    Member(String, String),
}

impl Given {
    pub(crate) fn new(options: &AgentOptions) -> Given {
        let hides = options.recording.file.is_some();
        // Without messages nobody asks for those who send them.
        let sends = options.mode == Mode::Detailed;
        let classes = [("include", &options.include, true), ("hide", &options.recording.hide, hides)];
        let members = [
            ("global", &options.recording.globals, hides),
            ("send", &options.locksets.sends, sends),
            ("receive", &options.locksets.receives, sends),
            ("flag", &options.locksets.flags, sends),
        ];
        let names = |option: &'static str, names: &[control::Name], what: fn(&str) -> What| -> Vec<Name> {
            let name = |name: &control::Name| Name {
                shown: format!("--{option} {name}"),
                what: what(name.as_str()),
                is_matched: AtomicBool::new(false),
            };
            names.iter().map(name).collect()
        };
        let classes = classes.into_iter().filter(|given| given.2);
        let members = members.into_iter().filter(|given| given.2);
        let mut all = Vec::new();
        classes
            .for_each(|(option, texts, _)| all.extend(names(option, texts, |text| What::Classes(Pattern::new(text)))));
        members.for_each(|(option, texts, _)| all.extend(names(option, texts, member)));
        Given { names: all }
    }

    /// A class is loaded.
    pub(crate) fn loads(&self, class: &str, bytes: &[u8]) {
        for name in self.names.iter().filter(|name| !name.is_matched.load(Ordering::Relaxed)) {
            let is_matched = match &name.what {
                What::Classes(pattern) => !scope::is_jdk(class) && pattern.matches(class),
                What::Member(owner, member) => owner == class && may_have(bytes, member),
            };
            if is_matched {
                name.is_matched.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The names that nothing has so far.
    pub(crate) fn unmatched(&self) -> Vec<String> {
        let names = self.names.iter().filter(|name| !name.is_matched.load(Ordering::Relaxed));
        names.map(|name| name.shown.clone()).collect()
    }
}

/// `com.acme.Queue.put`.
fn member(name: &str) -> What {
    let (class, member) = name.rsplit_once('.').unwrap_or(("", name));
    What::Member(class.replace('.', "/"), member.to_owned())
}

/// Does a class declare a field or a method of this name, or may it inherit it?
fn may_have(class: &[u8], member: &str) -> bool {
    Outline::read(class).map_or(true, |outline| {
        let fields = outline.fields.iter().map(|(name, ..)| name);
        let inherits = outline.super_name.is_some_and(|name| name != b"java/lang/Object");
        inherits || fields.chain(&outline.methods).any(|name| text(name) == member)
    })
}

#[cfg(test)]
mod tests {
    use control::LocksetOptions;

    use super::*;

    #[test]
    fn names_of_classes_that_are_not_there_are_left() {
        let names = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<control::Name>>();
        let options =
            AgentOptions { include: names(&["com.acme", "com.acne", "java.util"]), ..AgentOptions::default() };
        let given = Given::new(&options);
        given.loads("com/acme/Main", &[]);
        given.loads("java/util/HashMap", &[]);
        assert_eq!(given.unmatched(), ["--include com.acne", "--include java.util"]);
        let locksets = LocksetOptions { flags: names(&["a.B.ready", "a.C.ready"]), ..LocksetOptions::default() };
        let options = AgentOptions { mode: Mode::Detailed, locksets, ..AgentOptions::default() };
        let given = Given::new(&options);
        given.loads("a/B", b"a class that cannot be read may have anything");
        assert_eq!(given.unmatched(), ["--flag a.C.ready"]);
        assert_eq!(Given::new(&AgentOptions { mode: Mode::Simple, ..options }).unmatched(), [""; 0]);
    }
}
