//! Where accesses happened: call stacks, the locks held there, and both together as a context, each kept once.
//!
//! A stack is a path in a tree whose nodes know their parent, so stacks that share their outer frames share memory.
//! What a frame's and a class's number stand for, the caller knows. Contexts are numbered from 1; 0 is unknown.
//!
//! A site in a recursion can have as many stacks as there are paths. Beyond [`MOST`] of them, further accesses there have one
//! context without a stack, so that they need no walk of the stack: their report shows the site alone.
//! State: one table under one lock, looked at only when an access is recorded or reported.

use std::collections::HashMap;
use std::sync::Mutex;

use model::SiteId;

use crate::lock;

/// A call: a method and a line in it, both as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The method.
    pub method: u32,
    /// The line, 0 if unknown.
    pub line: u32,
}

/// A call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct StackId(u32);

impl StackId {
    /// No frames, or unknown.
    pub const NONE: StackId = StackId(0);
}

/// A lock as reports show it: without identity, so that a program with many locks has few locksets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeldLock {
    /// The class of the lock's object.
    pub class: u32,
    /// Where it was taken.
    pub taken_at: SiteId,
}

/// A list of locks held, in the order in which they were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct LocksetId(pub u32);

impl LocksetId {
    /// No lock.
    pub const NONE: LocksetId = LocksetId(0);
}

/// Where an access happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Context {
    /// The accessing instruction.
    pub site: SiteId,
    /// The call stack.
    pub stack: StackId,
    /// The locks held.
    pub locks: LocksetId,
}

/// A context by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ContextId(pub u32);

impl ContextId {
    /// Nothing is known.
    pub const UNKNOWN: ContextId = ContextId(0);

    /// Set in the contexts of a site that has too many: whatever the calling-context value is there, this is the context.
    const FOR_ALL: u32 = 1 << 31;
}

/// A site has so many contexts at most that have a stack.
const MOST: u32 = 2000;

/// The contexts seen so far.
#[derive(Default)]
pub struct Depot {
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    nodes: Vec<(StackId, Frame)>,
    children: HashMap<(StackId, Frame), StackId>,
    locksets: Vec<(LocksetId, HeldLock)>,
    lockset_ids: HashMap<(LocksetId, HeldLock), LocksetId>,
    contexts: Vec<Context>,
    context_ids: HashMap<Context, ContextId>,
    by_value: HashMap<(u32, SiteId, LocksetId), ContextId>,
    by_site: HashMap<SiteId, u32>,
}

impl Depot {
    /// Keeps a stack, given from its outermost frame on.
    pub fn stack(&self, outermost_first: impl IntoIterator<Item = Frame>) -> StackId {
        let mut tables = lock(&self.tables);
        outermost_first.into_iter().fold(StackId::NONE, |parent, frame| tables.child(parent, frame))
    }

    /// The frames of a stack, innermost first.
    #[must_use]
    pub fn frames(&self, stack: StackId) -> Vec<Frame> {
        let tables = lock(&self.tables);
        let mut frames = Vec::new();
        let mut at = stack;
        while let Some(&(parent, frame)) = (at.0 as usize).checked_sub(1).and_then(|index| tables.nodes.get(index)) {
            frames.push(frame);
            at = parent;
        }
        frames
    }

    /// Keeps the list of locks that is `held` and then `next`.
    pub fn lockset(&self, held: LocksetId, next: HeldLock) -> LocksetId {
        let mut tables = lock(&self.tables);
        if let Some(&known) = tables.lockset_ids.get(&(held, next)) {
            return known;
        }
        tables.locksets.push((held, next));
        let id = LocksetId(number(tables.locksets.len()));
        tables.lockset_ids.insert((held, next), id);
        id
    }

    /// The locks of a list, the last one taken first.
    #[must_use]
    pub fn locks(&self, id: LocksetId) -> Vec<HeldLock> {
        let tables = lock(&self.tables);
        let mut locks = Vec::new();
        let mut at = id;
        while let Some(&(outer, held)) = (at.0 as usize).checked_sub(1).and_then(|index| tables.locksets.get(index)) {
            locks.push(held);
            at = outer;
        }
        locks
    }

    /// Keeps a context.
    pub fn context(&self, context: Context) -> ContextId {
        lock(&self.tables).context(context)
    }

    /// The context that was kept for a calling-context value at this site under these locks, or that of the site alone if it
    /// has too many.
    #[must_use]
    pub fn known(&self, value: u32, site: SiteId, locks: LocksetId) -> Option<ContextId> {
        let mut tables = lock(&self.tables);
        let known = tables.by_value.get(&(value, site, locks)).copied();
        let has_too_many = || tables.by_site.get(&site).is_some_and(|&count| count >= MOST);
        if known.is_some() || !has_too_many() {
            return known;
        }
        let alone = tables.context(Context { site, stack: StackId::NONE, locks });
        Some(ContextId(alone.0 | ContextId::FOR_ALL))
    }

    /// Keeps a context for a calling-context value.
    pub fn context_of(&self, value: u32, context: Context) -> ContextId {
        let mut tables = lock(&self.tables);
        let id = tables.context(context);
        let key = (value, context.site, context.locks);
        if let Some(&known) = tables.by_value.get(&key) {
            return known;
        }
        tables.by_value.insert(key, id);
        *tables.by_site.entry(context.site).or_default() += 1;
        id
    }

    /// What a context stands for.
    #[must_use]
    pub fn get(&self, id: ContextId) -> Option<Context> {
        let index = ((id.0 & !ContextId::FOR_ALL) as usize).checked_sub(1)?;
        lock(&self.tables).contexts.get(index).copied()
    }
}

impl Tables {
    fn child(&mut self, parent: StackId, frame: Frame) -> StackId {
        if let Some(&known) = self.children.get(&(parent, frame)) {
            return known;
        }
        self.nodes.push((parent, frame));
        let id = StackId(number(self.nodes.len()));
        self.children.insert((parent, frame), id);
        id
    }

    fn context(&mut self, context: Context) -> ContextId {
        if let Some(&known) = self.context_ids.get(&context) {
            return known;
        }
        self.contexts.push(context);
        let id = ContextId(number(self.contexts.len()));
        self.context_ids.insert(context, id);
        id
    }
}

/// A table's length as the number of its last row. Four thousand million rows do not fit into memory.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_come_back_innermost_first_and_share_their_outer_frames() {
        let depot = Depot::default();
        let frame = |method| Frame { method, line: 1 };
        let one = depot.stack([frame(1), frame(2), frame(3)]);
        let two = depot.stack([frame(1), frame(2), frame(4)]);
        assert_eq!(depot.frames(one), [frame(3), frame(2), frame(1)]);
        assert_eq!(depot.frames(two)[1..], depot.frames(one)[1..]);
        assert_eq!(depot.stack([frame(1), frame(2), frame(3)]), one);
        assert_eq!(lock(&depot.tables).nodes.len(), 4);
        assert!(depot.frames(StackId::NONE).is_empty());
    }

    #[test]
    fn a_site_with_too_many_contexts_has_one_for_all_further_ones() {
        let depot = Depot::default();
        let (site, locks) = (SiteId(1), LocksetId::NONE);
        for value in 0..MOST {
            assert_eq!(depot.known(value, site, locks), None);
            let stack = depot.stack([Frame { method: value, line: 1 }]);
            depot.context_of(value, Context { site, stack, locks });
        }
        let one = depot.known(MOST, site, locks).expect("no further stack is asked for");
        assert_eq!(depot.known(MOST + 1, site, locks), Some(one));
        assert_eq!(depot.get(one), Some(Context { site, stack: StackId::NONE, locks }));
        let earlier = depot.known(0, site, locks).and_then(|id| depot.get(id));
        assert_ne!(earlier.map(|context| context.stack), Some(StackId::NONE), "those that were kept stay");
        assert_eq!(depot.known(0, SiteId(2), locks), None, "other sites have their own");
    }

    #[test]
    fn a_context_is_kept_once() {
        let depot = Depot::default();
        let outer = HeldLock { class: 1, taken_at: SiteId(2) };
        let inner = HeldLock { class: 3, taken_at: SiteId(4) };
        let locks = depot.lockset(depot.lockset(LocksetId::NONE, outer), inner);
        let context = Context { site: SiteId(1), stack: StackId::NONE, locks };
        let id = depot.context(context);
        assert_ne!(id, ContextId::UNKNOWN);
        assert_eq!(depot.context(context), id);
        assert_eq!(depot.get(id), Some(context));
        assert_eq!(depot.locks(locks), [inner, outer]);
        assert_eq!(depot.lockset(depot.lockset(LocksetId::NONE, outer), inner), locks);
        assert_eq!(depot.get(ContextId::UNKNOWN), None);
        assert_eq!(depot.known(7, SiteId(1), locks), None);
        assert_eq!(depot.context_of(7, context), id);
        assert_eq!(depot.known(7, SiteId(1), locks), Some(id));
    }
}
