//! Deadlocks: threads that wait for each other's locks for ever.
//!
//! The thread that closes the circle stands in front of its lock still. Before it says anything it asks the JVM whether the others
//! are blocked, and waits until they are: a lock that was given back unseen must not become a deadlock.

use std::sync::MutexGuard;
use std::time::Duration;

use model::ThreadId;
use schedule::{Deadlock, DeadlockRecord, Stop};

use super::{Hunt, State};
use crate::agent::{Agent, lock};
use crate::ffi::Jni;
use crate::output::message;

/// So long the others may need to come to where they block.
const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// So often in a row they have to be found blocked.
const LOOKS: u32 = 5;

/// With this the JVM ends.
const EXIT: i32 = 66;

/// JVMTI's bits of the state of a thread that waits for a monitor, and of one that is parked.
const BLOCKED_ON_MONITOR: i32 = 0x400;
const PARKED: i32 = 0x200;

impl Hunt {
    /// If the thread's request closes a circle: the deadlock is reported and the run ends.
    pub(super) fn meet_deadlock<'a>(
        &self,
        agent: &'static Agent,
        jni: Jni<'a>,
        mut state: MutexGuard<'_, State>,
        me: ThreadId,
    ) {
        let Some(deadlock) = state.gate.take_deadlock() else { return };
        let mut record = state.record(&deadlock, agent);
        drop(state);
        if !deadlock.circle.iter().any(|waiting| waiting.thread == me) || !self.stays(agent, jni, &deadlock, me) {
            return;
        }
        jni.in_frame(|jni| {
            let threads = agent.threads_by_id(jni);
            for (stop, waiting) in record.circle.iter_mut().zip(&deadlock.circle) {
                let Some(&thread) = threads.get(&waiting.thread) else { continue };
                stop.stack = agent.shown_stack(thread);
            }
        });
        let mut state = lock(&self.state);
        if !state.is_over {
            state.deadlocks.insert(record);
            self.write_outcome(agent, &state);
            drop(state);
            message("autodrome: the program is in a deadlock, and the run ends here");
            jni.halt(EXIT);
        }
    }

    /// Are all others blocked, time and again?
    fn stays<'a>(&self, agent: &'static Agent, jni: Jni<'a>, deadlock: &Deadlock, me: ThreadId) -> bool {
        let (mut waited, mut found) = (Duration::ZERO, 0);
        while waited < PATIENCE && found < LOOKS {
            std::thread::sleep(BETWEEN_LOOKS);
            waited += BETWEEN_LOOKS;
            let are_blocked = jni.in_frame(|jni| {
                let threads = agent.threads_by_id(jni);
                deadlock.circle.iter().filter(|waiting| waiting.thread != me).all(|waiting| {
                    let state = threads.get(&waiting.thread).and_then(|&thread| agent.jvmti.thread_state(thread));
                    state.is_some_and(|bits| bits & (BLOCKED_ON_MONITOR | PARKED) != 0)
                })
            });
            let state = lock(&self.state);
            let stays = deadlock
                .circle
                .iter()
                .all(|waiting| waiting.thread == me || state.gate.waits(waiting.thread, waiting.lock));
            found = if are_blocked == Some(true) && stays { found + 1 } else { 0 };
        }
        found >= LOOKS
    }
}

impl State {
    fn record(&self, deadlock: &Deadlock, agent: &Agent) -> DeadlockRecord {
        let stop = |waiting: &schedule::Waiting| {
            let known = self.threads.get(&waiting.thread);
            Stop {
                thread: known.map_or_else(|| schedule::ThreadPath::root(waiting.thread.0), |known| known.path.clone()),
                lock: self.name_of_kind(waiting.lock),
                at: agent.place_of(waiting.site),
                taken_at: agent.place_of(waiting.taken_at),
                stack: Vec::new(),
            }
        };
        DeadlockRecord { circle: deadlock.circle.iter().map(stop).collect() }
    }
}
