//! The definition, executed: all feasible runs of a short trace are tried, for the tests.

use std::collections::BTreeSet;

use crate::Model;
use crate::barrier::{self, Pair};
use crate::recording::{Cell, Recording, Touch};
use crate::replay::{Script, State};
use crate::rules::Rules;
use crate::window::{self, Window, Windows};

/// All pairs of events that are next after some feasible run.
#[must_use]
pub fn races(recording: &Recording, model: Model) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    let state = window::State::default();
    let mut windows = Windows::new(recording.whole(), model, recording.events.len(), &state);
    let Some(window) = windows.next() else { return found };
    let rules = match model {
        Model::Mc => Rules::default(),
        Model::Rdit => rules(&window),
    };
    let script = Script::new(&window, rules);
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut todo = vec![script.start()];
    while let Some(state) = todo.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let next = script.next(&state);
        for (place, &one) in next.iter().enumerate() {
            let others = next[..place].iter().map(|&two| (one.min(two), one.max(two)));
            found.extend(others.filter(|&pair| script.race(&state, pair).is_ok()));
            let mut further = state.clone();
            if script.step(&mut further, one).is_ok() {
                todo.push(further);
            }
        }
    }
    found
}

/// What hidden methods order, pair by pair of events.
fn rules(window: &Window<'_>) -> Rules {
    let pairs = barrier::pairs(window);
    let clusters = barrier::clusters(&pairs);
    let mut rules = Rules::default();
    for event in 0..window.len() {
        let before = (0..event).filter(|&earlier| is_bound(window, &pairs, &clusters, earlier, event)).collect();
        rules.before.insert(event, before);
        let inside = |pair: &Pair<'_>| pair.spans(event) && pair.thread == window.thread(event);
        if pairs.iter().any(inside) {
            rules.strict.insert(event);
            rules.inside.insert(event);
        }
        found_at(window, &pairs, event, &mut rules);
        let (Some(touch), Some(object)) = (window.touch(event), window.recording.object(window.op(event))) else {
            continue;
        };
        rules.parts.insert(event, part(&pairs, object, event));
        if pairs.iter().any(|pair| pair.spans(event) && pair.reaches(object)) {
            match touch {
                Touch::Write(_) => rules.strict.insert(event),
                Touch::Read(_) => rules.fixed.insert(event),
            };
        }
    }
    rules
}

/// How many begins and ends of methods that can reach an object come before an event.
fn part(pairs: &[Pair<'_>], object: model::ObjectId, event: usize) -> u32 {
    let edges = pairs.iter().filter(|pair| pair.reaches(object)).flat_map(|pair| {
        let begun = pair.begin.is_none_or(|begin| begin < event);
        let ended = pair.end.is_some_and(|end| end < event);
        [begun, ended]
    });
    edges.filter(|&passed| passed).count() as u32
}

/// The cells that a method finds when it begins: written in the part of their history that the begin ends.
fn found_at(window: &Window<'_>, pairs: &[Pair<'_>], event: usize, rules: &mut Rules) {
    let Some(own) = pairs.iter().find(|pair| pair.begin == Some(event)) else { return };
    let mut cells: BTreeSet<(Cell, u32)> = BTreeSet::new();
    for write in 0..event {
        let (Some(Touch::Write(cell)), Some(object)) = (window.touch(write), window.recording.object(window.op(write)))
        else {
            continue;
        };
        let now = part(pairs, object, event);
        let running = pairs.iter().any(|pair| pair.spans(event) && pair.begin != Some(event) && pair.reaches(object));
        if own.reaches(object) && !running && part(pairs, object, write) == now {
            cells.insert((cell, now));
        }
    }
    rules.found.insert(event, cells.into_iter().collect());
}

/// Do two events keep their order because of hidden methods?
fn is_bound(window: &Window<'_>, pairs: &[Pair<'_>], clusters: &[usize], earlier: usize, later: usize) -> bool {
    let concerns = |pair: &Pair<'_>, event: usize| {
        let is_edge = pair.begin == Some(event) || pair.end == Some(event);
        is_edge || barrier::objects(window, event).any(|object| pair.reaches(object))
    };
    let takes_part = |cluster: usize, event: usize| {
        pairs.iter().zip(clusters).any(|(pair, &own)| {
            own == cluster && pair.spans(event) && (pair.thread == window.thread(event) || concerns(pair, event))
        })
    };
    let around = pairs.iter().any(|pair| {
        let shares = |event: usize| {
            concerns(pair, event)
                || pairs
                    .iter()
                    .any(|other| (other.begin == Some(event) || other.end == Some(event)) && other.shares_with(pair))
        };
        (pair.begin == Some(later) && shares(earlier)) || (pair.end == Some(earlier) && shares(later))
    });
    around || clusters.iter().any(|&cluster| takes_part(cluster, earlier) && takes_part(cluster, later))
}
