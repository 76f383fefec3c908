//! BarrierPairs: what calls of hidden methods order. Rajagopalan's thesis, sections 4.2 to 4.4, algorithms 5 and 6.
//!
//! A hidden method may do anything to the objects that it can reach, from its begin to its end. So what is seen to be
//! done to such an object before the begin stays before it, and what comes after the end stays after; two hidden methods
//! that can reach a common object keep their order; while hidden methods overlap and share objects, all that is done to
//! what they can reach, and all that their threads are seen to do, keeps its order.
//!
//! *Differs:* line 12 takes every observed event on a reachable object (lock, begin and end of a thread, message, access), as
//! §4.5 needs. And as published the model lets false alarms through: it orders the events around one pair with the pair,
//! not with each other (a hidden method can wait for one and then allow the other); it follows no chain of overlapping pairs;
//! and it lets a method find another value than it found. Here overlapping pairs make one cluster with one order, and a
//! begin reads all that the method can reach. A lock that is given back but was not seen to be taken was taken by the
//! last hidden method that could, at its begin. A method that calls back does nothing until the callback ends (`hidden`), and an
//! access outside of hidden methods races even if edges lead to it. *Misses* races that only look ordered by a hidden method.
//! *Reports falsely* nothing, if hidden methods reach nothing else.
//! *Invariant:* every edge follows the order of the trace.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use model::{ObjectId, ThreadId};

use crate::hidden::Span;
use crate::recording::{Cell, Touch};
use crate::window::Window;

/// The part of a cell's history before any hidden method that can reach it.
pub(crate) const FIRST_PART: u32 = 0;

/// A hidden method that runs, as far as that lies in a window: all of a call, or what is between its callbacks.
#[derive(Clone, Debug)]
pub(crate) struct Pair<'a> {
    pub(crate) thread: ThreadId,
    /// `None` if it begins before the window.
    pub(crate) begin: Option<usize>,
    /// `None` if it ends after the window.
    pub(crate) end: Option<usize>,
    /// What it can reach, ascending.
    pub(crate) reach: &'a [ObjectId],
}

impl Pair<'_> {
    /// Is the method running at an event, its begin and end included?
    pub(crate) fn spans(&self, event: usize) -> bool {
        self.begin.is_none_or(|begin| begin <= event) && self.end.is_none_or(|end| event <= end)
    }

    pub(crate) fn reaches(&self, object: ObjectId) -> bool {
        self.reach.binary_search(&object).is_ok()
    }

    pub(crate) fn shares_with(&self, other: &Pair<'_>) -> bool {
        let (few, many) = if self.reach.len() < other.reach.len() { (self, other) } else { (other, self) };
        few.reach.iter().any(|&object| many.reaches(object))
    }
}

/// The runs of hidden methods that a window has a part of, by their begins.
pub(crate) fn pairs<'a>(window: &Window<'a>) -> Vec<Pair<'a>> {
    let (recording, range) = (window.recording, &window.range);
    let spans = recording.spans();
    let begins_before = |end: usize| move |span: &Span| span.begin.is_none_or(|begin| begin < end);
    let begun = spans.get(..spans.partition_point(begins_before(range.end))).unwrap_or_default();
    let running = begun.iter().filter(|span| span.end.is_none_or(|end| end >= range.start));
    let pair = |span: &'a Span| {
        let begin = span.begin.and_then(|begin| begin.checked_sub(range.start));
        let end = span.end.filter(|&end| end < range.end).map(|end| end - range.start);
        Pair { thread: span.thread, begin, end, reach: &span.reach }
    };
    running.map(pair).collect()
}

/// The objects that an event is about. The first event of a thread is also its begin, the last one its end.
pub(crate) fn objects(window: &Window<'_>, event: usize) -> impl Iterator<Item = ObjectId> {
    let recording = window.recording;
    let (thread, op) = (window.thread(event), window.op(event));
    let is_edge = recording.is_first_or_last(window.range.start + event);
    let own = if is_edge { recording.thread_object(thread) } else { None };
    recording.object(op).into_iter().chain(own)
}

/// What hidden methods mean for a window.
#[derive(Clone, Debug, Default)]
pub(crate) struct Barriers {
    /// What stays before what.
    pub(crate) edges: Vec<(u32, u32)>,
    /// The cells that each begin of a hidden method reads, with the part of the cell's history.
    pub(crate) read_at_begin: BTreeMap<u32, Vec<(Cell, u32)>>,
    /// The events at which a thread must have read what it did, as at a branch: it is in a hidden method, or writes
    /// what a running one can reach.
    pub(crate) strict: HashSet<u32>,
    /// Events of a thread that is in a hidden method: it may have done much since its last one.
    pub(crate) inside: HashSet<u32>,
    /// Reads of what a running hidden method can reach: their place in the order is fixed, and so is what they see.
    pub(crate) fixed: HashSet<u32>,
    /// The part of its cell's history that an access belongs to, if it is not the first.
    parts: HashMap<u32, u32>,
}

impl Barriers {
    /// The part of its cell's history that an access belongs to.
    pub(crate) fn part(&self, event: u32) -> u32 {
        self.parts.get(&event).copied().unwrap_or(FIRST_PART)
    }

    /// The accesses that do not belong to the first part, each with its own.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.parts.iter().map(|(&event, &part)| (event, part))
    }

    /// What the hidden methods of a window mean.
    pub(crate) fn new(window: &Window<'_>) -> Self {
        let pairs = pairs(window);
        if pairs.is_empty() {
            return Barriers::default();
        }
        let mut sweep = Sweep::new(window, &pairs);
        for event in 0..window.len() {
            sweep.pass(event);
        }
        sweep.barriers
    }
}

/// One pass over a window.
struct Sweep<'a> {
    window: &'a Window<'a>,
    pairs: &'a [Pair<'a>],
    barriers: Barriers,
    starts: HashMap<usize, usize>,
    ends: HashMap<usize, usize>,
    /// The pairs that are open.
    open: Vec<usize>,
    /// Of each pair its cluster, by the number of one of its pairs.
    cluster: Vec<usize>,
    /// The latest event of each cluster.
    chained: HashMap<usize, u32>,
    /// The latest event of each thread on each object.
    latest: HashMap<ObjectId, BTreeMap<ThreadId, u32>>,
    /// The latest end of a pair that can reach each object.
    ended: HashMap<ObjectId, u32>,
    /// How many begins and ends of pairs that can reach each object there were.
    parts: HashMap<ObjectId, u32>,
    /// The cells written since the last begin or end of a pair that can reach their object.
    written: HashMap<ObjectId, BTreeSet<Cell>>,
}

impl<'a> Sweep<'a> {
    fn new(window: &'a Window<'a>, pairs: &'a [Pair<'a>]) -> Self {
        let numbered = |place: fn(&Pair<'a>) -> Option<usize>| {
            pairs.iter().enumerate().filter_map(move |(pair, info)| Some((place(info)?, pair))).collect()
        };
        let open: Vec<usize> = (0..pairs.len()).filter(|&pair| pairs[pair].begin.is_none()).collect();
        let mut parts = HashMap::new();
        for object in open.iter().flat_map(|&pair| pairs[pair].reach) {
            parts.insert(*object, FIRST_PART + 1);
        }
        Sweep {
            window,
            pairs,
            barriers: Barriers::default(),
            starts: numbered(|pair| pair.begin),
            ends: numbered(|pair| pair.end),
            open,
            cluster: clusters(pairs),
            chained: HashMap::new(),
            latest: HashMap::new(),
            ended: HashMap::new(),
            parts,
            written: HashMap::new(),
        }
    }

    fn pass(&mut self, event: usize) {
        let (window, at) = (self.window, event as u32);
        if let Some(&pair) = self.starts.get(&event) {
            self.begin(pair, at);
        }
        let mut clusters: Vec<usize> = Vec::new();
        let own: Vec<ObjectId> = objects(window, event).collect();
        for &open in &self.open {
            let pair = &self.pairs[open];
            let inside = pair.thread == window.thread(event);
            if inside || own.iter().any(|&object| pair.reaches(object)) {
                clusters.push(self.cluster[open]);
            }
            if inside {
                self.barriers.strict.insert(at);
                self.barriers.inside.insert(at);
            }
        }
        for cluster in clusters {
            if let Some(before) = self.chained.insert(cluster, at) {
                if before != at {
                    self.barriers.edges.push((before, at));
                }
            }
        }
        for &object in &own {
            if let Some(&end) = self.ended.get(&object) {
                self.barriers.edges.push((end, at));
            }
            self.latest.entry(object).or_default().insert(window.thread(event), at);
        }
        if let (Some(touch), Some(object)) = (window.touch(event), window.recording.object(window.op(event))) {
            self.access(at, touch, object);
        }
        if let Some(&pair) = self.ends.get(&event) {
            self.end(pair, at);
        }
    }

    fn begin(&mut self, pair: usize, at: u32) {
        let reach = self.pairs[pair].reach;
        let mut sources: BTreeMap<ThreadId, u32> = BTreeMap::new();
        let mut reads = Vec::new();
        for object in reach {
            for (&thread, &event) in self.latest.get(object).into_iter().flatten() {
                let latest = sources.entry(thread).or_insert(event);
                *latest = event.max(*latest);
            }
            self.barriers.edges.extend(self.ended.get(object).map(|&end| (end, at)));
            let part = self.parts.entry(*object).or_insert(FIRST_PART);
            let written = self.written.remove(object).unwrap_or_default();
            if !self.open.iter().any(|&open| self.pairs[open].reaches(*object)) {
                reads.extend(written.into_iter().map(|cell| (cell, *part)));
            }
            *part += 1;
        }
        self.barriers.edges.extend(sources.into_values().map(|source| (source, at)));
        self.barriers.read_at_begin.insert(at, reads);
        self.open.push(pair);
    }

    fn end(&mut self, pair: usize, at: u32) {
        self.open.retain(|&open| open != pair);
        for &object in self.pairs[pair].reach {
            self.ended.insert(object, at);
            self.written.remove(&object);
            *self.parts.entry(object).or_insert(FIRST_PART) += 1;
        }
    }

    fn access(&mut self, at: u32, touch: Touch, object: ObjectId) {
        if let Some(&part) = self.parts.get(&object) {
            self.barriers.parts.insert(at, part);
        }
        let is_open = self.open.iter().any(|&open| self.pairs[open].reaches(object));
        match touch {
            Touch::Write(_) if is_open => {
                self.barriers.strict.insert(at);
            }
            Touch::Write(cell) => {
                self.written.entry(object).or_default().insert(cell);
            }
            Touch::Read(_) if is_open => {
                self.barriers.fixed.insert(at);
            }
            Touch::Read(_) => {}
        }
    }
}

/// Pairs that overlap and share an object are in one cluster, and so are those that are so joined by others.
pub(crate) fn clusters(pairs: &[Pair<'_>]) -> Vec<usize> {
    let mut cluster: Vec<usize> = (0..pairs.len()).collect();
    let mut open: Vec<usize> = Vec::new();
    for (number, pair) in pairs.iter().enumerate() {
        // Pairs are in the order of their begins.
        let begin = pair.begin.unwrap_or(0);
        open.retain(|&other| pairs[other].end.is_none_or(|end| end > begin));
        for &other in open.iter().filter(|&&other| pairs[other].shares_with(pair)) {
            let (one, two) = (cluster[other], cluster[number]);
            for entry in &mut cluster[..=number] {
                if *entry == two {
                    *entry = one;
                }
            }
        }
        open.push(number);
    }
    cluster
}
