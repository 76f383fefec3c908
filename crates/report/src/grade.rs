//! Grades in JSON: by name, as ever. And how a race was executed, if its grade says that it was.

use std::fmt;

use model::Grade;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::plain;

pub(crate) fn serialize<S: Serializer>(grade: &Grade, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(grade.name())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Grade, D::Error> {
    let name = String::deserialize(deserializer)?;
    Grade::from_name(&name).ok_or_else(|| {
        let names = Grade::ALL.map(Grade::name).join(", ");
        D::Error::custom(format!("`{name}` is no grade: expected one of {names}"))
    })
}

/// How a race was executed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// The file of the schedule that the runs followed, if one was stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// The input that the runs had, if it was not the program's usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// In how many runs both accesses met.
    pub shown: u64,
    /// How many runs there were.
    pub runs: u64,
}

impl Execution {
    /// Are these runs of the same schedule with the same input?
    fn repeats(&self, other: &Execution) -> bool {
        self.schedule == other.schedule && self.input == other.input
    }
}

impl fmt::Display for Execution {
    /// `shown in 5 of 5 runs, by schedule r.schedule, with input i.json`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "shown in {} of {} run{}", self.shown, self.runs, if self.runs == 1 { "" } else { "s" })?;
        if let Some(schedule) = &self.schedule {
            write!(out, ", by schedule {}", plain(schedule))?;
        }
        if let Some(input) = &self.input {
            write!(out, ", with input {}", plain(input))?;
        }
        Ok(())
    }
}

/// A grade and the execution behind it: what is known of one race.
pub(crate) type Proof = (Grade, Option<Execution>);

/// What two reports of one race prove together: the higher grade wins, with its execution. Runs of one schedule add up, and
/// a race that one of them did not show is not replayed, only caught.
pub(crate) fn merged(one: Proof, two: Proof) -> Proof {
    match (one, two) {
        ((one_grade, Some(one)), (two_grade, Some(two))) if one.repeats(&two) => {
            let (shown, runs) = (one.shown.saturating_add(two.shown), one.runs.saturating_add(two.runs));
            let grade = one_grade.max(two_grade);
            let grade = if shown < runs { grade.min(Grade::Caught) } else { grade };
            (grade, Some(Execution { shown, runs, ..one }))
        }
        (one, two) => {
            let shown = |proof: &Proof| (proof.0, proof.1.as_ref().map(|execution| execution.shown));
            if shown(&two) > shown(&one) { two } else { one }
        }
    }
}

/// A grade as texts show it: `replayed 5/5`.
pub(crate) fn shown(grade: Grade, execution: Option<&Execution>) -> String {
    match (grade, execution) {
        (Grade::Replayed, Some(execution)) => format!("{grade} {}/{}", execution.shown, execution.runs),
        _ => grade.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executed(grade: Grade, schedule: &str, shown: u64, runs: u64) -> Proof {
        (grade, Some(Execution { schedule: Some(schedule.to_owned()), input: None, shown, runs }))
    }

    #[test]
    fn the_higher_grade_wins_with_its_execution() {
        let caught = executed(Grade::Caught, "a", 1, 10);
        for weaker in [Grade::Possible, Grade::Unordered, Grade::Predicted] {
            assert_eq!(merged((weaker, None), caught.clone()), caught);
            assert_eq!(merged(caught.clone(), (weaker, None)), caught);
        }
        let replayed = executed(Grade::Replayed, "b", 5, 5);
        assert_eq!(merged(caught, replayed.clone()), replayed, "of two schedules, that of the higher grade");
        let more = executed(Grade::Replayed, "c", 9, 9);
        assert_eq!(merged(replayed, more.clone()), more, "of two replayed schedules, the one with more runs");
    }

    #[test]
    fn runs_of_one_schedule_add_up() {
        let replayed = executed(Grade::Replayed, "a", 5, 5);
        let twice = executed(Grade::Replayed, "a", 10, 10);
        assert_eq!(merged(replayed.clone(), replayed.clone()), twice);
        let failed = executed(Grade::Caught, "a", 4, 5);
        assert_eq!(merged(replayed, failed), executed(Grade::Caught, "a", 9, 10), "one run did not show it");
    }
}
