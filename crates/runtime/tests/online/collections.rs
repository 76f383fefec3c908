//! A collection orders what was done before it: never less, and not more once each thread has begun another time.

use std::collections::{BTreeMap, BTreeSet};

use model::{Event, MessageId, Op, ThreadId, VarId};
use proptest::prelude::*;
use proptest::sample::Index;
use runtime::{ContextId, Limits, Runtime};
use testkit::{receive, send, write};

use crate::replay::{self, Contexts, Replay};
use crate::{Variable, first_offline};

/// What the threads send when a collection happens, and who learns of it receives: for the offline detector, which knows none.
const COLLECTION: MessageId = MessageId(1000);

/// A thread that no generated trace has.
const LEARNER: u32 = 1000;

/// The trace with a collection somewhere, of which another thread learns at the end; it then writes every variable.
fn with_collection(events: &[Event], at: Index) -> Vec<Event> {
    let (before, after) = events.split_at(at.index(events.len() + 1));
    let mut alive = BTreeSet::new();
    for event in before {
        alive.insert(event.thread);
        match event.op {
            Op::Fork(child) => alive.insert(child),
            // What it did is known to the one that joined it.
            Op::Join(ended) => alive.remove(&ended),
            _ => false,
        };
    }
    let variables: BTreeSet<VarId> =
        events.iter().filter_map(|event| event.op.access()).map(|(variable, _)| variable).collect();
    let sent = alive.into_iter().map(|ThreadId(thread)| send(thread, COLLECTION));
    let learned = std::iter::once(receive(LEARNER, COLLECTION));
    let written = variables.into_iter().map(|variable| write(LEARNER, variable));
    before.iter().copied().chain(sent).chain(after.iter().copied()).chain(learned).chain(written).collect()
}

/// What threads do around a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    /// Nothing.
    Nothing,
    /// An access before and a release after, which begins another time.
    NextTime,
}

fn first_online(runtime: &Runtime, events: &[Event], around: Around) -> BTreeMap<VarId, usize> {
    let variables: Vec<Variable> = (0..8).map(|_| Variable::default()).collect();
    let mut replay = Replay::new(runtime, &variables, Contexts::ByPosition);
    let mut collections = 0;
    let mut first = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        match event.op {
            Op::Send(COLLECTION) => {
                if collections == 0 && around == Around::NextTime {
                    for sender in events.iter().filter(|event| event.op == Op::Send(COLLECTION)) {
                        let own = Variable::default();
                        own.write(runtime, replay.threads[&sender.thread], || ContextId(1));
                    }
                }
                if collections == 0 {
                    runtime.collected();
                    collections += 1;
                }
                if around == Around::NextTime {
                    runtime.publish(replay.threads[&event.thread]);
                }
            }
            Op::Receive(COLLECTION) => {
                let me = runtime.attach();
                replay.threads.insert(event.thread, me);
                runtime.learn(me, &runtime.before_collection());
            }
            _ => {
                let races = replay.step(at, event);
                if let (false, Some((variable, _))) = (races.is_empty(), event.op.access()) {
                    first.entry(variable).or_insert(at);
                }
            }
        }
    }
    first
}

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn a_collection_is_a_message_of_all_threads(events in replay::shapes(), at: Index, time in 1u32..9) {
        let events = with_collection(&events, at);
        let runtime = Runtime::with_limits(Limits { time, ..Limits::default() });
        prop_assert_eq!(first_online(&runtime, &events, Around::NextTime), first_offline(&events));
    }

    #[test]
    fn a_collection_makes_up_no_race(events in replay::shapes(), at: Index, ample in 0u32..4, time in 1u32..9) {
        let events = with_collection(&events, at);
        let runtime = Runtime::with_limits(Limits { ample, time, ..Limits::default() });
        let expected = first_offline(&events);
        for (variable, at) in first_online(&runtime, &events, Around::Nothing) {
            prop_assert!(expected.get(&variable).is_some_and(|&first| first <= at), "a false race on {:?}", variable);
        }
    }
}

/// A slot's heir does not hide what was done by the thread that had the slot before.
#[test]
fn what_ended_threads_did_is_known_of_their_slots() {
    let runtime = Runtime::default();
    let main = runtime.attach();
    let variable = Variable::default();
    let ended = runtime.attach();
    assert!(variable.write(&runtime, ended, || ContextId(1)).is_empty());
    runtime.end(ended);
    runtime.join(main, ended);
    let heir = runtime.fork(main, runtime::StackId::NONE);
    runtime.collected();
    let learner = runtime.attach();
    assert_eq!(runtime.before_collection().times().len(), 2, "the heir has the slot");
    runtime.learn(learner, &runtime.before_collection());
    assert!(variable.write(&runtime, learner, || ContextId(2)).is_empty());
    assert_eq!(variable.write(&runtime, heir, || ContextId(3)).len(), 1, "the heir has learned nothing");
}
