//! Traces, fed to the runtime.

use std::collections::BTreeMap;

use model::{AccessKind, Event, LockId, MessageId, Op, ThreadId};
use proptest::prelude::*;
use runtime::{ContextId, Message, Past, Place, Runtime, StackId, Variable};
use testkit::Shape;

/// What the context of an access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contexts {
    /// Its position, counted from 1.
    ByPosition,
    /// The same for all, so that accesses in one epoch are alike.
    Same,
}

/// Feeds a trace to the runtime as the agent would.
pub(crate) struct Replay<'a, P> {
    runtime: &'a Runtime,
    pub(crate) threads: BTreeMap<ThreadId, ThreadId>,
    variables: &'a [Variable<P>],
    contexts: Contexts,
    /// Is a thread suspended after each of its steps?
    pub(crate) suspends: bool,
    /// How often each thread holds each monitor, which the shim counts.
    held: BTreeMap<(ThreadId, LockId), u32>,
    cells: BTreeMap<Cell, Past>,
}

/// Whose past a cell of the shim keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Volatile(MessageId),
    Monitor(LockId),
}

/// What a cell holds after a release, as the shim does it (AutodromePasts.java).
pub(crate) fn release(runtime: &Runtime, me: ThreadId, cell: &mut Option<Past>) {
    let Some(mut past) = runtime.publish(me) else { return };
    if let Some(before) = cell.take().filter(|before| !runtime.knows(me, before)) {
        past.clock.join(&before.clock);
        past.named = None;
    }
    *cell = Some(past);
}

/// An acquire, as the shim does it.
pub(crate) fn acquire(runtime: &Runtime, me: ThreadId, cell: Option<&Past>) {
    if let Some(past) = cell.filter(|past| !runtime.knows(me, past)) {
        runtime.learn(me, &past.clock);
    }
}

impl<'a, P: Place> Replay<'a, P> {
    pub(crate) fn new(runtime: &'a Runtime, variables: &'a [Variable<P>], contexts: Contexts) -> Self {
        let (threads, held, cells) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Replay { runtime, threads, variables, contexts, suspends: false, held, cells }
    }

    fn release(&mut self, me: ThreadId, at: Cell) {
        let mut cell = self.cells.remove(&at);
        release(self.runtime, me, &mut cell);
        self.cells.extend(cell.map(|past| (at, past)));
    }

    fn acquire(&mut self, me: ThreadId, at: Cell) {
        acquire(self.runtime, me, self.cells.get(&at));
    }

    pub(crate) fn thread(&mut self, name: ThreadId) -> ThreadId {
        *self.threads.entry(name).or_insert_with(|| self.runtime.attach())
    }

    /// Takes one event; gives the positions of the earlier accesses that race with it.
    pub(crate) fn step(&mut self, at: usize, event: &Event) -> Vec<(usize, ThreadId, AccessKind)> {
        let me = self.thread(event.thread);
        let runtime = self.runtime;
        runtime.resume(me);
        let context = match self.contexts {
            Contexts::ByPosition => ContextId(at as u32 + 1),
            Contexts::Same => ContextId(1),
        };
        let races = match event.op {
            Op::Read(var) => self.variables[var.index()].read(runtime, me, || context),
            Op::Write(var) => self.variables[var.index()].write(runtime, me, || context),
            Op::Acquire(lock, _) => {
                let depth = self.held.entry((me, lock)).or_insert(0);
                *depth += 1;
                if *depth == 1 {
                    self.acquire(me, Cell::Monitor(lock));
                }
                Vec::new()
            }
            Op::Release(lock, _) => {
                let depth = self.held.entry((me, lock)).or_insert(0);
                *depth -= 1;
                if *depth == 0 {
                    self.release(me, Cell::Monitor(lock));
                }
                Vec::new()
            }
            // Half of the messages are volatile variables, the others are handed over in the runtime.
            Op::Send(message) if message.0 % 2 == 0 => {
                self.release(me, Cell::Volatile(message));
                Vec::new()
            }
            Op::Receive(message) if message.0 % 2 == 0 => {
                self.acquire(me, Cell::Volatile(message));
                Vec::new()
            }
            Op::Send(message) => {
                runtime.send(me, Message::Initializer(message.0));
                Vec::new()
            }
            Op::Receive(message) => {
                runtime.receive(me, Message::Initializer(message.0));
                Vec::new()
            }
            Op::Fork(child) => {
                let id = runtime.prepare(me, StackId::NONE);
                self.threads.insert(child, id);
                Vec::new()
            }
            Op::Join(ended) => {
                let ended = self.thread(ended);
                runtime.end(ended);
                runtime.join(me, ended);
                Vec::new()
            }
            Op::Branch | Op::MethodBegin(_) | Op::MethodEnd(_) => Vec::new(),
        };
        if self.suspends {
            runtime.suspend(me);
        }
        let named = |race: runtime::Earlier| (race.context.0 as usize - 1, race.thread, race.kind);
        races.into_iter().map(named).collect()
    }
}

/// Monitors are never held for reading.
pub(crate) fn shapes() -> impl Strategy<Value = Vec<Event>> {
    let small = Shape { read_locks: false, ..Shape::SMALL };
    prop_oneof![3 => testkit::traces(small), 2 => testkit::traces(Shape::CROWD)]
}
