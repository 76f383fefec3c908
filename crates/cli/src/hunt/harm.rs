//! What follows from the order of a race's accesses: runs in which it was caught, one order against the other.

use report::Report;
use schedule::{First, Outcome, Plan};
use serde::Serialize;

use super::candidates;
use super::record::RunRecord;

/// The candidates that a run caught.
pub(super) fn caught(plan: &Plan, outcome: &Outcome, report: &Report) -> Vec<String> {
    let caught = outcome.tried.iter().filter(|tried| tried.catches > 0);
    let name = |candidate| candidates::name_in(report, candidate);
    caught.filter_map(|tried| plan.candidates.get(tried.candidate)).map(name).collect()
}

/// What differs between the two orders of a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Harm {
    /// The race.
    race: String,
    /// How runs ended in which its earlier access went first.
    earlier_first: Vec<String>,
    /// How runs ended in which its later access went first.
    later_first: Vec<String>,
}

/// So many of the last lines say how a run ended.
const LINES: usize = 3;

/// How a run ended.
fn end(run: &RunRecord) -> String {
    match (&run.failure, run.exit_code) {
        (Some(failure), _) => failure.clone(),
        (None, 0) if run.output.is_empty() => "the program prints nothing".to_owned(),
        (None, 0) => {
            let last = run.output.len().saturating_sub(LINES);
            format!("the program prints at last {:?}", run.output[last..].join(" / "))
        }
        (None, code) => format!("the program ends with {code}"),
    }
}

impl Harm {
    /// Of all runs that caught a race; `None` if one order was never executed, or if nothing differs.
    pub(super) fn of(race: &str, runs: &[RunRecord]) -> Option<Harm> {
        let ends = |first: First| {
            let with = runs.iter().filter(|run| run.first == first && run.caught.iter().any(|caught| caught == race));
            let mut ends: Vec<String> = with.map(end).collect();
            ends.sort();
            ends.dedup();
            ends
        };
        let (earlier_first, later_first) = (ends(First::First), ends(First::Second));
        let differs = !earlier_first.is_empty() && !later_first.is_empty() && earlier_first != later_first;
        differs.then(|| Harm { race: race.to_owned(), earlier_first, later_first })
    }

    /// As a line says it.
    pub(super) fn line(&self) -> String {
        format!(
            "[{}] the order matters: earlier access first: {}; later access first: {}",
            self.race,
            self.earlier_first.join(" or "),
            self.later_first.join(" or ")
        )
    }
}
