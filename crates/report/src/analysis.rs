//! What one detector found in one trace, by name.
//!
//! The JSON form is `autodrome.analyze/1`. The number goes up when a field changes its meaning or goes away; new
//! fields come without a new number.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::read::fingerprint;
use crate::text::{capital, counted};
use crate::verdict::{Status, by_status};

/// The result of one detector on one trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    schema: &'static str,
    /// The detector's name.
    pub detector: String,
    /// Events read.
    pub events: u64,
    /// Accesses that a filter kept from the detector.
    pub skipped: u64,
    /// The filters in front of the detector.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<FilterUse>,
    /// How long reading and detecting took.
    pub seconds: f64,
    /// Processor time of the whole process, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// The most memory that the process held, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_kilobytes: Option<u64>,
    /// The locations with a race, in the order of first sight.
    pub racy_variables: Vec<String>,
    /// The races, in the order of first sight.
    pub races: Vec<AnalysisRace>,
    /// How often each rule of the detector fired.
    pub rules: BTreeMap<String, u64>,
    /// What a reader must know before trusting the result: a truncated trace, damaged blocks passed over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What one filter did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilterUse {
    /// The filter's name.
    pub name: String,
    /// Events that it judged.
    pub events: u64,
    /// Events that it dropped.
    pub skipped: u64,
    /// Bytes of its own state at the end.
    pub bytes: u64,
}

/// One race.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisRace {
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
    /// How often this race was reported.
    pub count: u64,
    /// The lock that seems to be meant for the variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
    /// A feasible run that ends just before both accesses: how many events of each thread, in the trace's order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<BTreeMap<String, u64>>,
}

/// A lock that most accesses of a variable hold, and not all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// The lock's name in the trace.
    pub lock: String,
    /// In how many accesses it is held.
    pub held: u64,
    /// Of how many.
    pub accesses: u64,
}

impl fmt::Display for Guard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} is held in {} of {} accesses", self.lock, self.held, self.accesses)
    }
}

/// One side of a race.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisAccess {
    /// The thread's name in the trace.
    pub thread: String,
    /// The thread's own name in the program, where the trace knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `read` or `write`.
    pub op: &'static str,
    /// The program location's name in the trace.
    pub location: String,
    /// The event's position in the trace, counted from 0.
    pub event: u64,
}

impl Analysis {
    /// An empty result of a detector.
    #[must_use]
    pub fn new(detector: impl Into<String>) -> Self {
        Analysis {
            schema: "autodrome.analyze/1",
            detector: detector.into(),
            events: 0,
            skipped: 0,
            filters: Vec::new(),
            seconds: 0.0,
            cpu_seconds: None,
            peak_kilobytes: None,
            racy_variables: Vec::new(),
            races: Vec::new(),
            rules: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    fn millions_per_second(&self) -> f64 {
        self.events as f64 / self.seconds.max(1e-9) / 1e6
    }
}

/// Below this many events, starting up takes longer than the events do.
const WORTH_A_RATE: u64 = 100_000;

impl fmt::Display for Analysis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut new = self.races.iter().filter(|race| race.status.is_new()).peekable();
        let some = new.peek().is_some();
        for race in new {
            writeln!(out, "==================\n{race}")?;
        }
        if some {
            writeln!(out, "==================")?;
        }
        for note in &self.notes {
            writeln!(out, "NOTE: {note}")?;
        }
        for filter in &self.filters {
            writeln!(
                out,
                "Filter {}: {} of {} skipped ({:.1} %), {} kB of history",
                filter.name,
                filter.skipped,
                counted(filter.events, "event"),
                percent(filter.skipped, filter.events),
                filter.bytes.div_ceil(1024)
            )?;
        }
        write!(
            out,
            "SUMMARY: autodrome: {}: {}{} on {} in {}; {:.3} s",
            self.detector,
            counted(self.races.len() as u64, "race"),
            by_status(self.races.iter().map(|race| race.status)),
            counted(self.racy_variables.len() as u64, "variable"),
            counted(self.events, "event"),
            self.seconds
        )?;
        if self.events < WORTH_A_RATE {
            return Ok(());
        }
        write!(out, ", {:.1} million events/s", self.millions_per_second())
    }
}

impl AnalysisRace {
    /// The fingerprint of a race between two locations of a trace.
    #[must_use]
    pub fn name(variable: &str, one: &str, two: &str) -> String {
        fingerprint(variable, one, two).to_string()
    }
}

impl fmt::Display for AnalysisRace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "WARNING: DATA RACE on {} [{}]  {}", self.variable, self.id, self.grade)?;
        writeln!(out, "  {}", self.later.sentence(capital(self.later.op)))?;
        write!(out, "  {}", self.earlier.sentence(format!("Earlier {}", self.earlier.op)))?;
        if let Some(witness) = &self.witness {
            let prefix: Vec<String> = witness.iter().map(|(thread, count)| format!("{count} of {thread}")).collect();
            let events = if prefix.is_empty() { "nothing".to_owned() } else { prefix.join(", ") };
            write!(out, "\n  Witness: run {events}, in the order of the trace; both accesses come next")?;
        }
        if let Some(guard) = &self.guard {
            write!(out, "\n  Looks like inconsistent locking: {guard}")?;
        }
        if self.count > 1 {
            write!(out, "\n  Reported {} times; this is the first", self.count)?;
        }
        Ok(())
    }
}

impl AnalysisAccess {
    pub(crate) fn sentence(&self, what: String) -> String {
        let title = self.title.as_ref().map_or_else(String::new, |title| format!(" {title:?}"));
        format!("{what} by thread {}{title} at {} (event {})", self.thread, self.location, self.event)
    }
}

/// Several detectors on one trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    schema: &'static str,
    /// One result per detector.
    pub analyses: Vec<Analysis>,
}

impl Comparison {
    /// Puts results side by side.
    #[must_use]
    pub fn new(analyses: Vec<Analysis>) -> Self {
        Comparison { schema: "autodrome.compare/1", analyses }
    }

    /// The comparison as JSON text.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{:<10} {:>9} {:>7} {:>9} {:>10} {:>9} {:>9}",
            "detector", "variables", "races", "reported", "skipped", "seconds", "Mevents/s"
        )?;
        for analysis in &self.analyses {
            writeln!(
                out,
                "{:<10} {:>9} {:>7} {:>9} {:>10} {:>9.3} {:>9.2}",
                analysis.detector,
                analysis.racy_variables.len(),
                analysis.races.len(),
                analysis.races.iter().map(|race| race.count).sum::<u64>(),
                analysis.skipped,
                analysis.seconds,
                analysis.millions_per_second()
            )?;
        }
        let mut notes: Vec<&String> = self.analyses.iter().flat_map(|analysis| &analysis.notes).collect();
        notes.dedup();
        for note in notes {
            writeln!(out, "NOTE: {note}")?;
        }
        Ok(())
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Offline;

    fn access(thread: &str, op: &'static str, location: &str, event: u64) -> AnalysisAccess {
        AnalysisAccess { thread: thread.into(), title: None, op, location: location.into(), event }
    }

    fn analysis() -> Analysis {
        let mut analysis = Analysis::new("fasttrack");
        analysis.events = 8;
        analysis.seconds = 0.5;
        analysis.racy_variables = vec!["x".into()];
        analysis.races = vec![AnalysisRace {
            id: "R-00000001".into(),
            status: Status::New,
            variable: "x".into(),
            grade: "unordered",
            earlier: access("T0", "read", "A:1", 3),
            later: access("T1", "write", "B:2", 7),
            count: 2,
            guard: None,
            witness: None,
        }];
        analysis
    }

    #[test]
    fn text_names_both_accesses() {
        assert_eq!(
            analysis().to_string(),
            "==================\n\
             WARNING: DATA RACE on x [R-00000001]  unordered\n\
             \x20 Write by thread T1 at B:2 (event 7)\n\
             \x20 Earlier read by thread T0 at A:1 (event 3)\n\
             \x20 Reported 2 times; this is the first\n\
             ==================\n\
             SUMMARY: autodrome: fasttrack: 1 race on 1 variable in 8 events; 0.500 s"
        );
    }

    #[test]
    fn json_has_the_promised_fields() {
        let json: serde_json::Value = serde_json::from_str(&analysis().to_json().unwrap()).unwrap();
        assert_eq!(json["schema"], "autodrome.analyze/1");
        assert_eq!(json["races"][0]["earlier"]["location"], "A:1");
        assert_eq!(json["races"][0]["later"]["event"], 7);
        assert_eq!(json["racy_variables"][0], "x");
        assert!(json["races"][0].get("witness").is_none());
    }
}
