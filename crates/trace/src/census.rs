//! What is in a trace: the numbers that `autodrome info` shows.

use std::time::Duration;

use model::{Mode, Op};

use crate::{Batch, Error, Format, Header, Source};

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

impl Census {
    /// Counts a trace from where it stands to its end.
    pub fn of(source: &mut dyn Source) -> Result<Census, Error> {
        let mut events = EventCounts::default();
        let mut batch = Batch::default();
        while source.next_batch(&mut batch)? {
            events.count(&batch);
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
        let (format, header, duration) = (source.format(), source.header(), source.ending().duration);
        Ok(Census { format, header, events, names, duration })
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
