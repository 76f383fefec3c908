//! The edge to the JVM: a panic of ours must not become the program's end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use report::Line;

use crate::agent::Agent;
use crate::output::message;

static OFF: AtomicBool = AtomicBool::new(false);

/// After how many more calls the agent panics, to show what becomes of the program then; 0 is never.
static PANIC_IN: AtomicU64 = AtomicU64::new(0);

/// The call with this number from here on panics, when its work is done and its result is not given back yet.
pub(crate) fn panic_in(calls: u64) {
    PANIC_IN.store(calls, Ordering::Relaxed);
}

fn perhaps_panic() {
    if PANIC_IN.load(Ordering::Relaxed) != 0 && PANIC_IN.fetch_sub(1, Ordering::Relaxed) == 1 {
        panic!("the option `panic` asked for this");
    }
}

/// From here on the agent does nothing any more: the JVM is about to end, and answers no questions about its objects,
/// while threads of the program may run on for a moment.
pub(crate) fn switch_off() {
    OFF.store(true, Ordering::Relaxed);
}

/// Does the agent do nothing any more?
pub(crate) fn is_off() -> bool {
    OFF.load(Ordering::Relaxed)
}

/// Runs what the JVM asked for. After a panic the agent says so, once, and does nothing any more: every call then
/// gives `otherwise`.
pub(crate) fn entry<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    if is_off() { otherwise } else { guarded(work).unwrap_or(otherwise) }
}

/// Runs even when the agent is switched off, since woven code relies on it; one retry after a panic.
pub(crate) fn must_run<T>(otherwise: T, work: impl Fn() -> T) -> T {
    guarded(&work).or_else(|| guarded(&work)).unwrap_or(otherwise)
}

fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    let work = || {
        let result = work();
        perhaps_panic();
        result
    };
    let result = catch_unwind(AssertUnwindSafe(work)).ok();
    // The panic's own message is on stderr already.
    if result.is_none() && !OFF.swap(true, Ordering::Relaxed) {
        message("autodrome: internal error: detection is off from here on; the program goes on");
        if let Some(agent) = Agent::get() {
            let (pid, what) = (std::process::id(), "a panic of the agent".to_owned());
            agent.output.write(&Line::Fault { pid, what });
        }
    }
    result
}
