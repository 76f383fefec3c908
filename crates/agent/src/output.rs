//! What the agent writes: races as text on stderr, and lines of JSON into a file, each at once.
//!
//! A line is written with one system call before the program goes on, so a JVM that is killed loses nothing.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use control::{Endpoint, Text};
use report::{Line, plain_lines};

use crate::files::appending;
use crate::otlp::Otlp;

pub(crate) struct Output {
    file: Option<Mutex<File>>,
    text: Text,
    otlp: Option<Otlp>,
}

impl Output {
    pub(crate) fn open(path: Option<&Path>, text: Text, otlp: Option<&Endpoint>) -> io::Result<Output> {
        let file = path.map(appending).transpose()?;
        let otlp = otlp.cloned().map(Otlp::open).transpose()?;
        Ok(Output { file: file.map(Mutex::new), text, otlp })
    }

    pub(crate) fn write(&self, line: &Line) {
        if let (Text::Stderr, Line::Race(race)) = (self.text, line) {
            message(&race.to_string());
        }
        if let (Some(otlp), Line::Race(race)) = (&self.otlp, line) {
            otlp.offer(race);
        }
        let Some(file) = &self.file else { return };
        let Ok(mut json) = serde_json::to_string(line) else { return };
        json.push('\n');
        let written = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(json.as_bytes());
        if let Err(error) = written {
            message(&format!("autodrome: cannot write the report: {error}"));
        }
    }
}

impl Output {
    /// The JVM ends: waits a little for what is still to be sent, and says what was not.
    pub(crate) fn finish(&self) {
        if let Some(said) = self.otlp.as_ref().and_then(Otlp::finish) {
            message(&said);
        }
    }
}

/// Shows a text on stderr, in one piece; nothing that it quotes can steer a terminal. If stderr is closed nobody reads it.
pub(crate) fn message(text: &str) {
    let _ = io::stderr().write_all(format!("{}\n", plain_lines(text)).as_bytes());
}
