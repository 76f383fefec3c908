//! Reports read back: those of `run`, those of `analyze` and `predict`, and what an agent wrote line by line.

use serde_json::Value;

use crate::error::ReportError;
use crate::jvm::Line;
use crate::offline::TraceResult;
use crate::report::{Report, SCHEMA};

/// The schema of a hunt, which has a report.
const HUNT_SCHEMA: &str = "autodrome.hunt/1";

/// Reads a report: `autodrome.report/1`, that of an `autodrome.hunt/1`, `autodrome.analyze/1`, `autodrome.predict/1`, or the
/// lines of one agent.
///
/// # Errors
/// If the text is none of them.
pub fn read(text: &str) -> Result<Report, ReportError> {
    let wrong = |error: serde_json::Error| ReportError::NotAReport(error.to_string());
    match serde_json::from_str::<Value>(text) {
        Ok(value) => match value.get("schema").and_then(Value::as_str) {
            Some(SCHEMA) => serde_json::from_value(value).map_err(wrong),
            // Of a hunt, the report of all its runs.
            Some(HUNT_SCHEMA) => match value.get("report") {
                Some(report) => serde_json::from_value(report.clone()).map_err(wrong),
                None => Err(ReportError::NotAReport("the hunt has no report".to_owned())),
            },
            Some(_) => match TraceResult::try_from(value) {
                Ok(result) => Ok(result.into_report()),
                Err(why) => Err(ReportError::NotAReport(why)),
            },
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

#[cfg(test)]
mod tests {
    use model::Grade;

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
    fn the_report_of_a_hunt_is_read() {
        let mut report = Report::default();
        report.push(race("R-00000001"));
        report.count();
        let text = format!("{{\"schema\": \"autodrome.hunt/1\", \"report\": {}}}", report.to_json().unwrap());
        assert_eq!(read(&text), Ok(report));
        assert!(read("{\"schema\": \"autodrome.hunt/1\"}").is_err());
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
    fn grades_are_read_by_name() {
        let mut report = Report::default();
        report.push(race("R-00000001"));
        let text = report.to_json().unwrap();
        assert!(text.contains("\"grade\": \"unordered\""), "{text}");
        for grade in Grade::ALL {
            let read = read(&text.replace("\"unordered\"", &format!("\"{grade}\""))).unwrap();
            assert_eq!(read.races[0].grade, grade);
        }
        let error = read(&text.replace("\"unordered\"", "\"certain\"")).unwrap_err().to_string();
        assert!(error.contains("`certain` is no grade: expected one of possible, unordered, predicted"), "{error}");
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
}
