//! Calls that may run code whose data is not recorded, and which of them cannot.
//!
//! A recording has the accesses of the classes that are woven for it. What other code keeps, it cannot have: the JDK's own data,
//! excluded classes, native code, what is accessed through reflection and handles. A section of a lock in which such code ran may
//! depend on it, so it must keep its place among the sections of that lock (docs/adr/0070-opaque-sections.md). The rule is the
//! safe one: a call is [`Callee::Unrecorded`] unless a row here, or the class of its receiver, says otherwise.
//!
//! *May be wrong:* a row is a promise about the JDK's code. What it calls must neither read nor write anything that another
//! thread can change unseen.

use crate::classfile::descriptor::Parameters;

/// What is known of the code that a call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// All that matters of it is recorded, or it keeps nothing.
    Recorded,
    /// The receiver's class decides, with all that it extends and implements.
    Object,
    /// The receiver's class decides; the class itself declares the method.
    Own,
    /// The class that the call names decides, with all that it extends and implements.
    Class,
    /// That class alone decides: it is a constructor.
    Constructor,
    /// It is a standard stream, or not recorded.
    Stream,
    /// It is not recorded.
    Unrecorded,
}

/// Classes of the JDK whose fields and elements a recording has, all of them, and whose calls have hooks: their objects
/// are as good as the program's. With those nested in them.
pub const RECORDED: &[&str] = &[
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractMap",
    "java/util/AbstractQueue",
    "java/util/AbstractSequentialList",
    "java/util/AbstractSet",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/Arrays$ArrayList",
    "java/util/BitSet",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/IdentityHashMap",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/PriorityQueue",
    "java/util/Stack",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/Vector",
    // They keep nothing that changes, and their calls have hooks.
    "java/util/Objects",
    "java/util/Optional",
];

/// Classes of the JDK whose objects never change, as far as one can see, and which call nobody's code.
const CONSTANT: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Double",
    "java/lang/Enum",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Number",
    "java/lang/Object",
    "java/lang/Record",
    "java/lang/Short",
    "java/lang/String",
];

/// What a call may get without leading anywhere: these, and primitives.
const SIMPLE: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
];

/// Methods of constant classes that look at the properties of the system.
const LOOKS_ELSEWHERE: &[&str] = &["getBoolean", "getInteger", "getLong"];

/// Classes of the JDK whose static methods compute from their arguments alone, if these are simple.
const COMPUTE: &[&str] = &["java/lang/Math", "java/lang/StrictMath"];

/// Methods by class that are recorded where they are called, or keep nothing.
const METHODS: &[(&str, &[&str])] = &[
    (
        "java/lang/Class",
        &["getName", "getSimpleName", "isInstance", "desiredAssertionStatus", "getComponentType", "cast"],
    ),
    ("java/lang/Object", &["<init>", "getClass", "notify", "notifyAll", "wait"]),
    // What orders threads there is recorded.
    ("java/lang/Thread", &["currentThread", "holdsLock", "isAlive", "join", "onSpinWait", "sleep", "yield"]),
    ("java/lang/System", &["arraycopy", "currentTimeMillis", "identityHashCode", "nanoTime"]),
    ("java/util/Arrays", &["asList", "copyOf", "copyOfRange", "fill"]),
    ("java/util/Collections", &["emptyList", "emptyMap", "emptySet"]),
    ("jdk/internal/util/ArraysSupport", &["newLength"]),
    ("jdk/internal/util/Preconditions", &["checkFromIndexSize", "checkFromToIndex", "checkIndex"]),
];

/// Methods of texts that read ranges of arrays, which are recorded where they are called.
const TEXTS_OF_ARRAYS: &[&str] = &["<init>", "valueOf", "copyValueOf"];

/// How the names of packages start that only the JDK has.
const OF_JDK: &[&[u8]] = &[b"java/", b"javax/", b"jdk/", b"sun/", b"com/sun/"];

/// May the class, by internal name, be one of the JDK?
pub(crate) fn may_be_of_jdk(class: &[u8]) -> bool {
    OF_JDK.iter().any(|start| class.starts_with(start))
}

/// Has a recording all of the class's data, or does the class keep nothing, by internal name?
#[must_use]
pub fn is_recorded(class: &str) -> bool {
    let is = |name: &str| class.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'));
    RECORDED.iter().any(|name| is(name))
}

/// Do the class's objects never change, by internal name?
#[must_use]
pub fn is_constant(class: &str) -> bool {
    CONSTANT.contains(&class)
}

/// What is known of the code that a call runs, by what the call names; `is_virtual` if the receiver's class has a say. What the
/// class that is woven declares itself is for the caller to know.
pub(crate) fn callee(owner: &[u8], name: &[u8], descriptor: &[u8], is_virtual: bool) -> Callee {
    let named = |methods: &[&str]| methods.iter().any(|method| method.as_bytes() == name);
    let is = |class: &str| class.as_bytes() == owner;
    if METHODS.iter().any(|&(class, methods)| is(class) && named(methods)) {
        return Callee::Recorded;
    }
    // An array's clone is a range that is read; what else an array does is Object's.
    if owner.first() == Some(&b'[') {
        return Callee::Recorded;
    }
    // Whoever declares it: it ends in Object's, whose accesses nobody sees.
    if name == b"clone" && descriptor.starts_with(b"()") {
        return Callee::Unrecorded;
    }
    let is_simple = takes_simple(descriptor);
    if is("java/io/PrintStream") && is_virtual && named(&["print", "println", "flush"]) {
        return if is_simple { Callee::Stream } else { Callee::Unrecorded };
    }
    if is("java/lang/Object") {
        // What it has itself says only who an object is, but for a copy, whose accesses nobody sees.
        return match (is_virtual, name) {
            (true, _) => Callee::Object,
            (false, b"equals" | b"hashCode" | b"toString") => Callee::Recorded,
            (false, _) => Callee::Unrecorded,
        };
    }
    if CONSTANT.iter().chain(COMPUTE).any(|class| is(class)) {
        let is_text = is("java/lang/String") && named(TEXTS_OF_ARRAYS) && takes_characters(descriptor);
        let compares = is_virtual && name == b"equals";
        let is_known = is_text || (is_simple || compares) && !named(LOOKS_ELSEWHERE);
        return if is_known { Callee::Recorded } else { Callee::Unrecorded };
    }
    match (name == b"<init>", is_virtual) {
        (true, _) if is_simple && is_exception(owner) => Callee::Recorded,
        (_, true) => Callee::Object,
        _ if may_be_of_jdk(owner) => {
            let is_known = std::str::from_utf8(owner).is_ok_and(is_recorded);
            if is_known { Callee::Recorded } else { Callee::Unrecorded }
        }
        (true, _) => Callee::Constructor,
        (false, _) => Callee::Class,
    }
}

/// Is the class an exception of the JDK that a program makes?
fn is_exception(class: &[u8]) -> bool {
    let ends = class.ends_with(b"Exception") || class.ends_with(b"Error");
    let of = |package: &[u8]| class.strip_prefix(package).is_some_and(|rest| !rest.contains(&b'/'));
    (ends && (of(b"java/lang/") || of(b"java/util/") || of(b"java/io/"))) || class == b"java/lang/Throwable"
}

/// Are all arguments primitives, or of classes that are as simple?
pub(crate) fn takes_simple(descriptor: &[u8]) -> bool {
    all(descriptor, |parameter| match parameter.first() {
        Some(b'L') => {
            let class = parameter.get(1..parameter.len() - 1).unwrap_or_default();
            SIMPLE.iter().any(|known| known.as_bytes() == class)
        }
        Some(b'[') | None => false,
        Some(_) => true,
    })
}

/// Is one of the arguments an array of characters, in whatever form, and no other an array?
fn takes_characters(descriptor: &[u8]) -> bool {
    let mut arrays = 0;
    let is_good = |parameter: &[u8]| {
        arrays += u32::from(matches!(parameter, b"[C" | b"[B"));
        !parameter.starts_with(b"[") || matches!(parameter, b"[C" | b"[B")
    };
    all(descriptor, is_good) && arrays == 1
}

fn all(descriptor: &[u8], mut is: impl FnMut(&[u8]) -> bool) -> bool {
    let Ok(mut parameters) = Parameters::of(descriptor) else { return false };
    loop {
        match parameters.next() {
            Ok(Some(parameter)) if is(parameter) => {}
            Ok(None) => return true,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_not_recorded_unless_something_says_so() {
        use Callee::{Class, Constructor, Object, Recorded, Stream, Unrecorded};
        for (owner, name, descriptor, is_virtual, expected) in [
            ("java/util/List", "add", "(Ljava/lang/Object;)Z", true, Object),
            ("java/util/Date", "getTime", "()J", true, Object),
            ("java/util/Date", "<init>", "(J)V", false, Unrecorded),
            ("java/util/ArrayList", "<init>", "(Ljava/util/Collection;)V", false, Recorded),
            ("java/util/ArrayListed", "<init>", "()V", false, Unrecorded),
            ("java/lang/String", "charAt", "(I)C", true, Recorded),
            ("java/lang/String", "equals", "(Ljava/lang/Object;)Z", true, Recorded),
            ("java/lang/String", "contentEquals", "(Ljava/lang/StringBuffer;)Z", true, Unrecorded),
            ("java/lang/String", "getChars", "(II[CI)V", true, Unrecorded),
            ("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;", false, Unrecorded),
            ("java/lang/String", "valueOf", "([CII)Ljava/lang/String;", false, Recorded),
            ("java/lang/String", "<init>", "([C)V", false, Recorded),
            ("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", false, Recorded),
            ("java/lang/Integer", "getInteger", "(Ljava/lang/String;)Ljava/lang/Integer;", false, Unrecorded),
            ("java/lang/Math", "max", "(II)I", false, Recorded),
            ("java/lang/Object", "<init>", "()V", false, Recorded),
            ("java/lang/Object", "hashCode", "()I", true, Object),
            ("java/lang/Object", "hashCode", "()I", false, Recorded),
            ("java/lang/Object", "clone", "()Ljava/lang/Object;", false, Unrecorded),
            ("a/B", "clone", "()Ljava/lang/Object;", true, Unrecorded),
            ("[I", "clone", "()Ljava/lang/Object;", true, Recorded),
            ("java/lang/System", "getProperty", "(Ljava/lang/String;)Ljava/lang/String;", false, Unrecorded),
            ("java/util/Arrays", "equals", "([I[I)Z", false, Unrecorded),
            ("java/io/PrintStream", "println", "(Ljava/lang/String;)V", true, Stream),
            ("java/io/PrintStream", "println", "(Ljava/lang/Object;)V", true, Unrecorded),
            ("java/lang/IllegalStateException", "<init>", "(Ljava/lang/String;)V", false, Recorded),
            ("java/lang/IllegalStateException", "<init>", "(Ljava/lang/Throwable;)V", false, Unrecorded),
            ("java/lang/invoke/VarHandle", "get", "(La/B;)I", true, Object),
            ("a/B", "<init>", "()V", false, Constructor),
            ("a/B", "go", "()V", false, Class),
            ("a/B", "go", "()V", true, Object),
        ] {
            let found = callee(owner.as_bytes(), name.as_bytes(), descriptor.as_bytes(), is_virtual);
            assert_eq!(found, expected, "{owner}.{name}{descriptor}");
        }
    }
}
