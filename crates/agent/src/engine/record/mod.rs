//! Recording: what the threads do, in the order in which it took effect, into a trace file (docs/adr/0004-record.md).
//!
//! Each event belongs to a block, which has a number of one sequence, and goes into the [`Ring`] of its thread. Accesses are
//! logged by the shim (AutodromeRecord.java) while it holds the lock that stands for the variable, so a read comes after the
//! write that it saw; acquiring operations are logged after they take effect, releasing ones before. One [`writer`] thread
//! brings the blocks back into one sequence. Synchronization always begins a block; docs/adr/0016 has why the order is one
//! that the program had.
//! State: the sequence and the stripes of locks lie in [`Recorder::shared`], which Java changes too.
//! Invariants: the first event of a block that was taken is in a ring at once, since room is made before; a thread that
//! waits for room holds no stripe; nobody waits once recording has stopped.

mod engine;
mod fields;
mod file;
mod hidden;
mod merge;
mod ring;
mod sections;
#[cfg(test)]
mod stress;
mod translate;
mod writer;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::mem::take;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use control::{BarrierData, Branches, Insides, RecordingOptions};
use model::{ObjectId, SiteId, ThreadId};
use report::{TraceFile, TraceState};
use runtime::Message;
use runtime::layout::{
    RECORD_FLOOR, RECORD_STOPPED, RECORD_STRIPES, RING_CAPACITY, RING_ROOM, STEP_BRANCH, STEP_ELEMENT, STEP_READ,
    STEP_VOLATILE, STEP_WRITE, STRIPE_BITS, STRIPE_INDEX_BITS,
};
use trace::{MessageInfo, MessageKind, VarInfo, VarKind};
use weave::Passes;

use crate::agent::{Agent, lock};
use crate::ffi::{Jni, Memory, Object};
use crate::files;
use crate::output::message;
pub(crate) use engine::Company;
pub(crate) use fields::Kind;
pub(crate) use file::claimed;
use hidden::{Found, ReachNews};
use ring::{Raw, Ring};
use sections::{SECTION_SHARDS, Sections, Track};

/// In the memory that Java shares: the next number of the sequence.
const SEQUENCE: usize = 0;

const FIRST_BLOCK: u64 = 1;

/// The writer takes about as long for a ring: to look more often costs more than it gains.
const BETWEEN_LOOKS: Duration = Duration::from_micros(500);

/// What a thread does, as rings have it. Java knows the first six, and branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Step {
    Read = STEP_READ,
    Write = STEP_WRITE,
    ReadElement = STEP_ELEMENT + STEP_READ,
    WriteElement = STEP_ELEMENT + STEP_WRITE,
    Receive = STEP_VOLATILE + STEP_READ,
    Send = STEP_VOLATILE + STEP_WRITE,
    Acquire = 6,
    Release = 7,
    Fork = 8,
    Join = 9,
    SendPast = 10,
    ReceivePast = 11,
    Branch = STEP_BRANCH,
    Begin = 13,
    End = 14,
}

/// What the ids in rings stand for, on its way to the writer.
#[derive(Default)]
struct News {
    variables: Vec<VarInfo>,
    variable_count: u32,
    messages: Vec<MessageInfo>,
    message_ids: HashMap<Message, u32>,
    /// By monitor, what a notification sends to those who wait at it.
    waiting: HashMap<u32, Vec<u32>>,
    message_count: u32,
    /// From which block on.
    arrays: Vec<(u64, ArrayNews)>,
    reach: ReachNews,
}

/// Arrays are known by numbers that are used again.
enum ArrayNews {
    Made { number: u32, length: usize, name: Arc<str>, descriptor: u8, object: ObjectId },
    Freed { number: u32 },
}

struct Thread {
    ring: Ring,
    track: Mutex<Track>,
}

#[derive(Default)]
struct Rings {
    of: HashMap<ThreadId, Arc<Thread>>,
    free: Vec<Ring>,
    all: Vec<Ring>,
}

/// What became of the recording so far.
#[derive(Default)]
struct Outcome {
    state: Mutex<TraceState>,
    events: AtomicU64,
    lost: AtomicU64,
}

/// The recording of this JVM.
pub(crate) struct Recorder {
    path: PathBuf,
    file: Mutex<Option<File>>,
    shared: Memory,
    started: Instant,
    rings: RwLock<Rings>,
    news: Mutex<News>,
    /// By monitor.
    sections: [Mutex<HashMap<u32, Sections>>; SECTION_SHARDS],
    writer: OnceLock<Mutex<Option<JoinHandle<()>>>>,
    outcome: Outcome,
    company: Company,
    branches: Branches,
    barriers: BarrierData,
    insides: Insides,
    /// A bit for each object from which all that it reached is known.
    walked: RwLock<Vec<u64>>,
    /// The static fields that hidden methods may synchronize through, with numbers as if they were objects.
    globals: Mutex<BTreeMap<String, u64>>,
}

impl Recorder {
    pub(crate) fn open(path: PathBuf, options: &RecordingOptions, company: Company) -> std::io::Result<Recorder> {
        let file = files::emptied(&path)?;
        let stripes = 1 << (STRIPE_INDEX_BITS + STRIPE_BITS);
        let shared = Memory::map(RECORD_STRIPES + stripes).ok_or(std::io::ErrorKind::OutOfMemory)?;
        // 0 is no block: a thread without one, and a ring in which none was closed, have it.
        if let Some(sequence) = shared.word(SEQUENCE) {
            sequence.store(FIRST_BLOCK, Ordering::SeqCst);
        }
        Ok(Recorder {
            path,
            file: Mutex::new(Some(file)),
            shared,
            started: Instant::now(),
            rings: RwLock::default(),
            news: Mutex::default(),
            sections: std::array::from_fn(|_| Mutex::default()),
            writer: OnceLock::new(),
            outcome: Outcome::default(),
            company,
            branches: options.branches,
            barriers: options.barriers,
            insides: options.insides,
            walked: RwLock::default(),
            globals: Mutex::default(),
        })
    }

    /// What is woven into the classes whose accesses are recorded.
    fn passes(&self) -> Passes {
        match self.branches {
            Branches::Unrecorded => Passes::RECORD,
            Branches::Recorded => Passes::RECORD | Passes::BRANCHES,
        }
    }

    /// Starts the writer.
    fn start_writer(&'static self, agent: &'static Agent) {
        let Some(file) = lock(&self.file).take() else { return };
        let writer = std::thread::Builder::new().name("autodrome-writer".to_owned());
        match writer.spawn(move || writer::run(self, agent, file)) {
            Ok(handle) => drop(self.writer.set(Mutex::new(Some(handle)))),
            Err(error) => self.fail(&error.to_string()),
        }
    }

    /// Where the memory lies that Java shares.
    pub(crate) fn shared(&self) -> usize {
        self.shared.address()
    }

    fn sequence(&self) -> Option<&'static AtomicU64> {
        self.shared.word(SEQUENCE)
    }

    fn next_number(&self) -> u64 {
        self.sequence().map_or(0, |sequence| sequence.load(Ordering::SeqCst))
    }

    fn stop(&self) {
        if let Some(stopped) = self.shared.word(RECORD_STOPPED) {
            stopped.store(1, Ordering::SeqCst);
        }
    }

    /// Recording ends here, and the program goes on.
    fn fail(&self, why: &str) {
        self.stop();
        *lock(&self.outcome.state) = TraceState::Stopped;
        message(&format!(
            "autodrome: cannot write the trace {}; recording stops, the program goes on",
            report::plain(why)
        ));
    }

    fn has_stopped(&self) -> bool {
        self.shared.word(RECORD_STOPPED).is_none_or(|stopped| stopped.load(Ordering::SeqCst) != 0)
    }

    /// What was logged by now is written, and the trace is closed.
    fn close(&self) {
        self.stop();
        self.wake_writer();
        let handle = self.writer.get().and_then(|handle| lock(handle).take());
        if let Some(handle) = handle {
            // A panic of the writer has had its message.
            let _ = handle.join();
        }
    }

    /// What became of the recording so far.
    fn trace_file(&self) -> TraceFile {
        TraceFile {
            file: self.path.display().to_string(),
            state: *lock(&self.outcome.state),
            events: self.outcome.events.load(Ordering::Relaxed),
            lost: self.outcome.lost.load(Ordering::Relaxed),
        }
    }

    fn wake_writer(&self) {
        if let Some(Some(handle)) = self.writer.get().map(|handle| lock(handle)).as_deref() {
            handle.thread().unpark();
        }
    }

    fn thread(&self, me: ThreadId) -> Option<Arc<Thread>> {
        if let Some(known) = self.rings.read().unwrap_or_else(PoisonError::into_inner).of.get(&me) {
            return Some(Arc::clone(known));
        }
        let mut rings = self.rings.write().unwrap_or_else(PoisonError::into_inner);
        let ring = match rings.free.pop() {
            Some(ring) => ring,
            None => {
                let ring = Ring::new()?;
                rings.all.push(ring);
                ring
            }
        };
        ring.start();
        let thread = Arc::new(Thread { ring, track: Mutex::default() });
        rings.of.insert(me, Arc::clone(&thread));
        Some(thread)
    }

    /// The thread logs nothing more. Another may go on in its ring: the events say whose they are.
    fn end(&self, me: ThreadId) {
        let mut rings = self.rings.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = rings.of.remove(&me) {
            rings.free.push(thread.ring);
        }
    }

    /// The ring of a thread, with room for what its next hook logs; `None` once recording has stopped.
    pub(crate) fn ring(&self, me: ThreadId) -> Option<usize> {
        let thread = self.thread(me)?;
        self.make_room(thread.ring).then(|| thread.ring.address())
    }

    /// Waits until the writer has made room, if there is not enough; not if recording has stopped. Who has to wait gets half
    /// a ring, so as not to wait again at once.
    fn make_room(&self, ring: Ring) -> bool {
        let mut enough = RING_ROOM;
        while !self.has_stopped() {
            if ring.room() >= enough {
                return true;
            }
            enough = RING_CAPACITY / 2;
            self.wake_writer();
            std::thread::sleep(BETWEEN_LOOKS);
        }
        false
    }

    fn log(&self, me: ThreadId, thread: &Thread, site: SiteId, step: Step, operand: u32) {
        let raw = Raw { step: step as u8, site: site.0, operand, thread: me.0, ..Raw::default() };
        self.log_raw(thread, raw);
    }

    fn log_raw(&self, thread: &Thread, raw: Raw) {
        // The shim has made room already if this happens between the hooks around an access.
        let has_room = thread.ring.room() > 0 && !self.has_stopped() || self.make_room(thread.ring);
        if let (true, Some(sequence)) = (has_room, self.sequence()) {
            let block = sequence.fetch_add(1, Ordering::SeqCst);
            thread.ring.put(&Raw { block, ..raw });
        }
    }

    fn log_one(&self, me: ThreadId, site: SiteId, step: Step, operand: u32) {
        if let Some(thread) = self.thread(me) {
            self.log(me, &thread, site, step, operand);
        }
    }

    pub(crate) fn forks(&self, me: ThreadId, child: ThreadId, site: SiteId) {
        self.log_one(me, site, Step::Fork, child.0);
    }

    pub(crate) fn joined(&self, me: ThreadId, ended: ThreadId, site: SiteId) {
        self.log_one(me, site, Step::Join, ended.0);
    }

    /// The thread has taken what all earlier sends of the message offered.
    fn receive(&self, me: ThreadId, message: Message, site: SiteId) {
        if let Some(id) = self.message(message) {
            self.log_one(me, site, Step::Receive, id);
        }
    }

    /// The thread hands a past on, or learns of one, through an object: inside the JDK, or through a volatile variable. The
    /// moment names it, and the object if it matters: a hidden method may reach it.
    pub(crate) fn past(&self, me: ThreadId, direction: Direction, moment: u32, object: u64) {
        let step = match direction {
            Direction::Sent => Step::SendPast,
            Direction::Received => Step::ReceivePast,
        };
        if let Some(thread) = self.thread(me) {
            let raw = Raw { step: step as u8, operand: moment, value: object, thread: me.0, ..Raw::default() };
            self.log_raw(&thread, raw);
        }
    }

    /// The number of a message.
    pub(crate) fn message(&self, message: Message) -> Option<u32> {
        let mut news = lock(&self.news);
        if let Some(&known) = news.message_ids.get(&message) {
            return Some(known);
        }
        let info = match message {
            Message::Field { object, field } => MessageInfo {
                name: format!("volatile field {field}").into(),
                kind: MessageKind::Volatile,
                object: ObjectId(object),
            },
            Message::Static(field) => MessageInfo {
                name: format!("volatile static field {field}").into(),
                kind: MessageKind::Volatile,
                object: ObjectId(0),
            },
            Message::Initializer(class) => MessageInfo {
                name: format!("initializer of class {class}").into(),
                kind: MessageKind::ClassInit,
                object: ObjectId(0),
            },
            Message::Interrupt(thread) => MessageInfo {
                name: format!("interrupt of thread {}", thread.0).into(),
                kind: MessageKind::Channel,
                object: ObjectId(0),
            },
        };
        let id = news.add_message(info)?;
        news.message_ids.insert(message, id);
        Some(id)
    }

    /// A name for a volatile field of an object.
    pub(crate) fn new_message(&self, name: &str, object: u64) -> Option<u32> {
        let info = MessageInfo { name: name.into(), kind: MessageKind::Volatile, object: ObjectId(object) };
        lock(&self.news).add_message(info)
    }

    /// A name for a plain field of an object, or for a static field.
    pub(crate) fn new_variable(&self, name: &str, kind: VarKind, object: u64) -> Option<u32> {
        let mut news = lock(&self.news);
        let id = news.variable_count;
        news.variable_count = id.checked_add(1)?;
        news.variables.push(VarInfo { name: name.into(), kind, object: ObjectId(object) });
        Some(id)
    }
}

/// Which way a past goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Sent,
    Received,
}

/// What was defined since the writer last asked.
struct PendingNames {
    variables: Vec<VarInfo>,
    messages: Vec<MessageInfo>,
    arrays: Vec<(u64, ArrayNews)>,
    reach: Found,
}

impl News {
    fn take(&mut self) -> PendingNames {
        PendingNames {
            variables: take(&mut self.variables),
            messages: take(&mut self.messages),
            arrays: take(&mut self.arrays),
            reach: take(&mut self.reach.found),
        }
    }

    fn add_message(&mut self, info: MessageInfo) -> Option<u32> {
        let id = self.message_count;
        self.message_count = id.checked_add(1)?;
        self.messages.push(info);
        Some(id)
    }
}

/// Synchronization that is no access of woven code: whoever sees it reports it here, in one call for each side.
impl Agent {
    /// The thread is about to offer what it did to whoever receives the message later.
    pub(crate) fn record_send(&self, me: ThreadId, key: Message, site: SiteId) {
        let Some(recorder) = self.recorder() else { return };
        if let Some(id) = recorder.message(key) {
            recorder.log_one(me, site, Step::Send, id);
        }
    }

    /// The thread has taken what all earlier sends of the message offered.
    pub(crate) fn record_receive(&self, me: ThreadId, key: Message, site: SiteId) {
        if let Some(recorder) = self.recorder() {
            recorder.receive(me, key, site);
        }
    }
}

/// An array has got a number.
pub(crate) fn array_made<'a>(jni: Jni<'a>, array: Object<'a>, number: u32, length: usize) {
    let Some(agent) = Agent::get() else { return };
    let Some(recorder) = agent.recorder() else { return };
    let object = ObjectId(agent.identity(array).unwrap_or(0));
    let array = agent.array(jni, array);
    let descriptor = array.as_ref().and_then(|array| array.descriptor.bytes().next()).unwrap_or(0);
    let name = array.map_or_else(String::new, |array| array.identity());
    let mut news = lock(&recorder.news);
    let now = recorder.next_number();
    // Who finds the number at the array logs its access in a later block than any access to the array that had it before.
    if let Some(floor) = recorder.shared.word(RECORD_FLOOR) {
        floor.store(now, Ordering::SeqCst);
    }
    news.arrays.push((now, ArrayNews::Made { number, length, name: name.into(), descriptor, object }));
}

/// An array is gone; its number may become another's.
pub(crate) fn array_freed(number: u32) {
    let Some(recorder) = Agent::get().and_then(Agent::recorder) else { return };
    let mut news = lock(&recorder.news);
    let now = recorder.next_number();
    news.arrays.push((now, ArrayNews::Freed { number }));
}

/// Is a thread about to log an access to an array of this number? Then it must not become another array's.
pub(crate) fn is_accessed(number: u32) -> bool {
    let Some(recorder) = Agent::get().and_then(Agent::recorder) else { return false };
    let rings = recorder.rings.read().unwrap_or_else(PoisonError::into_inner);
    rings.all.iter().any(|ring| ring.accesses(number))
}
