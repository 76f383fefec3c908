//! Threads that wait in a loop must not keep the baton from those that they wait for.
//!
//! Musuvathi and Qadeer 2008 (Fair stateless model checking), the fair scheduler: a thread that yields twice, while another one
//! could go on and did not, falls behind that one until it has made a step. The first time costs nothing, so a single `yield`
//! or `sleep` hides no schedule. No thread is behind itself in a circle: one that falls behind another has just run, and
//! none is behind it then.
//!
//! What differs: "could go on" is looked at when the thread yields, not at each step between. What it may miss: schedules in
//! which a thread goes on after its second yield before the others have made a step.

use super::op::Tid;

/// What one thread's yields have shown.
#[derive(Clone, Debug, Default)]
struct Yields {
    /// At which step it last had the baton.
    ran_at: u64,
    /// At which step it yielded last.
    yielded_at: u64,
    /// Who could go on then.
    others: Vec<Tid>,
    /// Whom it is behind.
    behind: Vec<Tid>,
}

/// Who is behind whom.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fairness {
    threads: Vec<Yields>,
}

impl Fairness {
    fn of(&mut self, thread: Tid) -> &mut Yields {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Yields::default);
        }
        &mut self.threads[thread.index()]
    }

    /// A thread gets the baton: nobody is behind it any longer.
    pub(crate) fn run(&mut self, thread: Tid, step: u64) {
        self.of(thread).ran_at = step;
        for other in &mut self.threads {
            other.behind.retain(|&first| first != thread);
        }
    }

    /// A thread yields, while the others can go on.
    pub(crate) fn yields(&mut self, thread: Tid, step: u64, others: Vec<Tid>) {
        let since = self.of(thread).yielded_at;
        let before = std::mem::take(&mut self.of(thread).others);
        let starved: Vec<Tid> =
            others.iter().copied().filter(|&other| before.contains(&other) && self.of(other).ran_at < since).collect();
        let yields = self.of(thread);
        yields.behind.extend(starved);
        (yields.yielded_at, yields.others) = (step, others);
    }

    /// Of those who can go on, the ones that are not behind another of them.
    pub(crate) fn first(&self, enabled: &[Tid]) -> Vec<Tid> {
        let is_behind = |thread: &Tid| {
            self.threads
                .get(thread.index())
                .is_some_and(|yields| yields.behind.iter().any(|first| enabled.contains(first)))
        };
        enabled.iter().copied().filter(|thread| !is_behind(thread)).collect()
    }
}
