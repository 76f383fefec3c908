//! `autodrome info`: what is in a trace, or in a schedule.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use report::{plain, plain_lines};
use schedule::control::Rendered;
use serde_json::json;
use trace::{Census, Order};

use crate::analyze::Format;
use crate::exit::Outcome;
use crate::hunt::controlled;
use crate::{Result, analyze, names, out, resources};

/// Counts what is in a trace, or shows the interleaving of a schedule.
#[derive(Args)]
pub(crate) struct Info {
    /// The trace, or the schedule of a controlled run.
    trace: PathBuf,

    /// How the result is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Go on after a damaged part of the trace instead of refusing it.
    #[arg(long)]
    skip_damaged: bool,
}

/// How the file of a schedule begins.
const SCHEDULE: &[u8; 19] = b"autodrome.schedule/";

impl Info {
    pub(crate) fn run(&self) -> Result {
        if is_schedule(&self.trace) {
            let schedule = controlled::read(&self.trace)?;
            out::write(None, &Rendered(&schedule).to_string())?;
            return Ok(Outcome::Clean);
        }
        let mut source = analyze::open(&self.trace, self.skip_damaged)?;
        let census = Census::of(source.as_mut())?;
        let notes = names::notes(&self.trace, source.ending());
        let text = match self.format {
            Format::Text => text(&census, &notes),
            Format::Json => plain_lines(&serde_json::to_string_pretty(&json(&census, &notes))?).to_string(),
        };
        out::write(None, &text)?;
        Ok(Outcome::Clean)
    }
}

/// Does a file begin as schedules do? What cannot be read is for the reader of traces to say.
fn is_schedule(file: &Path) -> bool {
    let mut start = [0; SCHEDULE.len()];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *SCHEDULE
}

/// What is counted, by its name in both forms.
fn counts(Census { events, names, .. }: &Census) -> [(&'static str, u64); 22] {
    [
        ("events", events.all),
        ("reads", events.reads),
        ("writes", events.writes),
        ("acquires", events.acquires),
        ("read_acquires", events.read_acquires),
        ("releases", events.releases),
        ("read_releases", events.read_releases),
        ("sends", events.sends),
        ("receives", events.receives),
        ("forks", events.forks),
        ("joins", events.joins),
        ("branches", events.branches),
        ("method_begins", events.begins),
        ("method_ends", events.ends),
        ("values", events.values),
        ("barrier_pairs", events.reach),
        ("threads", names.threads as u64),
        ("variables", names.vars as u64),
        ("locks", names.locks as u64),
        ("messages", names.messages as u64),
        ("locations", names.sites as u64),
        ("methods", names.methods as u64),
    ]
}

fn text(census: &Census, notes: &[String]) -> String {
    let mut lines = vec![format!("{:<15} {}", "format", census.format)];
    let present = |&(name, count): &(&str, u64)| count > 0 || name == "events";
    for (name, count) in counts(census).into_iter().filter(present) {
        lines.push(format!("{:<15} {count}", name.replace('_', " ")));
    }
    if census.order.checked > 0 {
        let Order { checked, astray } = census.order;
        lines.push(format!("{:<15} {} of {checked} reads saw the last write before them", "order", checked - astray));
    }
    lines.extend(opaque(census));
    if let Some(duration) = census.duration {
        lines.push(format!("{:<15} {:.3} s", "duration", duration.as_secs_f64()));
    }
    lines.extend(notes.iter().map(|note| format!("NOTE: {}", plain(note))));
    lines.join("\n")
}

/// As many places are told where something happened that is not recorded.
const PLACES: usize = 5;

/// What was not recorded, and how it was covered.
fn opaque(census: &Census) -> Vec<String> {
    let count: u64 = census.opaque.iter().map(|&(_, count)| count).sum();
    let mut lines = Vec::new();
    if count > 0 {
        let what = "sections keep their order: something in them is not recorded";
        lines.push(format!("{:<15} {count} {what}", "opaque"));
        let places = census.opaque.iter().take(PLACES);
        lines.extend(places.map(|(place, count)| format!("{:<15} {count} at {}", "", plain(place))));
        lines.extend((census.opaque.len() > PLACES).then(|| format!("{:<15} and elsewhere", "")));
    }
    lines
}

fn json(census: &Census, notes: &[String]) -> serde_json::Value {
    let mut object = json!({
        "schema": "autodrome.info/1",
        "format": census.format.to_string(),
        "duration_seconds": census.duration.map(|duration| duration.as_secs_f64()),
        "cpu_seconds": resources::cpu_seconds(),
        "peak_kilobytes": resources::peak_kilobytes(),
        "notes": notes,
        "reads_checked": census.order.checked,
        "reads_astray": census.order.astray,
        "opaque_sections": census.opaque.iter().map(|(place, count)| json!({ "location": place, "count": count }))
            .collect::<Vec<_>>(),
    });
    for (name, count) in counts(census) {
        object[name] = json!(count);
    }
    object
}
