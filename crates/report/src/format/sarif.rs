//! SARIF 2.1.0: a result for each race. The write is its location, the other access and the starts of the threads are
//! related ones, and each thread is a thread flow, with the stack from the start of the thread to the access.

use model::Grade;
use serde_json::{Map, Value, json};

use crate::explain::PAGES;
use crate::race::{LiveRace, Side, StackFrame};
use crate::report::Report;
use crate::source::Sources;
use crate::stack::Shown;
use crate::text::{plain, quoted};
use crate::verdict::Status;

/// What viewers of large results show at most.
const MOST_RESULTS: usize = 5_000;
const MOST_FLOW_LOCATIONS: usize = 1_000;

/// Rule, name, what it says.
const RULES: [(&str, &str, &str); 8] = [
    ("AD001", "DataRace", "Two threads access a variable at once, and at least one writes."),
    ("AD002", "UnsafePublication", "An object reaches another thread before what its constructor wrote does."),
    ("AD003", "DoubleCheckedLocking", "A field is tested without the lock under which it is written."),
    ("AD004", "RacyCollection", "An object of the JDK that is for one thread only is used by two at once."),
    ("AD005", "BenignLazyInit", "A race that the program declares to be harmless."),
    ("AD006", "InconsistentLocking", "Not all accesses to a variable hold the same lock."),
    ("AD007", "FlagWithoutVolatile", "A thread may never see the flag that another one sets."),
    ("AD008", "ResultNotAwaited", "A method reads what a thread writes that it has started and not waited for."),
];

pub(super) fn log(report: &Report, sources: &Sources) -> Value {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(id, name, text)| {
            let mut rule = json!({"id": id, "name": name, "shortDescription": {"text": text}});
            let pages = PAGES.iter().filter(|(pattern, ..)| pattern.rule() == *id).map(|(_, _, page)| *page);
            let pages = pages.collect::<Vec<_>>().join("\n");
            if let Some(rule) = rule.as_object_mut().filter(|_| !pages.is_empty()) {
                rule.insert("help".to_owned(), json!({"text": pages, "markdown": pages}));
            }
            rule
        })
        .collect();
    let mut results: Vec<Value> = report.by_weight().take(MOST_RESULTS).map(|race| result(race, sources)).collect();
    let room = MOST_RESULTS.saturating_sub(results.len());
    results.extend(report.fixed.iter().take(room).map(|fixed| {
        let text = format!("{}: this race of the baseline was not seen again", plain(&fixed.variable));
        json!({
            "ruleId": "AD001",
            "level": "none",
            "kind": "informational",
            "message": {"text": text},
            "baselineState": "absent",
            "partialFingerprints": {"autodrome/v1": fixed.id},
        })
    }));
    let notifications: Vec<Value> = report
        .notes
        .iter()
        .map(|note| json!({"level": "note", "message": {"text": plain(note).to_string()}}))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Autodrome",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "invocations": [invocation(report, &notifications)],
            "results": results,
            "properties": {
                "watched": report.watched(),
                "allResults": report.races.len(),
                "provenance": report.provenance,
            },
        }],
    })
}

/// The last of the runs that the report is of, and what a reader must know.
fn invocation(report: &Report, notifications: &[Value]) -> Value {
    let mut invocation = json!({"executionSuccessful": true, "toolExecutionNotifications": notifications});
    if let (Some(run), Some(invocation)) = (report.provenance.last(), invocation.as_object_mut()) {
        invocation.insert("commandLine".to_owned(), json!(plain(&run.command).to_string()));
        invocation.insert("endTimeUtc".to_owned(), json!(run.date));
    }
    invocation
}

fn rule(race: &LiveRace) -> &'static str {
    match (race.verdict.status, &race.verdict.explanation) {
        (Status::Benign, _) => "AD005",
        (_, Some(explanation)) => explanation.pattern.rule(),
        _ => "AD001",
    }
}

/// Proved races are errors; candidates are warnings.
fn level(race: &LiveRace) -> &'static str {
    match (race.verdict.status, race.grade) {
        (Status::Benign, _) => "note",
        (_, Grade::Possible) => "warning",
        _ => "error",
    }
}

fn result(race: &LiveRace, sources: &Sources) -> Value {
    let rule = rule(race);
    let mut text = race.headline();
    if let Some(explanation) = &race.verdict.explanation {
        text += &format!(". {explanation}");
    }
    if let Some(execution) = &race.execution {
        text += &format!(". Executed: {execution}");
    }
    let sides = [race.writer(), race.other()];
    let mut related = Vec::new();
    if let Some(frame) = race.other().user_frame(race.variable.kind) {
        let message =
            format!("the other access: a {} by thread {}", race.other().op.name(), quoted(&race.other().thread.name));
        related.extend(located(frame, &message, sources));
    }
    for side in sides {
        let start = side.thread.start();
        let message = format!("thread {} was started here", quoted(&side.thread.name));
        related.extend(start.and_then(|frame| located(frame, &message, sources)));
    }
    for (id, location) in related.iter_mut().enumerate() {
        if let Some(location) = location.as_object_mut() {
            location.insert("id".to_owned(), json!(id));
        }
    }
    let flows: Vec<Value> = [&race.earlier, &race.later].iter().map(|side| flow(side, sources)).collect();
    let place = race.place().and_then(|frame| located(frame, &race.headline(), sources));
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": RULES.iter().position(|(id, ..)| *id == rule),
        "level": level(race),
        "message": {"text": text},
        "locations": place.into_iter().collect::<Vec<_>>(),
        "relatedLocations": related,
        "codeFlows": [{"message": {"text": "the two threads, neither ordered before the other"}, "threadFlows": flows}],
        "partialFingerprints": {"autodrome/v1": race.id},
        "occurrenceCount": race.count.max(1),
        "properties": {
            "grade": race.grade.name(),
            "status": race.verdict.status.name(),
            "variable": race.variable.key(),
            "code": race.verdict.code,
        },
    });
    if let Some(result) = result.as_object_mut() {
        add_status(race, result);
        add_execution(race, result);
    }
    result
}

fn add_execution(race: &LiveRace, result: &mut Map<String, Value>) {
    let properties = result.get_mut("properties").and_then(Value::as_object_mut);
    if let (Some(properties), Some(execution)) = (properties, &race.execution) {
        properties.insert("execution".to_owned(), json!(execution));
    }
}

fn add_status(race: &LiveRace, result: &mut Map<String, Value>) {
    if let Some(test) = &race.verdict.test {
        if let Some(properties) = result.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert("test".to_owned(), json!(test));
        }
    }
    match race.verdict.status {
        Status::New => drop(result.insert("baselineState".to_owned(), json!("new"))),
        Status::Known => drop(result.insert("baselineState".to_owned(), json!("unchanged"))),
        Status::Suppressed | Status::Benign => {
            let kind = if race.verdict.status == Status::Benign { "inSource" } else { "external" };
            let because = race.verdict.because.as_deref().unwrap_or_default();
            let suppression = json!({"kind": kind, "status": "accepted", "justification": plain(because).to_string()});
            result.insert("suppressions".to_owned(), json!([suppression]));
        }
    }
}

/// A thread, from where it was started to its access.
fn flow(side: &Side, sources: &Sources) -> Value {
    let (creation, stack) = (Shown::of(&side.thread.created_at).frames, Shown::of(&side.stack).frames);
    let started = creation.iter().rev().map(|&frame| (frame, "the thread is started from here"));
    let calls = stack.iter().skip(1).rev().map(|&frame| (frame, "calls"));
    let locks: Vec<String> = side.locks.iter().map(|lock| plain(&lock.class).to_string()).collect();
    let held = if locks.is_empty() { "no lock".to_owned() } else { locks.join(", ") };
    let held = if side.locks_unknown { String::new() } else { format!(", holding {held}") };
    let access = format!("{}{held}", side.op.name());
    let top = stack.first().map(|&frame| (frame, access.as_str()));
    let steps: Vec<Value> = started
        .chain(calls)
        .chain(top)
        .filter_map(|(frame, message)| Some(json!({"location": located(frame, message, sources)?})))
        .collect();
    let skipped = steps.len().saturating_sub(MOST_FLOW_LOCATIONS);
    let mut steps: Vec<Value> = steps.into_iter().skip(skipped).collect();
    if steps.is_empty() {
        // A flow has a step, even if nothing is known of it.
        steps.push(json!({"location": {"message": {"text": access}}}));
    }
    json!({
        "id": plain(&side.thread.name).to_string(),
        "message": {"text": format!("thread {}", side.thread)},
        "locations": steps,
    })
}

/// A frame as a location; a frame without a file has a name only.
fn located(frame: &StackFrame, message: &str, sources: &Sources) -> Option<Value> {
    let name = if frame.class.is_empty() { frame.to_string() } else { format!("{}.{}", frame.class, frame.method) };
    let mut location = json!({
        "message": {"text": message},
        "logicalLocations": [{"fullyQualifiedName": name, "kind": "function"}],
    });
    if let (Some(path), Some(location)) = (sources.path(frame), location.as_object_mut()) {
        let mut physical = json!({"artifactLocation": {"uri": uri(&path), "uriBaseId": "%SRCROOT%"}});
        if let (Some(line), Some(physical)) = (frame.line.filter(|&line| line > 0), physical.as_object_mut()) {
            physical.insert("region".to_owned(), json!({"startLine": line}));
        }
        location.insert("physicalLocation".to_owned(), physical);
    }
    Some(location)
}

/// A path as a relative URI: what is not plain is written as its bytes.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~$".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Execution;
    use crate::race::samples::race;

    #[test]
    fn both_threads_are_flows_and_the_write_is_the_place() {
        let mut report = Report::default();
        report.push(race("R-00000001"));
        let log = log(&report, &Sources::default());
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "AD001");
        assert_eq!(result["level"], "error");
        assert_eq!(result["baselineState"], "new");
        assert_eq!(result["partialFingerprints"]["autodrome/v1"], "R-00000001");
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "a/Main.java");
        assert_eq!(location["region"]["startLine"], 7);
        let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
        assert_eq!(
            flows.iter().map(|flow| flow["id"].as_str()).collect::<Vec<_>>(),
            [Some("worker-12"), Some("worker-13")]
        );
        assert_eq!(flows[1]["locations"].as_array().map(Vec::len), Some(3));
        assert_eq!(result["relatedLocations"].as_array().map(Vec::len), Some(3));
    }

    #[test]
    fn the_level_is_that_of_the_grade_and_an_execution_is_there() {
        let mut report = Report::default();
        let mut executed = race("R-00000001");
        executed.grade = Grade::Caught;
        executed.execution = Some(Execution { schedule: Some("s".to_owned()), input: None, shown: 1, runs: 2 });
        report.push(executed);
        report.push(LiveRace { grade: Grade::Possible, ..race("R-00000002") });
        let log = log(&report, &Sources::default());
        let results = &log["runs"][0]["results"];
        assert_eq!((&results[0]["level"], &results[1]["level"]), (&json!("error"), &json!("warning")));
        assert_eq!(results[0]["properties"]["grade"], "caught");
        assert_eq!(results[0]["properties"]["execution"], json!({"schedule": "s", "shown": 1, "runs": 2}));
        let text = results[0]["message"]["text"].as_str().unwrap();
        assert!(text.ends_with(". Executed: shown in 1 of 2 runs, by schedule s"), "{text}");
    }

    #[test]
    fn names_are_no_part_of_a_uri() {
        assert_eq!(uri("a b/ü<x>.java"), "a%20b/%C3%BC%3Cx%3E.java");
    }
}
