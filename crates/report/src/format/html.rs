//! One HTML page that needs nothing else: no file, no network.
//!
//! The report lies in the page as JSON, and a script shows it with text nodes only, so a name in a class file can never
//! become markup; a content-security policy forbids everything but the page's own style and script. Details of a race are
//! made when it is opened, so that a thousand races are no burden.

use serde_json::{Value, json};

use crate::interleaving::Interleaving;
use crate::locks::LockNames;
use crate::race::{LiveRace, Side, StackFrame, VariableKind};
use crate::report::Report;
use crate::source::Sources;
use crate::stack::Shown;
use crate::text::plain_lines;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Lines shown above and below an access.
const AROUND: u32 = 4;

pub(super) fn page(report: &Report, sources: &Sources) -> serde_json::Result<String> {
    let mut data = json!({
        "closing": report.closing_line(),
        "counts": report.counts(),
        "fixed": report.fixed,
        "hunted": report.hunted,
        "jvms": report.jvms,
        "notes": report.notes,
        "provenance": report.provenance,
        "races": report.by_weight().map(|race| shown(race, sources)).collect::<Vec<_>>(),
    });
    show_plainly(&mut data);
    // In a script element only `<` can end the data or open something else.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let page = FRAME.replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", SCRIPT);
    // The data comes last: nothing in it is looked at again.
    Ok(page.replacen("/*DATA*/", &data, 1))
}

/// No text can reorder what stands beside it, or look like another one; lines of sources keep their tabs.
fn show_plainly(data: &mut Value) {
    match data {
        Value::String(text) => *text = plain_lines(text).to_string(),
        Value::Array(values) => values.iter_mut().for_each(show_plainly),
        Value::Object(fields) => {
            let shown = std::mem::take(fields).into_iter().map(|(name, mut value)| {
                show_plainly(&mut value);
                (plain_lines(&name).to_string(), value)
            });
            *fields = shown.collect();
        }
        _ => {}
    }
}

fn shown(race: &LiveRace, sources: &Sources) -> Value {
    json!({
        "id": race.id,
        "name": race.variable.to_string(),
        "key": race.variable.key(),
        "code": race.verdict.code,
        "locks": LockNames::of(race).sentence,
        "place": race.place().map(ToString::to_string),
        "count": race.count,
        "grade": race.proof(),
        "execution": race.execution.as_ref().map(ToString::to_string),
        "status": race.verdict.status,
        "because": race.verdict.because,
        "test": race.verdict.test,
        "pattern": race.verdict.explanation.as_ref().map(|explanation| explanation.pattern.name()),
        "explanation": race.verdict.explanation.as_ref().map(ToString::to_string),
        "annotations": race.variable.annotations.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "earlier": side(&race.earlier, race.variable.kind, &LockNames::of(race).earlier, sources),
        "later": side(&race.later, race.variable.kind, &LockNames::of(race).later, sources),
        "interleaving": Interleaving::of(race),
    })
}

fn side(side: &Side, kind: VariableKind, lock_names: &[String], sources: &Sources) -> Value {
    json!({
        "op": side.does(kind),
        "lockNames": lock_names,
        "thread": side.thread.to_string(),
        "locks": side.locks,
        "locksUnknown": side.locks_unknown,
        "source": excerpt(side, kind, sources),
        "stack": stack(&side.stack),
        "started": stack(&side.thread.created_at),
    })
}

/// The frames, those of the JDK marked, and what stands for the others.
fn stack(stack: &[StackFrame]) -> Value {
    let shown = Shown::of(stack);
    let frames = shown.frames.iter().map(|frame| json!({"text": frame.to_string(), "jdk": frame.is_of_jdk()}));
    json!({"frames": frames.collect::<Vec<_>>(), "rest": shown.rest()})
}

/// The lines around an access, if the source is found.
fn excerpt(side: &Side, kind: VariableKind, sources: &Sources) -> Value {
    let lines = || {
        let frame = side.user_frame(kind)?;
        let line = frame.line?;
        let first = line.saturating_sub(AROUND).max(1);
        let lines = sources.lines(frame, first, line.saturating_add(AROUND))?;
        Some(json!({"file": sources.path(frame)?, "first": first, "line": line, "lines": lines}))
    };
    lines().unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Execution;
    use crate::hunted::HuntedRun;
    use crate::race::samples::race;

    #[test]
    fn an_execution_is_in_the_data() {
        let mut report = Report::default();
        let mut executed = race("R-00000001");
        executed.grade = model::Grade::Replayed;
        executed.execution = Some(Execution { schedule: Some("s".to_owned()), input: None, shown: 2, runs: 2 });
        report.push(executed);
        let page = page(&report, &Sources::default()).unwrap();
        assert!(page.contains(r#""execution":"shown in 2 of 2 runs, by schedule s""#), "{page}");
        assert!(page.contains(r#""grade":"replayed 2/2""#), "{page}");
    }

    #[test]
    fn the_runs_of_a_hunt_are_in_the_data() {
        let run = HuntedRun { run: 1, scheduler: "drfinder".to_owned(), pairs: 7, reversed: 3, ..HuntedRun::default() };
        let mut report = Report::default();
        report.hunted = vec![run];
        let page = page(&report, &Sources::default()).unwrap();
        assert!(page.contains(r#""pairs":7,"races":0,"reversed":3"#), "{page}");
    }

    #[test]
    fn nothing_in_a_name_can_end_the_data() {
        let mut report = Report::default();
        let mut odd = race("R-00000001");
        odd.variable.field = "</script><script>alert(1)</script>/*DATA*/".to_owned();
        report.push(odd);
        let page = page(&report, &Sources::default()).unwrap();
        assert_eq!(page.matches("</script>").count(), 2, "the data and the script");
        assert!(page.contains("\\u003c/script>\\u003cscript>alert(1)"));
        assert!(!page.contains("http://") && !page.contains("https://"), "nothing from outside");
    }
}
