//! The sampler without a JVM: watchpoints that a test fires, a clock that it sets.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use detect::Detector;
use detect::clock::Clock;
use model::{Event, EventIndex, Op};
use proptest::prelude::*;
use testkit::Shape;

use super::*;

const LIMIT: Duration = Duration::from_millis(15);

/// Watchpoints that remember what they watch.
#[derive(Default)]
struct Fake {
    armed: Mutex<BTreeMap<usize, Location>>,
    refuses: Mutex<bool>,
}

impl Watchpoints for Fake {
    type Target<'t> = ();

    fn arm(&self, Reservation { slot, .. }: Reservation, watch: &Watch, (): &()) -> bool {
        if *lock(&self.refuses) {
            return false;
        }
        assert!(lock(&self.armed).insert(slot, watch.location).is_none(), "slot {slot} is armed twice");
        true
    }

    fn disarm(&self, slot: usize) {
        assert!(lock(&self.armed).remove(&slot).is_some(), "slot {slot} was not armed");
    }
}

/// Gates that remember how they stand.
#[derive(Default)]
struct Doors {
    closed: Mutex<HashMap<SiteId, ()>>,
    has_room: Mutex<bool>,
}

impl Gates for Doors {
    fn set_place(&self, site: SiteId, is_open: bool) {
        let mut closed = lock(&self.closed);
        if is_open {
            closed.remove(&site)
        } else {
            closed.insert(site, ())
        };
    }

    fn set_slots(&self, has_room: bool) {
        *lock(&self.has_room) = has_room;
    }
}

fn sampler() -> Sampler<Fake, Doors> {
    Sampler::new(Fake::default(), Doors::default(), LIMIT)
}

fn clock(value: u64) -> &'static AtomicU64 {
    Box::leak(Box::new(AtomicU64::new(value)))
}

fn watch(thread: u32, clock: &'static AtomicU64, object: u64) -> Watch {
    let first = First { thread: ThreadId(thread), kind: AccessKind::Write, clock: clock.load(Ordering::Relaxed) };
    Watch { location: Location { object, place: 0 }, first, clock, site: SiteId(thread), stack: 0 }
}

fn arm(sampler: &Sampler<Fake, Doors>, site: u32, now: Duration, clock: &'static AtomicU64) -> Option<Reservation> {
    let reservation = sampler.reserve(SiteId(site), now)?;
    sampler.arm(reservation, watch(site, clock, site.into()), &(), now).then_some(reservation)
}

fn at(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn a_second_access_races_only_while_the_first_threads_clock_stands_still() {
    let (sampler, clock) = (sampler(), clock(3));
    let armed = arm(&sampler, 1, at(0), clock).unwrap();
    assert!(sampler.second(armed, ThreadId(1), AccessKind::Write).is_none(), "its own thread");
    assert!(sampler.second(armed, ThreadId(2), AccessKind::Read).is_some());
    assert!(sampler.second(armed, ThreadId(2), AccessKind::Read).is_none(), "it was reported");
    let armed = arm(&sampler, 2, at(0), clock).unwrap();
    clock.fetch_add(1, Ordering::Relaxed);
    assert!(sampler.second(armed, ThreadId(3), AccessKind::Write).is_none());
    assert_eq!((sampler.counts().races, sampler.counts().moved_on), (1, 1));
    assert!(lock(&sampler.watchpoints().armed).is_empty(), "nothing is to be learned from it any more");
}

#[test]
fn a_watch_ends_at_its_limit_and_its_place_rests_longer_each_time() {
    let (sampler, clock) = (sampler(), clock(0));
    assert!(arm(&sampler, 1, at(0), clock).is_some());
    assert_eq!(sampler.expire(at(14)), Some(at(15)));
    assert_eq!(lock(&sampler.watchpoints().armed).len(), 1);
    sampler.expire(at(15));
    assert!(lock(&sampler.watchpoints().armed).is_empty());
    assert!(lock(&sampler.gates().closed).is_empty(), "it has rested as long");
    assert!(arm(&sampler, 1, at(20), clock).is_some());
    assert_eq!(sampler.expire(at(35)), Some(at(50)));
    assert!(arm(&sampler, 1, at(49), clock).is_none(), "it rests");
    assert!(arm(&sampler, 2, at(49), clock).is_some(), "another place does not");
    assert!(lock(&sampler.gates().closed).contains_key(&SiteId(1)));
    sampler.expire(at(50));
    assert!(!lock(&sampler.gates().closed).contains_key(&SiteId(1)));
}

#[test]
fn a_busy_place_leaves_the_slots_to_the_others() {
    let (sampler, clock) = (sampler(), clock(0));
    let mut sampled: BTreeMap<u32, u32> = BTreeMap::new();
    for millisecond in 0..20_000 {
        sampler.expire(at(millisecond));
        // Place 0 runs all the time and always first, the others now and then.
        let others = (1..50).filter(|site| millisecond % 50 == u64::from(*site));
        for site in std::iter::repeat_n(0, 100).chain(others) {
            if arm(&sampler, site, at(millisecond), clock).is_some() {
                *sampled.entry(site).or_default() += 1;
            }
        }
    }
    assert_eq!(sampled.len(), 50, "every place had its turn");
    let (busy, least) = (sampled[&0], *sampled.values().min().unwrap());
    assert!(least >= 5 && busy <= 10 * least, "{sampled:?}");
}

#[test]
fn slots_are_limited_and_the_gate_says_so() {
    let (sampler, clock) = (sampler(), clock(0));
    let armed: Vec<_> = (0..4).map(|site| arm(&sampler, site, at(0), clock).unwrap()).collect();
    assert!(!*lock(&sampler.gates().has_room));
    assert!(arm(&sampler, 9, at(0), clock).is_none());
    sampler.second(armed[2], ThreadId(77), AccessKind::Write);
    assert!(*lock(&sampler.gates().has_room));
    sampler.use_slots(2);
    assert!(!*lock(&sampler.gates().has_room), "the free one is not among them");
    sampler.expire(LIMIT);
    assert_eq!((5..9).filter(|&site| arm(&sampler, site, at(15), clock).is_some()).count(), 2);
}

#[test]
fn a_collection_ends_all_watches() {
    let (sampler, clock) = (sampler(), clock(0));
    let armed = arm(&sampler, 1, at(0), clock).unwrap();
    let reserved = sampler.reserve(SiteId(2), at(0)).unwrap();
    sampler.begin_collection();
    assert!(sampler.second(armed, ThreadId(5), AccessKind::Write).is_none());
    assert!(sampler.reserve(SiteId(3), at(0)).is_none(), "objects move");
    sampler.end_collection();
    assert!(!sampler.arm(reserved, watch(2, clock, 2), &(), at(0)), "its object may have moved");
    assert!(arm(&sampler, 4, at(0), clock).is_some());
    assert_eq!(sampler.counts().collected, 2);
}

#[test]
fn what_cannot_be_watched_costs_no_slot() {
    let (sampler, clock) = (sampler(), clock(0));
    *lock(&sampler.watchpoints().refuses) = true;
    for site in 0..10 {
        assert!(arm(&sampler, site, at(0), clock).is_none());
    }
    assert_eq!(sampler.counts().refused, 10);
    *lock(&sampler.watchpoints().refuses) = false;
    let reservation = sampler.reserve(SiteId(20), at(0)).unwrap();
    sampler.give_back(reservation);
    assert!(!sampler.arm(reservation, watch(20, clock, 1), &(), at(0)), "it was given back");
    assert!((30..34).all(|site| arm(&sampler, site, at(0), clock).is_some()));
}

#[test]
fn nothing_is_sampled_while_it_has_cost_too_much() {
    let (sampler, clock) = (sampler(), clock(0));
    let armed = arm(&sampler, 1, at(0), clock).unwrap();
    sampler.set_over_budget(true);
    sampler.set_over_budget(true);
    assert!(!*lock(&sampler.gates().has_room) && sampler.reserve(SiteId(2), at(0)).is_none());
    assert_eq!(sampler.armed_count(), 1, "what is watched stays so");
    sampler.take_hit(armed);
    assert!(!*lock(&sampler.gates().has_room) && sampler.armed_count() == 0);
    sampler.set_over_budget(false);
    assert!(arm(&sampler, 3, at(0), clock).is_some());
    assert_eq!((sampler.counts().pauses, sampler.counts().races), (1, 1));
}

#[test]
fn a_hit_that_comes_late_ends_no_other_watch() {
    let (sampler, clock) = (sampler(), clock(0));
    let late = arm(&sampler, 1, at(0), clock).unwrap();
    sampler.expire(LIMIT);
    let next = arm(&sampler, 2, LIMIT, clock).unwrap();
    assert_eq!(late.slot, next.slot);
    sampler.take_hit(late);
    assert_eq!((sampler.armed_count(), sampler.counts().races), (1, 1));
    sampler.end(late);
    assert_eq!((sampler.armed_count(), sampler.counts().moved_on), (1, 1));
    sampler.end(next);
    assert_eq!((sampler.armed_count(), sampler.counts().moved_on), (0, 2));
}

/// The races of a trace, as a sampler finds them that watches what it can: the positions of the second accesses.
fn sampled_races(events: &[Event], chosen: impl Fn(u64) -> bool) -> Vec<u64> {
    let sampler = sampler();
    let mut clocks: HashMap<ThreadId, &'static AtomicU64> = HashMap::new();
    let mut clock_of = |thread| *clocks.entry(thread).or_insert_with(|| clock(0));
    let mut found = Vec::new();
    for (position, event) in (0..).zip(events) {
        let now = at(position);
        sampler.expire(now);
        let Some((var, kind)) = event.op.access() else {
            if event.op.is_synchronization() {
                clock_of(event.thread).fetch_add(1, Ordering::Relaxed);
                if let Op::Join(ended) = event.op {
                    clock_of(ended).fetch_add(1, Ordering::Relaxed);
                }
            }
            continue;
        };
        let location = Location { object: var.index() as u64, place: 0 };
        for (armed, watch) in sampler.armed() {
            if watch.location == location && sampler.second(armed, event.thread, kind).is_some() {
                found.push(position);
            }
        }
        if chosen(position) {
            let clock = clock_of(event.thread);
            let first = First { thread: event.thread, kind, clock: clock.load(Ordering::Relaxed) };
            if let Some(slot) = sampler.reserve(SiteId(position as u32), now) {
                let watch = Watch { location, first, clock, site: SiteId(position as u32), stack: 0 };
                assert!(sampler.arm(slot, watch, &(), now));
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(testkit::config(2_000))]

    #[test]
    fn what_is_sampled_is_what_the_offline_detector_finds(events in testkit::traces(Shape::SMALL), chosen: u64) {
        let mut detector = Clock::default();
        let mut races: Vec<(u64, u64)> = Vec::new();
        for (position, event) in (0..).zip(&events) {
            detector.observe(EventIndex(position), event, &mut |race| races.push((race.earlier.at.0, race.later.at.0)));
        }
        for position in sampled_races(&events, |position| (chosen >> (position % 64)) & 1 == 1) {
            prop_assert!(races.iter().any(|race| race.1 == position), "{position} is no clock race");
        }
        // Whoever samples the first access of a race alone, and watches for long enough, finds it or an earlier one.
        for &(earlier, later) in races.iter().filter(|(earlier, later)| later - earlier < LIMIT.as_millis() as u64) {
            let found = sampled_races(&events, |position| position == earlier);
            prop_assert!(found.len() == 1 && found[0] <= later, "({earlier}, {later}): {found:?}");
        }
    }
}
