//! Calls with hooks before or after them, known by the method that they name.

use super::{Hook, RANGES};

/// A call of interest. The receiver's class is not compared: a call names any subclass of `Thread`, and whether it is
/// one cannot be seen in the class file, so the shim looks at the receiver.
#[derive(Clone, Copy, Debug)]
pub struct CallRule {
    /// The method's name.
    pub name: &'static str,
    /// The method's descriptor.
    pub descriptor: &'static str,
    /// The hook before the call, with the receiver.
    pub before: Option<Hook>,
    /// The hook after a normal return, with the receiver, and the result if it takes a `boolean` (`Z`). A rule whose hook
    /// takes the result only is for a static method.
    pub after: Option<Hook>,
}

impl CallRule {
    /// Is it a rule for calls of static methods?
    pub(crate) fn is_static(&self) -> bool {
        self.after.is_some_and(|hook| hook.takes() == "Z")
    }
}

const fn before(name: &'static str, descriptor: &'static str, hook: Hook) -> CallRule {
    CallRule { name, descriptor, before: Some(hook), after: None }
}

const fn after(name: &'static str, descriptor: &'static str, hook: Hook) -> CallRule {
    CallRule { name, descriptor, before: None, after: Some(hook) }
}

const fn join(descriptor: &'static str, before: Hook, after: Hook) -> CallRule {
    CallRule { name: "join", descriptor, before: Some(before), after: Some(after) }
}

const fn wait(descriptor: &'static str) -> CallRule {
    CallRule { name: "wait", descriptor, before: Some(Hook::BeforeWait), after: Some(Hook::AfterWait) }
}

/// The calls of interest.
pub const CALLS: &[CallRule] = &[
    // Inside Thread: every start of a platform thread comes there.
    before("start0", "()V", Hook::BeforeStart),
    join("()V", Hook::BeforeJoin, Hook::AfterJoin),
    join("(J)V", Hook::BeforeTimedJoin, Hook::AfterJoin),
    join("(JI)V", Hook::BeforeTimedJoin, Hook::AfterJoin),
    join("(Ljava/time/Duration;)Z", Hook::BeforeTimedJoin, Hook::AfterTimedJoin),
    after("isAlive", "()Z", Hook::AfterIsAlive),
    before("interrupt", "()V", Hook::BeforeInterrupt),
    after("isInterrupted", "()Z", Hook::AfterIsInterrupted),
    after("interrupted", "()Z", Hook::AfterInterrupted),
    wait("()V"),
    wait("(J)V"),
    wait("(JI)V"),
    before("notify", "()V", Hook::BeforeNotify),
    before("notifyAll", "()V", Hook::BeforeNotify),
];

/// Classes whose methods call nothing of the program's, so a calling-context value need not be stored before a call of
/// them. `String` is none of them: it calls `toString`.
pub const QUIET_CALLEES: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Math",
    "java/lang/Short",
    "java/lang/StrictMath",
    "java/lang/System",
];

/// By first letter, the lengths of the names of methods whose calls have a rule, of [`CALLS`] or [`RANGES`].
static RULED_NAMES: [u32; 256] = {
    let mut lengths = [0; 256];
    let mut at = 0;
    while at < CALLS.len() + RANGES.len() {
        let name = if at < CALLS.len() { CALLS[at].name } else { RANGES[at - CALLS.len()].name }.as_bytes();
        lengths[name[0] as usize] |= 1 << (name.len() % 32);
        at += 1;
    }
    lengths
};

/// May calls of a method of this name have a rule? Most have none, and are spared the search.
pub(crate) fn may_be_ruled(name: &[u8]) -> bool {
    name.first().is_some_and(|&first| RULED_NAMES[usize::from(first)] & 1 << (name.len() % 32) != 0)
}
