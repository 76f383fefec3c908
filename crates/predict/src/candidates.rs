//! Which pairs of accesses are worth a question.
//!
//! Conflicting accesses of different threads that hold no common lock and that nothing orders in every run. They are
//! put together by what a reader of the report sees: the two program locations. One race is enough for each.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::{AccessKind, LockId, Mode, Op, SiteId, VarId};

use crate::Settings;
use crate::layout::Layout;
use crate::query::Scope;
use crate::window::release;

/// One side of a pair: where in the program, and whether it reads or writes.
pub type Location = (SiteId, AccessKind);

/// Two locations, the smaller first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationPair(pub Location, pub Location);

impl LocationPair {
    /// The pair of two locations, in whatever order.
    #[must_use]
    pub fn new(one: Location, two: Location) -> Self {
        LocationPair(one.min(two), one.max(two))
    }
}

/// The pairs of one window, by their locations; of each, those that are nearest to each other first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) pairs: BTreeMap<LocationPair, Vec<(u32, u32)>>,
    /// How many more there were than may be asked.
    pub(crate) dropped: BTreeMap<LocationPair, u64>,
}

/// Accesses that are the same to everything here but their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Kind {
    location: Location,
    chain: u32,
    locks: u32,
}

/// What pairs of two kinds are.
#[derive(Clone, Copy)]
enum Verdict {
    Never,
    Ask(LocationPair),
}

type Locks = Vec<(LockId, Mode)>;

/// The accesses of a window.
#[derive(Default)]
struct Accesses {
    /// Of each location that can race: event and kind.
    by_var: BTreeMap<VarId, Vec<(u32, u32)>>,
    kinds: Vec<Kind>,
    locksets: Vec<Locks>,
}

/// Finds the pairs whose locations `wanted` asks for, at most [`Settings::pairs`] for each two locations; `None` if the time is up.
pub(crate) fn find(
    layout: &Layout<'_>,
    settings: &Settings,
    wanted: impl Fn(&LocationPair) -> bool,
) -> Option<Candidates> {
    let step = match settings.scope {
        Scope::Locations => 1,
        Scope::Pairs(step) => step.max(1),
    };
    let mut count = 0;
    let pasts = Pasts::new(layout);
    let Accesses { by_var, kinds, locksets } = accesses(layout);
    let mut verdicts: HashMap<(u32, u32), Verdict> = HashMap::new();
    let mut verdict = |one: u32, two: u32| {
        *verdicts.entry((one, two)).or_insert_with(|| {
            let (one, two) = (kinds[one as usize], kinds[two as usize]);
            let pair = LocationPair::new(one.location, two.location);
            let conflict = one.chain != two.chain && one.location.1.conflicts_with(two.location.1);
            let (one, two) = (&locksets[one.locks as usize], &locksets[two.locks as usize]);
            if conflict && !exclude(one, two) && wanted(&pair) { Verdict::Ask(pair) } else { Verdict::Never }
        })
    };
    let mut found = Candidates::default();
    for accesses in by_var.values() {
        // Most variables are guarded: what no two kinds of access can do, no two accesses can.
        let present: BTreeSet<u32> = accesses.iter().map(|&(_, kind)| kind).collect();
        let mut both = present.iter().flat_map(|&one| present.iter().map(move |&two| (one, two)));
        if both.all(|(one, two)| matches!(verdict(one, two), Verdict::Never)) {
            continue;
        }
        let mut earlier: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        for &(event, kind) in accesses {
            if settings.is_over() {
                return None;
            }
            let chain = layout.chain[event as usize];
            for (&other, events) in earlier.iter().filter(|&(&other, _)| other != chain) {
                let ordered = pasts.ordered(layout, event, other);
                let first = events.partition_point(|&(event, _)| layout.place[event as usize] < ordered);
                for &(earlier, other) in events[first..].iter().rev() {
                    let Verdict::Ask(pair) = verdict(other, kind) else { continue };
                    count += 1;
                    if count % step == 0 {
                        let pairs = found.pairs.entry(pair).or_default();
                        if pairs.len() < settings.pairs {
                            pairs.push((earlier, event));
                        } else {
                            *found.dropped.entry(pair).or_default() += 1;
                        }
                    }
                }
            }
            earlier.entry(chain).or_default().push((event, kind));
        }
    }
    for pairs in found.pairs.values_mut() {
        pairs.sort_unstable_by_key(|&(earlier, later)| (later - earlier, earlier));
    }
    Some(found)
}

fn exclude(one: &Locks, two: &Locks) -> bool {
    one.iter().any(|&(lock, mode)| two.iter().any(|&(other, other_mode)| lock == other && mode.excludes(other_mode)))
}

fn accesses(layout: &Layout<'_>) -> Accesses {
    let window = layout.window;
    let mut held = window.held.clone();
    let Accesses { mut by_var, mut kinds, mut locksets } = Accesses::default();
    let mut kind_ids: HashMap<Kind, u32> = HashMap::new();
    let mut lockset_ids: HashMap<Locks, u32> = HashMap::new();
    let mut current: HashMap<u32, u32> = HashMap::new();
    for event in 0..window.len() {
        let (op, thread, chain) = (window.op(event), window.thread(event), layout.chain[event]);
        for (lock, mode) in window.locks_taken(event) {
            *held.entry((lock, thread)).or_default().depth(mode) += 1;
            current.remove(&chain);
        }
        if let Op::Release(lock, mode) = op {
            release(&mut held, lock, thread, mode);
            current.remove(&chain);
        }
        let Some((var, kind)) = op.access() else { continue };
        let locks = *current.entry(chain).or_insert_with(|| {
            let mine = held.iter().filter(|((_, holder), _)| *holder == thread);
            let locks: Locks = mine
                .map(|(&(lock, _), hold)| (lock, if hold.for_writing > 0 { Mode::Write } else { Mode::Read }))
                .collect();
            *lockset_ids.entry(locks).or_insert_with_key(|locks| {
                locksets.push(locks.clone());
                locksets.len() as u32 - 1
            })
        });
        let site = window.recording.events[window.range.start + event].site;
        let kind = Kind { location: (site, kind), chain, locks };
        let id = *kind_ids.entry(kind).or_insert_with(|| {
            kinds.push(kind);
            kinds.len() as u32 - 1
        });
        by_var.entry(var).or_default().push((event as u32, id));
    }
    Accesses { by_var, kinds, locksets }
}

/// For each event, how many events of each thread come before it in every run.
struct Pasts {
    width: usize,
    /// With the event itself.
    counts: Vec<u32>,
}

/// Above this, the table is not worth its memory: the engine finds out by itself.
const LARGEST_TABLE: usize = 1 << 26;

impl Pasts {
    fn new(layout: &Layout<'_>) -> Self {
        let (width, length) = (layout.chains.len(), layout.window.len());
        if width * length > LARGEST_TABLE {
            return Pasts { width: 0, counts: Vec::new() };
        }
        let mut pasts = Pasts { width, counts: vec![0; width * length] };
        let mut edges = layout.graph.edges().peekable();
        for event in 0..length {
            let (done, rest) = pasts.counts.split_at_mut(event * width);
            let row = &mut rest[..width];
            let join = |row: &mut [u32], source: u32| {
                for (mine, &theirs) in row.iter_mut().zip(&done[source as usize * width..]) {
                    *mine = (*mine).max(theirs);
                }
            };
            if let Some(before) = layout.before(event as u32) {
                join(row, before);
            }
            while let Some((from, _)) = edges.next_if(|&(_, to)| to.0 as usize == event) {
                join(row, from.0);
            }
            row[layout.chain[event] as usize] = layout.place[event] + 1;
        }
        pasts
    }

    /// How many events of a thread must have run before this one can be next; none if that is not known.
    fn ordered(&self, layout: &Layout<'_>, later: u32, chain: u32) -> u32 {
        let sources = layout.before(later).into_iter().chain(layout.hard[later as usize].iter().copied());
        let counts = sources.filter_map(|source| self.counts.get(source as usize * self.width + chain as usize));
        counts.copied().max().filter(|_| self.width > 0).unwrap_or(0)
    }
}
