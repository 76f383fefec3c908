//! Sections in which something happens that is not recorded (docs/adr/0070-opaque-sections.md): what is predicted from the rest of
//! the trace is a race of the complete one, and opaque sections of a lock keep their order in every witness.
//!
//! The complete trace has a location that only holders of one lock access. The recording lacks some of these accesses. A section in
//! which it lacks one receives what all sections of its lock before it sent at their ends, and all after it receive what it sends.

use std::collections::{BTreeMap, HashMap};

use model::{Event, LockId, MessageId, Mode, Op, SiteId, ThreadId, VarId};
use predict::{Model, Predicted, Recording};
use proptest::prelude::*;
use testkit::Shape;
use trace::MessageInfo;

use crate::mc::{every_pair, pairs};
use crate::traces::{Content, recording, recordings_of};

const GUARDED: VarId = VarId(1);
const GUARD: LockId = LockId(0);
const LOCKS: u32 = 2;
/// Those before it are the random trace's.
const FIRST_MESSAGE: u32 = 2;

const SHAPE: Shape =
    Shape { steps: 24, threads: 3, vars: 2, locks: LOCKS as _, messages: 2, sites: 4, read_locks: false };

/// How often each thread holds each lock.
#[derive(Default)]
struct Holds(HashMap<(ThreadId, LockId), u32>);

impl Holds {
    fn pass(&mut self, event: &Event) {
        match event.op {
            Op::Acquire(lock, _) => *self.0.entry((event.thread, lock)).or_default() += 1,
            Op::Release(lock, _) => {
                let held = self.0.entry((event.thread, lock)).or_default();
                *held = held.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn of(&self, thread: ThreadId, lock: LockId) -> u32 {
        self.0.get(&(thread, lock)).copied().unwrap_or_default()
    }
}

fn is_guarded(op: Op) -> bool {
    matches!(op, Op::Read(GUARDED) | Op::Write(GUARDED))
}

/// Some places are not recorded.
fn is_hidden(event: &Event) -> bool {
    is_guarded(event.op) && event.site.0 % 2 == 0
}

/// Leaves out the accesses without the lock. What a thread stores unseen depends on what it has read.
fn guarded(events: Vec<Event>) -> Vec<Event> {
    let mut holds = Holds::default();
    let mut kept = Vec::new();
    for event in events {
        holds.pass(&event);
        if is_guarded(event.op) && holds.of(event.thread, GUARD) == 0 {
            continue;
        }
        if event.op == Op::Write(GUARDED) && is_hidden(&event) {
            kept.push(Event { op: Op::Branch, ..event });
        }
        kept.push(event);
    }
    kept
}

/// From an acquire to a release, with the first event behind what is not recorded, if something is not.
#[derive(Clone, Copy, Debug)]
struct Section {
    acquire: u64,
    opaque: Option<u64>,
    release: Option<u64>,
}

/// What is recorded of a complete trace: events, and of each its place there.
struct Seen {
    recording: Recording,
    places: Vec<Option<usize>>,
    /// The sections of each lock, in order.
    sections: BTreeMap<LockId, Vec<Section>>,
}

/// The messages of a lock: to opaque sections, and from them.
fn messages(lock: LockId) -> [MessageId; 2] {
    [0, 1].map(|which| MessageId(FIRST_MESSAGE + 2 * lock.0 + which))
}

fn record(complete: &Recording) -> Seen {
    let mut holds = Holds::default();
    let mut sections: BTreeMap<LockId, Vec<Section>> = BTreeMap::new();
    let (mut events, mut values, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for (at, event) in complete.events.iter().enumerate() {
        let thread = event.thread;
        let mut add = |op: Op, at: Option<usize>| {
            events.push(Event { thread, site: event.site, op });
            values.push(at.and_then(|at| complete.values.get(at).copied().flatten()));
            places.push(at);
            events.len() as u64 - 1
        };
        if is_hidden(event) {
            for lock in (0..LOCKS).map(LockId).filter(|&lock| holds.of(thread, lock) > 0) {
                let Some(section) = sections.get_mut(&lock).and_then(|all| all.last_mut()) else { continue };
                if section.opaque.is_none() {
                    section.opaque = Some(add(Op::Receive(messages(lock)[0]), None));
                }
            }
            continue;
        }
        match event.op {
            Op::Release(lock, _) if holds.of(thread, lock) == 1 => {
                if let Some(section) = sections.get_mut(&lock).and_then(|all| all.last_mut()) {
                    add(Op::Send(messages(lock)[0]), None);
                    if section.opaque.is_some() {
                        add(Op::Send(messages(lock)[1]), None);
                    }
                    section.release = Some(add(event.op, Some(at)));
                }
            }
            Op::Acquire(lock, _) if holds.of(thread, lock) == 0 => {
                let all = sections.entry(lock).or_default();
                let was_opaque = all.iter().any(|section| section.opaque.is_some());
                all.push(Section { acquire: add(event.op, Some(at)), opaque: None, release: None });
                if was_opaque {
                    add(Op::Receive(messages(lock)[1]), None);
                }
            }
            _ => {
                add(event.op, Some(at));
            }
        }
        holds.pass(event);
    }
    let mut tables = complete.tables.clone();
    tables.messages.extend((0..2 * LOCKS).map(|_| MessageInfo::named("opaque sections")));
    Seen { recording: Recording::new(complete.header, events, values, BTreeMap::new(), tables), places, sections }
}

/// Who comes in a witness to what is not recorded does so after all sections of the lock before it, and before all after it.
fn keeps_place(seen: &Seen, race: &Predicted) -> Result<(), TestCaseError> {
    let place = |event: u64| race.witness.order.iter().position(|&other| other == event);
    for all in seen.sections.values() {
        for (number, section) in all.iter().enumerate() {
            let Some(now) = section.opaque.and_then(place) else { continue };
            for before in &all[..number] {
                let ended = before.release.and_then(place);
                prop_assert!(ended.is_some_and(|ended| ended < now), "{:?} is not before {:?}", before, section);
            }
            for after in &all[number + 1..] {
                let began = place(after.acquire);
                prop_assert!(began.is_none_or(|began| now < began), "{:?} is not after {:?}", after, section);
            }
        }
    }
    Ok(())
}

fn is_sound(complete: &Recording) -> Result<(), TestCaseError> {
    let seen = record(complete);
    let prediction = every_pair(&seen.recording, Model::Mc);
    prop_assert!(prediction.undecided.is_empty());
    for race in &prediction.races {
        keeps_place(&seen, race)?;
    }
    let truth = pairs(&every_pair(complete, Model::Mc));
    for (one, two) in pairs(&prediction) {
        let (Some(earlier), Some(later)) = (seen.places[one], seen.places[two]) else {
            return Err(TestCaseError::fail("a race of no access"));
        };
        prop_assert!(truth.contains(&(earlier, later)), "{:?} is no race of the complete trace", (one, two));
    }
    Ok(())
}

/// Little but sections of the one lock.
const DENSE: Shape = Shape { steps: 40, threads: 3, vars: 2, locks: 1, messages: 1, sites: 4, read_locks: false };

proptest! {
    #![proptest_config(testkit::config(5000))]

    #[test]
    fn no_false_alarm_with_one_lock(complete in recordings_of(DENSE, Content::Values, guarded)) {
        is_sound(&complete)?;
    }

    #[test]
    fn no_false_alarm_with_values(complete in recordings_of(SHAPE, Content::Values, guarded)) {
        is_sound(&complete)?;
    }

    #[test]
    fn no_false_alarm_with_branches(complete in recordings_of(SHAPE, Content::Branches, guarded)) {
        is_sound(&complete)?;
    }
}

/// A flag that is not recorded orders X: without its messages the recording would have a race that is none.
#[test]
fn a_flag_that_is_not_recorded_orders() {
    let event = |thread: u32, op: Op| Event { thread: ThreadId(thread), site: SiteId(0), op };
    let section = |thread, op| {
        let (acquire, release) = (Op::Acquire(GUARD, Mode::Write), Op::Release(GUARD, Mode::Write));
        [event(thread, acquire), event(thread, op), event(thread, release)]
    };
    let x = VarId(0);
    let mut events = vec![event(0, Op::Fork(ThreadId(1))), event(0, Op::Write(x))];
    events.extend(section(0, Op::Write(GUARDED)));
    events.extend(section(1, Op::Read(GUARDED)));
    events.push(event(1, Op::Write(x)));
    // Only writes of an odd noise store something else.
    let complete = recording(guarded(events), &[1; 20], Content::Values);
    is_sound(&complete).expect("nothing is predicted");
    let Seen { recording: seen, .. } = record(&complete);
    assert_eq!(pairs(&every_pair(&seen, Model::Mc)), [].into());
    let is_kept = |op: Op| !matches!(op, Op::Send(message) | Op::Receive(message) if message.0 >= FIRST_MESSAGE);
    let kept: Vec<usize> = (0..seen.events.len()).filter(|&at| is_kept(seen.events[at].op)).collect();
    let events = kept.iter().map(|&at| seen.events[at]).collect();
    let values = kept.iter().map(|&at| seen.values[at]).collect();
    let bare = Recording::new(complete.header, events, values, BTreeMap::new(), seen.tables.clone());
    assert_eq!(pairs(&every_pair(&bare, Model::Mc)).len(), 1);
}
