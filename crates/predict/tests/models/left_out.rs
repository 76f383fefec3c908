//! What can be left out of a trace so that predictions stay the same, and what cannot.

use std::collections::{BTreeMap, BTreeSet};

use model::{Event, Op, Value, VarId};
use predict::{Model, Recording};
use proptest::prelude::*;
use testkit::{Shape, read, write};
use trace::{Confined, Header, Recorded, Tables, Without};

use crate::mc::{every_pair, pairs};
use crate::stream::Slices;
use crate::traces::{Content, recordings};

const SHAPE: Shape = Shape { steps: 40, threads: 4, vars: 12, locks: 2, messages: 2, sites: 3, read_locks: true };

/// Leaves out the accesses of confined variables; where the events that stay were.
fn without_confined(recording: &Recording) -> (Recording, Vec<usize>) {
    let confined = Confined::of(&mut Slices::new(recording, 7)).expect("a recording can be read");
    let mut source = Slices::new(recording, 7);
    let mut without = Without::new(&mut source, confined);
    let rest = Recording::load(&mut without, |_| {}).expect("a recording can be read");
    assert_eq!(without.left_out() as usize + rest.events.len(), recording.events.len());
    let mut threads: BTreeMap<VarId, BTreeSet<u32>> = BTreeMap::new();
    for event in &recording.events {
        threads.entry(event.op.access().map_or(VarId(u32::MAX), |(var, _)| var)).or_default().insert(event.thread.0);
    }
    let stays = |op: Op| op.access().is_none_or(|(var, _)| threads[&var].len() > 1);
    let places = (0..recording.events.len()).filter(|&at| stays(recording.events[at].op)).collect();
    (rest, places)
}

fn predictions_stay(recording: &Recording) -> Result<(), TestCaseError> {
    let (rest, places) = without_confined(recording);
    prop_assert_eq!(rest.events.len(), places.len());
    let found = pairs(&every_pair(&rest, Model::Mc));
    let moved: BTreeSet<(usize, usize)> = found.into_iter().map(|(one, two)| (places[one], places[two])).collect();
    prop_assert_eq!(moved, pairs(&every_pair(recording, Model::Mc)));
    Ok(())
}

proptest! {
    #![proptest_config(testkit::config(1000))]

    #[test]
    fn confined_variables_can_be_left_out_of_values(recording in recordings(SHAPE, Content::Values)) {
        predictions_stay(&recording)?;
    }

    #[test]
    fn confined_variables_can_be_left_out_of_branches(recording in recordings(SHAPE, Content::Branches)) {
        predictions_stay(&recording)?;
    }

    #[test]
    fn confined_variables_can_be_left_out_of_events(recording in recordings(SHAPE, Content::Events)) {
        predictions_stay(&recording)?;
    }
}

const X: VarId = VarId(0);
const Y: VarId = VarId(1);
const G: VarId = VarId(2);

/// The races of these accesses and values.
fn races(events: &[(Event, u64)]) -> BTreeSet<(usize, usize)> {
    let header = Header { values: Recorded::Yes, ..Header::default() };
    let values = events.iter().map(|&(_, value)| Some(Value(value))).collect();
    let events = events.iter().map(|&(event, _)| event).collect();
    pairs(&every_pair(&Recording::new(header, events, values, BTreeMap::new(), Tables::default()), Model::Mc))
}

#[test]
fn a_repeated_read_after_a_write_of_its_thread_can_race_where_the_first_cannot() {
    let mut events = vec![(read(0, X), 0), (write(0, Y), 1), (read(0, X), 0), (read(1, Y), 1), (write(1, X), 1)];
    assert!(races(&events).contains(&(2, 4)));
    events.remove(2);
    assert!(!races(&events).contains(&(0, 3)), "the race is lost without the second read");
}

#[test]
fn a_repeated_read_forbids_what_the_first_allows() {
    // Nobody else touches x between the reads 5 and 7, and their thread does nothing there but read.
    let mut events = vec![
        (read(0, X), 0),
        (write(1, X), 5),
        (write(1, G), 1),
        (read(1, Y), 0),
        (write(1, X), 0),
        (read(0, X), 0),
        (read(0, G), 1),
        (read(0, X), 0),
        (write(0, Y), 7),
    ];
    assert!(!races(&events).contains(&(3, 8)), "when g is 1 and x is 0, y has been read");
    events.remove(7);
    assert!(races(&events).contains(&(3, 7)), "without the second read a false race is predicted");
}
