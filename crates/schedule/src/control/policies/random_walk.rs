//! Uniform random walk: at each point, or at one of so many, any thread that can go on does.
//!
//! The baseline of every paper on the subject. What it may miss: a schedule in which a thread waits for `m` points of another
//! one has the probability of `2^-m` when each point is a choice. With longer stretches, that of a switch at each of two
//! adjacent points.

use crate::control::{Choice, Decision, Pick, Policy};
use crate::random::Random;

/// A random walk.
#[derive(Clone, Debug)]
pub struct RandomWalk {
    random: Random,
    stretch: u32,
}

impl RandomWalk {
    /// One of `stretch` points is a choice, on average: 1 for all of them.
    #[must_use]
    pub fn new(seed: u64, stretch: u32) -> RandomWalk {
        RandomWalk { random: Random::new(seed), stretch: stretch.max(1) }
    }

    /// How many points until the next one that is a choice: geometrically distributed.
    fn points(&mut self) -> u32 {
        if self.stretch == 1 {
            return 1;
        }
        // Uniform in (0, 1].
        let uniform = ((self.random.bits() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        let none = 1.0 - 1.0 / f64::from(self.stretch);
        (uniform.ln() / none.ln()).ceil().clamp(1.0, f64::from(u32::MAX)) as u32
    }
}

impl Policy for RandomWalk {
    fn next(&mut self, at: &Decision<'_>) -> Choice {
        match self.random.pick(at.candidates) {
            Some(thread) => Choice::Run { thread, points: self.points() },
            None => Choice::Await,
        }
    }

    fn pick(&mut self, _: Pick, of: u32) -> u32 {
        self.random.below(of.into()) as u32
    }
}
