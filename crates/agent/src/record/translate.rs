//! From the numbers in rings to the ids of the trace, and what these stand for.
//!
//! Fields have a number of their own in the object; elements have the array's and an index, and get an id when they are
//! first accessed. An array's number may become another's: news of arrays have their place in the sequence.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use model::{Event, LockId, MessageId, Mode, ObjectId, Op, SiteId, ThreadId, Value, VarId};
use trace::{Batch, LockInfo, LockKind, MessageInfo, SiteInfo, Tables, ThreadInfo, VarInfo, VarKind};

use super::ring::Raw;
use super::{ArrayNews, HAS_VALUE, Step};
use crate::agent::Agent;
use crate::races;

/// An array's elements; the id of one is 0 until it is accessed, else one more than it is.
struct Array {
    name: Arc<str>,
    object: ObjectId,
    elements: Vec<u32>,
}

/// A site that was met.
#[derive(Clone, Copy)]
struct Site {
    id: SiteId,
    /// The first letter of its field's descriptor, or 0.
    descriptor: u8,
}

pub(super) struct Translation {
    agent: &'static Agent,
    /// By number.
    variables: Vec<VarId>,
    messages: Vec<MessageId>,
    sites: Vec<Option<Site>>,
    locks: HashMap<u32, LockId>,
    arrays: HashMap<u32, Array>,
    news: VecDeque<(u64, ArrayNews)>,
    names: HashMap<Arc<str>, Arc<str>>,
    /// How many locations there are; the writer forgets those that it has written.
    locations: u32,
    /// Events of which nothing was known.
    pub(super) lost: u64,
}

impl Translation {
    pub(super) fn new(agent: &'static Agent) -> Translation {
        Translation {
            agent,
            variables: Vec::new(),
            messages: Vec::new(),
            sites: Vec::new(),
            locks: HashMap::new(),
            arrays: HashMap::new(),
            news: VecDeque::new(),
            names: HashMap::new(),
            locations: 0,
            lost: 0,
        }
    }

    /// Takes in what numbers stand for.
    pub(super) fn learn(
        &mut self,
        variables: Vec<VarInfo>,
        messages: Vec<MessageInfo>,
        arrays: Vec<(u64, ArrayNews)>,
        tables: &mut Tables,
    ) {
        for mut info in variables {
            // A class has many objects: they share the name of a field.
            info.name = Arc::clone(self.names.entry(Arc::clone(&info.name)).or_insert(info.name));
            self.variables.push(VarId(self.locations));
            self.locations = self.locations.saturating_add(1);
            tables.vars.push(info);
        }
        for mut info in messages {
            info.name = Arc::clone(self.names.entry(Arc::clone(&info.name)).or_insert(info.name));
            self.messages.push(MessageId(next(&self.messages)));
            tables.messages.push(info);
        }
        self.news.extend(arrays);
    }

    /// Appends an event to the batch.
    pub(super) fn translate(&mut self, raw: &Raw, tables: &mut Tables, batch: &mut Batch) {
        while self.news.front().is_some_and(|(since, _)| *since <= raw.sequence) {
            let Some((_, news)) = self.news.pop_front() else { break };
            match news {
                ArrayNews::Made { number, length, name, object } => {
                    let name = Arc::clone(self.names.entry(Arc::clone(&name)).or_insert(name));
                    self.arrays.insert(number, Array { name, object, elements: vec![0; length] });
                }
                ArrayNews::Freed { number } => drop(self.arrays.remove(&number)),
            }
        }
        let site = self.site(SiteId(raw.site), tables);
        let Some(op) = self.operation(raw, tables) else {
            self.lost += 1;
            return;
        };
        self.name_thread(ThreadId(raw.thread), tables);
        if raw.step & HAS_VALUE != 0 {
            let place = u32::try_from(batch.events.len()).unwrap_or(u32::MAX);
            batch.values.push((place, Value(narrow(raw.value, site.descriptor))));
        }
        batch.events.push(Event { thread: ThreadId(raw.thread), site: site.id, op });
    }

    fn operation(&mut self, raw: &Raw, tables: &mut Tables) -> Option<Op> {
        let step = raw.step & !HAS_VALUE;
        Some(match STEPS.get(usize::from(step))? {
            Step::Read => Op::Read(*self.variables.get(raw.operand as usize)?),
            Step::Write => Op::Write(*self.variables.get(raw.operand as usize)?),
            Step::ReadElement => Op::Read(self.element(raw, tables)?),
            Step::WriteElement => Op::Write(self.element(raw, tables)?),
            Step::Receive => Op::Receive(*self.messages.get(raw.operand as usize)?),
            Step::Send => Op::Send(*self.messages.get(raw.operand as usize)?),
            Step::Acquire => Op::Acquire(self.lock(raw.operand, tables), Mode::Write),
            Step::Release => Op::Release(self.lock(raw.operand, tables), Mode::Write),
            Step::Fork => Op::Fork(self.name_thread(ThreadId(raw.operand), tables)),
            Step::Join => Op::Join(self.name_thread(ThreadId(raw.operand), tables)),
        })
    }

    fn element(&mut self, raw: &Raw, tables: &mut Tables) -> Option<VarId> {
        let array = self.arrays.get_mut(&raw.operand)?;
        let id = array.elements.get_mut(raw.index as usize)?;
        if *id == 0 {
            tables.vars.push(VarInfo {
                name: Arc::clone(&array.name),
                kind: VarKind::Element(raw.index),
                object: array.object,
            });
            self.locations = self.locations.saturating_add(1);
            *id = self.locations;
        }
        Some(VarId(*id - 1))
    }

    fn lock(&mut self, tag: u32, tables: &mut Tables) -> LockId {
        if let Some(&known) = self.locks.get(&tag) {
            return known;
        }
        let id = LockId(next(&tables.locks));
        let name: Arc<str> = self.agent.name_of_monitor(LockId(tag)).into();
        let name = Arc::clone(self.names.entry(Arc::clone(&name)).or_insert(name));
        tables.locks.push(LockInfo { name, kind: LockKind::Monitor, object: ObjectId(u64::from(tag)) });
        self.locks.insert(tag, id);
        id
    }

    fn site(&mut self, site: SiteId, tables: &mut Tables) -> Site {
        if let Some(&Some(known)) = self.sites.get(site.index()) {
            return known;
        }
        let info = self.agent.sites.get(site);
        let name = info.as_ref().map_or_else(String::new, |info| races::frame(info).to_string());
        let field = info.as_ref().and_then(|info| info.field.as_ref());
        let descriptor = field.and_then(|field| field.descriptor.bytes().next()).unwrap_or(0);
        let found = Site { id: SiteId(next(&tables.sites)), descriptor };
        tables.sites.push(SiteInfo::named(&name));
        if site.index() >= self.sites.len() {
            self.sites.resize(site.index() + 1, None);
        }
        if let Some(entry) = self.sites.get_mut(site.index()) {
            *entry = Some(found);
        }
        found
    }

    /// Threads have the numbers that they have everywhere.
    fn name_thread(&self, thread: ThreadId, tables: &mut Tables) -> ThreadId {
        while tables.threads.len() <= thread.index() {
            let id = ThreadId(next(&tables.threads));
            tables.threads.push(match self.agent.thread_info(id) {
                Some(info) => ThreadInfo {
                    title: Some(info.name.as_str().into()),
                    ..ThreadInfo::named(&format!("T{}", info.java_id))
                },
                None => ThreadInfo::default(),
            });
        }
        thread
    }
}

const STEPS: [Step; 10] = [
    Step::Read,
    Step::Write,
    Step::ReadElement,
    Step::WriteElement,
    Step::Receive,
    Step::Send,
    Step::Acquire,
    Step::Release,
    Step::Fork,
    Step::Join,
];

fn next<T>(table: &[T]) -> u32 {
    u32::try_from(table.len()).unwrap_or(u32::MAX)
}

/// What the field keeps of a value on the stack.
fn narrow(value: u64, descriptor: u8) -> u64 {
    match descriptor {
        b'Z' => value & 1,
        b'B' => value as i8 as u64,
        b'C' => value as u16 as u64,
        b'S' => value as i16 as u64,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_in_the_order_of_their_numbers() {
        assert!(STEPS.iter().enumerate().all(|(place, step)| *step as usize == place));
    }

    #[test]
    fn a_field_keeps_what_its_type_holds() {
        let minus = u64::MAX;
        assert_eq!(
            [b'Z', b'B', b'C', b'S', b'I', b'J'].map(|d| narrow(minus, d)),
            [1, minus, 0xffff, minus, minus, minus]
        );
        assert_eq!(narrow(0x1_80, b'B'), 0xffff_ffff_ffff_ff80);
    }
}
