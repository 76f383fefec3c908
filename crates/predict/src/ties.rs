//! Why two accesses keep their order: the edges that lead from the one to the other, whatever is asked.
//!
//! Of all chains of such edges the one that changes threads least often, as the shortest explanation. *Misses* what keeps
//! two accesses apart without an edge: sections of a lock, values that must be read.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use model::Op;

use crate::Settings;
use crate::driver;
use crate::layout::Layout;
use crate::query;
use crate::recording::Recording;

/// What makes one event come before another of another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A thread is started, or waited for.
    Thread,
    /// A message is sent and received.
    Message,
    /// A hidden method may make it so.
    HiddenMethod,
    /// A lock is held when the window begins.
    Lock,
    /// A read sees the only write that can be what it saw.
    Value,
}

/// One event comes before another, by their places in the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The event before.
    pub from: usize,
    /// The event after.
    pub to: usize,
    /// Why.
    pub reason: Reason,
}

/// The chain of ties from one access to another, in one window that begins `before` events earlier than both; `None` if there is
/// none.
#[must_use]
pub fn ties(
    recording: &Recording,
    settings: &Settings,
    (earlier, later): (usize, usize),
    before: usize,
) -> Option<Vec<Tie>> {
    let window = driver::spanning(recording, settings, (earlier, later), before);
    let barriers = query::barriers(&window, settings);
    let layout = Layout::new(&window, &barriers);
    let start = window.range.start;
    let (earlier, later) = ((earlier - start) as u32, (later - start) as u32);
    let hidden: HashSet<(u32, u32)> = barriers.edges.iter().copied().collect();
    let mut sources: HashMap<u32, Vec<u32>> = HashMap::new();
    for (from, to) in layout.graph.edges() {
        sources.entry(to.0).or_default().push(from.0);
    }
    // The later access itself may see any value, so only what holds whatever it reads counts there.
    sources.insert(later, layout.hard[later as usize].clone());
    let reason = |from: u32, to: u32| match layout.window.op(to as usize) {
        _ if hidden.contains(&(from, to)) => Reason::HiddenMethod,
        Op::Join(_) => Reason::Thread,
        _ if !layout.hard[to as usize].contains(&from) => Reason::Value,
        _ if matches!(layout.window.op(from as usize), Op::Fork(_)) => Reason::Thread,
        Op::Receive(_) => Reason::Message,
        _ => Reason::Lock,
    };
    // Backwards, by the number of ties; of each event the one after it.
    let mut next: HashMap<u32, u32> = HashMap::new();
    let mut turns = BinaryHeap::from([(Reverse(0u32), later, None)]);
    let chain = layout.chain[earlier as usize];
    while let Some((Reverse(steps), event, after)) = turns.pop() {
        if event != later {
            if next.contains_key(&event) {
                continue;
            }
            next.extend(after.map(|after| (event, after)));
        }
        if layout.chain[event as usize] == chain && event >= earlier {
            return Some(unwind(&next, event, later, |from, to| {
                let is_own = layout.chain[from as usize] == layout.chain[to as usize];
                (!is_own).then(|| Tie {
                    from: start + from as usize,
                    to: start + to as usize,
                    reason: reason(from, to),
                })
            }));
        }
        turns.extend(layout.before(event).map(|before| (Reverse(steps), before, Some(event))));
        let across = sources.get(&event).into_iter().flatten();
        turns.extend(across.map(|&source| (Reverse(steps + 1), source, Some(event))));
    }
    None
}

fn unwind(next: &HashMap<u32, u32>, from: u32, to: u32, tie: impl Fn(u32, u32) -> Option<Tie>) -> Vec<Tie> {
    let mut ties = Vec::new();
    let mut event = from;
    while event != to {
        let Some(&after) = next.get(&event) else { break };
        ties.extend(tie(event, after));
        event = after;
    }
    ties
}
