//! What is in a trace: the numbers that `autodrome info` shows.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use model::{Mode, Op, SiteId, Value};

use crate::{Batch, Error, Format, Header, MessageKind, Recorded, Source, Tables};

/// What is in a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// How it is written down.
    pub format: Format,
    /// What it says about itself.
    pub header: Header,
    /// How many events there are of each kind.
    pub events: EventCounts,
    /// How many names there are of each kind.
    pub names: NameCounts,
    /// What the values of reads say about the order of the trace.
    pub order: Order,
    /// Sections of the program's in which something happened that is not recorded, by the place where it did first: the most
    /// frequent places first.
    pub opaque: Vec<(String, u64)>,
    /// How long the recorded run took, if the trace says so.
    pub duration: Option<Duration>,
}

/// How many names a trace has of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameCounts {
    /// Threads.
    pub threads: usize,
    /// Locations.
    pub vars: usize,
    /// Locks.
    pub locks: usize,
    /// Messages.
    pub messages: usize,
    /// Sites.
    pub sites: usize,
    /// Methods.
    pub methods: usize,
}

/// How many events a trace has of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// Events in all.
    pub all: u64,
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Acquires for writing.
    pub acquires: u64,
    /// Acquires for reading.
    pub read_acquires: u64,
    /// Releases of locks held for writing.
    pub releases: u64,
    /// Releases of locks held for reading.
    pub read_releases: u64,
    /// Sends.
    pub sends: u64,
    /// Receives.
    pub receives: u64,
    /// Forks.
    pub forks: u64,
    /// Joins.
    pub joins: u64,
    /// Branches.
    pub branches: u64,
    /// Method begins.
    pub begins: u64,
    /// Method ends.
    pub ends: u64,
    /// Events with a value.
    pub values: u64,
    /// Method begins with reachable objects.
    pub reach: u64,
}

/// Do reads see the last write before them in the trace? A read and a write both count if they have a value; so do
/// receives and sends. What a write that is not recorded stored, such as one by reflection, the next read tells. Reads by the
/// platform itself do not count: much of what it writes for its own sake is not recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Reads of a location whose value was known.
    pub checked: u64,
    /// Those that saw another.
    pub astray: u64,
}

/// The value that each location should have, if it is known.
#[derive(Default)]
struct Values {
    vars: Vec<Option<Value>>,
    messages: Vec<Option<Value>>,
}

impl Values {
    fn check(&mut self, batch: &Batch, tables: &Tables, order: &mut Order) {
        for row in batch.rows() {
            let (known, place, reads) = match row.event.op {
                Op::Read(var) => (&mut self.vars, var.index(), true),
                Op::Write(var) => (&mut self.vars, var.index(), false),
                Op::Receive(message) => (&mut self.messages, message.index(), true),
                Op::Send(message) => (&mut self.messages, message.index(), false),
                _ => continue,
            };
            if place >= known.len() {
                known.resize(place + 1, None);
            }
            let Some(last) = known.get_mut(place) else { continue };
            let counts = reads && !tables.are_of_platform(row.event.site, row.event.site);
            if let (true, Some(seen), Some(expected)) = (counts, row.value, *last) {
                order.checked += 1;
                order.astray += u64::from(seen != expected);
            }
            *last = row.value;
        }
    }
}

impl Census {
    /// Counts a trace from where it stands to its end.
    pub fn of(source: &mut dyn Source) -> Result<Census, Error> {
        let mut events = EventCounts::default();
        let (mut values, mut order) = (Values::default(), Order::default());
        let mut opaque: BTreeMap<SiteId, u64> = BTreeMap::new();
        let mut batch = Batch::default();
        while source.next_batch(&mut batch)? {
            events.count(&batch);
            count_opaque(&batch, source.tables(), &mut opaque);
            if source.header().values == Recorded::Yes {
                values.check(&batch, source.tables(), &mut order);
            }
        }
        let tables = source.tables();
        let names = NameCounts {
            threads: tables.threads.len(),
            vars: tables.vars.len(),
            locks: tables.locks.len(),
            messages: tables.messages.len(),
            sites: tables.sites.len(),
            methods: tables.methods.len(),
        };
        let mut opaque: Vec<(String, u64)> =
            opaque.into_iter().map(|(site, count)| (tables.site_name(site), count)).collect();
        opaque.sort_by_key(|&(_, count)| Reverse(count));
        let (format, header, duration) = (source.format(), source.header(), source.ending().duration);
        Ok(Census { format, header, events, names, order, opaque, duration })
    }
}

/// Counts the sections in which something happened that is not recorded.
fn count_opaque(batch: &Batch, tables: &Tables, opaque: &mut BTreeMap<SiteId, u64>) {
    for event in &batch.events {
        let Op::Receive(message) = event.op else { continue };
        // Of sections of the platform's own nothing else is to be expected.
        if tables.are_of_platform(event.site, event.site) {
            continue;
        }
        if tables.messages.get(message.index()).is_some_and(|info| info.kind == MessageKind::Sections) {
            *opaque.entry(event.site).or_default() += 1;
        }
    }
}

impl EventCounts {
    fn count(&mut self, batch: &Batch) {
        self.all += batch.events.len() as u64;
        self.values += batch.values.len() as u64;
        self.reach += batch.reach.len() as u64;
        for event in &batch.events {
            let count = match event.op {
                Op::Read(_) => &mut self.reads,
                Op::Write(_) => &mut self.writes,
                Op::Acquire(_, Mode::Write) => &mut self.acquires,
                Op::Acquire(_, Mode::Read) => &mut self.read_acquires,
                Op::Release(_, Mode::Write) => &mut self.releases,
                Op::Release(_, Mode::Read) => &mut self.read_releases,
                Op::Send(_) => &mut self.sends,
                Op::Receive(_) => &mut self.receives,
                Op::Fork(_) => &mut self.forks,
                Op::Join(_) => &mut self.joins,
                Op::Branch => &mut self.branches,
                Op::MethodBegin(_) => &mut self.begins,
                Op::MethodEnd(_) => &mut self.ends,
            };
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Event, SiteId, ThreadId, VarId};

    #[test]
    fn a_read_that_did_not_see_the_last_write_is_astray() {
        let steps = [
            (Op::Read(VarId(0)), Some(7)), // the first value is learnt
            (Op::Read(VarId(0)), Some(7)), // checked
            (Op::Write(VarId(0)), Some(8)),
            (Op::Read(VarId(0)), Some(7)), // astray, and learnt
            (Op::Read(VarId(0)), Some(7)), // checked
            (Op::Write(VarId(0)), None),   // unknown from here on
            (Op::Read(VarId(0)), Some(9)),
            (Op::Write(VarId(1)), Some(1)), // another location
            (Op::Read(VarId(0)), Some(9)),  // checked
        ];
        let mut batch = Batch::default();
        for (place, (op, value)) in (0..).zip(steps) {
            batch.events.push(Event { thread: ThreadId(0), site: SiteId(0), op });
            batch.values.extend(value.map(|value| (place, Value(value))));
        }
        let (mut values, mut order) = (Values::default(), Order::default());
        values.check(&batch, &Tables::default(), &mut order);
        assert_eq!(order, Order { checked: 4, astray: 1 });
    }
}
