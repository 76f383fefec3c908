//! Signals to `autodrome run` are the command's: it gets them, ends as it likes, and what was found is still reported.

use std::io::{self, IsTerminal};
use std::process::Child;

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Signals that came while a command runs.
pub(crate) struct Passing {
    signals: Signals,
}

impl Passing {
    /// From now on, signals that would end this process are kept for the command.
    pub(crate) fn new() -> anyhow::Result<Passing> {
        let signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot listen to signals")?;
        Ok(Passing { signals })
    }

    /// Has anything come that nobody was asked to pass on? For what waits between commands.
    pub(crate) fn have_come(&mut self) -> bool {
        self.signals.pending().count() > 0
    }

    /// Passes on what has come; says if anything has.
    pub(crate) fn pass_on(&mut self, child: &Child) -> bool {
        let mut has_come = false;
        for number in self.signals.pending() {
            has_come = true;
            let signal = match number {
                // A terminal sends it to the whole group of processes: the command has it already.
                SIGINT if io::stdin().is_terminal() => continue,
                SIGINT => Signal::INT,
                SIGHUP => Signal::HUP,
                _ => Signal::TERM,
            };
            if let Some(process) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                // A command that has just ended needs no signal.
                let _ = kill_process(process, signal);
            }
        }
        has_come
    }
}
