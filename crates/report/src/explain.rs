//! What a race looks like, and what usually mends it: from the two stacks, the locks, and source lines where they are found.
//!
//! A pattern is named only if something in the evidence speaks for it, and the text says "looks like": the two accesses of
//! one run cannot show what the programmer meant. Patterns are tried from the most to the least specific. Without a
//! source line lazy initialisation is never named, since any read before a write in one method looks the same.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::analysis::Guard;
use crate::race::{LiveRace, Operation, Side, StackFrame, VariableKind};
use crate::source::Sources;
use crate::text::plain;

/// What a race looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// A field is tested without the lock that its writer holds.
    DoubleCheckedLocking,
    /// A field is filled when it is first needed, by whoever comes.
    LazyInitialisation,
    /// A collection is asked and then changed, as if nobody could come between.
    CheckThenAct,
    /// A number is read and written back.
    UnsynchronisedCounter,
    /// An object is handed over before the other thread can see what its constructor wrote.
    UnsafePublication,
    /// One side takes a lock, the other none or another one.
    InconsistentLocking,
    /// An object of a class that is for one thread only.
    SharedObject,
}

impl Pattern {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Pattern::DoubleCheckedLocking => "double-checked locking",
            Pattern::LazyInitialisation => "lazy initialisation",
            Pattern::CheckThenAct => "check-then-act",
            Pattern::UnsynchronisedCounter => "unsynchronised counter",
            Pattern::UnsafePublication => "publication without a fence",
            Pattern::InconsistentLocking => "inconsistent locking",
            Pattern::SharedObject => "shared object",
        }
    }

    /// The rule of SARIF that a race of this pattern breaks.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Pattern::UnsafePublication => "AD002",
            Pattern::DoubleCheckedLocking => "AD003",
            Pattern::CheckThenAct | Pattern::SharedObject => "AD004",
            _ => "AD001",
        }
    }
}

/// A pattern and one hint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// What it looks like.
    pub pattern: Pattern,
    /// Why, in a sentence.
    pub text: String,
    /// What usually mends it.
    pub hint: String,
}

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} Hint: {}", plain(&self.text), plain(&self.hint))
    }
}

fn explanation(pattern: Pattern, text: impl Into<String>, hint: impl Into<String>) -> Option<Explanation> {
    Some(Explanation { pattern, text: text.into(), hint: hint.into() })
}

/// What the evidence supports, if anything.
pub(crate) fn explain(race: &LiveRace, sources: &Sources) -> Option<Explanation> {
    if race.variable.kind == VariableKind::Object {
        return check_then_act(race).or_else(|| shared_object(race));
    }
    let known = [publication, double_checked, counter_by_lines];
    let found = known.iter().find_map(|pattern| pattern(race));
    found
        .or_else(|| counter_by_source(race, sources))
        .or_else(|| lazy_initialisation(race, sources))
        .or_else(|| guarded_by(race))
        .or_else(|| inconsistent_locking(race))
}

/// The innermost frames of the write and of the other access.
fn frames(race: &LiveRace) -> Option<(&StackFrame, &StackFrame)> {
    Some((race.writer().stack.first()?, race.other().stack.first()?))
}

/// The frames of a read and a write by one method.
fn read_and_write_of_one_method(race: &LiveRace) -> Option<(&StackFrame, &StackFrame)> {
    let (write, other) = frames(race)?;
    (race.other().op == Operation::Read && write.is_in_method_of(other)).then_some((write, other))
}

fn is_reference(race: &LiveRace) -> bool {
    race.variable.descriptor.starts_with(['L', '['])
}

fn is_number(race: &LiveRace) -> bool {
    matches!(race.variable.descriptor.as_str(), "B" | "C" | "S" | "I" | "J" | "F" | "D")
}

fn publication(race: &LiveRace) -> Option<Explanation> {
    let (write, _) = frames(race)?;
    let in_constructor = write.method == "<init>" && write.class == race.variable.class;
    if race.variable.kind != VariableKind::Field || !in_constructor || race.other().op != Operation::Read {
        return None;
    }
    explanation(
        Pattern::UnsafePublication,
        format!(
            "Looks like publication without a fence: the constructor of {} wrote the field, and the object reached \
                 the other thread by a way that orders nothing.",
            write.class
        ),
        "make the field final, or hand the object over through a volatile field, a lock or a concurrent collection.",
    )
}

fn double_checked(race: &LiveRace) -> Option<Explanation> {
    let (write, read) = read_and_write_of_one_method(race)?;
    let method = format!("{}.{}(", write.class, write.method);
    let locked_here = race.writer().locks.iter().any(|lock| lock.taken_at.starts_with(&method));
    if !is_reference(race) || !locked_here || !race.other().locks.is_empty() || read.line > write.line {
        return None;
    }
    explanation(
        Pattern::DoubleCheckedLocking,
        format!(
            "Looks like double-checked locking: {} reads the field without the lock under which it writes it.",
            write.method
        ),
        "make the field volatile, or let a holder class initialise it.",
    )
}

const COUNTER: &str = "use an AtomicInteger, AtomicLong or LongAdder, or do it under a lock.";

/// A read and a write of a number on one line of one method.
fn counter_by_lines(race: &LiveRace) -> Option<Explanation> {
    let (write, read) = read_and_write_of_one_method(race)?;
    if !is_number(race) || write.line.is_none() || write.line != read.line {
        return None;
    }
    let text = format!("Looks like an unsynchronised counter: {} reads the number and writes it back.", write.place());
    explanation(Pattern::UnsynchronisedCounter, text, COUNTER)
}

/// A write of a number on a line that counts, whoever else reads or writes it.
fn counter_by_source(race: &LiveRace, sources: &Sources) -> Option<Explanation> {
    let (write, _) = frames(race)?;
    if !is_number(race) || !counts(&sources.line(write)?, &race.variable.field) {
        return None;
    }
    let text = format!("Looks like an unsynchronised counter: {} reads the number and writes it back.", write.place());
    explanation(Pattern::UnsynchronisedCounter, text, COUNTER)
}

/// Does a line of source count the field up or down?
fn counts(line: &str, field: &str) -> bool {
    let part_of_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let before = |text: &str| ["++", "--"].iter().any(|operator| text.trim_end().ends_with(operator));
    let after = |text: &str| ["++", "--", "+=", "-="].iter().any(|operator| text.trim_start().starts_with(operator));
    !field.is_empty()
        && line.match_indices(field).any(|(at, _)| {
            let (left, right) = (line.get(..at).unwrap_or_default(), line.get(at + field.len()..).unwrap_or_default());
            let whole = !left.ends_with(part_of_name) && !right.starts_with(part_of_name);
            whole && (before(left) || after(right))
        })
}

/// How many lines may lie between the test of a field and its use.
const NEAR: u32 = 3;

fn lazy_initialisation(race: &LiveRace, sources: &Sources) -> Option<Explanation> {
    let (write, other) = frames(race)?;
    if !write.is_in_method_of(other) {
        return None;
    }
    let is_test = |line: &String| {
        ["== null", "!= null", "null ==", "null !=", "==null", "!=null"].iter().any(|test| line.contains(test))
            || !is_reference(race) && line.contains("== 0")
    };
    // Either the write stands below a test, or what was read is tested at once.
    let first = write.line?.saturating_sub(NEAR);
    let above = sources.lines(write, first, write.line?)?;
    let tested = above.iter().filter(|line| line.contains(&race.variable.field)).any(is_test)
        || (race.other().op == Operation::Read
            && sources.lines(other, other.line?, other.line?.saturating_add(1))?.iter().any(is_test));
    if !tested {
        return None;
    }
    explanation(
        Pattern::LazyInitialisation,
        format!(
            "Looks like lazy initialisation: {} fills the field if it is empty, and two threads may find it so.",
            write.method
        ),
        "make the field volatile and fill it under a lock, or annotate it with @LazyInit if it does no harm twice.",
    )
}

/// What a collection is asked, as opposed to told.
const QUESTIONS: [&str; 8] = ["get", "containsKey", "contains", "isEmpty", "size", "indexOf", "peek", "containsValue"];

/// Of an access inside an object of the JDK: the method that was called, and who called it.
fn call(side: &Side) -> Option<(&StackFrame, &StackFrame)> {
    Some((side.stack.first()?, side.stack.get(1)?))
}

fn check_then_act(race: &LiveRace) -> Option<Explanation> {
    let ((told, teller), (asked, asker)) = (call(race.writer())?, call(race.other())?);
    let is_question = QUESTIONS.contains(&asked.method.as_str());
    if !is_question || race.other().op != Operation::Read || !teller.is_in_method_of(asker) || asker.line > teller.line
    {
        return None;
    }
    explanation(
        Pattern::CheckThenAct,
        format!(
            "Looks like check-then-act: {} calls {} and then {}, and another thread comes between.",
            teller.method, asked.method, told.method
        ),
        format!(
            "{}, and let one call do both (computeIfAbsent, putIfAbsent), or hold one lock over both.",
            replacement(&race.variable.class)
        ),
    )
}

fn shared_object(race: &LiveRace) -> Option<Explanation> {
    let class = race.variable.class.rsplit('.').next().unwrap_or_default();
    let hint = format!("{}, or guard every call with one lock.", replacement(&race.variable.class));
    explanation(Pattern::SharedObject, format!("{class} is not made for several threads at once."), hint)
}

/// What stands in for a class that is for one thread only.
fn replacement(class: &str) -> &'static str {
    match class {
        "java.util.HashMap" | "java.util.LinkedHashMap" => "use a ConcurrentHashMap",
        "java.util.TreeMap" => "use a ConcurrentSkipListMap",
        "java.util.HashSet" | "java.util.LinkedHashSet" => "use ConcurrentHashMap.newKeySet()",
        "java.util.TreeSet" => "use a ConcurrentSkipListSet",
        "java.util.ArrayList" => "use a CopyOnWriteArrayList if it is seldom changed",
        "java.util.LinkedList" | "java.util.ArrayDeque" => "use a ConcurrentLinkedDeque",
        "java.util.PriorityQueue" => "use a PriorityBlockingQueue",
        "java.text.SimpleDateFormat" => "use a java.time.format.DateTimeFormatter",
        "java.lang.StringBuilder" => "let each thread have its own",
        _ => "let each thread have its own",
    }
}

/// What a side holds, in words.
fn holds(side: &Side) -> String {
    let classes: Vec<&str> = side.locks.iter().map(|lock| lock.class.as_str()).collect();
    let held = if classes.is_empty() { "no lock".to_owned() } else { format!("a lock of {}", classes.join(", ")) };
    format!("the {} holds {held}", side.op.name())
}

/// A lock that most accesses of a trace hold.
pub(crate) fn inconsistently_guarded(guard: &Guard) -> Explanation {
    Explanation {
        pattern: Pattern::InconsistentLocking,
        text: format!("Looks like inconsistent locking: {guard}."),
        hint: format!("take {} around every access.", guard.lock),
    }
}

/// The program says which lock it means.
fn guarded_by(race: &LiveRace) -> Option<Explanation> {
    let guard = race.variable.annotations.iter().find(|annotation| annotation.name == "GuardedBy")?;
    let value = guard.value.as_deref().unwrap_or("its lock");
    explanation(
        Pattern::InconsistentLocking,
        format!("The field is declared {guard}, but {}, and {}.", holds(race.writer()), holds(race.other())),
        format!("take {value} around every access."),
    )
}

/// One side holds a lock that the variable's class took; what others hold may have nothing to do with it.
fn inconsistent_locking(race: &LiveRace) -> Option<Explanation> {
    let of_class = format!("{}.", race.variable.class);
    let sides = [race.writer(), race.other()];
    let own = |side: &&Side| side.locks.iter().any(|lock| lock.taken_at.starts_with(&of_class));
    if race.variable.class.is_empty() || !sides.iter().any(own) {
        return None;
    }
    let both = sides.iter().all(|side| !side.locks.is_empty());
    explanation(
        Pattern::InconsistentLocking,
        format!("Looks like inconsistent locking: {}, {}.", holds(race.writer()), holds(race.other())),
        if both { "guard the field with one lock, the same everywhere." } else { "take the lock around every access." },
    )
}

#[cfg(test)]
mod tests {
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
}
