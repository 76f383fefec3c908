//! Names of threads that are the same in every run: the parent's path and how many threads it had started before.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The path of a thread: the main thread is `0`, the second thread that it starts `0.1`, the first one of that `0.1.0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ThreadPath(Vec<u32>);

impl ThreadPath {
    /// The path of the n-th thread that no known thread started, such as the main thread (0) or one that native code attached.
    #[must_use]
    pub fn root(number: u32) -> ThreadPath {
        ThreadPath(vec![number])
    }

    /// The path of the n-th thread that this one starts.
    #[must_use]
    pub fn child(&self, number: u32) -> ThreadPath {
        let mut path = self.0.clone();
        path.push(number);
        ThreadPath(path)
    }
}

impl fmt::Display for ThreadPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, number) in self.0.iter().enumerate() {
            write!(out, "{}{number}", if place == 0 { "" } else { "." })?;
        }
        Ok(())
    }
}

impl From<ThreadPath> for String {
    fn from(path: ThreadPath) -> String {
        path.to_string()
    }
}

impl FromStr for ThreadPath {
    type Err = String;

    fn from_str(text: &str) -> Result<ThreadPath, String> {
        let numbers = text.split('.').map(|part| {
            let is_plain = !part.is_empty() && part.bytes().all(|letter| letter.is_ascii_digit());
            part.parse().ok().filter(|_| is_plain)
        });
        let path: Option<Vec<u32>> = numbers.collect();
        path.map(ThreadPath).ok_or_else(|| format!("{text:?} is no path of a thread, such as 0.2.1"))
    }
}

impl TryFrom<String> for ThreadPath {
    type Error = String;

    fn try_from(text: String) -> Result<ThreadPath, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::ThreadPath;

    #[test]
    fn a_path_is_written_and_read() {
        let path = ThreadPath::root(0).child(2).child(1);
        assert_eq!(path.to_string(), "0.2.1");
        assert_eq!("0.2.1".parse(), Ok(path));
        for text in ["", ".", "0.", "0.-1", "+1", "a", "0.99999999999"] {
            assert!(text.parse::<ThreadPath>().is_err(), "{text:?}");
        }
    }
}
