//! Where the source of a frame is, below the folder that a command runs in.
//!
//! A class `a.b.C` of the file `C.java` is looked for in files whose path ends with `a/b/C.java`. Nothing is guessed: if
//! there is no such file, there is no source.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::race::StackFrame;

/// Folders that hold what tools made.
const SKIPPED: [&str; 4] = ["target", "build", "out", "node_modules"];
const LANGUAGES: [&str; 4] = ["java", "kt", "scala", "groovy"];
/// Deeper or larger trees are searched in part: source lines are a help, not a need.
const DEEPEST: usize = 16;
const MOST_FILES: usize = 50_000;

/// The source files below a folder, or none.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    root: Option<PathBuf>,
    /// Paths below the root, by file name; looked for when the first race asks.
    files: OnceLock<Files>,
}

type Files = BTreeMap<String, Vec<PathBuf>>;

impl Sources {
    /// All source files below a folder.
    #[must_use]
    pub fn under(root: &Path) -> Self {
        Sources { root: Some(root.to_path_buf()), files: OnceLock::new() }
    }

    fn files(&self) -> &Files {
        self.files.get_or_init(|| {
            let (mut files, mut left) = (Files::new(), MOST_FILES);
            if let Some(root) = &self.root {
                search(root, Path::new(""), DEEPEST, &mut left, &mut files);
            }
            files
        })
    }

    /// The file of a frame, relative to the root.
    #[must_use]
    pub fn file(&self, frame: &StackFrame) -> Option<&Path> {
        let name = frame.file.as_deref()?;
        let tail = package_path(frame)?;
        let files = self.files().get(name)?;
        let mut found = files.iter().filter(|file| file.ends_with(&tail));
        let first = found.next()?;
        // Two classes of one name, in two modules: no line is better than a wrong one.
        if found.next().is_some() { None } else { Some(first) }
    }

    /// A path to show for a frame: where the file is, or where its package says that it should be.
    pub(crate) fn path(&self, frame: &StackFrame) -> Option<String> {
        let path = self.file(frame).map(Path::to_path_buf).or_else(|| package_path(frame))?;
        Some(path.to_string_lossy().replace('\\', "/"))
    }

    /// The line of a frame.
    pub(crate) fn line(&self, frame: &StackFrame) -> Option<String> {
        self.lines(frame, frame.line?, frame.line?)?.pop()
    }

    /// Lines of a frame's file, from the one to the other, as far as the file has them.
    pub(crate) fn lines(&self, frame: &StackFrame, first: u32, last: u32) -> Option<Vec<String>> {
        let text = fs::read_to_string(self.root.as_ref()?.join(self.file(frame)?)).ok()?;
        let (skip, count) = (first.max(1) - 1, last.checked_sub(first.max(1))? + 1);
        Some(text.lines().skip(skip as usize).take(count as usize).map(str::to_owned).collect())
    }
}

/// Finds the source files below `root/folder`.
fn search(root: &Path, folder: &Path, depth: usize, left: &mut usize, files: &mut Files) {
    // A folder that cannot be read has no source for us.
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return };
    for entry in entries.flatten() {
        let (name, Ok(kind)) = (entry.file_name().to_string_lossy().into_owned(), entry.file_type()) else {
            continue;
        };
        if *left == 0 || depth == 0 {
            return;
        }
        *left -= 1;
        if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
            search(root, &folder.join(&name), depth - 1, left, files);
        } else if kind.is_file() && LANGUAGES.iter().any(|language| name.ends_with(&format!(".{language}"))) {
            files.entry(name.clone()).or_default().push(folder.join(&name));
        }
    }
}

/// `a/b/C.java` of a frame in the class `a.b.C$D`.
fn package_path(frame: &StackFrame) -> Option<PathBuf> {
    let name = frame.file.as_deref()?;
    let package = frame.class.rsplit_once('.').map_or("", |(package, _)| package);
    // A name out of a class file may be anything; a path goes down only.
    let parts = package.split('.').filter(|part| !part.is_empty()).chain([name]);
    parts.map(|part| (!part.contains(['/', '\\']) && part != "..").then_some(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::samples::frame;

    #[test]
    fn a_file_is_found_by_package_and_name_if_there_is_one() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["m/src/main/java/a", "m/target/a", "m/src/main/java/b"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
            fs::write(root.path().join(folder).join("Main.java"), "one\ntwo\nthree\n").unwrap();
        }
        let (sources, frame) = (Sources::under(root.path()), frame("run", 2));
        assert_eq!(sources.file(&frame), Some(Path::new("m/src/main/java/a/Main.java")));
        assert_eq!(sources.line(&frame).as_deref(), Some("two"));
        assert_eq!(sources.lines(&frame, 0, 9).map(|lines| lines.len()), Some(3));
        fs::create_dir_all(root.path().join("n/a")).unwrap();
        fs::write(root.path().join("n/a/Main.java"), "other").unwrap();
        assert_eq!(Sources::under(root.path()).file(&frame), None);
    }

    #[test]
    fn a_name_cannot_lead_elsewhere() {
        let mut frame = frame("run", 1);
        frame.file = Some("../../secret".to_owned());
        assert_eq!(package_path(&frame), None);
    }
}
