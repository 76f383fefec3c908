//! Watchpoints of the processor: perf_event breakpoints, whose hits come as SIGTRAP to the thread that has just written.
//!
//! The handler allocates nothing and takes no lock: it compares words, walks the stack by AsyncGetCallTrace into memory that is
//! there since the start, and disables the event of its thread, so a place that is written all the time costs one signal for each
//! thread and watch. Signals that are not ours go to whoever handled SIGTRAP before.
//!
//! Only writes are watched: a compiler may load what the program does not read, and a collector's barrier does.
//! What it misses: writes of threads that started before the JVM was ready, of carriers of virtual threads, of threads beyond
//! [`MOST_ARMED`] at a time, and all writes that the kernel makes for a thread.
//! State: the words of [`Shared`], which the handler reads; a lock around events and threads, under which only the system is
//! called.

mod handler;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use std::collections::VecDeque;
use std::ffi::{CStr, c_int, c_long, c_void};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{null, null_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64, Ordering};
use std::time::Duration;

use jvmti_bindings::sys::jni::JNIEnv;
use model::ThreadId;
use runtime::WATCH_SLOTS;

use super::jni::{Jni, Object};
use super::jvmti::RawFrame;
use super::vmstructs::interpreter;
use crate::agent::lock;
use handler::{
    Action, BEING_READ, CELLS, Cell, EMPTY, FULL, GetCallTrace, Handler, SA_ONSTACK, SA_RESTART, SA_SIGINFO, SHARED,
    SIGTRAP, Shared, ThreadWords, dlsym, on_trap, packed, sigaction, syscall,
};

/// Threads that are known at once; those beyond are not watched.
const MOST_THREADS: usize = 1024;

/// Threads for which a location is watched at once. Opening an event takes microseconds.
const MOST_ARMED: usize = 64;

const SYS_PERF_EVENT_OPEN: c_long = 298;
const SYS_GETTID: c_long = 186;
const PERF_FLAG_FD_CLOEXEC: c_long = 8;
const PERF_TYPE_BREAKPOINT: u32 = 5;
const HW_BREAKPOINT_W: u32 = 2;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const REMOVE_ON_EXEC: u64 = 1 << 36;
const SIGNAL_ON_HIT: u64 = 1 << 37;

/// What the kernel is told of an event (`perf_event_attr`, as far as it is 128 bytes long).
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    watch_kind: u32,
    address: u64,
    length: u64,
    unused: [u64; 6],
    data: u64,
}

/// A hit that waits to be reported.
pub(crate) struct RawHit {
    /// Which watch it is of.
    pub(crate) turn: u64,
    /// Who wrote; `None` if the thread has no number.
    pub(crate) thread: Option<ThreadId>,
    /// Had the first thread handed nothing on?
    pub(crate) is_race: bool,
    /// Its stack, innermost frame first; empty if the JVM does not know it.
    pub(crate) frames: Vec<RawFrame>,
}

/// Where an access is: so far into an object, and so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) offset: usize,
    pub(crate) bytes: usize,
}

/// Why a location is not watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// All watchpoints of the processor are taken: by others, such as a debugger.
    Taken,
    /// The program handles SIGTRAP itself since then, so no watchpoint may be armed any more.
    Handled,
    /// The system has no more descriptors, or does not allow it any more.
    Denied,
}

/// The watchpoints of the processor for all threads of the process.
pub(crate) struct Hardware {
    shared: &'static Shared,
    events: Mutex<Events>,
}

#[derive(Default)]
struct Events {
    /// What is watched: which watch, where.
    armed: [Option<(u64, Attributes)>; WATCH_SLOTS],
    /// The events of a slot, with the thread's index.
    open: [Vec<(usize, OwnedFd)>; WATCH_SLOTS],
    /// The threads by index; those whose turn comes first are in front.
    live: VecDeque<usize>,
    free: Vec<usize>,
    left_out: u64,
}

fn this_thread() -> i32 {
    // SAFETY: no arguments.
    i32::try_from(unsafe { syscall(SYS_GETTID) }).unwrap_or(0)
}

fn symbol(name: &CStr) -> *mut c_void {
    // SAFETY: null asks in all that the process has loaded; the name ends in a zero byte.
    unsafe { dlsym(null_mut(), name.as_ptr()) }
}

fn current_action() -> Option<Action> {
    let mut action = Action { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
    // SAFETY: null changes nothing, the pointer is to a live value.
    (unsafe { sigaction(SIGTRAP, null(), &mut action) } == 0).then_some(action)
}

fn our_handler() -> usize {
    let handler: Handler = on_trap;
    handler as usize
}

impl Attributes {
    fn of(address: usize, bytes: usize) -> Attributes {
        Attributes {
            kind: PERF_TYPE_BREAKPOINT,
            size: size_of::<Attributes>() as u32,
            period: 1,
            flags: EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR | REMOVE_ON_EXEC | SIGNAL_ON_HIT,
            watch_kind: HW_BREAKPOINT_W,
            address: address as u64,
            length: bytes as u64,
            ..Attributes::default()
        }
    }

    /// Opens an event for a thread, by the kernel's number.
    fn open(&self, tid: i32) -> io::Result<OwnedFd> {
        let none: c_long = -1;
        let attributes: *const Attributes = self;
        // SAFETY: the kernel reads the attributes, which say their size.
        let event =
            unsafe { syscall(SYS_PERF_EVENT_OPEN, attributes, c_long::from(tid), none, none, PERF_FLAG_FD_CLOEXEC) };
        match c_int::try_from(event) {
            // SAFETY: the kernel has just made it, and nobody else has it.
            Ok(event @ 0..) => Ok(unsafe { OwnedFd::from_raw_fd(event) }),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Can events be had? Opens one for this thread and closes it again.
///
/// # Errors
///
/// What the system says.
pub(crate) fn probe() -> io::Result<()> {
    static WORD: AtomicU64 = AtomicU64::new(0);
    Attributes::of(std::ptr::from_ref(&WORD).addr(), size_of::<u64>()).open(0).map(drop)
}

/// Why there are no events, and how there can be.
fn explained(error: &io::Error) -> String {
    const ALLOW: &str = "set kernel.perf_event_paranoid to 2 or less; in a container, also let seccomp allow \
                         perf_event_open, or add CAP_PERFMON";
    let is = |errno: rustix::io::Errno| error.raw_os_error() == Some(errno.raw_os_error());
    if is(rustix::io::Errno::ACCESS) || is(rustix::io::Errno::PERM) {
        format!("the system does not allow perf events: {ALLOW}")
    } else if is(rustix::io::Errno::NOSPC) {
        "others, such as a debugger, have all watchpoints of the processor".to_owned()
    } else if is(rustix::io::Errno::INVAL) || is(rustix::io::Errno::TOOBIG) {
        "the kernel is older than 5.13, whose perf events cannot send signals".to_owned()
    } else {
        format!("the system has no perf events: {error}")
    }
}

impl Hardware {
    /// Takes over SIGTRAP. Once in a process.
    ///
    /// # Errors
    ///
    /// Why there are no such watchpoints here.
    pub(crate) fn open() -> Result<Hardware, String> {
        if !cfg!(target_arch = "x86_64") {
            return Err("they are used on x86-64 only".to_owned());
        }
        probe().map_err(|error| explained(&error))?;
        let trace = symbol(c"AsyncGetCallTrace");
        if trace.is_null() {
            return Err("this JVM has no AsyncGetCallTrace".to_owned());
        }
        // SAFETY: the function of this name is so declared.
        Hardware::walking_by(unsafe { std::mem::transmute::<*mut c_void, GetCallTrace>(trace) })
    }

    fn walking_by(call_trace: GetCallTrace) -> Result<Hardware, String> {
        let before = current_action().ok_or_else(|| "the system does not say who handles SIGTRAP".to_owned())?;
        let shared: &'static Shared = Box::leak(Box::new(Shared {
            slots: Default::default(),
            threads: (0..MOST_THREADS).map(|_| ThreadWords::default()).collect(),
            cells: (0..CELLS).map(|_| Cell::default()).collect(),
            call_trace,
            interpreter: Default::default(),
            before,
            lost: AtomicU64::new(0),
            spent: AtomicU64::new(0),
        }));
        SHARED.store(std::ptr::from_ref(shared).cast_mut(), Ordering::Release);
        let flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
        let ours = Action { handler: our_handler(), mask: [0; 16], flags, restorer: 0 };
        // SAFETY: the pointer is to a live value; the handler stays as long as the process lives.
        if unsafe { sigaction(SIGTRAP, &ours, null_mut()) } != 0 {
            return Err(format!("SIGTRAP cannot be handled: {}", io::Error::last_os_error()));
        }
        let free = (0..MOST_THREADS).rev().collect();
        Ok(Hardware { shared, events: Mutex::new(Events { free, ..Events::default() }) })
    }

    /// The JVM is ready: its interpreter is there. If it does not say where, what is interpreted is not attributed.
    pub(crate) fn begin(&self) {
        let Some(range) = interpreter() else { return };
        for (word, end) in self.shared.interpreter.iter().zip([range.start, range.end]) {
            word.store(end, Ordering::Release);
        }
    }

    /// The current thread has started; locations are watched for it too from now on.
    pub(crate) fn add_thread(&self, jni: Jni<'_>, id: ThreadId) {
        self.add(this_thread(), jni.raw(), id);
    }

    fn add(&self, tid: i32, env: *mut JNIEnv, id: ThreadId) {
        let mut events = lock(&self.events);
        // The JVM reports its first thread twice.
        if self.index_of(&events, tid).is_some() {
            return;
        }
        let Some(index) = events.free.pop() else {
            events.left_out += 1;
            return;
        };
        let Some(words) = self.shared.threads.get(index) else { return };
        words.tid.store(tid, Ordering::Release);
        words.id.store(id.0.wrapping_add(1), Ordering::Release);
        words.env.store(env, Ordering::Release);
        events.live.push_back(index);
        let events = &mut *events;
        for (slot, armed) in events.armed.iter_mut().enumerate() {
            if let (Some((turn, attributes)), Some(open)) = (armed, events.open.get_mut(slot)) {
                attributes.data = packed(slot, index, *turn);
                // Not watched for this thread then: whatever it does is missed.
                if let Ok(event) = attributes.open(tid) {
                    keep(words, slot, &event);
                    open.push((index, event));
                }
            }
        }
    }

    /// Which of the live threads has this number.
    fn index_of(&self, events: &Events, tid: i32) -> Option<usize> {
        let has = |words: &ThreadWords| words.tid.load(Ordering::Acquire) == tid;
        events.live.iter().position(|&index| self.shared.threads.get(index).is_some_and(has))
    }

    /// The current thread is about to end, or is none of the program's.
    pub(crate) fn remove_thread(&self) {
        let tid = this_thread();
        let mut events = lock(&self.events);
        let Some(position) = self.index_of(&events, tid) else { return };
        let events = &mut *events;
        let Some(index) = events.live.remove(position) else { return };
        if let Some(words) = self.shared.threads.get(index) {
            words.env.store(null_mut(), Ordering::Release);
            words.tid.store(0, Ordering::Release);
            words.events.iter().for_each(|event| event.store(-1, Ordering::Release));
        }
        events.open.iter_mut().for_each(|open| open.retain(|(of, _)| *of != index));
        events.free.push(index);
    }

    /// Watches a location of an object from now on, for all threads but the current one. `turn` is that of no other watch,
    /// and `clock` is at `moment`.
    ///
    /// Callers see to it that objects do not move meanwhile.
    pub(crate) fn arm(
        &self,
        (slot, turn): (usize, u64),
        (clock, moment): (&'static AtomicU64, u64),
        object: Object<'_>,
        spot: Spot,
    ) -> Result<(), Refusal> {
        // SAFETY: the reference is valid, so its handle holds the object's address, which does not change now.
        let object = unsafe { *(object.raw().map_addr(|handle| handle & !3)).cast::<usize>() };
        self.arm_at((slot, turn), (clock, moment), object.wrapping_add(spot.offset), spot.bytes)
    }

    fn arm_at(
        &self,
        (slot, turn): (usize, u64),
        (clock, moment): (&'static AtomicU64, u64),
        address: usize,
        bytes: usize,
    ) -> Result<(), Refusal> {
        if current_action().is_none_or(|action| action.handler != our_handler()) {
            return Err(Refusal::Handled);
        }
        let Some(words) = self.shared.slots.get(slot) else { return Err(Refusal::Denied) };
        words.clock.store(std::ptr::from_ref(clock).cast_mut(), Ordering::Release);
        words.moment.store(moment, Ordering::Release);
        words.turn.store(turn, Ordering::SeqCst);
        let (me, mut attributes) = (this_thread(), Attributes::of(address, bytes));
        let mut events = lock(&self.events);
        let events = &mut *events;
        let mut opened = Vec::new();
        let mut refused = None;
        // Each thread has its turn if there are too many.
        for _ in 0..events.live.len().min(MOST_ARMED) {
            let Some(&index) = events.live.front() else { break };
            events.live.rotate_left(1);
            let Some(thread) = self.shared.threads.get(index) else { continue };
            let tid = thread.tid.load(Ordering::Acquire);
            if tid == me {
                continue;
            }
            attributes.data = packed(slot, index, turn);
            match attributes.open(tid) {
                Ok(event) => {
                    keep(thread, slot, &event);
                    opened.push((index, event));
                }
                // The thread has ended.
                Err(error) if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => {}
                Err(error) => {
                    let is_taken = error.raw_os_error() == Some(rustix::io::Errno::NOSPC.raw_os_error());
                    refused = Some(if is_taken { Refusal::Taken } else { Refusal::Denied });
                    break;
                }
            }
        }
        if let Some(refusal) = refused {
            words.turn.store(0, Ordering::SeqCst);
            self.forget(slot, &opened);
            return Err(refusal);
        }
        if let (Some(armed), Some(open)) = (events.armed.get_mut(slot), events.open.get_mut(slot)) {
            *armed = Some((turn, attributes));
            *open = opened;
        }
        Ok(())
    }

    /// Watches nothing in this slot any more.
    pub(crate) fn disarm(&self, slot: usize) {
        if let Some(words) = self.shared.slots.get(slot) {
            words.turn.store(0, Ordering::SeqCst);
        }
        let mut events = lock(&self.events);
        let events = &mut *events;
        if let (Some(armed), Some(open)) = (events.armed.get_mut(slot), events.open.get_mut(slot)) {
            *armed = None;
            let closed = std::mem::take(open);
            self.forget(slot, &closed);
        }
    }

    /// The handler has no use for these events any more, which are about to be closed.
    fn forget(&self, slot: usize, closed: &[(usize, OwnedFd)]) {
        for (index, _) in closed {
            if let Some(event) = self.shared.threads.get(*index).and_then(|thread| thread.events.get(slot)) {
                event.store(-1, Ordering::Release);
            }
        }
    }

    /// Takes the hits that came since.
    pub(crate) fn hits(&self) -> Vec<RawHit> {
        // Two threads may ask at once, at the end of the JVM.
        let is_mine =
            |cell: &&Cell| cell.state.compare_exchange(FULL, BEING_READ, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        let full = self.shared.cells.iter().filter(is_mine);
        let take = |cell: &Cell| {
            let count = cell.count.load(Ordering::Relaxed) as usize;
            let frames = cell.bytecodes.iter().zip(&cell.methods).take(count);
            let frame = |(bytecode, method): (&AtomicI32, &AtomicPtr<c_void>)| {
                RawFrame::new(method.load(Ordering::Relaxed).cast(), bytecode.load(Ordering::Relaxed))
            };
            let hit = RawHit {
                turn: cell.turn.load(Ordering::Relaxed),
                thread: cell.thread.load(Ordering::Relaxed).checked_sub(1).map(ThreadId),
                is_race: cell.is_race.load(Ordering::Relaxed),
                frames: frames.map(frame).collect(),
            };
            cell.state.store(EMPTY, Ordering::Release);
            hit
        };
        full.map(take).collect()
    }

    /// Hits that nobody wrote down, and threads that were not watched because there were too many.
    pub(crate) fn left_out(&self) -> (u64, u64) {
        (self.shared.lost.load(Ordering::Relaxed), lock(&self.events).left_out)
    }

    /// The processor time that the handler took.
    pub(crate) fn spent(&self) -> Duration {
        Duration::from_nanos(self.shared.spent.load(Ordering::Relaxed))
    }
}

fn keep(thread: &ThreadWords, slot: usize, event: &OwnedFd) {
    if let Some(word) = thread.events.get(slot) {
        word.store(event.as_raw_fd(), Ordering::Release);
    }
}
