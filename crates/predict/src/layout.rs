//! A window, indexed: what the constraints are about.
//!
//! Events are named by their place in the window. What can never be otherwise becomes an edge of the graph: the order
//! of each thread's steps, fork, join, hand-overs, a lock that is held when the window starts, and BarrierPairs
//! (`barrier`). If every read counts (no branches are recorded) and only one write can be what it saw, then that is an
//! edge, too: a read that does not run needs no writer, but then nothing is lost by having it after one.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::{LockId, MessageId, Mode, Op, ThreadId, Value};
use smt::{Graph, Node};
use trace::Recorded;

use crate::barrier::{self, Barriers};
use crate::recording::{Cell, Touch};
use crate::window::{Hold, Window, release};

/// No event, no read.
pub(crate) const NONE: u32 = u32::MAX;

/// A lock held by a thread in a mode, from the outermost acquire in that mode to its release.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub(crate) lock: LockId,
    pub(crate) chain: u32,
    pub(crate) mode: Mode,
    /// [`NONE`] if it began before the window.
    pub(crate) acquire: u32,
    /// [`NONE`] if it ends after the window.
    pub(crate) release: u32,
}

/// A read that must see what it saw. A hidden method reads all that it can reach, when it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) event: u32,
    pub(crate) segment: u32,
    pub(crate) value: Option<Value>,
    /// The write that it saw, or [`NONE`] for what the segment starts with.
    pub(crate) observed: u32,
    /// Has it a fixed place among the writes, because a hidden method is running?
    fixed: bool,
}

/// The accesses of one cell between two moments at which hidden methods may change it: all of a window, without them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Segment {
    pub(crate) writes: Vec<u32>,
    /// What is stored there before the first write, if that is known.
    pub(crate) initial: Option<Value>,
}

/// An indexed window.
pub(crate) struct Layout<'a> {
    pub(crate) window: &'a Window<'a>,
    pub(crate) graph: Graph,
    /// Of each event its thread, densely numbered.
    pub(crate) chain: Vec<u32>,
    /// Of each event its place among its thread's.
    pub(crate) place: Vec<u32>,
    pub(crate) chains: Vec<Vec<u32>>,
    /// The edges into each event that are there whatever it reads, and that it needs to be next.
    pub(crate) hard: Vec<Vec<u32>>,
    /// The edges of hidden methods into events outside of them. An access that is next does not need these: nobody has seen it
    /// yet, and its thread has come to it by events that have edges of their own.
    barred: Vec<(u32, u32)>,
    pub(crate) sections: Vec<Section>,
    /// Of each event the sections that it begins or ends: none or one, or those of a hidden method's begin.
    sections_at: HashMap<u32, Vec<u32>>,
    pub(crate) segments: Vec<Segment>,
    /// Of each access its segment.
    pub(crate) segment: Vec<u32>,
    pub(crate) reads: Vec<Read>,
    /// The reads of each thread, in order; not those that a begin of a hidden method stands for.
    pub(crate) chain_reads: Vec<Vec<u32>>,
    /// How many of its thread's reads come before each event.
    pub(crate) reads_before: Vec<u32>,
    /// The reads that the begin of a hidden method stands for.
    pub(crate) begin_reads: BTreeMap<u32, Vec<u32>>,
    /// Events that are like a branch because of hidden methods.
    strict: HashSet<u32>,
    pub(crate) branches: Recorded,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(window: &'a Window<'a>, barriers: &Barriers) -> Self {
        let length = window.len();
        let mut layout = Layout {
            window,
            graph: Graph::new(&[], &[]),
            chain: Vec::with_capacity(length),
            place: Vec::with_capacity(length),
            chains: Vec::new(),
            hard: vec![Vec::new(); length],
            barred: Vec::new(),
            sections: Vec::new(),
            sections_at: HashMap::new(),
            segments: Vec::new(),
            segment: vec![NONE; length],
            reads: Vec::new(),
            chain_reads: Vec::new(),
            reads_before: vec![0; length],
            begin_reads: BTreeMap::new(),
            strict: barriers.strict.clone(),
            branches: window.recording.branches(),
        };
        layout.thread_events();
        layout.order_threads();
        layout.order_messages();
        layout.find_sections();
        for &(from, to) in &barriers.edges {
            if barriers.inside.contains(&to) {
                layout.hard[to as usize].push(from);
            } else {
                layout.barred.push((from, to));
            }
        }
        layout.find_reads(barriers);
        layout.build_graph();
        layout
    }

    fn thread_events(&mut self) {
        let mut chains: HashMap<ThreadId, u32> = HashMap::new();
        for event in 0..self.window.len() {
            let chain = *chains.entry(self.window.thread(event)).or_insert_with(|| {
                self.chains.push(Vec::new());
                self.chains.len() as u32 - 1
            });
            self.chain.push(chain);
            self.place.push(self.chains[chain as usize].len() as u32);
            self.chains[chain as usize].push(event as u32);
        }
        self.chain_reads = vec![Vec::new(); self.chains.len()];
    }

    /// The sections that an event begins or ends.
    pub(crate) fn sections_at(&self, event: u32) -> &[u32] {
        self.sections_at.get(&event).map_or(&[], Vec::as_slice)
    }

    /// The event before one in its thread.
    pub(crate) fn before(&self, event: u32) -> Option<u32> {
        let place = self.place[event as usize] as usize;
        self.chains[self.chain[event as usize] as usize][..place].last().copied()
    }

    /// Does what follows depend on all that the thread has read?
    pub(crate) fn is_branch(&self, event: u32) -> bool {
        self.window.op(event as usize) == Op::Branch || self.strict.contains(&event)
    }

    /// Fork comes before the new thread's next step, a thread's latest step before a join with it.
    fn order_threads(&mut self) {
        let mut forks: HashMap<ThreadId, u32> = HashMap::new();
        let mut latest: HashMap<ThreadId, u32> = HashMap::new();
        // A fork whose child has not taken a step since.
        let mut waiting: HashMap<ThreadId, Vec<u32>> = HashMap::new();
        for event in 0..self.window.len() {
            let thread = self.window.thread(event);
            self.hard[event].extend(waiting.remove(&thread).unwrap_or_default());
            match self.window.op(event) {
                Op::Fork(child) => {
                    waiting.entry(child).or_default().push(event as u32);
                    forks.insert(child, event as u32);
                }
                Op::Join(ended) => {
                    self.hard[event].extend(latest.get(&ended));
                    self.hard[event].extend(forks.get(&ended));
                }
                _ => {}
            }
            latest.insert(thread, event as u32);
        }
    }

    /// A receive comes after all sends before it. Volatile variables are cells, not messages.
    fn order_messages(&mut self) {
        let mut sends: HashMap<MessageId, BTreeMap<u32, u32>> = HashMap::new();
        for event in 0..self.window.len() {
            if self.window.touch(event).is_some() {
                continue;
            }
            match self.window.op(event) {
                Op::Send(message) => {
                    sends.entry(message).or_default().insert(self.chain[event], event as u32);
                }
                Op::Receive(message) => {
                    self.hard[event].extend(sends.get(&message).into_iter().flat_map(BTreeMap::values))
                }
                _ => {}
            }
        }
    }

    fn find_sections(&mut self) {
        let window = self.window;
        let mut held = window.held.clone();
        let mut open: HashMap<(LockId, ThreadId, Mode), u32> = HashMap::new();
        let mut began_before: Vec<u32> = Vec::new();
        let chain_of: HashMap<ThreadId, u32> =
            (0..window.len()).map(|event| (window.thread(event), self.chain[event])).collect();
        for (&(lock, thread), &hold) in &window.held {
            for (mode, depth) in [(Mode::Read, hold.for_reading), (Mode::Write, hold.for_writing)] {
                if depth > 0 {
                    open.insert((lock, thread, mode), self.sections.len() as u32);
                    began_before.push(self.sections.len() as u32);
                    let chain = chain_of.get(&thread).copied().unwrap_or(NONE);
                    self.sections.push(Section { lock, chain, mode, acquire: NONE, release: NONE });
                }
            }
        }
        for event in 0..window.len() {
            let (thread, chain) = (window.thread(event), self.chain[event]);
            for (lock, mode) in window.locks_taken(event) {
                let depth = held.entry((lock, thread)).or_default().depth(mode);
                *depth += 1;
                if *depth == 1 {
                    let section = self.sections.len() as u32;
                    open.insert((lock, thread, mode), section);
                    self.sections_at.entry(event as u32).or_default().push(section);
                    self.sections.push(Section { lock, chain, mode, acquire: event as u32, release: NONE });
                }
            }
            let Op::Release(lock, mode) = window.op(event) else { continue };
            let Some(mode) = release(&mut held, lock, thread, mode) else { continue };
            let left = held.get(&(lock, thread)).copied().map_or(0, |mut hold: Hold| *hold.depth(mode));
            if left > 0 {
                continue;
            }
            if let Some(section) = open.remove(&(lock, thread, mode)) {
                self.sections_at.entry(event as u32).or_default().push(section);
                self.sections[section as usize].release = event as u32;
            }
        }
        // What is held at the start is given back before anybody else can take it.
        for &early in &began_before {
            let early = self.sections[early as usize];
            let others = self.sections.iter().filter(|other| {
                other.lock == early.lock && other.chain != early.chain && early.mode.excludes(other.mode)
            });
            let later = others.filter(|other| other.acquire != NONE && early.release < other.acquire);
            let edges: Vec<u32> = later.map(|other| other.acquire).collect();
            for acquire in edges {
                self.hard[acquire as usize].push(early.release);
            }
        }
    }

    /// Reads, writes, and which of them belong together.
    fn find_reads(&mut self, barriers: &Barriers) {
        let mut segments: HashMap<(Cell, u32), u32> = HashMap::new();
        let mut last_write: Vec<u32> = Vec::new();
        for event in 0..self.window.len() {
            let chain = self.chain[event] as usize;
            self.reads_before[event] = self.chain_reads[chain].len() as u32;
            for &(cell, part) in barriers.read_at_begin.get(&(event as u32)).into_iter().flatten() {
                let segment = self.segment_of(&mut segments, &mut last_write, cell, part);
                let observed = last_write[segment as usize];
                let value = self.window.value(observed as usize);
                self.begin_reads.entry(event as u32).or_default().push(self.reads.len() as u32);
                self.reads.push(Read { event: event as u32, segment, value, observed, fixed: false });
            }
            let Some(touch) = self.window.touch(event) else { continue };
            let (Touch::Read(cell) | Touch::Write(cell)) = touch;
            let part = barriers.part(event as u32);
            let segment = self.segment_of(&mut segments, &mut last_write, cell, part);
            self.segment[event] = segment;
            match touch {
                Touch::Write(_) => {
                    self.segments[segment as usize].writes.push(event as u32);
                    last_write[segment as usize] = event as u32;
                }
                Touch::Read(_) => {
                    let (value, observed) = (self.window.value(event), last_write[segment as usize]);
                    let segment_info = &mut self.segments[segment as usize];
                    if observed == NONE && segment_info.initial.is_none() {
                        segment_info.initial = value;
                    }
                    let fixed = barriers.fixed.contains(&(event as u32));
                    self.chain_reads[chain].push(self.reads.len() as u32);
                    self.reads.push(Read { event: event as u32, segment, value, observed, fixed });
                }
            }
        }
    }

    fn segment_of(
        &mut self,
        segments: &mut HashMap<(Cell, u32), u32>,
        last_write: &mut Vec<u32>,
        cell: Cell,
        part: u32,
    ) -> u32 {
        *segments.entry((cell, part)).or_insert_with(|| {
            // Only before the first hidden method is the cell as it was when the window started.
            let initial = if part == barrier::FIRST_PART { self.window.initial.get(&cell).copied() } else { None };
            self.segments.push(Segment { writes: Vec::new(), initial });
            last_write.push(NONE);
            self.segments.len() as u32 - 1
        })
    }

    fn build_graph(&mut self) {
        let mut edges: Vec<(Node, Node)> = self.barred.iter().map(|&(from, to)| (Node(from), Node(to))).collect();
        for (to, sources) in self.hard.iter().enumerate() {
            edges.extend(sources.iter().map(|&from| (Node(from), Node(to as u32))));
        }
        if self.branches == Recorded::No {
            let real = self.chain_reads.iter().flatten();
            edges.extend(real.filter_map(|&read| match *self.sources(read).as_slice() {
                [write] if write != NONE => Some((Node(write), Node(self.reads[read as usize].event))),
                _ => None,
            }));
        }
        self.graph = Graph::new(&self.chain, &edges);
    }

    /// The writes that a read can see without noticing, [`NONE`] standing for what the segment starts with. First
    /// the one that it saw.
    pub(crate) fn sources(&self, read: u32) -> Vec<u32> {
        let Read { event, segment, observed, .. } = self.reads[read as usize];
        let mut sources = vec![observed];
        if !self.is_open(read) {
            return sources;
        }
        let chain = self.chain[event as usize];
        let writes = &self.segments[segment as usize].writes;
        // Of the own thread only the last write before the read can still be there.
        let own = writes.iter().rev().find(|&&write| self.chain[write as usize] == chain && write < event).copied();
        let others = writes
            .iter()
            .copied()
            .filter(|&write| if self.chain[write as usize] == chain { Some(write) == own } else { true });
        let start = if own.is_none() { Some(NONE) } else { None };
        sources.extend(others.chain(start).filter(|&write| write != observed && self.explains(read, write)));
        sources
    }

    /// Is the read content with a write: the one that it saw, or one that leaves the same value?
    pub(crate) fn accepts(&self, read: u32, write: u32) -> bool {
        let Read { observed, fixed, .. } = self.reads[read as usize];
        fixed || write == observed || self.is_open(read) && self.explains(read, write)
    }

    /// Can the read be content with another write than the one that it saw? Not if its value is unknown, nor if somebody
    /// that we do not see wrote it.
    fn is_open(&self, read: u32) -> bool {
        let Read { value, observed, fixed, .. } = self.reads[read as usize];
        !fixed && value.is_some() && (self.explains(read, observed) || self.stored(read, observed).is_none())
    }

    /// Does a write (or what the segment starts with) leave the value that a read saw?
    fn explains(&self, read: u32, write: u32) -> bool {
        let seen = self.reads[read as usize].value;
        seen.is_some() && seen == self.stored(read, write)
    }

    fn stored(&self, read: u32, write: u32) -> Option<Value> {
        match write {
            NONE => self.segments[self.reads[read as usize].segment as usize].initial,
            _ => self.window.value(write as usize),
        }
    }
}
