//! The pages of `docs/races`, one for each pattern: an example, why it is wrong, what mends it. `autodrome explain` shows them, and
//! SARIF's rules carry them, so that they can be read without a network.

use super::Pattern;

/// A pattern, the short name of its page, and the page in Markdown.
pub const PAGES: [(Pattern, &str, &str); 14] = [
    (Pattern::CheckThenAct, "check-then-act", include_str!("../../../../docs/races/check-then-act.md")),
    (Pattern::ClosedWhileUsed, "closed-while-in-use", include_str!("../../../../docs/races/closed-while-in-use.md")),
    (Pattern::UnsynchronisedCounter, "counter", include_str!("../../../../docs/races/counter.md")),
    (Pattern::DifferentLocks, "different-locks", include_str!("../../../../docs/races/different-locks.md")),
    (
        Pattern::DoubleCheckedLocking,
        "double-checked-locking",
        include_str!("../../../../docs/races/double-checked-locking.md"),
    ),
    (
        Pattern::InconsistentLocking,
        "inconsistent-locking",
        include_str!("../../../../docs/races/inconsistent-locking.md"),
    ),
    (Pattern::LazyInitialisation, "lazy-initialisation", include_str!("../../../../docs/races/lazy-initialisation.md")),
    (Pattern::TornValue, "long-or-double", include_str!("../../../../docs/races/long-or-double.md")),
    (Pattern::UnsafePublication, "publication", include_str!("../../../../docs/races/publication.md")),
    (Pattern::RefreshedValue, "refreshed-value", include_str!("../../../../docs/races/refreshed-value.md")),
    (Pattern::ResultNotAwaited, "result-not-awaited", include_str!("../../../../docs/races/result-not-awaited.md")),
    (Pattern::SharedObject, "shared-object", include_str!("../../../../docs/races/shared-object.md")),
    (Pattern::StopFlag, "stop-flag", include_str!("../../../../docs/races/stop-flag.md")),
    (
        Pattern::WriteUnderReadLock,
        "write-under-read-lock",
        include_str!("../../../../docs/races/write-under-read-lock.md"),
    ),
];

impl Pattern {
    /// The short name of its page.
    #[must_use]
    pub fn page_name(self) -> &'static str {
        PAGES.iter().find(|(pattern, ..)| *pattern == self).map_or("", |(_, name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_that_of_its_pattern_and_has_an_example_and_what_mends_it() {
        for (pattern, name, page) in PAGES {
            assert_eq!(pattern.page_name(), name);
            assert!(page.to_lowercase().starts_with(&format!("# {}\n", pattern.name())), "{name}");
            assert!(page.matches("```java\n").count() >= 2, "{name}: what is wrong, and what mends it");
        }
    }
}
