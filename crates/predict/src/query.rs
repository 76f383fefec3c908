//! All questions about one window.

use std::collections::HashSet;

use smt::{Answer, Cdcl, Engine, Node, Question};

use crate::barrier::Barriers;
use crate::candidates::{self, LocationPair};
use crate::causality::Causality;
use crate::driver::Verdict;
use crate::layout::Layout;
use crate::replay::Script;
use crate::rules::Rules;
use crate::window::Window;
use crate::{Model, Settings};

/// How many pairs are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One race for each two program locations.
    Locations,
    /// Every so many-th pair of events: 1 for all of them.
    Pairs(usize),
}

/// A race in a window: both accesses by their place, and the witness.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) locations: LocationPair,
    pub(crate) pair: (u32, u32),
    pub(crate) witness: Vec<u32>,
}

/// What a window gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) races: Vec<Found>,
    pub(crate) queries: u64,
    pub(crate) undecided: Vec<Open>,
}

/// Pairs of two locations that were not decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) locations: LocationPair,
    pub(crate) count: u64,
    /// One that was asked.
    pub(crate) example: Option<(u32, u32)>,
}

/// An engine that has been given this many clauses is slower than a new one.
const MANY_CLAUSES: usize = 4000;

/// Asks everything about a window that is not settled yet; `None` if the time was up before it was known what to ask. Then what
/// was not asked is undecided.
pub(crate) fn window(window: &Window<'_>, settings: &Settings, settled: &HashSet<LocationPair>) -> Option<Outcome> {
    if settings.is_over() {
        return None;
    }
    let barriers = barriers(window, settings);
    let layout = Layout::new(window, &barriers);
    let tables = window.recording.tables;
    let is_told = |pair: &LocationPair| !tables.are_of_platform(pair.0.0, pair.1.0);
    let wanted = |pair: &LocationPair| is_told(pair) && !settled.contains(pair);
    let candidates = candidates::find(&layout, settings, wanted)?;
    let mut outcome = Outcome::default();
    if candidates.pairs.is_empty() {
        return Some(outcome);
    }
    let script = Script::new(window, Rules::from(&barriers));
    let mut asker = Asker::new(&layout);
    for (&locations, pairs) in &candidates.pairs {
        let mut open = candidates.dropped.get(&locations).copied().unwrap_or(0);
        let (mut example, mut found) = (None, false);
        for &pair in pairs {
            if settings.is_over() {
                open += 1;
                continue;
            }
            outcome.queries += 1;
            match asker.ask(pair, settings) {
                Answer::Order(order) => {
                    let witness: Vec<u32> = order.into_iter().map(|node| node.0).collect();
                    // A witness that does not run proves nothing, whoever is to blame.
                    if script.check(&witness, pair).is_err() {
                        debug_assert!(false, "{pair:?}: {:?}", script.check(&witness, pair));
                        open += 1;
                        continue;
                    }
                    found = true;
                    outcome.races.push(Found { locations, pair, witness });
                    if settings.scope == Scope::Locations {
                        break;
                    }
                }
                Answer::Impossible => {}
                Answer::Undecided => {
                    open += 1;
                    example = example.or(Some(pair));
                }
            }
        }
        if open > 0 && !(found && settings.scope == Scope::Locations) {
            outcome.undecided.push(Open { locations, count: open, example });
        }
    }
    Some(outcome)
}

/// Asks about one pair of a window.
pub(crate) fn pair(window: &Window<'_>, settings: &Settings, pair: (u32, u32)) -> Verdict {
    let barriers = barriers(window, settings);
    let layout = Layout::new(window, &barriers);
    match Asker::new(&layout).ask(pair, settings) {
        Answer::Order(order) => {
            let witness: Vec<u32> = order.into_iter().map(|node| node.0).collect();
            let script = Script::new(window, Rules::from(&barriers));
            if script.check(&witness, pair).is_ok() { Verdict::Race } else { Verdict::Undecided }
        }
        Answer::Impossible => Verdict::NoRace,
        Answer::Undecided => Verdict::Undecided,
    }
}

pub(crate) fn barriers(window: &Window<'_>, settings: &Settings) -> Barriers {
    match settings.model {
        Model::Mc => Barriers::default(),
        Model::Rdit => Barriers::new(window),
    }
}

/// An engine with the constraints of a window, made anew when it has become slow.
struct Asker<'a> {
    layout: &'a Layout<'a>,
    engine: Cdcl<'a>,
    causality: Causality<'a>,
}

impl<'a> Asker<'a> {
    fn new(layout: &'a Layout<'a>) -> Self {
        Asker { layout, engine: Cdcl::new(&layout.graph), causality: Causality::new(layout) }
    }

    fn ask(&mut self, pair: (u32, u32), settings: &Settings) -> Answer {
        if self.engine.len() > MANY_CLAUSES {
            *self = Asker::new(self.layout);
        }
        let assumptions = self.causality.assumptions(&mut self.engine, pair);
        let &Settings { conflicts, deadline, .. } = settings;
        let question = Question { near: Node(pair.0), assumptions: &assumptions, conflicts, deadline };
        self.engine.solve(question, &mut self.causality)
    }
}
