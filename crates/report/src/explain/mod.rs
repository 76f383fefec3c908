//! What a race looks like, and what usually mends it: from the two stacks, the locks, and source lines where they are found.
//!
//! A pattern is named only if something in the evidence speaks for it, and the text says "looks like": the two accesses of
//! one run cannot show what the programmer meant. Patterns are tried from the most to the least specific. Without a
//! source line lazy initialisation is never named, since any read before a write in one method looks the same.

mod collections;
mod fields;
mod locks;
mod pages;
#[cfg(test)]
mod tests;
mod threads;

use std::fmt;

use serde::{Deserialize, Serialize};

pub(crate) use collections::is_update;
pub(crate) use locks::inconsistently_guarded;
pub use pages::PAGES;

use crate::race::{LiveRace, Operation, StackFrame, VariableKind};
use crate::source::Sources;
use crate::text::plain;

/// What a race looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// A field is tested without the lock that its writer holds.
    DoubleCheckedLocking,
    /// A field is filled when it is first needed, by whoever comes.
    LazyInitialisation,
    /// A collection is asked and then changed, as if nobody could come between.
    CheckThenAct,
    /// A number is read and written back.
    UnsynchronisedCounter,
    /// An object is handed over before the other thread can see what its constructor wrote.
    UnsafePublication,
    /// One side takes a lock, the other none or another one.
    InconsistentLocking,
    /// Both sides take a lock, but not the same object.
    DifferentLocks,
    /// A write under a lock that others can hold for reading at the same time.
    WriteUnderReadLock,
    /// One thread sets a flag, and another one waits for it.
    StopFlag,
    /// A method reads what a thread writes that it has started, and does not wait for it.
    ResultNotAwaited,
    /// A method that ends something takes a reference away that others still use.
    ClosedWhileUsed,
    /// A timer's task writes what others read.
    RefreshedValue,
    /// A `long` or `double` that the memory model allows to be written in two halves.
    TornValue,
    /// An object of a class that is for one thread only.
    SharedObject,
}

impl Pattern {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Pattern::DoubleCheckedLocking => "double-checked locking",
            Pattern::LazyInitialisation => "lazy initialisation",
            Pattern::CheckThenAct => "check-then-act",
            Pattern::UnsynchronisedCounter => "unsynchronised counter",
            Pattern::UnsafePublication => "publication without a fence",
            Pattern::InconsistentLocking => "inconsistent locking",
            Pattern::DifferentLocks => "different locks",
            Pattern::WriteUnderReadLock => "write under a read lock",
            Pattern::StopFlag => "flag without volatile",
            Pattern::ResultNotAwaited => "result not awaited",
            Pattern::ClosedWhileUsed => "closed while in use",
            Pattern::RefreshedValue => "refreshed value",
            Pattern::TornValue => "long or double without order",
            Pattern::SharedObject => "shared object",
        }
    }

    /// The rule of SARIF that a race of this pattern breaks.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Pattern::UnsafePublication => "AD002",
            Pattern::DoubleCheckedLocking => "AD003",
            Pattern::CheckThenAct | Pattern::SharedObject => "AD004",
            Pattern::InconsistentLocking | Pattern::DifferentLocks | Pattern::WriteUnderReadLock => "AD006",
            Pattern::StopFlag => "AD007",
            Pattern::ResultNotAwaited => "AD008",
            _ => "AD001",
        }
    }
}

/// A pattern and one hint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// What it looks like.
    pub pattern: Pattern,
    /// Why, in a sentence.
    pub text: String,
    /// What usually mends it.
    pub hint: String,
}

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} Hint: {}", plain(&self.text), plain(&self.hint))?;
        write!(out, " (autodrome explain {})", self.pattern.page_name())
    }
}

fn explanation(pattern: Pattern, text: impl Into<String>, hint: impl Into<String>) -> Option<Explanation> {
    Some(Explanation { pattern, text: text.into(), hint: hint.into() })
}

/// What the evidence supports, if anything.
pub(crate) fn explain(race: &LiveRace, sources: &Sources) -> Option<Explanation> {
    if race.variable.kind == VariableKind::Object {
        return collections::check_then_act(race).or_else(|| collections::shared_object(race));
    }
    fields::publication(race)
        .or_else(|| fields::double_checked(race))
        .or_else(|| locks::write_under_read_lock(race))
        .or_else(|| locks::different_locks(race))
        .or_else(|| fields::counter_by_lines(race))
        .or_else(|| fields::counter_by_source(race, sources))
        .or_else(|| fields::lazy_initialisation(race, sources))
        .or_else(|| locks::guarded_by(race))
        .or_else(|| fields::stop_flag(race, sources))
        .or_else(|| threads::closed_while_used(race))
        .or_else(|| locks::inconsistent_locking(race))
        .or_else(|| threads::result_not_awaited(race))
        .or_else(|| threads::refreshed(race))
        .or_else(|| fields::torn(race))
}

/// The innermost frames of the write and of the other access.
fn frames(race: &LiveRace) -> Option<(&StackFrame, &StackFrame)> {
    Some((race.writer().stack.first()?, race.other().stack.first()?))
}

/// The frames of a read and a write by one method.
fn read_and_write_of_one_method(race: &LiveRace) -> Option<(&StackFrame, &StackFrame)> {
    let (write, other) = frames(race)?;
    (race.other().op == Operation::Read && write.is_in_method_of(other)).then_some((write, other))
}

fn is_reference(race: &LiveRace) -> bool {
    race.variable.descriptor.starts_with(['L', '['])
}

fn is_number(race: &LiveRace) -> bool {
    matches!(race.variable.descriptor.as_str(), "B" | "C" | "S" | "I" | "J" | "F" | "D")
}
