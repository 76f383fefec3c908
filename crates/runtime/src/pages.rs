//! A table that grows while many threads read it: rows are made at first sight and never move.

use std::sync::OnceLock;

/// Rows on the first page; each further page doubles the table.
const FIRST: usize = 64;
const PAGES: usize = 26;

/// A growing table of shared state, indexed by a dense id.
pub(crate) struct Pages<T> {
    pages: [OnceLock<Box<[T]>>; PAGES],
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Pages { pages: [const { OnceLock::new() }; PAGES] }
    }
}

impl<T: Default> Pages<T> {
    /// The row at `index`, made if it is not there yet; `None` beyond the two thousand millionth.
    pub(crate) fn at(&self, index: u32) -> Option<&T> {
        let (page, length, offset) = place(index as usize);
        let rows = self.pages.get(page)?.get_or_init(|| (0..length).map(|_| T::default()).collect());
        rows.get(offset)
    }
}

/// The page of a row, its length, and the row's place on it.
fn place(index: usize) -> (usize, usize, usize) {
    if index < FIRST {
        return (0, FIRST, index);
    }
    let doublings = (index / FIRST).ilog2() as usize;
    let length = FIRST << doublings;
    (doublings + 1, length, index - length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_has_a_place_of_its_own() {
        let mut next = (0, 0);
        for index in 0..10_000 {
            let (page, length, offset) = place(index);
            assert_eq!((page, offset), next, "{index}");
            next = if offset + 1 == length { (page + 1, 0) } else { (page, offset + 1) };
        }
    }

    #[test]
    fn rows_keep_what_was_put_there() {
        let pages = Pages::<std::sync::atomic::AtomicU32>::default();
        let row = |index| pages.at(index).expect("small indices have a row");
        for index in 0..1000 {
            row(index).store(index, std::sync::atomic::Ordering::Relaxed);
        }
        assert!((0..1000).all(|index| row(index).load(std::sync::atomic::Ordering::Relaxed) == index));
        assert!(pages.at(u32::MAX).is_none());
    }
}
