//! Lock-labelled tries, one per location, all in one arena.
//!
//! An edge is a lock with its mode, ascending on each way down, so the way to a node is a lockset; the node has the
//! recorded accesses made under it. Asking for weaker locksets goes down only along locks that are held,
//! asking for unprotected accesses turns back at the first lock that keeps the asker out. Walks follow links
//! instead of recursing: the depth is the size of a lockset, and that is the trace's choice.

use model::{Access, Epoch, LockId, Mode};

use crate::lockset::{Hold, is_covered, is_excluded};

/// A link to nothing.
const NONE: u32 = u32::MAX;

/// A recorded access: (a, t, v) of O'Callahan and Choi 2003, section 4.2, and what a report says of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuple {
    pub(super) access: Access,
    pub(super) moment: Epoch,
}

/// The trie of one location, if it has one yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Root(u32);

impl Default for Root {
    fn default() -> Self {
        Root(NONE)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    lock: LockId,
    mode: Mode,
    parent: u32,
    child: u32,
    sibling: u32,
    first: u32,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    tuple: Tuple,
    next: u32,
}

/// All tries.
#[derive(Clone, Debug)]
pub(super) struct Tries {
    nodes: Vec<Node>,
    records: Vec<Record>,
    /// Given back, linked by `sibling`.
    free_nodes: u32,
    /// Given back, linked by `next`.
    free_records: u32,
    /// Locks of the sets that a count of disjoint sets has taken so far.
    taken: Vec<LockId>,
}

impl Default for Tries {
    fn default() -> Self {
        Tries { nodes: Vec::new(), records: Vec::new(), free_nodes: NONE, free_records: NONE, taken: Vec::new() }
    }
}

impl Tries {
    /// Was an access like `same` recorded under exactly these locks?
    pub(super) fn any_equal(&self, root: Root, holds: &[Hold], same: impl Fn(&Tuple) -> bool) -> bool {
        let mut node = root.0;
        for &hold in holds {
            if node == NONE {
                break;
            }
            node = self.child(node, hold);
        }
        node != NONE && self.any(node, same)
    }

    /// Was an access like `same` recorded under weaker locks?
    pub(super) fn any_weaker(&self, root: Root, holds: &[Hold], same: impl Fn(&Tuple) -> bool) -> bool {
        let mut at = root.0;
        while at != NONE {
            if at != root.0 && !is_covered(self.hold(at), holds) {
                at = self.past(at);
            } else if self.any(at, &same) {
                return true;
            } else {
                at = self.down(at);
            }
        }
        false
    }

    /// Are there more than `bound` pairwise disjoint sets among the differences `L_i - holds`, over the accesses like
    /// `same`? O'Callahan and Choi 2003, section 5.4: S(n) is built greedily, empty differences left out. A lock that both
    /// hold, but `holds` more weakly, belongs to the difference: whoever shares it for reading is kept out by the one and not
    /// by the other.
    pub(super) fn has_disjoint(
        &mut self,
        root: Root,
        holds: &[Hold],
        bound: usize,
        same: impl Fn(&Tuple) -> bool,
    ) -> bool {
        let mut taken = std::mem::take(&mut self.taken);
        taken.clear();
        let mut sets = 0;
        let mut at = root.0;
        while at != NONE && sets <= bound {
            if self.any(at, &same) {
                let before = taken.len();
                taken.extend(self.way(at).filter(|&hold| !is_covered(hold, holds)).map(|(lock, _)| lock));
                let (others, own) = taken.split_at(before);
                if own.iter().any(|lock| others.contains(lock)) {
                    taken.truncate(before);
                } else if !own.is_empty() {
                    sets += 1;
                }
            }
            at = self.down(at);
        }
        self.taken = taken;
        sets > bound
    }

    /// Shows every access that was recorded under locks that do not keep out a holder of `holds`.
    pub(super) fn unprotected(&self, root: Root, holds: &[Hold], mut show: impl FnMut(&Tuple)) {
        let mut at = root.0;
        while at != NONE {
            if at != root.0 && is_excluded(self.hold(at), holds) {
                at = self.past(at);
                continue;
            }
            self.each(at, &mut show);
            at = self.down(at);
        }
    }

    /// Forgets accesses like `same` that were recorded under the same or stronger locks; says how many.
    pub(super) fn remove_stronger(&mut self, root: Root, holds: &[Hold], same: impl Fn(&Tuple) -> bool) -> u32 {
        let mut removed = 0;
        let mut at = root.0;
        while at != NONE {
            let next = self.down(at);
            if self.nodes[at as usize].first != NONE && self.is_stronger(at, holds) {
                removed += self.remove(at, &same);
                self.trim(at);
            }
            at = next;
        }
        removed
    }

    /// Forgets accesses that more than `bound` disjoint sets of later ones replace, see [`Self::has_disjoint`]; says
    /// how many. `replaces(later, earlier)` must say no unless the two are of one thread.
    pub(super) fn remove_oversized(
        &mut self,
        root: Root,
        bound: usize,
        replaces: impl Fn(&Tuple, &Tuple) -> bool,
    ) -> u32 {
        let mut removed = 0;
        let mut holds = Vec::new();
        let mut at = root.0;
        while at != NONE {
            let next = self.down(at);
            holds.clear();
            holds.extend(self.way(at));
            let mut record = self.nodes[at as usize].first;
            while record != NONE {
                let Record { tuple: old, next } = self.records[record as usize];
                let is_old = |tuple: &Tuple| tuple.access.at == old.access.at;
                if self
                    .has_disjoint(root, &holds, bound, |later| later.access.at > old.access.at && replaces(later, &old))
                {
                    removed += self.remove(at, is_old);
                }
                record = next;
            }
            self.trim(at);
            at = next;
        }
        removed
    }

    /// Records an access under the locks.
    pub(super) fn insert(&mut self, root: &mut Root, holds: &[Hold], tuple: Tuple) {
        if root.0 == NONE {
            root.0 = self.new_node((LockId(0), Mode::Read), NONE);
        }
        let mut node = root.0;
        for &hold in holds {
            let child = self.child(node, hold);
            node = if child == NONE { self.new_node(hold, node) } else { child };
        }
        let record = Record { tuple, next: self.nodes[node as usize].first };
        let place = self.free_records;
        self.nodes[node as usize].first = if place == NONE {
            self.records.push(record);
            index(self.records.len() - 1)
        } else {
            self.free_records = self.records[place as usize].next;
            self.records[place as usize] = record;
            place
        };
    }

    /// Gives a whole trie back.
    pub(super) fn clear(&mut self, root: &mut Root) {
        let mut at = root.0;
        while at != NONE {
            let next = self.down(at);
            self.remove(at, |_| true);
            self.trim(at);
            at = next;
        }
        if root.0 != NONE {
            self.nodes[root.0 as usize].sibling = self.free_nodes;
            self.free_nodes = root.0;
        }
        root.0 = NONE;
    }

    /// Gives back a node without accesses and without children, and each parent that this makes one. The next node of
    /// a walk is none of them.
    fn trim(&mut self, mut at: u32) {
        loop {
            let Node { parent, child, sibling, first, .. } = self.nodes[at as usize];
            if parent == NONE || child != NONE || first != NONE {
                return;
            }
            let mut before = self.nodes[parent as usize].child;
            if before == at {
                self.nodes[parent as usize].child = sibling;
            } else {
                while self.nodes[before as usize].sibling != at {
                    before = self.nodes[before as usize].sibling;
                }
                self.nodes[before as usize].sibling = sibling;
            }
            self.nodes[at as usize].sibling = self.free_nodes;
            self.free_nodes = at;
            at = parent;
        }
    }

    fn hold(&self, node: u32) -> Hold {
        let node = &self.nodes[node as usize];
        (node.lock, node.mode)
    }

    /// The next node of a walk that visits what is below this one.
    fn down(&self, node: u32) -> u32 {
        match self.nodes[node as usize].child {
            NONE => self.past(node),
            child => child,
        }
    }

    /// The next node of a walk that passes over what is below this one.
    fn past(&self, mut node: u32) -> u32 {
        loop {
            let Node { sibling, parent, .. } = self.nodes[node as usize];
            if sibling != NONE || parent == NONE {
                return sibling;
            }
            node = parent;
        }
    }

    /// The locks on the way from the root, last first.
    fn way(&self, node: u32) -> impl Iterator<Item = Hold> + '_ {
        let real = |node: &u32| self.nodes[*node as usize].parent != NONE;
        std::iter::successors(Some(node), |&node| Some(self.nodes[node as usize].parent))
            .take_while(real)
            .map(|node| self.hold(node))
    }

    /// Is each of `holds` on the way to the node, at the same or a stronger mode?
    fn is_stronger(&self, node: u32, holds: &[Hold]) -> bool {
        holds.iter().all(|&(lock, mode)| self.way(node).any(|(held, strength)| held == lock && strength >= mode))
    }

    fn child(&self, node: u32, (lock, mode): Hold) -> u32 {
        let mut child = self.nodes[node as usize].child;
        while child != NONE {
            let there = &self.nodes[child as usize];
            if there.lock == lock && there.mode == mode {
                break;
            }
            child = there.sibling;
        }
        child
    }

    fn new_node(&mut self, (lock, mode): Hold, parent: u32) -> u32 {
        let sibling = if parent == NONE { NONE } else { self.nodes[parent as usize].child };
        let node = Node { lock, mode, parent, child: NONE, sibling, first: NONE };
        let place = self.free_nodes;
        let place = if place == NONE {
            self.nodes.push(node);
            index(self.nodes.len() - 1)
        } else {
            self.free_nodes = self.nodes[place as usize].sibling;
            self.nodes[place as usize] = node;
            place
        };
        if parent != NONE {
            self.nodes[parent as usize].child = place;
        }
        place
    }

    fn any(&self, node: u32, same: impl Fn(&Tuple) -> bool) -> bool {
        let mut record = self.nodes[node as usize].first;
        while record != NONE {
            let Record { tuple, next } = &self.records[record as usize];
            if same(tuple) {
                return true;
            }
            record = *next;
        }
        false
    }

    fn each(&self, node: u32, show: &mut impl FnMut(&Tuple)) {
        let mut record = self.nodes[node as usize].first;
        while record != NONE {
            let Record { tuple, next } = &self.records[record as usize];
            show(tuple);
            record = *next;
        }
    }

    fn remove(&mut self, node: u32, same: impl Fn(&Tuple) -> bool) -> u32 {
        let mut removed = 0;
        let mut kept = NONE;
        let mut record = self.nodes[node as usize].first;
        while record != NONE {
            let Record { tuple, next } = self.records[record as usize];
            if same(&tuple) {
                match kept {
                    NONE => self.nodes[node as usize].first = next,
                    kept => self.records[kept as usize].next = next,
                }
                self.records[record as usize].next = self.free_records;
                self.free_records = record;
                removed += 1;
            } else {
                kept = record;
            }
            record = next;
        }
        removed
    }
}

/// An arena of four thousand million entries would not fit into memory.
fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{AccessKind, EventIndex, SiteId, Slot, ThreadId};

    fn tuple(at: u64) -> Tuple {
        let access = Access { thread: ThreadId(0), kind: AccessKind::Write, site: SiteId(0), at: EventIndex(at) };
        Tuple { access, moment: Epoch { slot: Slot(0), time: 1 } }
    }

    fn locks(names: &[u32]) -> Vec<Hold> {
        names.iter().map(|&lock| (LockId(lock), Mode::Write)).collect()
    }

    fn unprotected(tries: &Tries, root: Root, holds: &[Hold]) -> Vec<u64> {
        let mut found = Vec::new();
        tries.unprotected(root, holds, |tuple| found.push(tuple.access.at.0));
        found.sort_unstable();
        found
    }

    #[test]
    fn walks_find_what_the_sets_say() {
        let mut tries = Tries::default();
        let mut root = Root::default();
        let sets: [&[u32]; 5] = [&[1], &[1, 2], &[2, 3], &[4], &[1, 3, 4]];
        for (at, set) in sets.iter().enumerate() {
            tries.insert(&mut root, &locks(set), tuple(at as u64));
        }
        assert_eq!(unprotected(&tries, root, &locks(&[1])), [2, 3]);
        assert_eq!(unprotected(&tries, root, &locks(&[3])), [0, 1, 3]);
        assert_eq!(unprotected(&tries, root, &[(LockId(4), Mode::Read)]), [0, 1, 2]);
        assert!(tries.any_weaker(root, &locks(&[2, 3, 9]), |_| true));
        assert!(!tries.any_weaker(root, &locks(&[3]), |_| true));
        assert!(tries.any_equal(root, &locks(&[1, 2]), |tuple| tuple.access.at.0 == 1));
        assert!(!tries.any_equal(root, &locks(&[2]), |_| true));
        assert!(tries.has_disjoint(root, &locks(&[9]), 2, |_| true), "1, 23 and 4 are disjoint");
        assert!(!tries.has_disjoint(root, &locks(&[9]), 3, |_| true));
        assert_eq!(tries.remove_stronger(root, &locks(&[1]), |_| true), 3);
        assert_eq!(unprotected(&tries, root, &[]), [2, 3]);
    }

    #[test]
    fn what_is_given_back_is_used_again() {
        let mut tries = Tries::default();
        for _ in 0..100 {
            let mut root = Root::default();
            for set in [&[][..], &[1], &[1, 2], &[2], &[1, 3]] {
                tries.insert(&mut root, &locks(set), tuple(0));
            }
            tries.clear(&mut root);
            assert_eq!(root, Root::default());
        }
        assert_eq!((tries.nodes.len(), tries.records.len()), (5, 5));
    }
}
