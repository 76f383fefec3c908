//! Bounded systematic search: all schedules with at most so many preemptions, depth first, with sleep sets.
//!
//! Preemption bounds: Musuvathi and Qadeer 2007 (Iterative context bounding for systematic testing). Sleep sets:
//! Godefroid 1996 (Partial-order methods for the verification of concurrent systems). After all schedules in which a
//! thread goes first were seen, the thread sleeps in those in which another one does, until something is done that does not
//! commute with what it did. What a step does is known by its footprint, from the run in which it was made: not only the
//! operation, but what it let others do.
//!
//! What it may miss: with a bound, the one schedule of a class that is left may have more preemptions than others of its class,
//! and then the class is not seen (Coons, Musuvathi and McKinley 2013, Bounded partial-order reduction); a larger bound sees
//! it. Without a bound nothing is missed if footprints are complete, that is, if nothing but points is shared. It is for
//! programs with tens of points.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::control::{Choice, Decision, Pick, Policy, Tid, Touch, Why};

/// A thread, and what its next step does.
type Asleep = (Tid, Vec<Touch>);

/// A decision of the path that is followed.
#[derive(Clone, Debug)]
enum Node {
    Thread(Crossing),
    Pick { of: u32, picked: u32 },
}

/// A decision among threads.
#[derive(Clone, Debug)]
struct Crossing {
    /// Whom to let go on, in this order; the first is the one of this run.
    choices: Vec<Tid>,
    /// Who goes on costs a preemption, unless it is this one.
    free: Option<Tid>,
    /// What the step of the first choice did, once it is known.
    footprint: Option<Vec<Touch>>,
    sleep: Vec<Asleep>,
    preemptions: u32,
}

#[derive(Debug, Default)]
struct Tree {
    path: Vec<Node>,
    /// Runs that were stopped because each continuation had been seen.
    redundant: u64,
}

/// The search: a run for each [`Branch`].
#[derive(Debug)]
pub struct Systematic {
    tree: Arc<Mutex<Tree>>,
    bound: u32,
    has_begun: bool,
}

impl Systematic {
    /// All schedules with at most so many preemptions.
    #[must_use]
    pub fn new(bound: u32) -> Systematic {
        Systematic { tree: Arc::default(), bound, has_begun: false }
    }

    /// The policy of the next run; `None` if all were made. The run before must be over.
    pub fn next_run(&mut self) -> Option<Branch> {
        let mut tree = lock(&self.tree);
        if self.has_begun && !tree.advance() {
            return None;
        }
        drop(tree);
        self.has_begun = true;
        Some(Branch { tree: self.tree.clone(), bound: self.bound, depth: 0, last: None, footprint: Vec::new() })
    }

    /// How many runs were stopped because each continuation had been seen.
    #[must_use]
    pub fn redundant(&self) -> u64 {
        lock(&self.tree).redundant
    }
}

fn lock(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tree {
    /// Goes to the next path. False if there is none.
    fn advance(&mut self) -> bool {
        while let Some(node) = self.path.last_mut() {
            let has_next = match node {
                Node::Thread(crossing) => crossing.advance(),
                Node::Pick { of, picked } => {
                    *picked += 1;
                    picked < of
                }
            };
            if has_next {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

impl Crossing {
    /// The first choice has been seen in full: it sleeps from now on.
    fn advance(&mut self) -> bool {
        let seen = self.choices.remove(0);
        if let Some(footprint) = self.footprint.take() {
            self.sleep.push((seen, footprint));
        }
        !self.choices.is_empty()
    }

    /// Who sleeps after the step of the first choice.
    fn sleep_after(&self) -> Vec<Asleep> {
        let Some(footprint) = &self.footprint else { return Vec::new() };
        let commutes =
            |(_, other): &&Asleep| !other.iter().any(|one| footprint.iter().any(|two| one.conflicts_with(*two)));
        self.sleep.iter().filter(commutes).cloned().collect()
    }

    fn preemptions_after(&self) -> u32 {
        let is_free = self.free.is_none() || self.free == self.choices.first().copied();
        self.preemptions + u32::from(!is_free)
    }
}

/// One run of the search.
#[derive(Debug)]
pub struct Branch {
    tree: Arc<Mutex<Tree>>,
    bound: u32,
    depth: usize,
    /// The decision among threads before.
    last: Option<usize>,
    /// What was touched since then.
    footprint: Vec<Touch>,
}

impl Policy for Branch {
    fn next(&mut self, at: &Decision<'_>) -> Choice {
        self.footprint.extend(at.footprint);
        if at.candidates.is_empty() {
            return Choice::Await;
        }
        let mut tree = lock(&self.tree);
        let mut sleep = Vec::new();
        let mut preemptions = 0;
        if let Some(Node::Thread(crossing)) = self.last.and_then(|last| tree.path.get_mut(last)) {
            crossing.footprint = Some(std::mem::take(&mut self.footprint));
            (sleep, preemptions) = (crossing.sleep_after(), crossing.preemptions_after());
        }
        if self.depth == tree.path.len() {
            let free = at.current_candidate().filter(|_| !matches!(at.why, Why::Yields | Why::Spins));
            let first = at.unpreempted();
            let may_preempt = free.is_none() || preemptions < self.bound;
            let others = at.candidates.iter().copied().filter(|&thread| may_preempt && Some(thread) != first);
            let is_awake = |thread: &Tid| !sleep.iter().any(|(asleep, _)| asleep == thread);
            let choices: Vec<Tid> = first.into_iter().chain(others).filter(is_awake).collect();
            if choices.is_empty() {
                tree.redundant += 1;
                return Choice::Stop;
            }
            tree.path.push(Node::Thread(Crossing { choices, free, footprint: None, sleep, preemptions }));
        }
        let Some(Node::Thread(crossing)) = tree.path.get(self.depth) else { return Choice::Stop };
        let Some(&thread) = crossing.choices.first() else { return Choice::Stop };
        self.last = Some(self.depth);
        self.depth += 1;
        Choice::Run { thread, points: 1 }
    }

    fn pick(&mut self, _: Pick, of: u32) -> u32 {
        let mut tree = lock(&self.tree);
        if self.depth == tree.path.len() {
            tree.path.push(Node::Pick { of, picked: 0 });
        }
        let picked = match tree.path.get(self.depth) {
            Some(&Node::Pick { picked, .. }) => picked,
            _ => 0,
        };
        self.depth += 1;
        picked
    }

    fn wants_footprint(&self) -> bool {
        true
    }
}
