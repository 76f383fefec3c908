//! When hidden methods themselves run: from where they begin, or go on after a callback, to where they call back, or end.
//!
//! A visible method that a hidden one calls is a call without objects inside a call with some. While it runs, the hidden one
//! does nothing: its thread does what is seen. A call whose end is not seen, because a constructor threw or because the trace ends
//! before it, is not taken for a callback: the hidden method may go on unseen.
//!
//! Three things are known only from what comes later in the trace: which calls are such callbacks, which event of a thread is
//! its last, and which locks a hidden method takes and does not give back. [`Foresight`] is what an earlier pass has found out
//! of these. *State:* [`Calls`] goes along with the trace, a stretch at a time. *Invariant:* cutting a trace into other stretches
//! changes no span.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use model::{Event, LockId, MethodId, Mode, ObjectId, Op, ThreadId};
use trace::{Error, Tables};

use crate::recording::object;
use crate::window::{Hold, release};

/// The reachable objects of each begin of a hidden method, by place.
pub(crate) type Reach = BTreeMap<usize, Arc<[ObjectId]>>;

/// A hidden method runs. Places are those of the stretch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) thread: ThreadId,
    /// `None` if it began before the stretch.
    pub(crate) begin: Option<usize>,
    /// `None` if it ends after the stretch, or never.
    pub(crate) end: Option<usize>,
    /// What the method can reach, ascending.
    pub(crate) reach: Arc<[ObjectId]>,
}

/// What is known of hidden methods in a stretch; nothing, if none has run by its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hidden {
    /// By their begins.
    pub(crate) spans: Vec<Span>,
    /// The first and the last events of threads.
    pub(crate) edges: HashSet<usize>,
    /// The locks that a hidden method takes and does not give back, by the place from where it runs: a thread that gives one
    /// back without having taken it got it there.
    pub(crate) taken: BTreeMap<usize, Vec<(LockId, Mode)>>,
}

/// One event, as a pass over the trace sees it.
pub(crate) struct Seen<'a> {
    pub(crate) at: u64,
    pub(crate) event: &'a Event,
    pub(crate) reach: Option<&'a [ObjectId]>,
    pub(crate) tables: &'a Tables,
}

/// Has a pass seen the whole trace?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    Complete,
    /// The time was up.
    Stopped,
}

/// A trace that can be read from its start again and again.
pub(crate) trait Reread {
    fn pass(&self, visit: &mut dyn FnMut(Seen<'_>)) -> Result<Pass, Error>;
}

/// What is known only from what comes later in the trace. Its size does not depend on the length of the trace, but on the number of
/// threads and of what is out of the ordinary in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foresight {
    /// The last event of each thread.
    last: HashMap<ThreadId, u64>,
    /// Begins of visible methods in hidden ones whose ends are not seen.
    endless: HashSet<u64>,
    taken: BTreeMap<u64, Vec<(LockId, Mode)>>,
}

/// The locks that threads hold, as far as it is seen.
#[derive(Default)]
struct Locks(BTreeMap<(LockId, ThreadId), Hold>);

impl Locks {
    /// Passes an event; is it the release of a lock that was not seen to be taken?
    fn is_unmatched(&mut self, event: &Event) -> Option<(LockId, Mode)> {
        match event.op {
            Op::Acquire(lock, mode) => *self.0.entry((lock, event.thread)).or_default().depth(mode) += 1,
            Op::Release(lock, mode) if release(&mut self.0, lock, event.thread, mode).is_none() => {
                return Some((lock, mode));
            }
            _ => {}
        }
        None
    }
}

impl Foresight {
    /// Reads a trace to its end, twice if locks are given back that were not seen to be taken; `None` if the time was up.
    pub(crate) fn of(trace: &dyn Reread) -> Result<Option<Self>, Error> {
        let mut foresight = Foresight::default();
        let (mut calls, mut locks) = (Calls::default(), Locks::default());
        // Which methods may have taken a lock is asked of these threads and objects.
        let mut wanted: HashMap<(ThreadId, ObjectId), Option<u64>> = HashMap::new();
        let pass = trace.pass(&mut |seen| {
            foresight.last.insert(seen.event.thread, seen.at);
            calls.pass(seen.at, seen.event, seen.reach, &foresight.endless);
            calls.ended.clear();
            if locks.is_unmatched(seen.event).is_some() {
                let object = object(seen.tables, seen.event.op);
                wanted.extend(object.map(|object| ((seen.event.thread, object), None)));
            }
        })?;
        if pass == Pass::Stopped {
            return Ok(None);
        }
        foresight.endless = calls.endless();
        if !wanted.is_empty() && foresight.find_taken(trace, &mut wanted)? == Pass::Stopped {
            return Ok(None);
        }
        Ok(Some(foresight))
    }

    fn find_taken(
        &mut self,
        trace: &dyn Reread,
        wanted: &mut HashMap<(ThreadId, ObjectId), Option<u64>>,
    ) -> Result<Pass, Error> {
        let Foresight { endless, taken, .. } = self;
        let (mut calls, mut locks) = (Calls::default(), Locks::default());
        trace.pass(&mut |seen| {
            let thread = seen.event.thread;
            if let Some(reach) = calls.pass(seen.at, seen.event, seen.reach, endless) {
                for &object in reach.iter() {
                    if let Some(latest) = wanted.get_mut(&(thread, object)) {
                        *latest = Some(seen.at);
                    }
                }
            }
            calls.ended.clear();
            if let Some((lock, mode)) = locks.is_unmatched(seen.event) {
                let object = object(seen.tables, seen.event.op);
                let begin = object.and_then(|object| *wanted.get(&(thread, object))?);
                if let Some(begin) = begin {
                    taken.entry(begin).or_default().push((lock, mode));
                }
            }
        })
    }
}

/// A call that has not returned.
#[derive(Clone, Debug)]
struct Frame {
    method: MethodId,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Of a hidden method: since when it runs, if it does not call back.
    Hidden { reach: Arc<[ObjectId]>, since: Option<u64> },
    /// Of a visible one by a hidden one, here.
    Callback { at: u64 },
    /// Of a visible one by another.
    Visible,
}

/// A hidden method has run.
#[derive(Clone, Debug)]
struct Ended {
    thread: ThreadId,
    begin: u64,
    end: u64,
    reach: Arc<[ObjectId]>,
}

/// The calls of each thread that have not returned, and the threads so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    frames: HashMap<ThreadId, Vec<Frame>>,
    threads: HashSet<ThreadId>,
    ended: Vec<Ended>,
    /// Callbacks that have returned unseen.
    endless: Vec<u64>,
}

impl Calls {
    /// Passes a stretch that begins at a position, and says what hidden methods do in it. Without foresight none has run by
    /// its end.
    pub(crate) fn stretch(
        &mut self,
        first: u64,
        events: &[Event],
        reach: &Reach,
        foresight: Option<&Foresight>,
    ) -> Hidden {
        let mut hidden = Hidden::default();
        let none = HashSet::new();
        let endless = foresight.map_or(&none, |foresight| &foresight.endless);
        for (at, (place, event)) in (first..).zip(events.iter().enumerate()) {
            self.pass(at, event, reach.get(&place).map(|objects| &**objects), endless);
            let is_first = self.threads.insert(event.thread);
            let is_last = foresight.is_some_and(|foresight| foresight.last.get(&event.thread) == Some(&at));
            if foresight.is_some() && (is_first || is_last) {
                hidden.edges.insert(place);
            }
        }
        let Some(foresight) = foresight else { return hidden };
        let place = |at: u64| at.checked_sub(first).and_then(|place| usize::try_from(place).ok());
        let ended = self.ended.drain(..).map(|Ended { thread, begin, end, reach }| (begin, thread, place(end), reach));
        let mut spans: Vec<_> = ended.collect();
        for (&thread, frames) in &self.frames {
            for frame in frames {
                if let Kind::Hidden { reach, since: Some(since) } = &frame.kind {
                    spans.push((*since, thread, None, reach.clone()));
                }
            }
        }
        spans.sort_unstable_by_key(|&(begin, ..)| begin);
        let span = |(begin, thread, end, reach)| Span { thread, begin: place(begin), end, reach };
        hidden.spans = spans.into_iter().map(span).collect();
        let taken = foresight.taken.range(first..first + events.len() as u64);
        hidden.taken = taken.filter_map(|(&at, locks)| Some((place(at)?, locks.clone()))).collect();
        hidden
    }

    /// Passes an event; if a hidden method begins or goes on with it, then what it can reach.
    fn pass(
        &mut self,
        at: u64,
        event: &Event,
        reach: Option<&[ObjectId]>,
        endless: &HashSet<u64>,
    ) -> Option<Arc<[ObjectId]>> {
        match event.op {
            Op::MethodBegin(method) => {
                let own = self.frames.entry(event.thread).or_default();
                let kind = match (reach, own.last_mut().map(|frame| &mut frame.kind)) {
                    (Some(reach), _) => Kind::Hidden { reach: reach.into(), since: Some(at) },
                    (None, Some(Kind::Hidden { reach, since })) if !endless.contains(&at) => {
                        let (thread, reach) = (event.thread, reach.clone());
                        self.ended.extend(since.take().map(|begin| Ended { thread, begin, end: at, reach }));
                        Kind::Callback { at }
                    }
                    _ => Kind::Visible,
                };
                let begun = match &kind {
                    Kind::Hidden { reach, .. } => Some(reach.clone()),
                    Kind::Callback { .. } | Kind::Visible => None,
                };
                own.push(Frame { method, kind });
                begun
            }
            Op::MethodEnd(method) => self.end(at, event.thread, method),
            _ => None,
        }
    }

    /// A call returns. Those that it has made have returned unseen.
    fn end(&mut self, at: u64, thread: ThreadId, method: MethodId) -> Option<Arc<[ObjectId]>> {
        let own = self.frames.get_mut(&thread)?;
        let found = own.iter().rposition(|frame| frame.method == method)?;
        let is_last = found + 1 == own.len();
        for frame in own.split_off(found) {
            match frame.kind {
                Kind::Hidden { reach, since } => {
                    self.ended.extend(since.map(|begin| Ended { thread, begin, end: at, reach }));
                }
                Kind::Callback { .. } if is_last => {
                    if let Some(Frame { kind: Kind::Hidden { reach, since }, .. }) = own.last_mut() {
                        *since = Some(at);
                        return Some(reach.clone());
                    }
                }
                Kind::Callback { at } => self.endless.push(at),
                Kind::Visible => {}
            }
        }
        None
    }

    /// The callbacks of a whole trace whose ends are not seen.
    fn endless(self) -> HashSet<u64> {
        let open = self.frames.into_values().flatten().filter_map(|frame| match frame.kind {
            Kind::Callback { at } => Some(at),
            Kind::Hidden { .. } | Kind::Visible => None,
        });
        open.chain(self.endless).collect()
    }
}

#[cfg(test)]
mod tests {
    use model::SiteId;

    use super::*;

    const HIDDEN: MethodId = MethodId(0);
    const SEEN: MethodId = MethodId(1);
    const OTHER: MethodId = MethodId(2);

    struct Trace<'a>(&'a [Event], &'a Reach);

    impl Reread for Trace<'_> {
        fn pass(&self, visit: &mut dyn FnMut(Seen<'_>)) -> Result<Pass, Error> {
            let tables = Tables::default();
            for (at, event) in self.0.iter().enumerate() {
                visit(Seen { at: at as u64, event, reach: self.1.get(&at).map(|reach| &**reach), tables: &tables });
            }
            Ok(Pass::Complete)
        }
    }

    /// Begin and end of the spans of thread 0, in stretches of so many events; those of later stretches by their places in the
    /// whole.
    fn spans_of(ops: &[Op], calls: &[usize], length: usize) -> Vec<(Option<usize>, Option<usize>)> {
        let events: Vec<Event> = ops.iter().map(|&op| Event { thread: ThreadId(0), site: SiteId(0), op }).collect();
        let reach: Reach = calls.iter().map(|&at| (at, Arc::from([ObjectId(1)]))).collect();
        let foresight = Foresight::of(&Trace(&events, &reach)).unwrap().unwrap();
        let mut calls = Calls::default();
        let mut spans = Vec::new();
        for (number, part) in events.chunks(length).enumerate() {
            let start = number * length;
            let own = reach.range(start..start + part.len()).map(|(&at, objects)| (at - start, objects.clone()));
            let hidden = calls.stretch(start as u64, part, &own.collect(), Some(&foresight));
            let moved = |place: Option<usize>| place.map(|place| place + start);
            spans.extend(hidden.spans.iter().map(|span| (moved(span.begin), moved(span.end))));
        }
        spans
    }

    const fn ran(begin: usize, end: usize) -> (Option<usize>, Option<usize>) {
        (Some(begin), Some(end))
    }

    #[test]
    fn a_method_does_not_run_while_what_it_calls_back_does() {
        let (begin, end) = (Op::MethodBegin, Op::MethodEnd);
        assert_eq!(spans_of(&[begin(HIDDEN), Op::Branch, end(HIDDEN)], &[0], 9), [ran(0, 2)]);
        // Two callbacks; in the first another visible method, and a hidden one.
        let ops = [
            begin(HIDDEN),
            begin(SEEN),
            begin(OTHER),
            end(OTHER),
            begin(HIDDEN),
            end(HIDDEN),
            end(SEEN),
            begin(SEEN),
            end(SEEN),
            end(HIDDEN),
        ];
        assert_eq!(spans_of(&ops, &[0, 4], 99), [ran(0, 1), ran(4, 5), ran(6, 7), ran(8, 9)]);
    }

    #[test]
    fn stretches_have_their_parts_of_the_spans() {
        let (begin, end) = (Op::MethodBegin, Op::MethodEnd);
        let ops = [begin(HIDDEN), Op::Branch, Op::Branch, begin(SEEN), Op::Branch, end(SEEN), Op::Branch, end(HIDDEN)];
        let expected = [(Some(0), None), (None, Some(3)), (Some(5), None), (None, Some(7))];
        assert_eq!(spans_of(&ops, &[0], 2), expected, "there is none in events 4 and 5 before the callback ends");
    }

    #[test]
    fn a_call_without_an_end_is_no_callback() {
        let (begin, end) = (Op::MethodBegin, Op::MethodEnd);
        // A constructor that throws, back into hidden code, which calls back once more.
        let ops = [begin(HIDDEN), begin(SEEN), begin(OTHER), end(OTHER), end(HIDDEN)];
        assert_eq!(spans_of(&ops, &[0], 99), [ran(0, 4)]);
        assert_eq!(spans_of(&ops, &[0], 3), [(Some(0), None), (None, Some(4))]);
        // The trace ends before the callback does.
        assert_eq!(spans_of(&ops[..3], &[0], 99), [(Some(0), None)]);
        assert_eq!(spans_of(&[begin(SEEN), begin(HIDDEN), end(SEEN)], &[1], 99), [ran(1, 2)]);
    }
}
