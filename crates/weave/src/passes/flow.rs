//! Where control may go in a method, instruction by instruction, and its innermost loops.

use crate::Skipped;
use crate::bytes::i32_at;
use crate::classfile::opcode::{self, JSR, JSR_W, Kind, TABLESWITCH, switch_operands};
use crate::patch::{inside, jump_target};

/// An instruction. Others are named by their numbers in the method.
pub(super) struct Node {
    pub(super) pc: usize,
    pub(super) kind: Kind,
    pub(super) opcode: u8,
    /// Where it jumps to, if at all.
    jumps: Vec<usize>,
    /// Where control may go next, exceptions aside.
    pub(super) next: Vec<usize>,
    /// Where it may have come from.
    pub(super) previous: Vec<usize>,
}

/// A method's instructions.
pub(super) struct Flow {
    pub(super) nodes: Vec<Node>,
}

/// A set of a method's instructions.
#[derive(Clone)]
pub(super) struct Nodes(Vec<bool>);

impl Nodes {
    fn none_of(flow: &Flow) -> Nodes {
        Nodes(vec![false; flow.nodes.len()])
    }

    pub(super) fn has(&self, node: usize) -> bool {
        self.0.get(node).copied().unwrap_or_default()
    }

    /// Adds one; says whether it is new.
    fn add(&mut self, node: usize) -> bool {
        self.0.get_mut(node).is_some_and(|has| !std::mem::replace(has, true))
    }

    /// In order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().filter(|&(_, &has)| has).map(|(node, _)| node)
    }
}

/// A loop that is entered at its header only.
pub(super) struct Loop {
    pub(super) header: usize,
    /// Where its rounds end.
    pub(super) latches: Vec<usize>,
    pub(super) nodes: Nodes,
    /// The one instruction outside after which it begins, by going on to the next.
    pub(super) entry: usize,
    /// Where control leaves it.
    pub(super) exits: Vec<Exit>,
}

/// A way out of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Exit {
    /// The last instruction inside.
    pub(super) from: usize,
    /// Where what belongs on the way stands.
    pub(super) place: Place,
}

/// A place for what belongs on a way between instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Before this one: nobody comes there on another way.
    Before(usize),
    /// After this one, where it does not jump.
    After(usize),
}

impl Flow {
    /// Follows a method's instructions; `None` if it has subroutines.
    pub(super) fn of(code: &[u8]) -> Result<Option<Flow>, Skipped> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut targets = Vec::new();
        let mut pc = 0;
        while pc < code.len() {
            let (kind, opcode, length) = opcode::instruction(code, pc)?;
            let node = nodes.len();
            let mut next = Vec::new();
            match kind {
                _ if matches!(opcode, JSR | JSR_W | opcode::RET) => return Ok(None),
                Kind::Jump | Kind::LongJump => targets.push((node, jump_target(code, pc, kind)?)),
                Kind::Switch => {
                    let table = switch_operands(pc);
                    let (first, step) = if opcode == TABLESWITCH { (12, 4) } else { (12, 8) };
                    let cases = (first..).step_by(step).take_while(|at| table + at < pc + length);
                    for at in std::iter::once(0).chain(cases) {
                        targets.push((node, inside(code, pc, i32_at(code, table + at)? as isize)?));
                    }
                }
                _ => {}
            }
            pc += length;
            if !opcode::leaves(kind, opcode) && pc < code.len() {
                next.push(node + 1);
            }
            nodes.push(Node { pc: pc - length, kind, opcode, jumps: Vec::new(), next, previous: Vec::new() });
        }
        for (node, target) in targets {
            let Ok(target) = nodes.binary_search_by_key(&target, |node| node.pc) else {
                return Err(Skipped::Malformed("a jump goes into an instruction"));
            };
            if let Some(node) = nodes.get_mut(node) {
                node.jumps.push(target);
                if !node.next.contains(&target) {
                    node.next.push(target);
                }
            }
        }
        let edges: Vec<_> =
            (0..).zip(&nodes).flat_map(|(from, node)| node.next.iter().map(move |&to| (from, to))).collect();
        for (from, to) in edges {
            if let Some(node) = nodes.get_mut(to) {
                node.previous.push(from);
            }
        }
        Ok(Some(Flow { nodes }))
    }

    /// The loops that have no other loop inside, nor a handler of exceptions, and whose ways out have places.
    pub(super) fn innermost_loops(&self, is_handler: impl Fn(usize) -> bool) -> Vec<Loop> {
        (0..self.nodes.len()).filter_map(|header| self.innermost_loop(header, &is_handler)).collect()
    }

    fn innermost_loop(&self, header: usize, is_handler: &impl Fn(usize) -> bool) -> Option<Loop> {
        let (latches, before): (Vec<_>, Vec<_>) =
            self.nodes.get(header)?.previous.iter().partition(|&&node| node >= header);
        let &[entry] = before.as_slice() else { return None };
        if latches.is_empty() || !self.only_falls(entry, header) {
            return None;
        }
        // All from which a latch can be reached without the header.
        let mut nodes = Nodes::none_of(self);
        nodes.add(header);
        let mut open = latches.clone();
        while let Some(node) = open.pop() {
            if nodes.add(node) {
                open.extend(&self.nodes[node].previous);
            }
        }
        let mut exits = Vec::new();
        for node in nodes.iter() {
            let Node { pc, next, previous, .. } = &self.nodes[node];
            let is_entered = node != header && previous.iter().any(|&before| !nodes.has(before));
            let has_inner = next.iter().any(|&to| to <= node && to != header && nodes.has(to));
            if is_entered || has_inner || is_handler(*pc) {
                return None;
            }
            for &to in next.iter().filter(|&&to| !nodes.has(to)) {
                let others = self.nodes[to].previous.iter().filter(|&&other| other != node);
                let place = if self.only_falls(node, to) && others.clone().all(|&other| !nodes.has(other)) {
                    Place::After(node)
                } else if !is_handler(self.nodes[to].pc) && others.clone().all(|&other| nodes.has(other)) {
                    Place::Before(to)
                } else {
                    return None;
                };
                exits.push(Exit { from: node, place });
            }
        }
        Some(Loop { header, latches, nodes, entry, exits })
    }

    /// Does control come from an instruction to the one that follows it by going on alone?
    fn only_falls(&self, from: usize, to: usize) -> bool {
        let Node { kind, opcode, jumps, .. } = &self.nodes[from];
        from + 1 == to && !opcode::leaves(*kind, *opcode) && !jumps.contains(&to)
    }

    /// What can be reached in one round of a loop from some of its instructions, with them, without another one.
    fn reach(&self, within: &Loop, from: &[usize], without: usize) -> Nodes {
        let mut reached = Nodes::none_of(self);
        let mut open = from.to_vec();
        while let Some(node) = open.pop() {
            if node != without && within.nodes.has(node) && reached.add(node) {
                open.extend(self.nodes[node].next.iter().filter(|&&to| to != within.header));
            }
        }
        reached
    }

    /// How one instruction of a loop lies to the others in each round.
    pub(super) fn rounds(&self, within: &Loop, node: usize) -> Rounds {
        let after: Vec<_> = self.nodes[node].next.iter().copied().filter(|&to| to != within.header).collect();
        Rounds {
            node,
            around: self.reach(within, &[within.header], node),
            after: self.reach(within, &after, within.header),
        }
    }
}

/// How an instruction lies to the others of its loop: those that are reached around it, and those after it.
pub(super) struct Rounds {
    node: usize,
    around: Nodes,
    after: Nodes,
}

impl Rounds {
    /// Does it run before another one in the same round? `None`: in some rounds it does, or it is that one.
    pub(super) fn is_before(&self, other: usize) -> Option<bool> {
        match (self.around.has(other), self.after.has(other)) {
            _ if other == self.node => None,
            (false, _) => Some(true),
            (true, false) => Some(false),
            (true, true) => None,
        }
    }

    /// Does it run once in each round that these end?
    pub(super) fn is_in_each(&self, latches: &[usize]) -> bool {
        latches.iter().all(|&latch| latch == self.node || self.is_before(latch) == Some(true))
    }
}
