//! What a program says while it is hunted: passed on as it comes, and its last lines kept, to compare what follows from one
//! order with what follows from another.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::progress::Progress;

/// So many lines are kept.
const KEPT: usize = 20;

/// A process that the program leaves behind may keep the pipes open: nobody waits longer for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// How lines begin that say that something went wrong.
const FAILURES: [&str; 2] = ["Exception in thread ", "java.lang.AssertionError"];

/// What one run said.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    lines: VecDeque<String>,
    failures: Vec<String>,
    pipes: Option<Receiver<Option<Vec<u8>>>>,
    open: usize,
    progress: Progress,
}

impl Heard {
    /// Hears a program beside what shows how far the hunt is.
    pub(super) fn beside(progress: &Progress) -> Heard {
        Heard { progress: progress.clone(), ..Heard::default() }
    }

    /// Asks for the program's output, which would be ours.
    pub(crate) fn ask(command: &mut std::process::Command) {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    /// Listens to a program from now on.
    pub(crate) fn listen(&mut self, child: &mut Child) {
        let (sender, receiver) = channel();
        if let Some(out) = child.stdout.take() {
            self.open += 1;
            pass_on(out, io::stdout(), sender.clone(), self.progress.clone());
        }
        if let Some(error) = child.stderr.take() {
            self.open += 1;
            pass_on(error, io::stderr(), sender, self.progress.clone());
        }
        self.pipes = Some(receiver);
    }

    /// Takes in what has come.
    pub(crate) fn take(&mut self) {
        while let Some(Ok(line)) = self.pipes.as_ref().map(Receiver::try_recv) {
            self.add(line);
        }
    }

    /// Takes in the rest: the program has ended.
    pub(crate) fn finish(&mut self) {
        let until = Instant::now() + PATIENCE;
        while self.open > 0 {
            let left = until.saturating_duration_since(Instant::now());
            let Some(Ok(line)) = self.pipes.as_ref().map(|pipes| pipes.recv_timeout(left)) else { return };
            self.add(line);
        }
    }

    fn add(&mut self, line: Option<Vec<u8>>) {
        let Some(line) = line else {
            self.open -= 1;
            return;
        };
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        if line.starts_with("autodrome: ") || line.starts_with("Picked up ") || line.starts_with("NOTE: Picked up ") {
            return;
        }
        if FAILURES.iter().any(|start| line.starts_with(start)) && self.failures.len() < KEPT {
            self.failures.push(line.clone());
        }
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    /// The first line that says that something went wrong.
    pub(super) fn failure(&self) -> Option<String> {
        self.failures.first().cloned()
    }

    /// The last lines.
    pub(super) fn last_lines(&self) -> Vec<String> {
        self.lines.iter().cloned().collect()
    }
}

/// Passes on all that comes, line by line, on a thread of its own.
fn pass_on(
    from: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
    lines: Sender<Option<Vec<u8>>>,
    progress: Progress,
) {
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        // A reader who is gone, on either side, is no reason to stop the program by a full pipe.
        while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let _ = progress.beside(|| to.write_all(&line).and_then(|()| to.flush()));
            let _ = lines.send(Some(std::mem::take(&mut line)));
        }
        let _ = lines.send(None);
    });
}
