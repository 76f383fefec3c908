//! Elements that share words through a pool are elements with words of their own: the same races, found by the same
//! accesses, whatever the pool's size.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::replay::{self, Contexts, Replay};
use model::{Op, ThreadId};
use proptest::prelude::*;
use runtime::{ContextId, Elements, Pool, Pooled, Runtime, StackId, Variable, read_range, write_range};

/// The shadow of an array.
pub(crate) struct Array {
    pool: Vec<AtomicU64>,
    count: AtomicU64,
    indices: Vec<[AtomicU8; 2]>,
    own: OnceLock<Vec<[AtomicU64; 2]>>,
    moving: Mutex<()>,
    sharing: Mutex<()>,
}

impl Array {
    fn new(length: usize, pool: usize) -> Array {
        Array {
            pool: (0..pool).map(|_| AtomicU64::default()).collect(),
            count: AtomicU64::default(),
            indices: (0..length).map(|_| Default::default()).collect(),
            own: OnceLock::new(),
            moving: Mutex::default(),
            sharing: Mutex::default(),
        }
    }

    pub(crate) fn leaked(length: usize, pool: usize) -> &'static Array {
        Box::leak(Box::new(Array::new(length, pool)))
    }

    pub(crate) fn elements(&self) -> Vec<Variable<Pooled<'_, &Array>>> {
        let place = |index, of| Pooled::new(self, index, of).expect("such an element");
        (0..self.indices.len()).map(|index| Variable { reads: place(index, 0), write: place(index, 1) }).collect()
    }
}

impl<'a> Elements<'a> for &'a Array {
    fn pool(&self) -> Option<Pool<'a>> {
        Some(Pool::new(&self.pool, &self.count))
    }

    fn indices(&self) -> &'a [[AtomicU8; 2]] {
        &self.indices
    }

    fn own(&self, element: usize, of: usize) -> Option<&'a AtomicU64> {
        let words = self.own.get_or_init(|| self.indices.iter().map(|_| Default::default()).collect());
        Some(&words[element][of])
    }

    fn moving(&self, _element: usize) -> &'a Mutex<()> {
        &self.moving
    }

    fn sharing(&self) -> &'a Mutex<()> {
        &self.sharing
    }
}

proptest! {
    #![proptest_config(testkit::config(10_000))]

    #[test]
    fn a_pool_changes_nothing(
        events in crate::replay::shapes(),
        size in 1usize..12,
        contexts in prop_oneof![Just(Contexts::ByPosition), Just(Contexts::Same)],
    ) {
        let plain: Vec<Variable<AtomicU64>> = (0..8).map(|_| Variable::default()).collect();
        let array = Array::new(8, size);
        let pooled = array.elements();
        let runtimes = [Runtime::default(), Runtime::default()];
        let mut one = Replay::new(&runtimes[0], &plain, contexts);
        let mut two = Replay::new(&runtimes[1], &pooled, contexts);
        for (at, event) in events.iter().enumerate() {
            prop_assert_eq!(one.step(at, event), two.step(at, event), "at {}: {:?}", at, event);
        }
    }

    /// Each access is one of a range: of elements one by one, and of all that are alike at once.
    #[test]
    fn ranges_accessed_alike_are_as_accessed_one_by_one(
        events in crate::replay::shapes(),
        size in 1usize..12,
        step in 1usize..3,
        kinds in prop_oneof![Just([true, false]), Just([false, true]), Just([true, true])],
    ) {
        let plain: Vec<Variable<AtomicU64>> = (0..8).map(|_| Variable::default()).collect();
        let array = Array::new(8, size);
        let pooled = array.elements();
        let runtimes = [Runtime::default(), Runtime::default()];
        let mut one = Replay::new(&runtimes[0], &plain, Contexts::ByPosition);
        let mut two = Replay::new(&runtimes[1], &pooled, Contexts::ByPosition);
        for (at, event) in events.iter().enumerate() {
            let (is_write, var) = match event.op {
                Op::Read(var) if kinds[0] => (false, var),
                Op::Write(var) if kinds[1] => (true, var),
                _ => {
                    prop_assert_eq!(one.step(at, event), two.step(at, event), "at {}: {:?}", at, event);
                    continue;
                }
            };
            let (me, range) = ([one.thread(event.thread), two.thread(event.thread)], var.index()..8);
            let context = || ContextId(at as u32 + 1);
            let mut expected = Vec::new();
            for element in range.clone().step_by(step) {
                let races = match is_write {
                    false => plain[element].read(&runtimes[0], me[0], context),
                    true => plain[element].write(&runtimes[0], me[0], context),
                };
                for race in races {
                    if !expected.contains(&race) {
                        expected.push(race);
                    }
                }
            }
            let alike = if is_write { write_range } else { read_range };
            let found = alike(&array, &runtimes[1], me[1], (range, step), context());
            prop_assert_eq!(found.races, expected, "at {}: {:?}", at, event);
        }
    }
}

#[test]
fn a_range_in_one_state_is_decided_once() {
    let runtime = Runtime::default();
    let (main, array) = (runtime.attach(), Array::new(1000, 8));
    let readers: Vec<ThreadId> = (0..3).map(|_| runtime.fork(main, StackId::NONE)).collect();
    for _ in 0..50 {
        for &reader in &readers {
            let alike = read_range(&array, &runtime, reader, (0..1000, 1), ContextId(1));
            assert!(alike.races.is_empty());
            assert_eq!(alike.decided, 1, "all have the same words");
            runtime.publish(reader).expect("a past to hand out");
        }
    }
    assert!(array.own.get().is_none(), "clocks of past reads make room for others");
    assert_eq!(array.elements()[999].write(&runtime, main, || ContextId(9)).len(), 3);
}

#[test]
fn elements_accessed_alike_need_no_words_of_their_own() {
    let runtime = Runtime::default();
    let (main, array) = (runtime.attach(), Array::new(1000, 3));
    for element in array.elements() {
        assert!(element.read(&runtime, main, || ContextId(2)).is_empty());
        assert!(element.write(&runtime, main, || ContextId(1)).is_empty());
    }
    assert!(array.own.get().is_none());
    assert_eq!(array.count.load(Ordering::Relaxed), 2, "two words are in use");
    let child = runtime.fork(main, StackId::NONE);
    assert!(array.elements()[7].write(&runtime, child, || ContextId(3)).is_empty());
    assert!(array.own.get().is_some(), "a third word does not fit");
    assert_eq!(array.elements()[7].write(&runtime, main, || ContextId(4)).len(), 1);
    assert!(array.elements()[6].write(&runtime, main, || ContextId(4)).is_empty(), "the child was at another element");
}

/// Words of past epochs make room, also those that one element has kept: elements accessed alike stay in the pool.
#[test]
fn a_full_pool_gives_up_the_past() {
    let runtime = Runtime::default();
    let (main, array) = (runtime.attach(), Array::new(100, 7));
    let elements = array.elements();
    for round in 0..50 {
        for element in elements.iter().skip(round) {
            assert!(element.write(&runtime, main, || ContextId(1)).is_empty());
        }
        runtime.publish(main).expect("a past to hand out");
    }
    let own = |index: &[AtomicU8; 2]| index[1].load(Ordering::Relaxed) == 254;
    let alone = array.indices.iter().take_while(|index| own(index)).count();
    assert!((30..50).contains(&alone), "the first {alone}, each with a past of its own");
    assert!(!array.indices.iter().skip(50).any(own), "the others have one word");
}

#[test]
fn elements_read_alike_by_many_have_one_clock() {
    let runtime = Runtime::default();
    let (main, array) = (runtime.attach(), Array::new(1000, 8));
    let readers: Vec<ThreadId> = (0..3).map(|_| runtime.fork(main, StackId::NONE)).collect();
    for (number, &reader) in readers.iter().enumerate() {
        for element in array.elements() {
            assert!(element.read(&runtime, reader, || ContextId(number as u32 + 1)).is_empty());
        }
    }
    assert!(array.own.get().is_none());
    assert_eq!(array.count.load(Ordering::Relaxed), 3, "one reader, two, three");
    assert_eq!(array.elements()[5].write(&runtime, main, || ContextId(9)).len(), 3);
    runtime.end(readers[0]);
    runtime.join(main, readers[0]);
    assert_eq!(array.elements()[6].write(&runtime, main, || ContextId(9)).len(), 2, "the others' clock is as it was");
}

/// A clock for all elements takes in what reads all of them: as many clocks as there are readers would fill the pool.
#[test]
fn many_that_read_all_have_one_clock() {
    let runtime = Runtime::default();
    let (main, array) = (runtime.attach(), Array::new(1000, 4));
    let readers: Vec<ThreadId> = (0..64).map(|_| runtime.fork(main, StackId::NONE)).collect();
    for &reader in &readers {
        assert!(read_range(&array, &runtime, reader, (0..1000, 1), ContextId(1)).races.is_empty());
    }
    assert!(array.own.get().is_none(), "one reader, two, all");
    assert_eq!(array.count.load(Ordering::Relaxed) & 0xffff_ffff, 2);
    // A read of a part is not one of the others.
    let another = runtime.fork(main, StackId::NONE);
    assert!(read_range(&array, &runtime, another, (0..500, 1), ContextId(1)).races.is_empty());
    assert_eq!(array.elements()[499].write(&runtime, main, || ContextId(9)).len(), 65);
    assert_eq!(array.elements()[500].write(&runtime, main, || ContextId(9)).len(), 64);
}

/// Threads that read parts and all of an array at once, and one that writes under a lock: no read is lost, none is made up.
#[test]
fn real_threads_that_read_alike_are_all_seen() {
    const LENGTH: usize = 96;
    for round in 0..100 {
        let runtime = Runtime::default();
        let (main, array) = (runtime.attach(), Array::new(LENGTH, 3 + round % 12));
        let readers: Vec<ThreadId> = (0..4).map(|_| runtime.fork(main, StackId::NONE)).collect();
        let monitor = Mutex::new(None);
        std::thread::scope(|scope| {
            for (number, &me) in readers.iter().enumerate() {
                let (runtime, array, monitor) = (&runtime, &array, &monitor);
                scope.spawn(move || {
                    for step in 0..10 {
                        let mut held = monitor.lock().unwrap();
                        replay::acquire(runtime, me, held.as_ref());
                        for element in &array.elements()[number * 8..number * 8 + 32] {
                            assert!(element.write(runtime, me, || ContextId(step + 1)).is_empty(), "round {round}");
                        }
                        replay::release(runtime, me, &mut held);
                        drop(held);
                        // These nobody writes.
                        for range in [64..LENGTH, 64 + number * 4..LENGTH - 8, 64..LENGTH] {
                            let alike =
                                read_range(array, runtime, me, (range, 1 + step as usize % 2), ContextId(step + 1));
                            assert!(alike.races.is_empty(), "round {round}");
                        }
                    }
                });
            }
        });
        let races: Vec<usize> = array.elements()[64..]
            .iter()
            .map(|element| element.write(&runtime, main, || ContextId(99)).len())
            .collect();
        // In the last step, after the last hold of the lock, every other element was read: nothing orders these reads.
        assert!(races.iter().step_by(2).all(|&count| count == 4), "round {round}: {races:?}");
        assert!(races.iter().all(|&count| count >= 1), "round {round}: {races:?}");
    }
}

/// Threads at once on neighbours: each its own elements, a lock for those in the middle, and one element that all write.
#[test]
fn real_threads_agree_with_the_pool() {
    for round in 0..200 {
        let runtime = Runtime::default();
        let (main, array) = (runtime.attach(), Array::new(40, 3 + round % 7));
        let elements = array.elements();
        let (monitor, found) = (Mutex::new(None), Mutex::new(0));
        let workers: Vec<ThreadId> = (0..3).map(|_| runtime.fork(main, StackId::NONE)).collect();
        std::thread::scope(|scope| {
            for (number, &me) in workers.iter().enumerate() {
                let (runtime, elements, monitor, found) = (&runtime, &elements, &monitor, &found);
                scope.spawn(move || {
                    for step in 0..20 {
                        let context = || ContextId(step % 4 + 1);
                        for element in elements.iter().skip(number).step_by(3).take(10) {
                            assert!(element.write(runtime, me, context).is_empty(), "round {round}");
                            assert!(element.read(runtime, me, context).is_empty(), "round {round}");
                        }
                        let mut held = monitor.lock().unwrap();
                        replay::acquire(runtime, me, held.as_ref());
                        for element in &elements[30..39] {
                            assert!(element.read(runtime, me, context).is_empty(), "round {round}");
                            assert!(element.write(runtime, me, context).is_empty(), "round {round}");
                        }
                        replay::release(runtime, me, &mut held);
                        drop(held);
                    }
                    *found.lock().unwrap() += elements[39].write(runtime, me, || ContextId(9)).len();
                });
            }
        });
        assert!(*found.lock().unwrap() >= 2, "round {round}: three writes, the first races with none");
    }
}
