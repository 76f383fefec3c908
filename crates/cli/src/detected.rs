//! The races of a detector as `autodrome predict` shows them: one for each two program locations, with the run that shows it if the
//! detector has one.
//!
//! Such a run is known by how many steps of each thread it has; the trace is read again for the steps themselves.

use std::collections::{HashSet, VecDeque};
use std::time::Instant;

use anyhow::Context;
use detect::catalog::{Algorithm, Pipeline, Settings};
use model::{Event, EventIndex, Evidence, Race};
use predict::{LocationPair, Origin, Predicted, Reopen, TAIL, Witness};
use report::{EventRange, Prediction};
use trace::{Batch, Progress, Source, Tables};

use crate::Result;
use crate::predict::{Effort, named};

/// What a detector has found.
pub(crate) struct Detected {
    first: u64,
    events: u64,
    seen: HashSet<LocationPair>,
    races: Vec<(Race, Option<Expansion>)>,
    /// From where on the time did not suffice.
    stopped: Option<u64>,
}

impl Detected {
    pub(crate) fn new(first: EventIndex) -> Self {
        Detected { first: first.0, events: 0, seen: HashSet::new(), races: Vec::new(), stopped: None }
    }

    /// Reads a trace, and once more if there are witnesses.
    pub(crate) fn in_trace(
        source: &mut dyn Source,
        reopen: &Reopen<'_>,
        algorithm: Algorithm,
        effort: &Effort,
        with_steps: bool,
        progress: &mut dyn FnMut(Progress, usize),
    ) -> Result<Self> {
        let deadline = effort.deadline();
        let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let mut pipeline = Pipeline::new(algorithm, Settings::default());
        let mut detected: Option<Detected> = None;
        let mut batch = Batch::default();
        while source.next_batch(&mut batch).context("cannot read the trace")? {
            let detected = detected.get_or_insert_with(|| Detected::new(batch.first));
            if is_over() {
                detected.stopped = Some(detected.first + detected.events);
                break;
            }
            detected.observe(&mut pipeline, batch.first, &batch.events, source.tables());
            progress(source.progress(), detected.races.len());
        }
        let mut detected = detected.unwrap_or_else(|| Detected::new(EventIndex(0)));
        if detected.races.iter().any(|(_, witness)| witness.is_some()) {
            let mut source = reopen().context("cannot read the trace")?;
            let mut at = detected.first;
            while !detected.is_expanded() && !is_over() {
                if !source.next_batch(&mut batch).context("cannot read the trace")? {
                    break;
                }
                detected.expand(at, &batch.events, with_steps);
                at += batch.events.len() as u64;
            }
            detected.drop_unfinished();
        }
        Ok(detected)
    }

    /// Takes in the next events of the trace.
    pub(crate) fn observe(&mut self, pipeline: &mut Pipeline, first: EventIndex, events: &[Event], tables: &Tables) {
        self.events += events.len() as u64;
        let (seen, races, start) = (&mut self.seen, &mut self.races, self.first);
        pipeline.observe(first, events, &mut |race| {
            let sides = ((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind));
            let is_reported = !tables.are_of_platform(race.earlier.site, race.later.site);
            if is_reported && seen.insert(LocationPair::new(sides.0, sides.1)) {
                let expansion = match &race.evidence {
                    Evidence::Witness(witness) => Some(Expansion::new(&witness.prefix, start)),
                    _ => None,
                };
                races.push((race, expansion));
            }
        });
    }

    fn expand(&mut self, first: u64, events: &[Event], with_steps: bool) {
        for witness in self.races.iter_mut().filter_map(|(_, witness)| witness.as_mut()) {
            for (at, event) in (first..).zip(events) {
                if witness.missing == 0 {
                    break;
                }
                witness.pass(at, event, with_steps);
            }
        }
    }

    fn is_expanded(&self) -> bool {
        self.races.iter().all(|(_, witness)| witness.as_ref().is_none_or(|witness| witness.missing == 0))
    }

    /// What the time did not suffice to show is not reported.
    fn drop_unfinished(&mut self) {
        let is_done = |witness: &Option<Expansion>| witness.as_ref().is_none_or(|witness| witness.missing == 0);
        let lost = self.races.iter().filter(|(_, witness)| !is_done(witness)).map(|(race, _)| race.later.at.0);
        self.stopped = lost.chain(self.stopped).min();
        self.races.retain(|(_, witness)| is_done(witness));
    }

    /// Puts all into a result, and gives the races that come with a run.
    pub(crate) fn fill(self, result: &mut Prediction, tables: &Tables) -> Vec<Predicted> {
        result.header.events = self.events;
        result.not_looked_at = self.stopped.map(|from| EventRange { from, to: None }).into_iter().collect();
        let mut proved = Vec::new();
        for (Race { var, earlier, later, evidence }, expansion) in self.races {
            let is_proved = expansion.is_some();
            let Expansion { after, order, tail, steps, .. } = expansion.unwrap_or_default();
            let (witness, origin, tail) = (Witness { after, order }, Origin::Stretch, tail.into());
            let race = Predicted { var, earlier, later, witness, origin, tail, steps };
            result.races.push(named(&race, evidence.grade(), self.first, is_proved, tables));
            proved.extend(is_proved.then_some(race));
        }
        proved
    }
}

/// The steps of a witness that is known by how many there are of each thread.
#[derive(Default)]
struct Expansion {
    left: Vec<u64>,
    missing: u64,
    /// All events before this one run first, as they did.
    after: u64,
    order: Vec<u64>,
    tail: VecDeque<(u64, Event)>,
    steps: Vec<Event>,
}

impl Expansion {
    fn new(prefix: &[u64], first: u64) -> Self {
        Expansion { left: prefix.to_vec(), missing: prefix.iter().sum(), after: first, ..Expansion::default() }
    }

    fn pass(&mut self, at: u64, event: &Event, with_steps: bool) {
        let Some(left) = self.left.get_mut(event.thread.index()).filter(|left| **left > 0) else { return };
        *left -= 1;
        self.missing -= 1;
        if self.order.is_empty() && at == self.after {
            self.after += 1;
        } else {
            self.order.push(at);
            self.steps.extend(with_steps.then_some(*event));
        }
        if self.tail.len() == TAIL {
            self.tail.pop_front();
        }
        self.tail.push_back((at, *event));
    }
}
