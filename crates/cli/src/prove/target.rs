//! Targets: an assertion that fails, or an exception that ends a thread, as the JVM reports it on stderr.

use clap::ValueEnum;
use serde::Serialize;

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Reach {
    /// An AssertionError that nobody catches; assertions are enabled.
    Assertion,
    /// Any exception or error that nobody catches.
    Exception,
}

/// An exception that ended a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Thrown {
    /// Its class.
    pub(super) class: String,
    /// Its first line, as the JVM wrote it.
    pub(super) line: String,
    /// The first methods of its stack, `Class.method`, innermost first.
    #[serde(skip)]
    pub(super) methods: Vec<String>,
    /// Where it was thrown, as far as the stack says.
    pub(super) at: Option<String>,
}

/// What is searched, and where.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    pub(super) reach: Option<Reach>,
    pub(super) class: Option<String>,
    pub(super) method: Option<String>,
}

impl Target {
    /// Is it the exception that is searched?
    pub(super) fn is(&self, thrown: &Thrown) -> bool {
        let wanted = match self.reach {
            Some(Reach::Assertion) => thrown.class == "java.lang.AssertionError",
            Some(Reach::Exception) => true,
            None => false,
        };
        // The first method that is not the JDK's: it called what threw, or threw itself.
        let own =
            thrown.methods.iter().find(|method| !["java.", "jdk.", "sun."].iter().any(|jdk| method.starts_with(jdk)));
        let (class, method) = own.and_then(|own| own.rsplit_once('.')).unwrap_or_default();
        wanted
            && self.class.as_deref().is_none_or(|wanted| wanted == class)
            && self.method.as_deref().is_none_or(|wanted| wanted == method)
    }
}

/// The exceptions that ended threads, in what a program wrote to stderr.
pub(super) fn thrown(stderr: &str) -> Vec<Thrown> {
    let mut found: Vec<Thrown> = Vec::new();
    let mut reads_stack = false;
    for line in stderr.lines() {
        if let Some(rest) = line.strip_prefix("Exception in thread \"") {
            let Some((_, what)) = rest.split_once("\" ") else { continue };
            let class = what.split([':', ' ']).next().unwrap_or_default().to_owned();
            found.push(Thrown { class, line: line.to_owned(), methods: Vec::new(), at: None });
            reads_stack = true;
        } else if let Some(frame) = line.strip_prefix("\tat ").filter(|_| reads_stack) {
            let Some(thrown) = found.last_mut() else { continue };
            let (method, _) = frame.split_once('(').unwrap_or((frame, ""));
            thrown.methods.push(method.rsplit('/').next().unwrap_or(method).to_owned());
            thrown.at.get_or_insert_with(|| frame.to_owned());
        } else {
            // A cause has a stack of its own.
            reads_stack = false;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const STDERR: &str = "Picked up JAVA_TOOL_OPTIONS: x\nsome text\n\tat no.stack(X.java:1)\n\
        Exception in thread \"main\" java.lang.AssertionError: a \"b\" c\n\tat a.B.check(B.java:3)\n\tat a.B.main(B.java:9)\n\
        Caused by: x.Y\n\tat c.D.e(D.java:1)\n\
        Exception in thread \"T-0\" java.lang.NumberFormatException\n\tat java.base/java.lang.Integer.parseInt(Integer.java:1)\n\
        \tat app//a.C.run(C.java:4)\n";

    #[test]
    fn exceptions_are_read_as_the_jvm_writes_them() {
        let found = thrown(&STDERR.replace("a \"b\" c", "abc"));
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].class.as_str(), found[0].methods.len()), ("java.lang.AssertionError", 2));
        let target = |reach, class: Option<&str>, method: Option<&str>| Target {
            reach: Some(reach),
            class: class.map(str::to_owned),
            method: method.map(str::to_owned),
        };
        assert!(target(Reach::Assertion, Some("a.B"), Some("check")).is(&found[0]));
        assert!(!target(Reach::Assertion, Some("a.B"), Some("main")).is(&found[0]));
        assert!(!target(Reach::Assertion, None, None).is(&found[1]));
        assert!(target(Reach::Exception, Some("a.C"), Some("run")).is(&found[1]), "the JDK's own methods do not count");
        assert!(!Target::default().is(&found[0]));
    }

    #[test]
    fn text_of_the_program_is_no_exception() {
        assert_eq!(thrown("java.lang.AssertionError\n\tat a.B.c(B.java:1)\nException in thread x\n"), []);
    }
}
