//! What a hunt shows: a line for each run as it ends, and a table at the end.

use report::plain;

use super::record::{HuntRecord, RunRecord};

/// A line for a run that has ended.
pub(super) fn line(run: &RunRecord) -> String {
    let mut text = format!(
        "run {}: {}, {:.1} s: {}, {} new",
        run.run,
        run.scheduler,
        run.milliseconds as f64 / 1000.0,
        counted(run.races.len() as u64, "race"),
        run.new
    );
    if let Some(of) = run.restarts {
        text += &format!(", again because a deadlock ended run {of}");
    }
    if run.deadlocks > 0 {
        text += ", a deadlock";
    }
    if !run.caught.is_empty() {
        text += &format!(", {} caught", run.caught.len());
    }
    if let Some(failure) = &run.failure {
        text += &format!(", the program failed: {}", plain(failure));
    } else if run.exit_code != 0 {
        text += &format!(", the program ended with {}", run.exit_code);
    }
    text
}

/// The table.
pub(super) fn lines(hunt: &HuntRecord) -> Vec<String> {
    let heads = ["run", "scheduler", "seed", "races", "new", "holds", "thrashings", "deadlocks", "time"];
    let mut rows = vec![heads.map(str::to_owned)];
    rows.extend(hunt.runs.iter().map(|run| {
        [
            run.run.to_string(),
            run.scheduler.clone(),
            run.seed.to_string(),
            run.races.len().to_string(),
            run.new.to_string(),
            (run.counts.holds + run.counts.delays).to_string(),
            run.counts.thrashings.to_string(),
            run.deadlocks.to_string(),
            format!("{:.1} s", run.milliseconds as f64 / 1000.0),
        ]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let shown = |row: &[String; 9]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            // The name of the scheduler is text, all else numbers.
            1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("autodrome:   {}", cells.collect::<Vec<_>>().join("  "))
    };
    let mut lines: Vec<String> = rows.iter().map(shown).collect();
    lines.extend(hunt.lines());
    lines
}

pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
