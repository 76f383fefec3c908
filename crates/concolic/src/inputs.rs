//! Inputs: what the user declares as one, its type and range, and the values that a run is given.
//!
//! `args[0]:int`, `args[0]:int[1..64]`, `return:Verifier.nondet*`, `prop:size:int`.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::str::FromStr;

use crate::expr::Width;

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// An argument of the program's `main`, by index.
    Argument(u32),
    /// What a method returns, by class and name; the name may end in `*`.
    Return(String),
    /// A system property.
    Property(String),
}

impl Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Argument(index) => write!(out, "args[{index}]"),
            Source::Return(method) => write!(out, "return:{method}"),
            Source::Property(name) => write!(out, "prop:{name}"),
        }
    }
}

/// What values an input has by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `short`
    Short,
    /// `char`
    Char,
    /// `int`
    Int,
    /// `long`
    Long,
}

impl Type {
    const ALL: [(Type, &str); 6] = [
        (Type::Boolean, "boolean"),
        (Type::Byte, "byte"),
        (Type::Short, "short"),
        (Type::Char, "char"),
        (Type::Int, "int"),
        (Type::Long, "long"),
    ];

    /// All values of the type.
    #[must_use]
    pub fn domain(self) -> Domain {
        let (low, high) = match self {
            Type::Boolean => (0, 1),
            Type::Byte => (i64::from(i8::MIN), i64::from(i8::MAX)),
            Type::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Type::Char => (0, i64::from(u16::MAX)),
            Type::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Type::Long => (i64::MIN, i64::MAX),
        };
        Domain { low, high }
    }

    /// How wide it is where it is computed with.
    #[must_use]
    pub fn width(self) -> Width {
        if self == Type::Long { Width::Long } else { Width::Int }
    }

    /// The type whose descriptor this is.
    #[must_use]
    pub fn of_descriptor(descriptor: u8) -> Option<Type> {
        Some(match descriptor {
            b'Z' => Type::Boolean,
            b'B' => Type::Byte,
            b'S' => Type::Short,
            b'C' => Type::Char,
            b'I' => Type::Int,
            b'J' => Type::Long,
            _ => return None,
        })
    }
}

impl Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Type::ALL.iter().find(|(one, _)| one == self).map_or("", |(_, name)| name);
        out.write_str(name)
    }
}

/// The values that an input may have, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The lowest.
    pub low: i64,
    /// The highest.
    pub high: i64,
}

impl Domain {
    /// The value in the domain that is nearest to 0.
    #[must_use]
    pub fn smallest(self) -> i64 {
        0.clamp(self.low, self.high)
    }

    /// The part of it around its smallest value.
    #[must_use]
    pub fn within(self, distance: i64) -> Domain {
        let middle = self.smallest();
        Domain {
            low: self.low.max(middle.saturating_sub(distance)),
            high: self.high.min(middle.saturating_add(distance)),
        }
    }

    /// Is a value in it?
    #[must_use]
    pub fn has(self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// What the user declares as an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Where it comes from.
    pub source: Source,
    /// Its type; a method that returns has its own.
    pub type_: Option<Type>,
    /// Its range, if that is less than the type's.
    pub range: Option<Domain>,
}

/// Why a declaration of an input cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text}: {why}; inputs are args[0]:int, args[0]:int[1..64], prop:NAME:int, return:CLASS.METHOD, with types boolean, byte, \
     short, char, int or long"
)]
pub struct SpecError {
    text: String,
    why: &'static str,
}

impl Spec {
    /// Does it declare what this method returns, by class with dots and name?
    #[must_use]
    pub fn is_return_of(&self, class: &str, method: &str) -> bool {
        let Source::Return(name) = &self.source else { return false };
        let full = format!("{class}.{method}");
        match name.strip_suffix('*') {
            Some(start) => full.starts_with(start),
            None => full == *name,
        }
    }

    /// The values that it may have, where the program gives it this type.
    #[must_use]
    pub fn domain(&self, type_: Type) -> Domain {
        let all = self.type_.unwrap_or(type_).domain();
        self.range.unwrap_or(all)
    }
}

impl Display for Spec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.source)?;
        if let Some(type_) = self.type_ {
            write!(out, ":{type_}")?;
        }
        if let Some(Domain { low, high }) = self.range {
            write!(out, "[{low}..{high}]")?;
        }
        Ok(())
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let wrong = |why: &'static str| SpecError { text: text.to_owned(), why };
        if text.contains(char::is_whitespace) {
            return Err(wrong("it has a blank"));
        }
        if let Some(method) = text.strip_prefix("return:") {
            let (method, type_) = match method.split_once(':') {
                Some((method, type_)) => (method, Some(type_)),
                None => (method, None),
            };
            if !method.contains('.') {
                return Err(wrong("a method needs its class"));
            }
            let (type_, range) = type_.map_or(Ok((None, None)), |text| typed(text).map_err(wrong))?;
            return Ok(Spec { source: Source::Return(method.to_owned()), type_, range });
        }
        if let Some(property) = text.strip_prefix("prop:") {
            let Some((name, type_)) = property.rsplit_once(':').filter(|(name, _)| !name.is_empty()) else {
                return Err(wrong("a property needs a name and a type"));
            };
            let (type_, range) = typed(type_).map_err(wrong)?;
            return Ok(Spec { source: Source::Property(name.to_owned()), type_, range });
        }
        let Some((index, type_)) = text.strip_prefix("args[").and_then(|rest| rest.split_once("]:")) else {
            return Err(wrong("no such source"));
        };
        let index = index.parse().map_err(|_| wrong("the index is no number"))?;
        let (type_, range) = typed(type_).map_err(wrong)?;
        Ok(Spec { source: Source::Argument(index), type_, range })
    }
}

/// A type, perhaps with a range.
fn typed(text: &str) -> Result<(Option<Type>, Option<Domain>), &'static str> {
    let (name, range) = match text.split_once('[') {
        None => (text, None),
        Some((name, range)) => (name, Some(range.strip_suffix(']').ok_or("the range does not end in ]")?)),
    };
    let type_ = Type::ALL.iter().find(|(_, one)| *one == name).map(|(type_, _)| *type_).ok_or("no such type")?;
    let Some(range) = range else { return Ok((Some(type_), None)) };
    let (low, high) = range.split_once("..").ok_or("a range is LOW..HIGH")?;
    let number = |text: &str| text.parse::<i64>().map_err(|_| "a range is LOW..HIGH, both numbers");
    let range = Domain { low: number(low)?, high: number(high)? };
    let all = type_.domain();
    if range.low > range.high || !all.has(range.low) || !all.has(range.high) {
        return Err("the range is empty, or more than the type has");
    }
    Ok((Some(type_), Some(range)))
}

/// The value of an input, as a solver finds it.
pub type Value = i64;

/// The values of inputs by key. A key is where the input comes from, the thread that read it and how many it had read before:
/// none of that depends on how threads are scheduled.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inputs(pub BTreeMap<String, Value>);

impl Inputs {
    /// The key of an argument or a property.
    #[must_use]
    pub fn key_of(source: &Source) -> String {
        source.to_string()
    }

    /// The key of what a method returns to a thread, `ordinal` times after the first. A method's name never has a `#`.
    #[must_use]
    pub fn key_of_return(method: &str, thread: &str, ordinal: u32) -> String {
        format!("return:{method}#{thread}#{ordinal}")
    }

    /// In words, as the user gives them.
    #[must_use]
    pub fn words(&self) -> String {
        let word = |(key, value): (&String, &Value)| match key.strip_prefix("return:").map(|rest| rest.split('#')) {
            None => format!("{key} = {value}"),
            Some(mut parts) => {
                let (method, thread) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                let ordinal = parts.next().and_then(|part| part.parse::<u32>().ok()).unwrap_or(0) + 1;
                let thread = if thread == "0" { String::new() } else { format!(" in thread {thread}") };
                format!("call {ordinal} of {method}{thread} = {value}")
            }
        };
        let words: Vec<String> = self.0.iter().map(word).collect();
        if words.is_empty() { "any input".to_owned() } else { words.join(", ") }
    }

    /// As lines of a file for the agent.
    #[must_use]
    pub fn to_lines(&self) -> String {
        self.0.iter().map(|(key, value)| format!("{value} {key}\n")).collect()
    }

    /// Reads lines; those that are none of a value are left out.
    #[must_use]
    pub fn from_lines(text: &str) -> Inputs {
        let pairs = text.lines().filter_map(|line| {
            let (value, key) = line.split_once(' ')?;
            Some((key.to_owned(), value.parse().ok()?))
        });
        Inputs(pairs.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read_and_written() {
        for text in
            ["args[0]:int", "args[12]:long[-5..64]", "return:a.B.next", "return:a.B.nondet*", "prop:x.y:boolean"]
        {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        for wrong in [
            "",
            "args[0]",
            "args[x]:int",
            "args[0]:integer",
            "args[0]:int[3]",
            "args[0]:byte[0..900]",
            "return:f",
            "prop:x",
            "prop::int",
            "args[0]:int[5..1]",
            "args[0]:int[0..1",
            "stdin",
            "args[0] :int",
        ] {
            assert!(wrong.parse::<Spec>().is_err(), "{wrong}");
        }
        let spec: Spec = "return:a.B.nondet*".parse().unwrap();
        assert!(spec.is_return_of("a.B", "nondetInt") && !spec.is_return_of("a.C", "nondetInt"));
    }

    #[test]
    fn boxes_are_around_the_smallest_value() {
        assert_eq!(Type::Int.domain().within(100), Domain { low: -100, high: 100 });
        let far = Domain { low: 1000, high: 5000 };
        assert_eq!((far.smallest(), far.within(100)), (1000, Domain { low: 1000, high: 1100 }));
    }

    #[test]
    fn inputs_are_told_in_words() {
        let mut inputs = Inputs::default();
        assert_eq!(inputs.words(), "any input");
        inputs.0.insert(Inputs::key_of(&Source::Argument(0)), 6);
        inputs.0.insert(Inputs::key_of_return("a.B.next", "0", 1), -3);
        assert_eq!(inputs.words(), "args[0] = 6, call 2 of a.B.next = -3");
        assert_eq!(Inputs::from_lines(&inputs.to_lines()), inputs);
    }
}
