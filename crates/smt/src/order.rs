//! An order of all nodes that is repaired edge by edge.
//!
//! After Pearce and Kelly, "A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs" (2007): only the part of
//! the order between the two ends of a new edge is looked at. *Differs:* what must come earlier moves to the front of
//! that part and all else keeps its order, so that nothing is ever pushed before the horizon that need not be there. A
//! search goes from chain to chain, not from node to node: to come to a node is to come to all before it in its chain,
//! and only those with edges from elsewhere are worth a look. An edge that closes a cycle is refused, with the literals of
//! the cycle.
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
}

/// A state to return to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    edges: usize,
    needs: usize,
}

/// The nodes of a chain that a search came to at once: those of the places `first..=last`.
#[derive(Clone, Copy, Debug)]
struct Visit {
    chain: u32,
    first: u32,
    last: u32,
    /// The visit that it was reached from.
    parent: u32,
    /// By which edge: [`NONE`] for one of the graph.
    edge: u32,
}

pub(crate) struct Order<'g> {
    graph: &'g Graph,
    rank: Vec<u32>,
    /// The node of each rank.
    line: Vec<u32>,
    edges: Vec<Edge>,
    /// For each chain, the places with edges that literals added, ascending. The horizon is a chain of its own, the last.
    into: Vec<Vec<(u32, u32)>>,
    /// How many nodes of each chain are needed.
    needed: Vec<u32>,
    /// Chains whose count went up, with the count before.
    needs: Vec<(u32, u32)>,
    visits: Vec<Visit>,
    /// How many nodes of each chain the search came to.
    reached: Vec<u32>,
    stack: Vec<u32>,
    rest: Vec<u32>,
}

impl<'g> Order<'g> {
    pub(crate) fn new(graph: &'g Graph) -> Self {
        let (nodes, chains) = (graph.len() as u32 + 1, graph.chain_count() + 1);
        let mut needed = vec![0; chains];
        needed[chains - 1] = 1;
        Order {
            graph,
            rank: (0..nodes).collect(),
            line: (0..nodes).collect(),
            edges: Vec::new(),
            into: vec![Vec::new(); chains],
            needed,
            needs: Vec::new(),
            visits: Vec::new(),
            reached: vec![0; chains],
            stack: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// No edges but the graph's, its order, and the horizon right before a node.
    pub(crate) fn reset(&mut self, near: usize) {
        self.undo(Mark::default());
        let horizon = self.graph.len() as u32;
        let near = (near as u32).min(horizon);
        let order = (0..near).chain([horizon]).chain(near..horizon);
        for (rank, node) in (0..).zip(order) {
            self.rank[node as usize] = rank;
            self.line[rank as usize] = node;
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { edges: self.edges.len(), needs: self.needs.len() }
    }

    pub(crate) fn undo(&mut self, mark: Mark) {
        while self.edges.len() > mark.edges {
            let Some(edge) = self.edges.pop() else { break };
            let (number, chain) = (self.edges.len() as u32, self.spot(edge.to).0);
            self.into[chain].retain(|&(_, other)| other != number);
        }
        for (chain, before) in self.needs.drain(mark.needs..).rev() {
            self.needed[chain as usize] = before;
        }
    }

    /// Chain and place of a node.
    #[inline]
    fn spot(&self, node: u32) -> (usize, u32) {
        match self.graph.spot(node as usize) {
            Some((chain, place)) => (chain, place as u32),
            None => (self.graph.chain_count(), 0),
        }
    }

    /// The node at a place of a chain.
    #[inline]
    fn node(&self, chain: usize, place: u32) -> u32 {
        if chain < self.graph.chain_count() { self.graph.chain(chain)[place as usize] } else { self.graph.len() as u32 }
    }

    /// Has the node a path to the horizon, or is it the horizon?
    #[inline]
    pub(crate) fn is_needed(&self, node: usize) -> bool {
        let (chain, place) = self.spot(node as u32);
        place < self.needed[chain]
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

    /// The needed nodes, in their order. All of them come before the horizon.
    pub(crate) fn prefix(&self) -> Vec<u32> {
        let end = self.rank[self.graph.len()] as usize;
        self.line[..end].iter().copied().filter(|&node| self.is_needed(node as usize)).collect()
    }

    /// Adds an edge, or leaves all as it is and says which literals of earlier edges close a cycle with it.
    pub(crate) fn add(&mut self, from: usize, to: usize, literal: Literal, cycle: &mut Vec<Literal>) -> bool {
        if self.rank[from] >= self.rank[to] {
            if let Some(visit) = self.search(to as u32, from as u32) {
                self.explain(visit, cycle);
                return false;
            }
            self.bring_forward(to, from);
        }
        let (number, (chain, place)) = (self.edges.len() as u32, self.spot(to as u32));
        self.edges.push(Edge { from: from as u32, to: to as u32, literal });
        let slot = self.into[chain].partition_point(|&(other, _)| other <= place);
        self.into[chain].insert(slot, (place, number));
        if self.is_needed(to) {
            self.need(from as u32);
        }
        true
    }

    /// Searches backward from `end`, not below the rank of `start`; says which visit came to `start`, if one did. How
    /// much of each chain was seen is in `reached`.
    fn search(&mut self, start: u32, end: u32) -> Option<u32> {
        let low = self.rank[start as usize];
        let (goal, goal_place) = self.spot(start);
        self.reached.fill(0);
        self.visits.clear();
        self.come_to(end, NONE, NONE, low);
        let graph = self.graph;
        let mut next = 0;
        while let Some(&Visit { chain, first, last, .. }) = self.visits.get(next) {
            let (number, at) = (next as u32, chain as usize);
            if at == goal && last >= goal_place {
                return Some(number);
            }
            for &place in graph.entries(at, first, last).iter().rev() {
                let node = self.node(at, place) as usize;
                if self.rank[node] < low {
                    break;
                }
                for &source in graph.sources(node) {
                    self.come_to(source, number, NONE, low);
                }
            }
            let end = self.into[at].partition_point(|&(place, _)| place <= last);
            for slot in (0..end).rev() {
                let (place, edge) = self.into[at][slot];
                if place < first {
                    break;
                }
                self.come_to(self.edges[edge as usize].from, number, edge, low);
            }
            next += 1;
        }
        None
    }

    #[inline]
    fn come_to(&mut self, node: u32, parent: u32, edge: u32, low: u32) {
        if self.rank[node as usize] < low {
            return;
        }
        let (chain, last) = self.spot(node);
        let first = self.reached[chain];
        if last >= first {
            self.reached[chain] = last + 1;
            self.visits.push(Visit { chain: chain as u32, first, last, parent, edge });
        }
    }

    /// The literals on the way from a visit to where the search began.
    fn explain(&self, mut visit: u32, cycle: &mut Vec<Literal>) {
        while let Some(&Visit { parent, edge, .. }) = self.visits.get(visit as usize) {
            cycle.extend(self.edges.get(edge as usize).map(|edge| edge.literal));
            visit = parent;
        }
    }

    /// Moves what the last search saw to the front of the part between the ranks of two nodes.
    fn bring_forward(&mut self, low: usize, high: usize) {
        let (low, high) = (self.rank[low] as usize, self.rank[high] as usize);
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        let mut rank = low;
        for at in low..=high {
            let node = self.line[at];
            let (chain, place) = self.spot(node);
            if place < self.reached[chain] {
                self.line[rank] = node;
                self.rank[node as usize] = rank as u32;
                rank += 1;
            } else {
                rest.push(node);
            }
        }
        for (rank, &node) in (rank..).zip(&rest) {
            self.line[rank] = node;
            self.rank[node as usize] = rank as u32;
        }
        self.rest = rest;
    }

    /// The node and all that leads to it is needed from now on.
    fn need(&mut self, node: u32) {
        let graph = self.graph;
        self.stack.clear();
        self.stack.push(node);
        while let Some(node) = self.stack.pop() {
            let (chain, last) = self.spot(node);
            let first = self.needed[chain];
            if last < first {
                continue;
            }
            self.needs.push((chain as u32, first));
            self.needed[chain] = last + 1;
            for &place in graph.entries(chain, first, last) {
                self.stack.extend_from_slice(graph.sources(self.node(chain, place) as usize));
            }
            let begin = self.into[chain].partition_point(|&(place, _)| place < first);
            let new = self.into[chain][begin..].iter().take_while(|&&(place, _)| place <= last);
            self.stack.extend(new.map(|&(_, edge)| self.edges[edge as usize].from));
        }
    }
}
