//! Descriptors of fields and methods (JVMS §4.3), read as bytes.

use super::opcode::{ALOAD, DLOAD, FLOAD, ILOAD, IRETURN, LLOAD, RETURN};
use crate::Skipped;

const BAD: Skipped = Skipped::Malformed("a descriptor is not well formed");

/// How many stack words a value takes: two for a long or a double, none for void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    None,
    One,
    Two,
}

impl Width {
    /// The width of a value whose descriptor starts with this byte.
    pub(crate) fn of(first: u8) -> Width {
        match first {
            b'V' => Width::None,
            b'J' | b'D' => Width::Two,
            _ => Width::One,
        }
    }

    /// As a number of words.
    pub(crate) fn words(self) -> u16 {
        match self {
            Width::None => 0,
            Width::One => 1,
            Width::Two => 2,
        }
    }
}

/// The parameters of a method descriptor, one by one.
pub(crate) struct Parameters<'a> {
    rest: &'a [u8],
}

impl<'a> Parameters<'a> {
    /// The parameters of `descriptor`.
    pub(crate) fn of(descriptor: &'a [u8]) -> Result<Self, Skipped> {
        match descriptor.split_first() {
            Some((b'(', rest)) => Ok(Parameters { rest }),
            _ => Err(BAD),
        }
    }

    /// The next parameter's descriptor, or `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<&'a [u8]>, Skipped> {
        if self.rest.first() == Some(&b')') {
            return Ok(None);
        }
        let dimensions = self.rest.iter().take_while(|&&byte| byte == b'[').count();
        let length = match self.rest.get(dimensions) {
            Some(b'L') => self.rest.iter().position(|&byte| byte == b';').ok_or(BAD)? + 1,
            Some(b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z') => dimensions + 1,
            _ => return Err(BAD),
        };
        let (parameter, rest) = self.rest.split_at_checked(length).ok_or(BAD)?;
        self.rest = rest;
        Ok(Some(parameter))
    }
}

/// How many stack words a method's parameters take.
pub(crate) fn words(descriptor: &[u8]) -> Result<u16, Skipped> {
    let mut parameters = Parameters::of(descriptor)?;
    let mut words = 0_u16;
    while let Some(parameter) = parameters.next()? {
        words = words.saturating_add(Width::of(parameter.first().copied().unwrap_or_default()).words());
    }
    Ok(words)
}

/// The first byte of a method descriptor's result.
pub(crate) fn result(descriptor: &[u8]) -> Result<u8, Skipped> {
    let close = descriptor.iter().rposition(|&byte| byte == b')').ok_or(BAD)?;
    descriptor.get(close + 1).copied().ok_or(BAD)
}

/// The name that a class constant has for the reference that a method gives.
pub(crate) fn class_of_result(descriptor: &[u8]) -> &[u8] {
    let close = descriptor.iter().rposition(|&byte| byte == b')').map_or(0, |close| close + 1);
    class_name(&descriptor[close..])
}

/// The instruction, in its form with an index byte, that loads a local of this descriptor.
pub(crate) fn load(descriptor: &[u8]) -> u8 {
    match descriptor.first() {
        Some(b'J') => LLOAD,
        Some(b'D') => DLOAD,
        Some(b'F') => FLOAD,
        Some(b'L' | b'[') => ALOAD,
        _ => ILOAD,
    }
}

/// The instruction that returns a value whose descriptor starts with this byte.
pub(crate) fn return_of(first: u8) -> u8 {
    // Returns stand in the order of loads.
    if first == b'V' { RETURN } else { IRETURN + (load(&[first]) - ILOAD) }
}

/// The name that a class constant has for a reference descriptor: `[I` as it is, `Ljava/lang/String;` without its
/// first and last byte.
pub(crate) fn class_name(descriptor: &[u8]) -> &[u8] {
    match descriptor {
        [b'L', name @ .., b';'] => name,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(descriptor: &str) -> Result<Vec<String>, Skipped> {
        let mut found = Vec::new();
        let mut parameters = Parameters::of(descriptor.as_bytes())?;
        while let Some(parameter) = parameters.next()? {
            found.push(String::from_utf8_lossy(parameter).into_owned());
        }
        Ok(found)
    }

    #[test]
    fn parameters_are_split() {
        assert_eq!(parameters("()V"), Ok(vec![]));
        assert_eq!(parameters("(I[[JLa/B;[La/C;D)I").unwrap(), ["I", "[[J", "La/B;", "[La/C;", "D"]);
    }

    #[test]
    fn broken_descriptors_are_named() {
        for broken in ["", "I", "(", "(I", "(La/B)V", "([)V", "(V)V", "([[["] {
            assert!(parameters(broken).is_err(), "{broken}");
        }
        assert!(result(b"(I").is_err());
        assert!(result(b"()").is_err());
        assert_eq!(result(b"(I)J"), Ok(b'J'));
    }
}
