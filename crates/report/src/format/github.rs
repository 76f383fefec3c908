//! What GitHub shows: annotations on lines of the change, and a summary of the step.

use crate::race::LiveRace;
use crate::report::Report;
use crate::source::Sources;
use crate::text::{plain, plain_lines};
use crate::verdict::Status;

/// GitHub shows ten errors of a step, and drops the rest.
const MOST_ANNOTATIONS: usize = 10;
/// A summary of many races is read by nobody, and is cut at a mebibyte.
const MOST_ROWS: usize = 200;

/// Workflow commands: an error for each new race, up to ten, and what closes the run.
#[must_use]
pub fn annotations(report: &Report, sources: &Sources) -> Vec<String> {
    let new = report.of(Status::New);
    let mut lines: Vec<String> = new.take(MOST_ANNOTATIONS).map(|race| error(race, sources)).collect();
    lines.push(format!("::notice title=Autodrome::{}", data(&report.closing_line())));
    lines
}

fn error(race: &LiveRace, sources: &Sources) -> String {
    let place = race.place();
    let mut properties = Vec::new();
    if let Some(file) = place.and_then(|frame| sources.path(frame)) {
        properties.push(format!("file={}", property(&plain(&file).to_string())));
        properties.extend(place.and_then(|frame| frame.line).map(|line| format!("line={line}")));
    }
    properties.push(format!("title={}", property(&format!("Data race {}", plain(&race.id)))));
    let mut text = race.headline();
    if let Some(explanation) = &race.verdict.explanation {
        text += &format!("\n{explanation}");
    }
    format!("::error {}::{}", properties.join(","), data(&text))
}

/// Text of a command: lines of ours in one.
fn data(text: &str) -> String {
    plain_lines(text).to_string().replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Markdown for `$GITHUB_STEP_SUMMARY`.
#[must_use]
pub fn step_summary(report: &Report, sources: &Sources) -> String {
    let mut text = format!("### Autodrome: {}\n\n", report.counts());
    if !report.races.is_empty() {
        text += "| | race | variable | write | other access | looks like |\n| --- | --- | --- | --- | --- | --- |\n";
    }
    let races: Vec<&LiveRace> = report.by_weight().collect();
    for race in races.iter().take(MOST_ROWS) {
        let [write, other] = [race.writer(), race.other()].map(|side| {
            let frame = side.user_frame(race.variable.kind);
            let place = frame.map(|frame| match (sources.path(frame), frame.line) {
                (Some(file), Some(line)) => format!("{file}:{line}"),
                _ => frame.to_string(),
            });
            format!("{} {}", side.op.name(), code(&place.unwrap_or_default()))
        });
        let mut remarks: Vec<String> =
            race.execution.iter().map(|execution| cell(&format!("{}: {execution}", race.grade))).collect();
        remarks.extend(
            race.verdict
                .explanation
                .as_ref()
                .map(|explanation| cell(&format!("{}: {}", explanation.pattern.name(), explanation.hint))),
        );
        let (status, id, name) = (race.verdict.status.name(), code(&race.id), code(&race.variable.name()));
        text += &format!("| {status} | {id} | {name} | {write} | {other} | {} |\n", remarks.join("; "));
    }
    if races.len() > MOST_ROWS {
        text += &format!("\n{} more are in the report.\n", races.len() - MOST_ROWS);
    }
    for fixed in &report.fixed {
        text += &format!("\nFixed since the baseline: {} {}\n", code(&fixed.id), code(&fixed.variable));
    }
    for note in &report.notes {
        text += &format!("\nNote: {}\n", cell(note));
    }
    text + &format!("\n{}\n", cell(&report.closing_line()))
}

/// Text in a table: no markup, no bar, one line.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in plain(text).to_string().chars() {
        match letter {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out
}

/// Text as code in a table.
fn code(text: &str) -> String {
    format!("`{}`", plain(text).to_string().replace('`', " ").replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Execution;
    use crate::race::samples::race;

    fn report(count: u32) -> Report {
        let mut report = Report::default();
        for number in 0..count {
            report.push(race(&format!("R-{number:08x}")));
        }
        report
    }

    #[test]
    fn ten_errors_at_most_and_commands_stay_commands() {
        let mut many = report(12);
        many.races[0].variable.field = "a\n::stop-commands::x,%".to_owned();
        let lines = annotations(&many, &Sources::default());
        assert_eq!(lines.len(), 11);
        assert!(lines[0].starts_with("::error file=a/Main.java,line=7,title=Data race R-00000000::"), "{}", lines[0]);
        assert!(lines[0].contains("a\\u000a::stop-commands::x,%25"), "{}", lines[0]);
        assert_eq!(lines[0].lines().count(), 1);
    }

    #[test]
    fn the_summary_has_executions() {
        let mut executed = report(1);
        let execution = Execution { schedule: Some("a|b".to_owned()), input: None, shown: 1, runs: 4 };
        (executed.races[0].grade, executed.races[0].execution) = (model::Grade::Caught, Some(execution));
        let text = step_summary(&executed, &Sources::default());
        assert!(text.contains("| caught: shown in 1 of 4 runs, by schedule a\\|b |\n"), "{text}");
    }

    #[test]
    fn the_summary_is_a_table_without_markup_from_outside() {
        let mut odd = report(1);
        odd.races[0].variable.field = "<img src=x>|`x".to_owned();
        let text = step_summary(&odd, &Sources::default());
        assert!(text.starts_with("### Autodrome: 1 race\n"), "{text}");
        assert!(text.contains("`a.Main.<img src=x>\\| x`"), "{text}");
    }
}
