//! Patterns of objects of the JDK.

use super::{Explanation, Pattern, explanation};
use crate::race::{LiveRace, Operation, Side, StackFrame};

/// What only reads a collection, as opposed to changing it.
const QUESTIONS: [&str; 8] = ["get", "containsKey", "contains", "isEmpty", "size", "indexOf", "peek", "containsValue"];

/// How the names of methods begin that change an object of the JDK.
const UPDATES: [&str; 21] = [
    "put", "add", "remove", "clear", "set", "append", "push", "pop", "poll", "offer", "insert", "delete", "replace",
    "compute", "merge", "retain", "sort", "reverse", "roll", "update", "fill",
];

/// Does a method change the object, by its name? `setLength` does; `settle` and `address` are other words.
pub(crate) fn is_update(method: &str) -> bool {
    UPDATES.iter().any(|word| {
        method.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_uppercase))
    })
}

/// Of an access inside an object of the JDK: the method that was called, and who called it.
fn call(side: &Side) -> Option<(&StackFrame, &StackFrame)> {
    Some((side.stack.first()?, side.stack.get(1)?))
}

pub(super) fn check_then_act(race: &LiveRace) -> Option<Explanation> {
    let ((changed, changer), (asked, asker)) = (call(race.writer())?, call(race.other())?);
    let is_question = QUESTIONS.contains(&asked.method.as_str());
    if !is_question
        || race.other().op != Operation::Read
        || !changer.is_in_method_of(asker)
        || asker.line > changer.line
    {
        return None;
    }
    explanation(
        Pattern::CheckThenAct,
        format!(
            "Looks like check-then-act: {} calls {} and then {}, and another thread comes between.",
            changer.method, asked.method, changed.method
        ),
        format!(
            "{}, and let one call do both (computeIfAbsent, putIfAbsent), or hold one lock over both.",
            replacement(&race.variable.class)
        ),
    )
}

pub(super) fn shared_object(race: &LiveRace) -> Option<Explanation> {
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
