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

/// The trace with a collection somewhere, of which some threads learn later and another one at the end; it then writes
/// every variable.
fn with_collection(events: &[Event], at: Index, learners: &[Index]) -> Vec<Event> {
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
    let mut all = before.to_vec();
    all.extend(alive.into_iter().map(|ThreadId(thread)| send(thread, COLLECTION)));
    for (place, event) in after.iter().enumerate() {
        if learners.iter().any(|learner| learner.index(after.len()) == place) {
            all.push(receive(event.thread.0, COLLECTION));
        }
        all.push(*event);
    }
    all.push(receive(LEARNER, COLLECTION));
    all.extend(variables.into_iter().map(|variable| write(LEARNER, variable)));
    all
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
                replay.step(at, &Event { op: Op::Branch, ..*event });
                runtime.learn(replay.threads[&event.thread], &runtime.before_collection());
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
    fn a_collection_is_a_message_of_all_threads(
        events in replay::shapes(),
        at: Index,
        learners: [Index; 3],
        time in 1u32..9,
    ) {
        let events = with_collection(&events, at, &learners);
        let runtime = Runtime::with_limits(Limits { time, ..Limits::default() });
        prop_assert_eq!(first_online(&runtime, &events, Around::NextTime), first_offline(&events));
    }

    #[test]
    fn a_collection_makes_up_no_race(
        events in replay::shapes(),
        at: Index,
        learners: [Index; 3],
        ample in 0u32..4,
        time in 1u32..9,
    ) {
        let events = with_collection(&events, at, &learners);
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

/// Who has a thread's present time without its doing has not seen what the thread learns afterwards.
fn learns_later_too(take: impl Fn(&Runtime, ThreadId)) {
    let runtime = Runtime::default();
    let [writer, between, learner] = [(); 3].map(|()| runtime.attach());
    let variable = Variable::default();
    take(&runtime, learner);
    // What it does with the time that was taken counts as seen.
    runtime.publish(writer);
    assert!(variable.write(&runtime, writer, || ContextId(1)).is_empty());
    let (mut of_writer, mut of_between) = (None, None);
    replay::release(&runtime, writer, &mut of_writer);
    replay::acquire(&runtime, between, of_writer.as_ref());
    replay::release(&runtime, between, &mut of_between);
    replay::acquire(&runtime, learner, of_between.as_ref());
    assert!(variable.write(&runtime, learner, || ContextId(2)).is_empty(), "it came by way of the thread between");
}

#[test]
fn a_time_that_a_collection_took_names_no_past() {
    learns_later_too(|runtime, learner| {
        runtime.collected();
        runtime.learn(learner, &runtime.before_collection());
    });
}

#[test]
fn a_time_that_a_finalizer_took_names_no_past() {
    learns_later_too(|runtime, learner| runtime.learn_all(learner));
}
