//! What one detector found in one trace, by name.
//!
//! The JSON form is `autodrome.analyze/1`. The number goes up when a field changes its meaning or goes away; new
//! fields come without a new number.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::explain;
use crate::offline::{Header, Offline, TraceRace, TraceResult, write_new};
use crate::race::LiveRace;
use crate::text::{counted, plain, plain_lines};
use crate::verdict::{Verdict, by_status};

pub(crate) const SCHEMA: &str = "autodrome.analyze/1";

/// The result of one detector on one trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Analysis {
    /// What every result begins with.
    #[serde(flatten)]
    pub header: Header,
    /// The detector's name.
    pub detector: String,
    /// Accesses that a filter kept from the detector.
    pub skipped: u64,
    /// The filters in front of the detector.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<FilterUse>,
    /// The locations with a race, in the order of first sight.
    pub racy_variables: Vec<String>,
    /// The races, in the order of first sight.
    pub races: Vec<AnalysisRace>,
    /// How often each rule of the detector fired.
    pub rules: BTreeMap<String, u64>,
}

/// What one filter did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnalysisRace {
    /// The race by name.
    #[serde(flatten)]
    pub race: TraceRace,
    /// How often this race was reported.
    #[serde(default = "once")]
    pub count: u64,
    /// The lock that seems to be meant for the variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
    /// A feasible run that ends just before both accesses: how many events of each thread, in the trace's order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<BTreeMap<String, u64>>,
}

fn once() -> u64 {
    1
}

impl AsRef<TraceRace> for AnalysisRace {
    fn as_ref(&self) -> &TraceRace {
        &self.race
    }
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
        write!(out, "{} is held in {} of {} accesses", plain(&self.lock), self.held, self.accesses)
    }
}

impl Analysis {
    /// An empty result of a detector.
    #[must_use]
    pub fn new(detector: impl Into<String>) -> Self {
        Analysis { header: Header::new(SCHEMA), detector: detector.into(), ..Analysis::default() }
    }

    fn millions_per_second(&self) -> f64 {
        self.header.events as f64 / self.header.seconds.max(1e-9) / 1e6
    }
}

/// Below this many events, starting up takes longer than the events do.
const WORTH_A_RATE: u64 = 100_000;

impl fmt::Display for Analysis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_new(&self.races, out)?;
        self.header.write_notes(out)?;
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
            by_status(self.races.iter().map(|race| race.race.status)),
            counted(self.racy_variables.len() as u64, "variable"),
            counted(self.header.events, "event"),
            self.header.seconds
        )?;
        if self.header.events < WORTH_A_RATE {
            return Ok(());
        }
        write!(out, ", {:.1} million events/s", self.millions_per_second())
    }
}

impl Offline for Analysis {
    fn header(&self) -> &Header {
        &self.header
    }

    fn to_json(&self) -> serde_json::Result<String> {
        Ok(plain_lines(&serde_json::to_string_pretty(self)?).to_string())
    }

    fn live_races(&self) -> Vec<LiveRace> {
        let live = |race: &AnalysisRace| {
            let explanation = race.guard.as_ref().map(explain::inconsistently_guarded);
            LiveRace {
                count: race.count,
                verdict: Verdict { explanation, ..Verdict::default() },
                ..race.race.as_live()
            }
        };
        self.races.iter().map(live).collect()
    }

    fn races_mut(&mut self) -> impl Iterator<Item = &mut TraceRace> {
        self.races.iter_mut().map(|race| &mut race.race)
    }
}

impl From<Analysis> for TraceResult {
    fn from(analysis: Analysis) -> TraceResult {
        TraceResult::Analysis(analysis)
    }
}

impl fmt::Display for AnalysisRace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.race)?;
        if let Some(witness) = &self.witness {
            let prefix: Vec<String> =
                witness.iter().map(|(thread, count)| format!("{count} of {}", plain(thread))).collect();
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

/// Several detectors on one trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What every result begins with.
    #[serde(flatten)]
    pub header: Header,
    /// One result per detector.
    pub analyses: Vec<Analysis>,
}

impl Comparison {
    /// Puts results side by side.
    #[must_use]
    pub fn new(analyses: Vec<Analysis>) -> Self {
        let mut header = Header::new("autodrome.compare/1");
        header.events = analyses.first().map_or(0, |analysis| analysis.header.events);
        header.seconds = analyses.iter().map(|analysis| analysis.header.seconds).sum();
        header.notes = analyses.iter().flat_map(|analysis| analysis.header.notes.iter().cloned()).collect();
        header.notes.dedup();
        Comparison { header, analyses }
    }

    /// The comparison as JSON text.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(plain_lines(&serde_json::to_string_pretty(self)?).to_string())
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
                analysis.header.seconds,
                analysis.millions_per_second()
            )?;
        }
        self.header.write_notes(out)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use model::Grade;

    use super::*;
    use crate::offline::samples::trace_race;

    fn analysis() -> Analysis {
        let mut analysis = Analysis::new("fasttrack");
        analysis.header.events = 8;
        analysis.header.seconds = 0.5;
        analysis.racy_variables = vec!["x".into()];
        analysis.races =
            vec![AnalysisRace { race: trace_race(Grade::Unordered, [3, 7]), count: 2, guard: None, witness: None }];
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
