//! Where accesses happened: call stacks, the locks held there, and both together as a context, each kept once.
//!
//! A stack is a path in a tree whose nodes know their parent, so stacks that share their outer frames share memory.
//! What a frame's and a class's number stand for, the caller knows. Contexts are numbered from 1; 0 is unknown.
//!
//! A site in a recursion can have as many stacks as there are paths; so can a method that everybody calls, such as
//! `HashMap.put`. Beyond [`MOST`] of them, further stacks of the site have their [`INNERMOST`] frames only, of which there are
//! few, and walks for them are rationed. When the ration is used up, accesses at the site have one context without a stack: a
//! report shows the site alone (docs/adr/0057-ids-of-races.md).
//! State: one table under one lock, looked at only when an access is recorded or reported.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use model::SiteId;

use crate::lock;

/// A call: a method, and where in it, all as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The method.
    pub method: u32,
    /// The line, 0 if unknown.
    pub line: u32,
    /// The instruction.
    pub bytecode: u32,
}

/// A call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct StackId(pub(crate) u32);

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

/// A site has so many contexts at most that have a whole stack.
const MOST: u32 = 2000;

/// The frames of the stacks that further contexts have: those of the JDK inside a call, and the program's that called it.
pub const INNERMOST: usize = 16;

/// Walks for further contexts: so many at once, and so many more in each second, a few percent of a processor.
const WALKS: u64 = 1 << 17;
const WALKS_PER_SECOND: u64 = 50_000;

/// Further contexts at most, of all sites together, and calling-context values that have one.
const MOST_FURTHER: u32 = 1 << 16;
const MOST_FURTHER_VALUES: u32 = 1 << 19;

/// What is needed to know the context of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// The whole stack.
    Whole,
    /// Its [`INNERMOST`] frames.
    Innermost,
}

/// The contexts seen so far.
#[derive(Default)]
pub struct Depot {
    tables: Mutex<DepotTables>,
    /// When a site first had too many contexts.
    full: OnceLock<Instant>,
}

#[derive(Default)]
struct DepotTables {
    nodes: Vec<(StackId, Frame)>,
    children: HashMap<(StackId, Frame), StackId>,
    locksets: Vec<(LocksetId, HeldLock)>,
    lockset_ids: HashMap<(LocksetId, HeldLock), LocksetId>,
    contexts: Vec<Context>,
    context_ids: HashMap<Context, ContextId>,
    by_value: HashMap<(u32, SiteId, LocksetId), ContextId>,
    by_site: HashMap<SiteId, u32>,
    /// Walks granted for further contexts.
    walks: u64,
    /// Further contexts, and values that have one.
    further: u32,
    further_values: u32,
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
    /// has too many and the ration is used up.
    ///
    /// # Errors
    /// If it is not known: what must be walked for [`Depot::context_of`].
    pub fn known(&self, value: u32, site: SiteId, locks: LocksetId) -> Result<ContextId, Walk> {
        let mut tables = lock(&self.tables);
        if let Some(&known) = tables.by_value.get(&(value, site, locks)) {
            return Ok(known);
        }
        if !tables.is_full(site) {
            return Err(Walk::Whole);
        }
        let is_room = tables.further < MOST_FURTHER && tables.further_values < MOST_FURTHER_VALUES;
        if is_room && is_granted(tables.walks, self.full.get_or_init(Instant::now).elapsed()) {
            tables.walks += 1;
            return Err(Walk::Innermost);
        }
        let alone = tables.context(Context { site, stack: StackId::NONE, locks });
        Ok(ContextId(alone.0 | ContextId::FOR_ALL))
    }

    /// Keeps a context for a calling-context value.
    pub fn context_of(&self, value: u32, context: Context) -> ContextId {
        let mut tables = lock(&self.tables);
        let before = tables.contexts.len();
        let id = tables.context(context);
        let key = (value, context.site, context.locks);
        if let Some(&known) = tables.by_value.get(&key) {
            return known;
        }
        tables.by_value.insert(key, id);
        if tables.is_full(context.site) {
            tables.further += u32::from(tables.contexts.len() > before);
            tables.further_values += 1;
        } else {
            *tables.by_site.entry(context.site).or_default() += 1;
        }
        id
    }

    /// What a context stands for.
    #[must_use]
    pub fn get(&self, id: ContextId) -> Option<Context> {
        let index = ((id.0 & !ContextId::FOR_ALL) as usize).checked_sub(1)?;
        lock(&self.tables).contexts.get(index).copied()
    }
}

impl DepotTables {
    /// Has a site as many contexts as may have whole stacks?
    fn is_full(&self, site: SiteId) -> bool {
        self.by_site.get(&site).is_some_and(|&count| count >= MOST)
    }

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

/// May the stack be walked once more for a further context, after so many walks and so long after the first?
fn is_granted(walks: u64, since: Duration) -> bool {
    walks < WALKS + WALKS_PER_SECOND * since.as_secs()
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
        let frame = |method| Frame { method, line: 1, bytecode: 0 };
        let one = depot.stack([frame(1), frame(2), frame(3)]);
        let two = depot.stack([frame(1), frame(2), frame(4)]);
        assert_eq!(depot.frames(one), [frame(3), frame(2), frame(1)]);
        assert_eq!(depot.frames(two)[1..], depot.frames(one)[1..]);
        assert_eq!(depot.stack([frame(1), frame(2), frame(3)]), one);
        assert_eq!(lock(&depot.tables).nodes.len(), 4);
        assert!(depot.frames(StackId::NONE).is_empty());
    }

    #[test]
    fn a_site_with_too_many_contexts_has_short_stacks_and_at_last_none() {
        let depot = Depot::default();
        let (site, locks) = (SiteId(1), LocksetId::NONE);
        let keep = |value| {
            let stack = depot.stack([Frame { method: value, line: 1, bytecode: 0 }]);
            depot.context_of(value, Context { site, stack, locks })
        };
        for value in 0..MOST {
            assert_eq!(depot.known(value, site, locks), Err(Walk::Whole));
            keep(value);
        }
        assert_eq!(depot.known(MOST, site, locks), Err(Walk::Innermost));
        let further = keep(MOST);
        assert_ne!(depot.get(further).map(|context| context.stack), Some(StackId::NONE));
        assert_eq!((keep(MOST), depot.known(MOST, site, locks)), (further, Ok(further)));
        let mut tables = lock(&depot.tables);
        assert_eq!((tables.further, tables.further_values), (1, 1));
        tables.walks = u64::MAX;
        drop(tables);
        let one = depot.known(MOST + 1, site, locks).expect("no further stack is asked for");
        assert_eq!(depot.known(MOST + 2, site, locks), Ok(one));
        assert_eq!(depot.get(one), Some(Context { site, stack: StackId::NONE, locks }));
        let earlier = depot.known(0, site, locks).ok().and_then(|id| depot.get(id));
        assert_ne!(earlier.map(|context| context.stack), Some(StackId::NONE), "those that were kept stay");
        assert_eq!(depot.known(0, SiteId(2), locks), Err(Walk::Whole), "other sites have their own");
    }

    #[test]
    fn walks_are_rationed_by_time() {
        assert!(is_granted(WALKS - 1, Duration::ZERO) && !is_granted(WALKS, Duration::from_millis(900)));
        assert!(is_granted(WALKS, Duration::from_secs(1)));
        assert!(!is_granted(WALKS + 3 * WALKS_PER_SECOND, Duration::from_secs(3)));
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
        assert_eq!(depot.known(7, SiteId(1), locks), Err(Walk::Whole));
        assert_eq!(depot.context_of(7, context), id);
        assert_eq!(depot.known(7, SiteId(1), locks), Ok(id));
    }
}
