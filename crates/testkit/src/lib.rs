//! Random well-formed traces for property tests.
//!
//! A trace is made by a small machine: each [`Step`] names a thread, an operation and an operand, and the machine
//! executes it if a program could do so at that point (a lock must be free, a joined thread must have run) and
//! passes over it if not. So every list of steps gives a well-formed trace, and a shorter list a shorter trace:
//! proptest shrinks a failing case to a few events.

mod contended;
mod events;
mod machine;
mod twister;
mod workload;

pub use contended::Contended;
pub use events::{acquire, fork, join, read, receive, release, send, step, write};
pub use machine::{Shape, Step, trace};
pub use workload::Workload;

use model::Event;
use proptest::prelude::*;

/// Random steps, up to `most` of them.
pub fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(
        any::<(u8, u8, u8)>().prop_map(|(thread, op, operand)| Step { thread, op, operand }),
        0..most,
    )
}

/// Random well-formed traces of a shape.
pub fn traces(shape: Shape) -> impl Strategy<Value = Vec<Event>> {
    steps(shape.steps).prop_map(move |steps| trace(shape, &steps))
}

/// Random traces of a shape that may stop anywhere: critical sections stay open.
pub fn cut_traces(shape: Shape) -> impl Strategy<Value = Vec<Event>> {
    (traces(shape), any::<prop::sample::Index>()).prop_map(|(mut events, end)| {
        events.truncate(end.index(events.len() + 1));
        events
    })
}

/// A proptest configuration that runs `cases` traces, or as many times more as the environment asks for
/// (`AUTODROME_CASES=10` runs ten times as many), and keeps failing cases beside the test.
#[must_use]
pub fn config(cases: u32) -> ProptestConfig {
    let factor = std::env::var("AUTODROME_CASES").ok().and_then(|text| text.parse::<u32>().ok()).unwrap_or(1);
    ProptestConfig { cases: cases.saturating_mul(factor.max(1)), ..ProptestConfig::default() }
}
