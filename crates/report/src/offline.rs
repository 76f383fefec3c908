//! What the results about a trace have in common: a header, races by name, and how both become a [`Report`].
//!
//! A result has a text and a JSON form of its own, `autodrome.analyze/1` or `autodrome.predict/1`. Its races are judged as
//! those of a running program are: as races of the report that the result is converted to.

use std::fmt;

use model::Grade;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::analysis::{self, Analysis};
use crate::fingerprint::Fingerprint;
use crate::prediction::{self, Prediction};
use crate::race::{LiveRace, Operation, Side, StackFrame, ThreadName, Variable, VariableKind};
use crate::report::Report;
use crate::text::{capital, plain, quoted};
use crate::verdict::{Judge, Status, Verdict};

/// What every result about a trace begins with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Header {
    pub(crate) schema: String,
    /// Events read.
    pub events: u64,
    /// How long it took.
    pub seconds: f64,
    /// Processor time of the whole process, where the system reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// The most memory that the process held, where the system reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_kilobytes: Option<u64>,
    /// What a reader must know before trusting the result: a truncated trace, damaged blocks passed over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Header {
    pub(crate) fn new(schema: &str) -> Header {
        Header { schema: schema.to_owned(), ..Header::default() }
    }

    pub(crate) fn write_notes(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.notes.iter().try_for_each(|note| writeln!(out, "NOTE: {}", plain(note)))
    }
}

/// A race of a trace, by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceRace {
    /// Its fingerprint.
    #[serde(default)]
    pub id: String,
    /// Whether anyone has to look at it.
    #[serde(default, skip_serializing_if = "Status::is_new")]
    pub status: Status,
    /// The location's name in the trace.
    pub variable: String,
    /// How well the race is proved.
    #[serde(with = "crate::grade")]
    pub grade: Grade,
    /// The access that came first in the trace.
    pub earlier: TraceAccess,
    /// The access that came second.
    pub later: TraceAccess,
}

/// One side of a race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceAccess {
    /// The thread's name in the trace.
    pub thread: String,
    /// The thread's own name in the program, where the trace knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Read or write.
    pub op: Operation,
    /// The program location's name in the trace.
    pub location: String,
    /// The event's position in the trace, counted from 0.
    #[serde(default)]
    pub event: u64,
}

impl TraceRace {
    /// A race that nobody has judged, in a trace of which some classes and methods have stable names.
    #[must_use]
    pub fn new(
        variable: String,
        grade: Grade,
        earlier: TraceAccess,
        later: TraceAccess,
        stable: impl Fn(&str) -> Option<String>,
    ) -> TraceRace {
        let id = fingerprint(&variable, &earlier.location, &later.location, stable).to_string();
        TraceRace { id, status: Status::New, variable, grade, earlier, later }
    }

    /// The same as a race of a report.
    pub(crate) fn as_live(&self) -> LiveRace {
        LiveRace {
            id: match &*self.id {
                "" => fingerprint(&self.variable, &self.earlier.location, &self.later.location, |_| None).to_string(),
                id => id.to_owned(),
            },
            grade: self.grade,
            pid: 0,
            variable: Variable {
                kind: VariableKind::Named,
                class: String::new(),
                field: self.variable.clone(),
                descriptor: String::new(),
                annotations: Vec::new(),
                held_by: None,
            },
            count: 1,
            earlier: self.earlier.as_side(),
            later: self.later.as_side(),
            run: None,
            execution: None,
            verdict: Verdict::default(),
        }
    }
}

impl fmt::Display for TraceRace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "WARNING: DATA RACE on {} [{}]  {}", plain(&self.variable), self.id, self.grade)?;
        writeln!(out, "  {}", self.later.sentence(&capital(self.later.op.name())))?;
        write!(out, "  {}", self.earlier.sentence(&format!("Earlier {}", self.earlier.op.name())))
    }
}

impl TraceAccess {
    fn sentence(&self, what: &str) -> String {
        let title = self.title.as_ref().map_or_else(String::new, |title| format!(" {}", quoted(title)));
        let (thread, location) = (plain(&self.thread), plain(&self.location));
        format!("{what} by thread {thread}{title} at {location} (event {})", self.event)
    }

    fn as_side(&self) -> Side {
        let digits = self.thread.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        let thread = ThreadName {
            id: digits.parse().unwrap_or(0),
            name: self.title.as_ref().unwrap_or(&self.thread).clone(),
            created_at: Vec::new(),
        };
        let stack = vec![frame(&self.location)];
        Side { op: self.op, thread, locks: Vec::new(), locks_unknown: false, stack }
    }
}

/// Writes the races that somebody has to look at, each under a line, and a line below the last.
pub(crate) fn write_new<'a, R>(races: &'a [R], out: &mut fmt::Formatter<'_>) -> fmt::Result
where
    R: fmt::Display + AsRef<TraceRace> + 'a,
{
    let mut new = races.iter().filter(|race| race.as_ref().status.is_new()).peekable();
    let some = new.peek().is_some();
    new.try_for_each(|race| writeln!(out, "==================\n{race}"))?;
    if some { writeln!(out, "==================") } else { Ok(()) }
}

/// The name of a race of a trace. A recorded location is a frame, of which the method counts, as in a running program; other
/// traces have nothing but names.
fn fingerprint(variable: &str, one: &str, two: &str, stable: impl Fn(&str) -> Option<String>) -> Fingerprint {
    let of_class = |class: &str, member: &str| format!("{}.{member}", stable(class).as_deref().unwrap_or(class));
    let method = |location: &str| match frame(location) {
        StackFrame { class, method, .. } if !class.is_empty() => {
            stable(&format!("{class}.{method}")).unwrap_or_else(|| of_class(&class, &method))
        }
        _ => location.to_owned(),
    };
    let variable =
        variable.rsplit_once('.').map_or_else(|| variable.to_owned(), |(class, field)| of_class(class, field));
    Fingerprint::of(&variable, &method(one), &method(two))
}

/// A location as a frame: `pkg.Account.add(Account.java:31)`, `Account.java:31`, or a name.
fn frame(location: &str) -> StackFrame {
    let place = |text: &str| match text.rsplit_once(':') {
        Some((file, line)) if line.parse::<u32>().is_ok() => (Some(file.to_owned()), line.parse().ok()),
        _ => (None, None),
    };
    if let Some((named, rest)) = location.split_once('(') {
        if let (Some((class, method)), Some(inner)) = (named.rsplit_once('.'), rest.strip_suffix(')')) {
            let (file, line) = place(inner);
            return StackFrame { class: class.to_owned(), method: method.to_owned(), file, line };
        }
    }
    let (file, line) = place(location);
    let method = if file.is_some() { String::new() } else { location.to_owned() };
    StackFrame { class: String::new(), method, file, line }
}

/// What a detector or a predictor says of a trace.
pub trait Offline: fmt::Display + Clone + Into<TraceResult> {
    /// What every result begins with.
    fn header(&self) -> &Header;

    /// The result as JSON text.
    ///
    /// # Errors
    /// None that the data can cause: keys are strings and numbers are finite.
    fn to_json(&self) -> serde_json::Result<String>;

    /// The races as those of a report.
    fn live_races(&self) -> Vec<LiveRace>;

    /// The races by name, for what is made of each.
    fn races_mut(&mut self) -> impl Iterator<Item = &mut TraceRace>;
}

/// A result about a trace, as reports hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "Value")]
pub enum TraceResult {
    /// What a detector found.
    Analysis(Analysis),
    /// What a model predicted.
    Prediction(Prediction),
}

impl TryFrom<Value> for TraceResult {
    type Error = String;

    /// The schema says what it is.
    fn try_from(value: Value) -> Result<TraceResult, String> {
        let wrong = |error: serde_json::Error| error.to_string();
        match value.get("schema").and_then(Value::as_str) {
            Some(analysis::SCHEMA) => Analysis::deserialize(value).map(TraceResult::Analysis).map_err(wrong),
            Some(prediction::SCHEMA) => Prediction::deserialize(value).map(TraceResult::Prediction).map_err(wrong),
            Some(other) => Err(format!("the schema {other} is not known")),
            None => Err("it says no schema".to_owned()),
        }
    }
}

impl TraceResult {
    /// Who says it: a detector or a model.
    pub(crate) fn author(&self) -> &str {
        match self {
            TraceResult::Analysis(analysis) => &analysis.detector,
            TraceResult::Prediction(prediction) => &prediction.model,
        }
    }

    /// What it begins with.
    pub(crate) fn header(&self) -> &Header {
        match self {
            TraceResult::Analysis(analysis) => &analysis.header,
            TraceResult::Prediction(prediction) => &prediction.header,
        }
    }

    /// The report of its races.
    pub(crate) fn into_report(self) -> Report {
        match self {
            TraceResult::Analysis(analysis) => report_of(&analysis),
            TraceResult::Prediction(prediction) => report_of(&prediction),
        }
    }
}

/// The report of a result's races, which nobody has judged.
fn report_of(result: &impl Offline) -> Report {
    let mut report = Report::default();
    report.notes.clone_from(&result.header().notes);
    for race in result.live_races() {
        report.push(race);
    }
    report.analyses = vec![result.clone().into()];
    report.count();
    report
}

impl Judge {
    /// Judges the races of a trace: in the report that is made of the result, and in the result.
    pub fn judge_offline(&mut self, result: &mut impl Offline) -> Report {
        let mut report = report_of(result);
        report.races.iter_mut().for_each(|race| self.judge(race));
        for race in result.races_mut() {
            if let Some(judged) = report.races.iter().find(|judged| judged.id == race.id) {
                race.status = judged.verdict.status;
            }
        }
        report
    }
}

#[cfg(test)]
pub(crate) mod samples {
    //! A race of a trace as tests need it.

    use super::*;

    /// On x, with its accesses at these events.
    pub(crate) fn trace_race(grade: Grade, [earlier, later]: [u64; 2]) -> TraceRace {
        let access = |thread: &str, op, location: &str, event| TraceAccess {
            thread: thread.to_owned(),
            title: None,
            op,
            location: location.to_owned(),
            event,
        };
        TraceRace {
            id: "R-00000001".to_owned(),
            status: Status::New,
            variable: "x".to_owned(),
            grade,
            earlier: access("T0", Operation::Read, "A:1", earlier),
            later: access("T1", Operation::Write, "B:2", later),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_of_traces_become_frames() {
        let shown = |location| frame(location).to_string();
        for location in ["pkg.Account.add(Account.java:31)", "Account.java:31", "m4"] {
            assert_eq!(shown(location), location);
        }
        let named = |line| fingerprint("a.B.f", &format!("a.B.get(B.java:{line})"), "a.B.set(B.java:9)", |_| None);
        assert_eq!(named(1), named(2), "lines take no part");
        assert_eq!(named(1), Fingerprint::of("a.B.f", "a.B.get", "a.B.set"), "the name of a running program's race");
        let stable = |name: &str| match name {
            "a.B$1" => Some("a.B$go()V#2".to_owned()),
            "a.B.lambda$go$0" => Some("a.B.go()V#lambda1".to_owned()),
            _ => None,
        };
        assert_eq!(
            fingerprint("a.B$1.f", "a.B$1.run(B.java:3)", "a.B.lambda$go$0(B.java:5)", stable),
            Fingerprint::of("a.B$go()V#2.f", "a.B$go()V#2.run", "a.B.go()V#lambda1"),
            "a name of its own for what a compiler numbers"
        );
    }
}
