//! The race-prone fields that phase 1 of hybrid detection hands to phase 2 (O'Callahan and Choi 2003, section 6.1), as a file.
//!
//! A line for each: `field com.acme.Main.flag`, `array int[]` for all arrays of such elements, `object java.util.HashMap`
//! for an object of the JDK; and `locks N`, the size of the largest lockset. What of an object raced may follow: `object
//! java.util.ArrayList of java.util.ArrayList.size java.lang.Object[]`; else all that the JDK's objects are made of is meant.
//! Empty lines and those after `#` say nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::race::{VariableKind, java_type};
use crate::report::Report;

/// What is worth a closer look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RaceProne {
    /// The size of the largest lockset seen.
    pub locks: usize,
    fields: BTreeSet<String>,
    arrays: BTreeSet<String>,
    /// With what of it raced; all of it if that is empty.
    objects: BTreeMap<String, BTreeSet<String>>,
}

/// Between an object and what of it raced.
const OF: &str = " of ";

impl RaceProne {
    /// What raced in a run.
    #[must_use]
    pub fn of(report: &Report) -> RaceProne {
        let locks = report.jvms.iter().map(|jvm| jvm.locksets.largest).max().unwrap_or(0);
        let mut found = RaceProne { locks: usize::try_from(locks).unwrap_or(usize::MAX), ..RaceProne::default() };
        for race in &report.races {
            let kind = match race.variable.kind {
                VariableKind::Field | VariableKind::Static => &mut found.fields,
                VariableKind::Array => &mut found.arrays,
                VariableKind::Object => {
                    let class = race.variable.identity();
                    let raced = report.jvms.iter().filter_map(|jvm| jvm.locksets.insides.get(&class)).flatten();
                    found.objects.entry(class.clone()).or_default().extend(raced.cloned());
                    continue;
                }
                // Of a trace: nothing that a JVM could watch by.
                VariableKind::Named => continue,
            };
            kind.insert(race.variable.identity());
        }
        found
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// Names the first line that says something else.
    pub fn parse(text: &str) -> Result<RaceProne, String> {
        let mut found = RaceProne::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let wrong = || format!("`{line}` is not `field CLASS.NAME`, `array TYPE[]`, `object CLASS` or `locks N`");
            let (kind, name) = line.split_once(' ').ok_or_else(wrong)?;
            let name = name.trim();
            match kind {
                "field" if name.contains('.') => found.fields.insert(name.to_owned()),
                "array" if name.ends_with("[]") => found.arrays.insert(name.to_owned()),
                "object" => {
                    let (class, insides) = name.split_once(OF).unwrap_or((name, ""));
                    let insides = insides.split_whitespace().map(str::to_owned).collect();
                    found.objects.insert(class.to_owned(), insides).is_none()
                }
                "locks" => {
                    found.locks = name.parse().map_err(|_| wrong())?;
                    true
                }
                _ => return Err(wrong()),
            };
        }
        Ok(found)
    }

    /// How many fields, types of arrays and classes there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.fields.len() + self.arrays.len() + self.objects.len()
    }

    /// Is this field there, by class with dots and name?
    #[must_use]
    pub fn has_field(&self, class: &str, name: &str) -> bool {
        self.fields.contains(&format!("{class}.{name}"))
    }

    /// Is an array of such elements there? The descriptor is that of the elements.
    #[must_use]
    pub fn has_array(&self, descriptor: &str) -> bool {
        self.arrays.contains(&(java_type(descriptor) + "[]"))
    }

    /// The arrays that are there, such as `int[]`.
    pub fn arrays(&self) -> impl Iterator<Item = &str> {
        self.arrays.iter().map(String::as_str)
    }

    /// Is any array there?
    #[must_use]
    pub fn has_arrays(&self) -> bool {
        !self.arrays.is_empty()
    }

    /// Is any object of the JDK there?
    #[must_use]
    pub fn has_objects(&self) -> bool {
        !self.objects.is_empty()
    }

    /// Has an object of the JDK raced on this field of its insides, by class with dots and name?
    #[must_use]
    pub fn has_inside_field(&self, class: &str, name: &str) -> bool {
        self.has_inside(&format!("{class}.{name}"))
    }

    /// The same for an array of its insides. The descriptor is that of the elements.
    #[must_use]
    pub fn has_inside_array(&self, descriptor: &str) -> bool {
        self.has_inside(&(java_type(descriptor) + "[]"))
    }

    /// The arrays among the insides of the JDK's objects; `None` if all are meant.
    #[must_use]
    pub fn inside_arrays(&self) -> Option<impl Iterator<Item = &str>> {
        let is_known = self.objects.values().all(|insides| !insides.is_empty());
        let arrays = self.objects.values().flatten().map(String::as_str).filter(|inside| inside.ends_with("[]"));
        is_known.then_some(arrays)
    }

    fn has_inside(&self, inside: &str) -> bool {
        self.objects.values().any(|insides| insides.is_empty() || insides.contains(inside))
    }
}

impl fmt::Display for RaceProne {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "locks {}", self.locks)?;
        for (kind, names) in [("field", &self.fields), ("array", &self.arrays)] {
            names.iter().try_for_each(|name| writeln!(out, "{kind} {name}"))?;
        }
        self.objects.iter().try_for_each(|(class, insides)| {
            let insides: Vec<&str> = insides.iter().map(String::as_str).collect();
            writeln!(out, "object {class}{}{}", if insides.is_empty() { "" } else { OF }, insides.join(" "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let text = "locks 3\nfield a.Main$B.x\nfield a.Main.flag\narray int[]\nobject java.util.HashMap\n";
        let prone = RaceProne::parse(&format!("# by hand\n\n{text}")).unwrap();
        assert_eq!(prone.to_string(), text);
        assert_eq!((prone.count(), prone.locks), (4, 3));
        assert!(prone.has_field("a.Main", "flag") && !prone.has_field("a.Main", "x"));
        assert!(prone.has_array("I") && !prone.has_array("J") && prone.has_objects());
    }

    #[test]
    fn an_object_may_be_meant_in_part() {
        let text = "locks 0\nobject java.util.ArrayList of java.lang.Object[] java.util.ArrayList.size\n";
        let prone = RaceProne::parse(text).unwrap();
        assert_eq!(prone.to_string(), text);
        assert!(prone.has_inside_field("java.util.ArrayList", "size"));
        assert!(!prone.has_inside_field("java.util.HashMap", "size"));
        assert!(prone.has_inside_array("Ljava/lang/Object;") && !prone.has_inside_array("I"));
        assert_eq!(prone.inside_arrays().map(|arrays| arrays.collect()), Some(vec!["java.lang.Object[]"]));
        let whole = RaceProne::parse(&format!("{text}object java.util.BitSet\n")).unwrap();
        assert!(whole.has_inside_field("java.util.HashMap", "size") && whole.inside_arrays().is_none());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for wrong in ["flag", "field flag", "array int", "locks many", "method a.b"] {
            assert!(RaceProne::parse(wrong).unwrap_err().contains(wrong));
        }
    }
}
