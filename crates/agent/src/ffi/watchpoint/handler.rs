//! The handler of SIGTRAP, and the words that it reads and writes. Nothing in here allocates, locks or panics when a signal comes.

use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use jvmti_bindings::sys::jni::{JNIEnv, jint, jmethodID};
use runtime::WATCH_SLOTS;

/// Hits that wait to be reported.
pub(super) const CELLS: usize = 16;

/// Frames of a hit.
pub(super) const FRAMES: usize = 128;

pub(super) const SIGTRAP: c_int = 5;
pub(super) const SA_SIGINFO: c_int = 4;
pub(super) const SA_RESTART: c_int = 0x1000_0000;
pub(super) const SA_ONSTACK: c_int = 0x0800_0000;
/// The code of a signal that an event has sent.
pub(super) const TRAP_PERF: i32 = 6;
/// The signal came later than the access, since it was blocked.
pub(super) const TRAP_PERF_ASYNC: u32 = 1;
pub(super) const PERF_EVENT_IOC_DISABLE: c_long = 0x2401;
/// Where a context has the program counter, the frame pointer, and the register in which the interpreter has the address of the
/// bytecode: registers start at 40.
pub(super) const PROGRAM_COUNTER: usize = 40 + 16 * 8;
pub(super) const FRAME_POINTER: usize = 40 + 10 * 8;
pub(super) const INTERPRETED: usize = 40 + 5 * 8;

/// Where the interpreter's frames keep that address, below the frame pointer.
pub(super) const KEPT_BYTECODE: usize = 8 * 8;

/// What our events' signals carry in their upper bits.
pub(super) const MARK: u64 = 0xad0d;
pub(super) const TURN_BITS: u32 = 28;
pub(super) const THREAD_BITS: u32 = 16;
pub(super) const SLOT_BITS: u32 = 4;

/// What a signal of an event says (`siginfo_t`).
#[repr(C)]
pub(super) struct SignalInfo {
    pub(super) signal: i32,
    pub(super) errno: i32,
    pub(super) code: i32,
    pub(super) padding: i32,
    pub(super) address: u64,
    pub(super) data: u64,
    pub(super) kind: u32,
    pub(super) flags: u32,
}

/// `struct sigaction` of the C library.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Action {
    pub(super) handler: usize,
    pub(super) mask: [u64; 16],
    pub(super) flags: c_int,
    pub(super) restorer: usize,
}

pub(super) type Handler = unsafe extern "C" fn(c_int, *mut SignalInfo, *mut c_void);

/// A frame as AsyncGetCallTrace gives it.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct CallFrame {
    pub(super) bytecode: jint,
    pub(super) method: jmethodID,
}

#[repr(C)]
pub(super) struct CallTrace {
    pub(super) env: *mut JNIEnv,
    pub(super) count: jint,
    pub(super) frames: *mut CallFrame,
}

pub(super) type GetCallTrace = unsafe extern "C" fn(*mut CallTrace, jint, *mut c_void);

unsafe extern "C" {
    pub(super) fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    pub(super) fn syscall(number: c_long, ...) -> c_long;
    pub(super) fn ioctl(descriptor: c_int, request: c_long, ...) -> c_int;
    pub(super) fn sigaction(signal: c_int, new: *const Action, old: *mut Action) -> c_int;
    pub(super) fn raise(signal: c_int) -> c_int;
    pub(super) fn __errno_location() -> *mut c_int;
}

/// What is watched in a slot, for the handler.
#[derive(Default)]
pub(super) struct SlotWords {
    /// Which watch it is; 0 is none.
    pub(super) turn: AtomicU64,
    pub(super) clock: AtomicPtr<AtomicU64>,
    /// The clock when the first access was made.
    pub(super) moment: AtomicU64,
    /// The turn whose race was found; the others of it are not asked for.
    pub(super) hit: AtomicU64,
}

/// A thread for the handler.
pub(super) struct ThreadWords {
    /// As the kernel numbers it; 0 is no thread.
    pub(super) tid: AtomicI32,
    /// The agent's number plus one.
    pub(super) id: AtomicU32,
    pub(super) env: AtomicPtr<JNIEnv>,
    pub(super) events: [AtomicI32; WATCH_SLOTS],
}

impl Default for ThreadWords {
    fn default() -> Self {
        ThreadWords {
            tid: AtomicI32::new(0),
            id: AtomicU32::new(0),
            env: AtomicPtr::new(null_mut()),
            events: [const { AtomicI32::new(-1) }; WATCH_SLOTS],
        }
    }
}

pub(super) const EMPTY: u32 = 0;
pub(super) const BEING_WRITTEN: u32 = 1;
pub(super) const FULL: u32 = 2;
pub(super) const BEING_READ: u32 = 3;

/// A hit. Whoever brings `state` from empty to being written has the rest of it, until it is full; then whoever empties it.
pub(super) struct Cell {
    pub(super) state: AtomicU32,
    pub(super) turn: AtomicU64,
    pub(super) thread: AtomicU32,
    pub(super) count: AtomicU32,
    pub(super) is_race: AtomicBool,
    pub(super) bytecodes: [AtomicI32; FRAMES],
    pub(super) methods: [AtomicPtr<c_void>; FRAMES],
}

impl Default for Cell {
    fn default() -> Self {
        Cell {
            state: AtomicU32::new(EMPTY),
            turn: AtomicU64::new(0),
            thread: AtomicU32::new(0),
            count: AtomicU32::new(0),
            is_race: AtomicBool::new(false),
            bytecodes: [const { AtomicI32::new(0) }; FRAMES],
            methods: [const { AtomicPtr::new(null_mut()) }; FRAMES],
        }
    }
}

/// What the handler reads and writes.
pub(super) struct Shared {
    pub(super) slots: [SlotWords; WATCH_SLOTS],
    pub(super) threads: Vec<ThreadWords>,
    pub(super) cells: Vec<Cell>,
    pub(super) call_trace: GetCallTrace,
    /// Where the interpreter lies; empty if that is not known.
    pub(super) interpreter: [AtomicUsize; 2],
    /// Who handled the signal before.
    pub(super) before: Action,
    /// Hits for which no cell was empty.
    pub(super) lost: AtomicU64,
    /// Nanoseconds of processor time in the handler.
    pub(super) spent: AtomicU64,
}

pub(super) static SHARED: AtomicPtr<Shared> = AtomicPtr::new(null_mut());

pub(super) unsafe extern "C" fn on_trap(signal: c_int, info: *mut SignalInfo, context: *mut c_void) {
    // SAFETY: each thread has such a word.
    let errno = unsafe { __errno_location() };
    // SAFETY: it is this thread's.
    let saved = unsafe { *errno };
    // SAFETY: null, or leaked by `Hardware::open`.
    let shared = unsafe { SHARED.load(Ordering::Acquire).as_ref() };
    // SAFETY: the kernel passes what it says of the signal.
    let said = unsafe { info.as_ref() };
    if let (Some(shared), Some(said)) = (shared, said) {
        if said.code == TRAP_PERF && said.data >> (TURN_BITS + THREAD_BITS + SLOT_BITS) == MARK {
            let began = processor_time();
            shared.hit(said, context);
            shared.spent.fetch_add(processor_time().saturating_sub(began), Ordering::Relaxed);
        } else {
            shared.pass_on(signal, info, context);
        }
    }
    // SAFETY: as above.
    unsafe { *errno = saved };
}

/// The processor time of this thread in nanoseconds.
pub(super) fn processor_time() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    (time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)
}

/// The numbers in a signal's word.
pub(super) fn unpacked(data: u64) -> (usize, usize, u64) {
    let slot = data & ((1 << SLOT_BITS) - 1);
    let thread = data >> SLOT_BITS & ((1 << THREAD_BITS) - 1);
    let turn = data >> (SLOT_BITS + THREAD_BITS) & ((1 << TURN_BITS) - 1);
    (slot as usize, thread as usize, turn)
}

pub(super) fn packed(slot: usize, thread: usize, turn: u64) -> u64 {
    let turn = turn & ((1 << TURN_BITS) - 1);
    MARK << (TURN_BITS + THREAD_BITS + SLOT_BITS)
        | turn << (SLOT_BITS + THREAD_BITS)
        | (thread as u64) << SLOT_BITS
        | slot as u64
}

impl Shared {
    /// A thread has written where a location is watched, or was when it did. Nothing in here may allocate, lock or panic.
    fn hit(&self, said: &SignalInfo, context: *mut c_void) {
        let (slot, thread, turn) = unpacked(said.data);
        let (Some(slot_words), Some(thread)) = (self.slots.get(slot), self.threads.get(thread)) else { return };
        let whole = slot_words.turn.load(Ordering::Acquire);
        if whole == 0 || whole & ((1 << TURN_BITS) - 1) != turn {
            return;
        }
        if let Some(event) =
            thread.events.get(slot).map(|event| event.load(Ordering::Acquire)).filter(|&event| event >= 0)
        {
            // SAFETY: of a descriptor that is no event any more, the request means nothing.
            unsafe { ioctl(event, PERF_EVENT_IOC_DISABLE, 0) };
        }
        // SAFETY: null or one of the agent's clocks, which stay for ever.
        let clock = unsafe { slot_words.clock.load(Ordering::Acquire).as_ref() };
        let moment = slot_words.moment.load(Ordering::Acquire);
        let Some(clock) = clock.map(|clock| clock.load(Ordering::SeqCst)) else { return };
        if slot_words.turn.load(Ordering::SeqCst) != whole {
            return;
        }
        // One that came late says nothing of where the thread is.
        let is_race = clock == moment;
        let counts = !is_race || said.flags & TRAP_PERF_ASYNC == 0;
        if counts && slot_words.hit.swap(whole, Ordering::SeqCst) != whole {
            self.record(whole, thread, is_race.then_some(context));
        }
    }

    /// Without a context it is no race, and its stack does not matter.
    fn record(&self, turn: u64, thread: &ThreadWords, context: Option<*mut c_void>) {
        let take = |cell: &&Cell| {
            cell.state.compare_exchange(EMPTY, BEING_WRITTEN, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        };
        let Some(cell) = self.cells.iter().find(take) else {
            self.lost.fetch_add(1, Ordering::Relaxed);
            return;
        };
        let empty = CallFrame { bytecode: 0, method: null_mut() };
        let mut frames = [empty; FRAMES];
        let mut trace = CallTrace { env: thread.env.load(Ordering::Acquire), count: 0, frames: frames.as_mut_ptr() };
        if let Some(context) = context.filter(|context| !trace.env.is_null() && !context.is_null()) {
            self.keep_bytecode(context);
            // The processor has gone on to the next instruction, which may be another line's.
            let counter = context.wrapping_byte_add(PROGRAM_COUNTER).cast::<u64>();
            // SAFETY: the kernel passes the thread's registers.
            let after = unsafe { *counter };
            // SAFETY: as above.
            unsafe { *counter = after.wrapping_sub(1) };
            // SAFETY: the environment is this thread's, there are so many frames, and the context is whole.
            unsafe { (self.call_trace)(&mut trace, FRAMES as jint, context) };
            // SAFETY: as above; the thread goes on from where it was.
            unsafe { *counter = after };
        }
        let count = u32::try_from(trace.count).unwrap_or(0);
        for ((frame, bytecode), method) in frames.iter().zip(&cell.bytecodes).zip(&cell.methods) {
            bytecode.store(frame.bytecode, Ordering::Relaxed);
            method.store(frame.method.cast(), Ordering::Relaxed);
        }
        cell.turn.store(turn, Ordering::Relaxed);
        cell.thread.store(thread.id.load(Ordering::Relaxed), Ordering::Relaxed);
        cell.count.store(count.min(FRAMES as u32), Ordering::Relaxed);
        cell.is_race.store(context.is_some(), Ordering::Relaxed);
        cell.state.store(FULL, Ordering::Release);
    }

    /// Where the thread is in the interpreter, its frame does not say which instruction it is at until the interpreter calls
    /// something: what it would write there then is written now.
    fn keep_bytecode(&self, context: *mut c_void) {
        let register = |offset| {
            // SAFETY: the kernel passes the thread's registers.
            unsafe { *context.wrapping_byte_add(offset).cast::<usize>() }
        };
        let [start, end] = [0, 1].map(|end| self.interpreter.get(end).map_or(0, |end| end.load(Ordering::Acquire)));
        if (start..end).contains(&register(PROGRAM_COUNTER)) {
            let kept =
                std::ptr::with_exposed_provenance_mut::<usize>(register(FRAME_POINTER).wrapping_sub(KEPT_BYTECODE));
            // SAFETY: the frame is the interpreter's, which keeps the address of the bytecode there.
            unsafe { kept.write(register(INTERPRETED)) };
        }
    }

    /// A signal that is not ours.
    fn pass_on(&self, signal: c_int, info: *mut SignalInfo, context: *mut c_void) {
        match self.before.handler {
            // The default, which ends the process: it does so when this handler returns.
            0 => {
                // SAFETY: what was there before.
                unsafe { sigaction(signal, &self.before, null_mut()) };
                // SAFETY: a number.
                unsafe { raise(signal) };
            }
            // Nothing.
            1 => {}
            handler => {
                // SAFETY: a handler that was there before; it takes one argument or all three.
                let handler = unsafe { std::mem::transmute::<usize, Handler>(handler) };
                // SAFETY: what the kernel passed.
                unsafe { handler(signal, info, context) };
            }
        }
    }
}
