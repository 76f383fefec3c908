//! Prediction while a trace is read: a stretch of it is in memory at a time.
//!
//! What is kept besides grows with the names of the trace and with what is found, not with its length. With hidden methods the
//! trace is read once more beforehand, twice if they keep locks, for what is known only from its end
//! ([`Foresight`](crate::hidden::Foresight)).

use std::collections::BTreeMap;
use std::mem;

use model::{Event, EventIndex, Value};
use trace::{Batch, Error, Progress, Source};

use crate::Model;
use crate::driver::{Engine, Prediction, Settings, TAIL};
use crate::hidden::{Calls, Foresight, Hidden, Pass, Reach, Reread, Seen};
use crate::recording::Stretch;

/// Opens a trace again.
pub type Reopen<'o> = dyn Fn() -> Result<Box<dyn Source>, Error> + 'o;

/// Predicts the races of a trace while it is read, from where the source stands. `reopen` opens the same trace again. Calls
/// `progress` now and then, with how much is read, and the races.
///
/// # Errors
/// Those of the source.
pub fn predict_source(
    source: &mut dyn Source,
    reopen: &Reopen<'_>,
    settings: &Settings,
    progress: &mut dyn FnMut(Progress, usize),
) -> Result<Prediction, Error> {
    let mut engine = Engine::new(settings);
    let mut buffer =
        Buffer { batch: Batch::default(), first: None, events: Vec::new(), values: Vec::new(), reach: Reach::new() };
    let (mut calls, mut foresight) = (Calls::default(), None);
    let mut recent: Vec<Event> = Vec::new();
    let (mut has_hidden, mut start) = (false, None);
    loop {
        let before = source.progress();
        let filled = buffer.fill(source, settings)?;
        if filled == Pass::Stopped {
            break;
        }
        let length = buffer.events.len().min(settings.stretch());
        if length == 0 {
            return Ok(Prediction { first: start.unwrap_or(0), has_hidden, ..engine.finish(0, false) });
        }
        has_hidden |= !buffer.reach.is_empty();
        if settings.model == Model::Rdit && has_hidden && foresight.is_none() {
            foresight = Foresight::of(&Again { reopen, settings })?;
            if foresight.is_none() {
                break;
            }
        }
        let first = buffer.first.unwrap_or(0);
        start.get_or_insert(first);
        let events = &buffer.events[..length];
        let hidden = match settings.model {
            Model::Rdit => calls.stretch(first, events, &buffer.reach, foresight.as_ref()),
            Model::Mc => Hidden::default(),
        };
        let stretch = Stretch {
            first: EventIndex(first),
            header: source.header(),
            events,
            values: &buffer.values[..length.min(buffer.values.len())],
            tables: source.tables(),
            hidden: &hidden,
            recent: &recent,
        };
        let after = source.progress();
        engine.stretch(stretch, &mut |done, races| {
            let share = (after.read - before.read) as u128 * done as u128 / length as u128;
            progress(Progress { read: before.read + share as u64, ..after }, races);
        });
        let kept = recent.len().saturating_sub(TAIL.saturating_sub(length));
        recent.drain(..kept);
        recent.extend_from_slice(&buffer.events[length.saturating_sub(TAIL)..length]);
        buffer.drop_front(length);
    }
    Ok(Prediction { first: start.unwrap_or(0), has_hidden, ..engine.finish(buffer.first.unwrap_or(0), true) })
}

/// What is read and not yet looked at.
struct Buffer {
    batch: Batch,
    /// The position of the first event.
    first: Option<u64>,
    events: Vec<Event>,
    values: Vec<Option<Value>>,
    reach: Reach,
}

impl Buffer {
    /// Reads until there is enough for a stretch, or to the end of the trace.
    fn fill(&mut self, source: &mut dyn Source, settings: &Settings) -> Result<Pass, Error> {
        while self.events.len() < settings.stretch() {
            if settings.is_over() {
                return Ok(Pass::Stopped);
            }
            if !source.next_batch(&mut self.batch)? {
                break;
            }
            self.first.get_or_insert(self.batch.first.0);
            let start = self.events.len();
            self.events.extend_from_slice(&self.batch.events);
            if let Some(&(last, _)) = self.batch.values.last() {
                self.values.resize(start + last as usize + 1, None);
            }
            for &(place, value) in &self.batch.values {
                self.values[start + place as usize] = Some(value);
            }
            let reach = self.batch.reach.drain(..);
            self.reach.extend(reach.map(|(place, objects)| (start + place as usize, objects.into())));
        }
        Ok(Pass::Complete)
    }

    fn drop_front(&mut self, length: usize) {
        self.first = self.first.map(|first| first + length as u64);
        self.events.drain(..length);
        self.values.drain(..length.min(self.values.len()));
        let reach = mem::take(&mut self.reach).split_off(&length);
        self.reach = reach.into_iter().map(|(place, objects)| (place - length, objects)).collect::<BTreeMap<_, _>>();
    }
}

/// The trace, from its start.
struct Again<'a> {
    reopen: &'a Reopen<'a>,
    settings: &'a Settings,
}

impl Reread for Again<'_> {
    fn pass(&self, visit: &mut dyn FnMut(Seen<'_>)) -> Result<Pass, Error> {
        let mut source = (self.reopen)()?;
        let mut batch = Batch::default();
        let mut at = None;
        while source.next_batch(&mut batch)? {
            if self.settings.is_over() {
                return Ok(Pass::Stopped);
            }
            let at = at.get_or_insert(batch.first.0);
            for row in batch.rows() {
                visit(Seen { at: *at, event: &row.event, reach: row.reach, tables: source.tables() });
                *at += 1;
            }
        }
        Ok(Pass::Complete)
    }
}
