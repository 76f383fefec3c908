//! Words and numbers as sentences need them, and names from outside so that they can do no harm.

use std::fmt::{self, Write};

use model::is_unsafe_to_show;

/// `1 race`, `2 races`, `3 classes`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if noun.ends_with('s') { "es" } else { "s" };
    format!("{count} {noun}{}", if count == 1 { "" } else { plural })
}

/// A word with a capital.
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Text from outside (a name in a class file, a thread's name, a line of a trace or of a suppression file) as part of a line:
/// letters that would steer a terminal, reorder the line or start another one are written as Java writes them, `\u001b`. So is
/// the second of two `#`, since CI servers look for commands such as `##[error]` and `##vso[` anywhere in a line, and
/// the first of two colons at the start, since `::error` is one where a line starts.
#[must_use]
pub fn plain(text: &str) -> Plain<'_> {
    Plain { text, has_lines: false, is_quoted: false }
}

/// The same for text of several lines whose ends are ours, and for JSON, where the result means the same.
#[must_use]
pub fn plain_lines(text: &str) -> Plain<'_> {
    Plain { text, has_lines: true, is_quoted: false }
}

/// The same in quotes, with quotes and backslashes inside marked.
#[must_use]
pub(crate) fn quoted(text: &str) -> Plain<'_> {
    Plain { text, has_lines: false, is_quoted: true }
}

/// Text that can be shown.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a> {
    text: &'a str,
    has_lines: bool,
    is_quoted: bool,
}

impl fmt::Display for Plain<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = if self.is_quoted { "\"" } else { "" };
        let command = self.text.len() - self.text.trim_start().len();
        let command = (!self.has_lines && self.text.trim_start().starts_with("::")).then_some(command);
        let mut before = None;
        out.write_str(quote)?;
        for (at, letter) in self.text.char_indices() {
            let is_ours = self.has_lines && matches!(letter, '\n' | '\t');
            let is_of_command = letter == '#' && before == Some('#') || command == Some(at);
            if is_of_command || (is_unsafe_to_show(letter) && !is_ours) {
                let mut units = [0; 2];
                letter.encode_utf16(&mut units).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))?;
            } else {
                if self.is_quoted && matches!(letter, '"' | '\\') {
                    out.write_char('\\')?;
                }
                out.write_char(letter)?;
            }
            before = Some(letter);
        }
        out.write_str(quote)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_as_java_writes_them() {
        assert_eq!(plain("a.B$1.été('x\\')").to_string(), "a.B$1.été('x\\')");
        assert_eq!(plain("a\u{1b}[2J\n::error\u{202e}").to_string(), r"a\u001b[2J\u000a::error\u202e");
        assert_eq!(plain("\u{e0041}").to_string(), r"\udb40\udc41");
        assert_eq!(plain("##[x] # ###").to_string(), r"#\u0023[x] # #\u0023\u0023");
        assert_eq!(plain(" ::error::x").to_string(), r" \u003a:error::x");
        assert_eq!(plain_lines("a\n\tb\r").to_string(), "a\n\tb\\u000d");
        assert_eq!(quoted("a\", \\ holding").to_string(), r#""a\", \\ holding""#);
        for text in ["a\u{1b}", "##", "\n\u{2028}"] {
            let once = plain(text).to_string();
            assert_eq!(plain(&once).to_string(), once);
        }
    }
}
