//! When hidden methods themselves run: from where they begin, or go on after a callback, to where they call back, or end.
//!
//! A visible method that a hidden one calls is a call without objects inside a call with some. While it runs, the hidden one
//! does nothing: its thread does what is seen. A call whose end is not seen, because a constructor threw or because the trace ends
//! before it, is not taken for a callback: the hidden method may go on unseen.

use std::collections::{BTreeMap, HashMap};

use model::{Event, MethodId, ObjectId, Op, ThreadId};

/// A hidden method runs. Places are those of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) thread: ThreadId,
    pub(crate) begin: usize,
    /// `None` if it runs until the end of the trace.
    pub(crate) end: Option<usize>,
    /// Where the call begins that has the objects.
    pub(crate) call: usize,
}

/// A call that has not returned.
#[derive(Clone, Copy, Debug)]
struct Frame {
    method: MethodId,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Of a hidden method: where the call begins, and since when the method runs.
    Hidden { call: usize, since: usize },
    /// Of a visible one by a hidden one, here.
    Callback { at: usize },
    /// Of a visible one by another.
    Visible,
}

/// The spans of a trace, by their begins.
pub(crate) fn find(events: &[Event], reach: &BTreeMap<usize, Box<[ObjectId]>>) -> Vec<Span> {
    if reach.is_empty() {
        return Vec::new();
    }
    let mut spans = Vec::new();
    let mut frames: HashMap<ThreadId, Vec<Frame>> = HashMap::new();
    for (at, event) in events.iter().enumerate() {
        match event.op {
            Op::MethodBegin(method) => {
                let own = frames.entry(event.thread).or_default();
                let kind = match own.last().map(|frame| frame.kind) {
                    _ if reach.contains_key(&at) => Kind::Hidden { call: at, since: at },
                    Some(Kind::Hidden { .. }) => Kind::Callback { at },
                    _ => Kind::Visible,
                };
                own.push(Frame { method, kind });
            }
            Op::MethodEnd(method) => {
                let own = frames.entry(event.thread).or_default();
                if let Some(found) = own.iter().rposition(|frame| frame.method == method) {
                    end(own, found, at, event.thread, &mut spans);
                }
            }
            _ => {}
        }
    }
    for (thread, own) in frames {
        for frame in own {
            if let Kind::Hidden { call, since } = frame.kind {
                spans.push(Span { thread, begin: since, end: None, call });
            }
        }
    }
    spans.sort_unstable_by_key(|span| span.begin);
    spans
}

/// The call at a place of a thread's stack returns. Those above it have returned unseen.
fn end(frames: &mut Vec<Frame>, found: usize, at: usize, thread: ThreadId, spans: &mut Vec<Span>) {
    let is_last = found + 1 == frames.len();
    for frame in frames.split_off(found) {
        match frame.kind {
            Kind::Hidden { call, since } => spans.push(Span { thread, begin: since, end: Some(at), call }),
            Kind::Callback { at: began } if is_last => {
                if let Some(Frame { kind: Kind::Hidden { call, since }, .. }) = frames.last_mut() {
                    spans.push(Span { thread, begin: *since, end: Some(began), call: *call });
                    *since = at;
                }
            }
            Kind::Callback { .. } | Kind::Visible => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use model::SiteId;

    use super::*;

    const HIDDEN: MethodId = MethodId(0);
    const SEEN: MethodId = MethodId(1);
    const OTHER: MethodId = MethodId(2);

    /// Begin, end and call of the spans of thread 0.
    fn spans_of(ops: &[Op], calls: &[usize]) -> Vec<(usize, Option<usize>, usize)> {
        let events: Vec<Event> = ops.iter().map(|&op| Event { thread: ThreadId(0), site: SiteId(0), op }).collect();
        let reach = calls.iter().map(|&at| (at, Box::from([ObjectId(1)]))).collect();
        find(&events, &reach).iter().map(|span| (span.begin, span.end, span.call)).collect()
    }

    #[test]
    fn a_method_does_not_run_while_what_it_calls_back_does() {
        let (begin, end) = (Op::MethodBegin, Op::MethodEnd);
        assert_eq!(spans_of(&[begin(HIDDEN), Op::Branch, end(HIDDEN)], &[0]), [(0, Some(2), 0)]);
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
        let expected = [(0, Some(1), 0), (4, Some(5), 4), (6, Some(7), 0), (8, Some(9), 0)];
        assert_eq!(spans_of(&ops, &[0, 4]), expected);
    }

    #[test]
    fn a_call_without_an_end_is_no_callback() {
        let (begin, end) = (Op::MethodBegin, Op::MethodEnd);
        // A constructor that throws, back into hidden code, which calls back once more.
        let ops = [begin(HIDDEN), begin(SEEN), begin(OTHER), end(OTHER), end(HIDDEN)];
        assert_eq!(spans_of(&ops, &[0]), [(0, Some(4), 0)]);
        // The trace ends before the callback does.
        assert_eq!(spans_of(&ops[..3], &[0]), [(0, None, 0)]);
        assert_eq!(spans_of(&[begin(SEEN), begin(HIDDEN), end(SEEN)], &[1]), [(1, Some(2), 1)]);
    }
}
