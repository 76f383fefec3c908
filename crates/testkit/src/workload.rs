//! Traces for measuring speed: a simulated program with real locks, in RAPID's STD text.
//!
//! The first thread writes read-only data, forks workers and, on the way, short-lived threads; every thread runs bursts
//! of events under a random scheduler. Accesses go to thread-local variables, to variables guarded by a lock, to the
//! read-only ones, and seldom to racy ones without protection. Nested locks are taken in increasing order, so
//! nothing deadlocks. The same seed gives the same trace everywhere.

use std::io::{self, Write};

use crate::twister::Twister;

/// What the simulated program is like.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Events, about.
    pub events: u64,
    /// Threads that run from begin to end, the first included.
    pub threads: u32,
    /// Threads that come and go.
    pub short_lived: u64,
    /// Locks.
    pub locks: u32,
    /// Variables guarded by a lock.
    pub guarded: u32,
    /// Variables of each thread's own.
    pub local: u32,
    /// Variables written before the forks and only read after.
    pub read_only: u32,
    /// Variables that are accessed without protection.
    pub racy: u32,
    /// The probability that an access is one of those.
    pub racy_share: f64,
    /// Events for which a racy variable stays in use.
    pub hot: u64,
    /// The probability per step that a thread takes a lock.
    pub acquire: f64,
    /// How likely a thread with a lock takes another one.
    pub nest: f64,
    /// Where the random numbers start.
    pub seed: u32,
}

impl Workload {
    /// The default program, of a given length.
    #[must_use]
    pub fn of_length(events: u64) -> Self {
        Workload {
            events,
            threads: 8,
            short_lived: 8,
            locks: 32,
            guarded: 2000,
            local: 2000,
            read_only: 1000,
            racy: 40,
            racy_share: 0.002,
            hot: 3000,
            acquire: 0.06,
            nest: 0.25,
            seed: 1,
        }
    }

    /// Writes the trace; says how many events it has.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<u64> {
        let mut run = Run {
            shape: *self,
            random: Twister::seeded(self.seed),
            held: vec![false; self.locks as usize],
            live: vec![Worker::default()],
            count: 0,
            out,
        };
        run.initialise()?;
        run.work()?;
        run.wind_up()?;
        Ok(run.count)
    }
}

#[derive(Clone, Debug, Default)]
struct Worker {
    id: u32,
    /// The locks held, innermost last.
    stack: Vec<u32>,
}

struct Run<'a, W: Write> {
    shape: Workload,
    random: Twister,
    held: Vec<bool>,
    live: Vec<Worker>,
    count: u64,
    out: &'a mut W,
}

/// Whether a thread can go on in its burst.
enum Burst {
    GoesOn,
    Blocked,
}

impl<W: Write> Run<'_, W> {
    fn emit(&mut self, line: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.count += 1;
        self.out.write_fmt(line)
    }

    fn below(&mut self, bound: u32) -> u32 {
        (self.random.unit() * f64::from(bound)) as u32
    }

    fn initialise(&mut self) -> io::Result<()> {
        for var in 0..self.shape.read_only {
            if self.count >= self.shape.events / 10 {
                break;
            }
            self.emit(format_args!("T0|w(RO{var})|{}\n", 1 + var % 7))?;
        }
        for id in 1..self.shape.threads {
            self.fork(id, 10)?;
        }
        Ok(())
    }

    fn fork(&mut self, id: u32, site: u32) -> io::Result<()> {
        self.live.push(Worker { id, stack: Vec::new() });
        self.emit(format_args!("T0|fork(T{id})|{site}\n"))
    }

    fn work(&mut self) -> io::Result<()> {
        let every = self.shape.events.checked_div(self.shape.short_lived + 1).unwrap_or(u64::MAX).max(1);
        let mut next_short = if self.shape.short_lived == 0 { u64::MAX } else { every };
        let mut next_id = self.shape.threads;
        let mut youngest: Option<u32> = None;
        let tail = 4 * (self.live.len() as u64 + self.shape.short_lived) + 200;
        while self.count + tail < self.shape.events {
            if self.count >= next_short && self.live[0].stack.is_empty() {
                self.retire(youngest)?;
                self.fork(next_id, 12)?;
                youngest = Some(next_id);
                next_id += 1;
                next_short += every;
            }
            let worker = self.below(self.live.len() as u32) as usize;
            for _ in 0..=self.below(24) {
                if let Burst::Blocked = self.step(worker)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Joins a short-lived thread if it holds nothing.
    fn retire(&mut self, id: Option<u32>) -> io::Result<()> {
        let place = self.live.iter().position(|worker| Some(worker.id) == id && worker.stack.is_empty());
        if let Some(place) = place {
            let worker = self.live.remove(place);
            self.emit(format_args!("T0|join(T{})|11\n", worker.id))?;
        }
        Ok(())
    }

    fn step(&mut self, worker: usize) -> io::Result<Burst> {
        let choice = self.random.unit();
        let depth = self.live[worker].stack.len();
        if depth > 0 {
            if choice < 0.22 {
                self.release(worker)?;
                return Ok(Burst::GoesOn);
            }
            if choice < 0.22 + 0.05 * self.shape.nest * 4.0 && depth < 4 && self.acquire_nested(worker)? {
                return Ok(Burst::GoesOn);
            }
            let place = self.below(depth as u32) as usize;
            let lock = self.live[worker].stack[place];
            if self.random.unit() < 0.7 {
                self.access_guarded(worker, lock)?;
                return Ok(Burst::GoesOn);
            }
        } else if choice < self.shape.acquire {
            let lock = self.below(self.shape.locks);
            if self.held[lock as usize] {
                return Ok(Burst::Blocked);
            }
            self.acquire(worker, lock)?;
            return Ok(Burst::GoesOn);
        }
        self.access_unguarded(worker)?;
        Ok(Burst::GoesOn)
    }

    fn acquire_nested(&mut self, worker: usize) -> io::Result<bool> {
        let top = self.live[worker].stack.last().copied().unwrap_or(0);
        if top + 1 >= self.shape.locks {
            return Ok(false);
        }
        let lock = top + 1 + self.below(6.min(self.shape.locks - top - 1));
        if self.held[lock as usize] {
            return Ok(false);
        }
        self.acquire(worker, lock)?;
        Ok(true)
    }

    fn acquire(&mut self, worker: usize, lock: u32) -> io::Result<()> {
        self.held[lock as usize] = true;
        self.live[worker].stack.push(lock);
        let id = self.live[worker].id;
        self.emit(format_args!("T{id}|acq(L{lock})|{}\n", 200 + lock))
    }

    fn release(&mut self, worker: usize) -> io::Result<()> {
        let Some(lock) = self.live[worker].stack.pop() else { return Ok(()) };
        self.held[lock as usize] = false;
        let id = self.live[worker].id;
        self.emit(format_args!("T{id}|rel(L{lock})|{}\n", 300 + lock))
    }

    fn access_guarded(&mut self, worker: usize, lock: u32) -> io::Result<()> {
        let id = self.live[worker].id;
        let var = lock + self.shape.locks * self.below((self.shape.guarded / self.shape.locks).max(1));
        let site = var % 97;
        if self.random.unit() < 0.35 {
            self.emit(format_args!("T{id}|w(S{var})|{}\n", 400 + site))
        } else {
            self.emit(format_args!("T{id}|r(S{var})|{}\n", 500 + site))
        }
    }

    fn access_unguarded(&mut self, worker: usize) -> io::Result<()> {
        let id = self.live[worker].id;
        let choice = self.random.unit();
        if choice < self.shape.racy_share {
            let epoch = self.count / self.shape.hot + u64::from(self.below(2));
            let var = epoch % u64::from(self.shape.racy);
            if self.random.unit() < 0.5 {
                self.emit(format_args!("T{id}|w(X{var})|{}\n", 600 + var))
            } else {
                self.emit(format_args!("T{id}|r(X{var})|{}\n", 700 + var))
            }
        } else if choice < 0.25 {
            let var = self.below(self.shape.read_only);
            self.emit(format_args!("T{id}|r(RO{var})|{}\n", 800 + var % 53))
        } else {
            let var = self.below(self.shape.local);
            if self.random.unit() < 0.4 {
                self.emit(format_args!("T{id}|w(T{id}.{var})|{}\n", 900 + var % 89))
            } else {
                self.emit(format_args!("T{id}|r(T{id}.{var})|{}\n", 1000 + var % 89))
            }
        }
    }

    fn wind_up(&mut self) -> io::Result<()> {
        for worker in 0..self.live.len() {
            while !self.live[worker].stack.is_empty() {
                self.release(worker)?;
            }
        }
        for worker in 1..self.live.len() {
            let id = self.live[worker].id;
            self.emit(format_args!("T0|join(T{id})|11\n"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first lines and a checksum of the whole keep the trace from changing unnoticed: results measured on
    /// it are compared over years.
    #[test]
    fn the_trace_stays_the_same() {
        let mut text = Vec::new();
        let count = Workload::of_length(10_000).write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.lines().count() as u64, count);
        assert!(text.starts_with("T0|w(RO0)|1\nT0|w(RO1)|2\n"));
        let sum = text.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        assert_eq!((count, sum), (9749, 11_854_103_285_778_088_351));
    }
}
