//! The search for a way to an object that leads through no final field, on plain values: the heap is the caller's.
//!
//! It goes from the object upwards, one level of referrers at a time. A reference is *closed* if it is in a final field
//! whose freeze came after the write; nobody can have come through it without seeing the write, if the owner of the
//! field was published after the freeze. So of the owner only references that leaked before are followed. A reference
//! is *open* if it is known to every thread, and the search ends; any other one is followed to its owner.

use std::collections::HashSet;

/// An object, by the tag that the search gave it.
pub(crate) type Tag = i64;

/// In what a reference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeKind {
    Field,
    Static,
    Element(i32),
    /// Something of the JVM's that the program may get at: a thread, a constant, a global reference of native code.
    Other,
}

/// A reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: Tag,
    pub(crate) to: Tag,
    pub(crate) kind: EdgeKind,
}

/// For what a reference to an object is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Whoever has the referrer gets at the object.
    Holds,
    /// The object has a closed reference: does this one let others have it before the freeze?
    Publishes,
}

/// What a reference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Closed,
    Open,
    /// To be followed.
    Inner,
    /// Leads nobody to the object who would not have seen the write.
    Harmless,
}

/// What the search has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reachability {
    /// Every way is closed, and there is one.
    Closed,
    /// There is another way, or none at all was found.
    Open,
    /// The search must go on.
    Further,
}

/// A search.
pub(crate) struct Search {
    /// Objects all of whose referrers are to be looked at next.
    wanted: HashSet<Tag>,
    /// Objects with a closed reference, whose leaks are to be looked at next.
    owners: HashSet<Tag>,
    seen: HashSet<(Tag, bool)>,
    has_closed: bool,
}

impl Search {
    pub(crate) fn from(object: Tag) -> Search {
        Search {
            wanted: HashSet::from([object]),
            owners: HashSet::new(),
            seen: HashSet::from([(object, true)]),
            has_closed: false,
        }
    }

    /// The objects whose referrers are needed next.
    pub(crate) fn targets(&self) -> HashSet<Tag> {
        self.wanted.union(&self.owners).copied().collect()
    }

    /// Takes in all references to the targets.
    pub(crate) fn level(&mut self, edges: &[Edge], mut look: impl FnMut(&Edge, Role) -> Step) -> Reachability {
        let (wanted, owners) = (std::mem::take(&mut self.wanted), std::mem::take(&mut self.owners));
        for edge in edges {
            let roles = [(wanted.contains(&edge.to), Role::Holds), (owners.contains(&edge.to), Role::Publishes)];
            for (_, role) in roles.into_iter().filter(|&(is, _)| is) {
                match look(edge, role) {
                    Step::Open => return Reachability::Open,
                    Step::Closed => {
                        self.has_closed = true;
                        if self.seen.insert((edge.from, false)) {
                            self.owners.insert(edge.from);
                        }
                    }
                    Step::Inner => {
                        if self.seen.insert((edge.from, true)) {
                            self.wanted.insert(edge.from);
                        }
                    }
                    Step::Harmless => {}
                }
            }
        }
        if !self.wanted.is_empty() || !self.owners.is_empty() {
            Reachability::Further
        } else if self.has_closed {
            Reachability::Closed
        } else {
            Reachability::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Step::{Closed, Harmless, Inner, Open};

    /// A heap: who refers to whom, what that is for those who look for a way, and what for those who look for leaks.
    type Heap = [(Tag, Tag, Step, Step)];

    /// Searches from object 1.
    fn verdict(heap: &Heap) -> Reachability {
        let mut search = Search::from(1);
        for _ in 0..10 {
            let targets = search.targets();
            let edges: Vec<Edge> = heap
                .iter()
                .filter(|(_, to, ..)| targets.contains(to))
                .map(|&(from, to, ..)| Edge { from, to, kind: EdgeKind::Field })
                .collect();
            let look = |edge: &Edge, role: Role| {
                let found = heap.iter().find(|&&(from, to, ..)| (from, to) == (edge.from, edge.to));
                let &(_, _, holds, publishes) = found.expect("an edge of the heap");
                if role == Role::Holds { holds } else { publishes }
            };
            match search.level(&edges, look) {
                Reachability::Further => {}
                decided => return decided,
            }
        }
        Reachability::Further
    }

    #[test]
    fn all_ways_must_be_closed() {
        // Element, array, list, holder, and the static field that has it since.
        let list = [(2, 1, Inner, Harmless), (3, 2, Inner, Harmless), (4, 3, Closed, Harmless), (9, 4, Open, Harmless)];
        assert_eq!(verdict(&list), Reachability::Closed);
        let mut other = list.to_vec();
        other.push((5, 3, Inner, Harmless));
        assert_eq!(verdict(&other), Reachability::Closed, "nobody has what has it");
        other.push((9, 5, Open, Harmless));
        assert_eq!(verdict(&other), Reachability::Open);
    }

    #[test]
    fn without_a_closed_way_there_is_none() {
        assert_eq!(verdict(&[]), Reachability::Open);
        assert_eq!(verdict(&[(2, 1, Inner, Harmless)]), Reachability::Open);
    }

    #[test]
    fn what_leaked_is_followed() {
        let leak = [(2, 1, Closed, Harmless), (3, 2, Open, Inner), (9, 3, Open, Harmless)];
        assert_eq!(verdict(&leak), Reachability::Open);
        assert_eq!(verdict(&[(2, 1, Closed, Harmless), (9, 2, Open, Open)]), Reachability::Open);
        // A child that got its parent in the parent's constructor, but that only the parent has.
        let child = [(2, 1, Closed, Harmless), (3, 2, Inner, Inner), (2, 3, Closed, Harmless)];
        assert_eq!(verdict(&child), Reachability::Closed);
    }

    #[test]
    fn circles_end() {
        let circle = [(2, 1, Inner, Harmless), (1, 2, Inner, Harmless), (3, 2, Closed, Harmless)];
        assert_eq!(verdict(&circle), Reachability::Closed);
    }
}
