//! Names of classes, packages, methods and fields, as options have them.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::group::{Invalid, Value};

/// A class, package, method or field, such as `com.acme`, `com.acme.*` or `com.acme.Queue.put`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

impl Name {
    /// The name's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A name stands in a comma list, and the list in a list of words.
impl FromStr for Name {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Name, Invalid> {
        if text.is_empty() || text.contains([',', '"', '\'', '=']) || text.contains(char::is_whitespace) {
            return Err(Invalid(Name::valid()));
        }
        Ok(Name(text.to_owned()))
    }
}

impl Value for Name {
    fn valid() -> String {
        "a class or package name, perhaps with * at its end".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_the_list() {
        assert!("com.acme.*".parse::<Name>().is_ok());
        assert!(["", "a,out=/x", "a b", "a\"b", "a=b"].into_iter().all(|text| text.parse::<Name>().is_err()));
    }
}
