//! `autodrome info`: what is in a trace.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use trace::Census;

use crate::analyze::Format;
use crate::exit::Outcome;
use crate::{Result, analyze, names, out, resources};

/// Counts what is in a trace.
#[derive(Args)]
pub(crate) struct Info {
    /// The trace.
    trace: PathBuf,

    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Go on after a damaged part of the trace instead of refusing it.
    #[arg(long)]
    skip_damaged: bool,
}

impl Info {
    pub(crate) fn run(&self) -> Result {
        let mut source = analyze::open(&self.trace, self.skip_damaged)?;
        let census = Census::of(source.as_mut())?;
        let notes = names::notes(&self.trace, source.ending());
        let text = match self.format {
            Format::Text => text(&census, &notes),
            Format::Json => serde_json::to_string_pretty(&json(&census, &notes))?,
        };
        out::write(None, &text)?;
        Ok(Outcome::Clean)
    }
}

/// What is counted, by its name in both forms.
fn counts(census: &Census) -> [(&'static str, u64); 17] {
    [
        ("events", census.events),
        ("reads", census.reads),
        ("writes", census.writes),
        ("acquires", census.acquires),
        ("read_acquires", census.read_acquires),
        ("releases", census.releases),
        ("read_releases", census.read_releases),
        ("sends", census.sends),
        ("receives", census.receives),
        ("forks", census.forks),
        ("joins", census.joins),
        ("branches", census.branches),
        ("threads", census.threads as u64),
        ("variables", census.vars as u64),
        ("locks", census.locks as u64),
        ("messages", census.messages as u64),
        ("locations", census.sites as u64),
    ]
}

fn text(census: &Census, notes: &[String]) -> String {
    let mut lines = vec![format!("{:<14} {}", "format", census.format)];
    for (name, count) in counts(census) {
        lines.push(format!("{:<14} {count}", name.replace('_', " ")));
    }
    if let Some(duration) = census.duration {
        lines.push(format!("{:<14} {:.3} s", "duration", duration.as_secs_f64()));
    }
    lines.extend(notes.iter().map(|note| format!("NOTE: {note}")));
    lines.join("\n")
}

fn json(census: &Census, notes: &[String]) -> serde_json::Value {
    let mut object = json!({
        "schema": "autodrome.info/1",
        "format": census.format.to_string(),
        "duration_seconds": census.duration.map(|duration| duration.as_secs_f64()),
        "cpu_seconds": resources::cpu_seconds(),
        "peak_kilobytes": resources::peak_kilobytes(),
        "notes": notes,
    });
    for (name, count) in counts(census) {
        object[name] = json!(count);
    }
    object
}
