//! The online detector finds what the offline reference finds: the first race of each variable, at the same access.

mod collections;
mod pool;
mod replay;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use detect::Detector;
use detect::djit::Djit;
use model::{Access, Event, EventIndex, ThreadId, VarId};
use proptest::prelude::*;
use replay::{Contexts, Replay};
use runtime::{ContextId, Limits, Message, Place, Runtime, StackId};

type Variable = runtime::Variable<AtomicU64>;

fn first_online(runtime: &Runtime, events: &[Event]) -> BTreeMap<VarId, usize> {
    first_of(runtime, events, false)
}

/// The same; threads may be suspended after each of their steps.
fn first_of(runtime: &Runtime, events: &[Event], suspends: bool) -> BTreeMap<VarId, usize> {
    let variables: Vec<Variable> = (0..8).map(|_| Variable::default()).collect();
    let mut replay = Replay::new(runtime, &variables, Contexts::ByPosition);
    replay.suspends = suspends;
    let mut first = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        for (earlier, thread, kind) in replay.step(at, event) {
            let (var, _) = event.op.access().expect("only accesses race");
            assert_eq!(events[earlier].op.access(), Some((var, kind)), "the earlier access is named by its context");
            assert_eq!(replay.threads[&events[earlier].thread], thread, "and by its thread");
            first.entry(var).or_insert(at);
        }
    }
    first
}

fn first_offline(events: &[Event]) -> BTreeMap<VarId, usize> {
    let mut djit = Djit::default();
    let mut first = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        djit.observe(EventIndex(at as u64), event, &mut |race| {
            let Access { at, .. } = race.later;
            first.entry(race.var).or_insert(at.0 as usize);
        });
    }
    first
}

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn the_first_race_of_each_variable_is_that_of_djit(events in replay::shapes()) {
        prop_assert_eq!(first_online(&Runtime::default(), &events), first_offline(&events));
    }

    #[test]
    fn times_that_run_out_change_nothing(events in replay::shapes(), time in 1u32..5) {
        let runtime = Runtime::with_limits(Limits { time, ..Limits::default() });
        prop_assert_eq!(first_online(&runtime, &events), first_offline(&events));
    }

    #[test]
    fn threads_that_are_suspended_miss_nothing_while_slots_are_ample(events in replay::shapes(), time in 1u32..9) {
        let runtime = Runtime::with_limits(Limits { time, ..Limits::default() });
        prop_assert_eq!(first_of(&runtime, &events, true), first_offline(&events));
    }

    #[test]
    fn slots_that_are_used_again_unseen_make_up_no_race(
        events in replay::shapes(),
        ample in 0u32..4,
        renewable in 1u32..6,
        time in 1u32..9,
        suspends: bool,
    ) {
        let runtime = Runtime::with_limits(Limits { ample, renewable, time, ..Limits::default() });
        let expected = first_offline(&events);
        for (var, at) in first_of(&runtime, &events, suspends) {
            prop_assert!(expected.get(&var).is_some_and(|&first| first <= at), "a false race on {:?}", var);
        }
    }

    #[test]
    fn threads_without_an_era_are_not_watched_and_change_nothing_else(events in replay::shapes(), eras in 0u32..4) {
        let runtime = Runtime::with_limits(Limits { eras, time: 1000, ..Limits::default() });
        let expected = first_offline(&events);
        for (var, at) in first_online(&runtime, &events) {
            prop_assert!(expected.get(&var).is_some_and(|&first| first <= at), "a false race on {:?}", var);
        }
    }
}

#[test]
fn a_hundred_thousand_threads_in_turn_need_two_slots() {
    let runtime = Runtime::with_limits(Limits { eras: 3, ..Limits::default() });
    let main = runtime.attach();
    let variable = Variable::default();
    for _ in 0..100_000 {
        assert!(variable.write(&runtime, main, || ContextId(1)).is_empty());
        let child = runtime.fork(main, StackId::NONE);
        assert!(variable.write(&runtime, child, || ContextId(2)).is_empty());
        runtime.end(child);
        runtime.join(main, child);
    }
    assert!(runtime.epoch(main).is_some());
}

#[test]
fn a_thread_that_is_about_to_start_does_not_end_because_somebody_asks() {
    let runtime = Runtime::default();
    let (starter, child, asker) = {
        let starter = runtime.attach();
        (starter, runtime.fork(starter, StackId::NONE), runtime.attach())
    };
    let variable = Variable::default();
    assert!(!runtime.join(asker, child), "it has not ended");
    assert!(variable.write(&runtime, child, || ContextId(1)).is_empty());
    assert!(!runtime.join(starter, child), "it has not ended");
    assert!(runtime.epoch(child).is_some(), "it is watched");
    assert_eq!(variable.write(&runtime, starter, || ContextId(2)).len(), 1, "nobody has joined it");
    runtime.end(child);
    assert!(runtime.join(asker, child));
}

#[test]
fn threads_that_nobody_joins_need_few_slots() {
    let runtime = Runtime::with_limits(Limits { eras: 10, ample: 8, ..Limits::default() });
    let main = runtime.attach();
    for _ in 0..1000 {
        let child = runtime.fork(main, StackId::NONE);
        assert!(Variable::default().write(&runtime, child, || ContextId(1)).is_empty());
        assert!(runtime.epoch(child).is_some(), "every one is watched");
        runtime.end(child);
    }
}

/// A moment names all that its thread had seen, also if another thread has the slot by now.
#[test]
fn a_slot_that_is_used_again_unseen_keeps_what_its_moments_name() {
    let runtime = Runtime::with_limits(Limits { ample: 0, ..Limits::default() });
    let [writer, first, reader] = [(); 3].map(|()| runtime.attach());
    let variable = Variable::default();
    assert!(variable.write(&runtime, writer, || ContextId(1)).is_empty());
    let (mut of_writer, mut of_first, mut of_second) = (None, None, None);
    replay::release(&runtime, writer, &mut of_writer);
    replay::acquire(&runtime, first, of_writer.as_ref());
    assert!(Variable::default().write(&runtime, first, || ContextId(2)).is_empty());
    replay::release(&runtime, first, &mut of_first);
    runtime.end(first);
    let second = runtime.attach();
    replay::release(&runtime, second, &mut of_second);
    replay::acquire(&runtime, reader, of_second.as_ref());
    replay::acquire(&runtime, reader, of_first.as_ref());
    assert!(
        variable.read(&runtime, reader, || ContextId(3)).is_empty(),
        "it came by way of the first owner of the slot"
    );
}

#[test]
fn a_hundred_thousand_threads_alive_need_few_slots_and_all_are_watched() {
    let runtime = Runtime::with_limits(Limits { eras: 140, ..Limits::default() });
    let main = runtime.attach();
    let all: Vec<ThreadId> = (0..100_000).map(|_| runtime.prepare(main, StackId::NONE)).collect();
    for round in 0..2 {
        for &thread in &all {
            runtime.resume(thread);
            assert!(runtime.epoch(thread).is_some(), "every one is watched");
            let races = Variable::default().write(&runtime, thread, || ContextId(1));
            assert!(races.is_empty(), "round {round}");
            runtime.suspend(thread);
        }
    }
    let clocks: Vec<usize> = all.iter().filter_map(|&thread| Some(runtime.end(thread)?.times().len())).collect();
    assert!(clocks.iter().all(|&width| width <= 130), "{:?}", clocks.iter().max());
}

#[test]
fn releases_without_accesses_cost_no_time() {
    let runtime = Runtime::with_limits(Limits { eras: 1, time: 4, ..Limits::default() });
    let main = runtime.attach();
    for _ in 0..1000 {
        runtime.send(main, Message::Static(0));
        runtime.publish(main);
    }
    assert!(runtime.epoch(main).is_some());
    let other = runtime.attach();
    assert!(runtime.epoch(other).is_none(), "there is one era only");
}

/// Two threads at once on the words: a lock makes it clean, its absence is always found.
#[test]
fn real_threads_agree_with_the_protocol() {
    for round in 0..300 {
        let runtime = Runtime::default();
        let main = runtime.attach();
        let guarded: Vec<Variable> = (0..4).map(|_| Variable::default()).collect();
        let racy: Vec<Variable> = (0..4).map(|_| Variable::default()).collect();
        let monitor = Mutex::new(None);
        let found = Mutex::new([0; 4]);
        let workers: Vec<ThreadId> = (0..3).map(|_| runtime.fork(main, StackId::NONE)).collect();
        std::thread::scope(|scope| {
            for (number, &me) in workers.iter().enumerate() {
                let (runtime, guarded, racy) = (&runtime, &guarded, &racy);
                let (monitor, found) = (&monitor, &found);
                scope.spawn(move || {
                    let context = ContextId(number as u32 + 1);
                    for step in 0..20 {
                        let mut held = monitor.lock().unwrap();
                        replay::acquire(runtime, me, held.as_ref());
                        for variable in guarded {
                            assert!(variable.read(runtime, me, || context).is_empty(), "round {round}");
                            if step % 3 == 0 {
                                assert!(variable.write(runtime, me, || context).is_empty(), "round {round}");
                            }
                        }
                        replay::release(runtime, me, &mut held);
                        drop(held);
                    }
                    for (index, variable) in racy.iter().enumerate() {
                        let races = match (number + index) % 3 {
                            0 => variable.write(runtime, me, || context),
                            _ => variable.read(runtime, me, || context),
                        };
                        found.lock().unwrap()[index] += races.len();
                    }
                });
            }
        });
        assert!(found.lock().unwrap().iter().all(|&count| count >= 2), "round {round}: two reads race with one write");
        for worker in workers {
            runtime.end(worker);
            runtime.join(main, worker);
        }
        assert!(racy.iter().all(|variable| variable.write(&runtime, main, || ContextId(9)).is_empty()), "all joined");
    }
}

/// A context; when it is first asked for, between an access's decision and its record, something else happens.
fn meeting<'a>(context: u32, work: &'a mut dyn FnMut()) -> impl FnMut() -> ContextId + 'a {
    let mut work = Some(work);
    move || {
        work.take().into_iter().for_each(|work| work());
        ContextId(context)
    }
}

/// Two accesses that cross: each is decided before the other is recorded. At least one must see the other.
fn cross<P: Place>(new_variable: impl Fn() -> runtime::Variable<P>) {
    let setup = || {
        let runtime = Runtime::default();
        let main = runtime.attach();
        let others = [(); 3].map(|()| runtime.fork(main, StackId::NONE));
        (runtime, others)
    };

    let (runtime, [reader, writer, _]) = setup();
    let variable = new_variable();
    let mut meanwhile = || assert!(variable.write(&runtime, writer, || ContextId(2)).is_empty());
    let races = variable.read(&runtime, reader, meeting(1, &mut meanwhile));
    assert_eq!(races.len(), 1, "a write between a read's decision and its record");

    let (runtime, [reader, writer, _]) = setup();
    let variable = new_variable();
    let mut meanwhile = || assert!(variable.read(&runtime, reader, || ContextId(1)).is_empty());
    let races = variable.write(&runtime, writer, meeting(2, &mut meanwhile));
    assert_eq!(races.len(), 1, "a read between a write's decision and its record");

    let (runtime, [reader, writer, other]) = setup();
    let variable = new_variable();
    assert!(variable.read(&runtime, reader, || ContextId(1)).is_empty());
    runtime.end(reader);
    runtime.join(writer, reader);
    let mut meanwhile = || {
        assert!(variable.read(&runtime, writer, || ContextId(2)).is_empty());
        assert!(variable.read(&runtime, other, || ContextId(3)).is_empty());
    };
    let races = variable.write(&runtime, writer, meeting(4, &mut meanwhile));
    assert_eq!(races.len(), 1, "reads became shared between a write's decision and its record: one of them races");

    let (runtime, [reader, writer, other]) = setup();
    let variable = new_variable();
    for (thread, context) in [(reader, 1), (other, 2)] {
        assert!(variable.read(&runtime, thread, || ContextId(context)).is_empty());
    }
    for thread in [reader, other] {
        runtime.end(thread);
        runtime.join(writer, thread);
    }
    let late = runtime.fork(writer, StackId::NONE);
    let mut meanwhile = || assert!(variable.write(&runtime, writer, || ContextId(3)).is_empty());
    let races = variable.read(&runtime, late, meeting(4, &mut meanwhile));
    assert!(!races.is_empty(), "the clock of reads was given back under a read that joins it");
    assert!(races.iter().all(|race| race.context == ContextId(3)), "it begins again, and may say so twice: {races:?}");
    let another = runtime.attach();
    assert_eq!(
        variable.write(&runtime, another, || ContextId(5)).len(),
        2,
        "both the write and the late read are there"
    );

    let (runtime, [one, two, _]) = setup();
    let variable = new_variable();
    let mut meanwhile = || assert!(variable.write(&runtime, two, || ContextId(2)).is_empty());
    let races = variable.write(&runtime, one, meeting(1, &mut meanwhile));
    assert_eq!(races.len(), 1, "a write between another's decision and its record");
}

#[test]
fn of_two_accesses_that_cross_one_sees_the_other() {
    cross(Variable::default);
    for size in [2, 3, 4, 64] {
        cross(|| pool::Array::leaked(1, size).elements().remove(0));
    }
}
