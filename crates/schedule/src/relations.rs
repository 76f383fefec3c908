//! The may-trigger relation: mt(method, lock type) says that the method, or one that it calls, takes a lock of the type
//! (Cai and Cao 2015, section 4.3).

use std::collections::{BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

use crate::symbols::{Symbol, Symbols};

/// One pair of the relation, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Relation {
    /// The method, such as `com.acme.Queue.put`.
    pub method: String,
    /// The type of the lock.
    pub lock: String,
}

/// A may-trigger relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MayTrigger(HashSet<(Symbol, Symbol)>);

impl MayTrigger {
    /// The relation of a file.
    pub fn of<'a>(relations: impl IntoIterator<Item = &'a Relation>, symbols: &mut Symbols) -> MayTrigger {
        let pairs = relations.into_iter().map(|pair| (symbols.of(&pair.method), symbols.of(&pair.lock)));
        MayTrigger(pairs.collect())
    }

    /// A thread takes a lock of this kind while it executes these methods (Algorithm 1, lines 13 to 16).
    pub fn collect(&mut self, innermost: &[Symbol], kind: Symbol) {
        self.0.extend(innermost.iter().map(|&method| (method, kind)));
    }

    /// May a method take a lock of this kind?
    #[must_use]
    pub fn has(&self, method: Symbol, kind: Symbol) -> bool {
        self.0.contains(&(method, kind))
    }

    /// The pairs by name.
    #[must_use]
    pub fn named(&self, symbols: &Symbols) -> BTreeSet<Relation> {
        let named = |&(method, kind): &(Symbol, Symbol)| Relation {
            method: symbols.name(method).to_owned(),
            lock: symbols.name(kind).to_owned(),
        };
        self.0.iter().map(named).collect()
    }
}
