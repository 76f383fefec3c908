//! Suppressions: races that nobody wants to hear of, by rules in a file.
//!
//! A line is `type:pattern`, as ThreadSanitizer has it, then perhaps `until=2027-01-31` and, last, `reason=` and any text;
//! `#` starts a comment. A pattern matches anywhere in a name; `*` stands for anything, `^` and `$` for the ends of the name.
//!
//! | type | matches |
//! | --- | --- |
//! | `id` | the race's fingerprint |
//! | `race` | any frame of either access: its class and method, or its source file; or the variable |
//! | `race_top` | the innermost frame of either access |
//! | `field` | the variable: `pkg.Class.field`, or the class of an object of the JDK, or the field that it is in, or `int[]` |
//! | `called_from_lib` | the innermost frame outside the JDK of either access, by its class |
//! | `thread` | the name of either thread |

use std::cell::Cell;
use std::fmt;

use crate::date::Date;
use crate::defaults;
use crate::error::ReportError;
use crate::race::{LiveRace, Side, StackFrame};
use crate::text::plain;

/// Who wrote a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It came with Autodrome.
    BuiltIn,
    /// It stands in a file of the user's.
    User,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Id,
    Race,
    RaceTop,
    Field,
    CalledFromLib,
    Thread,
}

const KINDS: [(&str, Kind); 6] = [
    ("id", Kind::Id),
    ("race", Kind::Race),
    ("race_top", Kind::RaceTop),
    ("field", Kind::Field),
    ("called_from_lib", Kind::CalledFromLib),
    ("thread", Kind::Thread),
];

/// One rule.
#[derive(Clone, Debug)]
struct Rule {
    origin: Origin,
    /// The file and the line, empty for a built-in one.
    place: String,
    /// `type:pattern`, as it was written.
    text: String,
    kind: Kind,
    pattern: Pattern,
    until: Option<Date>,
    reason: Option<String>,
    used: Cell<u64>,
}

impl Rule {
    fn parse(line: &str) -> Result<Option<Rule>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let (line, reason) = match line.split_once(" reason=") {
            Some((rest, reason)) => (rest, Some(reason.trim().to_owned())),
            None => (line.split(" #").next().unwrap_or(line), None),
        };
        let mut words = line.split_whitespace();
        let text = words.next().unwrap_or_default();
        let Some((kind, pattern)) = text.split_once(':') else { return Err(format!("`{text}` is not type:pattern")) };
        let mut until = None;
        for word in words {
            match word.split_once('=') {
                Some(("until", date)) => until = Some(date.parse()?),
                _ => return Err(format!("`{word}` is neither until= nor reason=")),
            }
        }
        let Some(&(_, kind)) = KINDS.iter().find(|(name, _)| *name == kind) else {
            let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            return Err(format!("there is no type `{kind}`: it is one of {}", names.join(", ")));
        };
        if pattern.is_empty() {
            return Err("the pattern is empty, which would match everything: write * for that".to_owned());
        }
        let (text, pattern) = (text.to_owned(), Pattern::new(pattern));
        let place = String::new();
        Ok(Some(Rule { origin: Origin::User, place, text, kind, pattern, until, reason, used: Cell::new(0) }))
    }

    fn is_over(&self, today: Date) -> bool {
        self.until.is_some_and(|last| last < today)
    }

    fn matches(&self, race: &LiveRace) -> bool {
        let sides = [&race.earlier, &race.later];
        let is = |text: &str| self.pattern.matches(text);
        let in_frame = |frame: &StackFrame| {
            is(&format!("{}.{}", frame.class, frame.method)) || frame.file.as_deref().is_some_and(is)
        };
        let of_variable = || is(&race.variable.name()) || race.variable.held_by.as_deref().is_some_and(is);
        match self.kind {
            Kind::Id => is(&race.id),
            Kind::Race => of_variable() || sides.iter().any(|side| side.stack.iter().any(in_frame)),
            Kind::RaceTop => sides.iter().any(|side| side.stack.first().is_some_and(in_frame)),
            Kind::Field => of_variable(),
            Kind::CalledFromLib => {
                let caller =
                    |side: &Side| side.stack.iter().find(|frame| !frame.is_of_jdk()).map(|frame| is(&frame.class));
                sides.iter().any(|side| caller(side) == Some(true))
            }
            Kind::Thread => sides.iter().any(|side| is(&side.thread.name)),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", plain(&self.text))?;
        if let Some(until) = self.until {
            write!(out, " until={until}")?;
        }
        self.reason.as_ref().map_or(Ok(()), |reason| write!(out, " reason={}", plain(reason)))
    }
}

/// A pattern: parts that must come one after the other, the first and the last perhaps at the ends.
#[derive(Clone, Debug)]
struct Pattern {
    parts: Vec<String>,
    from_start: bool,
    to_end: bool,
}

impl Pattern {
    fn new(text: &str) -> Self {
        let (from_start, text) = text.strip_prefix('^').map_or((false, text), |rest| (true, rest));
        let (to_end, text) = text.strip_suffix('$').map_or((false, text), |rest| (true, rest));
        Pattern { parts: text.split('*').map(str::to_owned).collect(), from_start, to_end }
    }

    fn matches(&self, text: &str) -> bool {
        let Some((last, others)) = self.parts.split_last() else { return true };
        let mut rest = text;
        for (place, part) in others.iter().enumerate() {
            let after = if place == 0 && self.from_start {
                rest.strip_prefix(part.as_str())
            } else {
                rest.find(part.as_str()).and_then(|at| rest.get(at + part.len()..))
            };
            let Some(after) = after else { return false };
            rest = after;
        }
        match (others.is_empty() && self.from_start, self.to_end) {
            (true, true) => rest == last,
            (true, false) => rest.starts_with(last.as_str()),
            (false, true) => rest.ends_with(last.as_str()),
            (false, false) => rest.contains(last.as_str()),
        }
    }
}

/// All rules, in the order in which they are asked.
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    rules: Vec<Rule>,
}

impl Suppressions {
    /// The rules that come with Autodrome.
    #[must_use]
    pub fn built_in() -> Self {
        let mut suppressions = Suppressions::default();
        for line in defaults::RULES {
            // The constants are parsed in a test.
            if let Ok(Some(rule)) = Rule::parse(line) {
                suppressions.rules.push(Rule { origin: Origin::BuiltIn, ..rule });
            }
        }
        suppressions
    }

    /// Adds the rules of a file's text.
    ///
    /// # Errors
    /// If a line is not a rule.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), ReportError> {
        for (line, text) in (1..).zip(text.lines()) {
            let rule = Rule::parse(text).map_err(|what| ReportError::Rule { file: file.to_owned(), line, what })?;
            self.rules.extend(rule.map(|rule| Rule { place: format!("{file}:{line}"), ..rule }));
        }
        Ok(())
    }

    /// The first rule of an origin that matches a race and is not over.
    pub(crate) fn match_race(&self, race: &LiveRace, origin: Origin, today: Date) -> Option<String> {
        let mut rules = self.rules.iter().filter(|rule| rule.origin == origin && !rule.is_over(today));
        let rule = rules.find(|rule| rule.matches(race))?;
        rule.used.set(rule.used.get() + 1);
        Some(match rule.origin {
            Origin::BuiltIn => format!("built in: {rule}"),
            Origin::User => format!("{}: {rule}", rule.place),
        })
    }

    /// Does a rule that is not over speak of this race by its name?
    #[must_use]
    pub fn names(&self, id: &str, today: Date) -> bool {
        self.rules.iter().any(|rule| rule.kind == Kind::Id && rule.pattern.matches(id) && !rule.is_over(today))
    }

    /// Rules of the user's that are of no use: matched by nothing, or over.
    pub(crate) fn complaints(&self, today: Date) -> Vec<String> {
        let own = self.rules.iter().filter(|rule| rule.origin == Origin::User);
        own.filter_map(|rule| {
            if rule.is_over(today) {
                Some(format!("{}: {rule} is over and suppresses nothing any more", rule.place))
            } else if rule.used.get() == 0 {
                Some(format!("{}: {rule} matched no race", rule.place))
            } else {
                None
            }
        })
        .collect()
    }

    /// Every rule, one line each, as it would stand in a file.
    #[must_use]
    pub fn list(&self) -> Vec<String> {
        let mut place = String::new();
        let mut lines = Vec::new();
        for rule in &self.rules {
            let file = rule.place.rsplit_once(':').map_or("built in", |(file, _)| file);
            if place != file {
                lines.push(format!("# {}", plain(file)));
                file.clone_into(&mut place);
            }
            lines.push(rule.to_string());
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::samples::race;

    const TODAY: Date = Date { year: 2026, month: 11, day: 16 };

    fn suppressed_by(text: &str) -> bool {
        let mut suppressions = Suppressions::default();
        suppressions.add("file", text).unwrap();
        suppressions.match_race(&race("R-0badcafe"), Origin::User, TODAY).is_some()
    }

    #[test]
    fn each_type_looks_at_its_own_part() {
        for (rule, expected) in [
            ("id:R-0badcafe", true),
            ("id:^R-0bad$", false),
            ("race:a.Main.run", true),
            ("race:Main.java", true),
            ("race:a.Main.n", true),
            ("race:a.Other", false),
            ("race_top:a.Main.count", true),
            ("race_top:a.Main.run", false),
            ("field:^a.Main.n$", true),
            ("field:a.Main.count", false),
            ("called_from_lib:^a.", true),
            ("called_from_lib:^java.", false),
            ("thread:worker-*2", true),
            ("thread:^orker", false),
            ("thread:^worker-12$", true),
            ("field:*", true),
            ("field:^a*n$", true),
            ("field:^a*m$", false),
            ("# field:*", false),
        ] {
            assert_eq!(suppressed_by(rule), expected, "{rule}");
        }
    }

    #[test]
    fn a_rule_ends_on_its_day() {
        assert!(suppressed_by("field:n until=2026-11-16 reason=until the release"));
        assert!(!suppressed_by("field:n until=2026-11-15"));
    }

    #[test]
    fn rules_of_no_use_are_named() {
        let mut suppressions = Suppressions::built_in();
        suppressions.add("s", "# why\nfield:n\nfield:none reason=old\nrace:x until=2020-01-01").unwrap();
        suppressions.match_race(&race("R-1"), Origin::User, TODAY);
        assert_eq!(
            suppressions.complaints(TODAY),
            [
                "s:3: field:none reason=old matched no race",
                "s:4: race:x until=2020-01-01 is over and suppresses nothing any more"
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, says) in [
            ("field:ok\nfields:n", "f:2: there is no type `fields`"),
            ("field", "f:1: `field` is not type:pattern"),
            ("field:", "f:1: the pattern is empty"),
            ("field:n until=soon", "f:1: `soon` is not a day"),
            ("field:n because", "f:1: `because` is neither"),
        ] {
            let error = Suppressions::default().add("f", text).unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
        }
    }

    #[test]
    fn class_literals_and_probes_are_suppressed_by_default() {
        let mut race = race("R-0badcafe");
        for (class, field, is) in [
            ("a.B", "class$java$lang$String", true),
            ("a.B", "classes", false),
            ("org.jacoco.agent.rt.internal_1.core.data.ExecutionData", "probes", true),
            ("a.B", "probes", false),
        ] {
            (race.variable.class, race.variable.field) = (class.to_owned(), field.to_owned());
            let found = Suppressions::built_in().match_race(&race, Origin::BuiltIn, TODAY).is_some();
            assert_eq!(found, is, "{class}.{field}");
        }
    }

    #[test]
    fn the_built_in_rules_are_rules() {
        assert_eq!(Suppressions::built_in().rules.len(), defaults::RULES.len());
    }
}
