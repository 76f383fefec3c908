//! A complete trace as it would be if what hidden methods do had not been recorded.
//!
//! The trace has the calls of hidden methods with the objects that they can reach, and what is done inside; a visible method that
//! one calls back is a call without objects. So models can be compared on one and the same run: with all of it, and with the
//! insides left out.

use std::collections::{BTreeMap, HashMap};

use model::{Event, MethodId, Op, ThreadId};

use crate::recording::Recording;

/// A recording without what hidden methods do.
#[derive(Clone, Debug)]
pub struct Concealed {
    /// What is left.
    pub recording: Recording,
    /// Of each event its place in the complete recording.
    pub places: Vec<usize>,
}

/// Who called whom, as far as that changes what is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    Hidden(MethodId),
    /// Hidden code has called it back.
    Back(MethodId),
    Visible(MethodId),
}

impl Caller {
    fn method(self) -> MethodId {
        let (Caller::Hidden(method) | Caller::Back(method) | Caller::Visible(method)) = self;
        method
    }
}

/// The calls of each thread that have not returned.
#[derive(Default)]
struct Calls(HashMap<ThreadId, Vec<Caller>>);

impl Calls {
    /// Passes an event, and says whether it stays.
    fn keeps(&mut self, event: &Event, is_hidden: bool) -> bool {
        let calls = self.0.entry(event.thread).or_default();
        match event.op {
            Op::MethodBegin(method) => {
                // Who reads the rest must know when a hidden method calls back.
                let is_callback = matches!(calls.last(), Some(Caller::Hidden(_)));
                calls.push(match (is_hidden, is_callback) {
                    (true, _) => Caller::Hidden(method),
                    (false, true) => Caller::Back(method),
                    (false, false) => Caller::Visible(method),
                });
                is_hidden || is_callback
            }
            Op::MethodEnd(method) => {
                // Calls that a constructor's exception has ended have no end of their own.
                let ends = |call: &Caller| call.method() == method;
                let found = calls.iter().rposition(ends);
                let ended = found.and_then(|found| calls.drain(found..).next());
                matches!(ended, Some(Caller::Hidden(_) | Caller::Back(_)))
            }
            // A thread must not run before it is started, whoever does so.
            Op::Fork(_) => true,
            _ => !matches!(calls.last(), Some(Caller::Hidden(_))),
        }
    }
}

impl Recording {
    /// Leaves out what hidden methods do.
    #[must_use]
    pub fn conceal(&self) -> Concealed {
        let mut calls = Calls::default();
        let stays = |(at, event): (usize, &Event)| calls.keeps(event, self.reach.contains_key(&at)).then_some(at);
        let places: Vec<usize> = self.events.iter().enumerate().filter_map(stays).collect();
        let events = places.iter().map(|&at| self.events[at]).collect();
        let values = places.iter().map(|&at| self.whole().value(at)).collect();
        let reach: BTreeMap<usize, _> =
            (places.iter().enumerate()).filter_map(|(place, at)| Some((place, self.reach.get(at)?.clone()))).collect();
        let mut recording = Recording::new(self.header, events, values, reach, self.tables.clone());
        recording.first = self.first;
        Concealed { recording, places }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{LockId, Mode, ObjectId, SiteId, VarId};
    use trace::{Header, Tables};

    use super::*;

    #[test]
    fn what_is_called_back_and_who_is_started_stay() {
        let (hidden, visible) = (MethodId(0), MethodId(1));
        let (lock, x, y) = (LockId(0), VarId(0), VarId(1));
        let steps = [
            (0, Op::Write(x), true),
            (0, Op::MethodBegin(hidden), true),
            (0, Op::Acquire(lock, Mode::Write), false),
            (1, Op::Write(y), true),
            (0, Op::MethodBegin(visible), true),
            (0, Op::Read(x), true),
            (0, Op::MethodEnd(visible), true),
            (0, Op::Fork(ThreadId(2)), true),
            (0, Op::Write(y), false),
            // A visible constructor that throws, back into hidden code.
            (0, Op::MethodBegin(visible), true),
            (0, Op::MethodEnd(hidden), true),
            (0, Op::Read(y), true),
        ];
        let events: Vec<Event> =
            steps.iter().map(|&(thread, op, _)| Event { thread: ThreadId(thread), op, site: SiteId(0) }).collect();
        let reach = BTreeMap::from([(1, Arc::from([ObjectId(7)]))]);
        let complete = Recording::new(Header::default(), events.clone(), Vec::new(), reach, Tables::default());
        let concealed = complete.conceal();
        let expected: Vec<usize> = (0..steps.len()).filter(|&at| steps[at].2).collect();
        assert_eq!(concealed.places, expected);
        assert_eq!(concealed.recording.events, expected.iter().map(|&at| events[at]).collect::<Vec<_>>());
        assert_eq!(concealed.recording.reach.keys().copied().collect::<Vec<_>>(), [1]);
    }
}
