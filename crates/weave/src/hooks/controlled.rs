//! Calls that a controlled run makes itself, because they wait for other threads or for time: each becomes a call of a static
//! method that takes the same from the stack.
//!
//! `wait` and `notify` are final, so every call of their names and descriptors means them, whatever class it names. The others
//! are known by their class: a `sleep` that a call names by a subclass of `Thread` is not replaced.

/// The class of the shim that has the methods.
pub const CONTROL_SHIM: &str = "java/lang/AutodromeControl";

/// A call that a controlled run makes itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Controlled {
    /// The internal name of the class that declares the method.
    pub owner: &'static str,
    /// The method's name.
    pub name: &'static str,
    /// The method's descriptor.
    pub descriptor: &'static str,
    /// Is it static?
    pub is_static: bool,
    /// The name of the method that is called instead.
    pub instead: &'static str,
}

impl Controlled {
    /// The descriptor of the method that is called instead: the receiver, if there is one, comes first.
    #[must_use]
    pub fn static_descriptor(&self) -> String {
        match self.descriptor.strip_prefix('(') {
            Some(rest) if !self.is_static => format!("(L{};{rest}", self.owner),
            _ => self.descriptor.to_owned(),
        }
    }

    /// May a call name another class?
    fn is_final(&self) -> bool {
        self.owner == OBJECT
    }
}

const OBJECT: &str = "java/lang/Object";
const THREAD: &str = "java/lang/Thread";
const SYSTEM: &str = "java/lang/System";
const UNSAFE: &str = "jdk/internal/misc/Unsafe";

const fn of_object(owner: &'static str, name: &'static str, descriptor: &'static str) -> Controlled {
    Controlled { owner, name, descriptor, is_static: false, instead: name }
}

const fn of_class(
    owner: &'static str,
    name: &'static str,
    descriptor: &'static str,
    instead: &'static str,
) -> Controlled {
    Controlled { owner, name, descriptor, is_static: true, instead }
}

const fn of_monitor(name: &'static str, descriptor: &'static str, instead: &'static str) -> Controlled {
    Controlled { owner: OBJECT, name, descriptor, is_static: false, instead }
}

/// The calls.
pub const CONTROLLED: &[Controlled] = &[
    of_monitor("wait", "()V", "await"),
    of_monitor("wait", "(J)V", "await"),
    of_monitor("wait", "(JI)V", "await"),
    of_monitor("notify", "()V", "notifies"),
    of_monitor("notifyAll", "()V", "notifiesAll"),
    of_class(THREAD, "sleep", "(J)V", "sleep"),
    of_class(THREAD, "sleep", "(JI)V", "sleep"),
    of_class(THREAD, "sleep", "(Ljava/time/Duration;)V", "sleep"),
    of_class(THREAD, "yield", "()V", "yields"),
    of_class(THREAD, "onSpinWait", "()V", "spins"),
    of_class(SYSTEM, "nanoTime", "()J", "nanoTime"),
    of_class(SYSTEM, "currentTimeMillis", "()J", "currentTimeMillis"),
    of_object(UNSAFE, "park", "(ZJ)V"),
    of_object(UNSAFE, "unpark", "(Ljava/lang/Object;)V"),
];

/// The rule for a call of a method, by the class that the call names.
pub(crate) fn controlled(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<&'static Controlled> {
    let is_meant = |rule: &&Controlled| {
        rule.name.as_bytes() == name
            && rule.descriptor.as_bytes() == descriptor
            && (rule.is_final() || rule.owner.as_bytes() == owner)
    };
    CONTROLLED.iter().find(is_meant)
}

/// Classes of `java.util` whose objects no two threads share, or that have no state.
const ALONE: &[&str] = &["Objects", "Optional", "Arrays", "StringJoiner", "Scanner", "Formatter", "Locale"];

/// Is a call of a method of this class a point of a controlled run? It is if other threads may see what the call does: in
/// `java.util.concurrent`, in the collections, and by a `VarHandle`.
pub(crate) fn is_shared_callee(owner: &[u8]) -> bool {
    if owner.starts_with(b"java/util/concurrent/") {
        return true;
    }
    match owner.strip_prefix(b"java/util/") {
        Some(rest) => !rest.contains(&b'/') && !ALONE.iter().any(|alone| alone.as_bytes() == rest),
        None => owner == b"java/lang/invoke/VarHandle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_of_wait_is_known_whatever_class_it_names() {
        let rule = controlled(b"com/acme/Queue", b"wait", b"(J)V").unwrap();
        assert_eq!((rule.instead, &*rule.static_descriptor()), ("await", "(Ljava/lang/Object;J)V"));
        assert!(controlled(b"com/acme/Util", b"sleep", b"(J)V").is_none());
        let rule = controlled(b"java/lang/System", b"nanoTime", b"()J").unwrap();
        assert_eq!(rule.static_descriptor(), "()J");
    }

    #[test]
    fn calls_of_shared_objects_are_points() {
        for owner in ["java/util/concurrent/atomic/AtomicInteger", "java/util/Map", "java/lang/invoke/VarHandle"] {
            assert!(is_shared_callee(owner.as_bytes()), "{owner}");
        }
        for owner in ["java/util/Objects", "java/util/function/Function", "java/util/stream/Stream", "com/acme/Map"] {
            assert!(!is_shared_callee(owner.as_bytes()), "{owner}");
        }
    }
}
