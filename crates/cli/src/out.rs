//! Where a result goes: stdout, or a file that is there whole or not at all. And what is said beside it, on stderr.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// Writes a result and a line end. A reader that closed the pipe early wants no more; that is no error.
pub(crate) fn write(out: Option<&Path>, text: &str) -> anyhow::Result<()> {
    let Some(path) = out else {
        let mut stdout = io::stdout().lock();
        return match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result.context("cannot write to stdout"),
        };
    };
    check(path)?;
    let unfinished = beside(path);
    let written = fs::write(&unfinished, format!("{text}\n")).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        // The error to report is the first one; what is left of the file is of no use to anyone.
        let _ = fs::remove_file(&unfinished);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Says something on stderr, in one piece, since others write there too. If nobody reads it there is nobody to tell.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Says whether a file can be written later, and leaves nothing behind.
pub(crate) fn check(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("cannot write {}: it is a folder", path.display());
    }
    let unfinished = beside(path);
    let made = fs::write(&unfinished, "").and_then(|()| fs::remove_file(&unfinished));
    made.with_context(|| format!("cannot write {}", path.display()))
}

/// A name in the same folder, so that a rename stays within one file system.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}
