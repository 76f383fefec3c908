//! The maximal causal model: Rajagopalan's thesis, section 4.4, after Huang, Meredith, Roșu, "Maximal Sound Predictive Race
//! Detection with Control Flow Abstraction", PLDI 2014.
//!
//! Which reorderings of a prefix of the trace can every program produce that produced the trace? Sections of one lock do
//! not overlap, and a read that its thread's path depends on sees the value that it saw. *Differs:* the thesis orders
//! all events, so that a race whose continuation deadlocks is lost; here constraints bind only what comes before the
//! horizon, the race itself. Clauses are made when an order breaks them. A read's path matters at the next branch of its
//! thread; if branches are not recorded, at once.
//!
//! *Misses* nothing within a window, as the tests by enumeration show, and *reports falsely* nothing, if the trace is complete
//! and its order true. *State:* [`Causality`] owns which clauses exist; they hold for every question about the window.
//! *Invariant:* every clause follows from the definition, whatever the question.

use std::collections::{BTreeMap, HashMap, HashSet};

use smt::{Formula, Literal, Node, Refine};
use trace::Recorded;

use crate::layout::{Layout, NONE};

/// Whether one event comes before another, where that is known from the start.
enum Known {
    Always,
    Never,
    Open(Literal),
}

/// A read that must be true, and why.
#[derive(Clone, Copy, Debug)]
struct Cause {
    /// The branch that depends on it, or [`NONE`].
    branch: u32,
    /// The read whose writer depends on it, or [`NONE`].
    reader: u32,
}

/// The constraints of one window.
pub(crate) struct Causality<'a> {
    layout: &'a Layout<'a>,
    /// Pairs of sections that have their clause.
    sections: HashSet<(u32, u32)>,
    /// What each read can see, with the literal that says it does.
    sources: HashMap<u32, Vec<(u32, Literal)>>,
    /// Reads and the writes that must not come between them and what they see.
    overwrites: HashSet<(u32, u32)>,
    /// For each thread: its first so many reads see what they saw.
    faithful: Vec<BTreeMap<u32, Literal>>,
    /// Branches that have their clause.
    branches: HashSet<u32>,
    /// The accesses that the question is about.
    pair: [u32; 2],
}

impl<'a> Causality<'a> {
    pub(crate) fn new(layout: &'a Layout<'a>) -> Self {
        Causality {
            layout,
            sections: HashSet::new(),
            sources: HashMap::new(),
            overwrites: HashSet::new(),
            faithful: vec![BTreeMap::new(); layout.chains.len()],
            branches: HashSet::new(),
            pair: [NONE; 2],
        }
    }

    /// What must hold for two accesses to be next: all before them has run, they have not. From now on the questions
    /// are about them.
    pub(crate) fn assumptions(&mut self, formula: &mut dyn Formula, pair: (u32, u32)) -> Vec<Literal> {
        let layout = self.layout;
        let horizon = layout.graph.horizon();
        self.pair = [pair.0, pair.1];
        let mut literals: Vec<Literal> = self.pair.iter().map(|&event| formula.before(horizon, Node(event))).collect();
        for event in self.pair {
            let sources = layout.before(event).into_iter().chain(layout.hard[event as usize].iter().copied());
            literals.extend(sources.map(|source| formula.before(Node(source), horizon)));
            let count = layout.reads_before[event as usize];
            if self.depends_on_reads(event) && count > 0 {
                literals.push(self.faithful(formula, layout.chain[event as usize], count));
            }
        }
        literals.dedup();
        literals
    }

    /// Inside a hidden method, which may branch at any time, an access depends on all that its thread has read.
    fn depends_on_reads(&self, event: u32) -> bool {
        self.layout.branches == Recorded::Yes && self.layout.is_branch(event)
    }

    fn order(&self, formula: &mut dyn Formula, one: u32, other: u32) -> Known {
        let chain = &self.layout.chain;
        if one == other {
            Known::Never
        } else if chain[one as usize] == chain[other as usize] {
            if one < other { Known::Always } else { Known::Never }
        } else {
            Known::Open(formula.before(Node(one), Node(other)))
        }
    }

    /// A clause of literals and orders; none at all if one of the orders holds anyway.
    fn clause(&self, formula: &mut dyn Formula, literals: &[Literal], orders: &[(u32, u32)]) {
        let mut clause = literals.to_vec();
        for &(one, other) in orders {
            match self.order(formula, one, other) {
                Known::Always => return,
                Known::Never => {}
                Known::Open(literal) => clause.push(literal),
            }
        }
        formula.clause(&clause);
    }

    /// Two sections that exclude each other do not overlap, if both begin.
    fn exclude(&mut self, formula: &mut dyn Formula, one: u32, two: u32) {
        if !self.sections.insert((one.min(two), one.max(two))) {
            return;
        }
        let horizon = self.layout.graph.horizon();
        let (one, two) = (self.layout.sections[one as usize], self.layout.sections[two as usize]);
        let mut literals = Vec::new();
        let mut orders = Vec::new();
        for (one, two) in [(one, two), (two, one)] {
            if one.acquire != NONE {
                literals.push(formula.before(horizon, Node(one.acquire)));
            }
            if one.release != NONE && two.acquire != NONE {
                orders.push((one.release, two.acquire));
            }
        }
        self.clause(formula, &literals, &orders);
    }

    /// The literal that says that a read must see what it saw.
    fn guard(&mut self, formula: &mut dyn Formula, read: u32) -> Literal {
        let event = self.layout.reads[read as usize].event;
        let is_begin = self.layout.begin_reads.contains_key(&event);
        if self.layout.branches == Recorded::No || is_begin {
            return formula.before(Node(event), self.layout.graph.horizon());
        }
        let chain = self.layout.chain[event as usize];
        self.faithful(formula, chain, self.layout.reads_before[event as usize] + 1)
    }

    /// The literal that says that the first `count` reads of a thread see what they saw.
    fn faithful(&mut self, formula: &mut dyn Formula, chain: u32, count: u32) -> Literal {
        let known = &mut self.faithful[chain as usize];
        if let Some(&literal) = known.get(&count) {
            return literal;
        }
        let literal = formula.boolean();
        if let Some((_, &fewer)) = known.range(..count).next_back() {
            formula.clause(&[!literal, fewer]);
        }
        if let Some((_, &more)) = known.range(count..).next() {
            formula.clause(&[!more, literal]);
        }
        known.insert(count, literal);
        literal
    }

    /// A read sees one of its sources.
    fn see(&mut self, formula: &mut dyn Formula, read: u32) -> Vec<(u32, Literal)> {
        if let Some(sources) = self.sources.get(&read) {
            return sources.clone();
        }
        let guard = self.guard(formula, read);
        let event = self.layout.reads[read as usize].event;
        let writes = self.layout.sources(read);
        let sources: Vec<(u32, Literal)> = match *writes.as_slice() {
            [only] => vec![(only, guard)],
            _ => writes.into_iter().map(|write| (write, formula.boolean())).collect(),
        };
        let mut some = vec![!guard];
        some.extend(sources.iter().map(|&(_, literal)| literal));
        formula.clause(&some);
        for &(write, literal) in sources.iter().filter(|&&(write, _)| write != NONE) {
            self.clause(formula, &[!literal], &[(write, event)]);
            let before = self.layout.reads_before[write as usize];
            if self.layout.branches == Recorded::Yes && before > 0 {
                let faithful = self.faithful(formula, self.layout.chain[write as usize], before);
                formula.clause(&[!literal, faithful]);
            }
        }
        self.sources.insert(read, sources.clone());
        sources
    }

    /// No write comes between a read and what it sees.
    fn keep_apart(&mut self, formula: &mut dyn Formula, read: u32, write: u32) {
        let sources = self.see(formula, read);
        if write == NONE || !self.overwrites.insert((read, write)) {
            return;
        }
        let event = self.layout.reads[read as usize].event;
        for (source, literal) in sources.into_iter().filter(|&(source, _)| source != write) {
            let after_read = (event, write);
            match source {
                NONE => self.clause(formula, &[!literal], &[after_read]),
                _ => self.clause(formula, &[!literal], &[(write, source), after_read]),
            }
        }
    }

    fn branch(&mut self, formula: &mut dyn Formula, branch: u32) {
        if branch == NONE || !self.branches.insert(branch) {
            return;
        }
        let chain = self.layout.chain[branch as usize];
        let faithful = self.faithful(formula, chain, self.layout.reads_before[branch as usize]);
        let skipped = formula.before(self.layout.graph.horizon(), Node(branch));
        formula.clause(&[skipped, faithful]);
    }

    fn refine_sections(&mut self, prefix: &[Node], formula: &mut dyn Formula) {
        let mut holders: HashMap<model::LockId, Vec<u32>> = HashMap::new();
        let sections = (0..).zip(&self.layout.sections);
        // Those first: a hidden method may give a lock back unseen, and then no order shows it.
        for (id, section) in sections.take_while(|(_, section)| section.acquire == NONE) {
            holders.entry(section.lock).or_default().push(id);
        }
        let mut overlaps = Vec::new();
        let begins_and_ends =
            prefix.iter().flat_map(|&Node(event)| self.layout.sections_at(event).iter().map(move |&id| (event, id)));
        for (event, id) in begins_and_ends {
            let section = &self.layout.sections[id as usize];
            let holders = holders.entry(section.lock).or_default();
            if section.acquire == event {
                overlaps.extend(holders.iter().filter_map(|&other| {
                    let holder = self.layout.sections[other as usize];
                    (holder.chain != section.chain && holder.mode.excludes(section.mode)).then_some((other, id))
                }));
                holders.push(id);
            } else {
                holders.retain(|&other| other != id);
            }
        }
        for (one, two) in overlaps {
            self.exclude(formula, one, two);
        }
    }

    fn refine_reads(&mut self, prefix: &[Node], formula: &mut dyn Formula) {
        let layout = self.layout;
        let mut last_write: HashMap<u32, u32> = HashMap::new();
        let mut seen: HashMap<u32, u32> = HashMap::new();
        // The last branch of each thread.
        let mut branches = vec![NONE; layout.chains.len()];
        for &Node(event) in prefix {
            if let Some(reads) = layout.begin_reads.get(&event) {
                for &read in reads {
                    let write = last_write.get(&layout.reads[read as usize].segment).copied().unwrap_or(NONE);
                    seen.insert(read, write);
                }
            }
            let (chain, segment) = (layout.chain[event as usize] as usize, layout.segment[event as usize]);
            if layout.is_branch(event) {
                branches[chain] = event;
            }
            if segment == NONE {
                continue;
            }
            let reads = &layout.chain_reads[chain];
            match reads.get(layout.reads_before[event as usize] as usize) {
                Some(&read) if layout.reads[read as usize].event == event => {
                    seen.insert(read, last_write.get(&segment).copied().unwrap_or(NONE));
                }
                _ => {
                    last_write.insert(segment, event);
                }
            }
        }
        match layout.branches {
            Recorded::No => {
                let mut wrong: Vec<(u32, u32)> =
                    seen.into_iter().filter(|&(read, write)| !layout.accepts(read, write)).collect();
                wrong.sort_unstable();
                for (read, write) in wrong {
                    self.keep_apart(formula, read, write);
                }
            }
            Recorded::Yes => self.refine_faithful(&branches, &seen, formula),
        }
    }

    /// Follows from each branch the reads that it depends on, to the writes that they see, to the reads before those.
    fn refine_faithful(&mut self, branches: &[u32], seen: &HashMap<u32, u32>, formula: &mut dyn Formula) {
        let layout = self.layout;
        let mut done = vec![0u32; layout.chains.len()];
        let mut causes: HashMap<u32, Cause> = HashMap::new();
        let mut wrong = Vec::new();
        let mut todo: Vec<(u32, u32, Cause)> = (0..)
            .zip(branches)
            .filter(|&(_, &branch)| branch != NONE)
            .map(|(chain, &branch)| (chain, layout.reads_before[branch as usize], Cause { branch, reader: NONE }))
            .collect();
        for event in self.pair.into_iter().filter(|&event| event != NONE && self.depends_on_reads(event)) {
            let (chain, count) = (layout.chain[event as usize], layout.reads_before[event as usize]);
            todo.push((chain, count, Cause { branch: NONE, reader: NONE }));
        }
        // A hidden method must find what it found, and those who wrote it must have seen what they saw.
        for &read in layout.begin_reads.values().flatten() {
            let Some(&write) = seen.get(&read) else { continue };
            if !layout.accepts(read, write) {
                wrong.push(read);
            } else if write != NONE {
                let before = layout.reads_before[write as usize];
                todo.push((layout.chain[write as usize], before, Cause { branch: NONE, reader: read }));
            }
        }
        while let Some((chain, count, cause)) = todo.pop() {
            let reads = &layout.chain_reads[chain as usize];
            while done[chain as usize] < count {
                let read = reads[done[chain as usize] as usize];
                done[chain as usize] += 1;
                causes.insert(read, cause);
                let write = seen.get(&read).copied().unwrap_or(NONE);
                if !layout.accepts(read, write) {
                    wrong.push(read);
                } else if write != NONE {
                    let before = layout.reads_before[write as usize];
                    todo.push((layout.chain[write as usize], before, Cause { branch: NONE, reader: read }));
                }
            }
        }
        for read in wrong {
            let mut next = read;
            while next != NONE {
                self.keep_apart(formula, next, seen.get(&next).copied().unwrap_or(NONE));
                let Some(cause) = causes.get(&next) else { break };
                self.branch(formula, cause.branch);
                next = cause.reader;
            }
        }
    }
}

impl Refine for Causality<'_> {
    fn refine(&mut self, prefix: &[Node], formula: &mut dyn Formula) {
        self.refine_sections(prefix, formula);
        self.refine_reads(prefix, formula);
    }
}
