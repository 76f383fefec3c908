//! From the numbers in rings to the ids of the trace, and what these stand for.
//!
//! Fields have a number of their own in the object; elements have the array's and an index, and get an id when they are
//! first accessed. An array's number may become another's: news of arrays have their place in the sequence.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use model::{Event, LockId, MessageId, MethodId, Mode, ObjectId, Op, SiteId, ThreadId, Value, VarId};
use runtime::layout::{STEP_HAS_VALUE, STEP_IS_REFERENCE};
use trace::{
    LockInfo, LockKind, MessageInfo, MessageKind, MethodInfo, Part, SiteInfo, StableName, Tables, ThreadInfo, VarInfo,
    VarKind,
};

use super::hidden::Reach;
use super::ring::Raw;
use super::{ArrayNews, PendingNames, Recorder, Step};
use crate::agent::Agent;
use crate::races;
use crate::sites::dotted;

/// An array's elements; the id of one is 0 until it is accessed, else one more than it is.
struct Array {
    name: Arc<str>,
    object: ObjectId,
    /// The first letter of its elements' descriptor.
    descriptor: u8,
    elements: Vec<u32>,
}

/// A site that was met.
#[derive(Clone, Copy)]
struct Site {
    id: SiteId,
    /// The first letter of its field's descriptor, or 0.
    descriptor: u8,
}

/// An event of the trace, and what is recorded beside it.
pub(super) struct Translated {
    pub(super) event: Event,
    pub(super) value: Option<Value>,
    pub(super) reach: Option<Box<[ObjectId]>>,
}

pub(super) struct Translation {
    agent: &'static Agent,
    recorder: &'static Recorder,
    /// By number, with the object that they belong to.
    variables: Vec<(VarId, ObjectId)>,
    messages: Vec<(MessageId, ObjectId)>,
    /// By the moment that names them, and the object.
    pasts: HashMap<(u32, u64), MessageId>,
    /// The site of hand-overs, once there was one.
    inside: Option<Site>,
    sites: Vec<Option<Site>>,
    locks: HashMap<u32, LockId>,
    methods: HashMap<Arc<str>, MethodId>,
    reach: Reach,
    /// Whether anybody asks what can be reached.
    hides: bool,
    /// By number.
    arrays: Vec<Option<Array>>,
    /// What is to be learned of arrays, and from which block on.
    news: VecDeque<(u64, ArrayNews)>,
    news_from: u64,
    names: HashMap<Arc<str>, Arc<str>>,
    /// The classes and methods for which the table of stable names has a row.
    stable: HashSet<String>,
    /// How many locations there are; the writer forgets those that it has written.
    locations: u32,
    /// How many messages there are, likewise.
    message_count: u32,
    /// Events of which nothing was known.
    pub(super) lost: u64,
}

impl Translation {
    pub(super) fn new(agent: &'static Agent, recorder: &'static Recorder) -> Translation {
        Translation {
            agent,
            recorder,
            variables: Vec::new(),
            messages: Vec::new(),
            pasts: HashMap::new(),
            inside: None,
            sites: Vec::new(),
            locks: HashMap::new(),
            methods: HashMap::new(),
            reach: Reach::new(recorder.barrier_data()),
            hides: agent.hidden.is_some(),
            arrays: Vec::new(),
            news: VecDeque::new(),
            news_from: u64::MAX,
            names: HashMap::new(),
            stable: HashSet::new(),
            locations: 0,
            message_count: 0,
            lost: 0,
        }
    }

    /// Takes in what numbers stand for.
    pub(super) fn learn(&mut self, news: PendingNames, tables: &mut Tables) {
        let PendingNames { variables, messages, arrays, reach } = news;
        self.reach.learn(reach);
        for mut info in variables {
            if let (VarKind::Field | VarKind::Static, false) = (info.kind, self.names.contains_key(&info.name)) {
                let class = info.name.rsplit_once('.').map_or("", |(class, _)| class);
                self.name_class(class, tables);
            }
            // A class has many objects: they share the name of a field.
            info.name = Arc::clone(self.names.entry(Arc::clone(&info.name)).or_insert(info.name));
            self.variables.push((VarId(self.locations), info.object));
            self.locations = self.locations.saturating_add(1);
            tables.vars.push(info);
        }
        for mut info in messages {
            info.name = Arc::clone(self.names.entry(Arc::clone(&info.name)).or_insert(info.name));
            let object = info.object;
            let id = self.add_message(info, tables);
            self.messages.push((id, object));
        }
        self.news.extend(arrays);
        self.await_news();
    }

    fn await_news(&mut self) {
        self.news_from = self.news.front().map_or(u64::MAX, |&(since, _)| since);
    }

    /// Learns of arrays what an event may rely on.
    #[cold]
    fn learn_arrays(&mut self, block: u64) {
        while self.news.front().is_some_and(|(since, _)| *since <= block) {
            let Some((_, news)) = self.news.pop_front() else { break };
            match news {
                ArrayNews::Made { number, length, name, descriptor, object } => {
                    let name = Arc::clone(self.names.entry(Arc::clone(&name)).or_insert(name));
                    self.set_array(number, Some(Array { name, object, descriptor, elements: vec![0; length] }));
                }
                ArrayNews::Freed { number } => self.set_array(number, None),
            }
        }
        self.await_news();
    }

    fn add_message(&mut self, info: MessageInfo, tables: &mut Tables) -> MessageId {
        tables.messages.push(info);
        self.message_count = self.message_count.saturating_add(1);
        MessageId(self.message_count - 1)
    }

    /// The message that a past is, from when it is sent on.
    fn sent_past(&mut self, past: (u32, u64), tables: &mut Tables) -> MessageId {
        if let Some(&known) = self.pasts.get(&past) {
            return known;
        }
        let name: Arc<str> = "hand-over".into();
        let name = Arc::clone(self.names.entry(Arc::clone(&name)).or_insert(name));
        let info = MessageInfo { name, kind: MessageKind::Channel, object: ObjectId(past.1) };
        let id = self.add_message(info, tables);
        self.pasts.insert(past, id);
        // Who receives it may not know by which object it came.
        self.pasts.entry((past.0, 0)).or_insert(id);
        id
    }

    fn received_past(&mut self, raw: &Raw, tables: &mut Tables) -> Option<MessageId> {
        let known = self.pasts.get(&past(raw)).or_else(|| self.pasts.get(&(raw.operand, 0))).copied();
        // Perhaps of a hidden method: that something came by this object is all that is known.
        known.or_else(|| (raw.value != 0).then(|| self.sent_past(past(raw), tables)))
    }

    /// Where hand-overs happen: nobody knows more.
    fn inside(&mut self, tables: &mut Tables) -> Site {
        *self.inside.get_or_insert_with(|| {
            let site = Site { id: SiteId(next(&tables.sites)), descriptor: 0 };
            tables.sites.push(SiteInfo { part: Part::Platform, ..SiteInfo::named("inside the JDK") });
            site
        })
    }

    /// What an event is in the trace, if anything.
    #[inline]
    pub(super) fn translate(&mut self, raw: &Raw, tables: &mut Tables) -> Option<Translated> {
        if raw.block >= self.news_from {
            self.learn_arrays(raw.block);
        }
        let Some(op) = self.operation(raw, tables) else {
            // What came with the others of a merged past is not lost.
            self.lost += u64::from(step(raw) != Some(Step::ReceivePast));
            return None;
        };
        let site = match step(raw) {
            Some(Step::SendPast | Step::ReceivePast) => self.inside(tables),
            _ => self.site(SiteId(raw.site), tables),
        };
        let thread = self.name_thread(ThreadId(raw.thread), tables);
        let reach = match op {
            Op::MethodBegin(_) => self.reach.objects(raw.value, self.recorder),
            _ => None,
        };
        if self.hides && raw.step & STEP_IS_REFERENCE != 0 {
            if let Some(holder) = self.holder(raw) {
                self.reach.refer(holder.0, raw.value);
            }
        }
        let descriptor = match step(raw) {
            Some(Step::WriteElement) => self.array(raw).map_or(0, |array| array.descriptor),
            _ => site.descriptor,
        };
        let value = (raw.step & STEP_HAS_VALUE != 0).then(|| Value(narrow(raw.value, descriptor)));
        Some(Translated { event: Event { thread, site: site.id, op }, value, reach })
    }

    #[inline]
    fn operation(&mut self, raw: &Raw, tables: &mut Tables) -> Option<Op> {
        Some(match step(raw)? {
            Step::Read => Op::Read(self.variables.get(raw.operand as usize)?.0),
            Step::Write => Op::Write(self.variables.get(raw.operand as usize)?.0),
            Step::ReadElement => Op::Read(self.element(raw, tables)?),
            Step::WriteElement => Op::Write(self.element(raw, tables)?),
            Step::Receive => Op::Receive(self.messages.get(raw.operand as usize)?.0),
            Step::Send => Op::Send(self.messages.get(raw.operand as usize)?.0),
            Step::Acquire => Op::Acquire(self.lock(raw.operand, tables), Mode::Write),
            Step::Release => Op::Release(self.lock(raw.operand, tables), Mode::Write),
            Step::Fork => Op::Fork(self.name_thread(ThreadId(raw.operand), tables)),
            Step::Join => Op::Join(self.name_thread(ThreadId(raw.operand), tables)),
            Step::SendPast => Op::Send(self.sent_past(past(raw), tables)),
            Step::ReceivePast => Op::Receive(self.received_past(raw, tables)?),
            Step::Branch => Op::Branch,
            Step::Begin => Op::MethodBegin(self.method(SiteId(raw.site), tables)),
            Step::End => Op::MethodEnd(self.method(SiteId(raw.site), tables)),
        })
    }

    /// The object into which an event writes.
    fn holder(&self, raw: &Raw) -> Option<ObjectId> {
        match step(raw)? {
            Step::Write => self.variables.get(raw.operand as usize).map(|&(_, object)| object),
            Step::WriteElement => self.array(raw).map(|array| array.object),
            Step::Send => self.messages.get(raw.operand as usize).map(|&(_, object)| object),
            _ => None,
        }
    }

    #[inline]
    fn array(&self, raw: &Raw) -> Option<&Array> {
        self.arrays.get(raw.operand as usize)?.as_ref()
    }

    /// The hidden method of a site.
    fn method(&mut self, site: SiteId, tables: &mut Tables) -> MethodId {
        let info = self.agent.sites.get(site);
        let name = info.map_or_else(String::new, |info| format!("{}.{}", dotted(&info.class), info.method));
        *self.methods.entry(name.as_str().into()).or_insert_with(|| {
            tables.methods.push(MethodInfo::named(&name));
            MethodId(next(&tables.methods) - 1)
        })
    }

    #[inline]
    fn element(&mut self, raw: &Raw, tables: &mut Tables) -> Option<VarId> {
        let array = self.arrays.get_mut(raw.operand as usize)?.as_mut()?;
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

    fn set_array(&mut self, number: u32, array: Option<Array>) {
        let place = number as usize;
        if place >= self.arrays.len() {
            self.arrays.resize_with(place + 1, || None);
        }
        if let Some(entry) = self.arrays.get_mut(place) {
            *entry = array;
        }
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

    #[inline]
    fn site(&mut self, site: SiteId, tables: &mut Tables) -> Site {
        match self.sites.get(site.index()) {
            Some(&Some(known)) => known,
            _ => self.find_site(site, tables),
        }
    }

    #[cold]
    fn find_site(&mut self, site: SiteId, tables: &mut Tables) -> Site {
        let info = self.agent.sites.get(site);
        let name = info.as_ref().map_or_else(String::new, |info| races::frame(info).to_string());
        if let Some(info) = &info {
            self.name_method(&dotted(&info.class), &info.method, tables);
        }
        let field = info.as_ref().and_then(|info| info.field.as_ref());
        let descriptor = field.and_then(|field| field.descriptor.bytes().next()).unwrap_or(0);
        let found = Site { id: SiteId(next(&tables.sites)), descriptor };
        let is_of_jdk = info.is_some_and(|info| info.is_of_jdk());
        let part = if is_of_jdk { Part::Platform } else { Part::Program };
        tables.sites.push(SiteInfo { part, ..SiteInfo::named(&name) });
        if site.index() >= self.sites.len() {
            self.sites.resize(site.index() + 1, None);
        }
        if let Some(entry) = self.sites.get_mut(site.index()) {
            *entry = Some(found);
        }
        found
    }

    /// Gives a class its stable name, if that is another.
    fn name_class(&mut self, class: &str, tables: &mut Tables) -> String {
        let stable = self.agent.stable_names.class(class);
        self.add_stable(class.to_owned(), &stable, tables);
        stable
    }

    /// Gives a method its stable name, if that is more than the stable name of its class with its own.
    fn name_method(&mut self, class: &str, method: &str, tables: &mut Tables) {
        let stable_class = self.name_class(class, tables);
        let stable = self.agent.stable_names.method(class, method);
        if stable != format!("{stable_class}.{method}") {
            self.add_stable(format!("{class}.{method}"), &stable, tables);
        }
    }

    fn add_stable(&mut self, name: String, stable: &str, tables: &mut Tables) {
        if name != stable && !self.stable.contains(&name) {
            tables.stable_names.push(StableName { name: name.as_str().into(), stable: stable.into() });
            self.stable.insert(name);
        }
    }

    /// Threads have the numbers that they have everywhere.
    #[inline]
    fn name_thread(&self, thread: ThreadId, tables: &mut Tables) -> ThreadId {
        if tables.threads.len() <= thread.index() {
            self.find_threads(thread, tables);
        }
        thread
    }

    #[cold]
    fn find_threads(&self, thread: ThreadId, tables: &mut Tables) {
        while tables.threads.len() <= thread.index() {
            let id = ThreadId(next(&tables.threads));
            tables.threads.push(match self.agent.thread_info(id) {
                Some(info) => ThreadInfo {
                    title: Some(info.name.into()),
                    object: ObjectId(self.agent.thread_object(id).unwrap_or(0)),
                    ..ThreadInfo::named(&format!("T{}", info.java_id))
                },
                None => ThreadInfo::default(),
            });
        }
    }
}

fn step(raw: &Raw) -> Option<Step> {
    STEPS.get(usize::from(raw.step & !(STEP_HAS_VALUE | STEP_IS_REFERENCE))).copied()
}

/// The moment of a hand-over, and the object.
fn past(raw: &Raw) -> (u32, u64) {
    (raw.operand, raw.value)
}

const STEPS: [Step; 15] = [
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
    Step::SendPast,
    Step::ReceivePast,
    Step::Branch,
    Step::Begin,
    Step::End,
];

fn next<T>(table: &[T]) -> u32 {
    u32::try_from(table.len()).unwrap_or(u32::MAX)
}

/// What a field or an element keeps of a value on the stack.
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
