//! Random recordings: well-formed traces with values, branches, volatile variables.

use std::collections::{BTreeMap, HashMap};

use model::{Event, Op, SiteId, Value};
use predict::Recording;
use proptest::prelude::*;
use testkit::Shape;
use trace::{Header, MessageInfo, MessageKind, Recorded, Tables};

/// What a recording has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Events alone, as in STD.
    Events,
    /// Values, too.
    Values,
    /// Values and branches.
    Branches,
}

/// Random recordings of a shape. Message 0 is a volatile variable.
pub(crate) fn recordings(shape: Shape, content: Content) -> impl Strategy<Value = Recording> {
    let noise = proptest::collection::vec(any::<u8>(), shape.steps * 2);
    (testkit::cut_traces(shape), noise).prop_map(move |(events, noise)| recording(events, &noise, content))
}

fn is_write(op: Op) -> bool {
    matches!(op, Op::Write(_) | Op::Send(_))
}

/// Executes the events: writes store values of a small domain, reads see the last one.
pub(crate) fn recording(events: Vec<Event>, noise: &[u8], content: Content) -> Recording {
    let recorded = |yes| if yes { Recorded::Yes } else { Recorded::No };
    let header =
        Header { values: recorded(content != Content::Events), branches: recorded(content == Content::Branches) };
    let mut memory: HashMap<Op, Value> = HashMap::new();
    let (mut all, mut values) = (Vec::new(), Vec::new());
    for (place, event) in events.into_iter().enumerate() {
        let noise = noise.get(place).copied().unwrap_or_default();
        let cell = match event.op {
            Op::Read(var) | Op::Write(var) => Some(Op::Write(var)),
            Op::Send(message) | Op::Receive(message) => Some(Op::Send(message)),
            _ => None,
        };
        let value = cell.map(|cell| {
            let stored = memory.entry(cell).or_insert(Value(0));
            if is_write(event.op) {
                *stored = Value(u64::from(noise % 2));
            }
            *stored
        });
        all.push(event);
        values.push(value.filter(|_| content != Content::Events));
        let branches = matches!(event.op, Op::Read(_) | Op::Receive(_)) && noise / 2 % 2 == 0;
        if content == Content::Branches && branches {
            all.push(Event { thread: event.thread, site: SiteId(0), op: Op::Branch });
            values.push(None);
        }
    }
    let volatile = MessageInfo { kind: MessageKind::Volatile, ..MessageInfo::named("v") };
    let tables = Tables { messages: vec![volatile, MessageInfo::named("m")], ..Tables::default() };
    Recording::new(header, all, values, BTreeMap::new(), tables)
}
