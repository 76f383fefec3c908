//! Patterns of threads: who started whom, who ends what, who runs by a clock.

use super::{Explanation, Pattern, explanation, frames, is_reference};
use crate::race::{LiveRace, Operation, Side, StackFrame, VariableKind};
use crate::text::quoted;

/// Names of methods that end the use of something, and what may follow in the name.
const ENDS: [&str; 11] = [
    "close",
    "shutdown",
    "stop",
    "destroy",
    "dispose",
    "release",
    "clear",
    "reset",
    "disconnect",
    "cleanup",
    "terminate",
];

/// A method that ends something writes a reference that another method reads without a lock that both hold.
pub(super) fn closed_while_used(race: &LiveRace) -> Option<Explanation> {
    let (write, read) = frames(race)?;
    let name = write.method.to_ascii_lowercase();
    let ends = ENDS.iter().any(|end| name.starts_with(end) || name.starts_with(&format!("do{end}")));
    let is_field = matches!(race.variable.kind, VariableKind::Field | VariableKind::Static);
    if !ends || !is_field || !is_reference(race) || race.other().op != Operation::Read || write.is_in_method_of(read) {
        return None;
    }
    explanation(
        Pattern::ClosedWhileUsed,
        format!(
            "Looks like closed while in use: {} changes the reference while {} may still use it.",
            write.method, read.method
        ),
        "guard both with one lock, or read the field once into a local variable and make it volatile.",
    )
}

/// The reading method has started the thread that writes, or handed it its task, and goes on.
pub(super) fn result_not_awaited(race: &LiveRace) -> Option<Explanation> {
    let (writer, reader) = (race.writer(), race.other());
    let (_, read) = frames(race)?;
    let starts = writer.thread.created_at.iter().filter(|frame| !frame.is_of_jdk());
    let mut starters = starts.filter_map(|start| {
        let goes_on = |frame: &&StackFrame| frame.is_in_method_of(start) && frame.line > start.line;
        reader.stack.iter().find(goes_on)
    });
    // A boolean is a flag that both sides look at, not a result.
    let is_result = race.variable.descriptor != "Z";
    if reader.op != Operation::Read || reader.thread.id == writer.thread.id || !is_result {
        return None;
    }
    let starter = starters.next()?;
    explanation(
        Pattern::ResultNotAwaited,
        format!(
            "Looks like a result that is not awaited: {} starts thread {} and goes on, and {} reads what that thread writes.",
            starter.method,
            quoted(&writer.thread.name),
            read.method
        ),
        "call join() on the thread, or get() on the task's Future, before the value is read.",
    )
}

/// What runs tasks by a clock.
const TIMERS: [&str; 2] =
    ["java.util.TimerThread", "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask"];

/// A task that a timer runs writes, and another thread reads.
pub(super) fn refreshed(race: &LiveRace) -> Option<Explanation> {
    let (write, read) = frames(race)?;
    let by_timer = |side: &Side| side.stack.iter().any(|frame| TIMERS.contains(&frame.class.as_str()));
    if race.other().op != Operation::Read || !by_timer(race.writer()) || by_timer(race.other()) {
        return None;
    }
    explanation(
        Pattern::RefreshedValue,
        format!(
            "Looks like a value that a timer's task refreshes: {} writes it, and {} may never see it.",
            write.method, read.method
        ),
        "make the field volatile; put values that belong together into one immutable object.",
    )
}
