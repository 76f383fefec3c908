//! Catches: two threads in front of conflicting accesses, as they stand there, before either of them goes on.

use model::{AccessKind, ThreadId};
use schedule::{AccessAt, Catch, CatchRecord, Held, Poised, ThreadPath};

use super::State;
use crate::agent::Agent;
use crate::ffi::Jni;

impl State {
    /// Notes who stands where with which locks. Called before the thread that was held is woken, so both still stand there.
    pub(super) fn note_catch<'a>(&mut self, agent: &'static Agent, jni: Jni<'a>, catch: &Catch) {
        let (held, came) = (self.poised(agent, jni, catch.held), self.poised(agent, jni, catch.came));
        let (first, second) = if catch.goes_first == catch.held.0 { (held, came) } else { (came, held) };
        self.catches.push(CatchRecord { candidate: catch.candidate, first, second });
    }

    fn poised<'a>(&self, agent: &'static Agent, jni: Jni<'a>, (thread, access): (ThreadId, AccessAt)) -> Poised {
        let name = match access.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
        };
        let mut stack = Vec::new();
        jni.in_frame(|jni| {
            let threads = agent.threads_by_id(jni);
            let Some(&thread) = threads.get(&thread) else { return };
            stack = agent.shown_stack(thread);
        });
        let held = |(lock, site)| Held { lock: self.name_of_kind(lock), taken_at: agent.place_of(site) };
        Poised {
            thread: self.threads.get(&thread).map_or_else(|| ThreadPath::root(thread.0), |known| known.path.clone()),
            access: format!("{name} {}", agent.place_of(access.site)),
            // A lock that the program did not take itself has no name: it is the JDK's.
            locks: self.gate.owned(thread).into_iter().map(held).filter(|held| !held.lock.is_empty()).collect(),
            stack,
        }
    }
}
