//! What a search came to, as lines and as JSON: `autodrome.prove/1`.

use std::collections::BTreeMap;

use concolic::{Inputs, Search, Spec, Trace};
use report::Report;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::target::{Reach, Thrown};

/// What is known at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// A plain run with an input failed.
    Violated,
    /// All paths were run, and none failed.
    Exhausted,
    /// Neither.
    Unknown,
}

/// A failure and the input that leads to it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Violation {
    /// In words.
    pub(super) input: String,
    #[serde(serialize_with = "values")]
    pub(super) values: Inputs,
    #[serde(flatten)]
    pub(super) thrown: Thrown,
}

/// A race and the first input that showed it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RaceInput {
    pub(super) id: String,
    pub(super) input: String,
    #[serde(serialize_with = "values")]
    pub(super) values: Inputs,
    /// Which run had the input first, from 1: the first is the command as it was given.
    pub(super) run: u64,
}

fn values<S: Serializer>(inputs: &Inputs, serializer: S) -> Result<S::Ok, S::Error> {
    let map: &BTreeMap<String, i64> = &inputs.0;
    map.serialize(serializer)
}

/// A search.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ProveRecord {
    schema: &'static str,
    symbolic: Vec<String>,
    reach: Option<&'static str>,
    pub(super) verdict: Verdict,
    /// Why it ended.
    pub(super) ended_by: &'static str,
    pub(super) violation: Option<Violation>,
    pub(super) races: Vec<RaceInput>,
    /// Runs that followed inputs, runs that confirmed a failure, runs under the detector.
    pub(super) runs: u64,
    pub(super) confirmations: u64,
    pub(super) detections: u64,
    /// Runs that took too long.
    pub(super) ended: u64,
    /// Failures that a plain run with the same input did not show.
    pub(super) unconfirmed: u64,
    paths: u64,
    questions: u64,
    longest_path: u64,
    pub(super) inputs_read: u64,
    /// Values that were not what their expressions say.
    mismatches: u64,
    /// Why the search may have missed something.
    pub(super) doubts: Vec<String>,
    /// Where inputs were not followed, at most a few.
    gaps: Vec<String>,
}

/// So many places where inputs were not followed are shown.
const GAPS: usize = 5;

impl ProveRecord {
    pub(super) fn new(symbolic: &[Spec], reach: Option<Reach>) -> ProveRecord {
        ProveRecord {
            schema: "autodrome.prove/1",
            symbolic: symbolic.iter().map(Spec::to_string).collect(),
            reach: reach.map(|reach| if reach == Reach::Assertion { "assertion" } else { "exception" }),
            verdict: Verdict::Unknown,
            ended_by: "done",
            violation: None,
            races: Vec::new(),
            runs: 0,
            confirmations: 0,
            detections: 0,
            ended: 0,
            unconfirmed: 0,
            paths: 0,
            questions: 0,
            longest_path: 0,
            inputs_read: 0,
            mismatches: 0,
            doubts: Vec::new(),
            gaps: Vec::new(),
        }
    }

    /// Takes in what a run says of itself.
    pub(super) fn note(&mut self, trace: &Trace) {
        self.inputs_read = self.inputs_read.max(trace.variables.len() as u64);
        self.mismatches += trace.mismatches;
        for gap in &trace.gaps {
            if self.gaps.len() < GAPS && !self.gaps.contains(gap) {
                self.gaps.push(gap.clone());
            }
        }
    }

    /// No more runs come.
    pub(super) fn close(&mut self, search: &Search) {
        let coverage = search.coverage();
        self.paths = coverage.paths;
        self.questions = coverage.asked;
        self.longest_path = coverage.longest;
        if self.verdict == Verdict::Violated {
            self.ended_by = "found";
            return;
        }
        self.doubts = search.doubts();
        if self.ended > 0 {
            self.doubts.push(format!("{} runs took too long and were ended", self.ended));
        }
        if self.unconfirmed > 0 {
            self.doubts.push(format!("{} failures did not come again in a plain run", self.unconfirmed));
        }
        match self.ended_by {
            "budget" => self.doubts.push("the time was over; see --budget".to_owned()),
            "runs" => self.doubts.push("the runs were over; see --runs".to_owned()),
            "signal" => self.doubts.push("the search was interrupted".to_owned()),
            _ => {}
        }
    }

    /// What the end says.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let counts = format!("{} runs, {} paths, {} questions to the solver", self.runs, self.paths, self.questions);
        if let Some(violation) = &self.violation {
            lines.push(format!("VIOLATED with {}: {}", violation.input, violation.thrown.line));
            lines.extend(violation.thrown.at.iter().map(|at| format!("  at {at}")));
            lines.push(format!("a plain run with this input failed the same way; {counts}"));
            return lines;
        }
        lines.push(match (self.reach, self.verdict) {
            (Some(_), Verdict::Exhausted) => format!("EXHAUSTED: no input takes a path that fails; {counts}"),
            (Some(_), _) => format!("UNKNOWN: no failure found; {counts}"),
            (None, Verdict::Exhausted) => format!("inputs for all paths were tried; {counts}"),
            (None, _) => format!("not all paths were tried; {counts}"),
        });
        lines.extend(self.doubts.iter().map(|doubt| format!("  {doubt}")));
        lines.extend(self.gaps.iter().map(|gap| format!("  not followed: {gap}")));
        for race in &self.races {
            let note = if race.run == 1 { "as the command was given" } else { "found by the search" };
            lines.push(format!("[{}] with {} ({note})", race.id, race.input));
        }
        lines
    }

    /// The search and, if races were searched, the report as JSON text.
    pub(super) fn to_json(&self, report: Option<&Report>) -> anyhow::Result<String> {
        let mut value = serde_json::to_value(self)?;
        if let (Value::Object(members), Some(report)) = (&mut value, report) {
            members.insert("report".to_owned(), serde_json::from_str(&report.to_json()?)?);
        }
        Ok(report::plain_lines(&serde_json::to_string_pretty(&value)?).to_string())
    }
}
