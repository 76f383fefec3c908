//! An order of all nodes that is repaired edge by edge.
//!
//! After Pearce and Kelly, "A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs" (2007): only the part of
//! the order between the two ends of a new edge is looked at. *Differs:* what must come earlier moves to the front of
//! that part and all else keeps its order, so that nothing is ever pushed before the horizon that need not be there;
//! only edges into nodes are kept. An edge that closes a cycle is refused, with the literals of the cycle.
//!
//! *State:* edges and the set of needed nodes (those with a path to the horizon) are undone on return to a [`Mark`];
//! the ranks stay as they are, for an order that keeps many edges keeps fewer, too.
//! *Invariant:* ranks are a permutation and every edge goes from a lower rank to a higher one.

use crate::formula::Literal;
use crate::graph::Graph;

const NONE: u32 = u32::MAX;

/// An edge that a literal added.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    to: u32,
    literal: Literal,
    /// The next older edge into `to`.
    next: u32,
}

/// A state to return to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    edges: usize,
    needs: usize,
}

pub(crate) struct Order<'g> {
    graph: &'g Graph,
    rank: Vec<u32>,
    /// The node of each rank.
    line: Vec<u32>,
    edges: Vec<Edge>,
    /// The newest edge into each node.
    newest: Vec<u32>,
    /// How many nodes of each chain are needed.
    needed: Vec<u32>,
    /// Chains whose count went up, with the count before.
    needs: Vec<(u32, u32)>,
    /// The search that last came to each node.
    seen: Vec<u32>,
    search: u32,
    /// Where the search came from, and by which edge: [`NONE`] for one of the graph.
    via: Vec<(u32, u32)>,
    stack: Vec<u32>,
    moved: Vec<u32>,
}

impl<'g> Order<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Self {
        let nodes = graph.len() + 1;
        Order {
            graph,
            rank: (0..nodes as u32).collect(),
            line: (0..nodes as u32).collect(),
            edges: Vec::new(),
            newest: vec![NONE; nodes],
            needed: vec![0; graph.chain_count()],
            needs: Vec::new(),
            seen: vec![0; nodes],
            search: 0,
            via: vec![(NONE, NONE); nodes],
            stack: Vec::new(),
            moved: Vec::new(),
        }
    }

    /// No edges but the graph's, its order, and the horizon right before a node.
    pub(crate) fn reset(&mut self, near: usize) {
        self.undo(Mark::default());
        let (horizon, mut rank) = (self.graph.len(), 0);
        let mut place = |order: &mut Self, node: usize| {
            order.rank[node] = rank;
            order.line[rank as usize] = node as u32;
            rank += 1;
        };
        for node in 0..horizon {
            if node == near {
                place(self, horizon);
            }
            place(self, node);
        }
        if near >= horizon {
            place(self, horizon);
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { edges: self.edges.len(), needs: self.needs.len() }
    }

    pub(crate) fn undo(&mut self, mark: Mark) {
        for edge in self.edges.drain(mark.edges..).rev() {
            self.newest[edge.to as usize] = edge.next;
        }
        for (chain, before) in self.needs.drain(mark.needs..).rev() {
            self.needed[chain as usize] = before;
        }
    }

    /// Has the node a path to the horizon, or is it the horizon?
    #[inline]
    pub(crate) fn is_needed(&self, node: usize) -> bool {
        self.graph.spot(node).is_none_or(|(chain, place)| place < self.needed[chain] as usize)
    }

    /// Does one node come before the other, if all that is not needed comes after the horizon?
    #[inline]
    pub(crate) fn precedes(&self, one: usize, other: usize) -> bool {
        match (self.is_needed(one), self.is_needed(other)) {
            (true, false) => true,
            (false, true) => false,
            _ => self.rank[one] < self.rank[other],
        }
    }

    /// How far a node would have to be brought forward to come before another.
    pub(crate) fn distance(&self, from: usize, to: usize) -> u32 {
        self.rank[from].saturating_sub(self.rank[to])
    }

    /// The needed nodes, in their order.
    pub(crate) fn prefix(&self) -> Vec<u32> {
        let mut prefix: Vec<u32> = (self.needed.iter().enumerate())
            .flat_map(|(chain, &needed)| &self.graph.chain(chain)[..needed as usize])
            .copied()
            .collect();
        prefix.sort_unstable_by_key(|&node| self.rank[node as usize]);
        prefix
    }

    /// Adds an edge, or leaves all as it is and says which literals of earlier edges close a cycle with it.
    pub(crate) fn add(&mut self, from: usize, to: usize, literal: Literal, cycle: &mut Vec<Literal>) -> bool {
        if self.rank[from] >= self.rank[to] {
            if self.reaches(to, from) {
                self.explain(to, from, cycle);
                return false;
            }
            self.bring_forward(to, from);
        }
        self.edges.push(Edge { from: from as u32, to: to as u32, literal, next: self.newest[to] });
        self.newest[to] = (self.edges.len() - 1) as u32;
        if self.is_needed(to) {
            self.need(from);
        }
        true
    }

    /// Searches backward from `end`, not below the rank of `start`: is `start` there? What was seen is in `moved`.
    fn reaches(&mut self, start: usize, end: usize) -> bool {
        let low = self.rank[start];
        self.search += 1;
        self.moved.clear();
        self.stack.clear();
        self.seen[end] = self.search;
        self.stack.push(end as u32);
        while let Some(node) = self.stack.pop() {
            self.moved.push(node);
            let at = node as usize;
            if let Some((chain, place)) = self.graph.spot(at) {
                if place > 0 {
                    let before = self.graph.chain(chain)[place - 1];
                    self.come_to(before, node, NONE, low);
                }
            }
            let graph = self.graph;
            for &source in graph.sources(at) {
                self.come_to(source, node, NONE, low);
            }
            let mut edge = self.newest[at];
            while let Some(&Edge { from, next, .. }) = self.edges.get(edge as usize) {
                self.come_to(from, node, edge, low);
                edge = next;
            }
            if self.seen[start] == self.search {
                return true;
            }
        }
        false
    }

    #[inline]
    fn come_to(&mut self, node: u32, from: u32, edge: u32, low: u32) {
        let at = node as usize;
        if self.rank[at] >= low && self.seen[at] != self.search {
            self.seen[at] = self.search;
            self.via[at] = (from, edge);
            self.stack.push(node);
        }
    }

    /// The literals on the path that the last search found.
    fn explain(&self, start: usize, end: usize, cycle: &mut Vec<Literal>) {
        let mut node = start;
        while node != end {
            let (next, edge) = self.via[node];
            if let Some(edge) = self.edges.get(edge as usize) {
                cycle.push(edge.literal);
            }
            node = next as usize;
        }
    }

    /// Moves what the last search saw to the front of the part between the ranks of two nodes.
    fn bring_forward(&mut self, low: usize, high: usize) {
        let (low, high) = (self.rank[low] as usize, self.rank[high] as usize);
        let mut moved = std::mem::take(&mut self.moved);
        moved.sort_unstable_by_key(|&node| self.rank[node as usize]);
        let mut write = high + 1;
        for read in (low..=high).rev() {
            let node = self.line[read];
            if self.seen[node as usize] != self.search {
                write -= 1;
                self.line[write] = node;
                self.rank[node as usize] = write as u32;
            }
        }
        for (rank, &node) in (low..write).zip(&moved) {
            self.line[rank] = node;
            self.rank[node as usize] = rank as u32;
        }
        self.moved = moved;
    }

    /// The node and all that leads to it is needed from now on.
    fn need(&mut self, node: usize) {
        self.stack.clear();
        self.stack.push(node as u32);
        while let Some(node) = self.stack.pop() {
            let Some((chain, place)) = self.graph.spot(node as usize) else { continue };
            let before = self.needed[chain] as usize;
            if place < before {
                continue;
            }
            self.needs.push((chain as u32, before as u32));
            self.needed[chain] = place as u32 + 1;
            let graph = self.graph;
            for &node in &graph.chain(chain)[before..=place] {
                self.stack.extend_from_slice(graph.sources(node as usize));
                let mut edge = self.newest[node as usize];
                while let Some(&Edge { from, next, .. }) = self.edges.get(edge as usize) {
                    self.stack.push(from);
                    edge = next;
                }
            }
        }
    }
}
