//! Threads that log and a writer that closes their blocks, all at once (docs/adr/0016-blocks-of-events.md): does the merged
//! order explain what was read?
//!
//! The rings and the merge are the recorder's own. The side of the threads is AutodromeRecord.java, instruction for
//! instruction with the same memory ordering: `begin`, `end` and `giveBack` there are [`Logger::access`] here.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};
use std::time::{Duration, Instant};

use runtime::layout::RING_ROOM;

use super::merge::{Merge, Sequence};
use super::ring::{Raw, Ring};
use super::{FIRST_BLOCK, Step};
use crate::agent::lock;

const THREADS: u32 = 4;
const ROUNDS: u32 = 100_000;
const LOCKS: usize = 2;

/// What the threads share.
struct Program {
    sequence: AtomicU64,
    floor: AtomicU64,
    stripes: Vec<AtomicU64>,
    variables: Vec<AtomicU64>,
    locks: Vec<AtomicBool>,
    /// An array that dies again and again, and whose number becomes the next one's: how many there were.
    array: RwLock<u32>,
    /// From which block on the number is that of which array.
    news: Mutex<Vec<(u64, u32)>>,
    at_work: AtomicUsize,
    /// Nobody takes what is logged any more: a check has failed.
    failed: AtomicBool,
}

impl Program {
    fn new(variables: usize, stripes: usize) -> Program {
        let words = |count: usize| (0..count).map(|_| AtomicU64::new(0)).collect();
        Program {
            sequence: AtomicU64::new(FIRST_BLOCK),
            floor: AtomicU64::new(0),
            stripes: words(stripes),
            variables: words(variables),
            locks: (0..LOCKS).map(|_| AtomicBool::new(false)).collect(),
            array: RwLock::new(0),
            news: Mutex::default(),
            at_work: AtomicUsize::new(THREADS as usize),
            failed: AtomicBool::new(false),
        }
    }
}

/// One thread of the program.
struct Logger<'a> {
    program: &'a Program,
    ring: Ring,
    me: u32,
    /// How many events it has logged.
    logged: u32,
    dice: u64,
}

impl Logger<'_> {
    fn roll(&mut self, sides: u64) -> u64 {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33) % sides
    }

    /// Threads lose the processor at any place; here more often than elsewhere.
    fn dawdle(&mut self) {
        match self.roll(400) {
            0 => std::thread::sleep(Duration::from_micros(50)),
            1..=8 => std::thread::yield_now(),
            _ => {}
        }
    }

    fn raw(&mut self, block: u64, step: Step, operand: usize, value: u64, index: u32) -> Raw {
        self.logged += 1;
        Raw { block, step: step as u8, site: self.logged, operand: operand as u32, value, thread: self.me, index }
    }

    fn make_room(&self) {
        while self.ring.room() < RING_ROOM && !self.program.failed.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }

    /// Reads a variable, or writes a value that nobody else writes, of the array with this number if it is an element.
    fn access(&mut self, variable: usize, step: Step, index: u32) {
        self.make_room();
        let program = self.program;
        let [active, own, closed] = self.ring.words_of_shim();
        let stripe = &program.stripes[variable % program.stripes.len()];
        active.store(active.load(Ordering::Relaxed) + 1, Ordering::Release);
        loop {
            let last = stripe.load(Ordering::Relaxed);
            let free = last & 1 == 0;
            if free && stripe.compare_exchange(last, last | 1, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
                break;
            }
            std::thread::yield_now();
        }
        let cell = &program.variables[variable];
        let value = match step {
            Step::Write | Step::WriteElement => {
                let value = u64::from(self.me) << 32 | u64::from(self.logged + 1);
                cell.store(value, Ordering::Relaxed);
                value
            }
            _ => cell.load(Ordering::Relaxed),
        };
        self.dawdle();
        let mut block = own.load(Ordering::Relaxed);
        if block < stripe.load(Ordering::Relaxed) >> 1
            || block < program.floor.load(Ordering::Acquire)
            || block <= closed.load(Ordering::Acquire)
        {
            block = program.sequence.fetch_add(1, Ordering::SeqCst);
        }
        self.dawdle();
        let raw = self.raw(block, step, variable, value, index);
        self.ring.put(&raw);
        stripe.store(block << 1, Ordering::Release);
        active.store(active.load(Ordering::Relaxed) + 1, Ordering::Release);
    }

    /// Synchronization, as [`super::Recorder::log_raw`] logs it.
    fn synchronize(&mut self, step: Step, operand: usize) {
        self.make_room();
        let block = self.program.sequence.fetch_add(1, Ordering::SeqCst);
        self.dawdle();
        let raw = self.raw(block, step, operand, 0, 0);
        self.ring.put(&raw);
    }

    fn read_or_write(&mut self, variable: usize) {
        let step = if self.roll(3) == 0 { Step::Write } else { Step::Read };
        self.access(variable, step, 0);
    }

    /// Goes on accessing what it accessed before, mostly: long blocks.
    fn run(mut self) {
        let variables = self.program.variables.len() as u64 - 1;
        let mut variable = self.roll(variables) as usize;
        for _ in 0..ROUNDS {
            match self.roll(40) {
                0 => {
                    let taken = self.roll(LOCKS as u64) as usize;
                    let program = self.program;
                    while program.locks[taken].swap(true, Ordering::Acquire) {
                        std::thread::yield_now();
                    }
                    self.synchronize(Step::Acquire, taken);
                    for _ in 0..3 {
                        self.read_or_write(variable);
                    }
                    self.synchronize(Step::Release, taken);
                    program.locks[taken].store(false, Ordering::Release);
                }
                1 => {
                    let program = self.program;
                    let number = program.array.read().unwrap();
                    let step = if self.roll(2) == 0 { Step::WriteElement } else { Step::ReadElement };
                    self.access(variables as usize, step, *number);
                }
                // The array is dead, and its number another's, as in `array_made`.
                2 if self.roll(10) == 0 => {
                    let mut number = self.program.array.write().unwrap();
                    *number += 1;
                    self.program.variables[variables as usize].store(0, Ordering::Relaxed);
                    let mut news = lock(&self.program.news);
                    let now = self.program.sequence.load(Ordering::SeqCst);
                    self.program.floor.store(now, Ordering::SeqCst);
                    news.push((now, *number));
                }
                3 => variable = self.roll(variables) as usize,
                // Long enough for the writer to close its block.
                4 if self.roll(20) == 0 => std::thread::sleep(Duration::from_millis(1)),
                _ => self.read_or_write(variable),
            }
        }
        self.program.at_work.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Reads the merged order and compares.
struct Checked<'a> {
    program: &'a Program,
    held: HashMap<u32, u64>,
    owners: HashMap<u32, u32>,
    /// How many events of each thread there were.
    of_threads: Vec<u32>,
    news: Vec<(u64, u32)>,
    array: u32,
    last_block: u64,
    blocks: u64,
    events: u64,
}

impl Sequence for Checked<'_> {
    type Error = Infallible;

    fn learn(&mut self) {
        self.news.append(&mut lock(&self.program.news));
    }

    fn event(&mut self, raw: &Raw) -> Result<(), Infallible> {
        let news = self.news.iter().take_while(|(since, _)| *since <= raw.block).count();
        for (_, number) in self.news.drain(..news) {
            self.array = number;
            // A new array is as all new arrays are.
            self.held.remove(&(self.program.variables.len() as u32 - 1));
        }
        assert!(raw.block >= self.last_block, "{raw:?} after block {}", self.last_block);
        self.blocks += u64::from(raw.block > self.last_block);
        self.last_block = raw.block;
        self.events += 1;
        let of_thread = &mut self.of_threads[raw.thread as usize];
        *of_thread += 1;
        assert_eq!(raw.site, *of_thread, "an event of the thread is missing: {raw:?}");
        let is = |step: Step| raw.step == step as u8;
        if is(Step::ReadElement) || is(Step::WriteElement) {
            assert_eq!(raw.index, self.array, "another array had this number: {raw:?}");
        }
        if is(Step::Write) || is(Step::WriteElement) {
            self.held.insert(raw.operand, raw.value);
        } else if is(Step::Read) || is(Step::ReadElement) {
            let held = self.held.get(&raw.operand).copied().unwrap_or(0);
            assert_eq!(raw.value, held, "a read sees the last write before it: {raw:?}");
        } else if is(Step::Acquire) {
            assert_eq!(self.owners.insert(raw.operand, raw.thread), None, "two owners: {raw:?}");
        } else {
            assert_eq!(self.owners.remove(&raw.operand), Some(raw.thread), "not the owner: {raw:?}");
        }
        Ok(())
    }
}

/// Lets the threads end if the writer panics.
struct Fails<'a>(&'a Program);

impl Drop for Fails<'_> {
    fn drop(&mut self) {
        self.0.failed.store(true, Ordering::Relaxed);
    }
}

/// Runs threads and a writer over so many variables with so many stripes.
fn stress(variables: usize, stripes: usize, number: u64) {
    let seed = testkit::seed() << 8 | number;
    let program = Program::new(variables + 1, stripes);
    let rings: Vec<Ring> = (0..THREADS).map(|_| Ring::new().unwrap()).collect();
    // No pause of a thread, however busy the machine, is taken for the end of its access.
    let mut merge = Merge::new(Duration::from_secs(600));
    let mut checked = Checked {
        program: &program,
        held: HashMap::new(),
        owners: HashMap::new(),
        of_threads: vec![0; THREADS as usize],
        news: Vec::new(),
        array: 0,
        last_block: 0,
        blocks: 0,
        events: 0,
    };
    std::thread::scope(|scope| {
        for (me, &ring) in (0..THREADS).zip(&rings) {
            ring.start();
            let dice = seed << 8 | u64::from(me);
            let logger = Logger { program: &program, ring, me, logged: 0, dice };
            scope.spawn(|| logger.run());
        }
        let _fails = Fails(&program);
        merge.meet(&rings);
        let mut since = Instant::now();
        loop {
            let (before, is_over) = (merge.next(), program.at_work.load(Ordering::SeqCst) == 0);
            let Ok(()) = merge.take_all(&mut checked);
            if is_over && merge.next() == program.sequence.load(Ordering::SeqCst) {
                break;
            }
            if merge.next() > before {
                since = Instant::now();
            } else {
                std::thread::yield_now();
            }
            assert!(since.elapsed() < Duration::from_secs(120), "the writer waits for a block that never comes");
        }
    });
    assert_eq!(merge.late(), 0, "an event was logged in a block that was over");
    for ring in &rings {
        let mut rest = ring.filled();
        assert_eq!(rest.take(), None, "what was logged was taken");
    }
    // It was about something: blocks have many events, and the writer closed some.
    assert!(checked.events > u64::from(THREADS * ROUNDS / 2) && checked.blocks < checked.events, "{}", checked.events);
    let closed = rings.iter().filter(|ring| ring.words_of_shim()[2].load(Ordering::Relaxed) > 0).count();
    assert!(closed > 0, "no block was closed by the writer");
}

#[test]
fn few_variables_that_all_threads_want() {
    stress(2, 1, 1);
}

#[test]
fn variables_that_share_stripes() {
    stress(24, 5, 2);
}

#[test]
fn many_variables_and_long_blocks() {
    stress(3000, 512, 3);
}
