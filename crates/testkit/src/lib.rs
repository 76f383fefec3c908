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

use std::sync::Once;

use model::Event;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

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

/// The seed of random tests, unless the environment has another: an ordinary run fails for what was changed, not by chance.
const ORDINARY_SEED: u64 = 1;

/// The share of the random cases that a quick run takes.
const QUICK_SHARE: u32 = 10;

/// The number in a variable of the environment.
fn asked<T: std::str::FromStr>(variable: &str) -> Option<T> {
    std::env::var(variable).ok()?.parse().ok()
}

/// How many times an ordinary run's cases the environment asks for, as `AUTODROME_CASES=20`; at least 1.
#[must_use]
pub fn factor() -> u32 {
    asked("AUTODROME_CASES").unwrap_or(1).max(1)
}

/// The seed of this run's random tests: `AUTODROME_SEED`, which `cargo xtask test --full` sets to a new one, or always the same.
/// Printed once for each test program, and so shown with the output of a test that fails.
#[must_use]
pub fn seed() -> u64 {
    static PRINTED: Once = Once::new();
    let seed = asked("AUTODROME_SEED").unwrap_or(ORDINARY_SEED);
    PRINTED.call_once(|| eprintln!("random tests: AUTODROME_SEED={seed}"));
    seed
}

/// A proptest configuration with this run's [`seed`] that takes so many random cases, [`factor`] times as many in a full run, and
/// a tenth of them in a quick one (`AUTODROME_CASES=0`). Keeps failing cases beside the test.
#[must_use]
pub fn config(cases: u32) -> ProptestConfig {
    let cases = if asked("AUTODROME_CASES") == Some(0) { cases.div_ceil(QUICK_SHARE) } else { cases };
    let rng_seed = RngSeed::Fixed(seed());
    ProptestConfig { cases: cases.saturating_mul(factor()), rng_seed, ..ProptestConfig::default() }
}
