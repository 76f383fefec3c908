//! Leaves out the accesses of variables that only one thread accesses in the whole trace.
//!
//! Such an access races with nothing, and a read among them sees its own thread's last write in every order. So a predictor
//! finds the same races without them, and more of the rest fits into a window. *Not left out:* anything of a trace with hidden
//! methods, which may access such a variable too. Repeated accesses of shared variables stay: to leave them out changes
//! predictions (ADR 0077).

use model::{EventIndex, ThreadId};

use crate::{Batch, Ending, Error, Format, Header, Progress, Source, Tables};

/// Who accesses a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Accessor {
    #[default]
    Nobody,
    One(ThreadId),
    Several,
}

/// The variables of a trace that only one thread accesses. Four bytes and more for each variable, whatever the length.
#[derive(Clone, Debug, Default)]
pub struct Confined {
    accessors: Vec<Accessor>,
    has_hidden: bool,
}

impl Confined {
    /// Reads a trace to its end.
    ///
    /// # Errors
    /// Those of the source.
    pub fn of(source: &mut dyn Source) -> Result<Self, Error> {
        let mut confined = Confined::default();
        let mut batch = Batch::default();
        while source.next_batch(&mut batch)? {
            confined.has_hidden |= !batch.reach.is_empty();
            for event in &batch.events {
                let Some((var, _)) = event.op.access() else { continue };
                if var.index() >= confined.accessors.len() {
                    confined.accessors.resize(var.index() + 1, Accessor::Nobody);
                }
                let accessor = &mut confined.accessors[var.index()];
                *accessor = match *accessor {
                    Accessor::Nobody => Accessor::One(event.thread),
                    Accessor::One(thread) if thread == event.thread => Accessor::One(thread),
                    Accessor::One(_) | Accessor::Several => Accessor::Several,
                };
            }
        }
        Ok(confined)
    }

    /// Can an operation be left out?
    fn has(&self, op: model::Op) -> bool {
        let accessor = op.access().and_then(|(var, _)| self.accessors.get(var.index()));
        !self.has_hidden && matches!(accessor, Some(Accessor::One(_)))
    }
}

/// A trace without accesses of confined variables. Events have new positions.
pub struct Without<'a> {
    source: &'a mut dyn Source,
    confined: Confined,
    next: Option<u64>,
    whole: Batch,
    left_out: u64,
}

impl<'a> Without<'a> {
    /// The same trace as that of which the variables are known, from its start.
    pub fn new(source: &'a mut dyn Source, confined: Confined) -> Self {
        Without { source, confined, next: None, whole: Batch::default(), left_out: 0 }
    }

    /// How many accesses were left out so far.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

impl Source for Without<'_> {
    fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        batch.clear();
        while batch.events.is_empty() {
            if !self.source.next_batch(&mut self.whole)? {
                return Ok(false);
            }
            let first = *self.next.get_or_insert(self.whole.first.0);
            batch.first = EventIndex(first);
            for row in self.whole.rows().filter(|row| !self.confined.has(row.event.op)) {
                let place = batch.events.len() as u32;
                batch.events.push(row.event);
                batch.values.extend(row.value.map(|value| (place, value)));
                batch.reach.extend(row.reach.map(|objects| (place, objects.into())));
            }
            self.left_out += (self.whole.events.len() - batch.events.len()) as u64;
        }
        self.next = self.next.map(|next| next + batch.events.len() as u64);
        Ok(true)
    }

    fn tables(&self) -> &Tables {
        self.source.tables()
    }

    fn header(&self) -> Header {
        self.source.header()
    }

    fn format(&self) -> Format {
        self.source.format()
    }

    fn progress(&self) -> Progress {
        self.source.progress()
    }

    fn ending(&self) -> &Ending {
        self.source.ending()
    }
}
