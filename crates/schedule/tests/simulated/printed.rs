//! Algorithm 3 of the DrFinder paper as printed, line by line, and what it does to figure 2.
//!
//! Line 33 draws t from all threads; line 43 takes the lock that t' requests; line 53 removes t' from those that wait. The
//! text of section 5.3 says otherwise, and `schedule::DrFinder` follows the text.

use std::collections::{BTreeMap, BTreeSet};

use schedule::Random;

/// A thread requests a lock of this type while it executes this method.
type Request = (&'static str, &'static str);

/// The scheduler's state: threads by number, locks by type.
#[derive(Default)]
struct Printed {
    enabled: BTreeSet<usize>,
    rths: BTreeMap<usize, &'static str>,
    allowed_thread: Option<usize>,
    allowed_lock: Option<&'static str>,
}

/// Why the scheduler makes no more progress.
#[derive(Debug, PartialEq, Eq)]
enum Halt {
    /// All acquisitions were made.
    Done,
    /// It waits for a thread to take a lock of a type that is not known: line 49 never ends.
    NoLock,
    /// It waits for a thread that has nothing left to take, and line 49 never ends.
    NoEvent,
}

/// Executes the acquisitions of three threads under the printed algorithm. Gives those that were made.
fn execute(threads: &[Vec<Request>], relation: &[(&str, &str)], seed: u64) -> (Halt, Vec<(usize, &'static str)>) {
    let mut random = Random::new(seed);
    let mut printed = Printed { enabled: (0..threads.len()).collect(), ..Printed::default() };
    let mut next = vec![0; threads.len()];
    let mut taken = Vec::new();
    let all: Vec<usize> = (0..threads.len()).collect();
    for _ in 0..1000 {
        // Agent: every enabled thread goes on to its next acquisition; the one that is allowed makes it.
        for &thread in &all {
            let Some(&(_, lock)) = threads[thread].get(next[thread]) else { continue };
            if !printed.enabled.contains(&thread) {
                continue;
            }
            if printed.allowed_thread == Some(thread) {
                taken.push((thread, lock));
                next[thread] += 1;
                if printed.allowed_lock == Some(lock) {
                    (printed.allowed_thread, printed.allowed_lock) = (None, None);
                }
            } else {
                printed.rths.insert(thread, lock);
                printed.enabled.remove(&thread);
            }
        }
        if next.iter().zip(threads).all(|(&next, thread)| next == thread.len()) {
            return (Halt::Done, taken);
        }
        // Scheduler, lines 30 to 55.
        if let Some(thread) = printed.allowed_thread {
            if threads[thread].get(next[thread]).is_none() {
                return (if printed.allowed_lock.is_none() { Halt::NoLock } else { Halt::NoEvent }, taken);
            }
            continue;
        }
        let Some(thread) = random.pick(&all) else { continue };
        // Line 22 asks for the lock that t requests; t may request none, and then no relation matches.
        let wanted = printed.rths.get(&thread).copied();
        let may_trigger = |&other: &usize| {
            let method = threads[other].get(next[other]).map(|&(method, _)| method);
            other != thread && relation.iter().any(|&(f, c)| Some(f) == method && Some(c) == wanted)
        };
        let candidates: Vec<usize> = all.iter().copied().filter(may_trigger).collect();
        if let Some(escorted) = random.pick(&candidates) {
            printed.allowed_thread = Some(escorted);
            printed.allowed_lock = printed.rths.get(&escorted).copied();
            printed.rths.remove(&escorted);
            printed.enabled.insert(escorted);
        } else {
            // Lines 52 to 55 without t': it is undefined here, so nobody leaves RTHs.
            printed.enabled.insert(thread);
            printed.allowed_thread = Some(thread);
            printed.allowed_lock = printed.rths.get(&thread).copied();
        }
    }
    panic!("the scheduler neither ends nor waits");
}

#[test]
fn the_printed_algorithm_waits_for_a_lock_that_nobody_requests() {
    let threads: [Vec<Request>; 3] = [
        vec![("f1", "k"), ("f2", "o1"), ("f2", "n")],
        vec![("f4", "o2"), ("f4", "o3"), ("f5", "n")],
        vec![("f7", "o4"), ("f7", "o5"), ("f8", "k")],
    ];
    let relation = [
        ("f1", "k"),
        ("f1", "o1"),
        ("f1", "n"),
        ("f2", "o1"),
        ("f2", "n"),
        ("f4", "o2"),
        ("f4", "o3"),
        ("f4", "n"),
        ("f5", "n"),
        ("f7", "o4"),
        ("f7", "o5"),
        ("f7", "k"),
        ("f8", "k"),
    ];
    let runs: Vec<_> = (0..200).map(|seed| execute(&threads, &relation, seed)).collect();
    let count = |wanted: &Halt| runs.iter().filter(|(halt, _)| halt == wanted).count();
    assert!(count(&Halt::NoLock) + count(&Halt::NoEvent) >= 100, "it waits for ever in most runs");
    // An escort ends with the first lock that t' takes, of whatever type: t3 is let run up to o4, not to k.
    let reversed = |taken: &Vec<(usize, &str)>| {
        let when = |thread, lock| taken.iter().position(|&event| event == (thread, lock));
        matches!((when(2, "k"), when(0, "k")), (Some(third), Some(first)) if third < first)
    };
    let by_text = 50;
    let by_print = runs[..by_text].iter().filter(|(_, taken)| reversed(taken)).count();
    assert!(by_print < by_text / 2, "e9 comes before e1 in {by_print} of {by_text} runs; by the text in all (figure2)");
}
