//! Names of files, as options have them: `%p`, `%t` and `%%` stand for what only the process knows.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::error::Unpassable;
use crate::group::{Invalid, Value};

/// A file whose name may depend on the process: `%p` is its id, `%t` the time of its start, since processes of
/// containers have few ids, and `%%` a percent sign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileName(String);

/// The process that a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// The time of its start, in seconds since 1970.
    pub started: u64,
}

impl FileName {
    /// The file of this path, the same in every process.
    ///
    /// # Errors
    ///
    /// If a path like this cannot be part of a list of options.
    pub fn fixed(path: &Path) -> Result<FileName, Unpassable> {
        let unpassable = || Unpassable { path: path.to_owned() };
        let text = path.to_str().ok_or_else(unpassable)?;
        text.replace('%', "%%").parse().map_err(|_| unpassable())
    }

    /// A file of its own for each process in a folder: its name is the process's id and an extension.
    ///
    /// # Errors
    ///
    /// If the path of the folder cannot be part of a list of options.
    pub fn of_each_process(folder: &Path, extension: &str) -> Result<FileName, Unpassable> {
        let FileName(folder) = FileName::fixed(folder)?;
        Ok(FileName(format!("{folder}/%p.{extension}")))
    }

    /// The path in one process.
    #[must_use]
    pub fn resolve(&self, process: Process) -> PathBuf {
        let mut path = String::with_capacity(self.0.len());
        let mut rest = &*self.0;
        while let Some((before, after)) = rest.split_once('%') {
            path += before;
            let (filled, used) = match after.as_bytes().first() {
                Some(b'p') => (process.pid.to_string(), 1),
                Some(b't') => (process.started.to_string(), 1),
                Some(b'%') => ("%".to_owned(), 1),
                _ => ("%".to_owned(), 0),
            };
            path += &filled;
            rest = &after[used..];
        }
        PathBuf::from(path + rest)
    }
}

impl Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for FileName {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<FileName, Invalid> {
        if text.is_empty() || text.contains([',', '"']) {
            return Err(Invalid(FileName::valid()));
        }
        Ok(FileName(text.to_owned()))
    }
}

impl Value for FileName {
    fn valid() -> String {
        "the name of a file, without commas and double quotes".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROCESS: Process = Process { pid: 7, started: 9 };

    #[test]
    fn a_name_may_have_the_process_and_the_time() {
        let name: FileName = "/a%%p/%p-%t/100%/%".parse().unwrap();
        assert_eq!(name.resolve(PROCESS), PathBuf::from("/a%p/7-9/100%/%"));
    }

    #[test]
    fn a_path_stands_for_itself() {
        let path = Path::new("/a%p/%%/it's b%");
        assert_eq!(FileName::fixed(path).unwrap().resolve(PROCESS), path);
        let file = FileName::of_each_process(path, "jsonl").unwrap();
        assert_eq!(file.resolve(PROCESS), path.join("7.jsonl"));
        let error = FileName::fixed(Path::new("/a,b")).unwrap_err().to_string();
        assert!(error.starts_with("/a,b: such a path cannot be passed to a JVM"), "{error}");
    }
}
