//! Eraser and hybrid detection inside a running process: the two modes of O'Callahan and Choi 2003, section 6.
//!
//! The decisions are those of `detect::eraser::Simple` and `detect::hybrid::Detailed`, never a copy. What differs from the
//! offline detectors: locations have numbers that are given when they are first decided here; which of a thread's accesses
//! are repeated, and in Simple mode the thread-locality check of §6.3, the shim decides by itself (AutodromeLocksets.java).
//! An access's site is the number of its context here, which stands for site, stack and locks. The happens-before of Detailed
//! mode is that of [`Runtime`], to which the shim then passes messages only and no locks.
//! Misses what the shim leaves out; reports what those detectors report.
//! In Detailed mode a location may come with accesses that were made before it had a number ([`LocksetDetector::adopt`]).
//! State: one lock for all locations. A location is forgotten when the caller says that its object is gone; beyond
//! [`LOCATIONS`] at once, or [`NAMES`] in all, no more are watched.
//! Invariant: a location is decided in one order, that in which its accesses come here.

use std::sync::Mutex;

use detect::eraser::{News, Simple};
use detect::hybrid::{Circumstances, Detailed, Messages, Settings};
use detect::lockset::{FoldMap, Locksets};
use detect::tree::{Behind, Kept, Locations, Moment};
use detect::{FilterStatistics, FilterVerdict};
use model::{Access, AccessKind, Epoch, EventIndex, LockId, Mode, Race, SiteId, Slot, ThreadId, VarId, VectorClock};

use crate::access::Earlier;
use crate::depot::ContextId;
use crate::word::{State, Word};
use crate::{Runtime, lock};

/// The most locations that are watched.
pub const LOCATIONS: u32 = 1 << 26;

/// The most locations that are ever watched: their names are not used again, since threads remember what they did under
/// one.
pub const NAMES: u32 = 1 << 30;

/// Which rules decide.
enum Rules {
    Simple(Simple),
    Detailed(Box<Detailed>),
}

/// A lock, as its number and the stamp that distinguishes the objects that have one number in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LockName {
    /// The object's number.
    pub number: u32,
    /// Which of its owners is meant.
    pub stamp: u32,
}

/// An access to a location.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Who.
    pub thread: ThreadId,
    /// Read or write.
    pub kind: AccessKind,
    /// Where.
    pub context: ContextId,
    /// The number of the set of locks held.
    pub held: u32,
}

/// What an access found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The earlier accesses that race.
    pub races: Vec<Earlier>,
    /// What can still be learned of the location.
    pub news: News,
}

/// What phase 1 passes to phase 2 beside the fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The size of the largest lockset: N of §5.4.
    pub largest: usize,
    /// How many locations were decided.
    pub locations: u32,
    /// How many of them are gone.
    pub forgotten: u32,
}

/// The online lockset detector.
pub struct LocksetDetector {
    filter: Filter,
    state: Mutex<Locked>,
}

struct Locked {
    rules: Rules,
    sets: Locksets,
    locks: FoldMap<LockName, LockId>,
    sizes: Sizes,
    /// By name, where the rules have a location.
    places: FoldMap<u32, VarId>,
    free: Vec<VarId>,
    /// Do threads have times, or is each a moment of its own (the paper's NoHB)?
    messages: Messages,
    /// Counts accesses: which of two came first.
    next: u64,
    tree: Option<Tree>,
}

/// TREE in front of the rules.
struct Tree {
    kept: Kept,
    events: u64,
    skipped: u64,
}

/// What stands in front of the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Nothing.
    #[default]
    None,
    /// TREE, in the form that is sound for the rules.
    Tree,
}

impl LocksetDetector {
    /// A detector of phase 1 that has seen nothing.
    #[must_use]
    pub fn simple(filter: Filter) -> Self {
        LocksetDetector::new(Rules::Simple(Simple::default()), filter, Behind::Locks)
    }

    /// A detector of phase 2 that has seen nothing.
    #[must_use]
    pub fn detailed(filter: Filter, settings: Settings) -> Self {
        let behind = match settings.messages {
            Messages::Followed => Behind::Messages,
            Messages::Ignored => Behind::Locks,
        };
        LocksetDetector::new(Rules::Detailed(Box::new(Detailed::new(settings))), filter, behind)
    }

    fn new(rules: Rules, filter: Filter, behind: Behind) -> Self {
        let tree = match filter {
            Filter::None => None,
            Filter::Tree => Some(Tree { kept: Kept::new(behind, Locations::All), events: 0, skipped: 0 }),
        };
        let messages = match &rules {
            Rules::Simple(_) => Messages::Ignored,
            Rules::Detailed(detailed) => detailed.settings().messages,
        };
        let state = Locked {
            rules,
            sets: Locksets::default(),
            locks: FoldMap::default(),
            sizes: Sizes::default(),
            places: FoldMap::default(),
            free: Vec::new(),
            messages,
            next: 0,
            tree,
        };
        LocksetDetector { filter, state: Mutex::new(state) }
    }

    /// The number of a set of locks with one more.
    pub fn lockset(&self, before: u32, lock_name: LockName, mode: Mode) -> u32 {
        let state = &mut *lock(&self.state);
        let next = LockId(u32::try_from(state.locks.len()).unwrap_or(u32::MAX));
        let named = *state.locks.entry(lock_name).or_insert(next);
        let before = state.sets.get(before);
        let set = state.sets.with(before, (named, mode));
        state.sizes.largest = state.sizes.largest.max(state.sets.holds(set).len());
        set.number()
    }

    /// A location that was not decided here before, by name; `None` if there are too many.
    pub fn locate(&self) -> Option<VarId> {
        let Locked { sizes, places, free, .. } = &mut *lock(&self.state);
        let (name, live) = (sizes.locations, u32::try_from(places.len()).unwrap_or(u32::MAX));
        let place = free.pop().or_else(|| (live < LOCATIONS).then_some(VarId(live))).filter(|_| name < NAMES)?;
        places.insert(name, place);
        sizes.locations += 1;
        Some(VarId(name))
    }

    /// A new location comes with an access that was made without locks, at this moment and in this context. If it comes with
    /// two, the later is ordered after the earlier.
    pub fn adopt(&self, runtime: &Runtime, var: VarId, kind: AccessKind, word: Word) {
        let State::Last(stamp, context) = word.state() else { return };
        let moment = runtime.threads.epoch(stamp);
        let Some(thread) = runtime.threads.owner(moment) else { return };
        let state = &mut *lock(&self.state);
        let (Rules::Detailed(detailed), Some(&place)) = (&mut state.rules, state.places.get(&var.0)) else { return };
        let access = Access { thread, kind, site: SiteId(context.0), at: EventIndex(state.next) };
        state.next += 1;
        detailed.adopt(place, access, moment);
    }

    /// The location is gone: nobody will ask for it again.
    pub fn forget(&self, var: VarId) {
        let state = &mut *lock(&self.state);
        let Some(place) = state.places.remove(&var.0) else { return };
        match &mut state.rules {
            Rules::Simple(simple) => simple.forget(place),
            Rules::Detailed(detailed) => detailed.forget(place),
        }
        state.free.push(place);
        state.sizes.forgotten += 1;
    }

    /// Must an access to a location at this site be decided? `Skip` if it is redundant.
    pub fn judge(&self, runtime: &Runtime, var: VarId, site: SiteId, seen: Seen) -> FilterVerdict {
        if self.filter == Filter::None {
            return FilterVerdict::Keep;
        }
        let state = &mut *lock(&self.state);
        let Some(tree) = &mut state.tree else { return FilterVerdict::Keep };
        // Locks say nothing about time, and a thread that is not watched has none.
        let time = runtime.epoch(seen.thread).unwrap_or(1);
        let at = Moment { time, lockset: state.sets.get(seen.held) };
        let verdict = tree.kept.judge((seen.thread, site), var, seen.kind, at, &state.sets);
        tree.events += 1;
        tree.skipped += u64::from(verdict == FilterVerdict::Skip);
        verdict
    }

    /// What the filter did, if there is one.
    #[must_use]
    pub fn filtered(&self) -> Option<FilterStatistics> {
        let state = lock(&self.state);
        let Tree { kept, events, skipped } = state.tree.as_ref()?;
        Some(FilterStatistics { events: *events, skipped: *skipped, bytes: kept.bytes() as u64 })
    }

    /// Decides an access to a location.
    pub fn access(&self, runtime: &Runtime, var: VarId, seen: Seen) -> Found {
        let mut state = lock(&self.state);
        let Locked { rules, sets, next, places, messages, .. } = &mut *state;
        let Some(&place) = places.get(&var.0) else { return Found::default() };
        let access =
            Access { thread: seen.thread, kind: seen.kind, site: SiteId(seen.context.0), at: EventIndex(*next) };
        *next += 1;
        let held = sets.get(seen.held);
        let mut found = Found::default();
        let mut race = |race: Race| {
            let Access { thread, kind, site, .. } = race.earlier;
            found.races.push(Earlier { thread, kind, context: ContextId(site.0), at: model::Epoch::NONE });
        };
        match rules {
            Rules::Simple(simple) => simple.access(place, access, held, sets, &mut race),
            Rules::Detailed(detailed) if *messages == Messages::Ignored => {
                // Each thread is at one moment all its life, and sees no other.
                let moment = Epoch { slot: Slot(seen.thread.0), time: 1 };
                let mut past = VectorClock::default();
                past.see(moment);
                detailed.access(place, access, Circumstances { moment, past: &past, held, sets }, &mut race);
            }
            Rules::Detailed(detailed) => {
                runtime.threads.look(seen.thread, |thread| {
                    if let Some(moment) = thread.now() {
                        thread.use_time();
                        let at = Circumstances { moment, past: &thread.clock, held, sets };
                        detailed.access(place, access, at, &mut race);
                    }
                });
            }
        }
        found.news = match rules {
            Rules::Simple(simple) => simple.news(place),
            Rules::Detailed(detailed) if detailed.is_racy(place) => News::Nothing,
            Rules::Detailed(_) => News::Threads,
        };
        found
    }

    /// The sizes so far.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        lock(&self.state).sizes
    }

    /// How often each rule fired.
    #[must_use]
    pub fn rules(&self) -> Vec<(&'static str, u64)> {
        match &lock(&self.state).rules {
            Rules::Simple(simple) => simple.rules(),
            Rules::Detailed(detailed) => detailed.rules(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StackId;
    use crate::sync::Message;

    const LOCK: LockName = LockName { number: 300, stamp: 1 };

    fn write(thread: ThreadId, context: u32, held: u32) -> Seen {
        Seen { thread, kind: AccessKind::Write, context: ContextId(context), held }
    }

    /// Main and a thread that it started.
    fn threads() -> (Runtime, ThreadId, ThreadId) {
        let runtime = Runtime::default();
        let main = runtime.attach();
        let other = runtime.fork(main, StackId::NONE);
        (runtime, main, other)
    }

    #[test]
    fn simple_mode_asks_for_a_lock_held_throughout() {
        let (runtime, main, other) = threads();
        let simple = LocksetDetector::simple(Filter::None);
        let (guarded, free) = (simple.locate().unwrap(), simple.locate().unwrap());
        let held = simple.lockset(0, LOCK, Mode::Write);
        assert_eq!(simple.lockset(held, LOCK, Mode::Write), held, "a lock is held once");
        for (var, held, races) in [(guarded, held, 0), (free, 0, 1)] {
            assert!(simple.access(&runtime, var, write(main, 1, held)).races.is_empty());
            let found = simple.access(&runtime, var, write(other, 2, held));
            assert_eq!(found.races.len(), races);
            assert_eq!(found.news == News::Nothing, races == 1);
        }
        assert_eq!(simple.sizes(), Sizes { largest: 1, locations: 2, forgotten: 0 });
    }

    #[test]
    fn one_number_may_be_two_locks_in_turn() {
        let simple = LocksetDetector::simple(Filter::None);
        let later = LockName { stamp: 2, ..LOCK };
        assert_ne!(simple.lockset(0, LOCK, Mode::Write), simple.lockset(0, later, Mode::Write));
    }

    #[test]
    fn detailed_mode_follows_messages() {
        let message = Message::Static(1);
        for (sent, races) in [(false, 1), (true, 0)] {
            let (runtime, main, other) = threads();
            let detailed = LocksetDetector::detailed(Filter::None, Settings::default());
            let var = detailed.locate().unwrap();
            detailed.access(&runtime, var, write(main, 1, 0));
            if sent {
                runtime.send(main, message);
                runtime.receive(other, message);
            }
            let found = detailed.access(&runtime, var, write(other, 2, 0));
            assert_eq!(found.races.len(), races);
            if let [race] = found.races.as_slice() {
                assert_eq!(
                    *race,
                    Earlier { thread: main, kind: AccessKind::Write, context: ContextId(1), at: model::Epoch::NONE }
                );
            }
        }
    }

    #[test]
    fn tree_drops_what_is_repeated_until_an_order_leaves() {
        let (runtime, main, _) = threads();
        let detailed = LocksetDetector::detailed(Filter::Tree, Settings::default());
        let var = detailed.locate().unwrap();
        let judge = || {
            let verdict = detailed.judge(&runtime, var, SiteId(7), write(main, 1, 0));
            detailed.access(&runtime, var, write(main, 1, 0));
            verdict
        };
        assert_eq!([judge(), judge()], [FilterVerdict::Keep, FilterVerdict::Skip]);
        runtime.send(main, Message::Static(1));
        assert_eq!(judge(), FilterVerdict::Keep);
        let did = detailed.filtered().unwrap();
        assert_eq!((did.events, did.skipped), (3, 1));
    }

    #[test]
    fn accesses_from_before_a_location_had_a_name_race_too() {
        for (kind, races) in [(AccessKind::Write, 1), (AccessKind::Read, 0)] {
            let (runtime, main, other) = threads();
            let detailed = LocksetDetector::detailed(Filter::None, Settings::default());
            let var = detailed.locate().unwrap();
            // Main forked the other thread before its present moment.
            let bits = runtime.epoch(main).unwrap();
            detailed.adopt(&runtime, var, kind, Word(u64::from(bits) << 32 | 5));
            let read = Seen { kind: AccessKind::Read, ..write(other, 2, 0) };
            let found = detailed.access(&runtime, var, read);
            assert_eq!(found.races.len(), races);
            if let [race] = found.races.as_slice() {
                assert_eq!(*race, Earlier { thread: main, kind, context: ContextId(5), at: model::Epoch::NONE });
            }
        }
    }

    #[test]
    fn a_location_that_is_gone_leaves_nothing_behind() {
        for detector in
            [LocksetDetector::simple(Filter::None), LocksetDetector::detailed(Filter::None, Settings::default())]
        {
            let (runtime, main, other) = threads();
            let first = detector.locate().unwrap();
            assert!(detector.access(&runtime, first, write(main, 1, 0)).races.is_empty());
            detector.forget(first);
            detector.forget(first);
            let second = detector.locate().unwrap();
            assert_ne!(first, second, "names are not used again");
            assert!(detector.access(&runtime, second, write(other, 2, 0)).races.is_empty());
            assert_eq!(detector.access(&runtime, first, write(main, 1, 0)), Found::default());
            assert_eq!(detector.access(&runtime, second, write(main, 1, 0)).races.len(), 1);
            assert_eq!(detector.sizes(), Sizes { largest: 0, locations: 2, forgotten: 1 });
        }
    }

    #[test]
    fn without_messages_threads_are_never_ordered() {
        let (runtime, main, other) = threads();
        let settings = Settings { messages: Messages::Ignored, ..Settings::default() };
        let detailed = LocksetDetector::detailed(Filter::None, settings);
        let var = detailed.locate().unwrap();
        detailed.access(&runtime, var, write(main, 1, 0));
        assert!(detailed.access(&runtime, var, write(main, 2, 0)).races.is_empty(), "its own accesses");
        runtime.send(main, Message::Static(1));
        runtime.receive(other, Message::Static(1));
        assert_eq!(detailed.access(&runtime, var, write(other, 2, 0)).races.len(), 1);
    }

    #[test]
    fn numbers_that_were_never_given_do_no_harm() {
        let (runtime, main, _) = threads();
        let simple = LocksetDetector::simple(Filter::None);
        assert_eq!(simple.access(&runtime, VarId(7), write(main, 1, 99)), Found::default());
        assert_eq!(simple.lockset(u32::MAX, LOCK, Mode::Read), simple.lockset(0, LOCK, Mode::Read));
    }
}
