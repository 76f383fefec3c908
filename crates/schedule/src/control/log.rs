//! What was decided in a run, as stretches of one thread each.

use model::SiteId;

use super::op::Tid;
use super::policy::Pick;
use super::schedule::{End, Picked};

/// A stretch of a run during which one thread had the baton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) thread: Tid,
    pub(crate) points: u64,
    pub(crate) is_timed: bool,
    pub(crate) picks: Vec<Picked>,
    /// Where the thread stands when it loses the baton, and why it does; `None` while it has it.
    pub(crate) end: Option<(SiteId, End)>,
}

/// All stretches of a run so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunLog {
    pub(crate) stretches: Vec<Stretch>,
}

impl RunLog {
    fn last(&mut self) -> Option<&mut Stretch> {
        self.stretches.last_mut().filter(|stretch| stretch.end.is_none())
    }

    /// Who has the baton, or has just lost it to nobody.
    pub(crate) fn current(&self) -> Option<Tid> {
        self.stretches.last().filter(|stretch| stretch.end.is_none()).map(|stretch| stretch.thread)
    }

    pub(crate) fn open(&mut self, thread: Tid, is_timed: bool) {
        self.stretches.push(Stretch { thread, points: 0, is_timed, picks: Vec::new(), end: None });
    }

    pub(crate) fn close(&mut self, site: impl Fn(Tid) -> SiteId, end: End) {
        if let Some(stretch) = self.last() {
            stretch.end = Some((site(stretch.thread), end));
        }
    }

    pub(crate) fn count(&mut self, points: u32) {
        if let Some(stretch) = self.last() {
            stretch.points += u64::from(points);
        }
    }

    pub(crate) fn pick(&mut self, what: Pick, of: u32, picked: u32) {
        if let Some(stretch) = self.last() {
            stretch.picks.push(Picked { what, of, picked });
        }
    }
}
