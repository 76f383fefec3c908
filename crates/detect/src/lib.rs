//! Race detectors and filters, as rules over plain values.
//!
//! A [`Detector`] reads events in order and says which reveal a race; a [`Filter`] in front of it drops accesses that
//! cannot add one. Each algorithm lives in a folder named after it, with its rules apart from the state they work
//! on, so that the live agent can call the same rules. [`oracle`] executes each definition word by word, slowly:
//! the tests hold every detector against it.
//!
//! Invariants: nothing here prints, blocks or fails, whatever the events: a trace that no program can make gives
//! useless races, never a panic.

use model::{Event, EventIndex, Race};

pub mod catalog;
pub mod clock;
pub mod clocks;
pub mod djit;
pub mod eraser;
pub mod fasttrack;
pub mod held;
mod history;
pub mod hybrid;
pub mod locality;
pub mod lockset;
pub mod oracle;
pub mod shb;
pub mod syncp;
pub mod table;
pub mod tree;
pub mod wcp;

/// Reads events in order and says which reveal a race. Never prints, never stops the program.
pub trait Detector {
    /// Takes the event at position `at`; calls `races` for each race of which the event is the later access.
    fn observe(&mut self, at: EventIndex, event: &Event, races: &mut dyn FnMut(Race));

    /// How often each rule of the paper fired, by the paper's name for it.
    fn rules(&self) -> Vec<(&'static str, u64)>;

    /// Why races may be missing that the definition gives, if they may.
    fn incomplete(&self) -> Option<Incomplete> {
        None
    }
}

/// Why a detector may have missed what its definition gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// A thread held this many locks at once, more than the detector was told to expect.
    TooManyLocks(usize),
}

/// Drops accesses, never synchronization.
pub trait Filter {
    /// Must the detector behind see the event at position `at`?
    fn judge(&mut self, at: EventIndex, event: &Event) -> FilterVerdict;

    /// What the filter did so far.
    fn statistics(&self) -> FilterStatistics;
}

/// What becomes of an event at a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterVerdict {
    /// The detector must see it.
    Keep,
    /// The detector would learn nothing from it.
    Skip,
}

/// What a filter did and what it cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterStatistics {
    /// Events judged.
    pub events: u64,
    /// Events dropped.
    pub skipped: u64,
    /// Bytes that the filter's own state takes now.
    pub bytes: u64,
}
