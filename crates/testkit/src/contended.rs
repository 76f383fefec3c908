//! Traces that are hard to predict from: few locations, few values, many sections, in the readable text with values and
//! branches.
//!
//! Threads under a random scheduler take locks, sometimes a second one above the first, and access variables, of which
//! most are guarded by a lock of their own; now and then one is accessed without it. Values come from a small domain, so
//! that a read can see many writes without noticing. The same seed gives the same trace everywhere.

use std::io::{self, Write};

use crate::twister::Twister;

/// What the simulated program is like.
#[derive(Clone, Copy, Debug)]
pub struct Contended {
    /// Events.
    pub events: usize,
    /// Threads.
    pub threads: u32,
    /// Locks.
    pub locks: u32,
    /// Variables.
    pub vars: u32,
    /// Different values.
    pub values: u32,
    /// Where the random numbers start.
    pub seed: u32,
}

impl Contended {
    /// The default program, of a given length: eight threads, ten locks, 25 events for each variable.
    #[must_use]
    pub fn of_length(events: usize) -> Self {
        Contended { events, threads: 8, locks: 10, vars: (events / 25).max(4) as u32, values: 3, seed: 1 }
    }

    /// Writes the trace.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut random = Twister::seeded(self.seed);
        let guards = (0..self.vars).map(|_| (random.unit() < 0.7).then(|| below(&mut random, self.locks))).collect();
        let mut run = Run {
            shape: *self,
            guards,
            owners: vec![None; self.locks as usize],
            plans: vec![Vec::new(); self.threads as usize],
            memory: vec![0; self.vars as usize],
            random,
            count: 0,
            out,
        };
        writeln!(run.out, "# autodrome trace 1 values branches")?;
        run.work()
    }
}

fn below(random: &mut Twister, bound: u32) -> u32 {
    (random.unit() * f64::from(bound)) as u32
}

#[derive(Clone, Copy, Debug)]
enum Plan {
    Acquire(u32),
    Release(u32),
    Access(u32),
}

struct Run<'a, W: Write> {
    shape: Contended,
    /// The lock that guards each variable.
    guards: Vec<Option<u32>>,
    owners: Vec<Option<usize>>,
    /// What each thread will do next, the last first.
    plans: Vec<Vec<Plan>>,
    memory: Vec<u32>,
    random: Twister,
    count: usize,
    out: &'a mut W,
}

impl<W: Write> Run<'_, W> {
    fn work(&mut self) -> io::Result<()> {
        let mut thread = 0;
        while self.count < self.shape.events {
            if self.random.unit() < 0.15 {
                thread = below(&mut self.random, self.shape.threads) as usize;
            }
            if self.plans[thread].is_empty() {
                self.plans[thread] = self.plan();
            }
            match self.plans[thread].last().copied() {
                Some(Plan::Acquire(lock)) if self.owners[lock as usize].is_some() => {
                    thread = below(&mut self.random, self.shape.threads) as usize;
                    continue;
                }
                Some(Plan::Acquire(lock)) => {
                    self.owners[lock as usize] = Some(thread);
                    self.emit(format_args!("T{thread}|acq(L{lock})|lock\n"))?;
                }
                Some(Plan::Release(lock)) => {
                    self.owners[lock as usize] = None;
                    self.emit(format_args!("T{thread}|rel(L{lock})|unlock\n"))?;
                }
                Some(Plan::Access(var)) => self.access(thread, var)?,
                None => {}
            }
            self.plans[thread].pop();
        }
        Ok(())
    }

    fn emit(&mut self, line: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.count += 1;
        self.out.write_fmt(line)
    }

    fn access(&mut self, thread: usize, var: u32) -> io::Result<()> {
        let depth = self.plans[thread].iter().filter(|plan| matches!(plan, Plan::Release(_))).count();
        let site = format!("{}.{depth}", var % 40);
        if self.random.unit() < 0.4 {
            let value = below(&mut self.random, self.shape.values);
            self.memory[var as usize] = value;
            return self.emit(format_args!("T{thread}|w(V{var})={value}|write {site}\n"));
        }
        let value = self.memory[var as usize];
        self.emit(format_args!("T{thread}|r(V{var})={value}|read {site}\n"))?;
        if self.random.unit() < 0.5 { self.emit(format_args!("T{thread}|branch|branch\n")) } else { Ok(()) }
    }

    /// A section, perhaps with another one inside, or some accesses without a lock.
    fn plan(&mut self) -> Vec<Plan> {
        let mut plan = Vec::new();
        let choice = self.random.unit();
        if choice < 0.6 {
            let lock = below(&mut self.random, self.shape.locks);
            plan.push(Plan::Acquire(lock));
            self.guarded(Some(lock), 5, &mut plan);
            if lock + 1 < self.shape.locks && self.random.unit() < 0.2 {
                let inner = lock + 1 + below(&mut self.random, self.shape.locks - lock - 1);
                plan.push(Plan::Acquire(inner));
                self.guarded(Some(inner), 3, &mut plan);
                plan.push(Plan::Release(inner));
            }
            plan.push(Plan::Release(lock));
        } else if choice < 0.9 {
            self.guarded(None, 5, &mut plan);
        } else {
            plan.push(Plan::Access(below(&mut self.random, self.shape.vars)));
        }
        plan.reverse();
        plan
    }

    /// Up to `most` accesses to variables that a lock guards, or none does.
    fn guarded(&mut self, lock: Option<u32>, most: u32, plan: &mut Vec<Plan>) {
        let vars: Vec<u32> = (0..self.shape.vars).filter(|&var| self.guards[var as usize] == lock).collect();
        for _ in 0..=below(&mut self.random, most) {
            if !vars.is_empty() {
                plan.push(Plan::Access(vars[below(&mut self.random, vars.len() as u32) as usize]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_trace() {
        let text = |seed| {
            let mut text = Vec::new();
            Contended { seed, ..Contended::of_length(500) }.write(&mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2));
        assert!((501..=503).contains(&text(1).lines().count()), "a line for the header, one for each event");
    }
}
