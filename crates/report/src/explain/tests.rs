//! Each pattern with evidence for it, and without.

use super::fields::counts;
use super::*;
use crate::race::samples::{frame, race};
use crate::race::{Annotation, Lock};

fn pattern(race: &LiveRace) -> Option<Pattern> {
    explain(race, &Sources::default()).map(|explanation| explanation.pattern)
}

fn unlocked() -> LiveRace {
    let mut race = race("R-1");
    race.later.locks.clear();
    race
}

#[test]
fn a_lock_around_the_write_alone_is_double_checked_locking() {
    assert_eq!(pattern(&race("R-1")), Some(Pattern::DoubleCheckedLocking));
    let mut both = race("R-1");
    both.earlier.locks = vec![Lock { class: "a.B".to_owned(), taken_at: String::new() }];
    assert_eq!(pattern(&both), Some(Pattern::InconsistentLocking));
    assert_eq!(pattern(&unlocked()), None, "a read and a write in one method may be anything");
}

#[test]
fn a_number_read_and_written_on_one_line_is_a_counter() {
    let mut race = unlocked();
    race.variable.descriptor = "J".to_owned();
    assert_eq!(pattern(&race), Some(Pattern::UnsynchronisedCounter));
    race.variable.descriptor = "I".to_owned();
    race.earlier.stack[0].line = Some(6);
    assert_eq!(pattern(&race), None);
}

#[test]
fn a_line_that_counts_is_a_counter_whoever_reads() {
    for (line, expected) in [
        ("n++;", true),
        ("new Thread(() -> this.n += 2)", true),
        ("return --n;", true),
        ("n = 1; i++;", false),
        ("an++; n2--;", false),
    ] {
        assert_eq!(counts(line, "n"), expected, "{line}");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("a")).unwrap();
    std::fs::write(folder.path().join("a/Main.java"), "\n\n\n\n\n\n    n++;\n").unwrap();
    let mut race = unlocked();
    race.variable.descriptor = "I".to_owned();
    race.earlier.stack[0] = frame("shown", 9);
    let found = explain(&race, &Sources::under(folder.path())).map(|explanation| explanation.pattern);
    assert_eq!(found, Some(Pattern::UnsynchronisedCounter));
}

#[test]
fn a_write_by_the_constructor_is_publication() {
    let mut race = unlocked();
    race.variable.kind = VariableKind::Field;
    race.later.stack[0] = frame("<init>", 2);
    assert_eq!(pattern(&race), Some(Pattern::UnsafePublication));
    race.earlier.op = Operation::Write;
    assert_eq!(pattern(&race), None, "two writes are no publication");
}

#[test]
fn asking_and_telling_in_one_method_is_check_then_act() {
    let mut race = unlocked();
    race.variable.kind = VariableKind::Object;
    race.variable.class = "java.util.HashMap".to_owned();
    race.earlier.stack = vec![frame("containsKey", 1), frame("cached", 10)];
    race.later.stack = vec![frame("put", 1), frame("cached", 11)];
    assert_eq!(pattern(&race), Some(Pattern::CheckThenAct));
    race.earlier.stack[1] = frame("other", 10);
    let shared = explain(&race, &Sources::default()).unwrap();
    assert_eq!(shared.pattern, Pattern::SharedObject);
    assert!(shared.hint.contains("ConcurrentHashMap"), "{shared}");
}

#[test]
fn a_test_for_null_in_the_source_is_lazy_initialisation() {
    let folder = tempfile::tempdir().unwrap();
    let source = "\n\n\n\n\n  Object[][] count() {\n    if (n == null) {\n      n = make();\n    }\n";
    std::fs::create_dir(folder.path().join("a")).unwrap();
    std::fs::write(folder.path().join("a/Main.java"), source).unwrap();
    let mut race = unlocked();
    race.later.stack[0].line = Some(8);
    let explanation = explain(&race, &Sources::under(folder.path())).unwrap();
    assert_eq!(explanation.pattern, Pattern::LazyInitialisation);
    std::fs::write(folder.path().join("a/Main.java"), source.replace("n == null", "ready()")).unwrap();
    assert_eq!(explain(&race, &Sources::under(folder.path())), None);
}

#[test]
fn a_declared_guard_explains() {
    let mut race = unlocked();
    race.variable.annotations = vec![Annotation { name: "GuardedBy".to_owned(), value: Some("lock".to_owned()) }];
    let explanation = explain(&race, &Sources::default()).unwrap();
    assert!(explanation.text.contains("@GuardedBy(\"lock\")"), "{explanation}");
    assert!(explanation.text.contains("the write holds no lock"), "{explanation}");
}

/// A race of a field of `a.Main` between two methods, with no locks.
fn apart(descriptor: &str, field: &str, write: &str, read: &str) -> LiveRace {
    let mut race = unlocked();
    race.variable.kind = VariableKind::Field;
    race.variable.descriptor = descriptor.to_owned();
    race.variable.field = field.to_owned();
    race.later.stack[0] = frame(write, 20);
    race.earlier.stack[0] = frame(read, 30);
    race
}

fn lock(class: &str, taken_at: &str) -> Lock {
    Lock { class: class.to_owned(), taken_at: taken_at.to_owned() }
}

#[test]
fn locks_of_both_sides_are_two_objects() {
    let mut race = apart("I", "sum", "add", "show");
    let own = lock("a.Main", "a.Main.add(Main.java:19)");
    race.later.locks = vec![own.clone()];
    race.earlier.locks = vec![own.clone()];
    let found = explain(&race, &Sources::default()).unwrap();
    assert_eq!(found.pattern, Pattern::DifferentLocks);
    assert!(found.text.contains("two different objects"), "{found}");
    race.earlier.locks = vec![lock("a.Main$Other", "a.Main$Other.show(Main.java:29)")];
    let found = explain(&race, &Sources::default()).unwrap();
    assert_eq!(found.pattern, Pattern::DifferentLocks);
    assert!(found.text.contains("the write holds a lock of a.Main, the read one of a.Main$Other"), "{found}");
    race.earlier.locks = vec![lock("b.Pool", "b.Pool.run(Pool.java:3)")];
    assert_eq!(pattern(&race), Some(Pattern::InconsistentLocking), "a lock of somebody else has nothing to do with it");
    race.later.locks = race.earlier.locks.clone();
    race.later.locks[0].taken_at = "b.Pool.other(Pool.java:9)".to_owned();
    assert_eq!(pattern(&race), None, "nobody takes a lock for this variable");
}

#[test]
fn a_write_under_a_read_lock_is_named() {
    let mut race = apart("I", "sum", "add", "show");
    let class = "java.util.concurrent.locks.ReentrantReadWriteLock for reading";
    race.later.locks = vec![lock(class, "a.Main.add(Main.java:19)")];
    race.earlier.locks = vec![lock(class, "a.Main.show(Main.java:29)")];
    assert_eq!(pattern(&race), Some(Pattern::WriteUnderReadLock));
    race.earlier.locks.clear();
    assert_eq!(pattern(&race), Some(Pattern::InconsistentLocking));
}

#[test]
fn a_boolean_that_another_thread_looks_at_is_a_flag() {
    let race = apart("Z", "stopped", "stop", "work");
    assert_eq!(pattern(&race), Some(Pattern::StopFlag));
    assert_eq!(pattern(&apart("Z", "big", "set", "work")), None, "neither its name nor a loop speaks for it");
    assert_eq!(pattern(&apart("I", "stopped", "set", "work")), None, "a number is no flag");
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("a")).unwrap();
    let source = "\n".repeat(29) + "    while (!big) {\n";
    std::fs::write(folder.path().join("a/Main.java"), source).unwrap();
    let looped = explain(&apart("Z", "big", "set", "work"), &Sources::under(folder.path())).unwrap();
    assert_eq!(looped.pattern, Pattern::StopFlag);
    assert!(looped.text.contains("work tests it in a loop"), "{looped}");
}

#[test]
fn a_value_read_behind_the_start_of_its_writer_is_not_awaited() {
    let mut race = apart("I", "sum", "compute", "show");
    // Thread 13 was started by `main` in line 5.
    race.earlier.stack.push(frame("main", 8));
    let found = explain(&race, &Sources::default()).unwrap();
    assert_eq!(found.pattern, Pattern::ResultNotAwaited);
    assert!(found.text.contains("main starts thread \"worker-13\""), "{found}");
    race.earlier.stack.last_mut().unwrap().line = Some(5);
    assert_eq!(pattern(&race), None, "the read may be part of the start");
    race.earlier.stack.last_mut().unwrap().line = Some(8);
    race.variable.descriptor = "Z".to_owned();
    assert_eq!(pattern(&race), None, "a boolean is looked at, not awaited");
    race.variable.descriptor = "I".to_owned();
    race.earlier.op = Operation::Write;
    assert_eq!(pattern(&race), None);
}

#[test]
fn a_reference_that_close_takes_away_is_named() {
    assert_eq!(pattern(&apart("La/Out;", "out", "close", "write")), Some(Pattern::ClosedWhileUsed));
    assert_eq!(pattern(&apart("La/Out;", "out", "doStop", "write")), Some(Pattern::ClosedWhileUsed));
    assert_eq!(pattern(&apart("La/Out;", "out", "open", "write")), None);
    assert_eq!(pattern(&apart("I", "count", "close", "write")), None, "a number is not used up");
}

#[test]
fn what_a_timer_writes_is_refreshed() {
    let mut race = apart("I", "limit", "reload", "check");
    race.later.stack.push(StackFrame { class: "java.util.TimerThread".to_owned(), ..frame("run", 1) });
    assert_eq!(pattern(&race), Some(Pattern::RefreshedValue));
    race.earlier.stack = race.later.stack.clone();
    race.earlier.stack[0] = frame("check", 30);
    assert_eq!(pattern(&race), None, "both are tasks of timers");
}

#[test]
fn a_long_without_another_pattern_may_be_torn() {
    assert_eq!(pattern(&apart("J", "time", "set", "get")), Some(Pattern::TornValue));
    assert_eq!(pattern(&apart("D", "price", "set", "get")), Some(Pattern::TornValue));
    assert_eq!(pattern(&apart("F", "rate", "set", "get")), None);
}
