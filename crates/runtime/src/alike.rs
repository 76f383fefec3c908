//! Accesses to elements that are in the same state, as those of a range mostly are: what became of one becomes of the next.
//!
//! Elements with equal words take the same new word by the same access. So the rules decide once, and the others take the new word
//! over, by one swap of an index. Nothing is taken over from an element that races, or that somebody else accessed meanwhile:
//! what is taken over follows from the words that were there and from this access alone.
//!
//! If all elements that have a clock of reads are of a range that is read, the clock itself takes the read in, and no element gets
//! another word. Then many threads that each read all of an array need one clock, not one for each.
//! Precise: the lock of the array's clocks is held, so no other element can come to have that clock meanwhile, and no clock of
//! many elements takes another read in. As for a variable's own clock, the read counts for an element that still has the clock
//! afterwards; its last write is looked at then.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use detect::fasttrack::rules::ReadRule;
use model::ThreadId;

use crate::access::Earlier;
use crate::depot::ContextId;
use crate::pool::{Elements, OWN, Pool, Pooled};
use crate::variable::{Change, Place, Variable, add};
use crate::word::{State, Word};
use crate::{Runtime, lock};

/// Elements that several threads access by turns are in so many states.
const STATES: usize = 32;

/// To look at all elements of an array pays if the range is not less than this part of it.
const PART: usize = 8;

/// What became of the accesses to many elements.
#[derive(Debug, Default)]
pub struct Alike {
    /// The earlier accesses that race with them.
    pub races: Vec<Earlier>,
    /// How many elements had to be decided.
    pub decided: u64,
    /// A word of reads that some of them have, if they were read, whose clock knows of the thread's epoch.
    pub shared: Option<Word>,
}

/// A thread has read elements with a constant stride, at one place in the program.
pub fn read_range<'a, E: Elements<'a>>(
    elements: E,
    runtime: &Runtime,
    me: ThreadId,
    (range, step): (Range<usize>, usize),
    context: ContextId,
) -> Alike {
    let _held = lock(elements.sharing());
    let (mut alike, mut last, mut joined) = (Alike::default(), Last::default(), Vec::new());
    let (indices, Some(pool)) = (elements.indices(), elements.pool()) else { return alike };
    let mut obstacles = None;
    for element in range.clone().step_by(step) {
        let Some(pair) = indices.get(element) else { break };
        let write = || match pair[1].load(Ordering::SeqCst) {
            OWN => elements.own(element, 1).map_or(Word::EMPTY, Place::word),
            index => pool.get(index),
        };
        let state = state(pair);
        let known = last[state].filter(|&(change, index)| takes_over(pool, &pair[0], change, index, write));
        if let Some((change, _)) = known {
            // As after any read that was recorded: whoever wrote since may not have seen it.
            let written = write();
            if written != change.write {
                add(&mut alike.races, runtime.check_write(me, written));
            }
            continue;
        }
        let Some(variable) = held(elements, element) else { break };
        alike.decided += 1;
        let (reads, write) = (variable.reads.word(), variable.write.word());
        if !joined.contains(&reads) && is_clock(reads) && range.len() >= indices.len() / PART {
            let obstacles = obstacles.get_or_insert_with(|| Obstacles::new(elements, runtime, me, &range, step));
            let is_new =
                || runtime.read(me, reads, Word::EMPTY).is_some_and(|verdict| verdict.rule == ReadRule::Shared);
            if !obstacles.are_there(&variable.reads, reads) && is_new() && runtime.join_all(me, reads, context) {
                joined.push(reads);
            }
        }
        let (found, change) = if joined.contains(&reads) && variable.reads.word() == reads {
            // The clock knows of the read by now, so the rules would not look at the last write.
            (variable.check_write(runtime, me), Some(Change { reads, write, new: reads }))
        } else {
            variable.read_and_tell(runtime, me, || context)
        };
        // Each element that races is reported for itself.
        let change = change.filter(|_| found.is_empty());
        add(&mut alike.races, found);
        alike.shared = change.map(|change| change.new).filter(|&word| is_clock(word)).or(alike.shared);
        last[state] = change.and_then(|change| Some((change, variable.reads.found(change.new)?)));
    }
    alike
}

/// A thread has written elements with a constant stride, at one place in the program.
pub fn write_range<'a, E: Elements<'a>>(
    elements: E,
    runtime: &Runtime,
    me: ThreadId,
    (range, step): (Range<usize>, usize),
    context: ContextId,
) -> Alike {
    let _held = lock(elements.sharing());
    let (mut alike, mut last) = (Alike::default(), Last::default());
    let (indices, Some(pool)) = (elements.indices(), elements.pool()) else { return alike };
    for element in range.step_by(step) {
        let Some(pair) = indices.get(element) else { break };
        let [reads, write] = [0, 1].map(|of| pair[of].load(Ordering::SeqCst));
        let state = state(pair);
        let is_like = |change: Change| {
            reads != OWN && write != OWN && pool.get(reads) == change.reads && pool.get(write) == change.write
        };
        let known = last[state].filter(|&(change, index)| is_like(change) && swap(&pair[1], write, index));
        let variable = || held(elements, element);
        if let Some((change, index)) = known {
            // As after any write that was recorded: the reads are looked at again, and a clock of theirs is taken out. Those that
            // the clock knows are ordered before, as they were for the other element.
            let is_still = pair[0].load(Ordering::SeqCst) == reads && pool.get(reads) == change.reads;
            let is_done = write == index || is_still && (!is_clock(change.reads) || swap(&pair[0], reads, 0));
            if !is_done {
                add(&mut alike.races, variable().map_or_else(Vec::new, |variable| variable.check_reads(runtime, me)));
            }
            continue;
        }
        let Some(variable) = variable() else { break };
        alike.decided += 1;
        let (found, change) = variable.write_and_tell(runtime, me, || context);
        let change = change.filter(|_| found.is_empty());
        add(&mut alike.races, found);
        last[state] = change.and_then(|change| Some((change, variable.write.found(change.new)?)));
    }
    alike
}

/// The words of an element, for one who holds the lock of the array's clocks.
fn held<'a, E: Elements<'a>>(elements: E, element: usize) -> Option<Variable<Pooled<'a, E>>> {
    let word = |of| Some(Pooled::new(elements, element, of)?.held());
    Some(Variable { reads: word(0)?, write: word(1)? })
}

/// What became of the last element in each state, and the index of its new word.
type Last = [Option<(Change, u8)>; STATES];

/// Where to look for what became of an element like this: equal indices lead to one place, others mostly to another.
fn state(pair: &[AtomicU8; 2]) -> usize {
    let [reads, write] = [0, 1].map(|of| usize::from(pair[of].load(Ordering::Relaxed)));
    (7 * reads + write) % STATES
}

fn swap(index: &AtomicU8, old: u8, new: u8) -> bool {
    old == new || index.compare_exchange(old, new, Ordering::SeqCst, Ordering::SeqCst).is_ok()
}

fn is_clock(word: Word) -> bool {
    matches!(word.state(), State::Shared(_))
}

/// If the element has the words that another one had, it gets the word that the other one got. That word is in the pool for as
/// long as this thread's epoch lasts, or the lock is held.
fn takes_over(pool: Pool<'_>, reads: &AtomicU8, change: Change, index: u8, write: impl FnOnce() -> Word) -> bool {
    let at = reads.load(Ordering::SeqCst);
    at != OWN && pool.get(at) == change.reads && write() == change.write && swap(reads, at, index)
}

/// What stands in the way of a clock that is to take the read in.
struct Obstacles {
    /// What elements have which are not of the range: words of reads in the pool, and clocks as their own.
    indices: [bool; 256],
    own: HashSet<Word>,
    /// An element of the range was written in this epoch: that stands for the read, which is not recorded then.
    is_written: bool,
}

impl Obstacles {
    fn new<'a, E: Elements<'a>>(
        elements: E,
        runtime: &Runtime,
        me: ThreadId,
        range: &Range<usize>,
        step: usize,
    ) -> Self {
        let (mut reads, mut own, mut written) = ([false; 256], HashSet::new(), [false; 256]);
        let now = runtime.stamp(me);
        let is_mine = |word: Word| matches!(word.state(), State::Last(stamp, _) if Some(stamp) == now);
        let own_word = |element, of| elements.own(element, of).map(Place::word);
        let mut is_written = false;
        for (element, pair) in elements.indices().iter().enumerate() {
            let [of_reads, of_write] = [0, 1].map(|of| pair[of].load(Ordering::SeqCst));
            if range.contains(&element) && (element - range.start) % step == 0 {
                written[usize::from(of_write)] = true;
                is_written |= of_write == OWN && own_word(element, 1).is_some_and(is_mine);
            } else {
                reads[usize::from(of_reads)] = true;
                let word = (of_reads == OWN).then(|| own_word(element, 0)).flatten();
                own.extend(word.filter(|&word| is_clock(word)));
            }
        }
        let pool = elements.pool();
        let in_pool = |index: u8| pool.map_or(Word::EMPTY, |pool| pool.get(index));
        is_written |= (0..OWN).any(|index| written[usize::from(index)] && is_mine(in_pool(index)));
        Obstacles { indices: reads, own, is_written }
    }

    /// May this word's clock, that of an element of the range, not take the read in?
    fn are_there<'a, E: Elements<'a>>(&self, reads: &Pooled<'a, E>, word: Word) -> bool {
        let index = reads.index.load(Ordering::SeqCst);
        self.is_written
            || reads.in_pool(index) != Some(word)
            || self.indices[usize::from(index)]
            || self.own.contains(&word)
    }
}
