//! Watchpoints of the processor, without a JVM.

use std::sync::atomic::AtomicU32;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use jvmti_bindings::sys::jni::jint;

use super::handler::{CallFrame, CallTrace, MARK, SignalInfo, TURN_BITS, raise, unpacked};
use super::*;

/// A stack of one frame, whose bytecode is 7.
unsafe extern "C" fn one_frame(trace: *mut CallTrace, _depth: jint, _context: *mut c_void) {
    // SAFETY: the handler passes its own.
    let trace = unsafe { &mut *trace };
    trace.count = 1;
    // SAFETY: with room for more than one.
    unsafe { *trace.frames = CallFrame { bytecode: 7, method: null_mut() } };
}

/// A thread that writes the words that it is given.
struct Writer {
    tid: i32,
    words: Sender<&'static AtomicU64>,
    done: Receiver<()>,
    thread: JoinHandle<()>,
}

fn writer() -> Writer {
    let ((words, given), (say_done, done), (say_tid, tids)) = (channel::<&'static AtomicU64>(), channel(), channel());
    let thread = std::thread::spawn(move || {
        say_tid.send(this_thread()).unwrap();
        for word in given {
            word.store(1, Ordering::SeqCst);
            say_done.send(()).unwrap();
        }
    });
    Writer { tid: tids.recv().unwrap(), words, done, thread }
}

impl Writer {
    fn writes(&self, word: &'static AtomicU64) {
        self.words.send(word).unwrap();
        self.done.recv().unwrap();
    }
}

fn word() -> &'static AtomicU64 {
    Box::leak(Box::new(AtomicU64::new(0)))
}

static FOREIGN: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn on_foreign(_signal: c_int, _info: *mut SignalInfo, _context: *mut c_void) {
    FOREIGN.fetch_add(1, Ordering::SeqCst);
}

/// All in one test: a process has one handler.
#[test]
fn writes_of_other_threads_are_noticed_once_and_signals_of_others_passed_on() {
    if let Err(error) = probe() {
        // What happens then is tested where JVMs run: woven code notices.
        eprintln!("this machine has no perf events: {error}");
        return;
    }
    let foreign: Handler = on_foreign;
    let theirs = Action { handler: foreign as usize, mask: [0; 16], flags: SA_SIGINFO, restorer: 0 };
    // SAFETY: a handler of this test.
    assert_eq!(unsafe { sigaction(SIGTRAP, &theirs, null_mut()) }, 0);
    let hardware = Hardware::walking_by(one_frame).unwrap();
    let (one, other, clock) = (writer(), writer(), word());
    let mut env = [0_u64; 2];
    let env: *mut JNIEnv = env.as_mut_ptr().cast();
    hardware.add(one.tid, env, ThreadId(4));
    hardware.add(one.tid, env, ThreadId(5));
    let arm = |slot, turn, at: &'static AtomicU64| {
        hardware.arm_at((slot, turn), (clock, clock.load(Ordering::SeqCst)), at.as_ptr().addr(), 8)
    };
    let [first, second, third] = [word(), word(), word()];
    assert_eq!(arm(0, 1, first), Ok(()));
    one.writes(first);
    one.writes(first);
    first.store(2, Ordering::SeqCst);
    let hits = hardware.hits();
    assert_eq!(hits.len(), 1, "once for each watch, and never of the thread that armed it");
    assert_eq!((hits[0].turn, hits[0].thread, hits[0].is_race), (1, Some(ThreadId(4)), true));
    assert!(hits[0].frames.len() == 1 && hits[0].frames[0].bytecode == 7);
    hardware.disarm(0);
    one.writes(first);
    assert!(hardware.hits().is_empty(), "nothing is watched any more");

    assert_eq!(arm(0, 2, second), Ok(()));
    clock.fetch_add(1, Ordering::SeqCst);
    one.writes(second);
    let hits: Vec<_> = hardware.hits().into_iter().map(|hit| (hit.turn, hit.is_race)).collect();
    assert_eq!(hits, [(2, false)], "the first thread has handed something on");
    hardware.disarm(0);

    assert_eq!(arm(0, 3, third), Ok(()));
    hardware.add(other.tid, env, ThreadId(9));
    other.writes(third);
    let hits: Vec<_> = hardware.hits().into_iter().map(|hit| (hit.turn, hit.thread)).collect();
    assert_eq!(hits, [(3, Some(ThreadId(9)))], "a thread that started while it was watched");
    // Another has the other slots of the processor, such as a debugger.
    let taken: Vec<_> =
        std::iter::from_fn(|| Attributes::of(word().as_ptr().addr(), 8).open(one.tid).ok()).take(4).collect();
    assert!((1..4).contains(&taken.len()), "{}", taken.len());
    assert_eq!(arm(1, 4, first), Err(Refusal::Taken));
    other.writes(first);
    assert!(hardware.hits().is_empty(), "what was refused is not watched for anybody");
    drop(taken);
    hardware.disarm(0);
    assert!((0..WATCH_SLOTS).all(|slot| arm(slot, 5 + slot as u64, first).is_ok()));
    (0..WATCH_SLOTS).for_each(|slot| hardware.disarm(slot));

    // SAFETY: a number.
    assert_eq!(unsafe { raise(SIGTRAP) }, 0);
    assert_eq!(FOREIGN.load(Ordering::SeqCst), 1, "the signal was not ours");
    // SAFETY: a handler of this test.
    assert_eq!(unsafe { sigaction(SIGTRAP, &theirs, null_mut()) }, 0);
    assert_eq!(arm(0, 20, first), Err(Refusal::Handled), "the program handles the signal now");
    for writer in [one, other] {
        drop(writer.words);
        writer.thread.join().unwrap();
    }
}

#[test]
fn numbers_go_through_a_signal() {
    let data = packed(3, 1023, (1 << 30) + 5);
    assert_eq!(unpacked(data), (3, 1023, (1 << 30 & ((1 << TURN_BITS) - 1)) + 5));
    assert_eq!(data >> 48, MARK);
}
