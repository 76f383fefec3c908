//! Where a result goes: stdout, or a file that is there whole or not at all. And what is said beside it, on stderr.

use std::env;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, bail};
use report::plain_lines;
use tempfile::{NamedTempFile, TempDir};

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
    let text = format!("{text}\n");
    let written = if is_special(path) {
        OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()))
    } else {
        replace(path, &text)
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Is it a device or a pipe? No file may take its place.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Writes a file beside the one that is meant, which it then replaces; a symbolic link to it stays.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let meant = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut unfinished = beside(&meant)?;
    unfinished.write_all(text.as_bytes())?;
    unfinished.persist(&meant)?;
    Ok(())
}

/// Says something on stderr, in one piece, since others write there too. If nobody reads it nothing is lost. Nothing
/// that is said can steer a terminal, whatever it quotes.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().write_all(format!("{}\n", plain_lines(text)).as_bytes());
}

/// Says whether a file can be written later, and leaves nothing behind.
pub(crate) fn check(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("cannot write {}: it is a folder", path.display());
    }
    if is_special(path) {
        return Ok(());
    }
    let made = beside(path).and_then(NamedTempFile::close);
    made.with_context(|| format!("cannot write {}", path.display()))
}

/// A new file in the same folder, so that a rename stays within one file system. Its name is random and it is never one that
/// was there before: in a folder for temporary files anybody may put links at names that can be guessed.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    // The user's mask takes from this, as from the mode of any new file.
    let mode = Permissions::from_mode(0o666);
    tempfile::Builder::new().prefix(&prefix).suffix(".part").permissions(mode).tempfile_in(folder)
}

/// A new folder among temporary files, gone when the value is: of a random name, and nobody else can look or write into it.
pub(crate) fn private_folder() -> anyhow::Result<TempDir> {
    let parent = env::temp_dir();
    let made = tempfile::Builder::new()
        .prefix("autodrome-")
        .rand_bytes(16)
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(&parent);
    made.with_context(|| format!("cannot make a folder in {}", parent.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.json"), folder.path().join("link.json"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(Some(&link), "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
    }

    /// As root, a rename would put a file in the place of the device.
    #[test]
    fn no_file_takes_the_place_of_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write(Some(&pipe), "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through\n");
        assert!(is_special(&pipe));
    }
}
