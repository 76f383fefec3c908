//! What a filter remembers, by program location: Θ of Rajagopalan's thesis, section 3.3, as flat tables.
//!
//! A history maps a key of two words to a value of two words, all inline: one cache line per question. What the words
//! mean is up to the form of the filter. Forgetting a history never makes a filter wrong, only less effective, so the
//! number of locations may be bounded (§5.1).

use crate::lockset::SPREAD;

/// How many program locations have a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Locations {
    /// All of them.
    #[default]
    All,
    /// About so many of the most recently used; at least one.
    MostRecent(usize),
}

/// A value whose first word is 0 is not there yet: whoever asks for it must give it another.
pub(super) type Value = [u32; 2];

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: [u32; 2],
    value: Value,
}

/// Open addressing with linear probing, at most three quarters full.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    entries: Vec<Entry>,
    used: u32,
}

/// Entries of a history at its first use: two cache lines.
const FIRST: usize = 8;

impl History {
    /// The value of a key, made if it is not there.
    #[inline]
    pub(super) fn at(&mut self, key: [u32; 2]) -> &mut Value {
        if (self.used as usize + 1) * 4 > self.entries.len() * 3 {
            self.grow();
        }
        let place = find(&self.entries, key);
        let entry = &mut self.entries[place];
        if entry.value[0] == 0 {
            entry.key = key;
            self.used += 1;
        }
        &mut entry.value
    }

    /// The keys and values there are, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = ([u32; 2], Value)> + '_ {
        self.entries.iter().filter(|entry| entry.value[0] != 0).map(|entry| (entry.key, entry.value))
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = vec![Entry::default(); (self.entries.len() * 2).max(FIRST)];
        for &entry in self.entries.iter().filter(|entry| entry.value[0] != 0) {
            let place = find(&larger, entry.key);
            larger[place] = entry;
        }
        self.entries = larger;
    }
}

/// Where the key is, or the free place where it belongs. There is a free place: see [`History::at`].
#[inline]
fn find(entries: &[Entry], key: [u32; 2]) -> usize {
    let mixed = (u64::from(key[0]) << 32 | u64::from(key[1])).wrapping_mul(SPREAD);
    let mask = entries.len() - 1;
    let mut place = (mixed >> 32) as usize & mask;
    while entries[place].value[0] != 0 && entries[place].key != key {
        place = (place + 1) & mask;
    }
    place
}

/// The histories of all program locations.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    rows: Vec<Row>,
    limit: usize,
    /// The locations that have a history, round which the hand goes.
    resident: Vec<usize>,
    hand: usize,
}

#[derive(Clone, Debug, Default)]
struct Row {
    history: History,
    usage: Usage,
}

/// Second chance: a location used since the hand last came by is passed over once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Usage {
    #[default]
    Absent,
    Waiting,
    Recent,
}

impl Histories {
    pub(super) fn new(locations: Locations) -> Self {
        let limit = match locations {
            Locations::All => usize::MAX,
            Locations::MostRecent(count) => count.max(1),
        };
        Histories { rows: Vec::new(), limit, resident: Vec::new(), hand: 0 }
    }

    /// The history of a location, which is now the most recent.
    #[inline]
    pub(super) fn at(&mut self, location: usize) -> &mut History {
        if location >= self.rows.len() || self.rows[location].usage == Usage::Absent {
            self.admit(location);
        }
        let row = &mut self.rows[location];
        row.usage = Usage::Recent;
        &mut row.history
    }

    /// The history of a location, if it has one.
    pub(super) fn get(&self, location: usize) -> Option<&History> {
        self.rows.get(location).map(|row| &row.history)
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for location in self.resident.drain(..) {
            self.rows[location] = Row::default();
        }
        self.hand = 0;
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Row>()
            + self.resident.capacity() * size_of::<usize>()
            + self.resident.iter().map(|&location| self.rows[location].history.bytes()).sum::<usize>()
    }

    #[cold]
    fn admit(&mut self, location: usize) {
        if location >= self.rows.len() {
            self.rows.resize_with(location + 1, Row::default);
        }
        if self.resident.len() < self.limit {
            self.resident.push(location);
            return;
        }
        loop {
            self.hand = (self.hand + 1) % self.resident.len();
            let row = &mut self.rows[self.resident[self.hand]];
            if row.usage == Usage::Waiting {
                *row = Row::default();
                self.resident[self.hand] = location;
                return;
            }
            row.usage = Usage::Waiting;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_keeps_what_it_was_given() {
        let mut history = History::default();
        for word in 0..1000 {
            *history.at([word, word % 7]) = [word + 1, 0];
        }
        assert!((0..1000).all(|word| *history.at([word, word % 7]) == [word + 1, 0]));
        assert_eq!(history.iter().count(), 1000);
        assert_eq!(history.at([5, 6])[0], 0, "another key");
    }

    #[test]
    fn the_location_that_was_not_used_lately_goes() {
        let mut histories = Histories::new(Locations::MostRecent(2));
        for location in [0, 1, 0, 2, 0, 3] {
            histories.at(location).at([1, 1])[0] = 1;
        }
        let there: Vec<bool> =
            (0..4).map(|location| histories.get(location).is_some_and(|history| history.iter().count() == 1)).collect();
        assert_eq!(there.iter().filter(|&&there| there).count(), 2);
        assert!(there[3]);
    }
}
