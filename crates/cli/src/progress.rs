//! Shows how far long work is: on a terminal one line that rewrites itself, elsewhere a line every ten seconds.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use report::plain;
use trace::Progress;

/// Work that takes less than this shows nothing.
const SILENT: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_secs(10);

pub(crate) struct Display {
    what: String,
    started: Instant,
    last: Instant,
    unit: Unit,
    bar: Option<ProgressBar>,
}

/// What progress is counted in.
#[derive(Clone, Copy)]
enum Unit {
    Bytes,
    Events,
}

impl Display {
    /// A display for reading with a name; nothing is shown yet.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Display::counting(what.into(), Unit::Bytes)
    }

    /// A display for work on a trace in memory.
    pub(crate) fn of_events(what: impl Into<String>) -> Self {
        Display::counting(what.into(), Unit::Events)
    }

    fn counting(what: String, unit: Unit) -> Self {
        let now = Instant::now();
        Display { what: plain(&what).to_string(), started: now, last: now, unit, bar: None }
    }

    /// Shows that the work has come this far.
    pub(crate) fn update(&mut self, progress: Progress, races: usize) {
        if self.started.elapsed() < SILENT || progress.total == 0 {
            return;
        }
        let found = format!("{}: {races} found", self.what);
        if io::stderr().is_terminal() {
            let bar = self.bar.get_or_insert_with(|| bar(progress.total, self.unit));
            bar.set_position(progress.read);
            bar.set_message(found);
        } else if self.last.elapsed() >= BETWEEN_LINES {
            self.last = Instant::now();
            let done = match self.unit {
                Unit::Bytes => "read",
                Unit::Events => "done",
            };
            eprintln!("autodrome: {found}, {} % {done}", progress.read.saturating_mul(100) / progress.total);
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: u64, unit: Unit) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template(match unit {
        Unit::Bytes => "{msg} [{bar:30}] {bytes}/{total_bytes}, {eta} left",
        Unit::Events => "{msg} [{bar:30}] event {pos} of {len}, {eta} left",
    });
    // The template is a constant: should it ever be wrong, the plain bar does.
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
