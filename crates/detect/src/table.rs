//! A vector that grows to the index asked for: state per thread, lock or variable, made at first sight.

/// A growing table of state, indexed by a dense id.
#[derive(Clone, Debug)]
pub struct Table<T> {
    rows: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { rows: Vec::new() }
    }
}

impl<T: Default> Table<T> {
    /// The state at `index`, made if it is not there yet.
    #[inline]
    pub fn at(&mut self, index: usize) -> &mut T {
        if index >= self.rows.len() {
            self.grow(index);
        }
        &mut self.rows[index]
    }

    /// The state at `index`, if it was ever made.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.rows.get(index)
    }

    /// Bytes that the rows take, without what they own elsewhere.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<T>()
    }

    /// All states made so far, by index.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.rows.iter()
    }

    #[cold]
    fn grow(&mut self, index: usize) {
        self.rows.resize_with(index + 1, T::default);
    }
}
