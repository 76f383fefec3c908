//! Which places are sampled: some of all, or those of a list.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use runtime::{Rate, SampledPlace, is_chosen};
use weave::{AccessAt, Choices, Sampled};

use crate::sites::{dotted, text};

/// What decides.
pub(super) enum Chosen {
    /// A part of all, by a seed.
    Part(Rate, u64),
    /// The accesses in these lines: `com.acme.Main.run`, 17.
    Listed(HashSet<(String, u16)>),
}

impl Chosen {
    /// Reads a list: a place on each line, `com.acme.Main.run:17` or as reports show it, `com.acme.Main.run(Main.java:17)`; `#`
    /// starts a comment.
    pub(super) fn read(file: &Path) -> io::Result<Chosen> {
        let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {why}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let read = |line: &str| place(line).ok_or_else(|| wrong(format!("`{line}` is no place such as a.B.method:17")));
        Ok(Chosen::Listed(lines.map(read).collect::<io::Result<_>>()?))
    }

    /// Is no place sampled at all?
    pub(super) fn is_nothing(&self) -> bool {
        match self {
            Chosen::Part(rate, _) => *rate == Rate::NONE,
            Chosen::Listed(places) => places.is_empty(),
        }
    }

    fn has(&self, access: &AccessAt<'_>) -> bool {
        match self {
            Chosen::Part(rate, seed) => {
                let AccessAt { class, method, descriptor, bytecode, .. } = *access;
                is_chosen(*seed, *rate, &SampledPlace { class, method, descriptor, bytecode })
            }
            Chosen::Listed(places) => access.line.is_some_and(|line| {
                let method = format!("{}.{}", dotted(&text(access.class)), text(access.method));
                places.contains(&(method, line))
            }),
        }
    }
}

fn place(line: &str) -> Option<(String, u16)> {
    let (method, number) = match line.strip_suffix(')') {
        Some(shown) => {
            let (method, file) = shown.split_once('(')?;
            (method, file.rsplit_once(':')?.1)
        }
        None => line.rsplit_once(':')?,
    };
    (method.contains('.') && !method.contains(char::is_whitespace)).then_some(())?;
    Some((method.to_owned(), number.parse().ok()?))
}

/// What the accesses of a class in which races are looked for get.
pub(super) struct Choosing<'a> {
    pub(super) chosen: &'a Chosen,
    /// What those get that are not sampled.
    pub(super) others: Sampled,
}

impl Choices for Choosing<'_> {
    fn sampled(&self, access: &AccessAt<'_>) -> Sampled {
        if self.chosen.has(access) { Sampled::Samples } else { self.others }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_written_and_as_reports_show_them() {
        let expected = Some(("com.acme.Main.run".to_owned(), 17));
        assert_eq!(place("com.acme.Main.run:17"), expected);
        assert_eq!(place("com.acme.Main.run(Main.java:17)"), expected);
        assert_eq!(place("a.B.<init>:3"), Some(("a.B.<init>".to_owned(), 3)));
        for wrong in ["run:17", "a.B.c", "a.B.c:x", "a b.c:1", "a.B.c(Unknown Source)", "a.B.c:70000"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_list_that_is_wrong_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sites");
        std::fs::write(&file, "# seen last week\n\na.B.c:7\n").unwrap();
        let chosen = Chosen::read(&file).unwrap();
        let at = |line| AccessAt { class: b"a/B", method: b"c", descriptor: b"()V", bytecode: 0, line };
        assert!(chosen.has(&at(Some(7))) && !chosen.has(&at(Some(8))) && !chosen.has(&at(None)));
        std::fs::write(&file, "nonsense\n").unwrap();
        assert!(Chosen::read(&file).is_err_and(|error| error.to_string().contains("`nonsense` is no place")));
        assert!(Chosen::read(&folder.path().join("none")).is_err());
    }
}
