//! Where a report comes from: which Autodrome, when, what command, of which commit of the project.

use serde::{Deserialize, Serialize};

/// One run's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of Autodrome.
    pub version: String,
    /// When the run ended, in Greenwich: `2026-11-19T21:04:48Z`.
    pub date: String,
    /// The command that was watched; values that look like secrets are left out.
    pub command: String,
    /// The commit of the project in whose folder it ran, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// Parts of names of options whose values nobody else may read.
const SECRETS: [&str; 6] = ["pass", "pwd", "secret", "token", "credential", "key"];

/// A command as a report may show it: `-Ddb.password=***`.
#[must_use]
pub fn shown_command<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let is_secret = |name: &str| SECRETS.iter().any(|part| name.to_ascii_lowercase().contains(part));
    let (mut shown, mut is_next_secret) = (Vec::new(), false);
    for word in words {
        let value = std::mem::take(&mut is_next_secret);
        match word.split_once('=') {
            _ if value => shown.push("***".to_owned()),
            Some((name, _)) if is_secret(name) => shown.push(format!("{name}=***")),
            None if word.starts_with('-') && is_secret(word) => {
                is_next_secret = true;
                shown.push(word.to_owned());
            }
            _ => shown.push(word.to_owned()),
        }
    }
    shown.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_look_like_secrets_are_left_out() {
        let words = ["mvn", "-Ddb.Password=x y", "--api-token", "abc", "-Dmonkeys=3", "test", "a=b"];
        let shown = shown_command(words.into_iter());
        assert_eq!(shown, "mvn -Ddb.Password=*** --api-token *** -Dmonkeys=*** test a=b");
    }
}
