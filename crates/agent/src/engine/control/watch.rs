//! The net below the model: does the run go on at all?
//!
//! A thread that waits for the baton looks from time to time. If the thread that has it is blocked where no hook stands (input
//! and output, a wait that is not modelled), it counts as outside and the baton goes on. The JVM knows who waits for a monitor or
//! is parked, but takes a thread that reads from a socket for one that runs; the system knows that it sleeps, and whether it
//! has been awake since the last look.

use std::time::{Duration, Instant};

use schedule::control::{Tid, Turn};

use super::{BETWEEN_LOOKS, Control, NOWHERE, State};
use crate::agent::Agent;
use crate::ending::sleeps;
use crate::ffi::Jni;

/// JVMTI's bits of a thread's state: it waits for a monitor, or is not runnable for another reason.
const ALIVE: i32 = 1;
const BLOCKED_ON_MONITOR: i32 = 0x400;
const WAITING: i32 = 0x80;

/// So often in a row a thread has to be found asleep, and not have been awake between: on a busy machine a thread sleeps for
/// many looks inside the JVM that nobody has blocked.
const LOOKS: u32 = 15;

/// So long nobody may have the baton until time-outs fire, or the run is over.
const NOBODY: Duration = Duration::from_millis(1500);

/// What the last look has seen.
pub(super) struct Watch {
    looked: Instant,
    /// Since when nothing has happened.
    since: Instant,
    steps: u64,
    turn: Turn,
    asleep: Option<String>,
    times: u32,
    patience: Duration,
}

impl Watch {
    pub(super) fn new(patience: Duration) -> Watch {
        let now = Instant::now();
        Watch { looked: now, since: now, steps: 0, turn: Turn::Nobody, asleep: None, times: 0, patience }
    }

    /// Has nothing happened since the last look?
    fn is_still(&mut self, steps: u64, turn: Turn) -> bool {
        let is_still = (self.steps, self.turn) == (steps, turn);
        if !is_still {
            (self.steps, self.turn) = (steps, turn);
            (self.since, self.asleep, self.times) = (Instant::now(), None, 0);
        }
        is_still
    }
}

impl Control {
    /// Looks whether the run goes on; a thread does that which has waited for a while.
    pub(super) fn look<'a>(&self, agent: &'static Agent, jni: Jni<'a>, state: &mut State) {
        if state.watch.looked.elapsed() < BETWEEN_LOOKS / 2 {
            return;
        }
        state.watch.looked = Instant::now();
        let (steps, turn) = (state.baton.steps(), state.baton.turn());
        if !state.watch.is_still(steps, turn) {
            return;
        }
        let since = state.watch.since.elapsed();
        match turn {
            Turn::Nobody if since >= NOBODY => {
                if !state.free.is_empty() {
                    let why = "all controlled threads waited for threads that are not controlled";
                    return self.give_up(state, why.to_owned());
                }
                state.baton.lose_patience();
                self.ring(state);
            }
            Turn::Run { thread, .. } => {
                if self.is_blocked(agent, jni, state, thread) {
                    state.outside += 1;
                    let id = state.threads.get(thread.0 as usize).and_then(|gated| gated.id);
                    let passed = jni.in_frame(|jni| {
                        let object = id.and_then(|id| agent.threads_by_id(jni).get(&id).copied());
                        object.map_or(0, |object| agent.take_budget(jni, object))
                    });
                    state.baton.pass(thread, passed.unwrap_or(0));
                    state.baton.leave(thread, NOWHERE);
                    self.ring(state);
                } else if since >= state.watch.patience {
                    let seconds = since.as_secs();
                    self.give_up(
                        state,
                        format!("a thread came to no point for {seconds} s while others waited for it"),
                    );
                }
            }
            _ => {}
        }
    }

    /// Is the thread that has the baton blocked?
    fn is_blocked<'a>(&self, agent: &'static Agent, jni: Jni<'a>, state: &mut State, thread: Tid) -> bool {
        let Some(gated) = state.threads.get(thread.0 as usize) else { return false };
        let (Some(id), Some(folder)) = (gated.id, gated.folder.clone()) else { return false };
        // A question to the JVM is answered when no safepoint holds this thread up: so none holds up the other one either.
        let bits = jni
            .in_frame(|jni| {
                let threads = agent.threads_by_id(jni);
                threads.get(&id).and_then(|&object| agent.jvmti.thread_state(object))
            })
            .flatten()
            .unwrap_or(0);
        if bits & ALIVE == 0 {
            return false;
        }
        let watch = &mut state.watch;
        let asleep = sleeps(&folder);
        if asleep.is_none() || asleep != watch.asleep {
            (watch.asleep, watch.times) = (asleep, 0);
            return false;
        }
        watch.times += 1;
        let known = bits & (BLOCKED_ON_MONITOR | WAITING) != 0;
        watch.times >= if known { LOOKS / 3 } else { LOOKS }
    }
}
