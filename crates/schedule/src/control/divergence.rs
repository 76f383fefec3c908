//! Where a run left the schedule that it was to follow, and why it may have.

use std::fmt;

use super::schedule::SiteName;
use crate::path::ThreadPath;

/// Something that may be different in another run; whoever drives the baton notes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Noted {
    /// The program depends on an identity hash, such as the order of a `HashSet`.
    IdentityHash,
    /// The program asked for a number that is random in each JVM, such as the salt of `Set.of`.
    Random,
    /// The program read a clock that is not the virtual one.
    Clock,
    /// The program did input or output.
    InputOutput,
    /// A garbage collection cleared references.
    Collection,
    /// The thread was in a region that has no points, such as class loading.
    SkippedRegion,
}

impl Noted {
    fn reason(self) -> &'static str {
        match self {
            Noted::IdentityHash => "an identity hash: something is ordered by the addresses of objects",
            Noted::Random => "a random number that differs in each JVM",
            Noted::Clock => "a clock that is not the virtual one",
            Noted::InputOutput => "input or output",
            Noted::Collection => "a garbage collection cleared references",
            Noted::SkippedRegion => "a region without points, such as class loading",
        }
    }
}

/// A thread at a site, as a schedule or a run has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The thread, if there is one.
    pub thread: Option<ThreadPath>,
    /// How many operations it had made since it got the baton.
    pub points: u64,
    /// Where it stands.
    pub site: Option<SiteName>,
    /// What it does or waits for.
    pub state: String,
}

impl fmt::Display for Stand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.thread {
            Some(thread) => write!(out, "thread {thread}")?,
            None => out.write_str("no thread")?,
        }
        write!(out, " after {} operations, {}", self.points, self.state)?;
        match &self.site {
            Some(site) => write!(out, ", at {site}"),
            None => Ok(()),
        }
    }
}

/// The first difference between a schedule and the run that was to follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// After how many operations.
    pub step: u64,
    /// In which of the schedule's stretches, from 0.
    pub run: usize,
    /// What the schedule has.
    pub expected: Stand,
    /// What the run did.
    pub actual: Stand,
    /// What happened in it or in the 8 before that may be the reason, the most likely one first.
    pub noted: Vec<Noted>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "The run left the schedule at operation {}, in stretch {}:", self.step, self.run + 1)?;
        writeln!(out, "  expected  {}", self.expected)?;
        writeln!(out, "  actual    {}", self.actual)?;
        match self.noted.first() {
            Some(noted) => write!(out, "  likely reason: {}", noted.reason()),
            None => out.write_str("  nothing was noted that explains it: the program or its input may have changed"),
        }
    }
}
