//! Makes a failing program small: steps are left out while the failure stays.

use std::path::Path;

use crate::program::Program;
use crate::stage::{Failure, Troupe, Wrong};

impl Failure {
    /// The failure with as few steps as could be. Every way to leave a part out is tried in one JVM.
    pub(crate) fn shrink(&self, jdk: &Path) -> Failure {
        let mut smallest = Failure { program: self.program.taken(), what: self.what.clone() };
        if matches!(self.what, Wrong::Broken(_)) {
            return smallest;
        }
        let mut part = smallest.program.steps.len() / 2;
        while part > 0 {
            match smallest.without(part, jdk) {
                Some(smaller) => smallest = smaller,
                None => part /= 2,
            }
            part = part.min(smallest.program.steps.len() / 2);
        }
        smallest
    }

    /// A failure of the same kind with some steps in a row left out.
    fn without(&self, part: usize, jdk: &Path) -> Option<Failure> {
        let steps = &self.program.steps;
        let cut = |start: usize| {
            let kept = steps.iter().enumerate().filter(|(place, _)| !(start..start + part).contains(place));
            Program { steps: kept.map(|(_, &step)| step).collect(), origin: self.program.origin.clone() }.taken()
        };
        let troupe = Troupe::compile((0..steps.len()).step_by(part).map(cut).collect(), jdk);
        let all: Vec<usize> = (0..troupe.programs().len()).collect();
        let same = |failure: &Failure| std::mem::discriminant(&failure.what) == std::mem::discriminant(&self.what);
        troupe.perform(jdk, &all).into_iter().filter(same).min_by_key(|failure| failure.program.steps.len())
    }
}
