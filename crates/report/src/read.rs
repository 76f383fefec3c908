//! Reports read back: those of `run`, those of `analyze` and `predict`, and what an agent wrote line by line.

use serde::Deserialize;
use serde_json::Value;

use crate::analysis::Guard;
use crate::error::ReportError;
use crate::explain;
use crate::fingerprint::Fingerprint;
use crate::interleaving::Run;
use crate::jvm::Line;
use crate::race::{LiveRace, Operation, Side, StackFrame, ThreadName, Variable, VariableKind};
use crate::report::{Report, SCHEMA};
use crate::verdict::Verdict;

const ANALYSIS: &str = "autodrome.analyze/1";
const PREDICTION: &str = "autodrome.predict/1";

/// Reads a report: `autodrome.report/1`, `autodrome.analyze/1`, `autodrome.predict/1`, or the lines of one agent.
///
/// # Errors
/// If the text is none of them.
pub fn read(text: &str) -> Result<Report, ReportError> {
    let wrong = |error: serde_json::Error| ReportError::NotAReport(error.to_string());
    match serde_json::from_str::<Value>(text) {
        Ok(value) => match value.get("schema").and_then(Value::as_str) {
            Some(SCHEMA) => serde_json::from_value(value).map_err(wrong),
            Some(ANALYSIS | PREDICTION) => from_analysis(value),
            Some(other) => Err(ReportError::NotAReport(format!("the schema {other} is not known"))),
            None => lines(text).map_err(|_| ReportError::NotAReport("it says no schema".to_owned())),
        },
        // What an agent wrote is a value in each line; anything else was to be one value.
        Err(error) => match text.lines().next().map(serde_json::from_str::<Value>) {
            Some(Err(_)) => Err(wrong(error)),
            _ => lines(text),
        },
    }
}

/// What an agent wrote. The last line of a JVM that was killed may be cut.
fn lines(text: &str) -> Result<Report, ReportError> {
    let mut report = Report::default();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        match serde_json::from_str::<Line>(line) {
            Ok(line) => {
                report.add(line);
            }
            Err(_) if number > 0 && lines.peek().is_none() => {}
            Err(error) => return Err(ReportError::NotAReport(format!("line {}: {error}", number + 1))),
        }
    }
    report.count();
    Ok(report)
}

/// What is needed of `autodrome.analyze/1`, and of a prediction, which has the same fields.
#[derive(Deserialize)]
struct Analysis {
    races: Vec<Race>,
    #[serde(default)]
    notes: Vec<String>,
}

#[derive(Deserialize)]
struct Race {
    variable: String,
    grade: String,
    earlier: Access,
    later: Access,
    #[serde(default = "once")]
    count: u64,
    guard: Option<Guard>,
    run: Option<Run>,
}

/// A prediction does not count.
fn once() -> u64 {
    1
}

#[derive(Deserialize)]
struct Access {
    thread: String,
    title: Option<String>,
    op: Operation,
    location: String,
}

/// The races of an analysis as a report.
pub(crate) fn from_analysis(value: Value) -> Result<Report, ReportError> {
    let analysis = Analysis::deserialize(&value).map_err(|error| ReportError::NotAReport(error.to_string()))?;
    let mut report = Report::default();
    report.notes = analysis.notes;
    for race in analysis.races {
        report.push(LiveRace {
            id: fingerprint(&race.variable, &race.earlier.location, &race.later.location).to_string(),
            grade: race.grade,
            pid: 0,
            variable: Variable {
                kind: VariableKind::Named,
                class: String::new(),
                field: race.variable,
                descriptor: String::new(),
                annotations: Vec::new(),
            },
            count: race.count,
            earlier: race.earlier.into(),
            later: race.later.into(),
            run: race.run,
            verdict: Verdict {
                explanation: race.guard.map(|guard| explain::inconsistently_guarded(&guard)),
                ..Verdict::default()
            },
        });
    }
    report.analyses = vec![value];
    report.count();
    Ok(report)
}

/// The name of a race of a trace. A recorded location is a frame, of which the method counts, as in a running program; other
/// traces have nothing but names.
pub(crate) fn fingerprint(variable: &str, one: &str, two: &str) -> Fingerprint {
    let method = |location: &str| match frame(location) {
        StackFrame { class, method, .. } if !class.is_empty() => format!("{class}.{method}"),
        _ => location.to_owned(),
    };
    Fingerprint::of(variable, &method(one), &method(two))
}

impl From<Access> for Side {
    fn from(access: Access) -> Side {
        let digits = access.thread.trim_start_matches(|letter: char| !letter.is_ascii_digit());
        let thread = ThreadName {
            id: digits.parse().unwrap_or(0),
            name: access.title.unwrap_or(access.thread),
            created_at: Vec::new(),
        };
        Side { op: access.op, thread, locks: Vec::new(), stack: vec![frame(&access.location)] }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvm::Jvm;
    use crate::race::samples::race;

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let mut report = Report::default();
        report.push(race("R-00000001"));
        report.count();
        assert_eq!(read(&report.to_json().unwrap()), Ok(report));
    }

    #[test]
    fn an_older_report_without_statuses_is_all_new() {
        let mut report = Report::default();
        report.push(race("R-00000001"));
        let mut value: Value = serde_json::from_str(&report.to_json().unwrap()).unwrap();
        value["races"][0].as_object_mut().unwrap().remove("status");
        value["summary"] = serde_json::json!({"races": 1});
        assert!(read(&value.to_string()).unwrap().races[0].verdict.status.is_new());
    }

    #[test]
    fn lines_of_a_killed_jvm_are_a_report() {
        let line = |line: &Line| serde_json::to_string(line).unwrap();
        let jvm = line(&Line::Jvm(Jvm { pid: 4, ..Jvm::default() }));
        let told = line(&Line::Race(Box::new(race("R-00000001"))));
        let report = read(&format!("{jvm}\n{told}\n{{\"race\":{{\"id")).unwrap();
        assert_eq!((report.jvms.len(), report.races.len()), (1, 1));
        assert!(read(&format!("nonsense\n{told}")).is_err());
        assert!(read("{\"schema\":\"autodrome.other/9\"}").is_err());
        let says = |text: &str| read(text).unwrap_err().to_string();
        assert!(says("{}").contains("no schema"), "{}", says("{}"));
        let cut = says("{\n  \"schema\": \"autodrome.report/1\",\n  \"races\": [");
        assert!(cut.contains("EOF while parsing a list at line 3"), "{cut}");
    }

    #[test]
    fn a_prediction_is_a_report_too() {
        let side = |op: &str| serde_json::json!({"thread": "T1", "op": op, "location": "m1", "event": 3});
        let race =
            serde_json::json!({"variable": "x", "grade": "predicted", "earlier": side("read"), "later": side("write")});
        let text = serde_json::json!({"schema": "autodrome.predict/1", "model": "mc", "events": 8, "races": [race]});
        let report = read(&text.to_string()).unwrap();
        assert_eq!(report.closing_line(), "autodrome: 1 trace (mc), 8 events: 1 race");
    }

    #[test]
    fn locations_of_traces_become_frames() {
        let shown = |location| frame(location).to_string();
        for location in ["pkg.Account.add(Account.java:31)", "Account.java:31", "m4"] {
            assert_eq!(shown(location), location);
        }
        let named = |line| fingerprint("a.B.f", &format!("a.B.get(B.java:{line})"), "a.B.set(B.java:9)");
        assert_eq!(named(1), named(2), "lines take no part");
        assert_eq!(named(1), Fingerprint::of("a.B.f", "a.B.get", "a.B.set"), "the name of a running program's race");
    }
}
