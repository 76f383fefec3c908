//! Patterns of one field: how it is made, filled, counted, looked at.

use super::{Explanation, Pattern, explanation, frames, is_number, is_reference, read_and_write_of_one_method};
use crate::race::{LiveRace, Operation, VariableKind};
use crate::source::Sources;

pub(super) fn publication(race: &LiveRace) -> Option<Explanation> {
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

pub(super) fn double_checked(race: &LiveRace) -> Option<Explanation> {
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
pub(super) fn counter_by_lines(race: &LiveRace) -> Option<Explanation> {
    let (write, read) = read_and_write_of_one_method(race)?;
    if !is_number(race) || write.line.is_none() || write.line != read.line {
        return None;
    }
    let text = format!("Looks like an unsynchronised counter: {} reads the number and writes it back.", write.place());
    explanation(Pattern::UnsynchronisedCounter, text, COUNTER)
}

/// A write of a number on a line that counts, whoever else reads or writes it.
pub(super) fn counter_by_source(race: &LiveRace, sources: &Sources) -> Option<Explanation> {
    let (write, _) = frames(race)?;
    if !is_number(race) || !counts(&sources.line(write)?, &race.variable.field) {
        return None;
    }
    let text = format!("Looks like an unsynchronised counter: {} reads the number and writes it back.", write.place());
    explanation(Pattern::UnsynchronisedCounter, text, COUNTER)
}

/// Does a line of source count the field up or down?
pub(super) fn counts(line: &str, field: &str) -> bool {
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

pub(super) fn lazy_initialisation(race: &LiveRace, sources: &Sources) -> Option<Explanation> {
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

/// Parts of the names of flags that one thread sets for another one.
const FLAGS: [&str; 19] = [
    "stop",
    "done",
    "finish",
    "running",
    "cancel",
    "clos",
    "shutdown",
    "terminat",
    "quit",
    "ready",
    "complet",
    "alive",
    "interrupt",
    "exit",
    "active",
    "started",
    "ended",
    "enabled",
    "aborted",
];

/// A flag that one thread sets and another one looks at without a lock: in the condition of a loop, as the source shows, or by its
/// name.
pub(super) fn stop_flag(race: &LiveRace, sources: &Sources) -> Option<Explanation> {
    let (write, read) = frames(race)?;
    let is_looked_at = race.other().op == Operation::Read && race.other().locks.is_empty();
    if race.variable.descriptor != "Z" || !is_looked_at || write.is_in_method_of(read) {
        return None;
    }
    let field = &race.variable.field;
    let is_loop = |line: &String| line.contains(field.as_str()) && (line.contains("while") || line.contains("for"));
    let name = field.to_ascii_lowercase();
    let what = if sources.line(read).as_ref().is_some_and(is_loop) {
        format!("{} tests it in a loop, and the compiler may read it only once", read.method)
    } else if FLAGS.iter().any(|part| name.contains(part)) {
        format!("{} may never see what {} writes", read.method, write.method)
    } else {
        return None;
    };
    explanation(
        Pattern::StopFlag,
        format!("Looks like a flag without volatile: {what}."),
        "make the field volatile, or use an AtomicBoolean.",
    )
}

/// The Java Language Specification, section 17.7: what is not volatile may be written in two halves.
pub(super) fn torn(race: &LiveRace) -> Option<Explanation> {
    let name = match race.variable.descriptor.as_str() {
        "J" => "long",
        "D" => "double",
        _ => return None,
    };
    explanation(
        Pattern::TornValue,
        format!(
            "Java allows a {name} that is not volatile to be written in two halves: a reader may see one old and one new."
        ),
        "make the field volatile, or guard it with one lock.",
    )
}
