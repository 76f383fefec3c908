//! Names that would be misread are quoted.

use std::borrow::Cow;

use model::is_unsafe_to_show;

use super::Problem;

/// Where a name stands in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// The first field, an operand, a word of an `@` line.
    Inner,
    /// The place, which goes on to the end of the line.
    Last,
}

/// Does a name read as itself?
pub(super) fn is_plain(name: &str, position: Position) -> bool {
    let fits = |c: char| match position {
        Position::Inner => !is_unsafe_to_show(c) && !c.is_whitespace() && !"|(){}=\"\\".contains(c),
        Position::Last => !is_unsafe_to_show(c) && (c == ' ' || !c.is_whitespace()) && c != '|',
    };
    !name.is_empty() && !name.starts_with(['#', '@', '"', ' ']) && !name.ends_with(' ') && name.chars().all(fits)
}

/// The form of a name in a line.
pub(super) fn quoted(name: &str, position: Position) -> Cow<'_, str> {
    if is_plain(name, position) {
        return Cow::Borrowed(name);
    }
    let mut form = String::with_capacity(name.len() + 2);
    form.push('"');
    for c in name.chars() {
        match c {
            '"' => form.push_str("\\\""),
            '\\' => form.push_str("\\\\"),
            '\n' => form.push_str("\\n"),
            '\r' => form.push_str("\\r"),
            '\t' => form.push_str("\\t"),
            c if is_unsafe_to_show(c) => form.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => form.push(c),
        }
    }
    form.push('"');
    Cow::Owned(form)
}

/// A quoted name at the start of `line`, and what follows it.
#[cold]
pub(super) fn unquote(line: &[u8]) -> Result<(Cow<'_, [u8]>, &[u8]), Problem> {
    let mut name = Vec::new();
    let mut rest = line.get(1..).unwrap_or_default();
    loop {
        match rest {
            [] => return Err(Problem::new("a closing quote", rest)),
            [b'"', after @ ..] => return Ok((Cow::Owned(name), after)),
            [b'\\', after @ ..] => {
                let (c, after) = escape(after)
                    .ok_or_else(|| Problem::new("one of the escapes \\\" \\\\ \\n \\r \\t \\u{…}", rest))?;
                name.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            [byte, after @ ..] => {
                name.push(*byte);
                rest = after;
            }
        }
    }
}

fn escape(line: &[u8]) -> Option<(char, &[u8])> {
    let (letter, rest) = line.split_first()?;
    let c = match letter {
        b'"' => '"',
        b'\\' => '\\',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let inner = rest.strip_prefix(b"{")?;
            let end = inner.iter().position(|&byte| byte == b'}')?;
            let digits = std::str::from_utf8(&inner[..end]).ok().filter(|digits| !digits.starts_with('+'))?;
            return Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, &inner[end + 1..]));
        }
        _ => return None,
    };
    Some((c, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_names_come_back() {
        for name in [
            "",
            "a|b",
            "f(x)",
            "a b",
            " a",
            "\n\r\t\u{1}\u{7f}",
            "\"\\",
            "#1",
            "@x",
            "ä=ö",
            "{1}",
            "a\u{202e}b\u{feff}",
        ] {
            let form = quoted(name, Position::Inner);
            let (back, rest) = unquote(form.as_bytes()).unwrap();
            assert_eq!((&*back, rest), (name.as_bytes(), &b""[..]), "{form}");
        }
        assert_eq!(quoted("pkg.A$1.f[]", Position::Inner), "pkg.A$1.f[]");
        assert_eq!(quoted("a\u{202e}b", Position::Last), "\"a\\u{202e}b\"", "a line reads as it stands");
        assert_eq!(quoted("pkg.A.f(A.java:3)", Position::Last), "pkg.A.f(A.java:3)");
    }

    #[test]
    fn bad_escapes_are_told() {
        for bad in [r#""\x""#, r#""\u{110000}""#, r#""\u{+41}""#, r#""\u41""#, r#""\"#, r#""open"#] {
            assert!(unquote(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
