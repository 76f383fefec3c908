//! What was predicted from one trace, by name.
//!
//! The JSON form is `autodrome.predict/1`, one entry for each two program locations.

use std::fmt;

use serde::Serialize;

use crate::analysis::AnalysisAccess;
use crate::interleaving::Run;
use crate::text::{capital, counted};
use crate::verdict::{Status, by_status};

/// The races of other schedules that one trace shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    schema: &'static str,
    /// The model's name.
    pub model: String,
    /// Events read.
    pub events: u64,
    /// Windows looked at.
    pub windows: u64,
    /// Questions asked of the solver.
    pub queries: u64,
    /// Pairs of accesses of which nothing could be said.
    pub undecided: u64,
    /// Where in the program these are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided_locations: Vec<UndecidedLocations>,
    /// How long it took.
    pub seconds: f64,
    /// Processor time of the whole process, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// The most memory that the process held, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_kilobytes: Option<u64>,
    /// The races.
    pub races: Vec<PredictedRace>,
    /// What a reader must know before trusting the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Two program locations with accesses that were not decided.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UndecidedLocations {
    /// The two locations.
    pub locations: [String; 2],
    /// How many pairs of accesses.
    pub count: u64,
    /// The events of one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<[u64; 2]>,
}

/// One race.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PredictedRace {
    /// Its fingerprint.
    pub id: String,
    /// Whether anyone has to look at it.
    #[serde(skip_serializing_if = "Status::is_new")]
    pub status: Status,
    /// The location's name in the trace.
    pub variable: String,
    /// How well the race is proved.
    pub grade: &'static str,
    /// The access that came first in the trace.
    pub earlier: AnalysisAccess,
    /// The access that came second.
    pub later: AnalysisAccess,
    /// All events before this one run first, as they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// Then these run, in this order, and both accesses are next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Vec<u64>>,
    /// What the proof takes for granted beyond the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumes: Option<&'static str>,
    /// The last of these by name, and both accesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

impl Prediction {
    /// An empty result of a model.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Prediction {
            schema: "autodrome.predict/1",
            model: model.into(),
            events: 0,
            windows: 0,
            queries: 0,
            undecided: 0,
            undecided_locations: Vec::new(),
            seconds: 0.0,
            cpu_seconds: None,
            peak_kilobytes: None,
            races: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Events of a witness that are shown in text.
const SHOWN: usize = 12;

impl fmt::Display for Prediction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut new = self.races.iter().filter(|race| race.status.is_new()).peekable();
        let some = new.peek().is_some();
        for race in new {
            writeln!(out, "==================\n{race}")?;
        }
        if some {
            writeln!(out, "==================")?;
        }
        for open in &self.undecided_locations {
            let [one, two] = &open.locations;
            writeln!(out, "UNDECIDED: {} at {one} and {two}", counted(open.count, "pair"))?;
        }
        for note in &self.notes {
            writeln!(out, "NOTE: {note}")?;
        }
        write!(
            out,
            "SUMMARY: autodrome: predict {}: {}{} in {}, {} undecided; {}, {}; {:.3} s",
            self.model,
            counted(self.races.len() as u64, "race"),
            by_status(self.races.iter().map(|race| race.status)),
            counted(self.events, "event"),
            counted(self.undecided, "pair"),
            counted(self.windows, "window"),
            if self.queries == 1 { "1 query".to_owned() } else { format!("{} queries", self.queries) },
            self.seconds
        )
    }
}

impl fmt::Display for PredictedRace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "WARNING: DATA RACE on {} [{}]  {}", self.variable, self.id, self.grade)?;
        writeln!(out, "  {}", self.later.sentence(capital(self.later.op)))?;
        write!(out, "  {}", self.earlier.sentence(format!("Earlier {}", self.earlier.op)))?;
        let Some(witness) = &self.witness else { return Ok(()) };
        let mut parts: Vec<String> = Vec::new();
        if let Some(after) = self.after.filter(|&after| after > 0) {
            parts.push(format!("all before event {after}"));
        }
        if !witness.is_empty() {
            let shown: Vec<String> = witness.iter().take(SHOWN).map(u64::to_string).collect();
            let rest = witness.len().saturating_sub(SHOWN);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            parts.push(format!("{}{more}", shown.join(" ")));
        }
        let run = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", then ") };
        write!(out, "\n  Witness: run {run}; both accesses come next")?;
        match self.assumes {
            Some(assumes) => write!(out, "\n  Assumes that {assumes}"),
            None => Ok(()),
        }
    }
}

/// Several models on one trace, as table 5.3 of the thesis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelComparison {
    schema: &'static str,
    /// How many races there truly are, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<u64>,
    /// One row for each model.
    pub models: Vec<ModelResult>,
    /// What a reader must know before trusting the result.
    pub notes: Vec<String>,
}

/// What one model found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelResult {
    /// The model's name.
    pub model: String,
    /// Races, one for each variable and two program locations.
    pub races: u64,
    /// Those that are none, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub false_alarms: Option<u64>,
    /// Races of which it could not be said whether they are any.
    #[serde(skip_serializing_if = "is_none")]
    pub doubtful: u64,
    /// The false alarms by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alarms: Vec<String>,
    /// The true races that it lacks by name, and why, if that is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
    /// Pairs of accesses of which nothing could be said.
    pub undecided: u64,
    /// How long it took.
    pub seconds: f64,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

impl ModelComparison {
    /// Puts results side by side.
    #[must_use]
    pub fn new(truth: Option<u64>, models: Vec<ModelResult>, notes: Vec<String>) -> Self {
        ModelComparison { schema: "autodrome.models/1", truth, models, notes }
    }

    /// The comparison as JSON text.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}

impl fmt::Display for ModelComparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:<7} {:>6} {:>6} {:>6} {:>10}", "model", "races", "true", "false", "undecided")?;
        for row in &self.models {
            let known = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
            let right = row.false_alarms.map(|wrong| row.races.saturating_sub(wrong + row.doubtful));
            let (right, wrong) = (known(right), known(row.false_alarms));
            write!(out, "\n{:<7} {:>6} {right:>6} {wrong:>6} {:>10}", row.model, row.races, row.undecided)?;
        }
        if let Some(truth) = self.truth {
            write!(out, "\nTRUTH: {}", counted(truth, "race"))?;
        }
        for note in &self.notes {
            write!(out, "\nNOTE: {note}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Offline;

    fn access(thread: &str, op: &'static str, location: &str, event: u64) -> AnalysisAccess {
        AnalysisAccess { thread: thread.into(), title: None, op, location: location.into(), event }
    }

    fn prediction() -> Prediction {
        let mut prediction = Prediction::new("mc");
        prediction.events = 50;
        prediction.windows = 2;
        prediction.queries = 3;
        prediction.races = vec![PredictedRace {
            id: "R-00000001".into(),
            status: Status::New,
            variable: "x".into(),
            grade: "predicted",
            earlier: access("T0", "read", "A:1", 21),
            later: access("T1", "write", "B:2", 37),
            after: Some(20),
            witness: Some((22..37).collect()),
            assumes: None,
            run: None,
        }];
        prediction
    }

    #[test]
    fn what_is_taken_for_granted_is_told() {
        let mut prediction = prediction();
        prediction.races[0].assumes = Some("nobody lies");
        assert!(prediction.to_string().contains("come next\n  Assumes that nobody lies\n==="));
        assert!(prediction.to_json().unwrap().contains("\"assumes\":\"nobody lies\""));
    }

    #[test]
    fn text_tells_the_witness() {
        assert_eq!(
            prediction().to_string(),
            "==================\n\
             WARNING: DATA RACE on x [R-00000001]  predicted\n\
             \x20 Write by thread T1 at B:2 (event 37)\n\
             \x20 Earlier read by thread T0 at A:1 (event 21)\n\
             \x20 Witness: run all before event 20, then 22 23 24 25 26 27 28 29 30 31 32 33 and 3 more; \
             both accesses come next\n\
             ==================\n\
             SUMMARY: autodrome: predict mc: 1 race in 50 events, 0 pairs undecided; 2 windows, 3 queries; 0.000 s"
        );
    }

    #[test]
    fn json_has_the_promised_fields() {
        let json: serde_json::Value = serde_json::from_str(&prediction().to_json().unwrap()).unwrap();
        for field in ["schema", "model", "windows", "queries", "undecided", "seconds", "races"] {
            assert!(json.get(field).is_some(), "{field}");
        }
        assert_eq!(json["races"][0]["witness"][0], 22);
        assert_eq!(json["races"][0]["earlier"]["location"], "A:1");
    }
}
