//! How far a hunt is: on a terminal one line that rewrites itself below what the program says, elsewhere a line every ten
//! seconds.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::table::counted;

const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Shows how far a hunt is. Clones show the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    /// On a terminal.
    bar: Option<ProgressBar>,
}

/// How far a hunt is.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<'a> {
    /// How long it has lasted.
    pub(super) elapsed: Duration,
    /// Runs that are over.
    pub(super) done: usize,
    pub(super) races: usize,
    /// Runs that are being made, by their scheduler.
    pub(super) running: &'a [&'static str],
}

impl State<'_> {
    fn line(&self) -> String {
        let mut running = self.running.to_vec();
        running.sort_unstable();
        format!(
            "autodrome: {} s: {} done, {}; running: {}",
            self.elapsed.as_secs(),
            counted(self.done as u64, "run"),
            counted(self.races as u64, "race"),
            running.join(", ")
        )
    }
}

impl Progress {
    pub(super) fn new() -> Progress {
        if !io::stderr().is_terminal() {
            return Progress::default();
        }
        let bar = ProgressBar::new_spinner();
        // The template is a constant: should it ever be wrong, the plain spinner does.
        bar.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Progress { bar: Some(bar) }
    }

    /// Shows how far the hunt is, if it is time; `last` is when that was shown last.
    pub(super) fn show(&self, state: &State<'_>, last: &mut Instant) {
        match &self.bar {
            Some(bar) => bar.set_message(state.line()),
            None if last.elapsed() >= BETWEEN_LINES => {
                *last = Instant::now();
                eprintln!("{}", state.line());
            }
            None => {}
        }
    }

    /// Writes something else, which must not stand in the same line.
    pub(super) fn beside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Writes a line of ours.
    pub(super) fn say(&self, line: &str) {
        self.beside(|| eprintln!("{line}"));
    }

    /// The hunt is over.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_is() {
        let state =
            State { elapsed: Duration::from_millis(12_900), done: 3, races: 1, running: &["drfinder", "contest"] };
        assert_eq!(state.line(), "autodrome: 12 s: 3 runs done, 1 race; running: contest, drfinder");
    }

    #[test]
    fn elsewhere_a_line_comes_every_ten_seconds() {
        let progress = Progress::default();
        let state = State { elapsed: Duration::ZERO, done: 0, races: 0, running: &[] };
        let now = Instant::now();
        let mut last = now;
        progress.show(&state, &mut last);
        assert_eq!(last, now, "too early");
        let Some(mut early) = now.checked_sub(BETWEEN_LINES) else { return };
        progress.show(&state, &mut early);
        assert!(early >= now, "it was shown now");
    }
}
