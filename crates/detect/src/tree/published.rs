//! TREE exactly as published: algorithms 1 and 2 of Rajagopalan's thesis, section 3.4. Unsound; it is here to be measured.
//!
//! The history is keyed by program location alone. The context Γ of a thread is the list of its locks and of the
//! messages that it sent and received, in the order they came; up to two threads share a node. Races are lost in
//! three ways:
//! 1. Γ holds the past only. Threads that look alike now can be told apart later: T1, T2 and T3 write x at one place,
//!    T3 is dropped, T0 joins T1 and T2 only and writes x.
//! 2. The algorithms leave out conditions 2 and 3 of §3.3, equal kind and equal location: an array loop
//!    keeps its first element only.
//! 3. A happens-before detector follows release → acquire, and Γ forgets a lock at its release.
//!
//! Lock modes are not in Γ either. Where the text leaves a choice: each message has an id of its own. A fork is a send
//! of the parent and puts its id into the parent's Γ only; by §3.2 the child would receive it, but
//! figure 3.5 shows children with empty contexts, and only so can they share nodes as in figure 3.6. A receive puts
//! the id of the latest send of that message, as in SND(t, g) and RCV(t', g); nothing if there was none. A join is the
//! receive of a fresh id: the sender has ended.
//!
//! All tries are laid over each other into one trie of contexts; the history of a location says which threads are at
//! which node. Invariant: equal contexts are equal nodes.

use model::{Event, EventIndex, LockId, MessageId, Op, SiteId, ThreadId};

use super::history::{Histories, Locations, Value};
use crate::held::{Change, Held};
use crate::lockset::FoldMap;
use crate::table::Table;
use crate::{Filter, FilterStatistics, FilterVerdict};

/// A member of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// A message, sent or received; counted from 1 in trace order.
    Message(u64),
    /// A lock that is held.
    Lock(LockId),
}

/// A node of the trie of contexts; 0 is the root, the empty context.
type Node = u32;

/// TREE as published. Loses races.
#[derive(Clone, Debug)]
pub struct Published {
    histories: Histories,
    held: Held,
    contexts: Contexts,
    /// Γ of each thread.
    now: Table<Node>,
    /// The id of the latest send of each message; 0 for none.
    sent: Table<u64>,
    messages: u64,
    events: u64,
    skipped: u64,
}

impl Default for Published {
    fn default() -> Self {
        Published::new(Locations::All)
    }
}

impl Published {
    /// A filter that has seen nothing.
    #[must_use]
    pub fn new(locations: Locations) -> Self {
        Published {
            histories: Histories::new(locations),
            held: Held::default(),
            contexts: Contexts::default(),
            now: Table::default(),
            sent: Table::default(),
            messages: 0,
            events: 0,
            skipped: 0,
        }
    }

    /// The context of a thread.
    pub fn context(&mut self, thread: ThreadId) -> Vec<Element> {
        self.contexts.way(*self.now.at(thread.index()))
    }

    /// The trie of a program location: the contexts seen there, each with its threads. Sorted.
    #[must_use]
    pub fn history(&self, site: SiteId) -> Vec<(Vec<Element>, Vec<ThreadId>)> {
        let nodes = self.histories.get(site.index()).into_iter().flat_map(|history| history.iter());
        let mut all: Vec<_> = nodes.map(|(key, stack)| (self.contexts.way(key[0]), threads_of(stack))).collect();
        all.sort();
        all
    }

    fn synchronize(&mut self, thread: ThreadId, op: Op) {
        match op {
            Op::Acquire(lock, mode) => {
                if self.held.of(thread).acquire(lock, mode) == Change::Outermost {
                    self.add(thread, Element::Lock(lock));
                }
            }
            Op::Release(lock, mode) => {
                if self.held.of(thread).release(lock, mode) == Change::Outermost {
                    let context = self.now.at(thread.index());
                    *context = self.contexts.without(*context, Element::Lock(lock));
                }
            }
            Op::Send(message) => {
                let id = self.add_fresh(thread);
                *self.sent.at(message.index()) = id;
            }
            Op::Receive(message) => self.receive(thread, message),
            Op::Fork(_) | Op::Join(_) => {
                self.add_fresh(thread);
            }
            Op::Read(_) | Op::Write(_) | Op::Branch | Op::MethodBegin(_) | Op::MethodEnd(_) => {}
        }
    }

    fn receive(&mut self, thread: ThreadId, message: MessageId) {
        let id = *self.sent.at(message.index());
        if id != 0 {
            self.add(thread, Element::Message(id));
        }
    }

    fn add_fresh(&mut self, thread: ThreadId) -> u64 {
        self.messages += 1;
        self.add(thread, Element::Message(self.messages));
        self.messages
    }

    fn add(&mut self, thread: ThreadId, element: Element) {
        let context = self.now.at(thread.index());
        *context = self.contexts.with(*context, element);
    }
}

impl Filter for Published {
    fn judge(&mut self, _: EventIndex, event: &Event) -> FilterVerdict {
        self.events += 1;
        if event.op.access().is_none() {
            self.synchronize(event.thread, event.op);
            return FilterVerdict::Keep;
        }
        let context = *self.now.at(event.thread.index());
        let verdict = share(self.histories.at(event.site.index()).at([context, 0]), event.thread);
        self.skipped += u64::from(verdict == FilterVerdict::Skip);
        verdict
    }

    fn statistics(&self) -> FilterStatistics {
        let bytes = self.histories.bytes() + self.contexts.bytes() + self.now.bytes() + self.sent.bytes();
        FilterStatistics { events: self.events, skipped: self.skipped, bytes: bytes as u64 }
    }
}

/// Algorithm 2: a node keeps two threads, and one access of each.
#[inline]
pub(super) fn share(stack: &mut Value, thread: ThreadId) -> FilterVerdict {
    let me = thread.0.saturating_add(1);
    match *stack {
        [0, _] => *stack = [me, 0],
        [one, two] if one == me || two == me => return FilterVerdict::Skip,
        [one, 0] => *stack = [one, me],
        _ => return FilterVerdict::Skip,
    }
    FilterVerdict::Keep
}

fn threads_of(stack: Value) -> Vec<ThreadId> {
    stack.iter().filter(|&&word| word != 0).map(|word| ThreadId(word - 1)).collect()
}

/// The trie of all contexts.
#[derive(Clone, Debug, Default)]
struct Contexts {
    /// Parent and edge of each node but the root.
    nodes: Vec<(Node, Element)>,
    children: FoldMap<(Node, Element), Node>,
}

impl Contexts {
    fn with(&mut self, context: Node, element: Element) -> Node {
        *self.children.entry((context, element)).or_insert_with(|| {
            self.nodes.push((context, element));
            Node::try_from(self.nodes.len()).unwrap_or(Node::MAX)
        })
    }

    /// The context without the last such element.
    fn without(&mut self, context: Node, element: Element) -> Node {
        let mut after = Vec::new();
        let mut at = context;
        while let Some(&(parent, edge)) = self.edge(at) {
            at = parent;
            if edge == element {
                return after.into_iter().rev().fold(at, |context, element| self.with(context, element));
            }
            after.push(edge);
        }
        context
    }

    fn way(&self, context: Node) -> Vec<Element> {
        let mut way = Vec::new();
        let mut at = context;
        while let Some(&(parent, edge)) = self.edge(at) {
            way.push(edge);
            at = parent;
        }
        way.reverse();
        way
    }

    fn edge(&self, node: Node) -> Option<&(Node, Element)> {
        self.nodes.get((node as usize).checked_sub(1)?)
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<(Node, Element)>()
            + self.children.capacity() * (size_of::<((Node, Element), Node)>() + 1)
    }
}
