//! Controlled runs: one thread runs at a time, a policy decides at each point who goes on, and what it decided is a file.
//!
//! # How a controlled run works
//!
//! A thread that is about to do something that another thread could notice stands at a *point*: in front of an access, a
//! monitor, a `park`, a `join` ([`Op`]). Of all threads one has the [`Baton`]; it arrives at its points, and either goes on or
//! hands the baton on and stands there until it gets it back. Everybody else stands at a point, waits, or is *outside*.
//!
//! ```text
//!   driver, on the thread that has the baton             Baton
//!   baton.arrive(me, Pending { op, site })      ->       can it go on? is the policy to be asked?
//!                                               <-       Turn::Run { thread, how, points }
//!   thread == me: make the operation; the next `points` plain points may pass without a call (then `pass`)
//!   thread != me: wake that thread; wait until woken; then make the operation
//! ```
//!
//! - *Enabledness is a predicate.* Who can go on follows from the state of the model alone: whether the monitor is free, the
//!   permit there, the other thread ended. It is evaluated at each decision, so no wake-up can be lost.
//! - *A grant completes.* A thread that waits for a monitor is chosen only when the monitor is free, and owns it from that
//!   moment: there is no retry, and no thread runs only to wait again. [`How`] says how a wait ended.
//! - *Time is virtual.* A time-out fires when nothing else can go on, the earliest first, or because the policy chose the
//!   thread. Then the clock jumps. A thread that sleeps shortly can go on at any time ([`Conduct::short_sleep`]).
//! - *No loop is hung.* A thread that yields twice while another one could go on and did not falls behind that one. 2,000
//!   points without a switch count as a yield.
//! - *Outside* is what nobody models, such as reading from a socket: the thread hands the baton on before it and queues after
//!   it. While a thread is outside and nobody else can go on, nobody has the baton; [`Baton::lose_patience`] is for the
//!   driver's limit. Threads that are never controlled, such as the JVM's own, may unpark and interrupt
//!   ([`Conduct::has_free_threads`]).
//! - *Nobody can go on, nobody is outside, no time-out is left:* [`Turn::Deadlock`].
//!
//! A [`Policy`] decides who goes on and for how long it need not be asked again: that makes a point without a switch cheap.
//! [`RandomWalk`], [`Pct`], [`Pos`], [`Surw`], [`Systematic`] and [`Feedback`] look for schedules; [`Replay`] repeats one and
//! reports the first [`Divergence`], [`Guide`] follows one loosely. [`Schedule`] is what was decided, as *stretches* of one
//! thread each, and [`minimise`] looks for one with fewer of them.
//!
//! # What is not here
//!
//! No thread waits here, and nothing knows a JVM: the tests drive it with simulated programs, the agent with real ones
//! (`crates/agent/src/engine/control`). The hand-over of the baton must give a race detector no order: whoever drives it
//! sees to that.

mod baton;
mod deadlock;
mod divergence;
mod fairness;
mod format;
mod log;
mod minimise;
mod op;
mod policies;
mod policy;
mod render;
mod result;
mod schedule;
mod settings;
mod world;

pub use baton::{Baton, Conduct};
pub use deadlock::{Deadlock, Stuck};
pub use divergence::{Divergence, Noted, Stand};
pub use minimise::{Attempt, Minimised, minimise};
pub use op::{How, Object, Op, Pending, State, Tid, Touch};
pub use policies::{Branch, Feedback, Guide, Leg, Mutant, Pct, Pos, RandomWalk, Replay, Surw, Systematic, Weights};
pub use policy::{Choice, Decision, Pick, Policy, Turn, Why};
pub use render::{Explained, Rendered};
pub use result::Controlled;
pub use schedule::{End, Header, Picked, Run, Schedule, SiteName, SiteNames, ThreadName};
pub use settings::{Controls, Follow, Points, read};
