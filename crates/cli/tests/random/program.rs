//! Programs as lists of steps: made from a seed, written and read as text, and judged by the oracle.

use std::collections::BTreeSet;
use std::fmt;

use detect::oracle;
use model::Event;

use crate::actions::{self, Group};
use crate::machine::{Action, Executed, Machine, THREADS};

/// One wish: which thread does what with which operand.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    thread: usize,
    name: &'static str,
    action: Action,
    operand: usize,
}

#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    /// Where it comes from.
    pub(crate) origin: String,
}

/// Steps of a tour: each action comes with most of its variants.
const TOUR: usize = 150;

/// What must be said of a program's variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    /// They race.
    pub(crate) racy: BTreeSet<String>,
    /// They race as far as the memory model goes, but an implementation may order all their accesses.
    pub(crate) either: BTreeSet<String>,
    /// Threads share them and do not race.
    pub(crate) clean: BTreeSet<String>,
}

impl Program {
    /// A random program: plain accesses, threads, and some kinds of synchronization.
    pub(crate) fn random(seed: u64) -> Program {
        let mut random = Random(seed);
        let mut groups: Vec<&Group> = (0..random.range(1, 4)).map(|_| *random.choose(actions::SOMETIMES)).collect();
        if !actions::UNSEEN.is_empty() && random.range(0, 20) == 0 {
            groups.push(*random.choose(actions::UNSEEN));
        }
        let mut steps = Vec::new();
        for _ in 0..random.range(1, THREADS as u64) {
            steps.extend(Step::named("thread.start", 0, 0));
        }
        let length = random.range(20, 70) as usize;
        while steps.len() < length {
            let group = *random.choose(&groups);
            match random.range(0, 8) {
                0 => steps.push(random.step(actions::ALWAYS[0])),
                1 => steps.push(random.step(actions::ALWAYS[1])),
                2..4 => steps.push(random.step(group)),
                4..6 if !group.passes.is_empty() => steps.extend(random.pass(group)),
                _ if !group.guards.is_empty() => steps.extend(random.guarded(group)),
                _ => {}
            }
        }
        let names: Vec<&str> = groups.iter().map(|group| group.name).collect();
        Program { steps, origin: format!("seed {seed} with {}", names.join(", ")) }
    }

    /// Programs that do all there is, for nobody to judge: what the JDK does when something is used for the first time
    /// comes before all of the programs behind them.
    pub(crate) fn tours() -> Vec<Program> {
        let tour = |group: &&Group| {
            let mut random = Random(0);
            let mut steps: Vec<Step> = (1..THREADS).filter_map(|_| Step::named("thread.start", 0, 0)).collect();
            steps.extend((0..TOUR).map(|_| random.step(group)));
            Program { steps, origin: format!("the tour of {}", group.name) }
        };
        actions::SOMETIMES.iter().map(tour).collect()
    }

    /// The programs of a text: paragraphs with a step on each line.
    pub(crate) fn parse_all(text: &str) -> Vec<Program> {
        let mut programs = Vec::new();
        for paragraph in text.split("\n\n") {
            let lines = paragraph.lines().filter(|line| !line.starts_with('#'));
            let steps: Vec<Step> =
                lines.map(|line| Step::parse(line).unwrap_or_else(|| panic!("no step: {line}"))).collect();
            if !steps.is_empty() {
                programs.push(Program { steps, origin: format!("program {} of the text", programs.len() + 1) });
            }
        }
        programs
    }

    /// Has it accesses that the detector does not see?
    pub(crate) fn has_unseen(&self) -> bool {
        let mut unseen = actions::UNSEEN.iter().flat_map(|group| group.actions);
        unseen.any(|(name, _)| self.steps.iter().any(|step| step.name == *name))
    }

    /// Carries the program out, as far as its steps can be taken.
    pub(crate) fn execute(&self, class: &str) -> Executed {
        let mut machine = Machine::new();
        for step in &self.steps {
            if machine.runs(step.thread) {
                let _ = (step.action)(&mut machine, step.thread, step.operand);
            }
        }
        machine.finish(class)
    }

    /// The program without the steps that could not be taken.
    pub(crate) fn taken(&self) -> Program {
        let mut machine = Machine::new();
        let mut taken = self.clone();
        taken.steps.retain(|step| {
            machine.runs(step.thread) && (step.action)(&mut machine, step.thread, step.operand).is_some()
        });
        taken
    }
}

impl Step {
    fn named(name: &str, thread: usize, operand: usize) -> Option<Step> {
        let (name, action) = actions::action(name)?;
        Some(Step { thread, name, action, operand })
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    fn parse(line: &str) -> Option<Step> {
        let mut words = line.split_whitespace();
        let thread = words.next()?.strip_prefix('T')?.parse().ok().filter(|&thread| thread < THREADS)?;
        Step::named(words.next()?, thread, words.next()?.parse().ok()?)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Step { thread, name, operand, .. } in &self.steps {
            writeln!(to, "T{thread} {name} {operand}")?;
        }
        Ok(())
    }
}

impl Expected {
    pub(crate) fn of(executed: &Executed) -> Expected {
        let conflicting = |events: &[Event]| variables(executed, events, &oracle::conflicting(events));
        let unordered = |events: &[Event]| {
            let order = oracle::happens_before(events);
            variables(executed, events, &oracle::unordered(events, &order))
        };
        let (perhaps, racy) = (unordered(&executed.must), unordered(&executed.may));
        let either: BTreeSet<String> = perhaps.difference(&racy).cloned().collect();
        let clean = conflicting(&executed.must).difference(&perhaps).cloned().collect();
        Expected { racy, either, clean }
    }
}

fn variables(executed: &Executed, events: &[Event], pairs: &[(usize, usize)]) -> BTreeSet<String> {
    let accesses = pairs.iter().filter_map(|&(_, later)| events[later].op.access());
    accesses.map(|(var, _)| executed.names[var.index()].clone()).collect()
}

/// SplitMix64 (Steele, Lea and Flood, 2014): any seed is good, neighbouring ones too.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` up to but without `high`.
    fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low)
    }

    fn thread(&mut self) -> usize {
        self.range(0, THREADS as u64) as usize
    }

    fn operand(&mut self) -> usize {
        self.range(0, 256) as usize
    }

    fn step(&mut self, group: &Group) -> Step {
        let &(name, action) = self.choose(group.actions);
        Step { thread: self.thread(), name, action, operand: self.operand() }
    }

    /// An access that two threads make, the second one after the first has asked it to.
    fn pass(&mut self, group: &Group) -> Vec<Step> {
        let &(gives, takes) = self.choose(group.passes);
        let (from, to, with) = (self.thread(), self.thread(), self.operand());
        let variable = self.operand();
        let steps =
            [(from, "data.write", variable), (from, gives, with), (to, takes, with), (to, "data.add", variable)];
        self.most(&steps)
    }

    /// An access that two threads make, each while it keeps the other out. Something else may happen meanwhile: what
    /// needs a thread that holds something would come by chance too seldom.
    fn guarded(&mut self, group: &Group) -> Vec<Step> {
        let &(enter, exit) = self.choose(group.guards);
        let (variable, with) = (self.operand(), self.operand());
        let mut steps = Vec::new();
        for _ in 0..2 {
            let thread = self.thread();
            steps.push((thread, enter, with));
            if self.range(0, 3) > 0 {
                let another = if self.range(0, 2) == 0 { thread } else { self.thread() };
                steps.push((another, self.choose(group.actions).0, with));
            }
            steps.extend([(thread, "data.add", variable), (thread, exit, with)]);
        }
        self.most(&steps)
    }

    /// The steps, but sometimes one is forgotten.
    fn most(&mut self, steps: &[(usize, &str, usize)]) -> Vec<Step> {
        let kept: Vec<_> = steps.iter().filter(|_| self.range(0, 12) > 0).collect();
        kept.into_iter().filter_map(|&(thread, name, operand)| Step::named(name, thread, operand)).collect()
    }

    fn choose<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.range(0, choices.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variables that race, and those that may, in a program written as text.
    fn judge(text: &str) -> (Vec<String>, Vec<String>) {
        let programs = Program::parse_all(text);
        let Expected { racy, either, .. } = Expected::of(&programs[0].execute("P"));
        (racy.into_iter().collect(), either.into_iter().collect())
    }

    /// A thread writes, does something, another does something, and reads.
    fn passed(gives: &str, takes: &str) -> (Vec<String>, Vec<String>) {
        judge(&format!("T0 thread.start 0\nT0 data.write 0\nT0 {gives}\nT1 {takes}\nT1 data.read 0"))
    }

    #[test]
    fn a_program_is_its_text() {
        for seed in 0..20 {
            let program = Program::random(seed);
            let text = program.to_string();
            let read = Program::parse_all(&text);
            assert_eq!(read.len(), 1);
            assert_eq!((read[0].to_string(), read[0].execute("P").java), (text, program.execute("P").java));
        }
    }

    #[test]
    fn what_is_promised_is_expected() {
        let racy = (vec!["x0".to_owned()], Vec::new());
        let either = (Vec::new(), vec!["x0".to_owned()]);
        let clean = (Vec::new(), Vec::new());
        for (gives, takes, expected) in [
            ("volatile.write 0", "volatile.read 0", &clean),
            ("volatile.write 0", "volatile.read 1", &racy),
            ("volatile.read 0", "volatile.write 0", &racy),
            ("atomic.set_release 0", "atomic.get_acquire 0", &clean),
            ("atomic.set_opaque 0", "atomic.get_acquire 0", &racy),
            ("atomic.set 0", "atomic.get_opaque 0", &racy),
            ("atomic.set 0", "atomic.cas_fails 0", &clean),
            ("atomic.cas_fails 0", "atomic.get 0", &racy),
            ("monitor.method 0", "monitor.method 0", &clean),
            ("monitor.method 0", "monitor.method 1", &racy),
            ("queue.put 0", "queue.take 0", &clean),
            ("queue.empty 0", "queue.empty 0", &either),
            ("map.put 0", "map.get 0", &clean),
            ("map.put 0", "map.get 1", &racy),
            ("map.get 0", "map.put 0", &racy),
            ("park.permit 0", "park.park 0", &racy),
        ] {
            assert_eq!(&passed(gives, takes), expected, "{gives}, {takes}");
        }
    }

    #[test]
    fn steps_that_cannot_be_taken_are_left_out() {
        let text = "T0 monitor.enter 0\nT1 data.write 0\nT0 thread.start 0\nT1 monitor.enter 0\nT0 monitor.exit 0\n";
        let taken = Program::parse_all(text)[0].taken();
        assert_eq!(taken.to_string(), "T0 monitor.enter 0\nT0 thread.start 0\nT0 monitor.exit 0\n");
    }
}
