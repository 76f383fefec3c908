//! The names that ids have in a text: each its own.

use std::collections::HashSet;
use std::sync::Arc;

use super::quote::{Position, is_plain, quoted};

/// What a text allows in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Everything: odd names are quoted.
    Quoted(Position),
    /// What STD can read: odd characters become `_`.
    Std,
}

/// What becomes of an empty name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nameless {
    /// It is replaced.
    Numbered,
    /// It stands for the one operand that a line may lack.
    Allowed,
}

/// The names of the ids of one table, as far as they have come up.
pub(super) struct Handles {
    style: Style,
    /// What an id without a name is called: `var#7`.
    prefix: &'static str,
    nameless: Nameless,
    /// The name of each id, and its form in a line.
    names: Vec<(Arc<str>, Arc<str>)>,
    used: HashSet<Arc<str>>,
}

/// How a name came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// As it is.
    Kept,
    /// Another name stands for it, since it is taken, empty, or cannot be written.
    Replaced,
}

impl Handles {
    pub(super) fn new(prefix: &'static str, style: Style) -> Self {
        Handles { style, prefix, nameless: Nameless::Numbered, names: Vec::new(), used: HashSet::new() }
    }

    /// Names of which one may be empty, as that of the method of a plain `begin`.
    pub(super) fn with_nameless(prefix: &'static str, style: Style) -> Self {
        Handles { nameless: Nameless::Allowed, ..Handles::new(prefix, style) }
    }

    /// How many ids have a name.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of an id that has one, in the form that it has in a line.
    pub(super) fn form(&self, id: usize) -> &str {
        self.names.get(id).map_or("", |(_, form)| form)
    }

    /// The name given last.
    pub(super) fn last(&self) -> &str {
        self.names.last().map_or("", |(name, _)| name)
    }

    /// Gives the next id a name.
    pub(super) fn add(&mut self, name: &str) -> Outcome {
        let handle = match self.style {
            Style::Std => self.free(&clean(name)),
            Style::Quoted(_) => self.free(name),
        };
        let outcome = if *handle == *name { Outcome::Kept } else { Outcome::Replaced };
        let form = match self.style {
            Style::Quoted(position) if !handle.is_empty() && !is_plain(&handle, position) => {
                quoted(&handle, position).into()
            }
            _ => handle.clone(),
        };
        self.names.push((handle.clone(), form));
        self.used.insert(handle);
        outcome
    }

    /// A name that no id has yet.
    fn free(&self, wish: &str) -> Arc<str> {
        let possible = !wish.is_empty() || self.nameless == Nameless::Allowed;
        if possible && !self.used.contains(wish) {
            return wish.into();
        }
        let mut handle = format!("{}#{}", if wish.is_empty() { self.prefix } else { wish }, self.names.len());
        while self.used.contains(&*handle) {
            handle.push('\'');
        }
        handle.into()
    }
}

fn clean(name: &str) -> String {
    let odd = |c: char| c.is_control() || c.is_whitespace() || "|()\"".contains(c);
    let name: String = name.chars().map(|c| if odd(c) { '_' } else { c }).collect();
    // Our own reader would take a line that starts so for something else.
    match name.strip_prefix(['#', '@']) {
        Some(rest) => format!("_{rest}"),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_a_name_of_its_own() {
        let mut handles = Handles::new("var", Style::Quoted(Position::Inner));
        let outcomes: Vec<Outcome> = ["a", "", "a", "a#2", "var#1"].iter().map(|name| handles.add(name)).collect();
        let forms: Vec<&str> = (0..handles.len()).map(|id| handles.form(id)).collect();
        assert_eq!(forms, ["a", "var#1", "a#2", "a#2#3", "var#1#4"]);
        let (kept, replaced) = (Outcome::Kept, Outcome::Replaced);
        assert_eq!(outcomes, [kept, replaced, replaced, replaced, replaced]);
    }

    #[test]
    fn std_names_have_no_odd_characters() {
        let mut handles = Handles::new("method", Style::Std);
        assert_eq!(handles.add("A.add(I)V"), Outcome::Replaced);
        assert_eq!(handles.form(0), "A.add_I_V");
    }
}
