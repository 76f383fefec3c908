//! Makes a failing program small: steps are left out while the failure stays.

use std::ops::Range;
use std::path::Path;

use crate::program::Program;
use crate::stage::{Failure, Troupe, Wrong};

impl Failure {
    /// The failure with as few steps as could be.
    pub(crate) fn shrink(&self, jdk: &Path) -> Failure {
        let mut smallest = Failure { program: self.program.taken(), what: self.what.clone() };
        while let Some(smaller) = smallest.smaller(jdk) {
            smallest = smaller;
        }
        smallest
    }

    /// The smallest failure of the same kind with some steps in a row left out: all ways are tried in one JVM.
    fn smaller(&self, jdk: &Path) -> Option<Failure> {
        let steps = &self.program.steps;
        let halves = std::iter::successors(Some(steps.len() / 2), |part| Some(part / 2));
        let cuts = halves
            .take_while(|&part| part > 0)
            .flat_map(|part| (0..steps.len()).step_by(part).map(move |start| start..start + part));
        let without = |cut: Range<usize>| {
            let kept = steps.iter().enumerate().filter(|(place, _)| !cut.contains(place)).map(|(_, &step)| step);
            Program { steps: kept.collect(), origin: self.program.origin.clone() }.taken()
        };
        let candidates: Vec<Program> = cuts.map(without).collect();
        if candidates.is_empty() || matches!(self.what, Wrong::Broken(_)) {
            return None;
        }
        let troupe = Troupe::compile(candidates, jdk);
        let all: Vec<usize> = (0..troupe.programs().len()).collect();
        let same = |failure: &Failure| std::mem::discriminant(&failure.what) == std::mem::discriminant(&self.what);
        troupe.perform(jdk, &all).into_iter().filter(same).min_by_key(|failure| failure.program.steps.len())
    }
}
