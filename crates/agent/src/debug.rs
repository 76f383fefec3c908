//! The debug log: what the agent did and what it left alone, for when silence is in doubt.
//!
//! All JVMs of a run append to one file, a line and a write each.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

use crate::agent::lock;
use crate::files::appending;

pub(crate) struct Debug {
    file: Option<Mutex<File>>,
}

impl Debug {
    /// A log, or none.
    pub(crate) fn open(path: Option<&Path>) -> std::io::Result<Debug> {
        let file = path.map(appending).transpose()?;
        Ok(Debug { file: file.map(Mutex::new) })
    }

    /// Notes something; the text is made only if there is a log.
    pub(crate) fn say(&self, text: impl FnOnce() -> String) {
        if let Some(file) = &self.file {
            // A log that cannot be written is no reason to disturb the program.
            let _ = lock(file).write_all(format!("{} {}\n", std::process::id(), report::plain(&text())).as_bytes());
        }
    }
}
