//! What was predicted from one trace, by name.
//!
//! The JSON form is `autodrome.predict/1`, one entry for each two program locations.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::interleaving::Run;
use crate::offline::{Header, Offline, TraceRace, TraceResult, write_new};
use crate::race::LiveRace;
use crate::shards::{FoundIn, PartOf};
use crate::text::{counted, plain, plain_lines};
use crate::verdict::by_status;

pub(crate) const SCHEMA: &str = "autodrome.predict/1";

/// The races of other schedules that one trace shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prediction {
    /// What every result begins with.
    #[serde(flatten)]
    pub header: Header,
    /// The model's name.
    pub model: String,
    /// Windows looked at.
    pub windows: u64,
    /// Questions asked of the solver.
    pub queries: u64,
    /// Pairs of accesses of which nothing could be said.
    pub undecided: u64,
    /// Where in the program these are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided_locations: Vec<UndecidedLocations>,
    /// Events that nothing was asked about, because the time was up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_looked_at: Vec<EventRange>,
    /// Which part of the work it is, if it is not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<PartOf>,
    /// The races.
    pub races: Vec<PredictedRace>,
}

/// Events by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EventRange {
    /// The first.
    pub from: u64,
    /// The first after them; absent if they go on to the end of the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
}

impl fmt::Display for EventRange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            Some(to) => write!(out, "events {} to {}", self.from, to.saturating_sub(1)),
            None => write!(out, "all events from {} on", self.from),
        }
    }
}

/// Two program locations with accesses that were not decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UndecidedLocations {
    /// The two locations.
    pub locations: [String; 2],
    /// How many pairs of accesses.
    pub count: u64,
    /// The events of one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<[u64; 2]>,
    /// The locations as all shards of a trace number them, in the result of a shard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<[u64; 4]>,
}

/// One race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedRace {
    /// The race by name.
    #[serde(flatten)]
    pub race: TraceRace,
    /// All events before this one run first, as they did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// Then these run, in this order, and both accesses are next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Vec<u64>>,
    /// What the proof takes for granted beyond the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumes: Option<String>,
    /// The last of these by name, and both accesses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
    /// Where it was found, in the result of a shard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<FoundIn>,
}

impl AsRef<TraceRace> for PredictedRace {
    fn as_ref(&self) -> &TraceRace {
        &self.race
    }
}

impl Prediction {
    /// An empty result of a model.
    #[must_use]
    pub fn new(model: impl Into<String>) -> Self {
        Prediction { header: Header::new(SCHEMA), model: model.into(), ..Prediction::default() }
    }
}

impl Offline for Prediction {
    fn header(&self) -> &Header {
        &self.header
    }

    fn to_json(&self) -> serde_json::Result<String> {
        Ok(plain_lines(&serde_json::to_string(self)?).to_string())
    }

    fn live_races(&self) -> Vec<LiveRace> {
        self.races.iter().map(|race| LiveRace { run: race.run.clone(), ..race.race.as_live() }).collect()
    }

    fn races_mut(&mut self) -> impl Iterator<Item = &mut TraceRace> {
        self.races.iter_mut().map(|race| &mut race.race)
    }
}

impl From<Prediction> for TraceResult {
    fn from(prediction: Prediction) -> TraceResult {
        TraceResult::Prediction(prediction)
    }
}

/// Events of a witness that are shown in text.
const SHOWN: usize = 12;

impl fmt::Display for Prediction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_new(&self.races, out)?;
        for open in &self.undecided_locations {
            let [one, two] = &open.locations;
            writeln!(out, "UNDECIDED: {} at {} and {}", counted(open.count, "pair"), plain(one), plain(two))?;
        }
        for range in &self.not_looked_at {
            writeln!(out, "NOT LOOKED AT, the time was up: {range}")?;
        }
        self.header.write_notes(out)?;
        let shard = self.shard.as_ref().map_or_else(String::new, |shard| format!("; {shard}"));
        write!(
            out,
            "SUMMARY: autodrome: predict {}: {}{} in {}, {} undecided; {}, {}{shard}; {:.3} s",
            self.model,
            counted(self.races.len() as u64, "race"),
            by_status(self.races.iter().map(|race| race.race.status)),
            counted(self.header.events, "event"),
            counted(self.undecided, "pair"),
            counted(self.windows, "window"),
            if self.queries == 1 { "1 query".to_owned() } else { format!("{} queries", self.queries) },
            self.header.seconds
        )
    }
}

impl fmt::Display for PredictedRace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.race)?;
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
        match &self.assumes {
            Some(assumes) => write!(out, "\n  Assumes that {assumes}"),
            None => Ok(()),
        }
    }
}

/// Several models on one trace, as table 5.3 of the thesis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelComparison {
    /// What every result begins with.
    #[serde(flatten)]
    pub header: Header,
    /// How many races there truly are, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<u64>,
    /// One row for each model.
    pub models: Vec<ModelResult>,
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
        let seconds = models.iter().map(|model| model.seconds).sum();
        ModelComparison { header: Header { seconds, notes, ..Header::new("autodrome.models/1") }, truth, models }
    }

    /// The comparison as JSON text.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(plain_lines(&serde_json::to_string_pretty(self)?).to_string())
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
        for note in &self.header.notes {
            write!(out, "\nNOTE: {}", plain(note))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use model::Grade;

    use super::*;
    use crate::offline::samples::trace_race;

    fn prediction() -> Prediction {
        let mut prediction = Prediction::new("mc");
        prediction.header.events = 50;
        prediction.windows = 2;
        prediction.queries = 3;
        prediction.races = vec![PredictedRace {
            race: trace_race(Grade::Predicted, [21, 37]),
            after: Some(20),
            witness: Some((22..37).collect()),
            assumes: None,
            run: None,
            part: None,
        }];
        prediction
    }

    #[test]
    fn what_is_taken_for_granted_is_told() {
        let mut prediction = prediction();
        prediction.races[0].assumes = Some("nobody lies".to_owned());
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
