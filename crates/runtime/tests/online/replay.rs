//! Traces, fed to the runtime.

use std::collections::BTreeMap;

use model::{AccessKind, Event, Op, SiteId, ThreadId};
use proptest::prelude::*;
use runtime::{ContextId, Depot, HeldLock, Message, Place, Runtime, StackId, Variable};
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
    depot: Depot,
}

pub(crate) const SHOWN: HeldLock = HeldLock { class: 0, taken_at: SiteId(0) };

impl<'a, P: Place> Replay<'a, P> {
    pub(crate) fn new(runtime: &'a Runtime, variables: &'a [Variable<P>], contexts: Contexts) -> Self {
        Replay { runtime, threads: BTreeMap::new(), variables, contexts, depot: Depot::default() }
    }

    fn thread(&mut self, name: ThreadId) -> ThreadId {
        *self.threads.entry(name).or_insert_with(|| self.runtime.attach())
    }

    /// Takes one event; gives the positions of the earlier accesses that race with it.
    pub(crate) fn step(&mut self, at: usize, event: &Event) -> Vec<(usize, ThreadId, AccessKind)> {
        let me = self.thread(event.thread);
        let runtime = self.runtime;
        let context = match self.contexts {
            Contexts::ByPosition => ContextId(at as u32 + 1),
            Contexts::Same => ContextId(1),
        };
        let races = match event.op {
            Op::Read(var) => self.variables[var.index()].read(runtime, me, || context),
            Op::Write(var) => self.variables[var.index()].write(runtime, me, || context),
            Op::Acquire(lock, _) => {
                runtime.acquire(me, lock, SHOWN, &self.depot);
                Vec::new()
            }
            Op::Release(lock, _) => {
                runtime.release(me, lock, &self.depot);
                Vec::new()
            }
            Op::Send(message) => {
                runtime.send(me, Message::Static(message.0));
                Vec::new()
            }
            Op::Receive(message) => {
                runtime.receive(me, Message::Static(message.0));
                Vec::new()
            }
            Op::Fork(child) => {
                let id = runtime.fork(me, StackId::NONE);
                self.threads.insert(child, id);
                Vec::new()
            }
            Op::Join(ended) => {
                let ended = self.thread(ended);
                runtime.join(me, ended);
                Vec::new()
            }
            Op::Branch | Op::MethodBegin(_) | Op::MethodEnd(_) => Vec::new(),
        };
        let named = |race: runtime::Earlier| (race.context.0 as usize - 1, race.thread, race.kind);
        races.into_iter().map(named).collect()
    }
}

/// Monitors are never held for reading.
pub(crate) fn shapes() -> impl Strategy<Value = Vec<Event>> {
    let small = Shape { read_locks: false, ..Shape::SMALL };
    prop_oneof![3 => testkit::traces(small), 2 => testkit::traces(Shape::CROWD)]
}
