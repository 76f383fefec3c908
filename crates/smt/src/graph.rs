//! The part of the order that is never in question.

/// A node of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

impl Node {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Nodes in chains, and edges between the chains. Nodes are numbered so that every edge goes from a smaller to a larger
/// number, and so do the chains: the numbers are an order that keeps them all.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Of each node, its chain and its place there.
    spot: Vec<(u32, u32)>,
    chains: Vec<Vec<u32>>,
    /// The other ends of the edges into each node: `sources[starts[n]..starts[n + 1]]`.
    starts: Vec<u32>,
    sources: Vec<u32>,
    /// For each chain the places with edges from other chains, ascending.
    entries: Vec<Vec<u32>>,
}

impl Graph {
    /// A graph of as many nodes as `chain_of` is long. An edge that does not go from a smaller to a larger node of the
    /// graph is no edge of such a graph, and is left out.
    #[must_use]
    pub fn new(chain_of: &[u32], edges: &[(Node, Node)]) -> Self {
        let count = chain_of.iter().map(|&chain| chain as usize + 1).max().unwrap_or(0);
        let mut chains: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut spot = Vec::with_capacity(chain_of.len());
        for (node, &chain) in (0..).zip(chain_of) {
            let nodes = &mut chains[chain as usize];
            spot.push((chain, nodes.len() as u32));
            nodes.push(node);
        }
        let mut sorted: Vec<(u32, u32)> = edges
            .iter()
            .filter(|(from, to)| from < to && to.index() < spot.len())
            .filter(|(from, to)| chain_of[from.index()] != chain_of[to.index()])
            .map(|(from, to)| (to.0, from.0))
            .collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut starts = vec![0u32; spot.len() + 1];
        for &(to, _) in &sorted {
            starts[to as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut entries: Vec<Vec<u32>> = vec![Vec::new(); count];
        for &(to, _) in &sorted {
            let (chain, place) = spot[to as usize];
            if entries[chain as usize].last() != Some(&place) {
                entries[chain as usize].push(place);
            }
        }
        let sources = sorted.into_iter().map(|(_, from)| from).collect();
        Graph { spot, chains, starts, sources, entries }
    }

    /// How many nodes there are, without the horizon.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spot.len()
    }

    /// Is there no node?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spot.is_empty()
    }

    /// The horizon, which is in no chain and has no edge of its own.
    #[must_use]
    pub fn horizon(&self) -> Node {
        Node(self.spot.len() as u32)
    }

    /// The edges between chains.
    pub fn edges(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        (0..self.len()).flat_map(|to| self.sources(to).iter().map(move |&from| (Node(from), Node(to as u32))))
    }

    /// The nodes of each chain, in order.
    pub fn chains(&self) -> impl Iterator<Item = &[u32]> {
        self.chains.iter().map(Vec::as_slice)
    }

    /// Chain and place of a node; `None` for the horizon.
    #[inline]
    pub(crate) fn spot(&self, node: usize) -> Option<(usize, usize)> {
        self.spot.get(node).map(|&(chain, place)| (chain as usize, place as usize))
    }

    #[inline]
    pub(crate) fn chain(&self, chain: usize) -> &[u32] {
        &self.chains[chain]
    }

    pub(crate) fn chain_count(&self) -> usize {
        self.chains.len()
    }

    /// The places of a chain, from one to another, with edges from other chains.
    #[inline]
    pub(crate) fn entries(&self, chain: usize, first: u32, last: u32) -> &[u32] {
        let Some(entries) = self.entries.get(chain) else { return &[] };
        let begin = entries.partition_point(|&place| place < first);
        let length = entries[begin..].partition_point(|&place| place <= last);
        &entries[begin..begin + length]
    }

    /// The nodes of other chains that have an edge to this one.
    #[inline]
    pub(crate) fn sources(&self, node: usize) -> &[u32] {
        match (self.starts.get(node), self.starts.get(node + 1)) {
            (Some(&start), Some(&end)) => &self.sources[start as usize..end as usize],
            _ => &[],
        }
    }
}
