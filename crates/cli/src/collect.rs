//! What the JVMs of a run write, taken in as it comes; each race that is new is shown at once.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Context;
use report::{Judge, Line, Report};
use tempfile::TempDir;

use crate::out;

/// The folder that the agents write to; gone when the run is over. A JVM that outlives the command may still write there;
/// what is left then is a temporary file.
pub(crate) struct Folder {
    folder: TempDir,
    parts: AtomicU32,
}

impl Folder {
    pub(crate) fn new() -> anyhow::Result<Folder> {
        Ok(Folder { folder: out::private_folder()?, parts: AtomicU32::new(0) })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A folder for one run of the command.
    pub(crate) fn part(&self) -> anyhow::Result<PathBuf> {
        let number = self.parts.fetch_add(1, Ordering::Relaxed) + 1;
        let part = self.path().join(number.to_string());
        fs::create_dir(&part).with_context(|| format!("cannot make the folder {}", part.display()))?;
        Ok(part)
    }
}

/// What is shown while the command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Races,
    Nothing,
}

/// What the JVMs have written so far.
pub(crate) struct Collected {
    pub(crate) report: Report,
    pub(crate) judge: Judge,
    /// Has a signal come that was the command's?
    pub(crate) is_interrupted: bool,
    shown: Shown,
    /// By file, how much of it was read.
    read: HashMap<PathBuf, u64>,
}

impl Collected {
    /// Nothing yet.
    pub(crate) fn new(judge: Judge, shown: Shown) -> Collected {
        Collected { report: Report::default(), judge, is_interrupted: false, shown, read: HashMap::new() }
    }

    /// Takes in what is new, and shows new races.
    pub(crate) fn look(&mut self, folder: &Path) -> anyhow::Result<()> {
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension() == Some(OsStr::new("jsonl")));
        files.sort();
        for file in files {
            let text = self.new_lines(&file).with_context(|| format!("cannot read {}", file.display()))?;
            for line in text.lines() {
                // A line that a dying JVM could not finish well is of no use.
                if let Ok(mut line) = serde_json::from_str::<Line>(line) {
                    if let Line::Race(race) = &mut line {
                        self.judge.judge(race);
                    }
                    if let Some(race) = self.report.add(line) {
                        if self.shown == Shown::Races && race.verdict.status.is_new() {
                            eprintln!("{race}");
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The complete lines of a file that were not read yet.
    fn new_lines(&mut self, path: &Path) -> std::io::Result<String> {
        let start = self.read.entry(path.to_owned()).or_insert(0);
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(*start))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        bytes.truncate(complete);
        *start += complete as u64;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_lines_are_taken() {
        let folder = Folder::new().unwrap();
        let file = folder.path().join("1.jsonl");
        let mut collected = Collected::new(Judge::default(), Shown::Races);
        fs::write(&file, "one\ntw").unwrap();
        assert_eq!(collected.new_lines(&file).unwrap(), "one\n");
        fs::write(&file, "one\ntwo\n").unwrap();
        assert_eq!(collected.new_lines(&file).unwrap(), "two\n");
        assert_eq!(collected.new_lines(&file).unwrap(), "");
    }
}
