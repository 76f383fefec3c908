//! Schedules that expose hidden races: which thread is held back at which point, and for how long.
//!
//! A happens-before detector sees the orders of one run. This crate chooses other orders for the next run by *nudging*: a
//! thread that arrives at a point may be held back for a bounded time. No thread is ever forced to run, so every run is one
//! that the program can make by itself, and what a precise detector reports in it is a race.
//!
//! - [`Gate`] knows which threads run, are held or are blocked, and who owns which lock. The agent asks it at every point.
//! - [`Nudge`] decides who is held: [`DrFinder`], [`ConTest`], [`RaceFuzzer`], or [`Free`], which holds nobody.
//! - [`Plan`] is what a run is asked to do, [`Outcome`] what its schedule was. Both are files.
//! - [`Explorer`] turns the outcomes of the runs so far into the next plan.
//!
//! [`control`] is the other strategy: one thread runs at a time, and a schedule is followed exactly. It is the model of that,
//! tested with simulated programs.
//!
//! Nothing here knows a JVM: threads are numbers, time is a [`Duration`](std::time::Duration) since the run began, and a
//! simulated program drives the gate in the tests.

pub mod control;

mod contest;
mod drfinder;
mod error;
mod explore;
mod gate;
mod locks;
mod nudge;
mod orders;
mod outcome;
mod path;
mod plan;
mod point;
mod racefuzzer;
mod random;
mod relations;
mod symbols;

pub use contest::ConTest;
pub use drfinder::DrFinder;
pub use error::FileError;
pub use explore::{Auto, Explorer, Repeated, Run};
pub use gate::{Gate, Passage};
pub use locks::{Deadlock, Waiting};
pub use nudge::{Answer, Free, Nudge, Stacks, Why};
pub use orders::{Coverage, Order};
pub use outcome::{CatchRecord, Counts, DeadlockRecord, Held, Outcome, Poised, Stop, Tried};
pub use path::ThreadPath;
pub use plan::{Candidate, First, Plan, Scheduler, Settings};
pub use point::{AccessAt, LockAt, Point};
pub use racefuzzer::{Catch, RaceFuzzer, SitePair};
pub use random::Random;
pub use relations::{MayTrigger, Relation};
pub use symbols::{Symbol, Symbols};
