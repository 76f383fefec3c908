//! The edge to the JVM: a panic of ours must not become the program's end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use report::Line;

use crate::agent::Agent;
use crate::output::message;

static OFF: AtomicBool = AtomicBool::new(false);

/// From here on the agent does nothing any more: the JVM is about to end, and answers no questions about its objects,
/// while threads of the program may run on for a moment.
pub(crate) fn switch_off() {
    OFF.store(true, Ordering::Relaxed);
}

/// Runs what the JVM asked for. After a panic the agent says so, once, and does nothing any more: every call then
/// gives `otherwise`.
pub(crate) fn entry<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    if OFF.load(Ordering::Relaxed) {
        return otherwise;
    }
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(_) => {
            // The panic's own message is on stderr already.
            if !OFF.swap(true, Ordering::Relaxed) {
                message("autodrome: internal error: detection is off from here on; the program goes on");
                if let Some(agent) = Agent::get() {
                    let (pid, what) = (std::process::id(), "a panic of the agent".to_owned());
                    agent.output.write(&Line::Fault { pid, what });
                }
            }
            otherwise
        }
    }
}
