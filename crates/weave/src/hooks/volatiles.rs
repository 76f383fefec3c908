//! Volatile fields of JDK classes that other JDK classes access.
//!
//! When a class is woven, the classes whose fields it names need not be loaded yet, so nothing says which of these fields are
//! volatile. Asking at run time costs something at each plain access, of which the JDK has a hundred for each volatile one. So
//! the volatile ones are listed (`volatiles.txt`), for the JDKs that were scanned; of another JDK all fields of the same nest
//! are asked for at run time.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The JDKs whose fields are listed, by version.
pub const SCANNED_JDKS: &[u32] = &[17, 25];

static LISTED: LazyLock<HashMap<&str, HashSet<&str>>> = LazyLock::new(|| {
    let lines = include_str!("volatiles.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| line.split_once(' ').map(|(class, fields)| (class, fields.split(' ').collect()));
    lines.filter_map(row).collect()
});

/// Is this field, by class as an instruction names it (of an inherited field the superclass) and name, listed?
#[must_use]
pub fn is_listed_volatile(class: &str, field: &str) -> bool {
    LISTED.get(class).is_some_and(|fields| fields.contains(field))
}
