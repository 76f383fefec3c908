//! Atoms, literals, clauses.

use std::collections::HashMap;
use std::ops::Not;

use crate::Node;

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    pub(crate) const fn positive(atom: usize) -> Self {
        Literal((atom as u32) << 1)
    }

    #[inline]
    pub(crate) fn atom(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(crate) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Literal {
    type Output = Literal;

    #[inline]
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Where atoms are made and clauses are added.
pub trait Formula {
    /// A new atom without a meaning of its own.
    fn boolean(&mut self) -> Literal;

    /// `one` comes before `other`: two different nodes of the graph, or one of them its horizon. No two are at the same
    /// place, so the negation says that `other` comes first.
    fn before(&mut self, one: Node, other: Node) -> Literal;

    /// At least one of the literals must hold, in this question and all later ones.
    fn clause(&mut self, literals: &[Literal]);
}

/// What an atom means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    Boolean,
    /// The first node comes before the second.
    Before(u32, u32),
}

/// All atoms, and the clauses that wait to be taken in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) atoms: Vec<Atom>,
    places: HashMap<(u32, u32), u32>,
    pub(crate) clauses: Vec<Vec<Literal>>,
}

impl Draft {
    /// The edge that a literal of an order atom stands for, from and to.
    #[inline]
    pub(crate) fn edge(&self, literal: Literal) -> Option<(usize, usize)> {
        match self.atoms[literal.atom()] {
            Atom::Boolean => None,
            Atom::Before(one, other) if literal.is_positive() => Some((one as usize, other as usize)),
            Atom::Before(one, other) => Some((other as usize, one as usize)),
        }
    }
}

impl Formula for Draft {
    fn boolean(&mut self) -> Literal {
        self.atoms.push(Atom::Boolean);
        Literal::positive(self.atoms.len() - 1)
    }

    fn before(&mut self, one: Node, other: Node) -> Literal {
        let (low, high) = (one.0.min(other.0), one.0.max(other.0));
        let atom = *self.places.entry((low, high)).or_insert_with(|| {
            self.atoms.push(Atom::Before(low, high));
            self.atoms.len() as u32 - 1
        });
        let literal = Literal::positive(atom as usize);
        if one.0 <= other.0 { literal } else { !literal }
    }

    fn clause(&mut self, literals: &[Literal]) {
        let mut literals = literals.to_vec();
        literals.sort_unstable();
        literals.dedup();
        // A literal and its negation are neighbours.
        let holds_always = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        if !holds_always {
            self.clauses.push(literals);
        }
    }
}
