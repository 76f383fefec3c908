//! What a thread is about to do at a point, and which objects it touches by that.

use std::fmt;

use model::{AccessKind, LockId, SiteId};

/// A thread of a controlled run: 0 is the first one, the others follow in the order in which they were started.
///
/// It is an index into the run's tables, not a [`ThreadId`](model::ThreadId), and another schedule may give another thread the
/// same one. Across runs a thread is known by its [`ThreadPath`](crate::ThreadPath).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tid(pub u32);

impl Tid {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a thread is about to do. It stands in front of it and does it when it has the baton.
///
/// Only what another thread could notice is a point. What merely lets others go on (leaving a monitor, `notify`) needs none: no
/// other thread can see the difference between "just before" and "after the point before it".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Begins to run.
    Begin,
    /// Comes back from outside, see [`Baton::leave`](super::Baton::leave).
    Return,
    /// Accesses a variable; an atomic update is a write.
    Access {
        /// The variable, by a number of this run.
        variable: u64,
        /// Read or write.
        kind: AccessKind,
    },
    /// Calls a method of `java.util.concurrent`, or of whatever else is one step to the program, on this object.
    Call(u64),
    /// Enters a monitor, or takes another lock that has an owner and can be taken again by it.
    Enter(LockId),
    /// `Object.wait`, with its time-out in nanoseconds: gives the monitor back, and takes it again when it goes on.
    Wait {
        /// The monitor, which the thread owns.
        lock: LockId,
        /// After how many nanoseconds it gives up.
        timeout: Option<u64>,
    },
    /// `LockSupport.park`.
    Park {
        /// After how many nanoseconds it gives up.
        timeout: Option<u64>,
    },
    /// `LockSupport.unpark`.
    Unpark(Tid),
    /// `Thread.start`.
    Start,
    /// `Thread.join`.
    Join {
        /// Whose end it waits for.
        thread: Tid,
        /// After how many nanoseconds it gives up.
        timeout: Option<u64>,
    },
    /// Looks whether a thread is alive, or interrupted.
    Look(Tid),
    /// `Thread.interrupt`.
    Interrupt(Tid),
    /// `Thread.sleep`, in nanoseconds.
    Sleep(u64),
    /// `Thread.yield`, `Thread.onSpinWait`: the thread waits for another one without saying for which.
    Yield,
    /// Ends. Until then others can see that it lives.
    End,
}

/// What two threads may disagree about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A variable.
    Variable(u64),
    /// The object that a [`Op::Call`] is made on.
    Callee(u64),
    /// A monitor.
    Monitor(LockId),
    /// Whether a thread lives, is interrupted, has its permit.
    Thread(Tid),
    /// The virtual clock.
    Clock,
}

/// An object, and whether it is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Touch {
    /// What is touched.
    pub object: Object,
    /// False if it is only looked at.
    pub writes: bool,
}

impl Touch {
    /// Does the order of two touches matter?
    #[must_use]
    pub fn conflicts_with(self, other: Touch) -> bool {
        self.object == other.object && (self.writes || other.writes)
    }
}

impl Op {
    /// What the operation itself touches when the thread does it; the time it waits for is the clock's.
    pub(crate) fn touches(self, thread: Tid) -> [Option<Touch>; 2] {
        let writes = |object| Some(Touch { object, writes: true });
        let reads = |object| Some(Touch { object, writes: false });
        let clock = |timeout: Option<u64>| timeout.and(writes(Object::Clock));
        match self {
            Op::Begin => [reads(Object::Thread(thread)), None],
            Op::Access { variable, kind } => {
                [Some(Touch { object: Object::Variable(variable), writes: kind == AccessKind::Write }), None]
            }
            Op::Call(object) => [writes(Object::Callee(object)), None],
            Op::Enter(lock) => [writes(Object::Monitor(lock)), None],
            Op::Wait { lock, timeout } => [writes(Object::Monitor(lock)), clock(timeout)],
            Op::Park { timeout } => [writes(Object::Thread(thread)), clock(timeout)],
            Op::Unpark(other) | Op::Interrupt(other) => [writes(Object::Thread(other)), None],
            Op::Join { thread: other, timeout } => [reads(Object::Thread(other)), clock(timeout)],
            Op::Look(other) => [reads(Object::Thread(other)), None],
            Op::End => [writes(Object::Thread(thread)), None],
            Op::Sleep(_) => [writes(Object::Thread(thread)), writes(Object::Clock)],
            Op::Start | Op::Return | Op::Yield => [None, None],
        }
    }

    /// Does a thread that does this wait for others without saying for whom?
    pub(crate) fn yields(self) -> bool {
        matches!(self, Op::Yield | Op::Sleep(_))
    }
}

/// What a thread is about to do, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// What.
    pub op: Op,
    /// Where.
    pub site: SiteId,
}

impl Pending {
    /// Would it matter which of two threads went first?
    #[must_use]
    pub fn conflicts_with(&self, mine: Tid, other: &Pending, theirs: Tid) -> bool {
        let touches = other.op.touches(theirs);
        self.op.touches(mine).iter().flatten().any(|one| touches.iter().flatten().any(|two| one.conflicts_with(*two)))
    }
}

/// How an operation that can wait was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// As the thread wanted it: it has the monitor, was notified, has the permit, the other thread has ended.
    Done,
    /// The thread was interrupted. `wait`, `join` and `sleep` throw, and the flag is cleared; `park` returns and it stays.
    Interrupted,
    /// Its time is over.
    TimedOut,
}

/// What a thread does or waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Started, but has not begun.
    New,
    /// Can go on.
    Ready,
    /// Has the baton.
    Running,
    /// Wants a monitor.
    Entering(LockId),
    /// In `Object.wait`.
    Waiting(LockId),
    /// Parked.
    Parked,
    /// Waits for the end of a thread.
    Joining(Tid),
    /// Sleeps.
    Sleeping,
    /// Beyond control: it reads from a socket, or waits for something that is not modelled.
    Outside,
    /// Ended.
    Ended,
}

impl fmt::Display for State {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::New => out.write_str("not begun"),
            State::Ready => out.write_str("ready"),
            State::Running => out.write_str("running"),
            State::Entering(lock) => write!(out, "wants monitor {}", lock.0),
            State::Waiting(lock) => write!(out, "waits in monitor {}", lock.0),
            State::Parked => out.write_str("parked"),
            State::Joining(thread) => write!(out, "waits for the end of thread #{}", thread.0),
            State::Sleeping => out.write_str("sleeps"),
            State::Outside => out.write_str("outside"),
            State::Ended => out.write_str("ended"),
        }
    }
}
