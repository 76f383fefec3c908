//! Random programs on real JVMs: what is reported is what the oracle says, variable by variable.
//!
//! A program is a list of steps of some threads, taken in that order by a mechanism that the detector does not see. So
//! its happens-before graph is known, and with it the variables that race, in every schedule. Wrong answers are shrunk
//! and printed with their seed; kept ones are in `regressions.txt`. `AUTODROME_CASES` asks for more programs,
//! `AUTODROME_SEED` for those of another seed (testkit).

mod actions;
#[path = "../common/host.rs"]
mod host;
mod machine;
mod program;
mod shrink;
mod stage;
#[path = "../common/watched.rs"]
mod watched;

use std::collections::BTreeSet;
use std::path::Path;

use host::jdks;
use program::{Expected, Program, Step};
use stage::{Failure, Troupe};
use watched::factor;

/// Programs of an ordinary run.
const PROGRAMS: usize = 500;

/// How many times as many the environment asks for: a quarter of its factor, because a program takes longer than a trace.
fn times() -> usize {
    factor().div_ceil(4)
}

/// Programs in one JVM: few enough to keep the names of their races, which have 32 bits, apart.
const AT_ONCE: usize = 150;

/// Failures that are shrunk and shown, of each JDK.
const SHOWN: usize = 3;

/// Actions that by chance no program of a run may do: one is seldom forgotten.
const FORGOTTEN: usize = 3;

#[test]
fn what_is_reported_is_what_races() {
    let (first, jdks) = (testkit::seed(), jdks());
    let mut programs = Program::parse_all(include_str!("regressions.txt"));
    programs.extend((0..(PROGRAMS * times()) as u64).map(|number| Program::random(first.wrapping_add(number))));
    let (mut census, together) = (Census::default(), programs.len().div_ceil(times()));
    for programs in programs.chunks(together) {
        let troupe = Troupe::compile(programs.to_vec(), &jdks[0]);
        troupe.programs().iter().for_each(|(program, expected)| census.count(program, expected));
        std::thread::scope(|scope| {
            jdks.iter().for_each(|jdk| {
                scope.spawn(|| check(&troupe, jdk));
            });
        });
    }
    census.check();
}

/// All of a troupe on one JDK.
fn check(troupe: &Troupe, jdk: &Path) {
    let numbers: Vec<usize> = (0..troupe.programs().len()).collect();
    let failures: Vec<Failure> = numbers.chunks(AT_ONCE).flat_map(|numbers| troupe.perform(jdk, numbers)).collect();
    if failures.is_empty() {
        return;
    }
    // Reported at once, because shrinking takes its time.
    let all: Vec<String> = failures.iter().map(Failure::title).collect();
    eprintln!("on {}:\n{}", jdk.display(), all.join("\n"));
    let mut distinct: Vec<&Failure> = failures.iter().collect();
    distinct.dedup_by_key(|failure| &failure.program.origin);
    let small: Vec<String> = distinct.iter().take(SHOWN).map(|failure| failure.shrink(jdk).to_string()).collect();
    panic!("{} failures on {}, such as:\n{}", failures.len(), jdk.display(), small.join("\n"));
}

/// What was expected of all variables that threads share, and what the programs did.
#[derive(Default)]
struct Census {
    racy: usize,
    either: usize,
    clean: usize,
    actions: BTreeSet<&'static str>,
}

impl Census {
    fn count(&mut self, program: &Program, expected: &Expected) {
        self.racy += expected.racy.len();
        self.either += expected.either.len();
        self.clean += expected.clean.len();
        self.actions.extend(program.taken().steps.iter().map(Step::name));
    }

    /// The test says something only if it does everything, and asks for both answers often.
    fn check(&self) {
        let &Census { racy, either, clean, .. } = self;
        let all = racy + either + clean;
        eprintln!("{all} variables: {racy} race, {clean} do not, {either} may");
        assert!(racy * 4 > all && clean * 4 > all && either * 8 < all, "{racy} race, {clean} do not, {either} may");
        let forgotten: Vec<&str> = actions::names().filter(|name| !self.actions.contains(name)).collect();
        assert!(forgotten.len() <= FORGOTTEN, "no program did {}", forgotten.join(", "));
    }
}
