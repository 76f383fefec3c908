//! TREE: the figures of chapter 3, what the published form loses, and that the sound forms lose nothing.

use std::collections::{BTreeMap, BTreeSet};

use detect::eraser::Eraser;
use detect::hybrid::{Flags, Hybrid, Messages, Report, Settings};
use detect::tree::{Behind, Element, Locations, Published, Tree};
use detect::{Detector, Filter, FilterVerdict, oracle};
use model::{AccessKind, Event, EventIndex, LockId, MessageId, Mode, Op, Race, SiteId, ThreadId, VarId};
use proptest::prelude::*;
use testkit::Shape;

const X: VarId = VarId(0);
const Y: VarId = VarId(1);

/// A location and two places in the program, the lower first.
type Pair = (VarId, (SiteId, AccessKind), (SiteId, AccessKind));

/// Where the events are that a filter keeps.
fn kept_at(filter: &mut impl Filter, events: &[Event]) -> Vec<usize> {
    let judged = events.iter().enumerate().filter(|&(at, event)| {
        let verdict = filter.judge(EventIndex(at as u64), event);
        assert!(verdict == FilterVerdict::Keep || event.op.access().is_some(), "synchronization is kept");
        verdict == FilterVerdict::Keep
    });
    judged.map(|(at, _)| at).collect()
}

fn kept(filter: &mut impl Filter, events: &[Event]) -> Vec<Event> {
    kept_at(filter, events).into_iter().map(|at| events[at]).collect()
}

fn sound(behind: Behind, events: &[Event]) -> Vec<Event> {
    kept(&mut Tree::new(behind, Locations::All), events)
}

fn races(mut detector: impl Detector, events: &[Event]) -> Vec<Race> {
    let mut found = Vec::new();
    for (at, event) in events.iter().enumerate() {
        detector.observe(EventIndex(at as u64), event, &mut |race| found.push(race));
    }
    found
}

fn all_pairs(settings: &Settings, events: &[Event]) -> BTreeSet<Pair> {
    let settings = Settings { report: Report::AllPairs, ..settings.clone() };
    let places = |race: &Race| {
        let (one, other) = ((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind));
        (race.var, one.min(other), one.max(other))
    };
    races(Hybrid::new(settings), events).iter().map(places).collect()
}

fn hybrid_pairs(events: &[Event]) -> BTreeSet<Pair> {
    all_pairs(&Settings::default(), events)
}

fn vars(races: &[Race]) -> BTreeSet<VarId> {
    races.iter().map(|race| race.var).collect()
}

fn hybrid_vars(events: &[Event]) -> BTreeSet<VarId> {
    vars(&races(Hybrid::default(), events))
}

/// The locations with a happens-before race, by definition, each with its first access that races with an earlier one.
fn unordered(events: &[Event]) -> BTreeMap<VarId, usize> {
    let order = oracle::happens_before(events);
    let mut first = BTreeMap::new();
    for (_, j) in oracle::conflicting(events).into_iter().filter(|&(i, j)| !order.holds(i, j)) {
        let (var, _) = events[j].op.access().expect("a race is between accesses");
        let earliest = first.entry(var).or_insert(j);
        *earliest = j.min(*earliest);
    }
    first
}

fn unordered_vars(events: &[Event]) -> BTreeSet<VarId> {
    unordered(events).into_keys().collect()
}

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn loses_no_pair_in_front_of_hybrid(
        events in prop_oneof![testkit::traces(Shape::SMALL), testkit::traces(Shape::CROWD)],
    ) {
        let filtered = sound(Behind::Messages, &events);
        prop_assert_eq!(hybrid_pairs(&filtered), hybrid_pairs(&events));
        prop_assert_eq!(hybrid_vars(&filtered), hybrid_vars(&events));
    }

    #[test]
    fn loses_no_pair_in_front_of_hybrid_with_flags(events in testkit::traces(Shape::SMALL), flag in 0..3u32) {
        let flags: Flags = [VarId(flag)].into_iter().collect();
        let mut tree = Tree::new(Behind::Messages, Locations::All).with_flags(flags.clone());
        let filtered = kept(&mut tree, &events);
        let settings = Settings { flags, ..Settings::default() };
        prop_assert_eq!(all_pairs(&settings, &filtered), all_pairs(&settings, &events));
    }

    #[test]
    fn loses_nothing_in_front_of_lockset_detectors(
        events in prop_oneof![testkit::traces(Shape::SMALL), testkit::traces(Shape::CROWD)],
    ) {
        let filtered = sound(Behind::Locks, &events);
        let settings = Settings { messages: Messages::Ignored, ..Settings::default() };
        prop_assert_eq!(all_pairs(&settings, &filtered), all_pairs(&settings, &events));
        prop_assert_eq!(vars(&races(Eraser::default(), &filtered)), vars(&races(Eraser::default(), &events)));
    }

    #[test]
    fn loses_no_first_race_in_front_of_happens_before(
        events in prop_oneof![testkit::traces(Shape::SMALL), testkit::traces(Shape::CROWD)],
    ) {
        let places = kept_at(&mut Tree::new(Behind::HappensBefore, Locations::All), &events);
        let filtered: Vec<Event> = places.iter().map(|&at| events[at]).collect();
        let found: BTreeMap<VarId, usize> = unordered(&filtered).into_iter().map(|(var, j)| (var, places[j])).collect();
        prop_assert_eq!(found, unordered(&events));
    }

    #[test]
    fn a_bound_on_locations_loses_nothing_but_filtering(events in testkit::traces(Shape::SMALL), bound in 1..4usize) {
        let mut bounded = Tree::new(Behind::Messages, Locations::MostRecent(bound));
        let filtered = kept(&mut bounded, &events);
        prop_assert!(filtered.len() >= sound(Behind::Messages, &events).len());
        prop_assert_eq!(hybrid_pairs(&filtered), hybrid_pairs(&events));
    }
}

#[test]
fn every_form_drops_something_and_counts_it() {
    let events: Vec<Event> = (0..100).map(|_| event(0, 1, Op::Read(X))).collect();
    let forms = [Behind::Locks, Behind::Messages, Behind::HappensBefore];
    let sound = forms.map(|behind| Box::new(Tree::new(behind, Locations::All)) as Box<dyn Filter>);
    for mut filter in sound.into_iter().chain([Box::new(Published::default()) as Box<dyn Filter>]) {
        for (at, event) in events.iter().enumerate() {
            filter.judge(EventIndex(at as u64), event);
        }
        let statistics = filter.statistics();
        assert_eq!((statistics.events, statistics.skipped), (100, 99));
        assert!(statistics.bytes > 0);
    }
}

#[test]
fn a_bound_on_locations_bounds_memory() {
    let visit = |site| (0..100).map(move |var| event(0, site, Op::Write(VarId(var))));
    let events: Vec<Event> = (0..100).flat_map(visit).collect();
    let bytes = |locations| {
        let mut tree = Tree::new(Behind::Messages, locations);
        assert_eq!(kept(&mut tree, &events).len(), events.len());
        tree.statistics().bytes
    };
    assert!(bytes(Locations::All) > 4 * bytes(Locations::MostRecent(2)));
}

fn event(thread: u32, site: u32, op: Op) -> Event {
    Event { thread: ThreadId(thread), site: SiteId(site), op }
}

fn acquire(lock: u32, thread: u32) -> Event {
    event(thread, 90, Op::Acquire(LockId(lock), Mode::Write))
}

fn release(lock: u32, thread: u32) -> Event {
    event(thread, 91, Op::Release(LockId(lock), Mode::Write))
}

fn fork(child: u32) -> Event {
    event(0, 92, Op::Fork(ThreadId(child)))
}

fn join(ended: u32) -> Event {
    event(0, 93, Op::Join(ThreadId(ended)))
}

/// An access inside a critical section of its own.
fn under(lock: u32, thread: u32, site: u32, op: Op) -> Vec<Event> {
    vec![acquire(lock, thread), event(thread, site, op), release(lock, thread)]
}

/// Figure 3.1: two loops write x, each under its own lock.
fn figure_3_1() -> Vec<Event> {
    (0..10).flat_map(|_| [under(1, 0, 1, Op::Write(X)), under(2, 1, 2, Op::Write(X))].concat()).collect()
}

/// Figure 3.2: T0 reads x at 6 and writes it at 7, under A, later under B, and without a lock; T1 writes x under A.
fn figure_3_2() -> Vec<Event> {
    let round = |i| {
        let lock = if i < 5 { 1 } else { 2 };
        let read = event(0, 6, Op::Read(X));
        [vec![read, read], under(lock, 0, 7, Op::Write(X)), vec![event(0, 7, Op::Write(X))]].concat()
    };
    [(0..10).flat_map(round).collect(), under(1, 1, 8, Op::Write(X))].concat()
}

/// Figure 3.3: T0 reads x, forks a child and writes x under A; children write x, the first four under A.
fn figure_3_3() -> Vec<Event> {
    let child = |i| if i < 5 { under(1, i, 5, Op::Write(X)) } else { vec![event(i, 5, Op::Write(X))] };
    let round = |i| [vec![event(0, 1, Op::Read(X)), fork(i)], child(i), under(1, 0, 3, Op::Write(X))].concat();
    (1..10).flat_map(round).collect()
}

/// Figure 3.4b: event `e1` of the figure is at position 0.
fn figure_3_4() -> Vec<Event> {
    let main = |i| [under(i, 0, 1, Op::Write(X)), vec![event(0, 2, Op::Read(X))]].concat();
    let child = |i| [under(i, i, 3, Op::Write(X)), vec![event(i, 4, Op::Write(X))]].concat();
    [(1..4).map(fork).collect(), (1..4).flat_map(main).collect(), (1..4).flat_map(child).collect::<Vec<_>>()].concat()
}

/// The names of the events that a filter drops: `e1` is the first.
fn dropped(filter: &mut impl Filter, events: &[Event]) -> Vec<usize> {
    let judge = |(at, event)| filter.judge(EventIndex(at as u64), event);
    let verdicts: Vec<FilterVerdict> = events.iter().enumerate().map(judge).collect();
    (1..=events.len()).filter(|&e| verdicts[e - 1] == FilterVerdict::Skip).collect()
}

fn site_pairs(pairs: &BTreeSet<Pair>) -> Vec<(u32, u32)> {
    pairs.iter().map(|&(_, (one, _), (other, _))| (one.0, other.0)).collect()
}

#[test]
fn figure_3_1_keeps_one_write_of_each_loop() {
    let events = figure_3_1();
    let accesses = |events: &[Event]| events.iter().filter(|event| event.op.access().is_some()).count();
    assert_eq!(accesses(&kept(&mut Published::default(), &events)), 2);
    assert_eq!(accesses(&sound(Behind::Messages, &events)), 2);
    assert_eq!(site_pairs(&hybrid_pairs(&events)), [(1, 2)]);
}

#[test]
fn figure_3_2_keeps_one_access_of_each_context() {
    let events = figure_3_2();
    let accesses = |events: &[Event]| events.iter().filter(|event| event.op.access().is_some()).count();
    assert_eq!(
        accesses(&kept(&mut Published::default(), &events)),
        1 + 3 + 1,
        "read; write under A, under B, under none"
    );
    assert_eq!(accesses(&sound(Behind::Messages, &events)), 1 + 2 + 1, "under B is stronger than under none");
    let expected = [(6, 8), (7, 8)];
    assert_eq!(site_pairs(&hybrid_pairs(&events)), expected);
    assert_eq!(site_pairs(&hybrid_pairs(&sound(Behind::Messages, &events))), expected);
}

#[test]
fn figure_3_3_shares_contexts_between_children() {
    let events = figure_3_3();
    let mut published = Published::default();
    let dropped: Vec<ThreadId> = dropped(&mut published, &events).iter().map(|&e| events[e - 1].thread).collect();
    assert_eq!(dropped, [3, 4, 7, 8, 9].map(ThreadId), "the two first of each kind stay");
    let pairs = hybrid_pairs(&events);
    assert_eq!(site_pairs(&pairs), [(1, 5), (3, 5), (5, 5)]);
    assert_eq!(hybrid_pairs(&sound(Behind::Messages, &events)), pairs);
}

#[test]
fn figure_3_4_drops_what_the_case_study_says() {
    let events = figure_3_4();
    assert_eq!(events[26], event(3, 4, Op::Write(X)), "e27");
    assert_eq!(dropped(&mut Published::default(), &events), [11, 15, 27]);
    assert_eq!(dropped(&mut Tree::new(Behind::Messages, Locations::All), &events), [11, 15]);
    assert_eq!(dropped(&mut Tree::new(Behind::Locks, Locations::All), &events), [11, 15, 27]);
}

#[test]
fn figure_3_5_and_3_6_contexts_and_histories() {
    let events = figure_3_4();
    let mut filter = Published::default();
    let g = [1, 2, 3].map(Element::Message).to_vec();
    let lock = |lock| Element::Lock(LockId(lock));
    for (at, event) in events.iter().enumerate() {
        filter.judge(EventIndex(at as u64), event);
        let i = filter_lock(&events[..=at], event.thread);
        let context = filter.context(event.thread);
        match event.site.0 {
            1 => assert_eq!(context, [&g[..], &[lock(i)]].concat()),
            2 => assert_eq!(context, g),
            3 => assert_eq!(context, [lock(i)]),
            4 => assert_eq!(context, []),
            _ => {}
        }
    }
    let t = |threads: &[u32]| threads.iter().copied().map(ThreadId).collect::<Vec<_>>();
    let below_g = |i| ([&g[..], &[lock(i)]].concat(), t(&[0]));
    assert_eq!(filter.history(SiteId(1)), [1, 2, 3].map(below_g));
    assert_eq!(filter.history(SiteId(2)), [(g.clone(), t(&[0]))]);
    assert_eq!(filter.history(SiteId(3)), [1, 2, 3].map(|i| (vec![lock(i)], t(&[i]))));
    assert_eq!(filter.history(SiteId(4)), [(vec![], t(&[1, 2]))]);
}

/// The lock that a thread took last.
fn filter_lock(events: &[Event], thread: ThreadId) -> u32 {
    let locks = events.iter().rev().filter(|event| event.thread == thread).find_map(|event| match event.op {
        Op::Acquire(lock, _) => Some(lock.0),
        _ => None,
    });
    locks.unwrap_or(0)
}

/// The thesis counts 27 races of six pairs of places. By its own definition (§3.3: conflicting, unordered, disjoint
/// locksets) there are more: (e17, e23) is one that its list leaves out.
#[test]
fn figure_3_4_has_45_races_of_seven_pairs_of_places() {
    let events = figure_3_4();
    let races = oracle::hybrid_races(&events);
    assert_eq!(races.len(), 45);
    assert!(races.contains(&(16, 22)));
    let pairs = [(1, 3), (1, 4), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4)];
    assert_eq!(site_pairs(&hybrid_pairs(&events)), pairs);
    assert_eq!(site_pairs(&hybrid_pairs(&kept(&mut Published::default(), &events))), pairs);
}

/// T1, T2, T3 access x at one site, T0 waits for T1 and T2 only and writes x.
fn joined_but_for_one(access: Op) -> Vec<Event> {
    let children = (1..4).map(|i| event(i, 1, access));
    (1..4).map(fork).chain(children).chain([join(1), join(2), event(0, 2, Op::Write(X))]).collect()
}

#[test]
fn published_loses_what_a_later_join_tells_apart() {
    let lost = (X, (SiteId(1), AccessKind::Write), (SiteId(2), AccessKind::Write));
    let events = joined_but_for_one(Op::Write(X));
    assert!(hybrid_pairs(&events).contains(&lost));
    assert!(!hybrid_pairs(&kept(&mut Published::default(), &events)).contains(&lost));
    assert!(hybrid_pairs(&sound(Behind::Messages, &events)).contains(&lost));

    let events = joined_but_for_one(Op::Read(X));
    assert_eq!(hybrid_vars(&events), [X].into());
    assert_eq!(hybrid_vars(&kept(&mut Published::default(), &events)), [].into());
    assert_eq!(hybrid_vars(&sound(Behind::Messages, &events)), [X].into());
}

#[test]
fn published_loses_other_locations_and_kinds_of_a_site() {
    let write_at = |thread, site, var| event(thread, site, Op::Write(var));
    let array = vec![fork(1), write_at(0, 1, X), write_at(0, 1, Y), write_at(1, 2, Y)];
    let update = vec![fork(1), event(0, 1, Op::Read(X)), event(0, 1, Op::Write(X)), event(1, 2, Op::Read(X))];
    for (events, var) in [(array, Y), (update, X)] {
        assert_eq!(hybrid_vars(&events), [var].into());
        assert_eq!(hybrid_vars(&kept(&mut Published::default(), &events)), [].into());
        assert_eq!(hybrid_vars(&sound(Behind::Messages, &events)), [var].into());
    }
}

#[test]
fn published_loses_what_a_release_tells_apart() {
    let critical_section = |thread| [acquire(1, thread), release(1, thread)];
    let events = [
        vec![fork(1), event(0, 1, Op::Write(X))],
        critical_section(0).into(),
        vec![event(0, 1, Op::Write(X))],
        critical_section(1).into(),
        vec![event(1, 2, Op::Write(X))],
    ]
    .concat();
    assert_eq!(unordered_vars(&events), [X].into(), "the second write is after the release");
    assert_eq!(unordered_vars(&kept(&mut Published::default(), &events)), [].into());
    assert_eq!(unordered_vars(&sound(Behind::HappensBefore, &events)), [X].into());
}

#[test]
fn a_span_keeps_its_first_access_and_its_first_write() {
    let ops = [Op::Read(X), Op::Read(X), Op::Write(X), Op::Read(X), Op::Write(X)].map(|op| event(0, 1, op));
    let send = event(0, 1, Op::Send(MessageId(0)));
    let events = [&ops[..], &[send], &[event(0, 1, Op::Write(X)), event(0, 1, Op::Read(X))]].concat();
    assert_eq!(dropped(&mut Tree::new(Behind::HappensBefore, Locations::All), &events), [2, 4, 5, 8]);
}

#[test]
fn receives_make_no_access_worth_keeping() {
    let events = [Op::Write(X), Op::Receive(MessageId(0)), Op::Write(X), Op::Send(MessageId(0)), Op::Write(X)]
        .map(|op| event(0, 1, op));
    assert_eq!(dropped(&mut Tree::new(Behind::Messages, Locations::All), &events), [3]);
}
