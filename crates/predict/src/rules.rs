//! The rules of hidden methods, as [`replay`](crate::replay) checks them.

use std::collections::{HashMap, HashSet};

use crate::barrier::Barriers;
use crate::recording::Cell;

/// What hidden methods ask of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// The events that must come before an event.
    pub(crate) before: HashMap<usize, Vec<usize>>,
    /// The events at which a thread must have read what it did.
    pub(crate) strict: HashSet<usize>,
    /// Events of a thread that is in a hidden method.
    pub(crate) inside: HashSet<usize>,
    /// Reads that see what they saw if they run at all.
    pub(crate) fixed: HashSet<usize>,
    /// The part of its cell's history that an access belongs to, if it is not the first.
    pub(crate) parts: HashMap<usize, u32>,
    /// The cells that a begin finds as they were, with the part of the cell's history.
    pub(crate) found: HashMap<usize, Vec<(Cell, u32)>>,
}

impl Rules {
    pub(crate) fn part(&self, event: usize) -> u32 {
        self.parts.get(&event).copied().unwrap_or(0)
    }
}

impl From<&Barriers> for Rules {
    fn from(barriers: &Barriers) -> Self {
        let mut rules = Rules::default();
        for &(from, to) in &barriers.edges {
            rules.before.entry(to as usize).or_default().push(from as usize);
        }
        rules.strict.extend(barriers.strict.iter().map(|&event| event as usize));
        rules.inside.extend(barriers.inside.iter().map(|&event| event as usize));
        rules.fixed.extend(barriers.fixed.iter().map(|&event| event as usize));
        rules.parts = barriers.parts().map(|(event, part)| (event as usize, part)).collect();
        let found = barriers.read_at_begin.iter();
        rules.found = found.map(|(&event, cells)| (event as usize, cells.clone())).collect();
        rules
    }
}
