//! Names for the locks of a race, L1 and on, and what is certain of them.
//!
//! Two accesses under one lock are ordered, unless both hold it for reading. So in a race that was observed, or executed, the
//! locks of the two threads are different objects, whatever their classes are called. Of candidates (grade `possible`) that is
//! not certain: another access may have been what left no lock in common.

use model::Grade;

use crate::race::{LiveRace, Lock};

/// How the name of a lock ends that is held for reading.
pub(crate) const FOR_READING: &str = " for reading";

/// Names for the locks of both sides, if both hold some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LockNames {
    pub(crate) later: Vec<String>,
    pub(crate) earlier: Vec<String>,
    /// That they are different objects.
    pub(crate) sentence: Option<String>,
}

impl LockNames {
    pub(crate) fn of(race: &LiveRace) -> LockNames {
        let (later, earlier) = (&race.later.locks, &race.earlier.locks);
        if later.is_empty() || earlier.is_empty() || race.grade == Grade::Possible {
            return LockNames::default();
        }
        let mut names = (1..).map(|number| format!("L{number}"));
        let later_names: Vec<String> = names.by_ref().take(later.len()).collect();
        let earlier_names: Vec<String> = names.take(earlier.len()).collect();
        let for_reading = |locks: &[Lock]| locks.iter().any(|lock| lock.class.ends_with(FOR_READING));
        let sentence = (!for_reading(later) || !for_reading(earlier)).then(|| {
            let (one, other) = (later_names.join(", "), earlier_names.join(", "));
            match later.len() + earlier.len() {
                2 => format!("{one} and {other} are different objects: neither thread waits for the other"),
                _ => format!("None of {one} is the same object as one of {other}: neither thread waits for the other"),
            }
        });
        LockNames { later: later_names, earlier: earlier_names, sentence }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::samples::race;

    fn locks(later: &[&str], earlier: &[&str]) -> LiveRace {
        let lock = |class: &&str| Lock { class: (*class).to_owned(), taken_at: "a.Main.n(Main.java:3)".to_owned() };
        let mut race = race("R-00000001");
        race.later.locks = later.iter().map(lock).collect();
        race.earlier.locks = earlier.iter().map(lock).collect();
        race
    }

    #[test]
    fn locks_of_two_sides_are_named_and_told_apart() {
        let race = locks(&["a.Main"], &["a.Main"]);
        let text = race.to_string();
        assert!(text.contains("holding {L1 a.Main taken at a.Main.n(Main.java:3)}"), "{text}");
        assert!(text.contains("holding {L2 a.Main taken"), "{text}");
        assert!(text.contains("  L1 and L2 are different objects: neither thread waits for the other\n"), "{text}");
    }

    #[test]
    fn several_locks_are_told_apart_as_two_groups() {
        let names = LockNames::of(&locks(&["a", "b"], &["a"]));
        assert!(names.sentence.unwrap().starts_with("None of L1, L2 is the same object as one of L3"));
    }

    #[test]
    fn nothing_is_said_of_one_read_lock_or_of_a_candidate() {
        assert_eq!(LockNames::of(&locks(&["a for reading"], &["a for reading"])).sentence, None);
        let possible = LiveRace { grade: Grade::Possible, ..locks(&["a"], &["a"]) };
        assert_eq!(LockNames::of(&possible), LockNames::default());
        assert_eq!(LockNames::of(&locks(&["a"], &[])), LockNames::default());
    }
}
