//! Where control may go in a method, instruction by instruction: its straight parts, and its innermost loops.

use crate::Skipped;
use crate::bytes::i32_at;
use crate::classfile::opcode::{
    self, ANEWARRAY, JSR, JSR_W, Kind, NEWARRAY, TABLESWITCH, instruction, switch_operands,
};
use crate::patch::{inside, jump_target};

/// Methods with more instructions are left alone: they are tables, as a rule.
const MOST: usize = 4096;

/// Where control may come from elsewhere than from the instruction before.
pub(super) struct Joins {
    /// By offset.
    places: Vec<u8>,
    /// How many arrays of one dimension the method makes.
    pub(super) arrays: usize,
}

impl Joins {
    const INSTRUCTION: u8 = 1;
    const JOIN: u8 = 2;

    /// Finds those of a method; `None` if it has subroutines or too many instructions.
    pub(super) fn of(code: &[u8]) -> Result<Option<Joins>, Skipped> {
        let mut places = vec![0; code.len()];
        let (mut pc, mut count, mut arrays) = (0, 0, 0);
        while pc < code.len() {
            let (kind, opcode, length) = instruction(code, pc)?;
            places[pc] |= Joins::INSTRUCTION;
            if is_of_subroutine(opcode) {
                return Ok(None);
            }
            arrays += usize::from(matches!(opcode, NEWARRAY | ANEWARRAY));
            let next = pc + length;
            let mut goes_on = !opcode::leaves(kind, opcode);
            each_target(code, pc, (kind, opcode, length), |target| {
                if target == next {
                    goes_on = true;
                } else {
                    places[target] |= Joins::JOIN;
                }
            })?;
            if let (false, Some(place)) = (goes_on, places.get_mut(next)) {
                *place |= Joins::JOIN;
            }
            (pc, count) = (next, count + 1);
        }
        if places.contains(&Joins::JOIN) {
            return Err(INTO_AN_INSTRUCTION);
        }
        Ok(Some(Joins { places, arrays }).filter(|_| count <= MOST))
    }

    /// May control come to the instruction at `pc` from elsewhere, or not at all from the one before?
    pub(super) fn has(&self, pc: usize) -> bool {
        self.places.get(pc).is_some_and(|place| place & Joins::JOIN != 0)
    }
}

const INTO_AN_INSTRUCTION: Skipped = Skipped::Malformed("a jump goes into an instruction");

fn is_of_subroutine(opcode: u8) -> bool {
    matches!(opcode, JSR | JSR_W | opcode::RET)
}

/// Visits each place that an instruction jumps to.
fn each_target(
    code: &[u8],
    pc: usize,
    (kind, opcode, length): (Kind, u8, usize),
    mut visit: impl FnMut(usize),
) -> Result<(), Skipped> {
    match kind {
        Kind::Jump | Kind::LongJump => visit(jump_target(code, pc, kind)?),
        Kind::Switch => {
            let table = switch_operands(pc);
            let step = if opcode == TABLESWITCH { 4 } else { 8 };
            for at in std::iter::once(table).chain((table + 12..pc + length).step_by(step)) {
                visit(inside(code, pc, i32_at(code, at)? as isize)?);
            }
        }
        _ => {}
    }
    Ok(())
}

/// The loops of a method: of each jump backwards the instruction to which it goes, and itself. None of code that breaks its format.
pub fn loops(code: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut pc = 0;
    while let Ok((kind, opcode, length)) = instruction(code, pc) {
        let is_whole = each_target(code, pc, (kind, opcode, length), |target| {
            if target <= pc {
                found.push((target, pc));
            }
        });
        if is_whole.is_err() {
            break;
        }
        pc += length;
    }
    found
}

/// An instruction. Others are named by their numbers in the method.
pub(super) struct Node {
    pub(super) pc: usize,
    pub(super) kind: Kind,
    pub(super) opcode: u8,
    /// Does control come to the next one by going on alone?
    only_falls: bool,
}

/// Ways between instructions.
struct Ways {
    /// Where those of each instruction start; one more for the end.
    starts: Vec<usize>,
    others: Vec<usize>,
}

impl Ways {
    fn of(&self, node: usize) -> &[usize] {
        &self.others[self.starts[node]..self.starts[node + 1]]
    }

    /// The same ways, from their ends.
    fn reversed(&self) -> Ways {
        let nodes = self.starts.len() - 1;
        let mut starts = vec![0; nodes + 2];
        for &to in &self.others {
            starts[to + 2] += 1;
        }
        for node in 2..starts.len() {
            starts[node] += starts[node - 1];
        }
        // Each start moves to its end while the ways are filled in: it is the next one's start then.
        let mut others = vec![0; self.others.len()];
        for from in 0..nodes {
            for &to in self.of(from) {
                others[starts[to + 1]] = from;
                starts[to + 1] += 1;
            }
        }
        starts.pop();
        Ways { starts, others }
    }
}

/// A method's instructions.
pub(super) struct Flow {
    pub(super) nodes: Vec<Node>,
    /// Those that a later one jumps back to, in order.
    headers: Vec<usize>,
    next: Ways,
    previous: Ways,
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
    /// Follows a method's instructions; `None` if it has subroutines or too many instructions.
    pub(super) fn of(code: &[u8]) -> Result<Option<Flow>, Skipped> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut targets = Vec::new();
        let mut pc = 0;
        while pc < code.len() {
            let (kind, opcode, length) = instruction(code, pc)?;
            if is_of_subroutine(opcode) {
                return Ok(None);
            }
            let mut only_falls = !opcode::leaves(kind, opcode);
            each_target(code, pc, (kind, opcode, length), |target| {
                targets.push((nodes.len(), target));
                only_falls &= target != pc + length;
            })?;
            nodes.push(Node { pc, kind, opcode, only_falls });
            pc += length;
        }
        let mut next =
            Ways { starts: Vec::with_capacity(nodes.len() + 1), others: Vec::with_capacity(2 * nodes.len()) };
        let mut headers = Vec::new();
        let mut targets = targets.into_iter().peekable();
        for (node, Node { kind, opcode, .. }) in nodes.iter().enumerate() {
            let start = next.others.len();
            next.starts.push(start);
            if !opcode::leaves(*kind, *opcode) && node + 1 < nodes.len() {
                next.others.push(node + 1);
            }
            while let Some((_, target)) = targets.next_if(|&(from, _)| from == node) {
                let target = nodes.binary_search_by_key(&target, |node| node.pc).map_err(|_| INTO_AN_INSTRUCTION)?;
                if !next.others[start..].contains(&target) {
                    next.others.push(target);
                    headers.extend(Some(target).filter(|&target| target <= node));
                }
            }
        }
        next.starts.push(next.others.len());
        let previous = next.reversed();
        headers.sort_unstable();
        headers.dedup();
        Ok(Some(Flow { nodes, headers, next, previous }).filter(|flow| flow.nodes.len() <= MOST))
    }

    /// Where control may go from an instruction, exceptions aside.
    pub(super) fn next(&self, node: usize) -> &[usize] {
        self.next.of(node)
    }

    /// Where it may have come from, in order.
    pub(super) fn previous(&self, node: usize) -> &[usize] {
        self.previous.of(node)
    }

    /// The loops that have no other loop inside, nor a handler of exceptions, and whose ways out have places.
    pub(super) fn innermost_loops(&self, is_handler: impl Fn(usize) -> bool) -> Vec<Loop> {
        self.headers.iter().filter_map(|&header| self.innermost_loop(header, &is_handler)).collect()
    }

    fn innermost_loop(&self, header: usize, is_handler: &impl Fn(usize) -> bool) -> Option<Loop> {
        let (&entry, latches) = self.previous(header).split_first()?;
        let is_loop = latches.first().is_some_and(|&latch| latch >= header);
        if !is_loop || !self.only_falls(entry, header) {
            return None;
        }
        // All from which a latch can be reached without the header.
        let mut nodes = Nodes::none_of(self);
        nodes.add(header);
        let mut open = latches.to_vec();
        while let Some(node) = open.pop() {
            if nodes.add(node) {
                open.extend(self.previous(node));
            }
        }
        let mut exits = Vec::new();
        for node in nodes.iter() {
            let is_entered = node != header && self.previous(node).iter().any(|&before| !nodes.has(before));
            let has_inner = self.next(node).iter().any(|&to| to <= node && to != header && nodes.has(to));
            if is_entered || has_inner || is_handler(self.nodes[node].pc) {
                return None;
            }
            for &to in self.next(node).iter().filter(|&&to| !nodes.has(to)) {
                let others = self.previous(to).iter().filter(|&&other| other != node);
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
        Some(Loop { header, latches: latches.to_vec(), nodes, entry, exits })
    }

    /// Does control come from an instruction to the one that follows it by going on alone?
    fn only_falls(&self, from: usize, to: usize) -> bool {
        from + 1 == to && self.nodes[from].only_falls
    }

    /// What can be reached in one round of a loop from some of its instructions, with them, without another one.
    fn reach(&self, within: &Loop, from: &[usize], without: usize) -> Nodes {
        let mut reached = Nodes::none_of(self);
        let mut open = from.to_vec();
        while let Some(node) = open.pop() {
            if node != without && within.nodes.has(node) && reached.add(node) {
                open.extend(self.next(node).iter().filter(|&&to| to != within.header));
            }
        }
        reached
    }

    /// How one instruction of a loop lies to the others in each round.
    pub(super) fn rounds(&self, within: &Loop, node: usize) -> Rounds {
        let after: Vec<_> = self.next(node).iter().copied().filter(|&to| to != within.header).collect();
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
