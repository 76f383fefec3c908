//! Names of methods and lock types as numbers.

use std::collections::HashMap;
use std::sync::Arc;

/// A name, as a number of this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

/// All names that were given a number.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    numbers: HashMap<Arc<str>, Symbol>,
    names: Vec<Arc<str>>,
}

impl Symbols {
    /// The number of a name; the same name always has the same one.
    pub fn of(&mut self, name: &str) -> Symbol {
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.numbers.insert(name, symbol);
        symbol
    }

    /// The name of a number.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.0 as usize).map_or("", |name| name)
    }
}
