//! What a policy is asked, and what it answers.

use super::op::{How, Op, Pending, State, Tid, Touch};
use super::world::World;
use super::{Divergence, Noted};
use crate::path::ThreadPath;

/// Decides who goes on. One policy is made for one run.
pub trait Policy: Send {
    /// Who has the baton next, and for how many points it need not be asked again.
    ///
    /// It is asked earlier all the same if the thread cannot go on, lets another one go on, or yields.
    fn next(&mut self, at: &Decision<'_>) -> Choice;

    /// One of `of` (at least 2) possibilities, for a reason other than which thread goes on.
    fn pick(&mut self, what: Pick, of: u32) -> u32;

    /// Does it need [`Decision::footprint`]?
    fn wants_footprint(&self) -> bool {
        false
    }

    /// Why it stopped to control the run, if the run did not follow a schedule.
    fn divergence(&self) -> Option<&Divergence> {
        None
    }

    /// How many stretches of a schedule it could not follow, if it follows one loosely.
    fn left_out(&self) -> u64 {
        0
    }
}

/// The answer of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// This thread goes on, and does so many operations at most until the next question. It must be able to: it is among the
    /// candidates, or [`Decision::can_run`] says so.
    Run {
        /// Who.
        thread: Tid,
        /// How many operations, the one that it stands in front of included; at least 1.
        points: u32,
    },
    /// Nobody goes on until a thread comes back from outside, or somebody outside lets one go on; see [`Decision::can_wait`].
    Await,
    /// The run is not controlled any longer.
    Stop,
}

/// What is decided beside which thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// Which waiter `notify` wakes; the one that waits longest is 0.
    Notify,
    /// A number that the program asked for, such as the seed of its random numbers.
    Random,
}

/// Why a policy is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// The first decision of a run.
    First,
    /// The thread stands at a point, and has made as many as it was given, or has let another one go on.
    Point,
    /// The thread yields or sleeps.
    Yields,
    /// The thread has made very many points without a switch: it may be waiting in a loop.
    Spins,
    /// The thread cannot go on.
    Blocked,
    /// The thread went outside.
    Outside,
    /// A thread came back from outside, or somebody outside let one go on, and nobody had the baton.
    Returned,
    /// Nobody has come back for long, in real time.
    Impatient,
    /// The thread ended.
    Ended,
}

/// A decision that a policy has to make.
pub struct Decision<'a> {
    pub(crate) world: &'a World,
    /// How many operations were made so far in the run.
    pub step: u64,
    /// Why it is asked.
    pub why: Why,
    /// Who had the baton, and stands at a point, waits, or has ended.
    pub current: Option<Tid>,
    /// Operations since the last decision.
    pub passed: u32,
    /// Those of them during which another thread could have gone on: what the length of a run is counted in.
    pub contested: u32,
    /// Who can go on, in ascending order, and is not behind another one because it spins. Threads whose time-out fires early
    /// may be among them. Empty only if `can_wait`.
    pub candidates: &'a [Tid],
    /// Is somebody outside, or free, who may still let a thread go on?
    pub can_wait: bool,
    /// What was touched since the last decision, by the operations and by what they let others do.
    pub footprint: &'a [Touch],
    /// What was noted since the last decision that may make a run differ from another one.
    pub noted: &'a [Noted],
}

impl Decision<'_> {
    /// Can the thread go on, if only because its time-out fires?
    #[must_use]
    pub fn can_run(&self, thread: Tid) -> bool {
        self.world.is_enabled(thread) || self.world.is_timed(thread)
    }

    /// Would the thread go on by a time-out?
    #[must_use]
    pub fn is_timed(&self, thread: Tid) -> bool {
        self.world.is_timed(thread)
    }

    /// The current thread, if it is among the candidates.
    #[must_use]
    pub fn current_candidate(&self) -> Option<Tid> {
        self.current.filter(|current| self.candidates.contains(current))
    }

    /// What a thread stands in front of.
    #[must_use]
    pub fn pending(&self, thread: Tid) -> Option<Pending> {
        self.world.thread(thread).map(|thread| thread.pending)
    }

    /// What a thread does or waits for.
    #[must_use]
    pub fn state(&self, thread: Tid) -> State {
        self.world.thread(thread).map_or(State::Ended, |thread| thread.state)
    }

    /// The name of a thread in all runs.
    #[must_use]
    pub fn path(&self, thread: Tid) -> Option<&ThreadPath> {
        self.world.thread(thread).map(|thread| &thread.path)
    }

    /// The thread of a name, if it was started.
    #[must_use]
    pub fn find(&self, path: &ThreadPath) -> Option<Tid> {
        self.world.find(path)
    }

    /// Who goes on if nobody is to be preempted: the current thread, else the first candidate.
    #[must_use]
    pub fn unpreempted(&self) -> Option<Tid> {
        self.current_candidate().or_else(|| self.candidates.first().copied())
    }

    /// Do the operations that two threads stand in front of conflict?
    #[must_use]
    pub fn conflict(&self, one: Tid, two: Tid) -> bool {
        match (self.pending(one), self.pending(two)) {
            (Some(mine), Some(theirs)) => mine.conflicts_with(one, &theirs, two),
            _ => false,
        }
    }
}

/// Who has the baton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This thread, and nobody else, goes on.
    Run {
        /// Who.
        thread: Tid,
        /// How the operation that it stood in front of was completed.
        how: How,
        /// How many more points it may pass without asking, see [`Baton::pass`](super::Baton::pass).
        points: u32,
    },
    /// Nobody, until a thread comes back from outside.
    Nobody,
    /// Nobody ever: see [`Baton::deadlock`](super::Baton::deadlock).
    Deadlock,
    /// All threads have ended but daemons.
    Over,
    /// Everybody: the run is not controlled any longer.
    Everybody,
}

impl Op {
    /// Is this one of the points that a thread may pass without asking? The others change the model.
    #[must_use]
    pub fn is_plain(self) -> bool {
        matches!(self, Op::Access { .. } | Op::Call(_))
    }
}
